// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/backends/kokkos/board.hpp>
#include <onepass/backends/kokkos/launch.hpp>
#include <onepass/backends/kokkos/tuning.hpp>
#include <onepass/engine/grids.hpp>
#include <onepass/execution/place.hpp>

namespace onepass::ONEPASS_ABI::backends::kokkos {

/// A grid by team policies. A team computes the table of its own tile in shared memory. The last row of that table
/// holds the sums of the tile's columns, which go down, its last column those of its rows, which go to the right; both
/// are already added up.
template <class Exec, class Program, class Tuning>
struct grid_kernels {
  using value = typename Program::value_type;

  static constexpr grid_tuning numbers = grid_tuning_for<Exec, Tuning>(sizeof(value));
  static constexpr int threads = numbers.threads, rows = numbers.rows, columns = numbers.columns;
  static constexpr int words = descriptor<value>::words;

  struct memory {
    value table[rows][columns + 1];  // one more column avoids bank conflicts
    value above[columns], left[rows], corner;
    std::uint64_t ticket;
  };

  struct chained {};
  struct reduce {};
  struct spine {};
  struct corners {};
  struct scan {};
  struct close {};

  template <class Tag>
  using policy = Kokkos::TeamPolicy<Exec, Tag, Kokkos::LaunchBounds<threads, 1>>;

  Program program;
  grid_tiles tiles;
  shared_board board;

  template <class Member>
  struct team {
    Member const& member;
    memory& m;

    ONEPASS_FUNCTION explicit team(Member const& of)
        : member(of)
        , m(*static_cast<memory*>(of.team_scratch(0).get_shmem_aligned(sizeof(memory), 16)))
    {}
    ONEPASS_FUNCTION void barrier() const
    {
      if constexpr (threads > 1) member.team_barrier();
    }

    /// Calls f(i) for i below n, shared among the threads.
    template <class F>
    ONEPASS_FUNCTION void each(int n, F const& f) const
    {
      for (int i = threads == 1 ? 0 : member.team_rank(); i < n; i += threads) f(i);
    }
  };

  /// One pass, with tickets: a tile waits only for what other tiles publish without waiting.
  template <class Member>
  ONEPASS_FUNCTION void operator()(chained, Member const& member) const
  {
    team<Member> const t(member);
    t.each(1, [&](int) { t.m.ticket = board.draw(tiles.number(), tiles.slots() * words).word(); });
    t.barrier();
    auto const mine = shared_board::ticket::of(t.m.ticket);
    auto const tile = tiles[mine.index];
    sum_up(t, tile);
    tell(t, tile, mine.epoch);
    t.barrier();  // the thread that publishes the prefix may not be the one that published the sum
    look_back(t, tile, mine.epoch, true);
    write(t, tile);
  }

  // Two passes: all tiles publish their sums, small kernels turn these into prefixes, and all tiles look back by one
  // step.
  template <class Member>
  ONEPASS_FUNCTION void operator()(reduce, Member const& member) const
  {
    team<Member> const t(member);
    auto const tile = tiles[member.league_rank()];
    sum_up(t, tile);
    tell(t, tile, board.current_epoch());
  }
  /// Adds up one chain, of a row or of a column.
  ONEPASS_FUNCTION void operator()(spine, extent i) const
  {
    extent const lines = tiles.planes * tiles.bands, of_rows = lines * tiles.rows;
    if (i < of_rows) add_up(tiles.row(i / rows * tiles.strips, int(i % rows)), tiles.step_of_rows(), tiles.strips);
    else {
      extent const j = i - of_rows, plane = j / (tiles.strips * columns), x = j % (tiles.strips * columns);
      add_up(tiles.column(plane * tiles.bands * tiles.strips + x / columns, int(x % columns)), tiles.step_of_columns(),
             tiles.bands);
    }
  }
  ONEPASS_FUNCTION void operator()(corners, extent i) const
  {
    extent const plane = i / tiles.strips, strip = i % tiles.strips;
    auto const epoch = board.current_epoch();
    value sum{};
    for (extent band = 0; band < tiles.bands; ++band) {
      extent const tile = (plane * tiles.bands + band) * tiles.strips + strip;
      if (strip > 0) sum = sum + board.template read<value>(tiles.row(tile - 1, rows - 1)).value();
      board.publish({tiles.corner(tile), epoch}, tile_status::inclusive_prefix, sum);
    }
  }
  template <class Member>
  ONEPASS_FUNCTION void operator()(scan, Member const& member) const
  {
    team<Member> const t(member);
    auto const tile = tiles[member.league_rank()];
    sum_up(t, tile);
    look_back(t, tile, board.current_epoch(), false);
    write(t, tile);
  }
  ONEPASS_FUNCTION void operator()(close, int) const { board.close(board.current_epoch(), tiles.slots() * words); }

private:
  ONEPASS_FUNCTION void add_up(extent slot, extent step, extent number) const
  {
    auto const epoch = board.current_epoch();
    value sum{};
    for (extent k = 0; k < number; ++k, slot += step) {
      sum = sum + board.template read<value>(slot).value();
      board.publish({slot, epoch}, tile_status::inclusive_prefix, sum);
    }
  }

