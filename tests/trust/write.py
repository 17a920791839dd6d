#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Writes docs/trust.md: what was found wrong, with the test that holds it, and what is run, counted.

usage: write.py [--check]      the page of tests/trust/findings.csv and counts.csv; --check only says whether it is that
       write.py --count BUILD  counts the tests of a build folder, by label, into counts.csv first
       write.py --random FILE  counts the cases of a ledger of onepass_random_cases there
       write.py --fuzz FILE    counts the inputs of a ledger of scripts/fuzz there
       write.py --soak FILE, --damaged FILE, --fence FILE, --sanitize FILE
                               the same of onepass_soak, onepass_damaged_streams, fence.py and sanitize_gpu
       write.py --matrix FILE  counts the configurations of a ledger of install_matrix.py
       write.py --coverage FILE    puts the percentages there that scripts/coverage wrote to coverage_summary.json
A finding must name a test that stands in the sources.
"""
import collections
import json
import pathlib
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import ledger  # noqa: E402
from mutants_list import misplaced  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
HERE, PAGE = ROOT / "tests" / "trust", ROOT / "docs" / "trust.md"

HEAD = """# Trust

What breaks onepass is known, tried and counted. `tests/trust/write.py` writes this page; what it counts has been run, or is registered to
run, by the command beside it. Why waits between tiles end, and what a model checker has seen of it: [progress](progress.md).

## Counts

| what | count | command |
|---|---|---|
"""

FINDINGS = """
## Findings

What attacks on the program, the test inputs of other libraries and users found, and the test that failed before and holds it since.

| from | found | test |
|---|---|---|
"""

SURVIVORS = """
## Defects that no test here finds

Of the defects that `tests/trust/mutants.py` puts into the code (`tests/trust/mutants.csv` has them all), these survive the test that should
find them.

| file | defect | why |
|---|---|---|
"""


def rows(name):
    return ledger.rows(HERE / name)


def count(build):
    """The tests of a build by label, as ctest lists them."""
    said = subprocess.run(["ctest", "--test-dir", build, "--show-only=json-v1"], check=True, capture_output=True, text=True)
    labels = collections.Counter()
    for test in json.loads(said.stdout)["tests"]:
        for entry in test.get("properties", []):
            if entry["name"] == "LABELS":
                labels.update(entry["value"])
    kept = [r for r in rows("counts.csv") if not r["command"].startswith("ctest")]
    kept += [{"what": f"tests with the label {label}", "count": n, "command": f"ctest --preset openmp -L {label}"} for label, n in sorted(labels.items())]
    ledger.write(ledger.COUNTS, ["what", "count", "command"], kept)


# Ledgers whose rows are added up: what the sums count, by which column, of which other, and the command that keeps such a ledger.
LEDGERS = {
    "--random": ("random cases on {}, none of them wrong", "space", "cases", "onepass_random_cases --cases 1000000 --ledger FILE"),
    "--fuzz": ("fuzzed inputs of the reader {}, none of which broke it", "reader", "inputs", "LEDGER=FILE scripts/fuzz 3600"),
    "--soak": ("launches of a soak on {}, every result repeated", "space", "launches", "onepass_soak --launches 10000000 --ledger FILE"),
    "--damaged": ("damaged streams on {}, none written beyond its output", "space", "streams",
                  "onepass_damaged_streams --streams 1000000 --ledger FILE"),
    "--fence": ("tests with every device buffer ending at an unmapped page, aligned to {}", "alignment", "tests",
                "tests/trust/fence.py BUILD --ledger FILE"),
    "--sanitize": ("tests under compute-sanitizer's {}, nothing found", "tool", "tests", "LEDGER=FILE tests/trust/sanitize_gpu BUILD"),
}


def count_ledger(option, file):
    what, by, number, command = LEDGERS[option]
    sums = collections.Counter()
    for r in ledger.rows(pathlib.Path(file)):
        sums[what.format(r[by])] += int(r[number])
    ledger.count(sums, command)


def count_matrix(file):
    """Those that ran, and those that were built where no device was."""
    entries = ledger.rows(pathlib.Path(file))
    counted = {"configurations in which another project builds onepass and runs": sum(r["ran"] == "1" for r in entries),
               "configurations in which it is built where no device is": sum(r["ran"] == "0" for r in entries)}
    ledger.count(counted, "tests/trust/install_matrix.py --kokkos NAME=PREFIX --ledger FILE")


def count_coverage(file):
    """The percentages of lines and of branches, rounded down."""
    summary = json.loads(pathlib.Path(file).read_text())
    counted = {f"percent of the {what} of core, algorithms and tools that tests reach": int(summary[key])
               for what, key in (("lines", "line_percent"), ("branches", "branch_percent"))}
    ledger.count(counted, "scripts/coverage")


def page():
    text, wrong = HEAD, []
    for r in rows("counts.csv"):
        number = f"{int(r['count']):,}".replace(",", " ")
        text += f"| {r['what']} | {number} | `{r['command']}` |\n"
    text += FINDINGS
    for r in rows("findings.csv"):
        source = ROOT / r["where"]
        if not source.is_file() or r["test"] not in source.read_text():
            wrong.append(f"{r['where']} has no {r['test']}")
        text += f"| {r['from']} | {r['finding']} | `{r['test']}` in {r['where']} |\n"
    survivors = [r for r in rows("mutants.csv") if r["outcome"] == "survived"]
    text += SURVIVORS if survivors else ""
    for r in survivors:
        defect = r["defect"].replace("|", "\\|")
        text += f"| {r['file']} | `{defect}` | {r['why'] or 'not known yet'} |\n"
    return text, wrong


def main():
    arguments = sys.argv[1:]
    counts = {"--count": count, "--coverage": count_coverage, "--matrix": count_matrix}
    if len(arguments) == 2 and arguments[0] in counts:
        counts[arguments[0]](arguments[1])
    elif len(arguments) == 2 and arguments[0] in LEDGERS:
        count_ledger(*arguments)
    elif arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    text, wrong = page()
    wrong += misplaced(ROOT)
    if arguments == ["--check"]:
        if not PAGE.is_file() or PAGE.read_text() != text:
            wrong.append("docs/trust.md is not what tests/trust/write.py writes")
    else:
        PAGE.write_text(text)
    for what in wrong:
        print(f"trust: {what}")
    print(f"trust: {len(rows('findings.csv'))} findings, {len(wrong)} wrong")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
