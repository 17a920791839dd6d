// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/orders.hpp>
#include <onepass/engine/relays.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/programs/merge_segments.hpp>

namespace onepass::ONEPASS_ABI {

/// All items are one segment.
struct one_segment {
  int size;

  ONEPASS_FUNCTION static constexpr int staged() { return 0; }
  ONEPASS_FUNCTION int operator()(int) const { return 0; }
  ONEPASS_FUNCTION segment_bounds<int> around(int, int const*) const { return {0, size}; }
};

/// Segments by offsets, which teams have in their stages if they are not too many.
template <class Segments>
struct ranked_segments {
  static constexpr extent most_staged = 4096;

  Segments all;

  /// How many offsets are in the stages.
  ONEPASS_FUNCTION int staged() const { return all.number() <= most_staged ? int(all.number()) : 0; }
  ONEPASS_FUNCTION int operator()(int k) const { return int(all(k)); }
  /// The segment that has item i, or that item alone if none has it.
  ONEPASS_FUNCTION segment_bounds<int> around(int i, int const* stage) const
  {
    segment_bounds<int> found;
    if (int const number = staged(); number > 0) {
      int const behind = partition_point(number, [&](int k) { return stage[k] <= i; });
      if (0 < behind && behind < number) found = {stage[behind - 1], stage[behind]};
    } else {
      auto const here = all.before(partition_point(all.number(), [&](extent k) { return all(k) <= i; }));
      found           = {int(here.begin), int(here.end)};
    }
    return found.begin <= i && i < found.end ? found : segment_bounds<int>{i, i + 1};
  }
};

/// Sorts some thousand items by their ranks, a relay program: an item moves back by one for each before it in its
/// segment that has a greater code, and on by one for each behind it that has a smaller code. A turn counts for a few
/// neighbouring items, with all codes of their segments in its stage, so that all multiprocessors count and none
/// waits.
///
/// Source: ranks by comparing, Knuth 1998 (5.2, algorithm C); see docs/references.md.
template <class Codes, class From, class To, class Segments>
struct rank_sort_program {
  using code = typename Codes::value_type;

  static constexpr int together = 4;  ///< items that a warp, of no fewer lanes, compares with others at once

  Codes codes;
  From from;
  To to;  ///< in other memory
  Segments segments;
  int size;
  int each;  ///< items of a turn

  ONEPASS_FUNCTION extent turns() const { return div_up(size, each); }
  ONEPASS_FUNCTION std::size_t stage_bytes(int) const
  {
    return stage_of_codes() + std::size_t(segments.staged()) * sizeof(int);
  }

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    auto* const offsets = reinterpret_cast<int*>(team.stage() + stage_of_codes());
    auto* const stage   = reinterpret_cast<code*>(team.stage());
    int const first = int(turn) * each, end = first + each < size ? first + each : size;
    if (segments.staged() > 0) {
      bring<4>(team, segments.staged(), segments, offsets);
      team.barrier();
    }
    int const begin = segments.around(first, offsets).begin, stop = segments.around(end - 1, offsets).end;
    bring<8>(
        team, stop - begin, [&](int k) { return codes(begin + k); }, stage);
    team.barrier();

    auto const warp = team.warp();
    for (int i = first + team.rank() / warp.lanes * together; i < end; i += Team::threads / warp.lanes * together) {
      int const count = end - i < together ? end - i : together, own = i + warp.lane % count;
      auto in = segments.around(own, offsets);
      in = {in.begin < begin ? begin : in.begin, in.end < stop ? in.end : stop};  // if offsets make sense, as it was
      int place = 0;
      if (warp.count(in.begin == warp.broadcast(in.begin, 0)) == warp.lanes)
        place = rank<together>(warp, stage - begin, i, count, in);
      else
        for (int k = 0; k < count; ++k) {
          int const found =
              rank<1>(warp, stage - begin, i + k, 1, {warp.broadcast(in.begin, k), warp.broadcast(in.end, k)});
          if (warp.lane == k) place = found;
        }
      if (warp.lane < count) move_one(from, own, to, place);
    }
  }

private:
  ONEPASS_FUNCTION std::size_t stage_of_codes() const { return (std::size_t(size) * sizeof(code) + 15) / 16 * 16; }

  /// to[k] = source(k) for k less than n, N of a thread on their way.
  template <int N, class Team, class Source, class T>
  ONEPASS_FUNCTION static void bring(Team const& team, int n, Source const& source, T* to)
  {
    for (int k = team.rank(); k < n; k += N * Team::threads) {
      T x[N];
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) if (k + j * Team::threads < n) x[j] = source(k + j * Team::threads);
      ONEPASS_UNROLL for (int j = 0; j < N; ++j) if (k + j * Team::threads < n) to[k + j * Team::threads] = x[j];
    }
  }

  /// Lane k's result is the place of item i + k, k less than `count`; all of these are in one segment. Of one item it
  /// is every lane's.
  template <int N, class Warp>
  ONEPASS_FUNCTION static int rank(Warp const& warp, code const* all, int i, int count, segment_bounds<int> in)
  {
    code x[N];
    unsigned moved[N];
    ONEPASS_UNROLL for (int k = 0; k < N; ++k) x[k] = all[k < count ? i + k : i], moved[k] = 0;
    for (int j = in.begin + warp.lane; j < i; j += warp.lanes) {
      code const y = all[j];
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        if (x[k] < y) --moved[k];
      }
    }
    for (int j = i + count + warp.lane; j < in.end; j += warp.lanes) {
      code const y = all[j];
      ONEPASS_UNROLL for (int k = 0; k < N; ++k)
      {
        if (y < x[k]) ++moved[k];
      }
    }
    if constexpr (N > 1)
      for (int j = warp.lane; j < count; j += warp.lanes) {
        code const y = all[i + j];
        ONEPASS_UNROLL for (int k = 0; k < N; ++k) moved[k] += (j > k && y < x[k]) - (j < k && x[k] < y);
      }
    int place = 0;
    ONEPASS_UNROLL for (int k = 0; k < N; ++k)
    {
      unsigned const all_moved = warp.sum(moved[k]);
      if (N == 1 || warp.lane == k) place = i + k + int(all_moved);
    }
    return place;
  }
};

}  // namespace onepass::ONEPASS_ABI
