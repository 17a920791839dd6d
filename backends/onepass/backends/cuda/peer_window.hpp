// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/cuda/device.hpp>
#include <onepass/require.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Memory of the device that Kokkos uses, in slots, which other processes of this host have opened, and theirs. Copies
/// are those of the device's engines, on streams of the window's own: one puts into it, one gets from others', and what
/// stays here does not hold these up.
class peer_window {
public:
  static constexpr bool exists = true, of_devices = true;

  /// What opens it in another process.
  struct handle {
    std::uint64_t host;         // which computer, since it started
    std::uint64_t device;       // which device of it
    std::uint64_t stamp;        // what lies at the beginning of the window
    cudaIpcMemHandle_t memory;  // that window
  };

  peer_window(std::size_t slots, std::size_t slot_bytes)
      : slot_bytes_(slot_bytes)
      , put_(slots)
      , got_(slots)
  {
    require(Kokkos::is_initialized() && !Kokkos::is_finalized(), where, "Kokkos is not there; initialize it first");
    try {
      select_device();
      check(cudaMalloc(reinterpret_cast<void**>(&own_), slots * slot_bytes), where + "memory for a window");
      for (auto* stream : {&puts_, &gets_, &copies_})
        check(cudaStreamCreateWithFlags(stream, cudaStreamNonBlocking), where + "a stream");
      for (auto* events : {&put_, &got_})
        for (auto& event : *events) check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming), where + "an event");
      auto const now = std::chrono::steady_clock::now().time_since_epoch().count();
      told_.host     = this_host();
      told_.device   = this_device();
      told_.stamp    = std::hash<std::string>()(std::to_string(now) + ' ' + std::to_string(getpid()));
      check(cudaMemcpy(own_, &told_.stamp, sizeof told_.stamp, cudaMemcpyHostToDevice), where + "a stamp");
      check(cudaIpcGetMemHandle(&told_.memory, own_), where + "a handle for other processes");
    } catch (...) {
      release();
      throw;
    }
  }
  peer_window(peer_window const&)            = delete;
  peer_window& operator=(peer_window const&) = delete;
  ~peer_window() { release(); }

  handle told() const { return told_; }

  /// Opens the window of a rank, one of `ranks`, and looks whether it can be read.
  void open(int rank, int ranks, handle const& theirs)
  {
    select_device();
    opened_.resize(std::size_t(ranks));
    auto& memory    = opened_[std::size_t(rank)];
    auto const whom = "the window of rank " + std::to_string(rank);
    require(theirs.host == told_.host, where, whom, " is on another host; leave payloads to MPI or NCCL");
    void* at          = nullptr;
    auto const status = cudaIpcOpenMemHandle(&at, theirs.memory, cudaIpcMemLazyEnablePeerAccess);
    if (status != cudaSuccess) (void)cudaGetLastError();  // or the next launch would report it
    require(status == cudaSuccess, where, whom, " can not be opened: ", cudaGetErrorString(status),
            "; leave payloads to MPI or NCCL");
    memory             = static_cast<std::byte*>(at);
    std::uint64_t seen = 0;
    auto* const beside = own_ + 128;  // not where the own stamp lies
    get(rank, 0, 0, beside, sizeof seen);
    finish();
    check(cudaMemcpy(&seen, beside, sizeof seen, cudaMemcpyDeviceToHost), where + "reading a stamp");
    require(seen == theirs.stamp, where, whom, " does not show what it has; leave payloads to MPI or NCCL");
  }

  /// Whether each of these processes has a device of its own, so that their kernels run at once.
  static bool are_apart(std::vector<handle> const& all)
  {
    for (std::size_t r = 0; r < all.size(); ++r)
      for (std::size_t other = 0; other < r; ++other)
        if (all[r].device == all[other].device && all[r].host == all[other].host) return false;
    return true;
  }

  /// Memory for other processes beside the window, in place of what it was before, and what opens it there: of one of
  /// two kinds.
  cudaIpcMemHandle_t share(int kind, std::size_t bytes)
  {
    select_device();
    // What is smaller than a page of the device would lie on one with other memory, which would be opened with it.
    constexpr std::size_t page = std::size_t(2) << 20;
    bytes                      = (bytes + page - 1) / page * page;
    auto*& memory              = shared_[kind].own;
    if (memory) check(cudaFree(std::exchange(memory, nullptr)), where + "memory for other processes");
    check(cudaMalloc(reinterpret_cast<void**>(&memory), bytes), where + "memory for other processes");
    cudaIpcMemHandle_t made;
    check(cudaIpcGetMemHandle(&made, memory), where + "a handle for other processes");
    return made;
  }
  /// Makes it zero.
  void clear(int kind, std::size_t bytes)
  {
    check(cudaMemsetAsync(shared_[kind].own, 0, bytes, copies_), where + "clearing memory for other processes");
    check(cudaStreamSynchronize(copies_), where + "clearing memory for other processes");
  }
  std::byte* shared(int kind) const { return shared_[kind].own; }
  /// What another process shares, once its window is open here.
  std::byte* reach(int kind, cudaIpcMemHandle_t const& theirs)
  {
    select_device();
    void* at = nullptr;
    check(cudaIpcOpenMemHandle(&at, theirs, cudaIpcMemLazyEnablePeerAccess), where + "memory of another process");
    return shared_[kind].reached.emplace_back(static_cast<std::byte*>(at));
  }
  void close_shared(int kind)
  {
    close(shared_[kind].reached);
    shared_[kind].reached.clear();
  }

  /// Closes the windows of others, and what they share.
  void close()
  {
    close(opened_);
    for (int kind : {0, 1}) close_shared(kind);
  }

  /// Copies into the own window.
  void put(std::size_t slot, std::size_t at, std::byte const* from, std::size_t bytes)
  {
    queue(own_ + slot * slot_bytes_ + at, from, bytes, puts_);
  }
  /// Copies from a rank's window.
  void get(int rank, std::size_t slot, std::size_t at, std::byte* to, std::size_t bytes)
  {
    queue(to, opened_[std::size_t(rank)] + slot * slot_bytes_ + at, bytes, gets_);
  }
  /// Copies what stays here, or what another process shares.
  void copy(std::byte const* from, std::byte* to, std::size_t bytes) { queue(to, from, bytes, copies_); }

  void mark_copy(std::size_t number)
  {
    for (; copied_.size() <= number;)
      check(cudaEventCreateWithFlags(&copied_.emplace_back(), cudaEventDisableTiming), where + "an event");
    check(cudaEventRecord(copied_[number], copies_), where + "a mark");
  }
  void await_copy(std::size_t number) { check(cudaEventSynchronize(copied_[number]), where + "copies"); }
  void mark_put(std::size_t slot) { check(cudaEventRecord(put_[slot], puts_), where + "a mark"); }
  void mark_got(std::size_t slot) { check(cudaEventRecord(got_[slot], gets_), where + "a mark"); }
  void await_put(std::size_t slot) { check(cudaEventSynchronize(put_[slot]), where + "copies into the window"); }
  void await_got(std::size_t slot) { check(cudaEventSynchronize(got_[slot]), where + "copies from windows"); }
  void finish()
  {
    check(cudaStreamSynchronize(puts_), where + "copies into the window");
    check(cudaStreamSynchronize(gets_), where + "copies from windows");
    check(cudaStreamSynchronize(copies_), where + "copies");
  }

