// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/ranges.hpp>
#include <onepass/engine/relays.hpp>
#include <onepass/engine/splits.hpp>
#include <onepass/execution/cell_tuning.hpp>
#include <onepass/sequences.hpp>

namespace onepass::ONEPASS_ABI {

// Items that are nearly in the order of their cells, by runs. A stretch is so many neighbouring items as a warp holds;
// its items of one cell, side by side or not, are a run. Runs are found stretch by stretch, by a table in the team's
// stage; they are sorted by cell, stably; their items, added up in that order, say where each run begins; and each
// stretch puts its items in place, those of a run in input order. Where there are few runs, little is sorted.
//
// Which items are sorted so is decided on the device (run_choice): others are sorted by digits, and of the steps of the
// way that is not taken only empty launches are left. These are relay programs whose turns are independent, for the
// sake of their warps.

/// A run in one word: its cell in the lower bits, and the number of its items, less one.
struct run_words {
  static constexpr int count_bits = 9;

  int bits;  ///< of a cell

  ONEPASS_FUNCTION std::uint32_t make(std::uint32_t cell, std::uint32_t items) const
  {
    return cell | (items - 1) << bits;
  }
  ONEPASS_FUNCTION std::uint32_t cell(std::uint32_t run) const { return run & ((1u << bits) - 1); }
  ONEPASS_FUNCTION std::uint32_t items(std::uint32_t run) const { return (run >> bits) + 1; }
};

/// What is known once runs have been counted, in a sample and then all.
struct run_choice {
  static constexpr int samples = 32;

  extent runs;                    ///< that are sorted; 0: items are, by digits
  extent items;                   ///< that are sorted by digits: all or none
  std::uint32_t sample[samples];  ///< runs of some stretches
};

/// The cells of a warp's runs, and a number beside each: open addressing, and never much more than half full.
class run_table {
public:
  static constexpr int slots = 256, most = slots / 2, lanes = 32;
  static constexpr std::uint32_t none = ~std::uint32_t(0);  ///< no cell

  struct alignas(8) entry {
    std::uint32_t cell, number;
  };
  struct memory {
    entry at[slots];
    std::uint16_t used[most + lanes];  ///< slots, in the order in which they were taken
  };

  ONEPASS_FUNCTION explicit run_table(memory& m)
      : m_(m)
  {}

  template <class Warp>
  ONEPASS_FUNCTION void clear(Warp const& warp) const
  {
    ONEPASS_UNROLL for (int h = 0; h < slots; h += lanes) m_.at[h + warp.lane].cell = none;
    warp.sync();
  }
  /// The same where there are so many runs.
  template <class Warp>
  ONEPASS_FUNCTION void forget(Warp const& warp, int runs) const
  {
    warp.sync();
    for (int r = warp.lane; r < runs; r += lanes) of_run(r).cell = none;
    warp.sync();
  }

  /// Where the search for a cell begins, and mostly ends.
  ONEPASS_FUNCTION static int start(std::uint32_t cell) { return int(cell * 2654435761u >> 24); }
  ONEPASS_FUNCTION static int next(int slot) { return (slot + 1) % slots; }

  /// The slots of the cells of those lanes that ask, which are different. New ones have number 0, and are counted among
  /// the runs.
  template <class Warp>
  ONEPASS_FUNCTION int enter(Warp const& warp, std::uint32_t cell, bool asks, int& runs) const
  {
    int h          = start(cell);
    unsigned taken = 0;
    while (warp.those(asks)) {
      auto const there = asks ? Kokkos::atomic_compare_exchange(&m_.at[h].cell, none, cell) : cell;
      if (asks && there == none) m_.at[h].number = 0, taken = 1;
      asks = asks && there != none && there != cell;
      if (asks) h = next(h);
    }
    warp.sync();
    unsigned const those = warp.those(taken != 0);
    if (taken) m_.used[runs + bits(those & ((1u << warp.lane) - 1))] = std::uint16_t(h);
    runs += bits(those);
    return h;
  }

  ONEPASS_FUNCTION entry& at(int slot) const { return m_.at[slot]; }
  ONEPASS_FUNCTION entry& of_run(int r) const { return m_.at[m_.used[r]]; }

  ONEPASS_FUNCTION static int bits(unsigned x) { return Kokkos::Experimental::popcount_builtin(x); }

private:
  memory& m_;
};

/// The stretches of the items, and what is kept of their runs. Each walker, a warp, finds the runs of neighbouring
/// stretches one after another, and lists them from where its items begin on.
template <class Cells>
struct cell_stretches {
  static constexpr int lanes = 32, each = 16, length = lanes * each;
  static_assert(length == 1 << run_words::count_bits);

