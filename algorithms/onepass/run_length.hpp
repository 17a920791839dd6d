// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_items.hpp>
#include <onepass/backends/run_ranges.hpp>
#include <onepass/programs/run_length_decode.hpp>
#include <onepass/programs/run_length_encode.hpp>
#include <onepass/select.hpp>
#include <onepass/zip.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup run_length Run lengths
/// Run-length encoding and decoding; runs are maximal stretches of equal adjacent items. Common to the functions that
/// find runs:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `in`: items: a View of rank 1, a sequence, or `first(items, count)` with a size known only on the device;
///   `zip(views...)` for rows
/// - `symbols`, `offsets`, `lengths`: Views of rank 1 that receive an item, a position or a length per run. They may be
///   too short: the rest is then not written
/// - `runs`: a View of rank 0, or a variable of the host, of an integral type, which receives the number of runs, even
///   if they do not all fit
/// - `equal`: `equal(item, next)`. Default: ==
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, items that are not default
/// constructible, outputs of rank 2 and counts that are not integers. Throws precondition_error, before anything is
/// queued, if memory is shared in another way than a function allows.
///
/// Cost: one pass; n items are read once, and two numbers are written per run: an item or a position, and a length.
///
/// Queued on the instance without a fence; waits only where a number is a variable. Allocates nothing if the place has
/// a large enough workspace.
///
/// Source: in a single pass and in place, Merrill & Garland 2016; see docs/references.md. The decoder is the library's
/// own, docs/decisions/0010-expansion.md.
/// \{

/// symbols(k), lengths(k) = the item and the length of the k-th run. `symbols` may be `in` itself on single-pass
/// schedules. `equal` is called once per item, twice on two-pass schedules.
template <place_like Where, class In, class Symbols, class Lengths, class Runs, class Equal = equal_to>
void run_length_encode(Where const& where, In const& in, Symbols const& symbols, Lengths const& lengths, Runs&& runs,
                       Equal equal = {})
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_kept<item_t<In>>();
  auto from       = as_input(in);
  auto to_symbols = detail::checked_output<exec, item_t<In>>(symbols);
  auto to_lengths = detail::checked_output<exec, extent>(lengths);
  onepass::require_no_overlap("run_length_encode", from, to_symbols);
  onepass::require_single_pass_in_place("run_length_encode", where, from, to_symbols);
  onepass::require_disjoint("run_length_encode", to_lengths, from, to_symbols);
  onepass::require_disjoint("run_length_encode", held_count(in), to_symbols, to_lengths);
  onepass::with_result(where, std::forward<Runs>(runs), [&](auto const& at, auto const& to) {
    using counts = std::remove_cvref_t<decltype(to)>;
    check_count<exec, counts>();
    onepass::require_result_apart("run_length_encode", to, from, held_count(in), to_symbols, to_lengths);
    using program = run_length_program<decltype(from), Equal, typename counts::value_type, decltype(to_symbols),
                                       decltype(to_lengths)>;
    onepass::run(at, program{from, equal, to.data(), to_symbols, to_lengths}, count_of(in), "run_length_encode");
  });
}

