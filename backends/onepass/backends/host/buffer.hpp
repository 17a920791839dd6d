// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <vector>

namespace onepass::backends::host {

/// Memory of this thread for n values, the same at every call for one use: it grows, is kept, and is not cleared.
template <class T, class Use = void>
T* thread_buffer(extent n)
{
  struct slot { T value; };  // std::vector<bool> has no pointers
  static thread_local std::vector<slot> kept(1);
  if (extent(kept.size()) < n) kept.resize(std::size_t(n));
  return &kept.data()->value;
}

}  // namespace onepass::backends::host
