// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>
#include <onepass/require.hpp>

#include <cstddef>
#include <string>
#if defined(ONEPASS_HAS_CUDA) && defined(ONEPASS_NCCL)
#include <onepass/backends/cuda/nccl_link.hpp>
#endif

namespace onepass::ONEPASS_ABI {

#if defined(ONEPASS_HAS_CUDA) && defined(ONEPASS_NCCL)
/// NCCL's communicator of this process's device.
using nccl_link = backends::cuda::nccl_link;
#else
/// NCCL's communicator of this process's device: this build has none.
struct nccl_link {
  static constexpr bool exists = false;
  struct id {};

  static id name(bool)
  {
    require(false, "onepass::ranks::nccl: this build has no NCCL; give CMake ONEPASS_ENABLE_NCCL=ON and Kokkos' CUDA, "
                   "or leave payloads to MPI");
    return {};
  }
  static std::string library() { return "no NCCL"; }
  void open() {}
  void join(id const&, int, int) {}
  void begin() {}
  void send(int, std::byte const*, std::size_t) {}
  void receive(int, std::byte*, std::size_t) {}
  void copy(std::byte const*, std::byte*, std::size_t) {}
  void finish() {}
};
#endif

}  // namespace onepass::ONEPASS_ABI
