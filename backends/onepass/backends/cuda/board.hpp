// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>

namespace onepass::ONEPASS_ABI::backends::cuda {

/// Words shared by relaxed accesses at device scope. Each word of a descriptor has the epoch of its launch, so the
/// accesses need no ordering.
struct shared_words {
  /// Publish by an exchange instead of a store: where memory is busy writing results, other tiles see it much earlier
  /// (chained scans of 2^26 u32: .90 instead of .74 of a copy); launches of a few microseconds lose 2 % by it.
  bool exchanges = false;

  ONEPASS_FUNCTION static std::uint64_t load([[maybe_unused]] std::uint64_t const* p)
  {
    std::uint64_t w = 0;
#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
#endif
    return w;
  }
  ONEPASS_FUNCTION void store([[maybe_unused]] std::uint64_t* p, [[maybe_unused]] std::uint64_t w) const
  {
#ifdef __CUDA_ARCH__
    if (exchanges) {
      [[maybe_unused]] std::uint64_t old;
      asm volatile("atom.relaxed.gpu.global.exch.b64 %0, [%1], %2;" : "=l"(old) : "l"(p), "l"(w) : "memory");
    } else asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory");
#endif
  }
  ONEPASS_FUNCTION static std::uint64_t fetch_add([[maybe_unused]] std::uint64_t* p, [[maybe_unused]] std::uint64_t d)
  {
#ifdef __CUDA_ARCH__
    return atomicAdd(reinterpret_cast<unsigned long long*>(p), static_cast<unsigned long long>(d));
#else
    return 0;
#endif
  }
  ONEPASS_FUNCTION static void pause(int) {}
};

using shared_board = board<shared_words>;

}  // namespace onepass::ONEPASS_ABI::backends::cuda
