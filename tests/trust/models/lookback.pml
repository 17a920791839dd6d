/* SPDX-License-Identifier: Apache-2.0
   The chained schedules: board::draw, close, publish and wait (core/onepass/engine/board.hpp, descriptor.hpp), take_turn
   (engine/items/chained.hpp), look_back and look_back_window (engine/lookback.hpp), which block::look_back of cuda/team.hpp walks
   in the same way, and the loops of host/items.hpp, kokkos/items.hpp and cuda/chained.hpp around them.

   TILES tiles are taken by TEAMS teams, of which RESIDENT fit on the machine at a time; a team stays until it has ended.
   PERSISTENT teams draw until no tile is left, others once. Teams are alike, so that they are numbered as they draw first.
   Every ANCHOR-th tile publishes its prefix; a walk asks WINDOW tiles together. */
#ifndef TILES
#define TILES 4
#endif
#ifndef TEAMS
#define TEAMS TILES
#endif
#ifndef RESIDENT
#define RESIDENT TEAMS
#endif
#ifndef WORDS
#define WORDS 2
#endif
#ifndef WINDOW
#define WINDOW 1
#endif
#ifndef ANCHOR
#define ANCHOR 1
#endif
#ifndef PERSISTENT
#define PERSISTENT 0
#endif
#ifndef LAUNCHES
#define LAUNCHES 2
#endif
#define BOARD (TILES * WORDS)
#include "words.inc"

#if PERSISTENT
#define DRAWS (TILES + TEAMS)
#else
#define DRAWS TEAMS
#endif
#ifdef BREAK_CLOSE
#define LAST_DRAW (DRAWS - 2)
#else
#ifdef BREAK_DRAWS
#define LAST_DRAW DRAWS
#else
#define LAST_DRAW (DRAWS - 1)
#endif
#endif

byte control_epoch = LAST_EPOCH, control_next = 0;  /* one word; its additions are atomic */
byte running = 0, first_draws = 0;
byte taken[TILES];

proctype team(byte number)
{
  byte mine, now, at0, at1, status, older, newer, first, last, w;
  short tile;
  bool all_there, folded;

  do
  :: atomic {
#ifdef BREAK_TICKETS
       running < RESIDENT -> running++; mine = number; now = control_epoch; control_next++
#else
       first_draws == number && running < RESIDENT -> running++; first_draws++; mine = control_next; now = control_epoch;
       control_next++
#endif
     }
     break
  od;
drawn:
  if
#ifdef BREAK_TICKETS
  :: control_next == DRAWS ->
#else
  :: mine == LAST_DRAW ->
#endif
     d_step { control_epoch = next_epoch(now); control_next = 0 }
  :: else
  fi;
  if
  :: mine >= TILES -> goto ended
  :: else
  fi;
  atomic { taken[mine]++; assert(taken[mine] == 1); first = mine; last = mine + 1 };
#ifndef BREAK_SILENCE
  atomic {
    if
    :: mine > 0 -> tell(mine, now, AGGREGATE, mine, mine + 1)
    :: else
    fi
  };
#endif

  tile = mine - 1;
  all_there = mine == 0;
  do
  :: all_there -> break
  :: else ->
     w = 0;
     folded = false;
     do
     :: w < WINDOW && w <= tile ->
        wait_for(tile - w, now);
        atomic {
          if
          :: !folded -> assert(newer == first); first = older; folded = status == PREFIX
          :: else
          fi;
          w++; status = 0; older = 0; newer = 0
        }
     :: else -> break
     od;
     atomic { all_there = folded; tile = tile - WINDOW; w = 0; folded = false; assert(all_there || tile >= 0) }
  od;
  assert(first == 0 && last == mine + 1);
  atomic {
    if
    :: mine % ANCHOR == 0 -> tell(mine, now, PREFIX, 0, mine + 1)
    :: else
    fi;
    tile = 0; all_there = false; first = 0; last = 0
  };
#if PERSISTENT
  atomic { mine = control_next; now = control_epoch; control_next++ };
  goto drawn;
#endif
ended:
  running--
}

init
{
  byte launch, k, j;
  d_step { leave_rubbish(LAST_EPOCH - 1) };
  for (launch : 1 .. LAUNCHES) {
    atomic {
      first_draws = 0;
      for (k : 0 .. TEAMS - 1) { run team(k) }
    };
    _nr_pr == 1;
    d_step {
      for (k : 0 .. TILES - 1) { assert(taken[k] == 1); taken[k] = 0 }
      assert(control_next == 0 && control_epoch == (launch == 1 -> 1 : launch));
      forget_history()
    }
  }
}
