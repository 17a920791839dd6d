// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <onepass/engine/board.hpp>
#include <onepass/raster.hpp>

#include <concepts>

namespace onepass {

// clang-format off
/// What is to be summed over rows and columns: every output pixel is the sum of the values of all input pixels that are
/// neither below it nor to its right. Sums commute.
///
///   item_type, value_type     a pixel of the input; what is summed, with + and {} as zero
///   input(), output()         rasters of as many planes, rows and columns; no plane knows of another
///   value(item)               of a pixel; cheap and pure, runs up to three times a pixel
///   plain                     value() is the item itself
template <class P>
concept grid_program = requires(P const p, typename P::item_type const& item) {
  { p.value(item) } -> std::same_as<typename P::value_type>;
  { P::plain } -> std::convertible_to<bool>;
  p.input().at(0, 0, 0);
  p.output().set(0, 0, 0, p.value(item));
};
// clang-format on

/// How a machine cuts a grid: tiles of one size, from left to right, then band by band, then plane by plane. A tile
/// tells others three kinds of sums, each in a chain of its own:
///
///   rows      of a row of the tile; goes to the right
///   columns   of a column of the tile; goes down
///   corner    of everything to the left of the tile in its band; goes down
///
/// so that a pixel's sum is that of its tile, and of the three chains before it. Every sum of a chain is plain, and is
/// published without waiting for an older one of the same chain: nothing runs tile by tile. A slot's two states are
/// published in order, by one thread or with a barrier between: else words of the older could cover some of the newer,
/// and a sum of several words would never be whole again.
struct grid_tiles {
  extent planes, bands, strips;
  int rows, columns;  ///< of a tile
  int lead;           ///< columns by which the first tile of a band begins before the image

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
               down = std::uint32_t(bands);  // a launch has fewer than 2^31
    auto const line = tile / across;
    return {index, line / down, line % down, tile - line * across};
  }

  /// The board's slots: the sum of a tile's row, of its column, and its corner, in lines as long as a tile's side; how
  /// far the older one of each chain is.
  ONEPASS_FUNCTION extent row(extent tile, int y) const { return tile * rows + y; }
  ONEPASS_FUNCTION extent column(extent tile, int x) const { return number() * rows + tile * columns + x; }
  ONEPASS_FUNCTION extent corner(extent tile) const { return number() * (rows + columns) + tile; }
  ONEPASS_FUNCTION extent slots() const { return number() * (rows + 1 + columns); }
  ONEPASS_FUNCTION extent step_of_rows() const { return rows; }
  ONEPASS_FUNCTION extent step_of_columns() const { return strips * columns; }
  ONEPASS_FUNCTION extent step_of_corners() const { return strips; }
};

/// sums[c] = everything that precedes slot `first + c between` in its chain of `older` slots, each `step` before the
/// next: back to the first slot, or one that holds a prefix. `Window` slots of every chain are asked for at a time, and
/// all of them again as long as one that is needed is missing: one way to the board and back instead of one for each.
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
        {  // the oldest slot may be looked at several times
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

}  // namespace onepass
