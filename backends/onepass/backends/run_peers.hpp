// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/select.hpp>
#include <onepass/require.hpp>

#include <cstddef>
#include <vector>
#ifdef ONEPASS_HAS_CUDA
#include <onepass/backends/cuda/peer_window.hpp>
#endif

namespace onepass::ONEPASS_ABI {

#ifdef ONEPASS_HAS_CUDA
/// Memory of this process's device that other processes of the host read.
using device_window = backends::cuda::peer_window;
#else
/// Memory of a device that other processes of the host read: this build knows of none, so that none can be made.
struct device_window {
  static constexpr bool exists = false, of_devices = true;
  struct handle {};

  device_window(std::size_t, std::size_t)
  {
    require(false, "onepass::ranks::peers: this build has no device whose memory other processes read; build with "
                   "Kokkos' CUDA, or leave payloads to MPI");
  }
  handle told() const { return {}; }
  void open(int, int, handle const&) {}
  static bool are_apart(std::vector<handle> const&) { return false; }
  handle share(int, std::size_t) { return {}; }
  void clear(int, std::size_t) {}
  std::byte* shared(int) const { return nullptr; }
  std::byte* reach(int, handle const&) { return nullptr; }
  void close_shared(int) {}
  void close() {}
  void put(std::size_t, std::size_t, std::byte const*, std::size_t) {}
  void get(int, std::size_t, std::size_t, std::byte*, std::size_t) {}
  void copy(std::byte const*, std::byte*, std::size_t) {}
  void mark_copy(std::size_t) {}
  void await_copy(std::size_t) {}
  void mark_put(std::size_t) {}
  void mark_got(std::size_t) {}
  void await_put(std::size_t) {}
  void await_got(std::size_t) {}
  void finish() {}
};
#endif

}  // namespace onepass::ONEPASS_ABI
