// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/each.hpp>
#include <onepass/engine/items/on_team.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/programs/team.hpp>
#include <onepass/radix_sort.hpp>
#include <onepass/reduce.hpp>

namespace onepass::ONEPASS_ABI {

/// \defgroup in_team Inside a team of your own
/// Scans, reductions, selections and sorts by the threads of one team of your own Kokkos kernel, on every execution
/// space. They have the names and arguments of the calls from outside; a team stands where `where` stands:
///
///     constexpr auto bytes = onepass::team_scratch_bytes<float>();
///     auto policy          = Kokkos::TeamPolicy<>(exec, rows, 128);
///     policy.set_scratch_size(0, Kokkos::PerTeam(bytes));
///     Kokkos::parallel_for("rows", policy, KOKKOS_LAMBDA(member const& team) {
///       auto const here = onepass::in_team(team, bytes);                                    // once in a kernel
///       auto const row  = Kokkos::subview(matrix, team.league_rank(), Kokkos::ALL);
///       float sum;
///       onepass::inclusive_scan(here, row, row, onepass::plus{}, 0.f, sum);                 // as often as you like
///     });
///
/// Common to all of them:
///
/// - all threads of the team make the call, with the same arguments, outside nested parallel loops. It begins and ends
///   with a barrier of the team: what the team wrote before is read, and what the call writes all threads see
/// - inputs: Views of rank 1 (subviews, Views of scratch memory) of any strides, or sequences (`counting`, a struct of
///   your own with value_type, size and operator()); any number of items, however many threads there are
/// - outputs: Views of rank 1. They may be the input itself, where the call from outside allows it, but may not overlap
///   it in any other way
/// - totals and counts: a variable, which is written for every thread, or a View of rank 0
/// - `init`: a value, or a View of rank 0
/// - operators, accumulators, transforms, predicates and orders: as outside. User code runs once an item
/// - the team: 1 to 1024 threads; on CUDA its vector lanes work as further threads, on other devices a team has one
///
/// The results are those of the calls from outside. Floats have the same bits for every team and every space: how items
/// are combined depends on their number alone (and compilers must not fuse a product and a sum differently). A total
/// has the bits of reduce(); the last item of an inclusive scan may be rounded otherwise.
///
/// Compile-time errors: Views of other ranks, types that do not convert, operators and functions that do not fit. In
/// the kernel a precondition that fails ends the program, with a sentence, by Kokkos::abort: a team with less memory
/// than a call takes, an output that is too short, bits that keys do not have.
///
/// Cost: a scan reads each item once and writes each result once, with four barriers for every 1024 items of 4 bytes
/// (512 of 8); a reduction has three, a selection four. A sort of n items merges them log2(n / 4) times at most, each
/// time with one barrier, between the output and the team's memory; it is fastest where the output is in a team's
/// memory too. A lone thread of a host scans as a loop would. Nothing is allocated, and no other team is waited for.
///
/// Source: sums of threads by raking, Merrill & Grimshaw 2009; merges by their paths, Odeh et al. 2012; see
/// docs/references.md.
/// \{

/// A team of a kernel, and memory of it. Made by in_team().
template <class Member>
class team_place {
public:
  /// Whether it is likely to have a single thread, as teams of hosts have.
  static constexpr bool may_be_alone = on_host<typename Member::execution_space>;

  /// For in_team().
  ONEPASS_FUNCTION team_place(Member const& member, char* memory, std::size_t bytes)
      : member_(member)
      , memory_(memory)
      , bytes_(bytes)
  {}