  Cells cells;
  extent number;  ///< of cells
  run_words words;
  extent teams;
  std::uint32_t* found;   ///< runs of all walkers, room for one an item
  std::uint32_t* begins;  ///< of each stretch, among the runs of its walker
  std::uint32_t* counts;  ///< of each walker's runs
  std::uint32_t* firsts;  ///< the first run of each walker among those of all
  run_choice* choice;
  extent most_in_ten;  ///< runs in ten items of a sample, at most

  ONEPASS_FUNCTION extent count() const { return div_up(cells.size, length); }
  template <class Team>
  ONEPASS_FUNCTION extent walkers() const
  {
    return teams * (Team::threads / lanes);
  }
  /// Stretches of a walker; the last ones may have fewer, or none.
  template <class Team>
  ONEPASS_FUNCTION extent of_walker() const
  {
    return div_up(count(), walkers<Team>());
  }
  ONEPASS_FUNCTION extent within(extent stretch) const { return stretch < count() ? stretch : count(); }

  /// Whether the sample has few runs, for all lanes of a warp.
  template <class Warp>
  ONEPASS_FUNCTION bool are_few(Warp const& warp) const
  {
    static_assert(run_choice::samples == lanes);
    return extent(warp.sum(choice->sample[warp.lane])) * 10 <= extent(run_choice::samples) * length * most_in_ten;
  }

  /// The cells of a stretch, each `lanes` after the one before.
  ONEPASS_FUNCTION void load(extent stretch, int lane, std::uint32_t (&cell)[each]) const
  {
    extent const first = stretch * length + lane;
    if ((stretch + 1) * length <= cells.size)
      ONEPASS_UNROLL for (int k = 0; k < each; ++k) cell[k] = bounded(cells(first + k * lanes));
    else
      ONEPASS_UNROLL for (int k = 0; k < each; ++k) cell[k] =
          first + k * lanes < cells.size ? bounded(cells(first + k * lanes)) : run_table::none;
  }

  /// Counts the items of each run in an empty table, as long as there are not too many; returns the number of runs.
  template <class Warp>
  ONEPASS_FUNCTION int tally(Warp const& warp, run_table const& table, std::uint32_t const (&cell)[each]) const
  {
    int runs = 0;
    ONEPASS_UNROLL for (int k = 0; k < each; ++k) if (runs <= run_table::most)
    {
      auto const same  = warp.match(cell[k]);
      bool const leads = cell[k] != run_table::none && is_first(same, warp.lane);
      int slot         = table.start(cell[k]);
      if (warp.those(leads && table.at(slot).cell != cell[k])) slot = table.enter(warp, cell[k], leads, runs);
      if (leads) table.at(slot).number += std::uint32_t(table.bits(same));
      warp.sync();
    }
    return runs;
  }

  ONEPASS_FUNCTION static unsigned before(unsigned those, int lane) { return those & ((1u << lane) - 1); }
  ONEPASS_FUNCTION static bool is_first(unsigned those, int lane) { return before(those, lane) == 0; }

private:
  /// A cell that there is not counts as the last.
  template <class Cell>
  ONEPASS_FUNCTION std::uint32_t bounded(Cell cell) const
  {
    using word   = std::conditional_t<sizeof(Cell) <= 4, std::uint32_t, std::uint64_t>;
    auto const c = static_cast<word>(cell), last = static_cast<word>(number - 1);
    return static_cast<std::uint32_t>(c < last ? c : last);
  }
};

/// Base of the steps: a turn is a team whose warps walk.
template <class Cells>
struct step_of_runs {
  using stretches = cell_stretches<Cells>;

  stretches all;

  ONEPASS_FUNCTION extent turns() const { return all.teams; }
  static std::size_t stage_bytes(int threads)
  {
    return std::size_t(threads / stretches::lanes) * sizeof(run_table::memory);
  }

protected:
  template <class Team>
  ONEPASS_FUNCTION static run_table table_of(Team const& team)
  {
    return run_table(reinterpret_cast<run_table::memory*>(team.stage())[team.rank() / stretches::lanes]);
  }
  template <class Team>
  ONEPASS_FUNCTION static extent walker_of(Team const& team, extent turn)
  {
    return turn * (Team::threads / stretches::lanes) + team.rank() / stretches::lanes;
  }
};

/// Counts the runs of some stretches here and there.
template <class Cells>
struct sample_runs : step_of_runs<Cells> {
  using base = step_of_runs<Cells>;
  using base::all;

