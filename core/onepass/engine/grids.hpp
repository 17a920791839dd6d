// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>
#include <onepass/raster.hpp>

#include <concepts>

namespace onepass::ONEPASS_ABI {

// clang-format off
/// A sum over rows and columns: every output pixel is the sum of the values of all input pixels that are neither below
/// it nor to its right. Sums commute.
///
///   item_type, value_type     a pixel of the input; the type that is summed, with + and {} as zero
///   input(), output()         rasters with equal numbers of planes, rows and columns; planes are independent
///   value(item)               the value of a pixel; cheap and pure, is called up to three times per pixel
///   plain                     value() returns the item itself
///   transposed()              the same program with rows and columns exchanged
template <class P>
concept grid_program = requires(P const p, typename P::item_type const& item) {
  { p.value(item) } -> std::same_as<typename P::value_type>;
  { P::plain } -> std::convertible_to<bool>;
  { p.transposed() } -> std::same_as<P>;
  p.input().at(0, 0, 0);
  p.output().set(0, 0, 0, p.value(item));
};
// clang-format on

/// How a backend cuts a grid: into tiles of one size, numbered from left to right, then band by band (downwards), then
/// plane by plane. A tile publishes three kinds of sums, each kind along a chain of its own:
///
///   rows      the sum of each row of the tile; goes to the right
///   columns   the sum of each column of the tile; goes down
///   corner    the sum of everything to the left of the tile in its band; goes down
///
/// A pixel's output is the sum inside its tile, plus what precedes the tile in the three chains. A tile publishes its
/// own part of each chain without waiting for earlier tiles, so that tiles need not run one after another. The two
/// states of a slot, aggregate and prefix, are published in this order, by one thread or with a barrier between them:
/// otherwise words of the aggregate could overwrite some of the prefix, and a sum of several words would never become
/// consistent.
///
/// Source: Crow 1984; see docs/references.md. A single pass by three chains is the library's own,
/// docs/decisions/0012-grid-programs.md.
struct grid_tiles {
  extent planes, bands, strips;
  int rows, columns;  ///< of a tile
  int lead;           ///< number of columns by which the first tile of a band begins before the image

  template <class Raster>
  static grid_tiles of(Raster const& all, int rows, int columns, int lead = 0)
  {
    return {all.planes, div_up(all.rows, rows), div_up(all.columns + lead, columns), rows, columns, lead};
  }

  struct coordinates {
    extent index, plane, band, strip;
  };

  ONEPASS_FUNCTION extent number() const { return planes * bands * strips; }
  ONEPASS_FUNCTION coordinates operator[](extent index) const
  {
    auto const tile = std::uint32_t(index), across = std::uint32_t(strips),
               down = std::uint32_t(bands);  // fits 32 bits: a launch has fewer than 2^31 tiles
    auto const line = tile / across;
    return {index, line / down, line % down, tile - line * across};
  }

  /// Where the sums of a tile lie on the board: of row y, of column x, and its corner. The steps are the distances from
  /// a slot to the slot of the next tile in its chain.
  ONEPASS_FUNCTION extent row(extent tile, int y) const { return tile * rows + y; }
  ONEPASS_FUNCTION extent column(extent tile, int x) const { return number() * rows + tile * columns + x; }
  ONEPASS_FUNCTION extent corner(extent tile) const { return number() * (rows + columns) + tile; }
  ONEPASS_FUNCTION extent slots() const { return number() * (rows + 1 + columns); }
  ONEPASS_FUNCTION extent step_of_rows() const { return rows; }
  ONEPASS_FUNCTION extent step_of_columns() const { return strips * columns; }
  ONEPASS_FUNCTION extent step_of_corners() const { return strips; }
};

/// sums[c] = the sum of everything that precedes slot `first + c between` in its chain. The chain has `older` earlier
/// slots, `step` apart; the walk goes back to the first of them, or to one that holds a prefix. `Window` slots of every
/// chain are read at a time, and all of them are read again while one that is needed is missing: one round trip to the
/// board for all, rather than one for each.
template <int Window, int Chains, class Board, class Value>
ONEPASS_FUNCTION void sum_back(Board const& board, std::uint32_t epoch, extent first, int between, extent step,
                               extent older, Value (&sums)[Chains])
{
  bool done[Chains];
  ONEPASS_UNROLL for (int c = 0; c < Chains; ++c)
  {
    sums[c] = Value{};
    done[c] = false;
  }
  for (extent k = 1; k <= older; k += Window) {
    descriptor<Value> seen[Window][Chains];
    bool missing = true;
    for (int turn = 0; missing; ++turn) {
      if (turn > 0) board.pause(turn);
      ONEPASS_UNROLL for (int w = 0; w < Window; ++w)
      {
        extent const slot                                          = first - (k + w < older ? k + w : older) * step;
        ONEPASS_UNROLL for (int c = 0; c < Chains; ++c) seen[w][c] = board.template read<Value>(slot + c * between);
      }
      missing = false;
      ONEPASS_UNROLL for (int c = 0; c < Chains; ++c)
      {
        bool needed = !done[c];
        ONEPASS_UNROLL for (int w = 0; w < Window; ++w)
        {  // at the end of a chain the first slot is read several times
          auto const status = seen[w][c].status(epoch);
          missing           = missing || (needed && status == tile_status::invalid);
          needed            = needed && status != tile_status::inclusive_prefix;
        }
      }
    }
    bool all = true;
    ONEPASS_UNROLL for (int c = 0; c < Chains; ++c)
    {
      ONEPASS_UNROLL for (int w = 0; w < Window; ++w)
      {
        if (k + w > older || done[c]) continue;
        sums[c] = seen[w][c].value() + sums[c];
        done[c] = seen[w][c].status(epoch) == tile_status::inclusive_prefix;
      }
      all = all && done[c];
    }
    if (all) return;
  }
}

}  // namespace onepass::ONEPASS_ABI
