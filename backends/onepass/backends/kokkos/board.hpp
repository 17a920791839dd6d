// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/thread_words.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// Words shared by teams: on a host as its threads share them; on a device by means of Kokkos alone, published by
/// exchange and polled by volatile loads. Kokkos' atomic_load and atomic_store are compare-and-swap loops up to version
/// 4.7, three times slower here.
struct shared_words {
  ONEPASS_FUNCTION static std::uint64_t load(std::uint64_t const* p)
  {
    KOKKOS_IF_ON_HOST((return thread_words::load(p);))
    KOKKOS_IF_ON_DEVICE((return *static_cast<std::uint64_t const volatile*>(p);))
  }
  ONEPASS_FUNCTION static void store(std::uint64_t* p, std::uint64_t w)
  {
    KOKKOS_IF_ON_HOST((thread_words::store(p, w);))
    KOKKOS_IF_ON_DEVICE(((void)Kokkos::atomic_exchange(p, w);))
  }
  ONEPASS_FUNCTION static std::uint64_t fetch_add(std::uint64_t* p, std::uint64_t d)
  {
    return Kokkos::atomic_fetch_add(p, d);
  }
  ONEPASS_FUNCTION static void pause(int turn) { thread_words::pause(turn); }
};

using shared_board = board<shared_words>;

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
