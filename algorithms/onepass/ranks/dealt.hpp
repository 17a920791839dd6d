// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/run_dealt.hpp>
#include <onepass/backends/run_told.hpp>
#include <onepass/ranks/programs/borders.hpp>
#include <onepass/ranks/programs/dealing.hpp>
#include <onepass/ranks/programs/payloads.hpp>
#include <onepass/ranks/scan.hpp>
#include <onepass/segmented.hpp>

namespace onepass::ONEPASS_ABI::ranks {

namespace detail {

template <bool Inclusive, class In, class Out, class Op>
using dealt_program = scan_program<Inclusive ? scan_kind::inclusive : scan_kind::exclusive, sequence_of<In>,
                                   decltype(as_sequence(std::declval<Out const&>())), item_t<Out>,
                                   known_operator_t<Op, item_t<Out>>, unchanged>;

/// The items of each run of this rank, combined. Waits.
template <class Carries, class T, class Where, class In>
std::vector<typename Carries::type> sums_of_runs(Where const& where, In const& in, dealing const& dealt, int rank,
                                                 Carries const& by)
{
  using sum         = typename Carries::type;
  extent const runs = dealt.runs_of(rank);
  std::vector<sum> sums(static_cast<std::size_t>(runs));
  if (runs == 0) return sums;
  lent_room<sum, space_of<Where>> const room(where, runs);
  run_bounds const bounds{dealt.run, in.size, runs + 1};
  if constexpr (Carries::complete) onepass::segmented_reduce(where, in, bounds, room.items(), by.by().op);
  else
    onepass::segmented_reduce(where, present_items<In, typename Carries::algebra>{in, in.size}, bounds, room.items(),
                              combine_present<typename Carries::algebra>{by.by()});
  Kokkos::deep_copy(where.space, unmanaged_items<sum, Kokkos::HostSpace>(sums.data(), sums.size()), room.items());
  where.space.fence("onepass::ranks: sums of runs are told");
  return sums;
}

/// A scan of each run by itself, where a call costs little.
template <bool Inclusive, class Where, class In, class Out, class Op, class Carries>
void scan_each_run(Where const& where, In const& in, Out const& out, extent run, Op const& op, Carries const& by,
                   typename Carries::type before, std::vector<typename Carries::type> const& sums,
                   std::vector<typename Carries::type> const& between)
{
  for (std::size_t k = 0; k < sums.size(); ++k) {
    extent const begin = extent(k) * run, end = std::min(in.size, begin + run);
    before = by.combine(before, between[k]);
    scan_behind<Inclusive, Carries>(before, where, part_of(in, begin, end - begin), behind(up_to(out, end), begin), op);
    before = by.combine(before, sums[k]);
  }
}

/// A scan of dealt items over any transport: sums of runs are told, and what lies between this rank's runs is combined
/// into items beside it, so that one scan goes over all of them. Hosts scan a run at a time.
template <bool Inclusive, class Where, class In, class Out, class Op, class Init>
item_t<Out> scan_runs(transport& all, Where const& where, In const& in, Out const& out, dealing const& dealt,
                      Op const& op, Init const& init)
{
  using T       = item_t<Out>;
  using carries = detail::carries<T, Op>;
  using bridged = bridged_items<Inclusive, In, T, typename carries::known>;
  carries const by(op);
  std::vector<extent> counts;
  for (int r = 0; r < dealt.ranks; ++r) counts.push_back(dealt.runs_of(r));
  auto const sums = told_lists<typename carries::type>(
      all, counts, [&] { return sums_of_runs<carries, T>(where, in, dealt, all.rank(), by); });
  auto const found = bridges_of(by, dealt, all.rank(), sums);
  auto const first = by.template first<Inclusive>(init);
  if (auto const runs = found.between.size(); runs > 0) {
    if constexpr (returns_finished<Where>) {
      constexpr extent few = 32;  // items that a bridge for each costs less than a call
      if (dealt.run >= few) {
        scan_each_run<Inclusive>(where, in, out, dealt.run, op, by, first, sums[std::size_t(all.rank())],
                                 found.between);
        return carries::value(by.combine(first, found.all));
      }
    }
    std::vector<T> values;
    for (auto const& each : found.between) values.push_back(carries::value(each));
    lent_room<T, space_of<Where>> const between(where, extent(runs));
    Kokkos::deep_copy(where.space, between.items(), unmanaged_items<T, Kokkos::HostSpace>(values.data(), runs));
    where.space.fence("onepass::ranks: what lies between runs is there");
    bridged const items{in, between.data(), by.by().op, dealt.run, extent(runs), in.size};
    scan_behind<Inclusive, carries>(by.combine(first, found.between[0]), where, items, out, op);
  }
  return carries::value(by.combine(first, found.all));
}

/// The same by one pass over the items of all ranks, each of which tells the others what its tiles are.
template <class Program, class Where, class Make>
auto scan_tiles(transport& all, Where const& where, dealing const& dealt, common_words const& words, Make const& make)
{
  using T     = typename Program::algebra::value_type;
  T through   = {};  // up to the last item here
  auto boards = words.of_rank;
  for (auto*& board : boards) board += words_of_values;
  if (extent const n = dealt.items_of(all.rank()); n > 0)
    onepass::with_result(where, through, [&](auto const& at, auto const& to) {
      run_dealt(at, make(to.data()), n, {boards, words.call, all.rank(), dealt.run}, "");
    });
  return told(all, [&] { return through; })[std::size_t(dealt.last())];
}

template <bool Inclusive, class Where, class In, class Out, class Op, class Init>
item_t<Out> scan_dealt(char const* label, transport& all, Where const& where, In const& in, Out const& out, extent run,
                       Op const& op, Init const& init)
{
  using T       = item_t<Out>;
  using carries = detail::carries<T, Op>;
  using program = dealt_program<Inclusive, In, Out, Op>;
  refuse_orders<Where, T>();
  static_assert(Inclusive || carries::complete || !std::is_same_v<Init, no_init>,
                "onepass: an exclusive scan with an operator that has no identity needs an init");
  static_assert(std::is_same_v<Init, no_init> || std::is_convertible_v<Init, T>,
                "onepass: over ranks an init is a value of the accumulator's type");
  check_input<space_of<Where>, In>();
  check_output<space_of<Where>, Out, T>();
  auto const here = on(where).or_named(label);
  auto const from = as_input(in);
  auto const make = [&](T* total) {
    return program{from,
                   as_sequence(out),
                   {known_operator<T>(op)},
                   {},
                   onepass::detail::given_init<T, space_of<Where>>(init),
                   !std::is_same_v<Init, no_init>,
                   total};
  };
  std::optional<ready_place<std::decay_t<decltype(here)>>> ready;
  auto const parts = told(all, [&] {
    require(run > 0, label, ": runs have ", run, " items; give one at least");
    require_scannable(label, in, out);
    bool const takes = takes_dealt(here, make(nullptr), run, all.size());
    if (takes) reserve_dealt(ready.emplace(here).at());
    return dealt_part{from.size, run, takes};
  });
  auto const dealt = dealing_of(label, parts);
  if (dealt.ranks == 1) {
    T total{};
    if constexpr (Inclusive) onepass::inclusive_scan<T>(here, in, out, op, init, total);
    else onepass::exclusive_scan<T>(here, in, out, op, init, total);
    return total;
  }
  if constexpr (constexpr extent tile = dealt_tile<program, Where>(); tile > 0)
    if (dealt.total > 0 && dealt.total / tile < most_dealt_tiles
        && std::all_of(parts.begin(), parts.end(), [](dealt_part const& p) { return p.takes; }))
      if (auto const words = all.share_words(words_of_values + dealt_words<program, Where>(dealt.total),
                                             residence_of<space_of<Where>>);
          !words.of_rank.empty())
        return scan_tiles<program>(all, ready->at(), dealt, words, make);
  return scan_runs<Inclusive>(all, here, from, out, dealt, op, init);
}

}  // namespace detail

/// \addtogroup ranks
/// \{

/// How many of `total` items lie on this rank, if they are dealt in runs of `run`: run k lies on rank k % p of p ranks,
/// behind the rank's runs before it. The last run may have fewer items.
inline extent dealt_items(transport const& all, extent total, extent run)
{
  require(total >= 0 && run > 0, "ranks::dealt_items: ", total, " items in runs of ", run,
          "; give runs of one item at least");
  return detail::dealing{total, run, all.size()}.items_of(all.rank());
}

/// A good number of items for the runs of a scan from `in` to `out`, the same on all ranks: about 1 MB of items, and
/// where GPUs of one host scan dealt items in one pass, a multiple of the tiles in which they do it.
template <place_like Where, class In, class Out>
extent dealt_run([[maybe_unused]] Where const& where, [[maybe_unused]] In const& in, [[maybe_unused]] Out const& out)
{
  constexpr extent tile = std::max<extent>(dealt_tile<detail::dealt_program<false, In, Out, plus>, Where>(), 1);
  constexpr extent most = (extent(1) << 20) / extent(std::max(sizeof(item_t<In>), sizeof(item_t<Out>)));
  return std::max<extent>(most / tile, 1) * tile;
}

/// Of items that are dealt: runs of `run` items go round the ranks, and each rank's View has its runs one behind
/// another; the very last run may have fewer items. In the order of the whole sequence,
/// out(i) = init · all items before in(i). Returns init · all items of all ranks. `out` may be `in`; init is a value.
///
/// Where all ranks are GPUs of one host that write each other's memory (ranks/peers.hpp), from sm_90 on, `run` is a
/// multiple of the tile that dealt_run() knows, and Views are contiguous and aligned to 16 bytes, it is one pass: n
/// items are read once and n results written, and each tile's sum goes to all GPUs. Elsewhere the sums of all runs are
/// told to all ranks, and n items are read twice.
///
/// Throws precondition_error on all ranks where a rank has another number of items than dealt_items().
template <place_like Where, class In, class Out, class Op = plus, class Init = no_init>
item_t<Out> exclusive_scan_dealt(transport& all, Where const& where, In const& in, Out const& out, extent run,
                                 Op op = {}, Init const& init = {})
{
  return detail::scan_dealt<false>("ranks::exclusive_scan_dealt", all, where, in, out, run, op, init);
}

/// The same up to and including each item: out(i) = init · all items before in(i) · in(i).
template <place_like Where, class In, class Out, class Op = plus, class Init = no_init>
item_t<Out> inclusive_scan_dealt(transport& all, Where const& where, In const& in, Out const& out, extent run,
                                 Op op = {}, Init const& init = {})
{
  return detail::scan_dealt<true>("ranks::inclusive_scan_dealt", all, where, in, out, run, op, init);
}

/// \}

}  // namespace onepass::ONEPASS_ABI::ranks
