// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

#include <algorithm>

namespace onepass::ONEPASS_ABI {

/// Rows of a matrix that lie side by side (programs/rows_side_by_side.hpp): how many are taken so, and in which parts.
struct sides_tuning {
  extent added;     ///< rows of which sums are made, at least,
  extent scanned;   ///< and rows that are scanned,
  extent items;     ///< of so many items, since one thread scans a part of a row
  extent columns;   ///< of a part, at least
  extent fewest;    ///< parts for whose sake a row that is scanned is read twice,
  extent most;      ///< and those at most, whose sums one thread adds up
  extent together;  ///< rows that a thread takes at a time
  extent parts;     ///< of every row; 0: for as many threads as there are

  /// Into how many parts each of so many rows is cut.
  constexpr extent parts_of(extent rows, extent columns_of_row, extent threads) const
  {
    if (parts > 0) return std::min(columns_of_row, parts);
    if (threads == 1) return 1;
    return std::clamp<extent>(threads * together / rows, 1, div_up(columns_of_row, columns));
  }
};
template <class Tuning>
constexpr sides_tuning sides_tuning_for(bool on_host)
{
  sides_tuning t{
      .added = 2, .scanned = 64, .items = 1 << 17, .columns = 16, .fewest = 2, .most = 256, .together = 1, .parts = 0};
  if (on_host || is_tiny<Tuning>) {
    t.added = t.scanned = 16, t.items = t.columns = 1 << 12;
    t.fewest = 4, t.together = 64;
  }
  if (is_tiny<Tuning>) t.parts = 70;
  return t;
}

}  // namespace onepass::ONEPASS_ABI
