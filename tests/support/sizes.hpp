// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row.hpp"

#include <onepass/backends/run.hpp>

#include <algorithm>
#include <vector>

namespace test {

using onepass::extent;

/// Items in a tile of this row for a call whose larger item has `Bytes` bytes.
template <std::size_t Bytes>
constexpr extent tile_items()
{
  using backend = ONEPASS_ROW_BACKEND;
  using tuning = ONEPASS_ROW_TUNING;
  struct item {
    char bytes[Bytes];
  };
  if constexpr (std::is_same_v<backend, onepass::serial_backend>) return 16;
  else if constexpr (std::is_same_v<backend, onepass::host_backend>) return onepass::host::tile_items<item, tuning>;
  else {
    constexpr auto numbers = onepass::kokkos::tuning_for<exec_space, tuning>();
    return extent(numbers.threads) * numbers.items_per_thread(Bytes);
  }
}

/// Sizes at which machines go wrong: around one tile, around the anchors of a reluctant board, around a look-back
/// window of 32 tiles and two of them, and some that divide nothing.
template <class... Items>
std::vector<extent> edge_sizes()
{
  constexpr extent tile = tile_items<std::max({sizeof(Items)...})>();
  std::vector<extent> sizes{0, 1, 2, 3, 31, 257, 1009, 10007};
  for (extent const tiles : {1, 2, 8, 32, 33, 64})
    for (extent const off : {-1, 0, 1}) sizes.push_back(tiles * tile + off);
  constexpr extent most = 1 << 21;
  std::erase_if(sizes, [](extent n) { return n > most; });
  sizes.push_back(3 * tile + 5);
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// One size of many tiles that ends inside one.
template <class... Items>
constexpr extent many_tiles()
{
  constexpr extent tile = tile_items<std::max({sizeof(Items)...})>();
  return 35 * tile + (tile + 1) / 2 + 1000;
}

} // namespace test
