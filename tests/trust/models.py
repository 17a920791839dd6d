#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the models of tests/trust/models through SPIN: those of the code as it is must have no wrong state, no deadlock and no cycle, and
each defect that is put into one must be found.

usage: models.py [--count] [MODEL ...]     all models, or those; --count writes what was seen into tests/trust/counts.csv
Exits with 77 where there is no spin or no C compiler.
"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

import ledger

HERE = pathlib.Path(__file__).resolve().parent
MODELS = HERE / "models"
MOST_SECONDS = 300  # a search takes seconds; on a crowded machine more

# The code as it is: a model, and its sizes.
SOUND = [
    ("lookback", "TILES=5"),
    ("lookback", "TILES=5 WINDOW=2 ANCHOR=3"),
    ("lookback", "TILES=5 WORDS=1 WINDOW=5 ANCHOR=8"),
    ("lookback", "TILES=4 RESIDENT=2 LAUNCHES=3"),
    ("lookback", "TILES=4 PERSISTENT=1 TEAMS=3 LAUNCHES=3"),
    ("look_ahead", "TILES=5"),
    ("look_ahead", "TILES=5 DRAWS_EARLY"),
    ("look_ahead", "TILES=4 SLOTS=3 WRITERS=2"),
    ("look_ahead", "TILES=3 SLOTS=3 WRITERS=2 WORDS=2"),
    ("look_ahead", "TILES=5 DEVICES=2 RUN=2"),
    ("look_ahead", "TILES=4 DEVICES=2 WORDS=2"),
    ("sort", "TILES=4"),
    ("sort", "TILES=5 WINDOW=3 PORTIONS=1 RESIDENT=4"),
    ("sort", "TILES=5 ANCHOR=8 BINS=1"),
    ("grids", "BANDS=1 STRIPS=5 COLUMNS=0 RESIDENT=3"),
    ("grids", "BANDS=2 STRIPS=2 WORDS=1 RESIDENT=2"),
    ("grids", "BANDS=2 STRIPS=2 WORDS=1 RESIDENT=2 LATE=0"),
    ("grids", "BANDS=3 STRIPS=1 RESIDENT=2"),
    ("grids", "BANDS=1 STRIPS=3 COLUMNS=0 ONE_BY_ONE"),
    ("host_grids", "BANDS=5 THREADS=3"),
    ("rounds", "TILES=3 ROUNDS=3 BLOCKS=2"),
    ("rounds", "TILES=2 ROUNDS=3 BLOCKS=3 RESIDENT=2"),
    ("epochs", "CAPACITY=5"),
]

# Defects: a model, its sizes, and what must be found.
ASSERTION, DEADLOCK = "assertion violated", "invalid end state"
BROKEN = [
    ("lookback", "TILES=3 BREAK_EPOCH", ASSERTION, "words of an earlier launch are taken"),
    ("lookback", "TILES=3 BREAK_TAGS", ASSERTION, "only the first word's tag is looked at"),
    ("lookback", "TILES=3 RESIDENT=2 BREAK_TICKETS", DEADLOCK, "tiles by the numbers of blocks instead of tickets"),
    ("lookback", "TILES=3 PERSISTENT=1 TEAMS=2 BREAK_CLOSE", ASSERTION, "a launch is closed a draw early"),
    ("lookback", "TILES=3 BREAK_DRAWS", ASSERTION, "a launch is not closed"),
    ("lookback", "TILES=4 ANCHOR=2 BREAK_SILENCE", DEADLOCK, "aggregates are not published"),
    ("look_ahead", "BREAK_EPOCH", ASSERTION, "words of an earlier launch are taken"),
    ("look_ahead", "SLOTS=3 WRITERS=2 BREAK_LAST_SLOT", DEADLOCK, "a squad that ends keeps its last slot"),
    ("look_ahead", "TILES=3 DEVICES=2 BREAK_ONE_DEVICE", DEADLOCK, "kernels of two ranks that do not run at once"),
    ("sort", "TILES=3 BREAK_EPOCH", ASSERTION, "words of an earlier launch are taken"),
    ("sort", "TILES=3 BREAK_FIRST", ASSERTION, "tile 0 publishes an aggregate"),
    ("grids", "BANDS=1 STRIPS=3 COLUMNS=0 ONE_BY_ONE OF_THAT_DAY", DEADLOCK, "the grids of the day on which they hung"),
    ("grids", "BANDS=1 STRIPS=3 COLUMNS=0 ONE_BY_ONE BREAK_BARRIER", DEADLOCK, "no barrier between a sum and its prefix"),
    ("host_grids", "BREAK_RELEASE", ASSERTION, "no release fence"),
    ("host_grids", "BREAK_ACQUIRE", ASSERTION, "no acquire fence"),
    ("host_grids", "BREAK_EPOCH", ASSERTION, "words of an earlier launch are taken"),
    ("rounds", "BREAK_WAIT", ASSERTION, "a round does not wait for the one before"),
    ("rounds", "BREAK_RELEASE", ASSERTION, "no fence before a tile is done"),
    ("rounds", "BREAK_ACQUIRE", ASSERTION, "no fence behind the wait"),
    ("epochs", "CAPACITY=5 BREAK_SCRUB", ASSERTION, "no word is cleared"),
    ("epochs", "CAPACITY=4 WRAP=6", ASSERTION, "epochs come round before all words are cleared"),
]
ENDLESS = {"epochs"}


