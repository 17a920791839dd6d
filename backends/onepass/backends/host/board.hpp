// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>

#include <atomic>

namespace onepass::host {

struct shared_words {
  static std::uint64_t load(std::uint64_t const* p)
  {
    return std::atomic_ref(*const_cast<std::uint64_t*>(p)).load(std::memory_order_relaxed);
  }
  static void          store(std::uint64_t* p, std::uint64_t w) { std::atomic_ref(*p).store(w, std::memory_order_relaxed); }
  static std::uint64_t fetch_add(std::uint64_t* p, std::uint64_t d)
  {
    return std::atomic_ref(*p).fetch_add(d, std::memory_order_relaxed);
  }
  static void pause()
  {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
  }
};

using shared_board = board<shared_words>;

}  // namespace onepass::host
