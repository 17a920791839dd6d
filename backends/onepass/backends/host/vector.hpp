// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/host/lines.hpp>

#include <cstddef>
#include <cstdint>
#include <tuple>
#include <type_traits>

namespace onepass::ONEPASS_ABI::backends::host {

/// The operators for which there are loops in vector registers.
enum class fold { sum, smallest, largest };

/// Numbers for which there are loops: integers of up to 8 bytes, and no floats of other formats than these two.
template <class T>
concept has_lane = (std::is_integral_v<T> && sizeof(T) <= 8) || std::is_same_v<T, float> || std::is_same_v<T, double>;

/// The type with the size and kind of T for which there are loops.
template <has_lane T>
struct lane_for {
  template <class I8, class I16, class I32, class I64>
  using sized =
      std::conditional_t<sizeof(T) == 1, I8,
                         std::conditional_t<sizeof(T) == 2, I16, std::conditional_t<sizeof(T) == 4, I32, I64>>>;
  using type = std::conditional_t<
      std::is_floating_point_v<T>, T,
      std::conditional_t<std::is_signed_v<T>, sized<std::int8_t, std::int16_t, std::int32_t, std::int64_t>,
                         sized<std::uint8_t, std::uint16_t, std::uint32_t, std::uint64_t>>>;
};

/// A scan in vector registers, of contiguous items. Floats are combined in the order of vector lanes.
template <fold Fold, class T>
struct vector_leaf {
  /// Scans n items. `before` is what precedes them, and becomes what precedes the item after them. Returns the
  /// combination of the n items at `next`, which are loaded from memory at the same time. Either of `out` and `next`
  /// may be `in`. With `stream`, results are written past the caches: call release_streams() before publishing them to
  /// another thread.
  using scan = T (*)(T const* in, T* out, std::size_t n, T& before, T const* next, bool stream);

  T (*reduce)(T const* in, std::size_t n);  ///< the combination of n items
  scan inclusive, exclusive;
};

template <class... T>
using vector_leaves_of =
    std::tuple<vector_leaf<fold::sum, T>..., vector_leaf<fold::smallest, T>..., vector_leaf<fold::largest, T>...>;

using vector_leaves = vector_leaves_of<std::uint8_t, std::int8_t, std::uint16_t, std::int16_t, std::uint32_t,
                                       std::int32_t, std::uint64_t, std::int64_t, float, double>;

/// The leaves (innermost loops) for the instruction set of this processor, chosen on the first call. Defined where
/// onepass was built with Google Highway, which sets ONEPASS_HIGHWAY.
vector_leaves const& leaves_of_this_machine();

/// Loops for the rows of a grid, in vector registers.
template <class Item, class Sum>
struct vector_grid_leaf {
  /// sums[i] = the sum of column i over `rows` rows of n items, which begin `pitch` items apart.
  void (*add)(Item const* in, std::ptrdiff_t pitch, int rows, Sum* sums, std::size_t n);

  /// running[i] += in[i]; out[i] = `before` and running[0] to running[i] added up; `before` becomes the last of them.
  /// At the same time prefetches n items at `ahead`, existing or not, into the second-level cache. With `stream`,
  /// results are written past the caches.
  void (*scan)(Item const* in, Sum* running, Sum* out, std::size_t n, Sum& before, Item const* ahead, bool stream);
};

using vector_grid_leaves =
    std::tuple<vector_grid_leaf<std::uint8_t, std::uint32_t>, vector_grid_leaf<std::uint16_t, std::uint32_t>,
               vector_grid_leaf<std::uint32_t, std::uint32_t>, vector_grid_leaf<std::uint64_t, std::uint64_t>,
               vector_grid_leaf<float, float>, vector_grid_leaf<float, double>, vector_grid_leaf<double, double>>;

vector_grid_leaves const& grid_leaves_of_this_machine();

/// Loops for sums by the canonical tree (docs/canonical.md), in vector registers: a lane takes a leaf.
template <class T>
struct vector_tree_leaf {
  static constexpr int items = 144 / int(sizeof(T)), leaves = 32;  ///< of a leaf; of two groups

  /// sums[l] = the items of leaf l, from the left. As much memory is fetched ahead at the same time.
  void (*fold)(T const* in, T* sums, lines_ahead ahead);
  /// The results of two groups, given what is before each of their leaves; the same.
  using scan = void (*)(T const* in, T* out, T const* before, lines_ahead ahead);
  scan inclusive, exclusive;
};

using vector_tree_leaves = std::tuple<vector_tree_leaf<float>, vector_tree_leaf<double>>;

vector_tree_leaves const& tree_leaves_of_this_machine();

/// Chooses the instruction set of this processor; before, every look-up in a table of functions queries the processor.
void choose_instruction_set();

/// The functions that look_up() finds for it.
template <class LookUp>
auto const& of_this_machine(LookUp const& look_up)
{
  choose_instruction_set();
  return *look_up();
}

/// The name of the instruction set that was chosen.
char const* instruction_set();

}  // namespace onepass::ONEPASS_ABI::backends::host
