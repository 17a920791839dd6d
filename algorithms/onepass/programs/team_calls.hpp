// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/items/on_team.hpp>
#include <onepass/programs/team.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/scan.hpp>
#include <onepass/select.hpp>

namespace onepass::ONEPASS_ABI::detail {

// How the calls of a team become programs and sorts that the team runs, and what they ask of their arguments.

/// What in_team() may skip to find an aligned address.
inline constexpr std::size_t team_alignment = 16;

/// Memory for a good number of groups of any program whose items, accumulators and results are T, where others with
/// this alignment may take the place of an item.
template <class T>
constexpr std::size_t team_bytes(std::size_t align)
{
  using chunk         = team_chunk<scan_program<scan_kind::total_only, constant<T>, nothing, T, plus, unchanged>>;
  std::size_t const n = 4096 / (chunk::group * sizeof(T)), most = chunk::most_groups;
  std::size_t const slot = (sizeof(T) + align - 1) / align * align;
  return (n < 1      ? 1
          : n < most ? n
                     : most)
         * chunk::bytes_of_group(slot, sizeof(bool), std::max(sizeof(maybe<T>), sizeof(extent)));
}

/// Ends the program where a precondition fails.
ONEPASS_FUNCTION void require_in_team(bool holds, char const* otherwise)
{
  if (!holds) Kokkos::abort(otherwise);
}

/// At compile time: the items are a View of rank 1, or a sequence.
template <class In>
ONEPASS_FUNCTION constexpr void check_team_items()
{
  if constexpr (Kokkos::is_view_v<In>)
    static_assert(In::rank() == 1, "onepass: a team takes Views of rank 1; give it a subview");
  else static_assert(sequence<In>, "onepass: an input must be a View or a sequence (value_type, size, operator())");
}

/// At compile time: items of type T can be written.
template <class Out, class T>
ONEPASS_FUNCTION constexpr void check_team_output()
{
  static_assert(Kokkos::is_view_v<Out>, "onepass: an output must be a View");
  check_team_items<Out>();
  static_assert(!std::is_const_v<typename Out::value_type>, "onepass: an output must not be const");
  static_assert(std::is_convertible_v<T, typename Out::non_const_value_type>,
                "onepass: the results do not convert to the output's items");
}

/// The type of a total or a count: of a variable, or of what a View holds.
template <class Told>
struct told_type {
  using type = Told;
};
template <class Told>
  requires(Kokkos::is_view_v<Told>)
struct told_type<Told> {
  using type = typename Told::value_type;
};
template <class Told>
using told_t = typename told_type<std::remove_cvref_t<Told>>::type;

/// Tells every thread a value, or a View; then the team may go on.
template <class Team, class Told, class T>
ONEPASS_FUNCTION void tell_team(Team const& team, Told&& told, T const& value)
{
  using said = std::remove_cvref_t<Told>;
  if constexpr (Kokkos::is_view_v<said>) {
    static_assert(said::rank() == 0, "onepass: a single value must be a View of rank 0");
    if (team.rank() == 0) told() = static_cast<told_t<Told>>(value);
  } else if constexpr (!std::is_same_v<said, nothing>) {
    static_assert(!std::is_const_v<std::remove_reference_t<Told>>,
                  "onepass: a team's total or count is a variable that can be written, or a View of rank 0");
    told = static_cast<said>(value);
  }
  team.barrier();
}

/// Runs a program; returns the combination of initial() and all items.
template <class Team, class Program>
ONEPASS_FUNCTION auto run_in_team(Team const& team, Program const& program, extent n)
{
  int const groups = team_chunk<Program>::groups_in(team.bytes());
  require_in_team(groups > 0, "onepass: a team has less memory than the call takes; give in_team(), and the policy, "
                              "team_scratch_bytes<T>() for the items' type T");
  return run_on_team(program, team, n, groups);
}

template <class T, class Init>
ONEPASS_FUNCTION given<T> init_in_team(Init const& init)
{
  if constexpr (std::is_same_v<Init, no_init>) return {};
  else if constexpr (Kokkos::is_view_v<Init>) return {static_cast<T>(init()), nullptr};
  else {
    static_assert(std::is_convertible_v<Init, T>, "onepass: init does not convert to the accumulator");
    return {static_cast<T>(init), nullptr};
  }
}

/// A scan or a reduction of sequences.
template <scan_kind Kind, class T, class Team, class In, class Out, class F, class Op, class Init, class Total>
ONEPASS_FUNCTION void scan_in_team(Team const& team, In const& in, Out const& out, F const& f, Op const& op,
                                   Init const& init, Total&& total)
{
  using known = known_operator_t<Op, T>;
  check_operator<known, T>();
  constexpr bool has_init = !std::is_same_v<Init, no_init>;
  static_assert(Kind == scan_kind::inclusive || has_init || has_identity<known, T>,
                "onepass: an exclusive scan or a reduction with an operator that has no identity needs an init");
  static_assert(std::is_convertible_v<std::invoke_result_t<F const, typename In::value_type const&>, T>,
                "onepass: the transformed items do not convert to the accumulator");
  static_assert(std::is_same_v<std::remove_cvref_t<Total>, nothing> || std::is_same_v<told_t<Total>, T>,
                "onepass: the total must have the accumulator's type");
  if constexpr (!is_nothing<Out>)
    require_in_team(out.size >= in.size, "onepass: the output of a team's scan is shorter than its input");
  using items   = transformed_items<T, In, F>;
  using program = scan_program<Kind, items, Out, T, known, unchanged>;
  if constexpr (Kokkos::is_view_v<Init>) team.barrier();  // before it is read
  program const made{{in, f, in.size}, out, {known_operator<T>(op)}, {}, init_in_team<T>(init), has_init, nullptr};
  auto const all = detail::run_in_team(team, made, in.size);
  tell_team(team, total, program::algebra::value(all));
}

template <scan_kind Kind, class Accumulator, class Team, class In, class Out, class F, class Op, class Init,
          class Total>
ONEPASS_FUNCTION void scan_views_in_team(Team const& team, In const& in, Out const& out, F const& f, Op const& op,
                                         Init const& init, Total&& total)
{
  using T = accumulator_or<Accumulator, item_t<Out>>;
  check_team_items<In>();
  check_team_output<Out, T>();
  scan_in_team<Kind, T>(team, as_sequence(in), as_sequence(out), f, op, init, total);
}

template <scan_kind Kind, class Accumulator, class Team, class In, class Out, class Op, class Init, class Total>
ONEPASS_FUNCTION void scan_each_in_team(Team const& team, extent n, In const& in, Out const& out, Op const& op,
                                        Init const& init, Total&& total)
{
  static_assert(std::is_invocable_v<In const, extent>, "onepass: what makes items must be callable with a position");
  using T = accumulator_or<Accumulator, std::remove_cvref_t<std::invoke_result_t<In const, extent>>>;
  static_assert(std::is_invocable_v<Out const, extent, T const&>,
                "onepass: what uses results must be callable with a position and a result");
  extent const size = n > 0 ? n : 0;
  scan_in_team<Kind, T>(team, counting<extent>{0, size}, called_items<T, Out>{out, size}, in, op, init, total);
}

/// A selection of sequences.
template <class Team, class In, class Keep, class To, class Written, class Count>
ONEPASS_FUNCTION void select_in_team(Team const& team, In const& in, Keep const& keep, To const& to,
                                     Written const& written, Count&& count)
{
  static_assert(std::is_same_v<std::remove_cvref_t<Count>, nothing> || std::is_integral_v<told_t<Count>>,
                "onepass: a count must be an integer, or a View of rank 0 of an integral type");
  using column    = kept_column<To, Written>;
  using program   = select_program<In, Keep, extent, column>;
  auto const kept = detail::run_in_team(team, program{in, keep, nullptr, {column{to, written}, {}}}, in.size);
  tell_team(team, count, kept);
}

/// Items that a sort moves about.
template <class T>
constexpr bool is_sortable = std::is_trivially_copyable_v<T>&& std::is_default_constructible_v<T> && sizeof(T) <= 64
                             && alignof(T) <= 16;

/// A sort of sequences by an order; `nothing` stands for absent values.
template <class Team, class Keys, class Values, class KeysOut, class ValuesOut, class Less>
ONEPASS_FUNCTION void sort_in_team(Team const& team, Keys const& keys, Values const& values, KeysOut const& keys_out,
                                   ValuesOut const& values_out, Less const& less)
{
  using key             = typename Keys::value_type;
  using value           = typename Values::value_type;
  constexpr bool valued = !is_nothing<Values>;
  static_assert(
      std::is_same_v<typename KeysOut::value_type, key> && std::is_same_v<typename ValuesOut::value_type, value>,
      "onepass: a sorted output must have the type of its input");
  static_assert(is_sortable<key> && is_sortable<value>,
                "onepass: what is sorted must be trivially copyable and default constructible, and may have at most 64 "
                "bytes and an alignment of 16");
  bool room = keys_out.size >= keys.size;
  if constexpr (valued) room = room && values.size >= keys.size && values_out.size >= keys.size;
  require_in_team(room, "onepass: a team's sort has more keys than values, or than its outputs have room for");
  require_in_team(team_sort_memory<key, std::conditional_t<valued, value, nothing>>(keys.size).bytes <= team.bytes(),
                  "onepass: a team has less memory than its sort takes; give in_team(), and the policy, "
                  "team_sort_scratch_bytes<Key, Value>(most) for the most items of a sort");
  sort_on_team(team, cargo{keys, values}, cargo{keys_out, values_out}, less);
}

/// The order of keys by their codes.
template <class Key, class Decompose>
ONEPASS_FUNCTION code_order<Decompose> code_order_of(sort_order const& order, Decompose const& decompose)
{
  using code = std::remove_cvref_t<std::invoke_result_t<Decompose const, Key const&>>;
  static_assert(is_key_code<code>, "onepass: keys must be integers, bool, enumerations or floats, or a decomposer must "
                                   "turn them into key_parts of these");
  require_in_team(order.fits(key_bits<code>), "onepass: a team's sort is asked for bits that its keys do not have");
  return {decompose, order.begin_bit, order.end_of(key_bits<code>), order.descending};
}

}  // namespace onepass::ONEPASS_ABI::detail
