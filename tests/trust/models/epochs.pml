/* SPDX-License-Identifier: Apache-2.0
   Words that outlive their launch: board::close (core/onepass/engine/board.hpp) clears one word a launch, and epoch::next
   (descriptor.hpp) comes round again. Launches of any sizes follow each other on a board of CAPACITY words, and epochs are
   1 to WRAP; none begins with a word that bears its own epoch. It holds from a WRAP of 2 CAPACITY - 1 on, and the library's has 30 bits:
   boards of 4 GiB. */
#ifndef CAPACITY
#define CAPACITY 3
#endif
#ifndef WRAP
#define WRAP (2 * CAPACITY - 1)
#endif
byte words[CAPACITY];  /* the epoch of each; 0: none */
byte epoch = 1;

active proctype launches()
{
  byte used, k;
  do
  :: select(used : 1 .. CAPACITY);
     d_step {
       for (k : 0 .. CAPACITY - 1) { assert(words[k] != epoch) }
       for (k : 0 .. used - 1) { words[k] = epoch }
#ifndef BREAK_SCRUB
       if
       :: epoch % CAPACITY >= used -> words[epoch % CAPACITY] = 0
       :: else
       fi;
#endif
       epoch = (epoch == WRAP -> 1 : epoch + 1);
       k = 0
     };
     used = 0
  od
}