  ONEPASS_FUNCTION static extent turns() { return 8; }

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    constexpr int samples = run_choice::samples, warps = Team::threads / base::stretches::lanes;
    auto const warp  = team.warp();
    auto const table = base::table_of(team);
    for (extent s = base::walker_of(team, turn); s < samples; s += turns() * warps) {
      std::uint32_t cell[base::stretches::each];
      all.load(all.count() * s / samples, warp.lane, cell);
      table.clear(warp);
      int const runs = all.tally(warp, table, cell);
      if (warp.lane == 0) all.choice->sample[s] = std::uint32_t(runs > run_table::most ? all.length : runs);
    }
  }
};

/// First step: lists the runs of each stretch; each item of one that has too many.
template <class Cells>
struct find_runs : step_of_runs<Cells> {
  using base = step_of_runs<Cells>;
  using base::all;

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    auto const warp = team.warp();
    if (!all.are_few(warp)) return;
    constexpr int each  = base::stretches::each;
    auto const table    = base::table_of(team);
    extent const walker = base::walker_of(team, turn), own = all.template of_walker<Team>();
    int const begin = int(all.within(walker * own)), end = int(all.within(begin + own));
    auto* const to       = all.found + extent(begin) * base::stretches::length;
    std::uint32_t listed = 0;
    table.clear(warp);
    for (int s = begin; s < end; ++s) {
      std::uint32_t cell[each];
      all.load(s, warp.lane, cell);
      if (warp.lane == 0) all.begins[s] = listed;
      int const runs = all.tally(warp, table, cell);
      if (runs > run_table::most) listed += list_items(warp, cell, to + listed);
      else listed += list_runs(warp, table, runs, to + listed);
      table.forget(warp, runs);
    }
    if (warp.lane == 0) all.counts[walker] = listed;
  }

private:
  template <class Warp>
  ONEPASS_FUNCTION std::uint32_t list_items(Warp const& warp, std::uint32_t const (&cell)[base::stretches::each],
                                            std::uint32_t* to) const
  {
    int items = 0;
    ONEPASS_UNROLL for (int k = 0; k < base::stretches::each; ++k)
    {
      bool const is_there = cell[k] != run_table::none;
      if (is_there) to[k * Warp::lanes + warp.lane] = all.words.make(cell[k], 1);
      items += warp.count(is_there);
    }
    return std::uint32_t(items);
  }
  template <class Warp>
  ONEPASS_FUNCTION std::uint32_t list_runs(Warp const& warp, run_table const& table, int runs, std::uint32_t* to) const
  {
    for (int r = warp.lane; r < runs; r += Warp::lanes) {
      auto const run = table.of_run(r);
      to[r]          = all.words.make(run.cell, run.number);
    }
    return std::uint32_t(runs);
  }
};

/// Second step: the runs of all walkers, one behind the other, if they fit.
template <class Cells>
struct join_runs : step_of_runs<Cells> {
  using base = step_of_runs<Cells>;
  using base::all;

  contiguous<std::uint32_t> to;

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    if (!all.are_few(team.warp())) {
      if (turn == 0 && team.rank() == 0) all.choice->runs = 0, all.choice->items = all.cells.size;
      return;
    }
    constexpr int warps = Team::threads / base::stretches::lanes;
    extent before = 0, sum = 0, before_team = 0, total = 0;
    for (extent w = team.rank(); w < turns_of_all(warps); w += Team::threads) {
      extent const runs = all.counts[w];
      sum += runs;
      if (w < turn * warps) before += runs;
    }
    (void)team.exclusive_scan(range_sums{}, before, before_team);
    team.barrier();
    (void)team.exclusive_scan(range_sums{}, sum, total);
    bool const fits = total <= to.size;
    if (turn == 0 && team.rank() == 0) {
      all.choice->runs  = fits ? total : 0;
      all.choice->items = fits ? 0 : all.cells.size;
    }
    if (fits) copy(team, base::walker_of(team, turn), turn * warps, before_team);
  }

private:
  ONEPASS_FUNCTION extent turns_of_all(int warps) const { return all.teams * warps; }

  template <class Team>
  ONEPASS_FUNCTION void copy(Team const& team, extent walker, extent first_walker, extent first) const
  {
    auto const warp = team.warp();
    for (extent w = first_walker; w < walker; ++w) first += all.counts[w];
    if (warp.lane == 0) all.firsts[walker] = std::uint32_t(first);
    auto const* const from = all.found + all.within(walker * all.template of_walker<Team>()) * base::stretches::length;
    auto const runs        = extent(all.counts[walker]);
    for (extent r = warp.lane; r < runs; r += base::stretches::lanes) to(first + r) = from[r];
  }
};

/// The items of sorted runs, which are added up.
struct items_of_runs {
  using value_type = std::uint32_t;

  std::uint32_t const* runs;
  extent size;
  run_words words;
  ONEPASS_FUNCTION std::uint32_t operator()(extent i) const { return words.items(runs[i]); }
};
/// The places of runs, by their number before they were sorted.
struct places_of_runs {
  using value_type = std::uint32_t;

