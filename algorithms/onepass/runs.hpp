// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/restart.hpp>
#include <onepass/programs/runs.hpp>
#include <onepass/scan.hpp>
#include <onepass/select.hpp>

namespace onepass {

// Runs: maximal stretches of items, or keys, that are equal to their neighbours. Arguments and contract as in
// select.hpp.

/// symbols(k), lengths(k) = the item and the length of the k-th run; `runs` receives their number.
/// `symbols` may be `in` itself.
template <where Where, class In, class Symbols, class Lengths, class Runs, class Equal = equal_to>
void run_length_encode(Where const& where, In const& in, Symbols const& symbols, Lengths const& lengths,
                       Runs const& runs, Equal equal = {})
{
  using exec = space_of<Where>;
  check_input<exec, In>();
  check_count<exec, Runs>();
  auto from       = as_input(in);
  auto to_symbols = detail::checked_output<exec, item_t<In>>(symbols);
  auto to_lengths = detail::checked_output<exec, extent>(lengths);
  require_no_overlap("run_length_encode", from, to_symbols);
  require_single_pass_in_place("run_length_encode", where, from, to_symbols);
  require_disjoint("run_length_encode", from, to_lengths);
  require_disjoint("run_length_encode", to_symbols, to_lengths);
  using program =
      run_length_program<decltype(from), Equal, typename Runs::value_type, decltype(to_symbols), decltype(to_lengths)>;
  run(where, program{from, equal, runs.data(), to_symbols, to_lengths}, count_of(in), "run_length_encode");
}

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

namespace detail {

template <scan_kind Kind, class Where, class Keys, class Values, class Out, class Op, class Init, class Equal>
void scan_by_key(char const* label, Where const& where, Keys const& keys, Values const& values, Out const& out, Op op,
                 Init const& init, Equal equal)
{
  using exec = space_of<Where>;
  using T    = item_t<Out>;
  check_input<exec, Keys>();
  check_input<exec, Values>();
  check_output<exec, Out, T>();
  check_operator<Op, T>();
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(Kind != scan_kind::exclusive || has_init || has_identity<Op, T>,
                "onepass: an exclusive scan with an operator that has no identity needs an init");
  auto const from_keys   = as_input(keys);
  auto const from_values = as_input(values);
  require_values(label, from_keys, from_values);
  auto to = as_sequence(out);
  require_room(label, from_keys, to);
  require_no_overlap(label, from_values, to);
  require_disjoint(label, from_keys, to);
  using input = zipped<sequence_of<Keys>, sequence_of<Values>>;
  using base  = scan_program<Kind, input, decltype(to), T, Op, second_of<T>>;
  base const all{{from_keys, from_values}, to, {op}, {}, given_init<T, exec>(init), has_init, nullptr};
  run(where, restarting_program<base, key_heads<Equal>, has_init>{all, {equal}}, count_of(keys), label);
}

}  // namespace detail

/// out(i) = init · the values before i that belong to the same run of keys. `out` may be `values` itself, but not
/// `keys`.
template <where Where, class Keys, class Values, class Out, class Op = plus, class Init = no_init,
          class Equal = equal_to>
void exclusive_scan_by_key(Where const& where, Keys const& keys, Values const& values, Out const& out, Op op = {},
                           Init const& init = {}, Equal equal = {})
{
  detail::scan_by_key<scan_kind::exclusive>("exclusive_scan_by_key", where, keys, values, out, op, init, equal);
}

/// out(i) = init · the values up to i that belong to the same run of keys. `out` may be `values` itself, but not
/// `keys`.
template <where Where, class Keys, class Values, class Out, class Op = plus, class Init = no_init,
          class Equal = equal_to>
void inclusive_scan_by_key(Where const& where, Keys const& keys, Values const& values, Out const& out, Op op = {},
                           Init const& init = {}, Equal equal = {})
{
  detail::scan_by_key<scan_kind::inclusive>("inclusive_scan_by_key", where, keys, values, out, op, init, equal);
}

}  // namespace onepass
