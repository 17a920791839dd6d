// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/execution/width_tuning.hpp>
#include <onepass/programs/segmented_reduce.hpp>

namespace onepass::ONEPASS_ABI {

/// One thread, where lanes of a warp are expected.
struct lone_lane {
  static constexpr int lanes = 1, lane = 0;

  template <class Algebra, class T>
  ONEPASS_FUNCTION T reduce(Algebra const&, T const& x) const
  {
    return x;
  }
};

/// Sums of segments straight from memory, by teams of warps: each is taken by a thread, by some lanes of a warp, by a
/// warp or by the team, as the mean length suggests, and those that are too long for that by the next in this order.
///
/// `Width` is a segment_width, or a type with the value of one. A lane has `Packs` of items on their way.
///
/// Source: a thread, a warp or a team a segment, Merrill & Garland 2016b; see docs/references.md.
template <class In, class Offsets, class Out, class Op, class T, class Width, int Packs>
struct sums_by_width : sums_of_segments<In, Offsets, Out, Op, T> {
  using base    = sums_of_segments<In, Offsets, Out, Op, T>;
  using item    = typename base::item;
  using algebra = typename base::algebra;
  using partial = typename base::partial;
  using base::in, base::all, base::sum;

  width_tuning numbers;
  Width chosen_width;

protected:
  using base::beginning, base::finished;

  struct stretch {
    extent begin, end;
    ONEPASS_FUNCTION extent items() const { return end > begin ? end - begin : 0; }
  };
  ONEPASS_FUNCTION extent within(extent x) const { return x < 0 ? 0 : x < in.size ? x : in.size; }
  ONEPASS_FUNCTION stretch bounds(extent s) const
  {
    return {within(extent(all.offsets(s))), within(extent(all.offsets(s + 1)))};
  }
  ONEPASS_FUNCTION void finish(extent s, partial const& x) const { base::write(s, finished(x, beginning())); }

  ONEPASS_FUNCTION segment_width width() const
  {
    if constexpr (std::is_same_v<Width, segment_width>) return chosen_width;
    else return Width::value;
  }

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
  ONEPASS_FUNCTION void take(Team const& team, extent first, int count, Mine const& mine) const
  {
    constexpr int lanes = decltype(team.warp())::lanes;
    memory const shared(team.stage());
    if (team.rank() == 0) *shared.listed = 0;
    team.barrier();
    if (width() == segment_width::thread) each_by_threads(team, first, count, mine);
    else if (width() == segment_width::part) each(team, team.part(), first, count, numbers.most(width()), mine);
    else if (width() == segment_width::warp) each(team, team.warp(), first, count, numbers.most(width()), mine);
    else each(team, lone_lane{}, first, count, 0, mine);
    team.barrier();
    int const left = *shared.listed;
    if (left == 0) return;
    auto const is_for_warp = [&](extent items) {
      return width() != segment_width::team && items <= numbers.most(segment_width::warp);
    };
    for (int k = team.rank() / lanes; k < left; k += Team::threads / lanes) {
      auto const here = bounds(first + shared.list[k]);
      if (!is_for_warp(here.items())) continue;
      auto const x = sum_of_warp<T, Packs>(team.warp(), sum, in, here.begin, int(here.items()));
      if (team.warp().lane == 0) finish(first + shared.list[k], x);
    }
    for (int k = 0; k < left; ++k) {
      auto const here = bounds(first + shared.list[k]);
      if (is_for_warp(here.items())) continue;
      auto const x = of_team(team, here.begin, here.items());
      if (team.rank() == 0) finish(first + shared.list[k], x);
    }
    team.barrier();
  }

  /// The sum of items [first, first + number), for thread 0. Warps take neighbouring items if the operator does not
  /// commute. Barriers before and behind.
  template <class Team>
  ONEPASS_FUNCTION partial of_team(Team const& team, extent first, extent number) const
  {
    auto const warp = team.warp();
    if constexpr (algebra::commutes)
      return of_warps(team, warp.reduce(sum, sum_of_thread<Packs, T>(team, sum, in, first, number)));
    else {
      constexpr int warps = Team::threads / decltype(team.warp())::lanes;
      extent early        = 0;  // all but the first warp begin at a pack
      if constexpr (has_packs<In>) early = phase_of(in, first) / int(sizeof(item));
      extent const share = div_up(div_up(early + number, warps), 64) * 64, wished = team.rank() / warp.lanes * share;
      auto const at = [&](extent k) { return k < early ? 0 : k - early < number ? k - early : number; };
      return of_warps(team,
                      sum_of_warp<T, Packs>(warp, sum, in, first + at(wished), int(at(wished + share) - at(wished))));
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
  static constexpr int few = 4;  ///< items that a thread takes one by one

  template <class Team>
  ONEPASS_FUNCTION void leave(Team const& team, int k) const
  {
    memory const shared(team.stage());
    shared.list[Kokkos::atomic_fetch_add(shared.listed, 1)] = std::uint16_t(k);
  }

  /// Of these segments, a few lanes take one each, and list those that are longer.
  template <class Team, class Lanes, class Mine>
  ONEPASS_FUNCTION void each(Team const& team, Lanes const& some, extent first, int count, extent longest,
                             Mine const& mine) const
  {
    for (int k = team.rank() / Lanes::lanes; k < count; k += Team::threads / Lanes::lanes) {
      auto const here = bounds(first + k);
      if (!mine(here)) continue;
      if (here.items() <= longest) {
        auto const x = sum_of_warp<T, Packs>(some, sum, in, here.begin, int(here.items()));
        if (some.lane == 0) finish(first + k, x);
      } else if (some.lane == 0) leave(team, k);
    }
  }

  /// The same by threads: the bounds of several segments, then their first items, are on their way together. What has
  /// more items is looked at once more.
  template <class Team, class Mine>
  ONEPASS_FUNCTION void each_by_threads(Team const& team, extent first, int count, Mine const& mine) const
  {
    constexpr int together = sizeof(partial) <= 4 ? 2 : 1;
    extent const longest   = numbers.most(segment_width::thread);
    for (int k = team.rank(); k < count; k += together * Team::threads) {
      extent begin[together];
      int items[together];  // few + 1: more than that
      item x[together][few];
      ONEPASS_UNROLL for (int u = 0; u < together; ++u)
      {
        int const at    = k + u * Team::threads;
        auto const here = bounds(first + (at < count ? at : k));
        begin[u]        = here.begin;
        items[u]        = here.items() <= few ? int(here.items()) : few + 1;
      }
      ONEPASS_UNROLL for (int u = 0; u < together; ++u) ONEPASS_UNROLL for (int j = 0; j < few; ++j) if (j < items[u])
          x[u][j] = in(begin[u] + j);
      ONEPASS_UNROLL for (int u = 0; u < together; ++u)
      {
        int const at = k + u * Team::threads;
        if (at >= count) continue;
        if (items[u] <= few && items[u] <= longest) {
          if (!mine(stretch{begin[u], begin[u] + items[u]})) continue;
          auto made = algebra::identity();
          ONEPASS_UNROLL for (int j = 0; j < few; ++j) if (j < items[u]) made =
              sum.combine(made, base::lifted(x[u][j]));
          finish(first + at, made);
        } else if (auto const here = bounds(first + at); mine(here)) {
          if (here.items() > longest) leave(team, at);
          else finish(first + at, sum_of_warp<T, Packs>(lone_lane{}, sum, in, here.begin, int(here.items())));
        }
      }
    }
  }
};

}  // namespace onepass::ONEPASS_ABI