private:
  inline static std::string const where = "ranks::peers: ";

  /// Kokkos' own, on which the window lies; a call before may have been one on another device.
  static void select_device() { check(cudaSetDevice(Kokkos::Cuda().cuda_device()), where + "selecting the device"); }

  static void close(std::vector<std::byte*>& memory)
  {
    for (auto*& each : memory)
      if (each) (void)cudaIpcCloseMemHandle(std::exchange(each, nullptr));
  }

  static void queue(std::byte* to, std::byte const* from, std::size_t bytes, cudaStream_t stream)
  {
    if (bytes > 0) check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream), where + "a copy");
  }

  /// The computer's name, and the number that its kernel drew when it started.
  static std::uint64_t this_host()
  {
    char name[256] = {};
    (void)gethostname(name, sizeof name - 1);
    std::ifstream boot("/proc/sys/kernel/random/boot_id");
    std::string const drawn((std::istreambuf_iterator<char>(boot)), {});
    return std::hash<std::string>()(name + (' ' + drawn));
  }

  /// Where the device sits in this computer. Parts of one device are the same.
  static std::uint64_t this_device()
  {
    int device = 0;
    cudaDeviceProp is;
    check(cudaGetDevice(&device), where + "the device");
    check(cudaGetDeviceProperties(&is, device), where + "the device");
    return std::uint64_t(is.pciDomainID) << 32 | std::uint64_t(is.pciBusID) << 16 | std::uint64_t(is.pciDeviceID);
  }

  void release()
  {
    close();
    for (auto* events : {&put_, &got_, &copied_})
      for (auto& event : *events)
        if (event) (void)cudaEventDestroy(std::exchange(event, nullptr));
    for (auto* stream : {&puts_, &gets_, &copies_})
      if (*stream) (void)cudaStreamDestroy(std::exchange(*stream, nullptr));
    for (auto** memory : {&own_, &shared_[0].own, &shared_[1].own})
      if (*memory) (void)cudaFree(std::exchange(*memory, nullptr));
  }

  std::size_t slot_bytes_;
  /// Memory for other processes, and theirs.
  struct shared_memory {
    std::byte* own = nullptr;
    std::vector<std::byte*> reached;
  };
  std::byte* own_ = nullptr;
  shared_memory shared_[2];
  std::vector<std::byte*> opened_;  // of each rank, the own one left out
  cudaStream_t puts_ = nullptr, gets_ = nullptr, copies_ = nullptr;
  std::vector<cudaEvent_t> put_, got_;  // of each slot
  std::vector<cudaEvent_t> copied_;     // of each turn
  handle told_{};
};

}  // namespace onepass::ONEPASS_ABI::backends::cuda