  std::uint32_t* places;
  std::uint32_t const* order;
  extent size;
  ONEPASS_FUNCTION std::uint32_t& operator()(extent i) const { return places[order[i]]; }
};

/// Last step: a stretch puts the values of its items in place.
template <class Cells, class Values, class To>
struct place_runs : step_of_runs<Cells> {
  using base = step_of_runs<Cells>;
  using base::all;

  std::uint32_t const* places;
  Values values;
  To to;

  template <class Team>
  ONEPASS_FUNCTION void take(Team const& team, extent turn) const
  {
    if (all.choice->runs == 0) return;
    constexpr int each = base::stretches::each;
    auto const warp    = team.warp();
    auto const table   = base::table_of(team);
    extent const own = all.template of_walker<Team>(), count = all.count(), step = all.template walkers<Team>();
    table.clear(warp);
    extent s = base::walker_of(team, turn);
    for (; s < count; s += step) {
      std::uint32_t cell[each];
      all.load(s, warp.lane, cell);
      extent const walker     = s / own;
      auto const listed       = all.begins[s];
      auto const end          = s + 1 < count && (s + 1) / own == walker ? all.begins[s + 1] : all.counts[walker];
      auto const number       = int(end - listed);
      auto const* const runs  = all.found + walker * own * base::stretches::length + listed;
      auto const* const place = places + all.firsts[walker] + listed;
      if (number > run_table::most) place_each(s, warp, place, number);
      else place_by_table(s, warp, table, cell, runs, place, number);
    }
  }

private:
  ONEPASS_FUNCTION void put(extent stretch, int k, int lane, std::uint32_t at) const
  {
    to(extent(at)) = values(stretch * base::stretches::length + k * base::stretches::lanes + lane);
  }

  template <class Warp>
  ONEPASS_FUNCTION void place_each(extent stretch, Warp const& warp, std::uint32_t const* place, int number) const
  {
    for (int k = 0; k * Warp::lanes + warp.lane < number; ++k)
      put(stretch, k, warp.lane, place[k * Warp::lanes + warp.lane]);
  }

  template <class Warp>
  ONEPASS_FUNCTION void place_by_table(extent stretch, Warp const& warp, run_table const& table,
                                       std::uint32_t const (&cell)[base::stretches::each], std::uint32_t const* runs,
                                       std::uint32_t const* place, int number) const
  {
    int entered = 0;
    for (int first = 0; first < number; first += Warp::lanes) {
      int const r     = first + warp.lane;
      bool const asks = r < number;
      int const slot  = table.enter(warp, asks ? all.words.cell(runs[r]) : run_table::none, asks, entered);
      if (asks) table.at(slot).number = place[r];
    }
    warp.sync();
    ONEPASS_UNROLL for (int k = 0; k < base::stretches::each; ++k)
    {
      auto const same     = warp.match(cell[k]);
      bool const is_there = cell[k] != run_table::none;
      run_table::entry run{};
      if (is_there && all.is_first(same, warp.lane)) {
        int slot = table.start(cell[k]);
        for (run = table.at(slot); run.cell != cell[k]; run = table.at(slot)) slot = table.next(slot);
        table.at(slot).number = run.number + std::uint32_t(table.bits(same));
      }
      auto const at = warp.broadcast(run.number, Kokkos::Experimental::countr_zero_builtin(same));
      warp.sync();
      if (is_there) put(stretch, k, warp.lane, at + std::uint32_t(table.bits(all.before(same, warp.lane))));
    }
    table.forget(warp, number);
  }
};

/// offsets(c) = where cell c begins: the place of the first run that is not below it, or the first place of an item
/// that is not, as the device chose.
template <class Cell, class Offsets>
struct find_offset_by_choice {
  run_choice const* choice;
  run_words words;
  std::uint32_t const *runs, *order, *places;  ///< sorted runs, which they were, and the places of these
  Cell const* sorted;                          ///< cells of items, sorted by digits
  extent items;
  Offsets offsets;

  ONEPASS_FUNCTION void operator()(extent c) const
  {
    extent const number = choice->runs;
    extent at           = 0;
    if (number > 0) {
      extent const r = partition_point(number, [&](extent i) { return words.cell(runs[i]) < std::uint32_t(c); });
      at             = r < number ? extent(places[order[r]]) : items;
    } else at = partition_point(items, [&](extent i) { return std::uint64_t(sorted[i]) < std::uint64_t(c); });
    offsets(c) = static_cast<typename Offsets::value_type>(at);
  }
};

}  // namespace onepass::ONEPASS_ABI
