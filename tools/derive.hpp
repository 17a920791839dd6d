// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "types.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <type_traits>

// The items that checks make of a file. Each function gives the same items for the same file on every computer.
namespace tools {

using file_bytes = std::vector<unsigned char>;

/// The position, hashed: 64 bits that look random.
inline u64 mixed(u64 i)
{
  i = (i ^ i >> 30) * 0xbf58476d1ce4e5b9u;
  i = (i ^ i >> 27) * 0x94d049bb133111ebu;
  return i ^ i >> 31;
}

/// The file's bytes as items, at most `most`; a remainder shorter than one item is left out. Floats are the file's
/// words as integers, scaled to [0, 1], with signs drawn from the position: any file gives finite items whose sums stay
/// small.
template <class T>
std::vector<T> items_of(file_bytes const& file, std::size_t most)
{
  std::size_t const n = std::min(file.size() / sizeof(T), most);
  std::vector<T> items(n);
  if constexpr (std::is_floating_point_v<T>) {
    using word = std::conditional_t<sizeof(T) == 4, u32, u64>;
    for (std::size_t i = 0; i < n; ++i) {
      word w;
      std::memcpy(&w, file.data() + i * sizeof(T), sizeof w);
      T const size = T(w) / T(std::numeric_limits<word>::max());
      items[i]     = mixed(i) & 1 ? size : -size;
    }
  } else if (n > 0) std::memcpy(items.data(), file.data(), n * sizeof(T));
  return items;
}

template <class T>
std::vector<T> sorted(std::vector<T> items)
{
  std::sort(items.begin(), items.end());
  return items;
}

/// At most sixteen different values (256 for affine), so that there are long and short runs of equal items.
template <class T>
std::vector<T> few_valued(std::vector<T> items)
{
  for (auto& x : items) {
    if constexpr (std::is_same_v<T, affine>) x = {x.slope % 16, x.offset % 16};
    else x = static_cast<T>(x % 16);
  }
  return items;
}

/// Runs of equal items, `mean` long on average; each repeats the file's item at its first position.
template <class T>
std::vector<T> with_runs(std::vector<T> items, u64 mean)
{
  for (std::size_t i = 1; i < items.size(); ++i)
    if (mixed(i) % mean != 0) items[i] = items[i - 1];
  return items;
}

}  // namespace tools
