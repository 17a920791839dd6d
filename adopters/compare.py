#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Builds a code as it is and moved onto onepass (adopt.py), runs its own tests and some larger runs on both, and says whether they print
the same, and how long each replaced call took.

usage: adopters/compare.py CODE TREE FOLDER [--repeat N] [--jobs N] [--results FILE] [-- option of cmake ...]
TREE stays as it is. FOLDER gets before/ and after/, each with a copy of it and a build; a second run builds what has changed. The
times are appended to FILE, a row a call and size: code, call, items, calls, milliseconds before and after of the
fastest, and their ratio."""
import argparse
import collections
import csv
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

from adopt import moved, write
from codes import CODES

HERE = pathlib.Path(__file__).resolve().parent


def copy_changed(tree, to):
    """Makes `to` equal to the tree; what is equal already keeps its time, so that it is not built again."""
    for path in tree.rglob("*"):
        other = to / path.relative_to(tree)
        if path.is_file() and not (other.is_file() and other.read_bytes() == path.read_bytes()):
            other.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, other)


def prepare(code, tree, folder, side, options, jobs):
    """Builds one side, its calls timed, and returns the build folder."""
    source, build = folder / side / "source", folder / side / "build"
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        fresh = pathlib.Path(fresh) / "tree"
        shutil.copytree(tree, fresh)

        def word(becomes, original, place):
            return f'ADOPTED_TIMED("{original} at {place}", {becomes if side == "after" else original})'

        write(code, fresh, moved(code, fresh, word), ["timed.hpp"])
        copy_changed(fresh, source)
    log = (folder / side / "build.log").open("w")
    for command in (["cmake", "-G", "Ninja", "-S", source / code.folder, "-B", build, "-DCMAKE_BUILD_TYPE=Release",
                     f"-DCMAKE_PROJECT_INCLUDE={HERE}/with_onepass.cmake", "-DADOPTED=ON", *code.configure, *options],
                    ["ninja", "-C", build, f"-j{jobs}", *code.targets]):
        if subprocess.run(command, stdout=log, stderr=subprocess.STDOUT).returncode:
            sys.exit(f"compare: {side}: a command failed; see {log.name}")
    return build


def run(command, build, prints, times):
    """Runs in the build folder; what it prints of what counts."""
    done = subprocess.run(["bash", "-c", f"set -o pipefail; {command}"], cwd=build, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, env={**os.environ, "ADOPTED_TIMES": str(times)})
    said = [line.strip() for line in done.stdout.splitlines() if re.search(prints, line)]
    return done.returncode, said, done.stdout


def times_of(file):
    steps = collections.defaultdict(lambda: [0, 1e30])
    if file.exists():
        for step, items, calls, least, _ in csv.reader(file.open()):
            of = steps[step, int(items)]
            of[0] += int(calls)
            of[1] = min(of[1], float(least))
    return steps


def main():
    arguments = sys.argv[1:]
    options = arguments[arguments.index("--") + 1:] if "--" in arguments else []
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code", choices=CODES)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--results", type=pathlib.Path)
    asked = parser.parse_args([a for a in arguments if a not in options and a != "--"])
    code, folder, sides = CODES[asked.code], asked.folder.resolve(), ("before", "after")
    for side in sides:
        (folder / side).mkdir(parents=True, exist_ok=True)
    builds = {side: prepare(code, asked.tree.resolve(), folder, side, options, asked.jobs) for side in sides}

    wrong = 0
    for command in code.tests:
        results = {side: run(command, builds[side], code.prints, "/dev/null") for side in sides}
        same = results["before"][:2] == results["after"][:2]
        wrong += not same or results["before"][0] != 0
        print(f"{'same' if same else 'DIFFERENT'}  exit {results['before'][0]} and {results['after'][0]}  {command}")
        for side in sides if not same else ():
            print(f"--- {side}", *results[side][1], sep="\n    ")
    files = {side: folder / side / "times.csv" for side in sides}
    for file in files.values():
        file.unlink(missing_ok=True)
    for command in code.runs:
        for turn in range(asked.repeat):
            results = {side: run(command, builds[side], code.prints, files[side]) for side in sides[::(-1) ** turn]}
            same = results["before"][:2] == results["after"][:2] and results["before"][0] == 0
            wrong += not same
            if turn == 0 or not same:
                print(f"{'same' if same else 'DIFFERENT'}  {command}")

    before, after = (times_of(files[side]) for side in sides)
    rows = []
    for (step, items), (calls, least) in sorted(before.items()):
        if (step, items) in after:
            other = after[step, items][1]
            rows.append([asked.code, step, items, calls, f"{least * 1e3:.4f}", f"{other * 1e3:.4f}", f"{least / other:.2f}"])
            print(f"{least * 1e3:10.4f} ms -> {other * 1e3:10.4f} ms  x{least / other:6.2f}  {items:>10}  {step}")
    if asked.results and rows:
        new = not asked.results.exists()
        with asked.results.open("a", newline="") as out:
            table = csv.writer(out, lineterminator="\n")
            if new:
                table.writerow(["code", "call", "items", "calls", "before_ms", "after_ms", "factor"])
            table.writerows(rows)
    sys.exit(f"compare: {wrong} commands differ or fail" if wrong else 0)


if __name__ == "__main__":
    main()