/// run_length_encode of rows: the columns of `symbols` and lengths(k) describe the k-th run of equal rows. `symbols`
/// has as many columns as `in`, each of which may be too short, or be that of `in`. Throws precondition_error if the
/// columns of `in` are not of one length.
template <place_like Where, class... In, class... Symbols, class Lengths, class Runs, class Equal = equal_to>
void run_length_encode(Where const& where, zipped_views<In...> const& in, zipped_views<Symbols...> const& symbols,
                       Lengths const& lengths, Runs&& runs, Equal equal = {})
{
  static_assert(sizeof...(In) == sizeof...(Symbols), "onepass: there must be as many columns out as in");
  using exec = space_of<Where>;
  auto from  = detail::rows_in<exec>("run_length_encode", in);
  (check_kept<item_t<In>>(), ...);
  auto to_lengths = detail::checked_output<exec, extent>(lengths);
  detail::require_columns_fit("run_length_encode", where, in, symbols);
  std::apply(
      [&](auto const&... all) { onepass::require_disjoint("run_length_encode", to_lengths, as_sequence(all)...); },
      symbols.views);
  std::apply([&](auto const&... all) { onepass::require_disjoint("run_length_encode", to_lengths, as_input(all)...); },
             in.views);
  onepass::with_result(where, std::forward<Runs>(runs), [&](auto const& at, auto const& to) {
    using counts = std::remove_cvref_t<decltype(to)>;
    check_count<exec, counts>();
    std::apply(
        [&](auto const&... all) {
          onepass::require_result_apart("run_length_encode", to, to_lengths, as_sequence(all)...);
        },
        symbols.views);
    std::apply([&](auto const&... all) { onepass::require_result_apart("run_length_encode", to, as_input(all)...); },
               in.views);
    std::apply(
        [&](auto const&... out) {
          using program =
              run_length_rows_program<std::remove_const_t<decltype(from)>, Equal, typename counts::value_type,
                                      std::remove_const_t<decltype(to_lengths)>, decltype(as_sequence(out))...>;
          onepass::run(at,
                       program{{from, equal, to.data(), {}, to_lengths},
                               make_columns(detail::checked_output<exec, item_t<In>>(out)...)},
                       item_count{extent(from.size)}, "run_length_encode");
        },
        symbols.views);
  });
}

/// offsets(k), lengths(k) = the first position and the length of the k-th run of more than one item; `runs` receives
/// the number of such runs. `equal` is called at most twice per item. Outputs share no memory with anything.
template <place_like Where, class In, class Offsets, class Lengths, class Runs, class Equal = equal_to>
void non_trivial_runs(Where const& where, In const& in, Offsets const& offsets, Lengths const& lengths, Runs&& runs,
                      Equal equal = {})
{
  using exec = space_of<Where>;
  check_counted_input<exec, In>();
  check_kept<item_t<In>>();
  auto from       = as_input(in);
  auto to_offsets = detail::checked_output<exec, extent>(offsets);
  auto to_lengths = detail::checked_output<exec, extent>(lengths);
  onepass::require_disjoint("non_trivial_runs", from, to_offsets, to_lengths);
  onepass::require_disjoint("non_trivial_runs", to_offsets, to_lengths);
  onepass::require_disjoint("non_trivial_runs", held_count(in), to_offsets, to_lengths);
  onepass::with_result(where, std::forward<Runs>(runs), [&](auto const& at, auto const& to) {
    using counts = std::remove_cvref_t<decltype(to)>;
    check_count<exec, counts>();
    onepass::require_result_apart("non_trivial_runs", to, from, held_count(in), to_offsets, to_lengths);
    using program = long_runs_program<sequence_of<In>, Equal, typename counts::value_type,
                                      decltype(as_sequence(offsets)), decltype(as_sequence(lengths))>;
    onepass::run(at, program{from, equal, to.data(), to_offsets, to_lengths}, count_of(in), "non_trivial_runs");
  });
}

