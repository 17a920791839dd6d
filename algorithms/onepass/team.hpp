// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/each.hpp>
#include <onepass/merge_sort.hpp>
#include <onepass/programs/team_calls.hpp>
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
