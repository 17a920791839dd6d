// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <tuple>

namespace onepass::backends::host {

/// The operators that vector registers know.
enum class fold { sum, smallest, largest };

/// A scan in vector registers, of items side by side in memory. Floats associate as lanes do.
template <fold Fold, class T>
struct vector_leaf {
  /// Scans n items; `before` precedes them, and in the end the item behind them. Returns the n items at `next`
  /// combined, which come from memory meanwhile. Either of `out` and `next` may be `in`. With `stream` results go past
  /// the caches: release_streams() before another thread is told of them.
  using scan = T (*)(T const* in, T* out, std::size_t n, T& before, T const* next, bool stream);

  T (*reduce)(T const* in, std::size_t n);  ///< n items combined
  scan inclusive, exclusive;
};

template <class... T>
using vector_leaves_of =
    std::tuple<vector_leaf<fold::sum, T>..., vector_leaf<fold::smallest, T>..., vector_leaf<fold::largest, T>...>;

using vector_leaves = vector_leaves_of<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                                       std::int32_t, std::uint64_t, std::int64_t, float, double>;

/// The leaves for the instruction set of this machine, chosen on the first call. Defined where onepass was built with
/// Google Highway, which ONEPASS_HIGHWAY tells.
vector_leaves const& leaves_of_this_machine();

/// Rows of a grid in vector registers.
template <class Item, class Sum>
struct vector_grid_leaf {
  /// sums[i] = what column i has in so many rows of n items, the next `pitch` items after the one before.
  void (*add)(Item const* in, std::ptrdiff_t pitch, int rows, Sum* sums, std::size_t n);

  /// running[i] += in[i]; out = all of `running` so far and `before`, which in the end is the last of them. Meanwhile
  /// as many items at `ahead`, there or not, are asked for into the second-level cache. With `stream` results go past
  /// the caches.
  void (*scan)(Item const* in, Sum* running, Sum* out, std::size_t n, Sum& before, Item const* ahead, bool stream);
};

using vector_grid_leaves =
    std::tuple<vector_grid_leaf<std::uint8_t, std::uint32_t>, vector_grid_leaf<std::uint16_t, std::uint32_t>,
               vector_grid_leaf<float, float>, vector_grid_leaf<float, double>, vector_grid_leaf<double, double>>;

vector_grid_leaves const& grid_leaves_of_this_machine();

/// The name of that instruction set.
char const* instruction_set();

}  // namespace onepass::backends::host
