// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>

#include <atomic>

namespace onepass::ONEPASS_ABI {

/// Words shared by the threads of this process. Who has loaded what another thread stored also sees what that one wrote
/// before, and may write what it read before: tiles that compact in place do. On a device the functions can be called
/// but do nothing: the engine is compiled for both.
struct thread_words {
  ONEPASS_FUNCTION static std::uint64_t load([[maybe_unused]] std::uint64_t const* p)
  {
    KOKKOS_IF_ON_HOST((return std::atomic_ref(*const_cast<std::uint64_t*>(p)).load(std::memory_order_acquire);))
    KOKKOS_IF_ON_DEVICE((return 0;))
  }
  ONEPASS_FUNCTION static void store([[maybe_unused]] std::uint64_t* p, [[maybe_unused]] std::uint64_t w)
  {
    KOKKOS_IF_ON_HOST((std::atomic_ref(*p).store(w, std::memory_order_release);))
  }
  ONEPASS_FUNCTION static std::uint64_t fetch_add([[maybe_unused]] std::uint64_t* p, [[maybe_unused]] std::uint64_t d)
  {
    KOKKOS_IF_ON_HOST((return std::atomic_ref(*p).fetch_add(d, std::memory_order_relaxed);))
    KOKKOS_IF_ON_DEVICE((return 0;))
  }
  ONEPASS_FUNCTION static void pause([[maybe_unused]] int turn) { KOKKOS_IF_ON_HOST((wait_a_turn(turn);)) }
};

}  // namespace onepass::ONEPASS_ABI
