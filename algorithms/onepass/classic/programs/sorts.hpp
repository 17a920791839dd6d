// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/extent.hpp>

#include <Kokkos_Core.hpp>

namespace onepass::ONEPASS_ABI::classic {

/// 1 for the keys whose bit is 0: the exclusive scan of these gives the position of each.
template <class Key>
struct is_zero_bit {
  int bit;
  ONEPASS_FUNCTION extent operator()(Key key) const { return extent((key >> bit & 1) == 0); }
};

/// Keys with a 0 go to their rank among these; the others follow all of them, by their rank.
template <class From, class To>
struct split_scatter {
  From from;
  To to;
  extent const* zeros_before;
  extent const* zeros;
  int bit;

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    auto const key                                                      = from(i);
    to(key >> bit & 1 ? i - zeros_before[i] + *zeros : zeros_before[i]) = key;
  }
};

/// Every team sorts a chunk in shared memory by repeated splits, until the chunk is sorted; that is also checked before
/// the first split.
template <class Exec, class From, class To>
struct chunk_sort {
  using key                  = typename To::value_type;
  static constexpr int chunk = 1024;
  struct shared {
    key keys[2][chunk];
    int zeros_before[chunk];
  };

  From from;
  To to;

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& team) const
  {
    auto& s            = *static_cast<shared*>(team.team_scratch(0).get_shmem_aligned(sizeof(shared), 16));
    extent const first = extent(team.league_rank()) * chunk;
    int const n        = int(from.size - first < chunk ? from.size - first : chunk);
    int now            = 0;
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { s.keys[0][i] = from(first + i); });
    team.team_barrier();
    for (int bit = 0; bit < 8 * int(sizeof(key)); ++bit) {
      key const* const keys = s.keys[now];
      int inversions = 0, zeros = 0;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, n - 1), [&](int i, int& sum) { sum += keys[i + 1] < keys[i]; }, inversions);
      if (inversions == 0) break;
      auto const is_zero = [&](int i) { return int((keys[i] >> bit & 1) == 0); };
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, n), [&](int i, int& sum) { sum += is_zero(i); }, zeros);
      Kokkos::parallel_scan(Kokkos::TeamThreadRange(team, n), [&](int i, int& before, bool last) {
        if (last) s.zeros_before[i] = before;
        before += is_zero(i);
      });
      team.team_barrier();
      key* const made = s.keys[1 - now];
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) {
        made[is_zero(i) ? s.zeros_before[i] : i - s.zeros_before[i] + zeros] = keys[i];
      });
      team.team_barrier();
      now = 1 - now;
    }
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int i) { to(first + i) = s.keys[now][i]; });
  }
};

/// Every team merges two neighbouring sorted runs. Two rings in shared memory hold the next `width` keys of each run.
/// The smaller of one ring's i-th key and the other ring's i-th from the end, for all i, are the smallest `width` keys
/// of both rings, and form a bitonic sequence. Each key is read once and written once.
template <class Exec, class From, class To>
struct merge_pairs {
  using key                  = typename To::value_type;
  static constexpr int width = 128;
  static constexpr key last  = static_cast<key>(~key(0));  ///< pads a run beyond its end

  struct shared {
    key ring[2][width], least[width];
  };
  struct run {
    extent next, end;  ///< the keys that are not in the ring yet
    int head = 0;      ///< the ring's first key
  };

  From from;
  To to;
  extent length;  ///< of a run

  template <class Member>
  ONEPASS_FUNCTION void refill(Member const& team, key* ring, run& r, int used) const
  {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, used), [&](int i) {
      ring[(r.head + i) % width] = r.next + i < r.end ? key(from(r.next + i)) : last;
    });
    r.head = (r.head + used) % width;
    r.next += used;
  }

  template <class Member>
  ONEPASS_FUNCTION void operator()(Member const& team) const
  {
    auto& s            = *static_cast<shared*>(team.team_scratch(0).get_shmem_aligned(sizeof(shared), 16));
    auto const within  = [&](extent i) { return i < from.size ? i : from.size; };
    extent const first = extent(team.league_rank()) * 2 * length;
    run a{within(first), within(first + length)}, b{a.end, within(first + 2 * length)};
    refill(team, s.ring[0], a, width);
    refill(team, s.ring[1], b, width);
    team.team_barrier();
    for (extent done = first; done < b.end; done += width) {
      auto const of_a = [&](int i) { return s.ring[0][(a.head + i) % width]; };
      auto const of_b = [&](int i) { return s.ring[1][(b.head + width - 1 - i) % width]; };
      int from_a      = 0;
      Kokkos::parallel_reduce(
          Kokkos::TeamThreadRange(team, width), [&](int i, int& sum) { sum += of_a(i) <= of_b(i); }, from_a);
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width),
                           [&](int i) { s.least[i] = of_a(i) <= of_b(i) ? of_a(i) : of_b(i); });
      team.team_barrier();
      for (int distance = width / 2; distance > 0; distance /= 2) {
        Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int i) {
          int const j = i + distance;
          if (i & distance || !(s.least[j] < s.least[i])) return;
          key const x = s.least[i];
          s.least[i]  = s.least[j];
          s.least[j]  = x;
        });
        team.team_barrier();
      }
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, width), [&](int i) {
        if (done + i < b.end) to(done + i) = s.least[i];
      });
      refill(team, s.ring[0], a, from_a);
      refill(team, s.ring[1], b, width - from_a);
      team.team_barrier();
    }
  }
};

/// One step of a bitonic sort in the form in which all comparisons are ascending, so that the length need not be a
/// power of two: keys beyond the end would never move. The first step of a merge compares keys at mirrored positions,
/// the others keys at a fixed distance.
template <class Keys>
struct bitonic_step {
  Keys keys;
  extent block, distance;  ///< distance 0: mirrored positions in the block

  ONEPASS_FUNCTION void operator()(extent i) const
  {
    extent const j = distance == 0 ? i / block * block + block - 1 - i % block : i + distance;
    if (j <= i || j >= keys.size || (distance > 0 && (i & distance))) return;
    auto const x = keys(i), y = keys(j);
    if (!(y < x)) return;
    keys(i) = y;
    keys(j) = x;
  }
};

}  // namespace onepass::ONEPASS_ABI::classic
