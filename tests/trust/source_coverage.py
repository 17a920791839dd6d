#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what the programs of a build have counted (clang's source-based coverage) and writes it as gcovr's JSON.

llvm-cov lists the branches of each instance of a template; here a branch is one of the source, and each of its two ways is taken
if any instance takes it. Left out is what is decided while compiling (docs/decisions/0034-coverage.md).
usage: source_coverage.py BUILD FOLDER...   (writes to standard output)
"""

import json
import mmap
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path


def tool(name):
    """That tool of clang's, or the one of its version, as Debian names it."""
    version = subprocess.run(["clang++", "-dumpversion"], capture_output=True, text=True, check=True).stdout.split(".")[0]
    found = shutil.which(f"{name}-{version}") or shutil.which(name)
    return found or sys.exit(f"source_coverage: no {name}; install clang's tools")


def counts(path):
    """Whether a program counts what it runs."""
    with path.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return False
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as all_of_it:
            return all_of_it.find(b"__llvm_covmap") >= 0


def lines_of(segments):
    """Segments (line, column, count, has a count, begins a region, is a gap) -> how often each line has run."""
    lines, before = {}, None
    at = defaultdict(list)
    for segment in segments:
        at[segment[0]].append(segment)
    for line in range(segments[0][0], segments[-1][0] + 1) if segments else ():
        here = at.get(line, [])
        begun = [count for _, _, count, counted, begins, gap in here if counted and begins and not gap]
        skipped = here and not here[0][3] and here[0][4]
        if not skipped and (begun or (before and before[3])):
            lines[line] = max([before[2] if before else 0, *begun])
        before = here[-1] if here else before
    return lines


def branches_of(listed, text):
    """The branches of all instances -> for each line the two ways of each branch of the source."""
    taken = defaultdict(lambda: [0, 0])
    for line, column, _, _, true, false, *_ in listed:
        if "if constexpr" not in text[line - 1][:column]:
            ways = taken[line, column]
            ways[0] += true
            ways[1] += false
    lines = defaultdict(list)
    for (line, _), ways in sorted(taken.items()):
        lines[line] += ways
    return lines


def as_gcovr(name, counted):
    text = Path(name).read_text().splitlines()
    branches = branches_of(counted["branches"], text)
    lines = [{"line_number": line, "count": count, "gcovr/noncode": False, "gcovr/excluded": False,
              "branches": [{"count": taken, "fallthrough": False, "throw": False} for taken in branches[line]]}
             for line, count in sorted(lines_of(counted["segments"]).items())]
    # How many functions have run is told, and which only together with all instances of all templates.
    functions = counted["summary"]["functions"]
    named = [{"name": str(n), "lineno": 1, "execution_count": int(n < functions["covered"]), "gcovr/excluded": False}
             for n in range(functions["count"])]
    return {"file": name, "lines": lines, "functions": named}


def main():
    build, *folders = Path(sys.argv[1]), *sys.argv[2:]
    counters = [*build.glob("counters/*.profraw")]
    if not counters:
        sys.exit(f"source_coverage: no counters in {build}; run its tests first")
    programs = sorted(str(path) for path in build.rglob("*") if path.is_file() and path.stat().st_mode & 0o100 and counts(path))
    merged = build / "counters" / "merged.profdata"
    subprocess.run([tool("llvm-profdata"), "merge", "--sparse", "-o", merged, *counters], check=True)
    objects = [word for program in programs[1:] for word in ("-object", program)]
    said = subprocess.run([tool("llvm-cov"), "export", "--skip-functions", f"--instr-profile={merged}", programs[0], *objects, *folders],
                          capture_output=True, text=True, check=True).stdout
    root = Path.cwd()
    files = [as_gcovr(str(Path(counted["filename"]).relative_to(root)), counted) for counted in json.loads(said)["data"][0]["files"]]
    json.dump({"gcovr/format_version": "0.3", "files": files}, sys.stdout)


if __name__ == "__main__":
    main()
