// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/inside.hpp>
#include <onepass/engine/items/staged_zipped.hpp>

namespace onepass::ONEPASS_ABI {

// The stage: shared memory in which a team keeps the items of a tile, and later its results.

template <class Program, int Items, int Behind = 0>
using stage_for = staged<input_of<Program>, Items, Behind>;

/// Whether a thread's results may overwrite its own staged items, since no other thread reads these.
template <class Program>
constexpr bool results_replace_items = bytes_per_output<Program> == sizeof(typename Program::item_type)
                                       && !(is_zipped<input_of<Program>> || looks_behind<Program>);

/// Which of a tile's items.
using place_in_tile = std::uint16_t;

namespace detail {
template <class P>
constexpr std::size_t bytes_of_columns = []<int... C>(std::integer_sequence<int, C...>)
{
  return (sizeof(column_item<P, C>) + ...);
}
(std::make_integer_sequence<int, P::columns>{});
}  // namespace detail

/// Whether every item goes to at most one column.
template <class P>
constexpr bool parts_items = counts_parts<P> || P::columns == 1;
template <counts_flags P>
  requires(P::columns == 2)
constexpr bool parts_items<P> = P::template keeps<0>(true) != P::template keeps<1>(true)
                                && P::template keeps<0>(false) != P::template keeps<1>(false);

/// Whether all columns of a tile fit into the stage at once, in the room that its items took or would take if they were
/// as wide as the widest column.
template <class P>
constexpr bool columns_together = parts_items<P> || detail::bytes_of_columns<P> <= bytes_of_item<input_of<P>>;

template <class P, int C>
constexpr bool copies_to_array = copies_items<P, C>&&
    std::is_same_v<decltype(std::declval<P const&>().template column<C>()), contiguous<typename P::item_type>>;

/// Whether a tile keeps its items where they are staged, lists the places of those that its columns keep, and copies
/// them from there by words. Items of more than a pack would otherwise pass through registers twice, and neighbouring
/// threads would meet in banks; those of 20 bytes are as fast so.
template <class P>
constexpr bool lists_places = false;
template <counts_flags P>
  requires requires { P::columns; }
constexpr bool lists_places<P> = []<int... C>(std::integer_sequence<int, C...>)
{
  constexpr std::size_t bytes = sizeof(typename P::item_type), alignment = alignof(typename P::item_type);
  return bytes > 16 && (bytes % 16 == 0 || alignment % 8 == 0) && parts_items<P> && is_contiguous<input_of<P>>::value
         && (copies_to_array<P, C> && ...);
}
(std::make_integer_sequence<int, P::columns>{});

/// Where the columns of a tile are in its stage: over its items, or behind them.
template <class Program>
ONEPASS_FUNCTION constexpr std::size_t columns_behind(int items)
{
  return lists_places<Program> ? array_bytes<input_of<Program>>::of(items, 0) : 0;
}

/// Bytes of stage that a tile needs: first for its input, later for its output. A column may begin and end anywhere
/// within 16 bytes.
template <class Program>
ONEPASS_FUNCTION constexpr std::size_t stage_bytes(int items, int behind = 0)
{
  std::size_t const in = array_bytes<input_of<Program>>::of(items, behind);
  std::size_t out      = bytes_per_output<Program> * std::size_t(items);
  if constexpr (Program::shape == output_shape::compacted) {
    if constexpr (lists_places<Program>)
      out = columns_behind<Program>(items) + std::size_t(items) * sizeof(place_in_tile);
    else if constexpr (columns_together<Program> && !parts_items<Program>)
      out = detail::bytes_of_columns<Program> * std::size_t(items);
    out += 32 * Program::columns;
  }
  out = (out + 127) / 128 * 128;
  return in > out ? in : out;
}

}  // namespace onepass::ONEPASS_ABI
