// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/tuning.hpp>

namespace onepass::ONEPASS_ABI {

/// Numbers of sort_by_cell and offsets on host threads. Items whose cells are few, or nearly in order, are counted by
/// each thread for all cells at once, and put in place; others are sorted by the digits of their cells.
struct cell_tuning {
  extent from;        ///< fewer items are sorted
  extent items_each;  ///< items for each counter of a thread, at least
  extent pairs;       ///< pairs of neighbouring items that are looked at
  extent near;        ///< two cells that are no farther apart than this are near each other
  extent at_random;   ///< so few cells can be written side by side, in whatever order the items are
  extent offsets;     ///< a thread finds so many offsets one after another
  bool records;       ///< Views that are permuted in place lie in records between: little is read at random

  template <class F>
  void each(F const& f) const
  {
    f("from", from), f("items_each", items_each), f("pairs", pairs), f("near", near), f("at_random", at_random);
    f("offsets", offsets), f("records", records);
  }
};
template <class Tuning>
constexpr cell_tuning cell_tuning_for(bool host = true)
{
  if (is_tiny<Tuning>)
    return {.from = 64, .items_each = 2, .pairs = 64, .near = 2, .at_random = 8, .offsets = 3, .records = host};
  return {.from       = extent(1) << 15,
          .items_each = 2,
          .pairs      = 4096,
          .near       = 16,
          .at_random  = extent(1) << 17,
          .offsets    = 64,
          .records    = host};  // on an H200 they take 2.3 times as long
}

}  // namespace onepass::ONEPASS_ABI
