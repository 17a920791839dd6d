// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/require.hpp>

#include <cstddef>
#include <nccl.h>
#include <string>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// NCCL's communicator of the device that Kokkos uses, on a stream of its own.
class nccl_link {
public:
  static constexpr bool exists = true;
  struct id {  // NCCL's own has no name, and nvcc 13.0 fails over lists of such
    ncclUniqueId is;
  };

  /// The name of a new communicator, which one rank draws for all.
  static id name(bool draws)
  {
    require(Kokkos::is_initialized() && !Kokkos::is_finalized(), where, "Kokkos is not there; initialize it first");
    id drawn{};
    if (draws) checked(ncclGetUniqueId(&drawn.is), "a name for the ranks");
    return drawn;
  }
  static std::string library()
  {
    int version = 0;
    (void)ncclGetVersion(&version);
    return "NCCL " + std::to_string(version / 10000) + '.' + std::to_string(version / 100 % 100) + '.'
           + std::to_string(version % 100);
  }

  nccl_link()                            = default;
  nccl_link(nccl_link const&)            = delete;
  nccl_link& operator=(nccl_link const&) = delete;
  ~nccl_link()
  {
    if (all_) (void)ncclCommDestroy(all_);
    if (stream_) (void)cudaStreamDestroy(stream_);
  }

  /// What a rank may fail at alone, before the others wait for it in join().
  void open()
  {
    check(cudaSetDevice(Kokkos::Cuda().cuda_device()), where + "selecting the device");
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), where + "a stream");
  }
  void join(id const& named, int rank, int size)
  {
    checked(ncclCommInitRank(&all_, size, named.is, rank), "joining the ranks");
  }

  /// Between begin() and finish() what is sent and received is gathered; finish() returns when all of it is there.
  void begin() { checked(ncclGroupStart(), "a group"); }
  void send(int rank, std::byte const* data, std::size_t bytes)
  {
    if (bytes > 0) checked(ncclSend(data, bytes, ncclInt8, rank, all_, stream_), "sending");
  }
  void receive(int rank, std::byte* data, std::size_t bytes)
  {
    if (bytes > 0) checked(ncclRecv(data, bytes, ncclInt8, rank, all_, stream_), "receiving");
  }
  void copy(std::byte const* from, std::byte* to, std::size_t bytes)
  {
    if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream_), where + "a copy");
  }
  void finish()
  {
    checked(ncclGroupEnd(), "a group");
    check(cudaStreamSynchronize(stream_), where + "payloads");
  }

private:
  inline static std::string const where = "ranks::nccl: ";

  static void checked(ncclResult_t code, char const* what)
  {
    require(code == ncclSuccess, where, what, ": ", ncclGetErrorString(code));
  }

  ncclComm_t all_      = nullptr;
  cudaStream_t stream_ = nullptr;
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
