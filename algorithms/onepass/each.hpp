// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/each.hpp>
#include <onepass/scan.hpp>
#include <onepass/select.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup each Functions in, functions out
/// Scans and selections of n positions for which there are no arrays: one function says what a position contributes,
/// another does what it likes with the result, for example write to several arrays. Common to all of them:
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `n`: the number of positions, counted from 0; an integer
/// - user code runs in the execution space. It may run for some positions before other code has run for later ones, so
///   what one function reads the other must not write, but for the memory of the same position
///
/// Compile-time errors: functions that do not fit, values that are not trivially copyable or have more than 64 bytes,
/// memory that the space cannot reach, a total of another type and counts that are not integers.
///
/// Cost: one pass; what memory moves is what the functions read and write. Each function runs once a position; on
/// two-pass schedules, what makes items runs twice.
///
/// Queued on the instance without a fence; waits only where a total or count is a variable. Allocates nothing if the
/// place has a large enough workspace.
///
/// Source: in a single pass, Merrill & Garland 2016; see docs/references.md.
/// \{

namespace detail {

template <scan_kind Kind, class Accumulator, class Where, class In, class Out, class Op, class Init, class Total>
void scan_each(char const* label, Where const& where, extent n, In const& in, Out const& out, Op const& given,
               Init const& init, Total const& total)
{
  static_assert(std::is_invocable_v<In const, extent>, "onepass: what makes items must be callable with a position");
  using exec    = space_of<Where>;
  using T       = accumulator_or<Accumulator, std::remove_cvref_t<std::invoke_result_t<In const, extent>>>;
  auto const op = known_operator<T>(given);
  using known   = known_operator_t<Op, T>;
  static_assert(std::is_invocable_v<Out const, extent, T const&>,
                "onepass: what uses results must be callable with a position and a result");
  check_operator<known, T>();
  static_assert(!std::is_same_v<T, bool>, "onepass: items of scan_each may not be bool; give integers");
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(Kind != scan_kind::exclusive || has_init || has_identity<known, T>,
                "onepass: an exclusive scan with an operator that has no identity needs an init");
  using calls       = each_calls<Kind, T, known, In, Out>;
  extent const size = n > 0 ? n : 0;
  onepass::run(
      where,
      calls_program<calls>{{in, out, op, given_init<T, exec>(init), has_init}, size, total_address<T, exec>(total)},
      item_count{size}, label);
}

}  // namespace detail

/// out(i, init · in(0) · … · in(i-1)) for each i in [0, n), where a · b is op(a, b); of i = 0, init or the operator's
/// identity. Values are combined in the type that `in` gives, or in `Accumulator` if the call names one. `op`, `init`
/// and `total` are as in exclusive_scan().
template <class Accumulator = void, place_like Where, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
void scan_each(Where const& where, extent n, In const& in, Out const& out, Op op = {}, Init const& init = {},
               Total&& total = {})
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    detail::scan_each<scan_kind::exclusive, Accumulator>("scan_each", at, n, in, out, op, init, to);
  });
}

/// out(i, init · in(0) · … · in(i)) for each i in [0, n).
template <class Accumulator = void, place_like Where, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
void inclusive_scan_each(Where const& where, extent n, In const& in, Out const& out, Op op = {}, Init const& init = {},
                         Total&& total = {})
{
  onepass::with_result(where, std::forward<Total>(total), [&](auto const& at, auto const& to) {
    detail::scan_each<scan_kind::inclusive, Accumulator>("inclusive_scan_each", at, n, in, out, op, init, to);
  });
}

/// sink(i, k) for each i in [0, n) with predicate(i), where k is how many positions before i are kept. `count`, if it
/// is given, is a View of rank 0 or a variable of an integral type that receives how many are kept.
template <place_like Where, class Predicate, class Sink, class Count = nothing>
void select_each(Where const& where, extent n, Predicate const& predicate, Sink const& sink, Count&& count = {})
{
  static_assert(std::is_invocable_r_v<bool, Predicate const, extent>,
                "onepass: the predicate of select_each must be callable with a position and give a bool");
  static_assert(std::is_invocable_v<Sink const, extent, extent>,
                "onepass: the sink of select_each must be callable with a position and its place");
  extent const size = n > 0 ? n : 0;
  using column      = kept_column<sink_places<held_at<Where, Sink>>, write_position>;
  auto const queue  = [&](auto const& at, auto* kept) {
    using program =
        select_program<asked_positions<Predicate>, keep_said, std::remove_pointer_t<decltype(kept)>, column>;
    onepass::run(at, program{{predicate, size}, {}, kept, make_columns(column{{sink, size}, {}})}, item_count{size},
                  "select_each");
  };
  onepass::with_result(where, std::forward<Count>(count), [&](auto const& at, auto const& to) {
    using counts = std::remove_cvref_t<decltype(to)>;
    if constexpr (std::is_same_v<counts, nothing>) queue(at, static_cast<extent*>(nullptr));
    else {
      check_count<space_of<Where>, counts>();
      queue(at, to.data());
    }
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
