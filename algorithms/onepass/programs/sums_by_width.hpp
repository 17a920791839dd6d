// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/width_tuning.hpp>
#include <onepass/programs/segmented_reduce.hpp>

namespace onepass::ONEPASS_ABI {

/// Sums of segments that are each written when they are there.
template <class In, class Offsets, class Out, class Op, class T>
struct sums_one_by_one : sums_of_segments<In, Offsets, Out, Op, T> {
protected:
  using base = sums_of_segments<In, Offsets, Out, Op, T>;
  using base::in, base::all, base::beginning, base::finished;

  struct stretch {
    extent begin, end;
    ONEPASS_FUNCTION extent items() const { return end > begin ? end - begin : 0; }
  };
  ONEPASS_FUNCTION extent within(extent x) const { return x < 0 ? 0 : x < in.size ? x : in.size; }
  ONEPASS_FUNCTION stretch bounds(extent s) const
  {
    return {within(extent(all.offsets(s))), within(extent(all.offsets(s + 1)))};
  }
  ONEPASS_FUNCTION void finish(extent s, typename base::partial const& x) const
  {
    base::write(s, finished(x, beginning()));
  }
};

/// Sums of segments straight from memory, by teams of warps: each is taken by a thread, if these take them, or by some
/// lanes of a warp, by a warp or by the team, as the mean length suggests, and those that are too long for that by the
/// next in this order.
///
/// Source: a thread, a warp or a team a segment, Merrill & Garland 2016b; see docs/references.md.
template <class In, class Offsets, class Out, class Op, class T, bool Threads>
struct sums_by_width : sums_one_by_one<In, Offsets, Out, Op, T> {
  using base    = sums_one_by_one<In, Offsets, Out, Op, T>;
  using item    = typename base::item;
  using algebra = typename base::algebra;
  using partial = typename base::partial;
  using base::in, base::all, base::sum;

  /// Whether threads take segments from a team's stage: what they load of small items are mostly others' bytes.
  static constexpr bool stages = Threads && sizeof(item) <= 2;

  width_tuning numbers;
  segment_width width;

protected:
  using base::bounds, base::finish;
  using stretch = typename base::stretch;

  static constexpr int packs      = Threads ? 2 : 4;  ///< that a lane has on their way
  static constexpr int most_warps = 32;

  /// What a team has in its stage: sums of its warps, and the segments that the first who looked left to others.
  struct memory {
    partial* sums;
    int* listed;  ///< how many
    std::uint16_t* list;

    ONEPASS_FUNCTION explicit memory(char* stage)
        : sums(reinterpret_cast<partial*>(stage))
        , listed(reinterpret_cast<int*>(stage + most_warps * sizeof(partial)))
        , list(reinterpret_cast<std::uint16_t*>(listed + 1))
    {}
    ONEPASS_FUNCTION static constexpr std::size_t bytes(extent segments)
    {
      return most_warps * sizeof(partial) + sizeof(int) + std::size_t(segments) * sizeof(std::uint16_t);
    }
  };

  /// Segments [first, first + count), of which `mine` says yes; it tells all threads the same.
  template <class Team, class Mine>
  ONEPASS_FUNCTION void take(Team const& team, extent first, int count, Mine const& mine) const requires(!Threads)
  {
    if (width == segment_width::team) return each_by_team(team, first, count, mine);
    begin_list(team);
    team.barrier();
    if (width == segment_width::part) each(team, team.part(), first, count, mine);
    else each(team, team.warp(), first, count, mine);
    take_listed(team, first, [](stretch const&) { return true; });
  }

  /// Of these segments, by threads, all that are short, if `all_short`, and of the others those of which `mine` says
  /// yes. Nothing is asked of memory before offsets are, and lines that neighbours have are in the cache.
  template <class Team, class Mine>
  ONEPASS_FUNCTION void take(Team const& team, extent first, int count, bool all_short, Mine const& mine) const
      requires(Threads)
  {
    int k = team.rank();
    begin_list(team);
    auto next = k < count ? bounds(first + k) : stretch{};
    team.barrier();
    for (; k < count; k += Team::threads) {
      auto const here = next;
      if (k + Team::threads < count) next = bounds(first + k + Team::threads);
      if (here.items() > numbers.most(segment_width::thread)) leave(team, k);
      else if (all_short) finish(first + k, of_thread(in, here.begin, here.end));
    }
    take_listed(team, first, mine);
  }

  /// The same of all these segments, where their items, [begin, end), fit in a team's stage.
  template <class Team>
  ONEPASS_FUNCTION void take_staged(Team const& team, extent first, int count, extent begin, extent end,
                                    char* stage) const requires(stages)
  {
    begin_list(team);
    team.barrier();
    auto* const own = reinterpret_cast<item*>(stage + phase_of(in, begin));
    int const items = int(end - begin), longest = int(numbers.most(segment_width::thread));
    auto const bound = [&](int k) {
      extent const x = extent(all.offsets(first + (k < count ? k : count))) - begin;
      return x < 0 ? 0 : x < items ? int(x) : items;
    };
    // Those of a thread's next segment are on their way.
    int i = bound(team.rank()), next_end = bound(team.rank() + 1);
    stage_alike<4>(team, in, begin, items, own);
    team.barrier();
    for (int k = team.rank(); k < count; k += Team::threads) {
      int const stop = next_end, next = bound(k + Team::threads);
      next_end = bound(k + Team::threads + 1);
      if (stop - i > longest) leave(team, k);
      else finish(first + k, of_thread([own](int j) { return own[j]; }, i, stop));
      i = next;
    }
    take_listed(team, first, [](stretch const&) { return true; });
  }