namespace detail {

/// Adds up the lengths of groups of runs in a workspace, and then expands them: by two more steps, or by one whose
/// tiles add up these sums. They come by value: whoever takes few runs at once has them in registers, and a lambda that
/// refers to them would take that away.
template <class Where, class Symbols, class Lengths, class Out, class Count>
void expand_by_groups(Where const& where, expansion_of_runs<Symbols, Lengths, Out> all, Count* total)
{
  with_workspace(where, "run_length_decode", [&](auto const& place, auto& scratch) {
    using sums          = group_sums<Lengths>;
    using expand        = expansion<Symbols, Lengths, Out>;
    constexpr auto most = few_runs_for<on_host<space_of<Where>>, tuning_of<Where>>();
    extent const groups = div_up(all.count.limit, runs_of_group), tiles = range_tiles<expand>(place, all.out.size);
    auto* const sum = scratch.template plain_of<extent>(2 + groups + tiles);
    contiguous<extent> const begins{sum + 2, groups};  // aligned to 16 bytes
    onepass::run(place.step(" (sums)"), sums{all.lengths, all.count, begins}, groups, "");
    if constexpr (most.groups > 0)
      if (most.in_two_steps(groups, all.out.size)) {
        using add_up = expansion_of_few<Symbols, Lengths, Out, Count, runs_of_group, contiguous<extent>>;
        return onepass::run(place, add_up{all, begins, total}, all.out.size, "run_length_decode");
      }
    onepass::run(place.step(" (begins)"), group_begins<Count>{begins, sum, total}, item_count{groups}, "");
    onepass::run(place, expand{all, begins.data, sum, begins.data + groups}, all.out.size, "run_length_decode");
  });
}

template <class Where, class Symbols, class Lengths, class Out, class Total>
void run_length_decode(Where const& where, Symbols const& symbols, Lengths const& lengths, Out const& out,
                       Total const& total)
{
  using exec = space_of<Where>;
  check_counted_input<exec, Symbols>();
  check_input<exec, Lengths>();
  check_output<exec, Out, item_t<Symbols>>();
  check_count<exec, Total>();
  static_assert(Out::rank() == 1, "onepass: expanded runs need a View of rank 1");
  static_assert(std::is_integral_v<item_t<Lengths>>, "onepass: the lengths of runs must be integers");
  auto from     = as_input(symbols);
  auto how_long = as_input(lengths);
  auto to       = as_sequence(out);
  auto count    = count_of(symbols);
  require(how_long.size >= count.limit, "run_length_decode: there are ", how_long.size, " lengths for ", count.limit,
          " symbols; give one a symbol");
  onepass::require_disjoint("run_length_decode", to, from, how_long, held_count(symbols));
  onepass::require_result_apart("run_length_decode", total, from, held_count(symbols), how_long, to);

  using lengths_type  = decltype(as_input(lengths));
  constexpr auto most = few_runs_for<on_host<exec>, tuning_of<Where>>();
  using few           = expansion_of_few<decltype(as_input(symbols)), lengths_type, decltype(as_sequence(out)),
                               typename Total::value_type>;
  typename few::base all{from, how_long, count, to};
  // What one thread writes at once it writes in one step, however many runs there are.
  constexpr bool by_threads = returns_finished<Where> && !(is_tiny<tuning_of<Where>>);
  bool const alone =
      by_threads && to.size > 0 && to.size <= few::alone_at_a_time && count.limit <= few::base::alone_at_a_time;
  if (alone || most.in_one_step(count.limit, to.size))
    return onepass::run(where, few{all, how_long, total.data()}, to.size, "run_length_decode");
  expand_by_groups(where, all, total.data());
}

}  // namespace detail

/// Expands runs: out = symbols(0) lengths(0) times, symbols(1) lengths(1) times, and so on; the inverse of
/// run_length_encode().
///
/// - `symbols`: a View of rank 1, a sequence (`counting` gives positions), or `first(symbols, runs)` with a number of
///   runs known only on the device
/// - `lengths`: integers, at least one per symbol; runs of length 0 are allowed, negative lengths count as 0
/// - `out`: a View of rank 1 that shares no memory with the others; it may be shorter than the sum of the lengths: the
///   rest is then not written
/// - `total`: a View of rank 0, or a variable, of an integral type: the sum of all lengths, even if it exceeds the
///   length of `out`; sums and lengths above 2^63 - 1 count as that
///
/// Errors: throws precondition_error, before anything is queued, if there are too few lengths or memory is shared.
///
/// Cost: on devices four kernels, two for some 10^5 runs, a single one for some thousand, fewer the more items there
/// are; on hosts three steps, or one for up to 2048 runs and as many items that their product is 2^29, or for what one
/// thread writes. Lengths are read twice, symbols once, and the output is written once. The cost depends on the length
/// of the output only, not on the lengths of the runs. Positions have 64 bits. Uses 1/8 byte of workspace per run, and
/// on devices 8 bytes per tile.
template <place_like Where, class Symbols, class Lengths, class Out, class Total>
void run_length_decode(Where const& where, Symbols const& symbols, Lengths const& lengths, Out const& out,
                       Total&& total)
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    detail::run_length_decode(at, symbols, lengths, out, to);
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
