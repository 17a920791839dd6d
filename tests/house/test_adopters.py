#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""The tables of adopters/ move made-up trees that hold nothing but the words they replace, and say which call a tree lacks;
compare.py sees where two sides differ, and which calls of them were slow."""
import contextlib
import csv
import io
import pathlib
import re
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "adopters"))
import adopt  # noqa: E402
import codes  # noqa: E402
import compare  # noqa: E402

MOST_LINES = 100  # of a code's table


def word_of(move):
    """A call that the pattern finds."""
    return re.sub(r"\\b|\([^)]*\)\?", "", move.pattern)


def plant(code, tree):
    """Writes a tree in which each word of the table stands as often as the table says."""
    texts = {}
    for at, move in enumerate(code.moves):
        path = next((p for p in texts if pathlib.PurePath(p).match(move.files) and p.count("/") == move.files.count("/")),
                    move.files.replace("*", "x"))
        texts.setdefault(path, "#include <first>\n")
        texts[path] += "".join(f"  {word_of(move)}(call {at}, {time});\n" for time in range(move.times))
    for path, text in texts.items():
        (tree / path).parent.mkdir(parents=True, exist_ok=True)
        (tree / path).write_text(text)
    return texts


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)


class Tables(Folder):
    def test_every_call_of_every_table_is_moved(self):
        for name, code in codes.CODES.items():
            with self.subTest(code=name):
                tree = self.at / name
                plant(code, tree)
                texts = adopt.moved(code, tree, lambda becomes, *_: becomes)
                adopt.write(code, tree, texts)
                moved = "\n".join(path.read_text() for path in texts)
                for move in code.moves:
                    self.assertEqual(moved.count(f"{word_of(move)}("), 0, move)
                    self.assertIn(move.becomes + "(", moved)
                for path in texts:
                    self.assertRegex(path.read_text(), r"\A#include <onepass/\w+\.hpp>\n")

    def test_a_missing_call_is_named(self):
        for name, code in codes.CODES.items():
            for move in code.moves:
                with self.subTest(code=name, move=move), tempfile.TemporaryDirectory() as tree:
                    tree = pathlib.Path(tree)
                    for path, text in plant(code, tree).items():
                        (tree / path).write_text(text.replace(word_of(move), "gone", 1))
                    with self.assertRaises(SystemExit) as refused:
                        adopt.moved(code, tree, lambda becomes, *_: becomes)
                    self.assertIn("adopters/codes.py", str(refused.exception))
                    self.assertIn(code.source, str(refused.exception))

    def test_what_calls_become_is_there(self):
        for name, code in codes.CODES.items():
            for move in code.moves:
                header = next(h for pattern, h in code.includes if re.search(pattern, move.becomes))
                text = (ROOT / "algorithms" / header).read_text()
                self.assertRegex(text, rf"\b{move.becomes.rsplit('::', 1)[1]}\(", f"{name}: {header}")

    def test_tables_are_short(self):
        text = (ROOT / "adopters/codes.py").read_text()
        for table in re.split(r'^    "\w+": Code\(', text, flags=re.MULTILINE)[1:]:
            self.assertLess(table.count("\n"), MOST_LINES)


class Comparing(Folder):
    """compare.py on a code of one file, whose programs are shell commands."""

    def compared(self, test, run, *more):
        (self.at / "tree").mkdir(exist_ok=True)
        (self.at / "tree/scan.cpp").write_text("#include <first>\nKokkos::parallel_scan(n, f);\n")
        made_up = codes.Code(source="nowhere", moves=(codes.scans("scan.cpp"),), tests=(test,), runs=(run,))
        printed = io.StringIO()
        code = 0
        old = compare.CODES, sys.argv
        compare.CODES = {"made_up": made_up}
        sys.argv = ["compare.py", "made_up", str(self.at / "tree"), str(self.at / "work"), "--build", "mkdir -p $BUILD",
                    "--repeat", "2", *more]
        try:
            with contextlib.redirect_stdout(printed):
                compare.main()
        except SystemExit as done:
            code = done.code
        finally:
            compare.CODES, sys.argv = old
        return code, printed.getvalue()

    # A side is known by its source: 8 and 4 milliseconds.
    TIMED = "if grep -q onepass:: ../source/scan.cpp; then t=.004; else t=.008; fi; echo step at x,900,3,$t,$t >> $ADOPTED_TIMES; echo done"

    def test_the_same_is_the_same_and_is_stored(self):
        code, said = self.compared("echo passed", self.TIMED, "--results", str(self.at / "results"), "--commit", "abc")
        self.assertEqual(code, 0, said)
        with (self.at / "results/made_up.csv").open() as file:
            row, = csv.DictReader(file)
        self.assertEqual((row["call"], row["items"], row["calls"], row["factor"]), ("step at x", "900", "6", "2.00"))
        with (self.at / "results/stamps.csv").open() as file:
            stamp, = csv.DictReader(file)
        self.assertEqual((stamp["run"], stamp["code_commit"]), (row["run"], "abc"))

    def test_each_side_is_timed(self):
        self.compared("echo passed", self.TIMED)
        before, after = ((self.at / f"work/{side}/source/scan.cpp").read_text() for side in compare.SIDES)
        self.assertIn('ADOPTED_TIMED("Kokkos::parallel_scan at scan.cpp:2", Kokkos::parallel_scan)(n, f)', before)
        self.assertIn('ADOPTED_TIMED("Kokkos::parallel_scan at scan.cpp:2", onepass::parallel_scan)(n, f)', after)

    def test_differences_and_failures_are_seen(self):
        for test in ("grep -c onepass:: ../source/scan.cpp; true", "echo passed; false", "true"):
            code, said = self.compared(test, self.TIMED)
            self.assertIn("1 commands differ", str(code), said)
            self.assertIn("DIFFERENT", said)

    def test_a_build_that_fails_stops(self):
        code, _ = self.compared("echo passed", self.TIMED, "--build", "false")
        self.assertIn("before: it did not build", str(code))


class Stored(unittest.TestCase):
    def test_stored_tables_are_of_known_codes_and_stamped(self):
        results = ROOT / "perf/results/adopters"
        with (results / "stamps.csv").open() as file:
            runs = {row["run"] for row in csv.DictReader(file)}
        tables = sorted(path for path in results.glob("*.csv") if path.name != "stamps.csv")
        self.assertEqual([path.stem for path in tables], sorted(codes.CODES))
        for path in tables:
            with path.open() as file:
                rows = list(csv.DictReader(file))
            self.assertTrue(rows)
            for row in rows:
                self.assertEqual(list(row), compare.COLUMNS)
                self.assertIn(row["run"], runs)
                self.assertAlmostEqual(float(row["before"]) / float(row["after"]), float(row["factor"]), delta=.02 * float(row["factor"]) + .01)


if __name__ == "__main__":
    unittest.main()
