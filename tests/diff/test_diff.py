#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces the programs of the zoo and compares their runs, as a user does.

usage: test_diff.py <onepass> <zoo>
"""
import array
import concurrent.futures
import json
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ZOO = sys.argv.pop(2)
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from program_case import PROGRAM, ProgramCase, run  # noqa: E402  (it takes the first argument)

ANIMALS = [line.split("\t") for line in subprocess.run([ZOO, "list"], capture_output=True, text=True, check=True).stdout.splitlines()]
NEAR, APART = 6, 7  # exit codes of diff alone
IN_ORDER = {"append_in_any_order", "hash_table", "random_states", "tickets"}  # the same words elsewhere are their defect
SERIAL = os.environ.get("ONEPASS_ZOO_SERIAL", "")  # "serial" where this build's Kokkos has that space; else one thread stands for it


def traced(out, animal, how, threads, fill, *options, last=""):
    """A run of an animal of the zoo; its exit code and what it said."""
    done = subprocess.run([PROGRAM, "trace", "-o", out, "--force", "--fill", str(fill), *options, "--", ZOO, animal, how, *last.split()],
                          capture_output=True, text=True, env=dict(os.environ, OMP_NUM_THREADS=str(threads), OMP_PROC_BIND="false"))
    return done.returncode, done.stdout, done.stderr


class Diff(ProgramCase):
    def runs(self, animal, how, *options, named=""):
        """Run files of the animal on one thread or in Serial, and on the default space with four threads."""
        a, b = self.at / (named + "a.1prun"), self.at / (named + "b.1prun")
        for file, threads, fill, last in ((a, 1, 0x40, SERIAL), (b, 4, 0xC1, "")):
            code, _, err = traced(file, animal, how, threads, fill, *options, last=last)
            self.assertEqual(code, 0, err)
        return a, b

    def compared(self, a, b, code, *options):
        found, out, err = run("diff", a, b, "--json", *options)
        self.assertEqual(found, code, out[-2000:] + err)
        return json.loads(out)

    def test_every_defect_is_found_and_every_twin_is_equal(self):
        self.assertGreaterEqual(len(ANIMALS), 40)

        def parted(which):
            (animal, _, _), how = which
            # Two layouts on the same space are no default, so the difference in order is asked to be ignored; between host and
            # device it is unless it is asked for.
            options = ("--order", "ignore") if "layout" in animal else ("--order", "keep") if animal in IN_ORDER else ()
            return self.compared(*self.runs(animal, how, named=f"{animal}.{how}."), int(how == "planted"), *options)["parted"]

        which = [(animal, how) for animal in ANIMALS for how in ("planted", "sound")]
        with concurrent.futures.ThreadPoolExecutor(max(1, len(os.sched_getaffinity(0)) // 4)) as side_by_side:
            for ((animal, kernel, view), how), told in zip(which, [side_by_side.submit(parted, one) for one in which]):
                with self.subTest(animal, how=how):
                    found = [(p["kernel"], p["view"]) for p in told.result() if p["kernel"] == told.result()[0]["kernel"]]
                    # Where the device has memory of its own, what host code does is seen when it is copied there.
                    found += [("host code before " + k, v) for k, v in found]
                    if how == "planted":
                        self.assertIn((kernel, view), found)
                    else:
                        self.assertEqual(found, [])

    def test_locate_finds_the_index(self):
        a, b = self.runs("one_bit", "planted")
        found = self.compared(a, b, 1, "--locate")
        self.assertEqual((found["first"]["kernel"], found["first"]["view"], found["first"]["how"]["as"]), ("copy", "y", "f64"))
        self.assertEqual((found["items"]["differing"], found["items"]["first"]), (1, [4321]))
        self.assertLessEqual(found["items"]["largest_ulps"], 2)
        code, out, _ = run("diff", a, b, "--locate")
        self.assertEqual(code, 1)
        self.assertIn("first at (4321)", out)
        self.assertEqual(out.count("first: kernel"), 1, "what was printed before the programs ran is printed once")
        self.assertEqual(self.compared(a, b, 1, "--locate", "--shape", "100,50")["items"]["first"], [86, 21])

    def test_locate_says_what_it_can_not_do(self):
        a, b = self.runs("as_many_as_threads", "planted")
        code, out, _ = run("diff", a, b, "--locate")
        self.assertEqual(code, 1)
        self.assertIn("it has 8 bytes in the first run and 32 in the second", out)
        self.assertIn("other size", out)
        self.assertNotIn("run again", out)
        code, _, err = run("diff", *self.ranks("planted"), "--locate")
        self.assertEqual(code, 2)
        self.assertIn("is started by its launcher", err)

    def test_runs_that_go_different_ways(self):
        a, b = self.runs("one_more_sweep", "planted")
        self.assertIn("0 calls of kernels are in the first run alone, 1 in the second", self.compared(a, b, 1)["notes"])
        for first, second, which in ((a, b, "second"), (b, a, "first")):
            code, out, _ = run("diff", first, second)
            self.assertEqual(code, 1)
            self.assertIn(f"the runs go different ways: sweep (call 3) runs in the {which} run alone", out)
            self.assertIn(f"Views of the {which} run alone: residual", out)
        self.compared(a, b, 1, "--skip", "x")  # equal Views, but another way

    def test_programs_that_have_nothing_in_common(self):
        a, b = self.runs("one_more_sweep", "sound")[0], self.runs("swapped_buffers", "sound", named="other.")[1]
        told = self.compared(a, b, 1)
        self.assertEqual((told["kernels"], told["views"], told["parted"]), (0, 0, []))
        self.assertIn("no kernel of one run has the name of one of the other", told["notes"])

    def test_all_lists_every_call(self):
        a, b = self.runs("fused_multiply_add", "planted")
        code, out, _ = run("diff", a, b, "--all")
        self.assertEqual(code, 1)
        rows = out.split("kernel  ")[1].splitlines()[1:]
        for row, parted in zip(rows, self.compared(a, b, 1)["parted"], strict=True):
            self.assertTrue(row.startswith(parted["kernel"]), row)

    def test_tolerances_and_skips(self):
        a, b = self.runs("fused_multiply_add", "planted")
        self.assertEqual(self.compared(a, b, NEAR, "--tolerance", "1e-12")["verdict"], "within tolerance")
        self.compared(a, b, 1, "--tolerance", "1e-19")
        self.compared(a, b, 1, "--tolerance", "y=1e-12")
        self.compared(a, b, NEAR, "--tolerance", "y=1e-12", "--tolerance", "x@after*=1e-12")
        self.compared(a, b, 0, "--skip", "y", "--skip", "x@after it#1")
        self.refuses("is no tolerance", "diff", a, b, "--tolerance", "little")

    def test_types_of_views(self):
        a, b = self.runs("fused_multiply_add", "planted")
        self.assertEqual(self.compared(a, b, 1, "--type", "y=i64")["first"]["how"]["as"], "i64")
        self.assertEqual(self.compared(a, b, 1, "--type", "f32", "--type", "y=f64")["first"]["how"]["as"], "f64")
        self.refuses("is no type of runs", "diff", a, b, "--type", "y=u8")

    def test_order_of_words(self):
        a, b = self.runs("append_in_any_order", "planted")
        self.assertEqual(self.compared(a, b, 1, "--order", "keep")["first"]["how"]["relation"], "same words elsewhere")
        self.compared(a, b, 0, "--order", "ignore")
        code, out, _ = run("diff", a, b)
        if code == 0:  # a host and a device
            self.assertIn("list after append (call 1): their layouts differ, or their order, which --order keep", out)

    def test_what_is_printed(self):
        a, b = self.runs("append_in_any_order", "planted")
        code, out, _ = run("diff", a, b, "--order", "keep")
        self.assertEqual(code, 1)
        self.assertIn("--order ignore passes over", out)
        rows = out.split("kernel  ")[1].splitlines()[1:]
        names = [tuple(r.split()[0:1]) + tuple(r.split()[-5:-4]) for r in rows if "each of" not in r]
        self.assertEqual(len(names), len(set(names)), "a kernel and View are shown once")

    def test_views_without_labels(self):
        a, b = self.runs("no_label", "planted")
        self.assertIn('View "(no label)#', run("diff", a, b)[1])
        self.assertEqual(self.compared(a, b, 1)["first"]["how"]["as"], "f64")

    def test_filters(self):
        a, b = self.runs("fused_multiply_add", "planted", "--kernels", "after it")
        self.assertEqual({p["kernel"] for p in self.compared(a, b, 1)["parted"]}, {"after it"})
        a, b = self.runs("fused_multiply_add", "planted", "--views", "x")
        self.assertEqual({p["view"] for p in self.compared(a, b, 1)["parted"]}, {"x"})
        a, b = self.runs("fused_multiply_add", "planted", "--skip", "?")
        self.assertEqual(self.compared(a, b, APART)["verdict"], "not comparable")

    def test_dumps_are_compared_as_arrays(self):
        a, b = self.runs("fused_multiply_add", "planted", "--dump", "polynomial", "--views", "y")
        files = [self.at / "a.1prun.0.bin", self.at / "b.1prun.0.bin"]
        self.assertEqual([f.stat().st_size for f in files], [40000, 40000])
        found = self.compared(*files, 1, "--type", "f64", "--shape", "50,100")
        self.assertEqual(found["shape"], [50, 100])
        self.assertGreater(found["differing"], 100)
        self.assertEqual(sum(found["ulps"]), found["differing"])

    def test_views_of_no_items_are_dumped_too(self):
        self.runs("fused_multiply_add", "planted", "--dump", "polynomial")
        self.assertEqual(sorted(f.stat().st_size for f in self.at.glob("a.1prun.*.bin")), [0, 40000, 40000])

    def test_arrays(self):
        x = array.array("d", range(200))
        a = self.write("a.bin", x.tobytes())
        x[42] += 1e-14
        x[120] = float("nan")
        b = self.write("b.bin", x.tobytes())
        found = self.compared(a, b, 1, "--type", "f64", "--shape", "20,10")
        self.assertEqual((found["first"], found["differing"], found["nans_in_one_alone"]), ([4, 2], 2, 1))
        self.assertEqual(found["examples"][0]["ulps"], 1)
        self.compared(a, a, 0, "--type", "f64")
        self.refuses("what are the items", "diff", a, b)
        self.refuses("needs 100", "diff", a, b, "--type", "f64", "--shape", "10,10")
        self.unusable("cannot read", "diff", a, self.at / "missing", "--type", "f64")
        code, _, err = run("diff", a, "missing.h5:x", "--type", "f64")
        self.assertIn("HDF5", err)
        self.assertGreater(code, 1)

    def test_arrays_of_every_type(self):
        for kind, code in {"f64": "d", "f32": "f", "i64": "q", "u64": "Q", "i32": "i", "u32": "I", "i16": "h", "u16": "H", "i8": "b", "u8": "B"}.items():
            with self.subTest(kind):
                x = array.array(code, range(100))
                a = self.write("a.bin", x.tobytes())
                x[67] = 70
                b = self.write("b.bin", x.tobytes())
                found = self.compared(a, b, 1, "--type", kind)
                self.assertEqual((found["type"], found["shape"], found["first"], found["differing"]), (kind, [100], [67], 1))
                if kind[0] != "f":
                    self.assertEqual(found["examples"][0]["ulps"], 3)
                self.assertIn("first at (67)", run("diff", a, b, "--type", kind)[1])
                self.assertIn("every bit is equal", run("diff", a, a, "--type", kind)[1])
        self.refuses("no multiple of the 8", "diff", a, self.write("odd.bin", bytes(12)), "--type", "f64")
        self.refuses("is no extent", "diff", a, b, "--type", "u8", "--shape", "100,none")
        self.refuses("--layouts takes", "diff", a, b, "--type", "u8", "--layouts", "up")

    def npy(self, name, values, shape, fortran=False, descr="<f8", version=1, head=""):
        head = (head or f"{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}").encode()
        head += b" " * (63 - (10 + len(head)) % 64) + b"\n"
        length = struct.pack("<H" if version == 1 else "<I", len(head))
        return self.write(name, b"\x93NUMPY" + bytes((version, 0)) + length + head + array.array("d", values).tobytes())

    def test_npy(self):
        rows = self.npy("rows.npy", range(12), (3, 4))
        columns = self.npy("columns.npy", [4 * j + i for i in range(4) for j in range(3)], (3, 4), fortran=True)
        self.compared(rows, columns, 0)
        other = self.npy("other.npy", [*range(7), 70, *range(8, 12)], (3, 4))
        self.assertEqual(self.compared(rows, other, 1)["first"], [1, 3])
        self.refuses("has the shape", "diff", rows, self.npy("flat.npy", range(12), (12,)))
        self.damaged("bytes follow it", "diff", rows, self.write("cut.npy", rows.read_bytes()[:-8]))
        self.damaged("ends inside its header", "diff", rows, self.write("short.npy", rows.read_bytes()[:40]))
        for shape, said in (((2**33, 2**33), "its header says"), ((3, 5), "its header says"), ((2**70,), "larger than memory")):
            self.damaged(said, "diff", rows, self.npy("shape.npy", range(12), shape))
        self.compared(rows, self.npy("wide.npy", range(12), (3, 4), version=2), 0)
        self.compared(self.npy("scalar.npy", [7], ()), self.npy("one.npy", [7], (1,)), 0)
        self.compared(*(self.npy(name, [], (3, 0)) for name in ("none.npy", "nothing.npy")), 0)
        for wrong in (">f8", "<c16", "f"):
            self.damaged(f"its type {wrong}", "diff", rows, self.npy("type.npy", range(12), (3, 4), descr=wrong))
        self.damaged("its header has no", "diff", rows, self.npy("key.npy", range(12), (3, 4), head="{'descr': '<f8', 'shape': (3, 4), }"))
        self.damaged("is no tuple", "diff", rows,
                     self.npy("tuple.npy", range(12), (3, 4), head="{'descr': '<f8', 'fortran_order': False, 'shape': 12, }"))
        self.damaged("ends inside its header", "diff", rows, self.write("tiny.npy", rows.read_bytes()[:9]))
        self.refuses("is of f64, the other of f32", "diff", rows, self.npy("f32.npy", range(6), (3, 4), descr="<f4"))

    def test_layouts(self):
        """The same numbers, one array by rows and one by columns."""
        rows = self.write("rows.bin", array.array("i", range(12)).tobytes())
        columns = self.write("columns.bin", array.array("i", [4 * j + i for i in range(4) for j in range(3)]).tobytes())
        shaped = ("--type", "i32", "--shape", "3,4")
        self.compared(rows, columns, 0, *shaped, "--layouts", "right,left")
        self.compared(columns, rows, 0, *shaped, "--layouts", "left,right")
        self.assertEqual(self.compared(rows, columns, 1, *shaped, "--layouts", "left")["first"], [0, 1])

    def ranks(self, how):
        """Two runs of two ranks, of which the second one's last rank is run in another way."""
        for rank in ("0", "1"):
            for file, its, fill in ((self.at / "m", "sound", 0x40), (self.at / "n", how if rank == "1" else "sound", 0xC1)):
                os.environ.update(PMI_RANK=rank, PMI_SIZE="2")
                try:
                    self.assertEqual(traced(file, "one_bit", its, 4, fill)[0], 0)
                finally:
                    del os.environ["PMI_RANK"], os.environ["PMI_SIZE"]
        return self.at / "m", self.at / "n"

    def test_ranks_are_merged(self):
        alone, _ = self.runs("one_bit", "sound")
        m, n = self.ranks("planted")
        first = self.compared(m, n, 1)["first"]
        self.assertEqual((first["rank"], first["kernel"], first["view"]), (1, "copy", "y"))
        self.assertEqual(self.compared(m, alone, APART)["verdict"], "not comparable")

    def test_a_killed_run_is_read_as_far_as_it_goes(self):
        a, b = self.runs("swapped_buffers", "sound")
        whole = b.read_bytes()
        for cut in range(8, len(whole) - 1, 97):
            b.write_bytes(whole[:cut])
            code, out, err = run("diff", a, b)
            self.assertEqual(code, APART, out + err)

    def test_damaged_and_foreign_files(self):
        a, b = self.runs("swapped_buffers", "sound")
        whole = b.read_bytes()
        for place in [*range(40), *(self.random.randrange(len(whole)) for _ in range(60))]:
            wrong = bytearray(whole)
            wrong[place] ^= 1 << self.random.randrange(8)
            b.write_bytes(wrong)
            self.damaged("byte" if place >= 8 else "", "diff", a, b)
        b.write_bytes(whole[:7] + b"\3" + whole[8:])
        self.damaged("run file of version 3", "diff", a, b)
        self.damaged("does not begin as one does", "diff", a, self.write("foreign", b"x" * 1000))
        self.unusable("cannot read", "diff", a, self.at / "missing")

    def test_what_can_not_be_traced(self):
        self.unusable("cannot start", "trace", "-o", self.at / "x", "--", self.at / "missing")
        self.refuses("PROGRAM", "trace", "-o", self.at / "x")
        self.refuses("exists; --force", "trace", "-o", self.write("there", b""), "--", ZOO)
        code, _, err = traced(self.at / "x", "one_bit", "sound", 1, 300)
        self.assertEqual(code, 0)  # the program is not to suffer
        self.assertIn("is no byte", err)
        code, _, err = traced(self.at / "no" / "x", "one_bit", "sound", 1, 3)
        self.assertEqual(code, 0)
        self.assertIn("cannot write", err)

    def test_the_same_filling_is_said(self):
        traced(self.at / "a", "one_bit", "sound", 1, 7)
        traced(self.at / "b", "one_bit", "sound", 4, 7)
        self.assertIn("the same byte", self.compared(self.at / "a", self.at / "b", 0)["notes"][0])


if __name__ == "__main__":
    unittest.main()
