#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs tests for CUDA with every device buffer ending at an unmapped page (fence.cpp), and counts those that pass.

usage: fence.py BUILD [--alignment N] [--seconds S] [--jobs J] [--ledger FILE] [PROGRAM:ROW ...]
  BUILD      has the programs and libonepass_fence.so (the target onepass_fence); without names, every row for CUDA runs
  PROGRAM    test_scan.cuda, say, and its row: test_scan.cuda:cuda
  --ledger   a CSV of what passed; what stands there is not run again
First a planted overrun by one item has to be stopped: without the fence it is not seen.
"""
import argparse
import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import ledger  # noqa: E402

FIELDS = ["program", "row", "alignment", "tests", "seconds"]
ROWS = {"cuda": ["cuda"], "cuda_tiny": ["cuda_tiny_reluctant", "cuda_tiny_ahead"], "cuda_portable": ["cuda_portable", "cuda_portable_two_pass"]}


def run(command, folder, alignment, seconds, **more):
    environment = dict(os.environ, **more)
    if alignment:
        environment |= {"ONEPASS_FENCE": str(alignment), "LD_PRELOAD": str(folder / "libonepass_fence.so")}
    try:
        return subprocess.run([str(c) for c in command], env=environment, capture_output=True, text=True, timeout=seconds)
    except subprocess.TimeoutExpired:
        return None


def stops_overruns(folder, alignment):
    """Whether the fence stops what it should and nothing else."""
    wrong = []
    for what in ("inside", "reads", "writes", "freed"):
        for fenced in (0, alignment):
            done = run([folder / "onepass_overrun", what], folder, fenced, 60)
            stopped = done is None or done.returncode != 0
            if stopped != (bool(fenced) and what != "inside") and not (what == "freed" and not fenced):
                wrong.append(f"{what}, {'fenced' if fenced else 'not fenced'}: {'stopped' if stopped else 'not stopped'}")
    return wrong


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("names", nargs="*")
    parser.add_argument("--alignment", type=int, default=1)
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--jobs", type=int, default=4)
    parser.add_argument("--ledger", type=pathlib.Path)
    asked = parser.parse_args()
    folder, start = asked.build / "tests", time.monotonic()
    names = asked.names or [f"{p.name}:{row}" for kind, rows in ROWS.items() for p in sorted(folder.glob(f"test_*.{kind}")) for row in rows]
    entries = ledger.rows(asked.ledger) if asked.ledger else []
    done = {(r["program"], r["row"], int(r["alignment"])) for r in entries}
    wrong = stops_overruns(folder, asked.alignment)
    print(f"fence: planted overruns: {'; '.join(wrong) or 'stopped'}")

    def one(name):
        program, row = name.split(":")
        left = asked.seconds - (time.monotonic() - start)
        if (program, row, asked.alignment) in done or left <= 0:
            return name, None, 0.0
        begin = time.monotonic()
        return name, run([folder / program], folder, asked.alignment, left, ONEPASS_TEST_ROW=row), time.monotonic() - begin

    with concurrent.futures.ThreadPoolExecutor(asked.jobs) as pool:
        for name, result, took in pool.map(one, [] if wrong else names):
            if result is None:
                print(f"fence: {name}: not run, or not to its end, after {took:.0f} s")
                continue
            passed = re.search(r"\[  PASSED  \] (\d+) test", result.stdout)
            buffers = re.search(r"fence: (\d+) buffers", result.stderr)
            if result.returncode or not passed or not buffers:
                wrong.append(name)
                print(f"fence: {name} fails after {took:.0f} s:\n{result.stdout[-1500:]}\n{result.stderr[-1500:]}")
                continue
            print(f"fence: {name}: {passed[1]} tests in {took:.1f} s, {buffers[1]} buffers")
            entries.append(dict(zip(FIELDS, [*name.split(":"), asked.alignment, passed[1], f"{took:.1f}"])))
            if asked.ledger:
                ledger.write(asked.ledger, FIELDS, entries)
    print(f"fence: {sum(int(r['tests']) for r in entries)} tests passed, {len(wrong)} wrong")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