def searched(model, sizes, cycles, optimised="-O1"):
    """What pan says about a model: the errors that it names, and the number of states."""
    with tempfile.TemporaryDirectory() as folder:
        for file in MODELS.iterdir():
            shutil.copy(file, folder)

        def run(*command):
            said = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=MOST_SECONDS)
            if said.returncode:
                sys.exit(f"models: {' '.join(command)}: {said.stdout}{said.stderr}")
            return said.stdout

        run("spin", "-a", *(f"-D{size}" for size in sizes.split()), f"{model}.pml")
        run("cc", optimised, "-w", "-DCOLLAPSE", "-DMEMLIM=3000", "-DNP" if cycles else "-DSAFETY", "-o", "pan", "pan.c")
        said = run("./pan", "-m100000", "-w22", *(["-l"] if cycles else []))
    errors = re.findall(r"^pan:\d+: (.*?)(?: \(at depth.*)?$", said, re.MULTILINE)
    whole = "Search not completed" not in said and "max search depth too small" not in said
    states = re.search(r"^ *([\d.e+]+) states, stored", said, re.MULTILINE)
    return errors if errors or whole else ["the search did not end"], int(float(states.group(1))) if states else 0


def main():
    asked = [a for a in sys.argv[1:] if a != "--count"]
    known = {p.stem for p in MODELS.glob("*.pml")}
    if wrong := [a for a in asked if a not in known]:
        sys.exit(f"{__doc__}\nno model {wrong[0]}; there are {', '.join(sorted(known))}")
    for tool in ("spin", "cc"):
        if not shutil.which(tool):
            print(f"models: skipped: there is no {tool} here; Debian has it in a package (scripts/setup installs it)")
            sys.exit(77)
    failed = states = runs = found = 0
    for model, sizes in SOUND:
        if asked and model not in asked:
            continue
        begin = time.monotonic()
        errors, seen = searched(model, sizes, cycles=False)
        if not errors and model not in ENDLESS:
            errors, _ = searched(model, sizes, cycles=True)
        states, runs, failed = states + seen, runs + 1, failed + bool(errors)
        print(f"models: {model} {sizes}: {seen} states, {time.monotonic() - begin:.1f} s"
              + "".join(f"\n  WRONG: {e}" for e in errors), flush=True)
    for model, sizes, wanted, what in BROKEN:
        if asked and model not in asked:
            continue
        errors, _ = searched(model, sizes, cycles=False, optimised="-O0")
        seen = any(wanted in e for e in errors)
        found, failed = found + seen, failed + (not seen)
        print(f"models: {model} {sizes}: {what}: {'found' if seen else f'NOT FOUND: {errors}'}", flush=True)
    print(f"models: {runs} sound ones, {states} states; {found} defects found; {failed} failed")
    if "--count" in sys.argv and not asked and not failed:
        ledger.count({"states of the protocols' models, without a wrong one": states,
                      "defects of the protocols' models, all found": found}, "tests/trust/models.py")
    sys.exit(bool(failed))


if __name__ == "__main__":
    main()