  /// The table of the tile alone; pixels outside of the image are zero.
  template <class Team>
  ONEPASS_FUNCTION void sum_up(Team const& t, grid_tiles::coordinates const& tile) const
  {
    auto const in   = program.input();
    extent const y0 = tile.band * rows, x0 = tile.strip * columns;
    auto& table = t.m.table;
    t.each(rows * columns, [&](int i) {
      int const r = i / columns, c = i % columns;
      extent const y = y0 + r, x = x0 + c;
      table[r][c] = y < in.rows && x < in.columns ? program.value(in(tile.plane, y, x)) : value{};
    });
    t.barrier();
    t.each(rows, [&](int r) {
      value sum{};
      for (int c = 0; c < columns; ++c) table[r][c] = sum = sum + table[r][c];
    });
    t.barrier();
    t.each(columns, [&](int c) {
      value sum{};
      for (int r = 0; r < rows; ++r) table[r][c] = sum = sum + table[r][c];
    });
    t.barrier();
  }

  template <class Team>
  ONEPASS_FUNCTION void tell(Team const& t, grid_tiles::coordinates const& tile, std::uint32_t epoch) const
  {
    t.each(columns, [&](int c) {
      board.publish({tiles.column(tile.index, c), epoch}, tile_status::aggregate, t.m.table[rows - 1][c]);
    });
    t.each(rows, [&](int r) {
      board.publish({tiles.row(tile.index, r), epoch}, tile_status::aggregate, t.m.table[r][columns - 1]);
    });
  }

  /// What precedes `slot` in its chain; with `publish`, publishes the slot's prefix for the rest of the chain.
  ONEPASS_FUNCTION value before(extent slot, extent step, extent older, value const& own, std::uint32_t epoch,
                                bool publish) const
  {
    value sum[1];
    sum_back<4>(board, epoch, slot, 0, step, older, sum);
    if (publish && older > 0) board.publish({slot, epoch}, tile_status::inclusive_prefix, sum[0] + own);
    return sum[0];
  }

  template <class Team>
  ONEPASS_FUNCTION void look_back(Team const& t, grid_tiles::coordinates const& tile, std::uint32_t epoch,
                                  bool publish) const
  {
    t.each(rows + columns, [&](int i) {
      if (i < rows) {
        auto const left = t.m.left[i] = before(tiles.row(tile.index, i), tiles.step_of_rows(), tile.strip,
                                               t.m.table[i][columns - 1], epoch, publish);
        if (i == rows - 1) {  // everything in the band to the left
          extent const slot = tiles.corner(tile.index);
          if (publish) board.publish({slot, epoch}, tile_status::aggregate, left);
          t.m.corner = before(slot, tiles.step_of_corners(), tile.band, left, epoch, publish);
        }
      } else {
        int const c  = i - rows;
        t.m.above[c] = before(tiles.column(tile.index, c), tiles.step_of_columns(), tile.band, t.m.table[rows - 1][c],
                              epoch, publish);
      }
    });
    t.barrier();
  }

  template <class Team>
  ONEPASS_FUNCTION void write(Team const& t, grid_tiles::coordinates const& tile) const
  {
    auto const out  = program.output();
    extent const y0 = tile.band * rows, x0 = tile.strip * columns;
    auto const& m = t.m;
    t.each(rows * columns, [&](int i) {
      int const r = i / columns, c = i % columns;
      extent const y = y0 + r, x = x0 + c;
      if (y < out.rows && x < out.columns)
        out.set(tile.plane, y, x, (m.corner + m.above[c]) + (m.left[r] + m.table[r][c]));
    });
  }

public:
  template <class Tag>
  void queue(Exec const& exec, std::string const& label) const
  {
    launch_teams<policy<Tag>>(label, exec, tiles.number(), threads, sizeof(memory) + 64, *this);
  }
  template <class Tag>
  void queue_each(Exec const& exec, std::string const& label, extent n) const
  {
    Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Tag, Kokkos::IndexType<extent>>(exec, 0, n), *this);
  }
};

template <class Exec, grid_program Program, class Tuning>
void queue_program(place<Exec, backend, Tuning> const& where, Program const& program, workspace<Exec>& scratch)
{
  using machine    = grid_kernels<Exec, Program, Tuning>;
  auto const tiles = grid_tiles::of(program.input(), machine::rows, machine::columns);
  require_one_launch(where.label, tiles.number(), program.input().rows * program.input().columns, "pixels");
  machine m{program, tiles, scratch.template make_board<shared_words>(tiles.slots() * machine::words)};
  // One pass adds up what it meets, sums or prefixes; two add up one after the other, which floats tell apart.
  using number            = typename std::remove_cvref_t<decltype(program.output())>::number;
  constexpr bool in_order = is_canonical<Tuning> && std::is_floating_point_v<number>;
  if constexpr (in_order) require_two_passes(where);
  if (takes_two_passes(where) || in_order) {
    m.template queue<typename machine::reduce>(where.space, where.label + " (reduce)");
    m.template queue_each<typename machine::spine>(where.space, where.label + " (spine)",
                                                   tiles.planes
                                                       * (tiles.bands * tiles.rows + tiles.strips * tiles.columns));
    m.template queue_each<typename machine::corners>(where.space, where.label + " (corners)",
                                                     tiles.planes * tiles.strips);
    m.template queue<typename machine::scan>(where.space, where.label + " (scan)");
    m.template queue_each<typename machine::close>(where.space, where.label + " (close)", 1);
    return;
  }
  m.board.anchor = where.anchor;
  m.template queue<typename machine::chained>(where.space, where.label);
}

}  // namespace onepass::ONEPASS_ABI::backends::kokkos
