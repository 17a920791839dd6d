# SPDX-License-Identifier: Apache-2.0
"""A hunt of small cases: all outputs are right; it can be listed, resumed and limited, and a case can run again.

usage: test_hunt.py <program>     the seed is ONEPASS_SEED, else the same every time
"""
import csv
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)
SEED = os.environ.get("ONEPASS_SEED", "20240229")
CASES = 64


def hunt(*arguments):
    done = subprocess.run([PROGRAM, "--seed", SEED, *arguments], capture_output=True, text=True)
    return done.returncode, done.stdout.splitlines(), done.stderr


def drawn(line):
    """Of a line: the case and all that was drawn."""
    return line.split(" |")[0]


class Hunt(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        print(f"hunt: seed {SEED}", flush=True)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.machine = pathlib.Path(cls.folder.name) / "here"
        cls.small = ("--cases", f"0:{CASES}", "--memory", "0.01", "--repetitions", "1", "--results", str(cls.machine))
        cls.code, cls.lines, cls.errors = hunt(*cls.small)
        with open(cls.machine / "hunt.csv", newline="") as file:
            cls.rows = list(csv.DictReader(file))

    def test_all_outputs_are_right(self):
        self.assertEqual((self.code, self.errors), (0, ""))
        verdicts = [row["verdict"].partition(":")[0] for row in self.rows]
        self.assertEqual(set(verdicts), {"right", "skipped"})
        self.assertGreater(verdicts.count("right"), CASES // 4)

    def test_a_row_is_kept_of_every_case(self):
        self.assertEqual([(row["seed"], row["case"]) for row in self.rows], [(SEED, str(k)) for k in range(CASES)])
        for row in self.rows:
            if row["verdict"] == "right" and row["rival"]:
                ratio = float(row["rival_seconds"]) / float(row["seconds"])
                self.assertAlmostEqual(float(row["ratio"]) / ratio, 1, delta=0.002)  # of three numbers of four digits

    def test_a_case_is_the_same_whatever_else_runs(self):
        all_drawn = [drawn(line) for line in self.lines]
        self.assertEqual([drawn(line) for line in hunt("--list", "--cases", f"0:{CASES}")[1]], all_drawn)
        chosen = hunt("--list", "--cases", f"0:{CASES}", "--families", "scan,select")[1]
        self.assertEqual([drawn(line) for line in chosen], [d for d in all_drawn if d.split()[1] in ("scan", "select")])
        one = next(k for k, row in enumerate(self.rows) if row["verdict"] == "right")
        code, lines, _ = hunt("--case", str(one), "--repetitions", "1")
        self.assertEqual((code, [drawn(line) for line in lines]), (0, [all_drawn[one]]))

    def test_what_is_kept_is_not_run_again(self):
        with open(self.machine / "stamps.csv", newline="") as file:
            changed_tree = next(csv.DictReader(file))["commit"].endswith("-dirty")
        _, lines, _ = hunt(*self.small)
        run = [line for line in lines if "skipped" not in line]
        self.assertEqual(bool(run), changed_tree)  # another change may be behind the same commit

    def test_no_case_begins_when_the_time_is_up(self):
        self.assertEqual(hunt("--seconds", "0")[:2], (0, []))

    def test_refusals(self):
        for arguments in ("--cases", "7"), ("--families", "nothing"), ("--cases", "a:b"):
            self.assertEqual(hunt(*arguments)[0], 2)


if __name__ == "__main__":
    unittest.main()
