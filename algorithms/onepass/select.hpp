// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/checks.hpp>
#include <onepass/programs/select.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup compaction Compaction
/// Writes selected items contiguously and in input order. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, a sequence, or `first(items, count)` with a size known only on the device
/// - `out`: a View of rank 1. On single-pass schedules it may be `in` itself; it may be too short: the rest is then not
///   written
/// - `count`: a View of rank 0, or a variable of the host, of an integral type, which receives how many items were
///   kept, even if they do not all fit. A View of onepass::extent can be the size of the next call's input, `first(out,
///   count)`
/// - `predicate`: item -> bool, called once per item, twice on two-pass schedules
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, items that are not default
/// constructible, outputs of rank 2, counts that are not integers and a predicate that does not fit. Throws
/// precondition_error, before anything is queued, if Views overlap without being the same, or `out` is `in` on a
/// two-pass schedule.
///
/// Cost: one pass; n items are read once and each kept item is written once.
///
/// Queued on the instance without a fence; waits only where the count is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: Billeter et al. 2009 for compaction in several passes; in a single pass and in place, Merrill & Garland
/// 2016; see docs/references.md.
/// \{

namespace detail {

template <class Exec, class In, class Keep, class Count, class... Columns>
auto program_of_selection(In const& in, Keep const& keep, Count* count, Columns const&... columns)
{
  return select_program<In, Keep, Count, Columns...>{in, keep, count, make_columns(columns...)};
}
/// Numbers that are flags as wide as their items, or wider, are read as these are, by tiles; but hosts read no items of
/// zeros, and pairs of few bytes more than a word lie badly in a tile.
template <class Exec, class T, class Flag, class Count, class Out>
  requires(!on_host<Exec> && std::is_scalar_v<Flag> && sizeof(Flag) >= sizeof(T))
auto program_of_selection(contiguous<T> const& in, keep_flagged<contiguous<Flag>> const& keep, Count* count,
                          kept_column<Out, write_item> const& out)
{
  return detail::program_of_selection<Exec>(zipped<contiguous<T>, contiguous<Flag>>{in, keep.flags, in.size},
                                            keep_by_second{}, count, kept_column<Out, write_first>{out.to, {}});
}

template <class... Columns, class Where, class In, class Keep, class Count>
void select(char const* label, Where const& where, In const& in, Keep const& keep, Count&& count,
            Columns const&... columns)
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_kept<item_t<In>>();
  onepass::with_result(where, std::forward<Count>(count), [&](auto const& at, auto const& to) {
    using counts = std::remove_cvref_t<decltype(to)>;
    check_count<exec, counts>();
    onepass::with_input(in, [&](auto from) {
      (onepass::require_no_overlap(label, from, columns.to), ...);
      onepass::require_disjoint(label, held_count(in), columns.to...);
      (onepass::require_single_pass_in_place(label, where, from, columns.to), ...);
      onepass::require_result_apart(label, to, from, held_count(in), columns.to...);
      onepass::run(at, detail::program_of_selection<exec>(from, keep, to.data(), columns...), count_of(in), label);
    });
  });
}

template <class Exec, class T, class Out>
auto checked_output(Out const& out)
{
  check_output<Exec, Out, T>();
  static_assert(Out::rank() == 1, "onepass: a compacted output must be a View of rank 1");
  return as_sequence(out);
}

}  // namespace detail

/// out = the items x with predicate(x).
template <place_like Where, class In, class Out, class Count, class Predicate>
void select_if(Where const& where, In const& in, Out const& out, Count&& count, Predicate predicate)
{
  check_predicate<Predicate, In>();
  auto to = detail::checked_output<space_of<Where>, item_t<In>>(out);
  detail::select("select_if", where, in, keep_if<Predicate>{predicate}, std::forward<Count>(count),
                 kept_column<decltype(as_sequence(out)), write_item>{to, {}});
}

/// out = the items in(i) whose flags(i) are not zero. `flags` is a View of rank 1 or a sequence with a flag for each
/// item, else precondition_error is thrown; each is read once. `out` may not share memory with `flags`. The look-ahead
/// schedule takes flags that are numbers as wide as their items, or wider, if both begin alike within 16 bytes.
template <place_like Where, class In, class Flags, class Out, class Count>
void select_flagged(Where const& where, In const& in, Flags const& flags, Out const& out, Count&& count)
{
  check_input<space_of<Where>, Flags>();
  auto const chosen = as_input(flags);
  require(chosen.size >= as_input(in).size, "select_flagged: there are ", chosen.size, " flags for ", as_input(in).size,
          " items; give one an item");
  auto to = detail::checked_output<space_of<Where>, item_t<In>>(out);
  onepass::require_disjoint("select_flagged", chosen, to);
  detail::select("select_flagged", where, in, keep_flagged<sequence_of<Flags>>{chosen}, std::forward<Count>(count),
                 kept_column<decltype(as_sequence(out)), write_item>{to, {}});
}

/// out = the positions i of the items with predicate(in(i)), counted from 0. onepass::extent converts to the item type
/// of `out`.
template <place_like Where, class In, class Out, class Count, class Predicate>
void select_indices(Where const& where, In const& in, Out const& out, Count&& count, Predicate predicate)
{
  check_predicate<Predicate, In>();
  auto to = detail::checked_output<space_of<Where>, extent>(out);
  detail::select("select_indices", where, in, keep_if<Predicate>{predicate}, std::forward<Count>(count),
                 kept_column<decltype(as_sequence(out)), write_position>{to, {}});
}

/// \}

}  // namespace onepass::ONEPASS_ABI