  /// The sum of items [first, first + number), for thread 0. Warps take neighbouring items if the operator does not
  /// commute. Barriers before and behind.
  template <class Team>
  ONEPASS_FUNCTION partial of_team(Team const& team, extent first, extent number) const
  {
    auto const warp = team.warp();
    if constexpr (algebra::commutes)
      return of_warps(team, warp.reduce(sum, sum_of_thread<packs, T>(team, sum, in, first, number)));
    else {
      constexpr int warps = Team::threads / decltype(team.warp())::lanes;
      extent early        = 0;  // all but the first warp begin at a pack
      if constexpr (has_packs<In>) early = phase_of(in, first) / int(sizeof(item));
      extent const share = div_up(div_up(early + number, warps), 64) * 64, wished = team.rank() / warp.lanes * share;
      auto const at = [&](extent k) { return k < early ? 0 : k - early < number ? k - early : number; };
      return of_warps(team,
                      sum_of_warp<T, packs>(warp, sum, in, first + at(wished), int(at(wished + share) - at(wished))));
    }
  }

  /// What the first lanes of all warps have, in order, for thread 0.
  template <class Team>
  ONEPASS_FUNCTION partial of_warps(Team const& team, partial const& own) const
  {
    auto const warp = team.warp();
    memory const shared(team.stage());
    team.barrier();
    if (warp.lane == 0) shared.sums[team.rank() / warp.lanes] = own;
    team.barrier();
    auto x = own;
    if (team.rank() == 0)
      for (int w = 1; w < Team::threads / warp.lanes; ++w) x = sum.combine(x, shared.sums[w]);
    return x;
  }

private:
  /// Items at(i) to at(end - 1), one after another.
  template <class At, class Index>
  ONEPASS_FUNCTION partial of_thread(At const& at, Index i, Index end) const
  {
    if (i >= end) return algebra::identity();
    auto x = static_cast<T>(at(i));
    for (++i; i < end; ++i) x = sum.combine_values(x, static_cast<T>(at(i)));
    return algebra::lift(x);
  }

  template <class Team>
  ONEPASS_FUNCTION void begin_list(Team const& team) const
  {
    if (team.rank() == 0) *memory(team.stage()).listed = 0;
  }

  /// What is too long for those who looked first, if it is `mine`. Barriers before and behind.
  template <class Team, class Mine>
  ONEPASS_FUNCTION void take_listed(Team const& team, extent first, Mine const& mine) const
  {
    constexpr int lanes = decltype(team.warp())::lanes;
    memory const shared(team.stage());
    team.barrier();
    int const left = *shared.listed;
    if (left == 0) return;
    auto const is_for_warp = [&](extent items) { return items <= numbers.most(segment_width::warp); };
    for (int k = team.rank() / lanes; k < left; k += Team::threads / lanes) {
      auto const here = bounds(first + shared.list[k]);
      if (!is_for_warp(here.items()) || !mine(here)) continue;
      auto const x = sum_of_warp<T, packs>(team.warp(), sum, in, here.begin, int(here.items()));
      if (team.warp().lane == 0) finish(first + shared.list[k], x);
    }
    for (int k = 0; k < left; ++k) {
      auto const here = bounds(first + shared.list[k]);
      if (is_for_warp(here.items()) || !mine(here)) continue;
      auto const x = of_team(team, here.begin, here.items());
      if (team.rank() == 0) finish(first + shared.list[k], x);
    }
    team.barrier();
  }

  template <class Team>
  ONEPASS_FUNCTION void leave(Team const& team, int k) const
  {
    memory const shared(team.stage());
    shared.list[Kokkos::atomic_fetch_add(shared.listed, 1)] = std::uint16_t(k);
  }

  template <class Team, class Mine>
  ONEPASS_FUNCTION void each_by_team(Team const& team, extent first, int count, Mine const& mine) const
  {
    for (int k = 0; k < count; ++k)
      if (auto const here = bounds(first + k); mine(here)) {
        auto const x = of_team(team, here.begin, here.items());
        if (team.rank() == 0) finish(first + k, x);
      }
  }

  /// Of these segments, a few lanes take one each, and list those that are longer.
  template <class Team, class Lanes, class Mine>
  ONEPASS_FUNCTION void each(Team const& team, Lanes const& some, extent first, int count, Mine const& mine) const
  {
    extent const longest = numbers.most(width);
    for (int k = team.rank() / Lanes::lanes; k < count; k += Team::threads / Lanes::lanes) {
      auto const here = bounds(first + k);
      if (!mine(here)) continue;
      if (here.items() <= longest) {
        auto const x = sum_of_warp<T, packs>(some, sum, in, here.begin, int(here.items()));
        if (some.lane == 0) finish(first + k, x);
      } else if (some.lane == 0) leave(team, k);
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
