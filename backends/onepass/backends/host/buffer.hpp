// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace onepass::ONEPASS_ABI::backends::host {

/// Memory of this thread for n values, the same at every call for one use: it grows, is kept from call to call, and is
/// not cleared.
template <class T, class Use = void>
T* thread_buffer(extent n)
{
  struct slot {
    T value;
  };  // std::vector<bool> has no pointers
  static thread_local std::vector<slot> kept(1);
  if (extent(kept.size()) < n) kept.resize(std::size_t(n));
  return &kept.data()->value;
}

/// Asks the system for large pages, for memory that is written at many positions in turn: with small pages each write
/// costs a walk through the page table. What the memory holds stays as it is.
inline void ask_for_large_pages([[maybe_unused]] std::byte* memory, [[maybe_unused]] std::size_t bytes)
{
#if defined(MADV_HUGEPAGE)
  constexpr std::uintptr_t page = std::uintptr_t(2) << 20;
  auto const begin              = reinterpret_cast<std::uintptr_t>(memory);
  auto const first = (begin + page - 1) / page * page, last = (begin + bytes) / page * page;
  if (first < last) madvise(reinterpret_cast<void*>(first), last - first, MADV_HUGEPAGE);
#endif
}

}  // namespace onepass::ONEPASS_ABI::backends::host
