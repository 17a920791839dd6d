// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/merge_alone.hpp>
#include <onepass/engine/rounds.hpp>
#include <onepass/programs/merge_stage.hpp>
#include <onepass/programs/search_together.hpp>

namespace onepass::ONEPASS_ABI {

// Everything is sorted by merging. The first round makes runs of one length, then each round merges them two by two.
// How many rounds there are is known before, so runs begin in the output or in spare memory in such a way that the last
// merge ends in the output. Every item is moved once a round. How two runs are divided among the tiles of their merge
// is found by each tile for itself, or, where there are many, for all of them before the round.

/// A round program that sorts a cargo; without spare memory where it is one run.
///
/// Source: merges by their paths, Odeh et al. 2012; see docs/references.md.
template <class From, class To, class Spare, class Less>
struct merge_sort_program {
  using cargo_type = merged_cargo<From, To, Spare, Less>;
  using item       = typename cargo_type::item;
  using value      = typename cargo_type::value;

  static constexpr bool valued = cargo_type::valued, knows_rounds = true;

  static constexpr extent alone_at_a_time = extent(1) << 11;

  cargo_type cargo;
  extent n;
  extent* splits;  ///< of every tile of a round: the items of the first run before it; none if tiles look themselves

  ONEPASS_FUNCTION extent size() const { return n; }
  ONEPASS_FUNCTION static int most_rounds(extent runs) { return bits_of(runs - 1); }
  ONEPASS_FUNCTION static constexpr int each(team_tuning const& numbers)
  {
    return merged_by_a_thread(numbers, !valued || sizeof(item) > sizeof(value) ? sizeof(item) : sizeof(value));
  }
  ONEPASS_FUNCTION static constexpr int stage_words(team_tuning const& numbers)
  {
    return numbers.threads == 1 ? 0
                                : int((stage::bytes(positions_of_round<merge_sort_program>(numbers))
                                       + search_memory<most_searches>::bytes(numbers.threads) + 3)
                                      / 4);
  }

  /// A run: threads sort their items in registers, then merge them in the stage.
  template <int Each, class Team>
  ONEPASS_FUNCTION int begin(Team const& team, extent tile) const
  {
    constexpr int positions = Team::threads * Each;
    extent const first      = tile * positions;
    int const count         = int(n - first < positions ? n - first : positions);
    stage const s(team.stage(), positions);
    auto const in = window(cargo.from.items, first + team.rank(), count);
    s.template take<Each>(team, count, [&](int ahead, int) { return in(ahead); });
    team.barrier();
    int const here = team.rank() * Each, behind = here + Each < count ? here + Each : count;
    if (here < count) s.template sort_own<Each>(team, behind - here, cargo.less);
    team.barrier();
    ONEPASS_NO_UNROLL for (int threads = 1; threads * Each < count; threads *= 2)
    {
      auto const before           = [&](int end) { return end < count ? end : count; };
      int const pair              = (team.rank() & -(2 * threads)) * Each;
      merged_stretch const own[1] = {
          {{pair, before(pair + threads * Each), before(pair + 2 * threads * Each)}, here, behind}};
      s.template merge<Each>(team, own, cargo.less);
    }
    int const rounds    = rounds_of(positions);
    bool const to_spare = rounds % 2 != 0;
    if constexpr (valued)
      s.template give_values<value, Each>(
          team, count, [&](int k) -> value { return cargo.from.values(first + k); },
          [&](int, int k, value const& v) { cargo.value_at(to_spare, first + k) = v; });
    put_items<Each>(team, s, to_spare, first, count);
    return rounds;
  }

  /// A tile of a later round: its part of both runs is taken to the stage and merged there. Runs are whole tiles long.
  template <int Each, class Team>
  ONEPASS_FUNCTION void go_on(Team const& team, extent run, int round, extent tile) const
  {
    constexpr int positions = Team::threads * Each;
    extent const first      = tile * positions;
    int const count         = int(n - first < positions ? n - first : positions);
    stage const s(team.stage(), positions);
    auto const p        = runs_at(first, run, round);
    bool const to_spare = (rounds_of(run) - round) % 2 != 0;

    extent before, taken;  // how many of the first run lie before the tile, and in it
    if (splits) {
      before = splits[tile];
      taken  = (first + positions < p.end ? splits[tile + 1] : p.middle - p.begin) - before;
    } else {
      // Each of both ends is looked for by a few threads; more of them would read much more than the tile's items.
      constexpr int searches = Team::threads < 64 ? 2 : Team::threads / 32;
      int const search       = team.rank() / (Team::threads / searches);
      extent const last      = first + count;
      search_memory<most_searches> const memory(team.stage() + stage::bytes(positions));
      search_splits<searches>(team, memory, p, search < 2, search == 0 ? first : last, run, round);
      before = merge_path(p, first).fewest + memory.found[0];
      taken  = merge_path(p, last).fewest + memory.found[1] - before;
    }
    // An order that is none leads anywhere, but not out of the runs.
    int const as   = int(taken < 0 ? 0 : taken > count ? count : taken);
    extent const a = p.begin + before, b = first + (p.middle - a) - as;  // position k is at a + k, or at b + k
    auto const a_items = window(cargo.items_of(!to_spare), a + team.rank(), count),
               b_items = window(cargo.items_of(!to_spare), b + team.rank(), count);
    s.template take<Each>(team, count, [&](int ahead, int k) { return k < as ? a_items(ahead) : b_items(ahead); });
    team.barrier();
    int const here              = team.rank() * Each;
    merged_stretch const own[1] = {{{0, as, count}, here, here + Each}};
    s.template merge<Each>(team, own, cargo.less);
    if constexpr (valued)
      s.template give_values<value, Each>(
          team, count, [&](int k) { return cargo.value_at(!to_spare, k < as ? a + k : b + k); },
          [&](int, int k, value const& v) { cargo.value_at(to_spare, first + k) = v; });
    put_items<Each>(team, s, to_spare, first, count);
  }

