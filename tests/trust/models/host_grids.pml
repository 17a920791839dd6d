/* SPDX-License-Identifier: Apache-2.0
   The grids of host threads: grid_bands::work, wait and hand_down (backends/onepass/backends/host/grids.hpp). Sums of columns go from
   band to band through plain memory, one row of it, and a word a block says how many bands are in it: here values are passed beside
   the words, so that fences are needed.

   A block's sums are a number of bands. Plain memory, too, shows any value that is not older than what a thread knows of: `knows`. A
   word that is stored behind a release fence carries what its thread knew; an acquire fence behind the load takes it over. THREADS
   threads draw BANDS bands of BLOCKS blocks. */
#ifndef BANDS
#define BANDS 4
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef THREADS
#define THREADS 2
#endif
#define HISTORY (BANDS + 1)
#define BOARD BLOCKS
#define WORDS 1
#include "words.inc"

#define RUBBISH 99
typedef plain { byte value[HISTORY]; byte stores };
plain above[BLOCKS];
typedef knowledge { byte of_block[BLOCKS] };
knowledge knows[THREADS];
typedef messages { knowledge with[HISTORY] };
messages carried[BLOCKS];

byte control_epoch = LAST_EPOCH, control_next = 0, first_draws = 0;
#define now LAST_EPOCH
#define draw() \
  mine = control_next; control_next++; \
  if \
  :: mine == BANDS + THREADS - 1 -> control_epoch = next_epoch(now); control_next = 0 \
  :: else \
  fi

#define enough(value) (status_of(value, now) != INVALID && ((value) & 255) >= mine)

proctype thread(byte self)
{
  byte mine, block, seen, k, running;
  atomic { first_draws == self -> first_draws++; draw() };
  do
  :: mine >= BANDS -> break
  :: else ->
     for (block : 0 .. BLOCKS - 1) {
       if
       :: mine > 0 ->
          atomic {
            enough(board[block].value[board[block].stores - 1]) ->
            seen = 0;
            do
            :: seen + 1 < board[block].stores -> seen++
            :: enough(board[block].value[seen]) -> break
            od;
#ifndef BREAK_ACQUIRE
            for (k : 0 .. BLOCKS - 1) {
              knows[self].of_block[k] =
                (carried[block].with[seen].of_block[k] > knows[self].of_block[k] -> carried[block].with[seen].of_block[k] : knows[self].of_block[k])
            }
#endif
          }
       :: else
       fi;
       atomic {
         running = knows[self].of_block[block];
         do
         :: running + 1 < above[block].stores -> running++
         :: break
         od;
         running = (mine > 0 -> above[block].value[running] : 0);
         assert(running == mine);
         above[block].value[above[block].stores] = running + 1;
         knows[self].of_block[block] = above[block].stores;
         above[block].stores++;
         running = 0
       };
       atomic {
#ifndef BREAK_RELEASE
         for (k : 0 .. BLOCKS - 1) { carried[block].with[board[block].stores].of_block[k] = knows[self].of_block[k] }
#endif
         store(block, made(now, AGGREGATE, mine + 1));
         seen = 0; k = 0
       }
     };
     atomic { draw() }
  od
}

init
{
  byte k;
  d_step {
    leave_rubbish(LAST_EPOCH - 1);
    for (k : 0 .. BLOCKS - 1) { above[k].value[0] = RUBBISH; above[k].stores = 1 }
  };
  atomic { for (k : 0 .. THREADS - 1) { run thread(k) } };
  _nr_pr == 1;
  d_step {
    assert(control_next == 0 && control_epoch == 1);
    for (k : 0 .. BLOCKS - 1) { assert(above[k].stores == BANDS + 1) }
  }
}
