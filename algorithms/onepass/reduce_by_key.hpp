// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/reduce_by_key.hpp>
#include <onepass/select.hpp>

namespace onepass {

// Reductions of runs: maximal stretches of keys that are equal to their neighbours. Arguments and contract as in
// select.hpp.

namespace detail {

/// reduce_by_key by a program that is, or extends, reduce_by_key_program. `InPlace`: it may write over its keys.
template <template <class...> class Program, bool InPlace, class Where, class Keys, class Values, class KeysOut,
          class Sums, class Runs, class Op, class Equal>
void reduce_runs(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out, Sums const& sums,
                 Runs const& runs, Op op, Equal equal)
{
  using exec = space_of<Where>;
  using T    = item_t<Sums>;
  check_input<exec, Keys>();
  check_input<exec, Values>();
  check_count<exec, Runs>();
  check_operator<Op, T>();
  auto const from_keys   = as_input(keys);
  auto const from_values = as_input(values);
  require_values("reduce_by_key", from_keys, from_values);
  auto to_keys = checked_output<exec, item_t<Keys>>(keys_out);
  auto to_sums = checked_output<exec, T>(sums);
  if constexpr (InPlace) {
    require_no_overlap("reduce_by_key", from_keys, to_keys);
    require_single_pass_in_place("reduce_by_key", where, from_keys, to_keys);
  } else require_disjoint("reduce_by_key", from_keys, to_keys);
  require_disjoint("reduce_by_key", from_values, to_keys);
  require_disjoint("reduce_by_key", from_values, to_sums);
  require_disjoint("reduce_by_key", from_keys, to_sums);
  require_disjoint("reduce_by_key", to_keys, to_sums);
  using input = zipped<sequence_of<Keys>, sequence_of<Values>>;
  using base =
      reduce_by_key_program<input, Equal, Op, T, typename Runs::value_type, decltype(to_keys), decltype(to_sums)>;
  base const all{{{op}}, {from_keys, from_values}, equal, runs.data(), to_keys, to_sums};
  run(where, Program<input, Equal, Op, T, typename Runs::value_type, decltype(to_keys), decltype(to_sums)>{all},
      count_of(keys), "reduce_by_key");
}

}  // namespace detail

/// keys_out(k), sums(k) = the key of the k-th run of equal keys and the combination of its values, in the type of
/// `sums`. `keys_out` may be `keys` itself.
template <where Where, class Keys, class Values, class KeysOut, class Sums, class Runs, class Op = plus,
          class Equal = equal_to>
void reduce_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                   Sums const& sums, Runs const& runs, Op op = {}, Equal equal = {})
{
  detail::reduce_runs<reduce_by_key_program, true>(where, keys, values, keys_out, sums, runs, op, equal);
}

/// Which key of a run of keys that `equal` takes for equal.
enum class run_key { first, last };

/// reduce_by_key<run_key::last>(...): as reduce_by_key, with the last key of every run in keys_out. In place of the
/// keys it can not be: the last key is read when the next run begins.
template <run_key Key, where Where, class Keys, class Values, class KeysOut, class Sums, class Runs, class Op = plus,
          class Equal = equal_to>
void reduce_by_key(Where const& where, Keys const& keys, Values const& values, KeysOut const& keys_out,
                   Sums const& sums, Runs const& runs, Op op = {}, Equal equal = {})
{
  if constexpr (Key == run_key::first) reduce_by_key(where, keys, values, keys_out, sums, runs, op, equal);
  else detail::reduce_runs<reduce_by_last_key_program, false>(where, keys, values, keys_out, sums, runs, op, equal);
}

}  // namespace onepass
