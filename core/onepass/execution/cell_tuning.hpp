// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

namespace onepass {

/// Numbers of sort_by_cell and offsets on host threads. Items whose cells are few, or nearly in order, are counted by
/// each thread for all cells at once, and put in place; others are sorted by the digits of their cells.
struct cell_tuning {
  extent from;        ///< fewer items are sorted
  extent items_each;  ///< items for each counter of a thread, at least
  extent pairs;       ///< pairs of neighbouring items that are looked at
  extent near;        ///< two cells that are no farther apart than this are near each other
  extent at_random;   ///< so few cells can be written side by side, in whatever order the items are
  extent offsets;     ///< a thread finds so many offsets one after another

  /// Whether Views that are permuted in place lie in records between, so that little is read at random.
  static constexpr bool moves_records(bool host) { return host; }
};
template <class Tuning>
constexpr cell_tuning cell_tuning_for()
{
  if (is_tiny<Tuning>) return {64, 2, 64, 2, 8, 3};
  return {extent(1) << 15, 2, 4096, 16, extent(1) << 17, 64};
}

}  // namespace onepass
