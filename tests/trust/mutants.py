#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Puts each defect of mutants_list.py into a copy of the tree, builds the test that should find it, runs it, and writes down whether it did.

usage: mutants.py FOLDER [--minutes M] [--count] [--only TEXT]
FOLDER is a scratch folder, in which a worktree of HEAD and its build are made, or used again. What tests/trust/mutants.csv has already is
not run again, as long as neither the defect nor its test has another name, but for survivors of which the list does not say why. --count
writes what the ledger says into counts.csv.
"""
import argparse
import hashlib
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import time

import ledger
from mutants_list import MUTANTS, SURVIVE, misplaced

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEDGER = ROOT / "tests" / "trust" / "mutants.csv"
FIELDS = ["id", "file", "defect", "test", "outcome", "why"]
PROGRAMS = {"kokkos_chained_tiny": "kokkos_tiny", "kokkos_chained_reluctant": "kokkos_tiny", "kokkos_two_pass": "kokkos_tiny"}
TARGETS = {"rank_cases": "onepass_rank_cases", "rank_cases.windows": "onepass_rank_cases"}
LONGEST = 200  # seconds of a test, of which none takes forty: one that hangs is as good as one that fails


def name_of(mutant):
    return hashlib.sha256("\0".join(mutant).encode()).hexdigest()[:12]


def run(*command):
    return subprocess.run(command, capture_output=True, text=True)


def target_of(test):
    if test in TARGETS:
        return TARGETS[test]
    stem, _, row = test.partition(".")
    return f"{stem}.{PROGRAMS.get(row, row)}" if row else stem


class scratch:
    """A worktree of HEAD with a build that compiles fast."""

    def __init__(self, folder):
        self.tree = pathlib.Path(folder).resolve() / "tree"
        self.build = self.tree / "build" / "mutants"
        if not self.tree.is_dir():
            self.must("git", "-C", str(ROOT), "worktree", "add", "--detach", str(self.tree), "HEAD")
        self.must("git", "-C", str(self.tree), "checkout", "-q", "-f", "--detach", self.head())
        if (ROOT / ".deps").exists() and not (self.tree / ".deps").exists():
            os.symlink((ROOT / ".deps").resolve(), self.tree / ".deps")
        self.must("cmake", "-S", str(self.tree), "-B", str(self.build), "-G", "Ninja", "-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
                  "-DKokkos_ENABLE_OPENMP=ON", "-DKokkos_ENABLE_CUDA=OFF", "-DONEPASS_PRECOMPILED_HEADERS=OFF", "-DONEPASS_ENABLE_EXAMPLES=OFF",
                  "-DONEPASS_ENABLE_TOOLS=OFF", "-DONEPASS_ENABLE_PERF=OFF")  # each test is a program of its own

    @staticmethod
    def head():
        return subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True, text=True, check=True).stdout.strip()

    @staticmethod
    def must(*command):
        done = run(*command)
        if done.returncode:
            sys.exit(f"mutants: {' '.join(command)}: {done.stdout[-2000:]}{done.stderr[-2000:]}")

    def builds(self, test):
        return "cmake", "--build", str(self.build), "--target", target_of(test), "-j", "2"

    def passes(self, test):
        """What ctest runs, by hand: its option for a limit does not hold for tests that have their own."""
        said = json.loads(run("ctest", "--test-dir", str(self.build), "-R", f"^{re.escape(test)}$", "--show-only=json-v1").stdout)["tests"]
        if not said:
            sys.exit(f"mutants: there is no test {test}")
        given = [p["value"] for p in said[0]["properties"] if p["name"] == "ENVIRONMENT"]
        environment = {**os.environ, **dict(variable.split("=", 1) for variable in sum(given, []))}
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(said[0]["command"], env=environment, cwd=self.build, start_new_session=True, **quiet) as program:
            try:
                return "sound" if program.wait(LONGEST) == 0 else "fails"
            except subprocess.TimeoutExpired:
                os.killpg(program.pid, signal.SIGKILL)
                return "hangs"

    def outcome(self, test):
        """sound, or what went wrong."""
        return "does not compile" if run(*self.builds(test)).returncode else self.passes(test)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?")
    parser.add_argument("--minutes", type=float, default=1e9)
    parser.add_argument("--only", default="")
    parser.add_argument("--count", action="store_true")
    asked = parser.parse_args()
    known = {name_of(m) for m in MUTANTS}
    kept = [r for r in ledger.rows(LEDGER) if r["id"] in known]
    for what in misplaced(ROOT):
        sys.exit(f"mutants: {what}")
    if asked.folder:
        start, place, sound = time.monotonic(), scratch(asked.folder), set()
        for mutant in sorted(MUTANTS, key=lambda m: m[3]):
            file, text, instead, test = mutant
            if name_of(mutant) in {r["id"] for r in kept if r["outcome"] != "survived" or r["why"]} or asked.only not in file + text + test:
                continue
            if time.monotonic() - start > asked.minutes * 60:
                print("mutants: time is up; the next run goes on here")
                break
            if test not in sound:
                place.must(*place.builds(test))
                sound.add(test)
                if (found := place.passes(test)) != "sound":
                    sys.exit(f"mutants: {test} {found} without any defect")
            source = place.tree / file
            before = source.read_text()
            source.write_text(before.replace(text, instead))
            begin, seen = time.monotonic(), place.outcome(test)
            source.write_text(before)
            outcome = "survived" if seen == "sound" else f"killed: the test {seen}"
            if seen == "does not compile":
                outcome = "killed: the compiler refuses it"
            kept.append({"id": name_of(mutant), "file": file, "defect": f"{text} -> {instead}".replace("\n", " "), "test": test, "outcome": outcome,
                         "why": SURVIVE.get(text, "") if outcome == "survived" else ""})
            kept = [r for r in ledger.rows(LEDGER) if r["id"] in known and r["id"] != kept[-1]["id"]] + kept[-1:]  # runs side by side
            ledger.write(LEDGER, FIELDS, kept)
            print(f"mutants: {time.monotonic() - begin:5.1f} s {outcome}: {file}: {text} -> {instead}", flush=True)
    killed = sum(r["outcome"].startswith("killed") for r in kept)
    survivors = [r for r in kept if r["outcome"] == "survived"]
    print(f"mutants: {len(MUTANTS)} defects, {len(kept)} tried, {killed} killed, {len(survivors)} survived")
    for r in survivors:
        print(f"  survived: {r['file']}: {r['defect']}: {r['why'] or 'NOT SAID WHY'}")
    if asked.count:
        ledger.count({"defects put into the code": len(kept), "of these, defects that the named test finds": killed},
                     "tests/trust/mutants.py FOLDER")
    sys.exit(any(not r["why"] for r in survivors))


if __name__ == "__main__":
    main()
