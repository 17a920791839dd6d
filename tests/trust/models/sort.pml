/* SPDX-License-Identifier: Apache-2.0
   The passes of a radix sort: digit_scatter::run, publish and look_back (backends/onepass/backends/cuda/orders.hpp).

   A tile has a word for each of BINS bins. Its block publishes all its counts, and looks back for each bin, WINDOW tiles at a time, of
   which those before tile 0 are tile 0 again. The last tile of a portion says where the next portion's bins begin; PORTIONS launches
   follow each other on one board. RESIDENT blocks fit on the machine at a time. */
#ifndef TILES
#define TILES 4
#endif
#ifndef BINS
#define BINS 2
#endif
#ifndef WINDOW
#define WINDOW 2
#endif
#ifndef ANCHOR
#define ANCHOR 1
#endif
#ifndef RESIDENT
#define RESIDENT TILES
#endif
#ifndef PORTIONS
#define PORTIONS 2
#endif
#define WORDS 1
#define BOARD (TILES * BINS)
#include "words.inc"

byte control_epoch = LAST_EPOCH, control_next = 0, running = 0;
byte places[BINS], next_places[BINS];

proctype tile(byte number)
{
  byte mine, now, bin, at0, at1, status, older, newer, first, w;
  short earlier;

  atomic { control_next == number && running < RESIDENT -> running++; mine = number; now = control_epoch; control_next++ };
  if
  :: mine == TILES - 1 -> d_step { control_epoch = next_epoch(now); control_next = 0 }
  :: else
  fi;
  for (bin : 0 .. BINS - 1) {
#ifdef BREAK_FIRST
    tell(mine * BINS + bin, now, AGGREGATE, mine, mine + 1)
#else
    tell(mine * BINS + bin, now, (mine == 0 -> PREFIX : AGGREGATE), mine, mine + 1)
#endif
  };
  for (bin : 0 .. BINS - 1) {
    earlier = mine - 1;
    first = mine;
    w = 0;
    do
    :: earlier < 0 -> break
    :: earlier >= 0 ->
       wait_for((earlier > w -> earlier - w : 0) * BINS + bin, now);
       atomic {
         assert(newer == first);
         first = older;
         w++;
         if
         :: status == PREFIX -> earlier = -1; w = 0
         :: status != PREFIX && w == WINDOW -> earlier = earlier - WINDOW; w = 0
         :: else
         fi;
         status = 0; older = 0; newer = 0
       }
    od;
    atomic {
      assert(first == 0);
      if
      :: mine > 0 && mine % ANCHOR == 0 -> tell(mine * BINS + bin, now, PREFIX, 0, mine + 1)
      :: else
      fi;
      if
      :: mine == TILES - 1 -> next_places[bin] = places[bin] + TILES
      :: else
      fi;
      first = 0; earlier = 0
    }
  };
  running--
}

init
{
  byte portion, k, j;
  d_step { leave_rubbish(LAST_EPOCH - 1) };
  for (portion : 1 .. PORTIONS) {
    atomic { for (k : 0 .. TILES - 1) { run tile(k) } };
    _nr_pr == 1;
    d_step {
      for (k : 0 .. BINS - 1) { assert(next_places[k] == portion * TILES); places[k] = next_places[k] }
      forget_history()
    }
  }
}
