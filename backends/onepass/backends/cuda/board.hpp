// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>

namespace onepass::backends::cuda {

/// Words shared by relaxed accesses at device scope. Each word of a descriptor has the epoch of its launch, so the
/// accesses need no ordering.
struct shared_words {
  ONEPASS_FUNCTION static std::uint64_t load([[maybe_unused]] std::uint64_t const* p)
  {
    std::uint64_t w = 0;
#ifdef __CUDA_ARCH__
    asm volatile("ld.relaxed.gpu.global.u64 %0, [%1];" : "=l"(w) : "l"(p) : "memory");
#endif
    return w;
  }
  ONEPASS_FUNCTION static void store([[maybe_unused]] std::uint64_t* p, [[maybe_unused]] std::uint64_t w)
  {
#ifdef __CUDA_ARCH__
    asm volatile("st.relaxed.gpu.global.u64 [%0], %1;" ::"l"(p), "l"(w) : "memory");
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

}  // namespace onepass::backends::cuda
