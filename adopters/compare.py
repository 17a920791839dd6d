#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares a code as it is with the same code moved onto onepass (adopt.py): runs its own tests and some larger runs on both, and says
whether they print the same, and how long each replaced call took.

usage: adopters/compare.py CODE TREE FOLDER --build COMMAND [--repeat N] [--launcher WORDS] [--commit NAME]
           [--results FOLDER]
TREE stays as it is. FOLDER gets before/ and after/, each with source/, a copy of TREE in which a stopwatch (timed.hpp) stands around
the calls. COMMAND builds such a side as the code itself says how; it runs in a shell that knows $SOURCE, $BUILD, the folder
to build in, and $ADOPTED, the options that CMake has to be given. A second run builds what has changed.

Of each call and class of sizes (a power of ten and what is smaller) the table has, in seconds, the mean over the sizes that
occurred on both sides of the fastest call of a size. --results stores it as FOLDER/<code>.csv, beside a line of stamps.csv."""
import argparse
import collections
import csv
import datetime
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
SIDES = ("before", "after")
COLUMNS = ["call", "items", "sizes", "calls", "before", "after", "factor", "run"]


def copy_changed(tree, to):
    """Makes `to` equal to the tree; what is equal already keeps its time, so that it is not built again."""
    for path in to.rglob("*"):
        if path.is_file() and not (tree / path.relative_to(to)).is_file():
            path.unlink()
    for path in tree.rglob("*"):
        other = to / path.relative_to(tree)
        if path.is_file() and not (other.is_file() and other.read_bytes() == path.read_bytes()):
            other.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, other)


def prepare(code, tree, folder, side):
    """Makes one side's source tree, its calls timed."""
    with tempfile.TemporaryDirectory(dir=folder) as fresh:
        fresh = pathlib.Path(fresh) / "tree"
        shutil.copytree(tree, fresh, ignore=shutil.ignore_patterns(".git"))

        def word(becomes, original, place):
            return f'ADOPTED_TIMED("{original} at {place}", {becomes if side == "after" else original})'

        write(code, fresh, moved(code, fresh, word), ["timed.hpp"])
        copy_changed(fresh, folder / side / "source")


def build(command, folder, side):
    """Runs the caller's command, which builds one side."""
    given = {"SOURCE": folder / side / "source", "BUILD": folder / side / "build",
             "ADOPTED": f"-DCMAKE_PROJECT_INCLUDE={HERE}/with_onepass.cmake -DADOPTED=ON"}
    with (folder / side / "build.log").open("w") as log:
        if subprocess.run(["bash", "-c", command], stdout=log, stderr=subprocess.STDOUT, cwd=folder / side,
                          env={**os.environ, **{name: str(value) for name, value in given.items()}}).returncode:
            sys.exit(f"compare: {side}: it did not build; see {log.name}")


def run(command, folder, prints, times, launcher=()):
    """Runs in the build folder; its exit code and what it prints of what counts."""
    done = subprocess.run([*launcher, "bash", "-c", f"set -o pipefail; {command}"], cwd=folder, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.STDOUT, errors="replace", env={**os.environ, "ADOPTED_TIMES": str(times)})
    return done.returncode, [line.strip() for line in done.stdout.splitlines() if re.search(prints, line)]


def compare(command, builds, prints, times, order=SIDES, launcher=()):
    """Runs both sides; whether they succeed, print something, and print the same."""
    results = {side: run(command, builds[side], prints, times[side], launcher) for side in order}
    same = results["before"] == results["after"] and results["before"][0] == 0 and bool(results["before"][1])
    if not same:
        print(f"DIFFERENT  exit {results['before'][0]} and {results['after'][0]}  {command}")
        for side in SIDES:
            print(f"--- {side}", *results[side][1][-40:], sep="\n    ")
    return same


def fastest(file):
    """For each call and size: how often it was made, and how long the fastest took."""
    steps = {}
    with file.open() as rows:
        for step, items, calls, least, _ in csv.reader(rows):
            before = steps.get((step, int(items)), (0, 1e30))
            steps[step, int(items)] = before[0] + int(calls), min(before[1], float(least))
    return steps


def table(before, after):
    """The rows but for the stamp, from what `fastest` gave of both sides."""
    classes = collections.defaultdict(list)
    for step, items in sorted(before.keys() & after.keys()):
        if items > 0:
            classes[step, len(str(items - 1))].append(items)
    for (step, _), sizes in classes.items():
        means = [sum(side[step, items][1] for items in sizes) / len(sizes) for side in (before, after)]
        calls = sum(before[step, items][0] for items in sizes)
        yield [step, max(sizes), len(sizes), calls, *(f"{mean:.4g}" for mean in means), f"{means[0] / means[1]:.2f}"]