  /// Of the calling thread, from 0 on.
  ONEPASS_FUNCTION int rank() const { return member_.team_rank() * vector_lanes() + vector_lane(); }
  /// How many threads work together.
  ONEPASS_FUNCTION int threads() const { return member_.team_size() * vector_lanes(); }
  /// Waits for all threads of the team.
  ONEPASS_FUNCTION void barrier() const { member_.team_barrier(); }
  /// Memory that the calls use, aligned to 16 bytes.
  ONEPASS_FUNCTION char* memory() const { return memory_; }
  /// Its size.
  ONEPASS_FUNCTION std::size_t bytes() const { return bytes_; }

private:
  Member const& member_;
  char* memory_;
  std::size_t bytes_;
};

/// Whether this is a team_place.
template <class Team>
constexpr bool is_team_place = false;
/// It is.
template <class Member>
constexpr bool is_team_place<team_place<Member>> = true;

/// A team, as in_team() makes it.
template <class Team>
concept team_like = is_team_place<Team>;

namespace detail {

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
constexpr bool is_sortable = std::is_trivially_copyable_v<T>&& std::is_default_constructible_v<T> && sizeof(T) <= 64;

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
                "bytes");
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

}  // namespace detail

/// Memory that scans, reductions and selections of items of these types by a team take, for set_scratch_size() and
/// in_team(): the accumulators' types, those of a scan's outputs, and of what is selected. Some kilobytes.
template <class... T>
  requires(sizeof...(T) > 0)
constexpr std::size_t team_scratch_bytes()
{
  return detail::team_alignment + std::max({detail::team_bytes<T>(std::max({alignof(T)...}))...});
}

/// Memory that sorts of up to `most` keys, and values if there are any, take: about that of the keys and values
/// themselves; level 1 has more of it than level 0. One place serves all calls if its memory is as much as any takes.
template <class Key, class Value = nothing>
constexpr std::size_t team_sort_scratch_bytes(extent most)
{
  return detail::team_alignment + team_sort_memory<Key, Value>(most).bytes;
}

/// The team of a kernel as a place. Takes `bytes` of the team's scratch memory of this level, which the policy has set
/// aside, so a kernel calls it once. All threads of the team call it. `member` must outlive what is returned.
template <class Member>
ONEPASS_FUNCTION team_place<Member> in_team(Member const& member, std::size_t bytes, int level = 0)
{
  std::size_t const usable = bytes > detail::team_alignment ? bytes - detail::team_alignment : 0;
  void* const memory       = member.team_scratch(level).get_shmem_aligned(usable, detail::team_alignment);
  detail::require_in_team(memory != nullptr, "onepass: in_team() takes more scratch memory of this level than the "
                                             "policy has set aside: set_scratch_size(level, PerTeam(bytes))");
  return {member, static_cast<char*>(memory), usable};
}

/// out(i) = init · in(0) · … · in(i-1), where a · b is op(a, b); out(0) = init, or the operator's identity.
template <class Accumulator = void, team_like Team, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
ONEPASS_FUNCTION void exclusive_scan(Team const& team, In const& in, Out const& out, Op op = {}, Init const& init = {},
                                     Total&& total = {})
{
  detail::scan_views_in_team<scan_kind::exclusive, Accumulator>(team, in, out, unchanged{}, op, init, total);
}

/// out(i) = init · in(0) · … · in(i). Without an init nothing precedes item 0.
template <class Accumulator = void, team_like Team, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
ONEPASS_FUNCTION void inclusive_scan(Team const& team, In const& in, Out const& out, Op op = {}, Init const& init = {},
                                     Total&& total = {})
{
  detail::scan_views_in_team<scan_kind::inclusive, Accumulator>(team, in, out, unchanged{}, op, init, total);
}

/// out(i) = init · f(in(0)) · … · f(in(i-1)).
template <class Accumulator = void, team_like Team, class In, class Out, class Transform, class Op = plus,
          class Init = no_init, class Total = nothing>
ONEPASS_FUNCTION void transform_exclusive_scan(Team const& team, In const& in, Out const& out, Transform f, Op op = {},
                                               Init const& init = {}, Total&& total = {})
{
  detail::scan_views_in_team<scan_kind::exclusive, Accumulator>(team, in, out, f, op, init, total);
}

/// out(i) = init · f(in(0)) · … · f(in(i)).
template <class Accumulator = void, team_like Team, class In, class Out, class Transform, class Op = plus,
          class Init = no_init, class Total = nothing>
