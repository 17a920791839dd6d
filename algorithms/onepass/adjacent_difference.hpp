// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_ranges.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/adjacent_difference.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup differences Adjacent differences
/// The differences between neighbouring items: the inverse of an inclusive sum.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, a sequence, or `first(items, count)` with a size known only on the device
/// - `out`: a View of rank 1, at least as long as `in`. It may be `in` itself, on every schedule, and may not overlap
///   it in any other way
/// - `op`: `op(item, previous)`, called once per item except the first; its result and the first item convert to the
///   items of `out`. Default: differences, which wrap
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, an
/// operator that does not fit, inputs and outputs of rank 2, and items that are not trivially copyable or have more
/// than 56 bytes. Throws precondition_error, before anything is queued, if `out` is too short, overlaps `in`, or
/// has the number of items in it.
///
/// Cost: one pass; n items are read once and n results written once. Two-pass schedules read the items twice. On
/// devices items that are not replaced are read a second time, from a cache, and no tile waits for another.
///
/// Queued on the instance without a fence. Allocates nothing if the place has a large enough workspace.
///
/// Source: the library's own, docs/decisions/0035-queries.md.
/// \{

/// out(0) = in(0), out(i) = op(in(i), in(i-1)).
template <place_like Where, class In, class Out, class Op = minus>
void adjacent_difference(Where const& where, In const& in, Out const& out, Op op = {})
{
  using exec = space_of<Where>;
  using item = item_t<In>;
  check_counted_input<exec, In>();
  check_kept<item>();
  static_assert(std::is_invocable_v<Op const, item const&, item const&>,
                "onepass: the operator must be callable as op(item, previous)");
  check_output<exec, Out, item>();
  check_output<exec, Out, std::invoke_result_t<Op const, item const&, item const&>>();
  static_assert(item_rank<In> == 1 && Out::rank() == 1, "onepass: adjacent_difference takes and gives Views of rank 1");
  static_assert(std::is_trivially_copyable_v<item> && sizeof(maybe<item>) <= 64,
                "onepass: the items must be trivially copyable and may have at most 56 bytes");
  auto const from = as_input(in);
  auto const to   = as_sequence(out);
  onepass::require_room("adjacent_difference", from, to);
  onepass::require_no_overlap("adjacent_difference", from, to);
  onepass::require_disjoint("adjacent_difference", held_count(in), to);
  using program = differences_program<sequence_of<In>, decltype(as_sequence(out)), Op>;
  program const differences{from, to, op};
  if constexpr (!on_host<exec>)
    if (subtracts_apart(from, to))
      return onepass::run(where, differences_apart<program>{differences, count_of(in)}, from.size,
                          "adjacent_difference");
  onepass::run(where, differences, count_of(in), "adjacent_difference");
}

/// \}

}  // namespace onepass::ONEPASS_ABI