def first(pattern, file):
    found = re.search(pattern, file.read_text(), re.MULTILINE) if file.exists() else None
    return found[1] if found else ""


def output(*command, default=""):
    done = subprocess.run([str(c) for c in command], text=True, capture_output=True)
    return done.stdout.strip() if done.returncode == 0 else default


def stamp(code, commit, builder, load):
    """What docs/measuring.md asks of a stamp, and the code's commit and how busy the machine was."""
    cache = builder / "CMakeCache.txt"
    compiler = output(first(r"^CMAKE_CXX_COMPILER:\w+=(.*)", cache) or "c++", "--version").splitlines()
    kokkos = pathlib.Path(first(r"^Kokkos_DIR:\w+=(.*)", cache) or ".") / "KokkosConfigVersion.cmake"
    version = first(r"^project\(onepass VERSION (\S+)", HERE.parent / "CMakeLists.txt")
    ours = output("git", "-C", HERE, "rev-parse", "--short", "HEAD", default="unknown")
    if output("git", "-C", HERE.parent, "status", "--porcelain", "-uno", "--", ".", ":(exclude)perf/results"):
        ours += "-dirty"
    cpu = first(r"^model name\s*: (.*)", pathlib.Path("/proc/cpuinfo"))
    now = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%dT%H:%MZ")
    return {"run": "", "date": now, "onepass": version, "commit": ours, "code": code, "code_commit": commit,
            "compiler": compiler[0] if compiler else "", "kokkos": first(r'PACKAGE_VERSION "([^"]*)"', kokkos),
            "concurrency": os.environ.get("OMP_NUM_THREADS", str(os.cpu_count())), "cpu": cpu,
            "load": f"{load:.1f}"}


def store(folder, code, rows, line):
    """Replaces the code's table, and its line in stamps.csv."""
    folder.mkdir(parents=True, exist_ok=True)
    stamps = folder / "stamps.csv"
    others = []
    if stamps.exists():
        with stamps.open() as file:
            others = [row for row in csv.DictReader(file) if row["code"] != code]
    line["run"] = f"{line['commit']}.{code}"
    with stamps.open("w", newline="") as file:
        out = csv.DictWriter(file, line.keys(), lineterminator="\n")
        out.writeheader()
        out.writerows(sorted([*others, line], key=lambda row: row["code"]))
    with (folder / f"{code}.csv").open("w", newline="") as file:
        csv.writer(file, lineterminator="\n").writerows([COLUMNS, *([*row, line["run"]] for row in rows)])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code", choices=CODES)
    parser.add_argument("tree", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--build", required=True)
    parser.add_argument("--repeat", type=int, default=5, help="of the timed runs, before and after in turn")
    parser.add_argument("--launcher", default="", help="words before each timed run, such as taskset -c 0,1")
    parser.add_argument("--commit", help="of the code, where TREE is no checkout")
    parser.add_argument("--results", type=pathlib.Path)
    asked = parser.parse_args()
    code, folder = CODES[asked.code], asked.folder.resolve()
    for side in SIDES:
        (folder / side).mkdir(parents=True, exist_ok=True)
        prepare(code, asked.tree.resolve(), folder, side)
        build(asked.build, folder, side)
    builds = {side: folder / side / "build" for side in SIDES}

    wrong = 0
    for command in code.tests:
        same = compare(command, builds, code.prints, dict.fromkeys(SIDES, "/dev/null"))
        wrong += not same
        if same:
            print(f"same  {command}", flush=True)
    files = {side: folder / side / "times.csv" for side in SIDES}
    for file in files.values():
        file.write_text("")
    loads = []
    for command in code.runs:
        all_same = True
        for turn in range(asked.repeat):
            all_same &= compare(command, builds, code.prints, files, SIDES[::(-1) ** turn],
                                asked.launcher.split())
            loads.append(os.getloadavg()[0])
        wrong += not all_same
        if all_same:
            print(f"same  {command}", flush=True)

    rows = list(table(*(fastest(files[side]) for side in SIDES)))
    for step, items, sizes, calls, before, after, factor in rows:
        print(f"{before:>10} s -> {after:>10} s  x{factor:>6}  {items:>9} items, {calls:>7} calls of {sizes:>5} sizes  {step}")
    if asked.results and rows:
        commit = asked.commit or output("git", "-C", asked.tree, "rev-parse", "--short", "HEAD", default="unknown")
        store(asked.results, asked.code, rows, stamp(asked.code, commit, builds["after"], sum(loads) / len(loads)))
    sys.exit(f"compare: {wrong} commands differ or fail" if wrong else 0)


if __name__ == "__main__":
    main()