ONEPASS_FUNCTION void transform_inclusive_scan(Team const& team, In const& in, Out const& out, Transform f, Op op = {},
                                               Init const& init = {}, Total&& total = {})
{
  detail::scan_views_in_team<scan_kind::inclusive, Accumulator>(team, in, out, f, op, init, total);
}

/// out(i, init · in(0) · … · in(i-1)) for each i in [0, n): functions in, functions out.
template <class Accumulator = void, team_like Team, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
ONEPASS_FUNCTION void scan_each(Team const& team, extent n, In const& in, Out const& out, Op op = {},
                                Init const& init = {}, Total&& total = {})
{
  detail::scan_each_in_team<scan_kind::exclusive, Accumulator>(team, n, in, out, op, init, total);
}

/// out(i, init · in(0) · … · in(i)) for each i in [0, n).
template <class Accumulator = void, team_like Team, class In, class Out, class Op = plus, class Init = no_init,
          class Total = nothing>
ONEPASS_FUNCTION void inclusive_scan_each(Team const& team, extent n, In const& in, Out const& out, Op op = {},
                                          Init const& init = {}, Total&& total = {})
{
  detail::scan_each_in_team<scan_kind::inclusive, Accumulator>(team, n, in, out, op, init, total);
}

/// total = init · f(in(0)) · … · f(in(n-1)), in the type of `total`.
template <team_like Team, class In, class Total, class Transform, class Op = plus, class Init = no_init>
ONEPASS_FUNCTION void transform_reduce(Team const& team, In const& in, Total&& total, Transform f, Op op = {},
                                       Init const& init = {})
{
  detail::check_team_items<In>();
  detail::scan_in_team<scan_kind::total_only, detail::told_t<Total>>(team, as_sequence(in), nothing{}, f, op, init,
                                                                     total);
}

/// total = init · in(0) · … · in(n-1), in the type of `total`.
template <team_like Team, class In, class Total, class Op = plus, class Init = no_init>
ONEPASS_FUNCTION void reduce(Team const& team, In const& in, Total&& total, Op op = {}, Init const& init = {})
{
  onepass::transform_reduce(team, in, total, unchanged{}, op, init);
}

/// out = the items x with predicate(x). `out` may be `in`, or too short: the rest is then not written.
template <team_like Team, class In, class Out, class Count, class Predicate>
ONEPASS_FUNCTION void select_if(Team const& team, In const& in, Out const& out, Count&& count, Predicate predicate)
{
  detail::check_team_items<In>();
  detail::check_team_output<Out, item_t<In>>();
  check_predicate<Predicate, In>();
  detail::select_in_team(team, as_sequence(in), keep_if<Predicate>{predicate}, as_sequence(out), write_item{}, count);
}

/// out = the items in(i) whose flags(i) are not zero. There is a flag for each item.
template <team_like Team, class In, class Flags, class Out, class Count>
ONEPASS_FUNCTION void select_flagged(Team const& team, In const& in, Flags const& flags, Out const& out, Count&& count)
{
  detail::check_team_items<In>();
  detail::check_team_items<Flags>();
  detail::check_team_output<Out, item_t<In>>();
  auto const chosen = as_sequence(flags);
  using keep        = keep_flagged<std::remove_const_t<decltype(chosen)>>;
  detail::select_in_team(team, as_sequence(in), keep{chosen}, as_sequence(out), write_item{}, count);
}

/// out = the positions i of the items with predicate(in(i)), counted from 0.
template <team_like Team, class In, class Out, class Count, class Predicate>
ONEPASS_FUNCTION void select_indices(Team const& team, In const& in, Out const& out, Count&& count, Predicate predicate)
{
  detail::check_team_items<In>();
  detail::check_team_output<Out, extent>();
  check_predicate<Predicate, In>();
  detail::select_in_team(team, as_sequence(in), keep_if<Predicate>{predicate}, as_sequence(out), write_position{},
                         count);
}

