// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/splits.hpp>
#include <onepass/engine/tiles.hpp>

namespace onepass::ONEPASS_ABI {

/// Sorts a few items in few segments by one team: each thread counts the items of a segment that belong before its own,
/// so that no thread waits for others but once.
template <class From, class To, class Segments, class Less>
struct sort_few_segments : single_tile {
  using item = typename From::value_type;

  static constexpr extent most = 128;  ///< items, and offsets

  From from;
  To to;  ///< may be the same memory
  Segments segments;
  extent size;
  Less less;

  ONEPASS_FUNCTION static constexpr std::size_t stage_bytes(int)
  {
    return std::size_t(most) * (sizeof(item) + sizeof(int));
  }
  template <class Team>
  ONEPASS_FUNCTION void downsweep(Team const& team, extent, char) const
  {
    int const count = int(size), number = int(segments.number());
    auto* const items   = reinterpret_cast<item*>(team.stage());
    auto* const offsets = reinterpret_cast<int*>(items + most);
    for (int k = team.rank(); k < count; k += Team::threads) items[k] = from(k);
    for (int k = team.rank(); k < number; k += Team::threads) offsets[k] = int(segments(k));
    team.barrier();
    for (int k = team.rank(); k < count; k += Team::threads) {
      item const x      = items[k];
      int const behind  = partition_point(number, [&](int i) { return offsets[i] <= k; });
      bool const inside = behind > 0 && behind < number;  // what is in no segment stays where it is
      int const begin = inside ? offsets[behind - 1] : k, end = inside ? offsets[behind] : k + 1;
      int place = begin;
      for (int j = begin; j < k; ++j) place += !less(x, items[j]);
      for (int j = k + 1; j < end; ++j) place += less(items[j], x);
      to(place) = x;
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
