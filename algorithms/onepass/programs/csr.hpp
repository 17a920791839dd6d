// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/splits.hpp>
#include <onepass/programs/sort_by_cell.hpp>

namespace onepass::ONEPASS_ABI {

/// Whether count i is negative.
template <class Items>
struct is_negative {
  Items items;
  ONEPASS_FUNCTION bool operator()(extent i) const { return items(i) < typename Items::value_type(0); }
};

/// Copies a single value.
template <class From, class To>
struct copy_value {
  From const* from;
  To* to;
  ONEPASS_FUNCTION void operator()(extent) const { *to = static_cast<To>(*from); }
};

/// The row of each entry, found among the rows' offsets.
template <class Row, class Offsets>
struct rows_of_entries {
  using value_type = Row;

  Offsets offsets;
  extent size;  ///< entries

  ONEPASS_FUNCTION Row operator()(extent entry) const
  {
    return static_cast<Row>(
        partition_point(offsets.size - 1, [&](extent r) { return extent(offsets(r + 1)) <= entry; }));
  }
};

template <class Row, class Offsets>
constexpr bool is_costly<rows_of_entries<Row, Offsets>> = true;

/// The rows of entries one after another: a row is found once, and then its end is seen.
template <class Row, class Offsets>
struct rows_in_order {
  rows_of_entries<Row, Offsets> rows;
  extent row;

  ONEPASS_FUNCTION Row operator()(extent entry)
  {
    while (row + 1 < rows.offsets.size && extent(rows.offsets(row + 1)) <= entry) ++row;
    return static_cast<Row>(row);
  }
};
template <class Row, class Offsets>
ONEPASS_FUNCTION rows_in_order<Row, Offsets> read_in_order(rows_of_entries<Row, Offsets> const& rows, extent first)
{
  return {rows, extent(rows(first))};
}

/// rows(k) = the row of the entry that a permutation has at k.
template <class Permutation, class Rows, class To>
struct gather_rows {
  Permutation permutation;
  Rows rows;
  To to;
  ONEPASS_FUNCTION void operator()(extent k) const { to(k) = rows(extent(permutation(k))); }
};

/// Whether offset i of rows is wrong: at first not 0, less than the one before it, or at last not that of entries.
template <class Offsets>
struct breaks_rows {
  Offsets offsets;
  extent entries;
  ONEPASS_FUNCTION bool operator()(extent i) const
  {
    auto const at = std::uint64_t(extent(offsets(i)));
    return (i == 0 && at != 0) || (i == offsets.size - 1 && at != std::uint64_t(entries))
           || (i > 0 && offsets(i) < offsets(i - 1));
  }
};

}  // namespace onepass::ONEPASS_ABI
