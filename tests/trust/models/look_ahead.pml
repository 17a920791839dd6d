/* SPDX-License-Identifier: Apache-2.0
   The look-ahead schedule: look_ahead::run (backends/onepass/backends/cuda/look_ahead/look_ahead.hpp), load and each_slot of its ring
   (ring.hpp), reduce_tiles and look_ahead_of_tiles (reduce.hpp), growing_prefix::grow (prefix.hpp), and write_mapped
   (write_mapped.hpp), whose squads give a slot back when they have written the next. With more than one of DEVICES, the same over
   tiles that are dealt to them in runs of RUN (backends/onepass/backends/cuda/dealt.hpp): each has tickets and a board of its own.

   BLOCKS blocks, all of which run, pass TILES tiles through SLOTS slots each; WRITERS squads write. A transfer_barrier is the bit of
   its phase: it flips when all have arrived, and wait(parity) ends once the bit differs. */
#ifndef TILES
#define TILES 4
#endif
#ifndef BLOCKS
#define BLOCKS 2
#endif
#ifndef SLOTS
#define SLOTS 2
#endif
#ifndef WRITERS
#define WRITERS 1
#endif
#ifndef WORDS
#define WORDS 1
#endif
#ifndef DEVICES
#define DEVICES 1
#endif
#ifndef RUN
#define RUN 1
#endif
#define HISTORY 2
#define BOARD (DEVICES * TILES * WORDS)
#include "words.inc"

#define END 255
typedef slot {
  bit filled, reduced, prefixed, freed;
  byte index, prefix
};
slot ring[BLOCKS * SLOTS];
#define at(s) ring[block * SLOTS + (s)]

#define device (block % DEVICES)
#define tiles_here ((TILES / RUN + DEVICES - 1 - device) / DEVICES * RUN + (TILES / RUN % DEVICES == device -> TILES % RUN : 0))
#define place(tile) (((tile) / RUN * DEVICES + device) * RUN + (tile) % RUN)

byte control_epoch[DEVICES], control_next[DEVICES], first_draws = 0;
byte written[TILES];

#define draw(to) to = control_next[device]; control_next[device]++; \
  if \
  :: to == tiles_here + BLOCKS / DEVICES - 1 -> control_epoch[device] = next_epoch(LAST_EPOCH); control_next[device] = 0 \
  :: else \
  fi

#define next_slot(step) \
  s = s + step; \
  if \
  :: s >= SLOTS -> s = s - SLOTS; parity = 1 - parity \
  :: else \
  fi

#define fill() \
  if \
  :: drawn < tiles_here -> at(s).index = drawn \
  :: else -> at(s).index = END; ends++ \
  fi; \
  at(s).filled = 1 - at(s).filled; \
  next_slot(1)

proctype load(byte block)
{
  byte s = 0, ends = 0, drawn = END;
  bit parity = 1;
#ifdef DRAWS_EARLY
  do
  :: atomic { ends == 0 && (drawn != END || DEVICES > 1 || first_draws == block) -> first_draws = first_draws + (drawn == END); draw(drawn) };
     atomic { at(s).freed != parity -> fill() }
  :: atomic { ends > 0 && ends < WRITERS && at(s).freed != parity -> fill() }
  :: ends == WRITERS -> break
  od
#else
  do
  :: atomic { ends == 0 && at(s).freed != parity && (drawn != END || DEVICES > 1 || first_draws == block) ->
       first_draws = first_draws + (drawn == END); draw(drawn); fill() }
  :: atomic { ends > 0 && ends < WRITERS && at(s).freed != parity -> fill() }
  :: ends == WRITERS -> break
  od
#endif
}

proctype reduce(byte block)
{
  byte s = 0, board_of;
  bit parity = 0;
  do
  :: atomic { at(s).filled != parity && at(s).index != END ->
       for (board_of : 0 .. DEVICES - 1) {
         tell(board_of * TILES + place(at(s).index), LAST_EPOCH, AGGREGATE, place(at(s).index), place(at(s).index) + 1)
       }
       at(s).reduced = 1 - at(s).reduced;
       next_slot(1) }
  :: at(s).filled != parity && at(s).index == END -> break
  od
}

proctype look_ahead(byte block)
{
  byte s = 0, seen = 0, prefix = 0, at0, at1, status, older, newer;
  bit parity = 0;
  do
  :: at(s).filled != parity && at(s).index == END -> break
  :: at(s).filled != parity && at(s).index != END && seen < place(at(s).index) ->
     wait_for(device * TILES + seen, LAST_EPOCH);
     atomic { assert(older == prefix); prefix = newer; seen++; status = 0; older = 0; newer = 0 }
  :: atomic { at(s).filled != parity && at(s).index != END && seen == place(at(s).index) ->
       at(s).prefix = prefix;
       at(s).prefixed = 1 - at(s).prefixed;
       next_slot(1) }
  od
}

proctype write(byte block; byte s)
{
  byte stored = END;
  bit parity = 0;
  do
  :: atomic { at(s).filled != parity && at(s).index != END && at(s).reduced != parity && at(s).prefixed != parity ->
       assert(at(s).prefix == place(at(s).index));
       written[place(at(s).index)]++;
       if
       :: stored != END -> at(stored).freed = 1 - at(stored).freed
       :: else
       fi;
       stored = s;
       next_slot(WRITERS) }
  :: at(s).filled != parity && at(s).index == END -> break
  od;
#ifndef BREAK_LAST_SLOT
  if
  :: stored != END -> at(stored).freed = 1 - at(stored).freed
  :: else
  fi
#endif
}

init
{
  byte k, j;
  d_step {
    leave_rubbish(LAST_EPOCH - 1);
    for (k : 0 .. DEVICES - 1) { control_epoch[k] = LAST_EPOCH }
  };
#ifdef BREAK_ONE_DEVICE
  for (k : 0 .. BLOCKS - 1) {
    atomic { run load(k); run reduce(k); run look_ahead(k); run write(k, 0) };
    _nr_pr == 1
  };
#else
  atomic {
    for (k : 0 .. BLOCKS - 1) {
      run load(k); run reduce(k); run look_ahead(k);
      for (j : 0 .. WRITERS - 1) { run write(k, j) }
    }
  };
#endif
  _nr_pr == 1;
  d_step {
    for (k : 0 .. TILES - 1) { assert(written[k] == 1) }
    for (k : 0 .. DEVICES - 1) { assert(control_next[k] == 0 && control_epoch[k] == 1) }
  }
}
