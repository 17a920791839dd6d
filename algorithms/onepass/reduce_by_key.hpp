// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/known_operators.hpp>
#include <onepass/programs/reduce_by_key.hpp>
#include <onepass/reduce.hpp>
#include <onepass/select.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup reductions_by_key Reductions by key
/// The values of every run of equal keys combined into one; runs are maximal stretches of keys that equal their
/// neighbours.
///
/// - `where`: an execution space instance, or a place (`on(exec).with(workspace).named("label")`)
/// - `keys`: a View of rank 1, a sequence, or `first(keys, count)`; equal keys need not be sorted, but must be adjacent
/// - `values`: a View of rank 1 or a sequence, with a value for each key
/// - `keys_out`, `sums`: Views of rank 1 for a key and a combination per run; values are combined in the item type of
///   `sums`. They may be too short: the rest is then not written
/// - `runs`: a View of rank 0, or a variable of the host, of an integral type, which receives the number of runs, even
///   if they do not all fit
/// - `op`: `op(older, newer)` must be associative; it need not be commutative or have an identity. Default: sums
/// - `equal`: `equal(key, next)`, once per item on single-pass schedules. Default: ==
///
/// Compile-time errors: memory that the space cannot reach, types that do not convert, outputs of rank 2 and an
/// operator that does not fit. Throws precondition_error, before anything is queued, if there are too few values or
/// memory is shared, except that keys_out may be keys where a function allows it.
///
/// Cost: one pass; keys and values are read once, and a key and a sum are written per run, however long the runs are.
///
/// Queued on the instance without a fence; waits only where the number of runs is a variable. Allocates nothing if the
/// place has a large enough workspace.
///
/// Source: in a single pass, Merrill & Garland 2016; see docs/references.md.
/// \{

namespace detail {

/// Under exactly(): sums that three doubles do not hold are made anew, for which the workspace knows where runs begin.
template <template <class...> class Program, class Where, class Keys, class Values, class KeysOut, class Sums,
          class Runs, class Equal>
void add_runs_exactly(Where const& where, Keys const& keys, item_count count, Values const& values,
                      KeysOut const& keys_out, Sums const& sums, Runs* runs, Equal const& equal)
{
  using numbers = located_numbers<Values>;
  using input   = zipped<Keys, numbers>;
  using base    = reduce_by_key_program<input, Equal, hold_located, located_sum, Runs, KeysOut, located_sums<Sums>>;
  using term    = exact_number<unchanged>;
  using open    = open_runs<Sums, Runs>;
  with_workspace(where, "reduce_by_key", [&](auto const& place, auto& scratch) {
    auto* const begins = scratch.template plain_of<extent>(std::min(sums.size, count.limit) + 1);
    base const all{{{}}, {keys, numbers{values}}, equal, runs, keys_out, {sums, begins}};
    onepass::run(place, Program<input, Equal, hold_located, located_sum, Runs, KeysOut, located_sums<Sums>>{all}, count,
                 "reduce_by_key");
    onepass::run(place.step(" (digits)"), make_sums_anew<Values, term, open>{values, {}, {sums, begins, runs, count}},
                 std::min(sums.size, count.limit), "");
  });
}

/// Runs reduce_by_key_program, or a program derived from it. `InPlace`: keys_out may be keys.
template <template <class...> class Program, bool InPlace, class Where, class Keys, class Values, class KeysOut,
          class Sums, class Runs, class Op, class Equal>
void reduce_runs(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out, Sums const& sums,
                 Runs const& runs, Op const& op, Equal equal)
{
  using exec  = space_of<Where>;
  using T     = item_t<Sums>;
  using known = known_operator_t<Op, T>;
  check_counted_input<exec, Keys>();
  check_input<exec, Values>();
  check_kept<item_t<Keys>>();
  check_kept<item_t<Values>>();
  check_count<exec, Runs>();
  check_operator<known, T>();
  auto const from_keys   = as_input(keys);
  auto const from_values = as_input(values);
  onepass::require_values("reduce_by_key", from_keys, from_values);
  auto to_keys              = checked_output<exec, item_t<Keys>>(keys_out);
  auto to_sums              = checked_output<exec, T>(sums);
  constexpr bool reads_once = on_host<exec> || !is_canonical<tuning_of<Where>>;  // devices may make trees in two passes
  if constexpr (InPlace && reads_once) {
    onepass::require_no_overlap("reduce_by_key", from_keys, to_keys);
    onepass::require_single_pass_in_place("reduce_by_key", where, from_keys, to_keys);
  } else onepass::require_disjoint("reduce_by_key", from_keys, to_keys);
  onepass::require_disjoint("reduce_by_key", to_sums, from_values, from_keys, to_keys);
  onepass::require_disjoint("reduce_by_key", from_values, to_keys);
  onepass::require_disjoint("reduce_by_key", held_count(keys), to_keys, to_sums);
  onepass::require_result_apart("reduce_by_key", runs, from_keys, held_count(keys), from_values, to_keys, to_sums);
  if constexpr (is_exact_place<Where>) {
    if constexpr (adds_floats_exactly<T, Op>())
      return add_runs_exactly<Program>(steps_of(where), from_keys, count_of(keys), from_values, to_keys, to_sums,
                                       runs.data(), equal);
    else return reduce_runs<Program, InPlace>(steps_of(where), keys, values, keys_out, sums, runs, op, equal);
  } else {
    using input = zipped<sequence_of<Keys>, sequence_of<Values>>;
    using base =
        reduce_by_key_program<input, Equal, known, T, typename Runs::value_type, decltype(to_keys), decltype(to_sums)>;
    base const all{{{known_operator<T>(op)}}, {from_keys, from_values}, equal, runs.data(), to_keys, to_sums};
    onepass::run(where,
                 Program<input, Equal, known, T, typename Runs::value_type, decltype(to_keys), decltype(to_sums)>{all},
                 count_of(keys), "reduce_by_key");
  }
}

}  // namespace detail

/// keys_out(k), sums(k) = the first key of the k-th run of equal keys, and its values combined. `keys_out` may be
/// `keys` itself on single-pass schedules, which `canonically(exec)` has for certain on hosts alone.
template <place_like Where, class Keys, class Values, class KeysOut, class Sums, class Runs, class Op = plus,
          class Equal = equal_to>
void reduce_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                   Sums const& sums, Runs&& runs, Op op = {}, Equal equal = {})
{
  onepass::with_result(where, std::forward<Runs>(runs), [&](auto const& at, auto const& to) {
    detail::reduce_runs<reduce_by_key_program, true>(at, keys, values, keys_out, sums, to, op, equal);
  });
}

/// Which key represents a run of keys that are equal by `equal` but may differ.
enum class run_key {
  first,  ///< the first key of the run
  last    ///< the last key of the run
};

/// reduce_by_key<run_key::last>(...): the same with the last key of every run in `keys_out`, which may not share memory
/// with `keys`: the last key of a run is read when the next run begins.
template <run_key Key, place_like Where, class Keys, class Values, class KeysOut, class Sums, class Runs,
          class Op = plus, class Equal = equal_to>
void reduce_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                   Sums const& sums, Runs&& runs, Op op = {}, Equal equal = {})
{
  onepass::with_result(where, std::forward<Runs>(runs), [&](auto const& at, auto const& to) {
    if constexpr (Key == run_key::first) onepass::reduce_by_key(at, keys, values, keys_out, sums, to, op, equal);
    else detail::reduce_runs<reduce_by_last_key_program, false>(at, keys, values, keys_out, sums, to, op, equal);
  });
}

/// \}

}  // namespace onepass::ONEPASS_ABI
