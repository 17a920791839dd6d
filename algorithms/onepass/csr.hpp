// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_sum.hpp>
#include <onepass/programs/csr.hpp>
#include <onepass/scan.hpp>
#include <onepass/sort_by_cell.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup csr Compressed rows
/// Offsets of rows, as compressed sparse row (CSR) matrices and graphs have them: the entries of row r are those from
/// offsets(r) to offsets(r + 1) - 1. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - inputs: Views of rank 1, or sequences, of integers that are not negative
/// - outputs: Views of rank 1 of integral types that can represent what is written
///
/// Compile-time errors: memory that the space cannot reach, items that are not integers, and Views of rank 2. Throws
/// precondition_error, before anything is queued, if an output is too short or too narrow, or memory is shared.
///
/// Values that can not be right give meaningless results, but nothing is written outside the outputs;
/// `on(exec).checked()` looks at them first, waits for the result, and throws precondition_error.
///
/// Queued on the instance without a fence, unless it is said otherwise. Allocates nothing if the place has a large
/// enough workspace.
/// \{

namespace detail {

template <class Items>
constexpr void check_numbers()
{
  static_assert(item_rank<Items> == 1, "onepass: offsets are made of, and used with, Views of rank 1 or sequences");
  static_assert(std::is_integral_v<item_t<Items>>, "onepass: counts, ids, columns and offsets must be integers");
}

template <class Where, class Counts, class Offsets>
void require_total(Where const& where, Counts const& counts, Offsets const&)
{
  using offset            = typename Offsets::value_type;
  char const* const label = "counts_to_offsets";
  if (!is_checked(where)) return;
  if constexpr (std::is_signed_v<typename Counts::value_type>)
    detail::require_on_device(label, where, "count", counts.size, is_negative<Counts>{counts},
                              "is negative; give how many entries each row has");
  auto const total = saturated_sum(where, counts.size, counts, std::string(label) + " (checked)");
  auto const most  = std::uint64_t(Kokkos::Experimental::finite_max_v<offset>);
  require(total <= most, label, ": the total of ", counts.size, " counts is ", total,
          total == ~std::uint64_t(0) ? " or more" : "", ", and the type of the offsets holds ", most,
          " at most; give wider offsets");
}

template <class Where, class Counts, class Offsets>
auto* queue_offsets(Where const& where, Counts const& counts, Offsets const& offsets)
{
  using exec   = space_of<Where>;
  using offset = item_t<Offsets>;
  check_input<exec, Counts>();
  check_numbers<Counts>();
  char const* const label = "counts_to_offsets";
  auto const from         = as_input(counts);
  auto const to           = offsets_output<exec>(label, offsets, 0);
  require(to.size > from.size, label, ": there are ", to.size, " offsets for ", from.size, " counts; give at least ",
          from.size + 1);
  offset* const last = &to(from.size);
  onepass::require_no_overlap(label, from, to);
  onepass::require_disjoint(label, from, contiguous<offset>{last, 1});
  require_total(where, from, to);
  onepass::run(
      where,
      scan_program<scan_kind::exclusive, sequence_of<Counts>, decltype(as_sequence(offsets)), offset, plus, unchanged>{
          from, to, {}, {}, {}, false, last},
      item_count{extent(from.size)}, label);
  return last;
}

}  // namespace detail

/// offsets(r) = counts(0) + … + counts(r - 1) for each of n rows, and offsets(n) = the sum of all counts. `counts` may
/// be the first n items of `offsets`.
///
/// - `total`: a View of rank 0, or a variable of the host, of an integral type, which receives the sum too. Default:
///   none. The call waits only where it is a variable
///
/// `on(exec).checked()` adds the counts up first, in 64 bits, and throws precondition_error if the type of the offsets
/// does not hold the sum, or a count is negative. Without it, sums wrap.
///
/// Cost: one pass; n counts are read once and n + 1 offsets written once.
///
/// Source: Merrill & Garland 2016; see docs/references.md.
template <place_like Where, class Counts, class Offsets, class Total = nothing>
void counts_to_offsets(Where const& where, Counts const& counts, Offsets const& offsets, Total&& total = {})
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    using given = std::remove_cvref_t<decltype(to)>;
    if constexpr (!is_nothing<given>) {
      check_count<space_of<Where>, given>();
      onepass::require_result_apart("counts_to_offsets", to, as_input(counts), as_sequence(offsets));
    }
    auto* const last = detail::queue_offsets(at, counts, offsets);
    if constexpr (!is_nothing<given>) {
      onepass::run_each(on(at).or_named("counts_to_offsets").step(" (total)"),
                        copy_value<item_t<Offsets>, typename given::value_type>{last, to.data()}, 1, "");
    }
  });
}