  /// The threads of a team that looks for splits, for each of them.
  static constexpr int seekers = 8;

  ONEPASS_FUNCTION static constexpr int seek_words(int threads)
  {
    return int((search_memory<most_searches>::bytes(threads) + 3) / 4);
  }

  /// Before a later round whose tiles have `positions`: the splits of as many tiles as the team has groups of seekers.
  template <class Team>
  ONEPASS_FUNCTION void seek(Team const& team, extent positions, extent run, int round, extent group) const
  {
    constexpr int searches = Team::threads / seekers;
    int const search       = team.rank() / seekers;
    extent const tile = group * searches + search, first = tile * positions;
    bool const is_tile = first < n;
    auto const p       = runs_at(is_tile ? first : 0, run, round);
    search_memory<most_searches> const memory(team.stage());
    extent const fewest = search_splits<searches>(team, memory, p, is_tile, is_tile ? first : 0, run, round);
    if (is_tile && team.rank() % seekers == 0) splits[tile] = fewest + memory.found[search];
  }

  KOKKOS_FUNCTION bool runs_on(extent first, extent last, bool down) const { return cargo.runs_on(first, last, down); }
  KOKKOS_FUNCTION void copy(extent first, extent last) const { cargo.copy(first, last, false); }
  KOKKOS_FUNCTION void mirror(extent first, extent last) const { cargo.mirror(0, n, first, last, false); }

  /// The first round by one thread.
  KOKKOS_FUNCTION int begin_alone(extent positions, extent tile) const
  {
    int const rounds   = rounds_of(positions);
    extent const first = tile * positions;
    cargo.sort(first, n - first < positions ? n : first + positions, rounds % 2 != 0);
    return rounds;
  }

  /// The same for tiles of at most cargo_type::few items: no function of this calls itself.
  KOKKOS_FUNCTION void begin_few(extent positions, extent tile) const
  {
    extent const first = tile * positions;
    cargo.insert(first, n - first < positions ? n : first + positions, rounds_of(positions) % 2 != 0);
  }

  /// A later round by one thread.
  KOKKOS_FUNCTION void go_on_alone(extent positions, int round, extent tile) const
  {
    extent const first = tile * positions;
    auto const p       = runs_at(first, positions, round);
    cargo.merge(p, first, n - first < positions ? n : first + positions, (rounds_of(positions) - round) % 2 != 0);
  }

private:
  static constexpr int most_searches = 32;

  using stage = merge_stage<item, valued>;

  /// What a round merges at a position.
  ONEPASS_FUNCTION two_runs<extent> runs_at(extent position, extent run, int round) const
  {
    extent const begin = (position / run >> round << round) * run;
    return {begin, inside(begin + (run << (round - 1))), inside(begin + (run << round))};
  }

  template <int Each, class Team>
  ONEPASS_FUNCTION void put_items(Team const& team, stage const& s, bool to_spare, extent first, int count) const
  {
    auto const out = window(cargo.items_of(to_spare), first + team.rank(), count);
    s.template give<Each>(team, count, [&](int ahead, int, item const& x) { out(ahead) = x; });
  }

  ONEPASS_FUNCTION extent inside(extent position) const { return position < n ? position : n; }
  ONEPASS_FUNCTION int rounds_of(extent run) const { return most_rounds((n - 1) / run + 1); }

  /// Where the merge of two runs divides the first at a position, by each group of threads whose search is wanted:
  /// found in the memory, counted from what is returned.
  template <int Searches, class Team>
  ONEPASS_FUNCTION extent search_splits(Team const& team, search_memory<most_searches> const& memory,
                                        two_runs<extent> const& p, bool wanted, extent position, extent run,
                                        int round) const
  {
    merge_path const path(p, position);
    bool const from_spare = (rounds_of(run) - round) % 2 == 0;
    search_together<Searches>(team, memory, inside(run << (round - 1)), wanted ? path.most - path.fewest : 0,
                              [&](extent k) {
                                extent const i = path.fewest + k;
                                return !cargo.less(cargo.item_at(from_spare, p.middle + path.diagonal - 1 - i),
                                                   cargo.item_at(from_spare, p.begin + i));
                              });
    return path.fewest;
  }
};

/// The same of not many items.
template <class From, class To, class Spare, class Less>
struct few_merges_program : merge_sort_program<From, To, Spare, Less> {
  static constexpr bool few_tiles = true;
};

}  // namespace onepass::ONEPASS_ABI
