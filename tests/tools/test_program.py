#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Runs the onepass program as a user does: what it accepts, what it refuses and with which sentence and exit code.

usage: test_program.py <onepass>
"""
import json
import os
import pathlib
import re
import unittest

from program_case import ProgramCase, run


class Program(ProgramCase):
    def setUp(self):
        super().setUp()
        self.file = self.write("items", bytes(i * i * i % 251 for i in range(100_003)))

    def test_every_type_and_operator_is_equal(self):
        code, out, err = run("check", self.file, "--json")
        self.assertEqual(code, 0, err)
        found = json.loads(out)
        self.assertTrue(found["equal"])
        self.assertEqual({r["type"] for r in found["rows"]}, {"u8", "u32", "f32", "u32 x 2"})
        keys = {(data, order, part) for data in ("bytes", "few-valued") for order in ("ascending", "descending")
                for part in ("1 / 1", "1 / 3", "1 / 100", "1 / 10000")}
        self.assertEqual({tuple(r["operator"].split(", ")) for r in found["rows"] if r["primitive"] == "top_k"}, keys)
        self.assertEqual({r["operator"] for r in found["rows"] if r["primitive"] != "top_k"}, {
            "plus", "max", "affine", "even", "uneven", "no room", "0 %", "1 %", "50 %", "99 %", "100 %", "thirds", "run 1", "run 32", "run 500",
            "ascending", "descending", "100 parts", "256 bins", "grey", "3 channels", "<", "-", "1 / 2", "1 / 100",
            "sorted", "unsorted", "checked", "rows of 3", "scan, select, sort", "exact",
            "bytes, bytes", "bytes, few-valued", "classic e4m3", "e4m3, bytes", "e4m3, few-valued", "f32, bytes", "f32, few-valued"})
        self.assertIn("as u32 the last 3 are left out", err)
        for row in found["rows"]:
            self.assertGreater(row["ms"], 0, row)
        self.every_machine_runs(found["rows"])

    def every_machine_runs(self, rows):
        """Each primitive in each variant on each machine; look-ahead alone may refuse."""
        percents, runs = ["0 %", "1 %", "50 %", "99 %", "100 %"], ["run 1", "run 32", "run 500"]
        variants = {
            **dict.fromkeys(["select_if", "select_flagged", "select_indices", "partition_if", "partition_if_into_one"], percents),
            **dict.fromkeys(["unique", "unique_by_key", "run_length_encode", "reduce_by_key", "exclusive_scan_by_key", "inclusive_scan_by_key"], runs),
            **dict.fromkeys(["run_length_decode", "non_trivial_runs", "unique, columns", "run_length_encode, columns", "reduce_by_key, last"], runs),
            **dict.fromkeys(["exclusive_segmented_scan", "inclusive_segmented_scan", "segmented_reduce"], ["even", "uneven"]),
            "partition_three_way": ["thirds"],
            **dict.fromkeys(["min_element", "max_element", "minmax_element"], ["<"]),
            "adjacent_difference": ["-"],
        }
        schedules = {(r["space"], r["schedule"]) for r in rows if r["primitive"] == "inclusive_scan" and r["schedule"] != "canonical"}
        found = {(r["primitive"], r["operator"], r["type"], r["space"], r["schedule"]) for r in rows}
        self.assertLessEqual({
            "radix_sort", "segmented_sort", "argsort", "apply_permutation", "partition_by_key", "histogram", "tile_allocator", "huffman", "summed_area_table",
            "merge_sort", "merge_sort_by_key", "merge", "merge_by_key", "lower_bound, upper_bound", "sort_by_cell", "offsets_from_sorted", "transpose_graph", "counts_to_offsets",
            "parallel_scan", "scan_each", "select_each", "count_if", "find_if", "all_of, any_of, none_of", "dot", "scatter_add", "gather",
            "compact_by_blocks", "compact_by_scatter", "compact_by_gather", "encode_by_four_kernels", "encode_by_blocks"}, {f[0] for f in found})
        for primitive, operators in variants.items():
            for operator in operators:
                for kind in ("u8", "u32"):
                    machines = {f[3:] for f in found if f[:3] == (primitive, operator, kind)}
                    self.assertLessEqual(schedules - machines, {("cuda", "look-ahead")}, (primitive, operator, kind))

    def test_table(self):
        code, out, _ = run("check", self.file, "--type", "u8", "--op", "plus")
        self.assertEqual(code, 0)
        self.assertIn("all equal", out)
        self.assertRegex(out, "(?m)^exclusive_scan +plus +u8 +serial +serial +100003 ")

    def test_operators_choose_rows(self):
        code, out, _ = run("check", self.file, "--type", "u8", "--op", "plus", "--space", "serial", "--json")
        self.assertEqual(code, 0)
        primitives = {r["primitive"] for r in json.loads(out)["rows"]}
        self.assertLessEqual({"reduce_by_key", "reduce_by_key, last", "segmented_reduce"}, primitives)
        self.assertFalse(primitives & {"select_if", "partition_if", "run_length_encode", "segmented_sort", "run_length_decode"})

    def test_items_are_limited(self):
        code, out, err = run("check", self.file, "--type", "u8", "--op", "max", "--space", "serial", "--items", "1000", "--json")
        self.assertEqual({r["items"] for r in json.loads(out)["rows"]}, {1000})
        self.assertIn("of u8 the first 1000 items are taken", err)

    def test_options_take_one_word(self):
        """The file may stand behind them."""
        whole = self.write("whole", bytes(64))
        for option in (("--type", "u32"), ("--op", "plus"), ("--space", "serial")):
            self.assertTrue(json.loads(self.fine("check", *option, whole, "--items", "10", "--json"))["equal"])

    def test_info(self):
        code, out, _ = run("info", "--json")
        self.assertEqual(code, 0)
        self.assertIn("serial: serial", json.loads(out)["machines"])
        self.assertRegex(json.loads(out)["ranks"], "payloads of devices (from their|through pinned host) memory|no MPI")

    def test_ranks(self):
        """One rank against itself, as JSON and as a table."""
        if "no MPI" in json.loads(run("info", "--json")[1])["ranks"]:
            return self.skipTest("this program was built without MPI")
        code, out, err = run("check", "--ranks", "--json", self.file)
        self.assertEqual(code, 0, err)
        found = json.loads(out)
        self.assertEqual((found["ranks"], {r["equal"] for r in found["rows"]}), (1, {True}))
        code, out, err = run("check", "--ranks", self.file)
        self.assertEqual(code, 0, err)
        self.assertIn(f"{len(found['rows'])} rows, all equal", out)
        for size in (1, 3):
            few = self.write("few", bytes(size))
            self.refuses(f"few has {size} bytes, less than one u32\n", "check", "--ranks", few)
        self.refuses("standard input is one rank's", "check", "--ranks", "-", input="x" * 64)
        os.truncate(few, 1 << 34)
        self.refuses(f"few has {1 << 32} items; --ranks takes 2^32 - 1 at most", "check", "--ranks", "--items", "0", few)
        code, out, err = run("check", "--ranks", "--items", str(1 << 62), "--json", self.file)
        self.assertEqual((code, json.loads(out)["items"]), (0, 25_000), err)

    def test_strategies(self):
        picture = self.file.with_name("strategies.svg")
        code, out, err = run("strategies", "--size", "10,14", "--json", "--picture", picture)
        self.assertEqual(code, 0, err)
        found = json.loads(out)
        self.assertEqual(found["wrong"], "")
        raced = {r["name"].split("/")[3].split(" ")[0] for r in found["benchmarks"] if r["name"].startswith("strategies/u32/16384/")}
        self.assertLessEqual({"copy", "loop", "onepass", "scan-then-propagate", "chained", "look-back-fenced-lane", "look-ahead", "ladder-8-items"}, raced)
        self.assertGreaterEqual(sum(r["name"].startswith("networks/") for r in found["benchmarks"]), 12)
        self.assertEqual({d["strategy"] for d in found["look_back_distances"]} - {s for s in raced if s.startswith("look-back")}, set())
        self.assertIn("polyline", picture.read_text())

        code, out, err = run("strategies", "--size", "12", "--type", "affine", "--strategy", "look-back,reduce-then-scan", "--network", "raking,sklansky")
        self.assertEqual(code, 0, err)
        self.assertIn("(1.43, mean 1.19)", out)
        self.assertRegex(out, "(?m)^look-back / raking ")

        few = ("strategies", "--size", "10", "--strategy", "chained", "--picture", "-")
        code, out, err = run(*few)
        self.assertEqual((code, out[:4], out[-7:], "classic scans of u32" in err), (0, "<svg", "</svg>\n", True), err)
        code, out, err = run(*few, "--json")
        self.assertEqual((code, out[-7:], json.loads(err)["wrong"]), (0, "</svg>\n", ""), err)

        self.refuses("sideways not in {scan-then-propagate", "strategies", "--strategy", "sideways")
        self.refuses("token-ring not in {serial", "strategies", "--network", "token-ring")
        self.refuses("9 not in {10", "strategies", "--size", "9")
        self.refuses("ballots add unsigned integers", "strategies", "--network", "ballot", "--type", "f32", "--size", "10")
        self.unusable("cannot write", "strategies", "--size", "10", "--strategy", "chained", "--json", "--picture", self.file / "x.svg")

    def test_the_demo_can_be_repeated(self):
        demo = (pathlib.Path(__file__).resolve().parents[2] / "scripts/demo").read_text()
        words = re.search("onepass (strategies .*) build.*svg", demo)[1].split()
        for _ in range(2):
            self.fine(*words, self.at / "strategies.svg", "--size", "10", "--strategy", "chained")

    def test_help(self):
        for arguments in (["--help"], ["check", "--help"], ["info", "--help"], ["strategies", "--help"]):
            code, out, _ = run(*arguments)
            self.assertEqual(code, 0)
            self.assertIn("Usage", out)

    def test_refusals(self):
        missing, empty, whole = self.at / "missing", self.write("empty", b""), self.write("whole", bytes(64))
        self.refuses("no multiple of the 4 of a u32", "check", self.file, "--type", "u32")
        self.unusable("No such file", "check", missing)
        self.refuses("is empty", "check", empty)
        self.refuses("nowhere not in {serial", "check", self.file, "--space", "nowhere")
        self.refuses("u3 not in {u8", "check", self.file, "--type", "u3")
        self.refuses("times not in {", "check", self.file, "--op", "times")
        self.refuses("none of the operators runs on these types; affine takes --type u32\n", "check", self.file, "--op", "affine", "--type", "u8")
        self.refuses("affine takes --type u32, none u8, u16, u32 or u64\n", "check", whole, "--op", "affine,none", "--type", "f64")
        self.refuses("FILE is required", "check")
        self.refuses("subcommand is required")


if __name__ == "__main__":
    unittest.main()