/// sink(i, k) for each i in [0, n) with predicate(i), where k is how many positions before i are kept.
template <team_like Team, class Predicate, class Sink, class Count = nothing>
ONEPASS_FUNCTION void select_each(Team const& team, extent n, Predicate const& predicate, Sink const& sink,
                                  Count&& count = {})
{
  extent const size = n > 0 ? n : 0;
  detail::select_in_team(team, asked_positions<Predicate>{predicate, size}, keep_said{}, sink_places<Sink>{sink, size},
                         write_position{}, count);
}

/// out = the items of `in` in the order of `less`, equal ones as they were. The two may be the same View.
template <team_like Team, class In, class Out, class Less = less>
requires Kokkos::is_view_v<Out> ONEPASS_FUNCTION void merge_sort(Team const& team, In const& in, Out const& out,
                                                                 Less less = {})
{
  detail::check_team_items<In>();
  detail::check_team_output<Out, item_t<In>>();
  check_comparator<Less, item_t<In>, item_t<In>>();
  detail::sort_in_team(team, as_sequence(in), nothing{}, as_sequence(out), nothing{}, less);
}

/// keys_out = the keys in the order of `less`, equal ones as they were; values_out = the value of each of these keys.
template <team_like Team, class Keys, class Values, class KeysOut, class ValuesOut, class Less = less>
ONEPASS_FUNCTION void merge_sort_by_key(Team const& team, Keys const& keys, Values const& values,
                                        KeysOut const& keys_out, ValuesOut const& values_out, Less less = {})
{
  detail::check_team_items<Keys>();
  detail::check_team_items<Values>();
  detail::check_team_output<KeysOut, item_t<Keys>>();
  detail::check_team_output<ValuesOut, item_t<Values>>();
  check_comparator<Less, item_t<Keys>, item_t<Keys>>();
  detail::sort_in_team(team, as_sequence(keys), as_sequence(values), as_sequence(keys_out), as_sequence(values_out),
                       less);
}

/// out = the keys of `in`, sorted by their codes; equal keys keep their order. The two may be the same View. A team
/// merges, by the order of the codes: the result is that of the call from outside.
template <team_like Team, class In, class Out, class Decompose = unchanged>
requires Kokkos::is_view_v<Out> ONEPASS_FUNCTION void radix_sort(Team const& team, In const& in, Out const& out,
                                                                 sort_order const& order    = {},
                                                                 Decompose const& decompose = {})
{
  onepass::merge_sort(team, in, out, detail::code_order_of<item_t<In>>(order, decompose));
}

/// Sorts the keys in place.
template <team_like Team, class Keys, class Decompose = unchanged>
ONEPASS_FUNCTION void radix_sort(Team const& team, Keys const& keys, sort_order const& order = {},
                                 Decompose const& decompose = {})
{
  onepass::radix_sort(team, keys, keys, order, decompose);
}

/// keys_out = the keys, sorted, equal keys in their order; values_out = the value of each of these keys.
template <team_like Team, class Keys, class Values, class KeysOut, class ValuesOut, class Decompose = unchanged>
requires Kokkos::is_view_v<KeysOut> && Kokkos::is_view_v<ValuesOut> ONEPASS_FUNCTION void
radix_sort_by_key(Team const& team, Keys const& keys, Values const& values, KeysOut const& keys_out,
                  ValuesOut const& values_out, sort_order const& order = {}, Decompose const& decompose = {})
{
  onepass::merge_sort_by_key(team, keys, values, keys_out, values_out,
                             detail::code_order_of<item_t<Keys>>(order, decompose));
}

/// Sorts the keys in place, and moves the values with them.
template <team_like Team, class Keys, class Values, class Decompose = unchanged>
ONEPASS_FUNCTION void radix_sort_by_key(Team const& team, Keys const& keys, Values const& values,
                                        sort_order const& order = {}, Decompose const& decompose = {})
{
  onepass::radix_sort_by_key(team, keys, values, keys, values, order, decompose);
}

/// \}

}  // namespace onepass::ONEPASS_ABI
