#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Reads what gcov has counted and writes it as gcovr's JSON, by lines and branches of the source.

gcov lists the branches of each instance of a template, and those of a lambda's instances one after another; here a branch is
one, and is taken if any instance takes it. Left out is what no line of the source decides: that a call may throw, and loops
that destroy arrays of temporaries (docs/decisions/0034-coverage.md).
usage: source_coverage.py BUILD FOLDER...   (writes to standard output)
"""

import json
import re
import subprocess
import sys
import tempfile
from collections import defaultdict
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

DECISION = re.compile(r"\b(?:if(?! constexpr)|for|while|catch)\b|\?| && | \|\| ")  # of two ways each
SWITCH = re.compile(r"\b(?:switch|case|default|do)\b")  # `do` since gcov counts at either end of its loop


def decisions(branches):
    """The counts of branches, without the two ways on of calls that may throw: their result and their exception. Where threads
    raced for a counter, gcov may derive a negative count from it; then nothing tells that the branch was taken."""
    kept = []
    for branch, following in zip(branches, [*branches[1:], None]):
        returns = branch["fallthrough"] and following and following["throw"]
        if not branch["throw"] and not returns:
            kept.append(max(0, branch["count"]))
    return kept


def fold(lists, ways):
    """Branches of one line, a list for each instance or for some of them one after another -> branches of the source, of
    which there are as many as `ways` if that divides all lists, and else as many as shorter lists have that divide longer ones."""
    sizes = [ways] if ways and all(len(counts) % ways == 0 for counts in lists) else []
    folded = {}
    for counts in sorted(lists, key=len):
        size = next((size for size in sizes if len(counts) % size == 0), len(counts))
        if size not in sizes:
            sizes.append(size)
        taken = [max(counts[way::size]) for way in range(size)]
        folded[size] = [*map(max, folded.get(size, taken), taken)]
    return sum(folded.values(), [])


class Source:
    """The counts of one file."""

    def __init__(self, path):
        self.text = path.read_text().splitlines()
        self.lines = defaultdict(int)
        self.branches = defaultdict(list)
        self.functions = defaultdict(int)

    def add(self, counted):
        for function in counted["functions"]:
            place = function["start_line"], function["start_column"]
            self.functions[place] = max(self.functions[place], function["execution_count"])
        for line in counted["lines"]:
            number = line["line_number"]
            self.lines[number] = max(self.lines[number], line["count"])
            if counts := decisions(line["branches"]):
                self.branches[number].append(counts)

    def branches_of(self, number):
        text = self.text[number - 1]
        if SWITCH.search(text):
            return fold(self.branches[number], 0)
        ways = 2 * len(DECISION.findall(text))
        return fold(self.branches[number], ways) if ways else []

    def as_gcovr(self, name):
        lines = [{"line_number": number, "count": count, "gcovr/noncode": False, "gcovr/excluded": False,
                  "branches": [{"count": taken, "fallthrough": False, "throw": False} for taken in self.branches_of(number)]}
                 for number, count in sorted(self.lines.items())]
        functions = [{"name": f"line {line}, column {column}", "lineno": line, "execution_count": count, "gcovr/excluded": False}
                     for (line, column), count in sorted(self.functions.items())]
        return {"file": name, "lines": lines, "functions": functions}


def gcov(counters):
    """What gcov says of one unit: a document a line."""
    with tempfile.TemporaryDirectory() as scratch:
        said = subprocess.run(["gcov", "--json-format", "--branch-probabilities", "--stdout", counters], cwd=scratch,
                              capture_output=True, text=True, check=True).stdout
    return [json.loads(line) for line in said.splitlines() if line.startswith("{")]


def main():
    build, *folders = sys.argv[1:]
    root = Path.cwd()
    units = sorted(str(path.resolve()) for path in Path(build).rglob("*.gcda"))
    if not units:
        sys.exit(f"source_coverage: no counters in {build}; run its tests first")
    sources = {}
    with ThreadPoolExecutor() as pool:
        for document in (each for said in pool.map(gcov, units) for each in said):
            for counted in document["files"]:
                path = (Path(document["current_working_directory"]) / counted["file"]).resolve()
                if path.is_relative_to(root) and (name := path.relative_to(root)).parts[0] in folders:
                    sources.setdefault(str(name), Source(path)).add(counted)
    files = [source.as_gcovr(name) for name, source in sorted(sources.items())]
    json.dump({"gcovr/format_version": "0.3", "files": files}, sys.stdout)


if __name__ == "__main__":
    main()
