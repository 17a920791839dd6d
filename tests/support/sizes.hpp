// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "row.hpp"

#include <onepass/backends/run_items.hpp>

#include <algorithm>
#include <cstdlib>
#include <vector>

namespace test {

using onepass::extent;

/// With the tiny tuning a few thousand items have as many tiles as millions have with others.
inline constexpr bool tiny_row = std::is_same_v<ONEPASS_ROW_TUNING, onepass::tiny_tuning>;

/// A machine (backend and schedule) of the row: it takes inputs of `from` items or more, in tiles of `tile` items.
struct machine_size {
  extent from, tile;
  bool alike = false;  ///< another has the same code, and all sizes
};

/// The machines of this row for a call whose larger item has `bytes` bytes.
inline std::vector<machine_size> machines(std::size_t bytes)
{
  using backend   = ONEPASS_ROW_BACKEND;
  using tuning    = ONEPASS_ROW_TUNING;
  auto const tile = [&](onepass::team_tuning const& t) { return extent(t.threads) * t.items_per_thread(bytes); };

  if constexpr (std::is_same_v<backend, onepass::serial_backend>) return {{0, 16}};
  else if constexpr (std::is_same_v<backend, onepass::host_backend>) {
    constexpr auto numbers = onepass::backends::host::item_tuning_for<tuning>();
    return {{numbers.alone_from / extent(bytes), numbers.items(bytes)}};
  }
#ifdef ONEPASS_HAS_CUDA
  else if constexpr (std::is_same_v<backend, onepass::cuda_backend>) {
    namespace cuda       = onepass::backends::cuda;
    using size           = cuda::tile_size;
    constexpr auto from  = cuda::item_thresholds_for<tuning>();
    constexpr auto flags = cuda::item_thresholds_for<tuning>(true);
    auto const chained   = [&](onepass::team_tuning const& t) {
      return extent(t.threads) * onepass::items_without_conflicts(t.items_per_thread(bytes), bytes);
    };
    auto const ring = cuda::pipeline_tuning_for<tuning>({false, false, false, bytes, bytes});
    onepass::team_tuning const squad{.threads = 32 * ring.warps, .packs = ring.packs};
    constexpr auto total = cuda::total_tuning_for<tuning>();
    onepass::team_tuning const loaders{.threads = total.threads, .packs = total.loads(16)};
    return {{0, tile(loaders)},
            {0, chained(cuda::chained_tuning_for<tuning>(size::small, {}))},
            {flags.middle_from / extent(bytes), chained(cuda::chained_tuning_for<tuning>(size::middle, {})), true},
            {flags.large_from / extent(bytes), chained(cuda::chained_tuning_for<tuning>(size::large, {})), true},
            {from.large_from / extent(bytes), chained(cuda::chained_tuning_for<tuning>(size::large, {}))},
            {from.look_ahead_from / extent(bytes), tile(squad)}};
  }
#endif
  else
    return {{0, tile(onepass::backends::kokkos::item_tuning_for<exec_space, tuning>())}};
}

template <class... Items>
constexpr std::size_t largest = std::max({sizeof(Items)...});

/// Larger inputs are left out: 2^21 items, or ONEPASS_TEST_ITEMS, for tools under which everything is slow.
inline extent most_items()
{
  char const* const said = std::getenv("ONEPASS_TEST_ITEMS");
  return said ? std::strtoll(said, nullptr, 10) : extent(1) << 21;
}

/// Sizes at which defects are likely: around one tile, around the anchors of a reluctant board, around a look-back
/// window of 32 tiles and two of them, and some that are multiples of nothing.
template <class... Items>
std::vector<extent> edge_sizes()
{
  std::vector<extent> sizes{0, 1, 2, 3, 31, 257, 1009, 10007};
  for (auto const [from, tile, alike] : machines(largest<Items...>)) {
    auto const before = onepass::div_up(from, tile) * tile;
    for (extent const tiles : {1, 2, 8, 32, 33, 64})
      if (!alike || tiles == 2 || tiles == 33)
        for (extent const off : {-1, 0, 1}) sizes.push_back(before + tiles * tile + off);
  }
  extent const most = most_items();
  std::erase_if(sizes, [most](extent n) { return n > most; });
  std::sort(sizes.begin(), sizes.end());
  sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
  return sizes;
}

/// A few short sizes, and for each machine of the row one of many tiles that ends inside one.
template <class... Items>
std::vector<extent> some_sizes()
{
  std::vector<extent> sizes{1, 67, 1009};
  for (auto const [from, tile, alike] : machines(largest<Items...>))
    sizes.push_back(std::min(from + 35 * tile + 1000, most_items()));
  return sizes;
}

/// One size of many tiles for the row's first machine.
template <class... Items>
extent many_tiles()
{
  return some_sizes<Items...>()[3];
}

/// A number of items that exceeds all caches, if the row's machine then writes in another way; otherwise none.
template <class Item>
extent beyond_caches()
{
  constexpr bool on_host_threads = std::is_same_v<ONEPASS_ROW_BACKEND, onepass::host_backend>;
  constexpr bool measured        = std::is_same_v<ONEPASS_ROW_TUNING, onepass::measured_tuning>;
  return on_host_threads && measured ? extent(onepass::shared_cache_bytes() / sizeof(Item)) + 12345 : 0;
}

}  // namespace test
