// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/programs/run_columns.hpp>
#include <onepass/runs.hpp>

#include <tuple>

namespace onepass {

// More about runs: keys of several columns, runs longer than 1 alone, the last key instead of the first. Arguments and
// contract as in select.hpp.

/// Views of one length each, side by side: item i is item i of each. Input or output of the algorithms below.
template <class... Views>
struct together {
  static_assert((Kokkos::is_view_v<Views> && ...), "onepass: columns must be Views");
  static_assert(((Views::rank() == 1) && ...), "onepass: columns must be Views of rank 1");
  std::tuple<Views...> views;
};
template <class... Views>
together<Views...> columns(Views const&... views)
{
  return {{views...}};
}

namespace detail {

/// The columns of an input as one sequence of rows; all as long as the first.
template <class Exec, class... In>
auto rows_in(char const* operation, together<In...> const& in)
{
  (check_input<Exec, In>(), ...);
  return std::apply(
      [&](auto const& first, auto const&... rest) {
        (require(rest.extent(0) == first.extent(0), operation, ": columns of ", first.extent(0), " and ",
                 rest.extent(0), " items; give columns of one length"),
         ...);
        return make_rows(as_input(first), as_input(rest)...);
      },
      in.views);
}

/// Column c of the output may be column c of the input, and nothing else.
template <class Where, class... In, class... Out>
void require_columns_fit(char const* operation, Where const& where, together<In...> const& in,
                         together<Out...> const& out)
{
  auto const against = [&]<std::size_t I>(std::integral_constant<std::size_t, I>) {
    auto const to = as_sequence(std::get<I>(out.views));
    [&]<std::size_t... J>(std::index_sequence<J...>)
    {
      auto const one = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
        auto const from = as_input(std::get<K>(in.views));
        if constexpr (K == I) {
          require_no_overlap(operation, from, to);
          require_single_pass_in_place(operation, where, from, to);
        } else {
          require_disjoint(operation, from, to);
          require_disjoint(operation, as_sequence(std::get<K>(out.views)), to);
        }
      };
      (one(std::integral_constant<std::size_t, J>{}), ...);
    }
    (std::index_sequence_for<In...>{});
  };
  [&]<std::size_t... I>(std::index_sequence<I...>) { (against(std::integral_constant<std::size_t, I>{}), ...); }
  (std::index_sequence_for<Out...>{});
}

}  // namespace detail

/// unique of rows: the columns of `out` receive the first row of every run of equal rows. Column by column, `out` may
/// be `in`.
template <where Where, class... In, class... Out, class Count, class Equal = equal_to>
void unique(Where const& where, together<In...> const& in, together<Out...> const& out, Count const& count,
            Equal equal = {})
{
  static_assert(sizeof...(In) == sizeof...(Out), "onepass: there must be as many columns out as in");
  using exec = space_of<Where>;
  check_count<exec, Count>();
  auto const from = detail::rows_in<exec>("unique", in);
  detail::require_columns_fit("unique", where, in, out);
  [&]<std::size_t... C>(std::index_sequence<C...>)
  {
    detail::select("unique", where, from, keep_heads<Equal>{equal}, count,
                   kept_column<decltype(as_sequence(std::get<C>(out.views))), write_part<int(C)>>{
                       detail::checked_output<exec, item_t<In>>(std::get<C>(out.views)), {}}...);
  }
  (std::index_sequence_for<In...>{});
}

/// run_length_encode of rows: the columns of `symbols` and lengths(k) describe the k-th run of equal rows. Column by
/// column, `symbols` may be `in`.
template <where Where, class... In, class... Symbols, class Lengths, class Runs, class Equal = equal_to>
void run_length_encode(Where const& where, together<In...> const& in, together<Symbols...> const& symbols,
                       Lengths const& lengths, Runs const& runs, Equal equal = {})
{
  static_assert(sizeof...(In) == sizeof...(Symbols), "onepass: there must be as many columns out as in");
  using exec = space_of<Where>;
  check_count<exec, Runs>();
  auto const from       = detail::rows_in<exec>("run_length_encode", in);
  auto const to_lengths = detail::checked_output<exec, extent>(lengths);
  detail::require_columns_fit("run_length_encode", where, in, symbols);
  std::apply([&](auto const&... all) { (require_disjoint("run_length_encode", as_sequence(all), to_lengths), ...); },
             symbols.views);
  std::apply([&](auto const&... all) { (require_disjoint("run_length_encode", as_input(all), to_lengths), ...); },
             in.views);
  std::apply(
      [&](auto const&... out) {
        using program =
            run_length_rows_program<std::remove_const_t<decltype(from)>, Equal, typename Runs::value_type,
                                    std::remove_const_t<decltype(to_lengths)>, decltype(as_sequence(out))...>;
        run(where,
            program{{from, equal, runs.data(), {}, to_lengths},
                    make_columns(detail::checked_output<exec, item_t<In>>(out)...)},
            item_count{from.size}, "run_length_encode");
      },
      symbols.views);
}

/// offsets(k), lengths(k) = where the k-th run of more than one item begins, and how long it is; `runs` receives their
/// number. `equal` is asked at most twice an item.
template <where Where, class In, class Offsets, class Lengths, class Runs, class Equal = equal_to>
void non_trivial_runs(Where const& where, In const& in, Offsets const& offsets, Lengths const& lengths,
                      Runs const& runs, Equal equal = {})
{
  using exec = space_of<Where>;
  check_input<exec, In>();
  check_count<exec, Runs>();
  auto const from       = as_input(in);
  auto const to_offsets = detail::checked_output<exec, extent>(offsets);
  auto const to_lengths = detail::checked_output<exec, extent>(lengths);
  require_disjoint("non_trivial_runs", from, to_offsets);
  require_disjoint("non_trivial_runs", from, to_lengths);
  require_disjoint("non_trivial_runs", to_offsets, to_lengths);
  using program = long_runs_program<decltype(as_input(in)), Equal, typename Runs::value_type,
                                    decltype(as_sequence(offsets)), decltype(as_sequence(lengths))>;
  run(where, program{from, equal, runs.data(), to_offsets, to_lengths}, count_of(in), "non_trivial_runs");
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