/// offsets(r) = the first place of an id that is not below r, for each r from 0 to m, where there are m + 1 offsets: of
/// sorted ids from 0 to m - 1, those of row r begin there, and offsets(m) is their number. Rows without ids are empty.
///
/// - `ids`: sorted; the row of each entry; or `first(ids, count)` with a number known only on the device
///
/// `on(exec).checked()` throws precondition_error if an id is less than the one before it or m or more.
///
/// Cost: one kernel; each offset is found by log2(n) + 1 ids at most. Allocates nothing.
template <place_like Where, class Ids, class Offsets>
void offsets_from_sorted(Where const& where, Ids const& ids, Offsets const& offsets)
{
  using exec = space_of<Where>;
  check_counted_input<exec, Ids>();
  detail::check_numbers<Ids>();
  char const* const label = "offsets_from_sorted";
  auto const from         = as_input(ids);
  auto const to           = detail::offsets_output<exec>(label, offsets, from.size);
  onepass::require_disjoint(label, to, from, held_count(ids));
  detail::require_on_device(label, where, "id", from.size,
                            detail::is_wrong_offset<sequence_of<Ids>>{from, count_of(ids), to.size - 2},
                            "is less than the one before it, or none of the ", to.size - 1,
                            " that the offsets tell; give sorted ids, and one offset more than there are");
  detail::find_offsets(where, from, count_of(ids), to, label);
}

/// The graph with rows and columns exchanged: out_rows = the rows of the entries of column 0, then of column 1, and so
/// on, of each column in the order of the entries; out_offsets(c) = the first place of column c, and the last of them
/// is the number of entries. permutation(k), if it is given, = where the k-th of them was: by it, apply_permutation()
/// moves the values of a matrix.
///
/// - `offsets`: of the rows: one more than there are rows; from 0, never decreasing, to the number of entries
/// - `columns`: of each entry
/// - `out_offsets`: one more than there are columns
/// - `out_rows`, `permutation`: one for each entry, at least
///
/// `on(exec).checked()` throws precondition_error if offsets or columns are others.
///
/// Cost: that of sort_by_cell() of the columns; rows are found among the offsets, by log2(rows) + 1 of these at most,
/// and kept in the workspace before they are sorted; host threads that count columns see them one after another.
///
/// Source: Gustavson 1978; see docs/references.md.
template <place_like Where, class Offsets, class Columns, class OutOffsets, class OutRows, class Permutation = nothing>
void transpose_graph(Where const& where, Offsets const& offsets, Columns const& columns, OutOffsets const& out_offsets,
                     OutRows const& out_rows, Permutation const& permutation = {})
{
  using exec = space_of<Where>;
  using row  = item_t<OutRows>;
  check_input<exec, Offsets>();
  detail::check_numbers<Offsets>();
  check_input<exec, Columns>();
  detail::check_numbers<Columns>();
  detail::check_numbers<OutRows>();
  check_output<exec, OutRows, extent>();
  char const* const label = "transpose_graph";
  auto const bounds       = as_input(offsets);
  auto const from         = as_input(columns);
  auto const to           = as_sequence(out_rows);
  auto const order        = as_sequence(permutation);
  extent const n          = from.size;
  auto const begins       = detail::offsets_output<exec>(label, out_offsets, n);
  require(bounds.size > 0, label, ": there are no offsets; give one more than there are rows");
  require(n == 0 || (bounds.size > 1 && begins.size > 1), label, ": there are ", n, " entries, ", bounds.size - 1,
          " rows and ", begins.size - 1, " columns; give one offset more than there are of each");
  onepass::require_room(label, from, to);
  detail::require_numbers<row>(label, bounds.size - 1, "rows");
  auto const apart = [&](auto const& out) { onepass::require_disjoint(label, out, bounds, from); };
  apart(begins);
  apart(to);
  onepass::require_disjoint(label, begins, to);
  detail::require_on_device(label, where, "offset", bounds.size, breaks_rows<sequence_of<Offsets>>{bounds, n},
                            "is wrong; give offsets that begin with 0, never decrease, and end with the number of "
                            "entries, ",
                            n);
  detail::require_cells(label, where, "column of entry", from, begins.size - 1);

  rows_of_entries<row, sequence_of<Offsets>> const rows{bounds, n};
  if constexpr (is_nothing<Permutation>) detail::order_by_cell(label, where, from, begins, rows, to);
  else {
    using index = item_t<Permutation>;
    check_output<exec, Permutation, extent>();
    static_assert(Permutation::rank() == 1 && std::is_integral_v<index>,
                  "onepass: a permutation must be a View of an integral type");
    onepass::require_room(label, from, order);
    detail::require_numbers<index>(label, n, "entries");
    apart(order);
    onepass::require_disjoint(label, order, begins, to);
    detail::order_by_cell(label, where, from, begins, counting<index>{0, n}, order);
    onepass::run_each(on(where).or_named(label).step(" (rows)"),
                      gather_rows<decltype(as_sequence(permutation)), rows_of_entries<row, sequence_of<Offsets>>,
                                  decltype(as_sequence(out_rows))>{order, rows, to},
                      n, "", few_short_calls);
  }
}

/// \}

}  // namespace onepass::ONEPASS_ABI
