/* SPDX-License-Identifier: Apache-2.0
   Sorts by merges: onepass_next_rounds (backends/onepass/backends/cuda/rounds.hpp). Blocks draw tickets, round by round; a tile of a
   round waits until as many tiles are done as all rounds before have, and then reads what any of them wrote, in plain memory.

   The next ticket is drawn before the tile of this one is begun. A tile's memory holds the number of its round; `knows` is the oldest
   value that a block can still read there. An addition to `done` behind a fence carries what its block knew, together with what the
   additions before it carried. BLOCKS blocks, of which RESIDENT fit on the machine. */
#ifndef TILES
#define TILES 2
#endif
#ifndef ROUNDS
#define ROUNDS 2
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef RESIDENT
#define RESIDENT BLOCKS
#endif
#define LAST (ROUNDS * TILES)

typedef knowledge { byte of_tile[TILES] };
knowledge knows[BLOCKS];
byte written[TILES];               /* the newest round of each tile; the first round's kernel has written 0 */
byte drawn = 0, done = 0, running = 0, first_draws = 0;
knowledge carried[LAST + 1];       /* what the newest `done` additions carry */

proctype block(byte self)
{
  byte next, mine, seen, k, read, before;
  atomic { first_draws == self && running < RESIDENT -> first_draws++; running++; next = drawn; drawn++ };
  do
  :: next >= LAST -> break
  :: else ->
     atomic { mine = next; next = drawn; drawn++; before = mine / TILES * TILES };
#ifndef BREAK_WAIT
     atomic {
       done >= before ->
       seen = before;
       do
       :: seen < done -> seen++
       :: break
       od;
#ifndef BREAK_ACQUIRE
       for (k : 0 .. TILES - 1) {
         knows[self].of_tile[k] = (carried[seen].of_tile[k] > knows[self].of_tile[k] -> carried[seen].of_tile[k] : knows[self].of_tile[k])
       }
#endif
     };
#endif
     for (k : 0 .. TILES - 1) {
       atomic {
         assert(written[k] <= mine / TILES + 1);  /* rounds write to two memories in turn: this one is not written over */
         read = (knows[self].of_tile[k] < mine / TILES -> knows[self].of_tile[k] : mine / TILES);
         do
         :: read < written[k] && read < mine / TILES -> read++
         :: break
         od;
         assert(read == mine / TILES);
         read = 0
       }
     };
     atomic { written[mine % TILES] = mine / TILES + 1; knows[self].of_tile[mine % TILES] = written[mine % TILES] };
     atomic {
       done++;
       for (k : 0 .. TILES - 1) {
#ifdef BREAK_RELEASE
         carried[done].of_tile[k] = carried[done - 1].of_tile[k]
#else
         carried[done].of_tile[k] = (carried[done - 1].of_tile[k] > knows[self].of_tile[k] -> carried[done - 1].of_tile[k] : knows[self].of_tile[k])
#endif
       };
       seen = 0; k = 0; mine = 0; before = 0
     }
  od;
  running--
}

init
{
  byte k;
  atomic { for (k : 0 .. BLOCKS - 1) { run block(k) } };
  _nr_pr == 1;
  for (k : 0 .. TILES - 1) { assert(written[k] == ROUNDS) }
}
