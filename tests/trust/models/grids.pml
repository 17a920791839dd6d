/* SPDX-License-Identifier: Apache-2.0
   The grids of the CUDA backend: take_grid_tile (backends/onepass/backends/cuda/grids.hpp), sum_rows and sum_columns (grids/sums.hpp),
   look_up, look_left and look_at_corner (grids/look.hpp), and sum_back (core/onepass/engine/grids.hpp), whose three chains lie on one
   board.

   A tile of BANDS x STRIPS has one row, one column and a corner; what its warps do at the same time are processes: one sums rows, one
   sums columns and looks up, one looks left, one looks at the corner. Rows carry the strips that they sum, columns and corners the
   bands. LATE columns look up when the rows are told. RESIDENT blocks fit on the machine at a time.

   OF_THAT_DAY are the grids before "a slot's aggregate is published before its prefix": the warp that sums rows let the warp that looks
   left go on before it published the sums, so that two warps stored in one slot in no order (docs/decisions/0012-grid-programs.md). */
#ifndef BANDS
#define BANDS 2
#endif
#ifndef STRIPS
#define STRIPS 2
#endif
#ifndef WORDS
#define WORDS 2
#endif
#ifndef COLUMNS
#define COLUMNS 1
#endif
#ifndef LATE
#define LATE 1
#endif
#define TILES (BANDS * STRIPS)
#ifndef RESIDENT
#define RESIDENT TILES
#endif
#define SLOTS (3 * TILES)
#define BOARD (SLOTS * WORDS)
#include "words.inc"

#define row(tile) (tile)
#define column(tile) (TILES + (tile))
#define corner(tile) (2 * TILES + (tile))

typedef block_memory {
  byte arrived;  /* at the barrier of all warps but the corner's */
  byte ended     /* at the last one, of all */
};
block_memory memory_of[TILES];
byte running = 0;
#define m memory_of[tile]
#define now LAST_EPOCH

/* The sum of everything before slot `from` in a chain of `before` slots that are `step` apart; its stretch begins at `first`. */
#define sum_back(from, step, before) \
  k = 1; first = before; \
  do \
  :: k > before -> break \
  :: k <= before -> \
     wait_for((from) - k * (step), now); \
     atomic { \
       assert(newer == first); first = older; \
       k = (status == PREFIX -> before + 1 : k + 1); \
       status = 0; older = 0; newer = 0 \
     } \
  od; \
  assert(first == 0)

proctype sum_rows(byte tile)
{
#ifdef OF_THAT_DAY
  m.arrived++;
#ifdef ONE_BY_ONE
  store(2 * row(tile), made(now, AGGREGATE, tile % STRIPS));
  store(2 * row(tile) + 1, made(now, AGGREGATE, tile % STRIPS + 1));
#else
  atomic { tell(row(tile), now, AGGREGATE, tile % STRIPS, tile % STRIPS + 1) };
#endif
  m.ended++
#else
  atomic { tell(row(tile), now, AGGREGATE, tile % STRIPS, tile % STRIPS + 1); m.arrived++; m.ended++ }
#endif
}

proctype columns(byte tile)
{
  byte at0, at1, status, older, newer, first, k;
  byte band = tile / STRIPS;
  atomic { tell(column(tile), now, AGGREGATE, band, band + 1); m.arrived++ };
#if LATE
  m.arrived == 2 + COLUMNS;
#endif
  sum_back(column(tile), STRIPS, band);
  atomic {
    if
    :: band > 0 -> tell(column(tile), now, PREFIX, 0, band + 1)
    :: else
    fi;
    m.ended++
  }
}

proctype look_left(byte tile)
{
  byte at0, at1, status, older, newer, first, k;
  byte strip = tile % STRIPS;
  sum_back(row(tile), 1, strip);
  atomic { tell(corner(tile), now, AGGREGATE, tile / STRIPS, tile / STRIPS + 1); m.arrived++ };
#ifndef BREAK_BARRIER
  m.arrived == 2 + COLUMNS;
#endif
#ifdef ONE_BY_ONE
  if
  :: strip > 0 -> store(2 * row(tile), made(now, PREFIX, 0)); store(2 * row(tile) + 1, made(now, PREFIX, strip + 1))
  :: else
  fi;
  m.ended++
#else
  atomic {
    if
    :: strip > 0 -> tell(row(tile), now, PREFIX, 0, strip + 1)
    :: else
    fi;
    m.ended++
  }
#endif
}

proctype look_at_corner(byte tile)
{
  byte at0, at1, status, older, newer, first, k;
  byte band = tile / STRIPS;
  sum_back(corner(tile), STRIPS, band);
  atomic {
    m.ended == 2 + COLUMNS ->
    if
    :: band > 0 -> tell(corner(tile), now, PREFIX, 0, band + 1)
    :: else
    fi;
    running--
  }
}

init
{
  byte t, j, k;
  d_step { leave_rubbish(LAST_EPOCH - 1) };
  for (t : 0 .. TILES - 1) {
    atomic {
      running < RESIDENT -> running++;
      run sum_rows(t); run look_left(t); run look_at_corner(t);
#if COLUMNS
      run columns(t)
#endif
    }
  };
  _nr_pr == 1
}
