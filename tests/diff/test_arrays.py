#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Compares arrays in files as a user does: raw ones and .npy.

usage: test_arrays.py <onepass>
"""
import array
import json
import os
import pathlib
import struct
import sys
import threading
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from program_case import ProgramCase, run  # noqa: E402  (it takes the first argument)

NEAR = 6  # an exit code of diff alone


class Arrays(ProgramCase):
    def compared(self, a, b, code, *options, **more):
        found, out, err = run("diff", a, b, "--json", *options, **more)
        self.assertEqual(found, code, out[-2000:] + err)
        return json.loads(out)

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
        for words in (("--type", "f64", a, b), ("--tolerance", "1e-12", a, b, "--type", "f64"), ("--type", "f64", "--shape", "20,10", a, b)):
            self.assertEqual(run("diff", *words)[0], 1, words)
        self.refuses("needs 100", "diff", a, b, "--type", "f64", "--shape", "10,10")
        self.unusable("cannot read", "diff", a, self.at / "missing", "--type", "f64")
        for missing in ("missing.h5:x", ":x", "missing:"):
            self.unusable(f"cannot read {missing}: No such file", "diff", a, missing, "--type", "f64")
        self.write("a:b", x.tobytes())
        for dataset in (f"{a}:x", f"{self.at}/a:b:x", f"{a}:/x:y"):
            code, _, err = run("diff", a, dataset, "--type", "f64")
            self.assertIn("HDF5", err)
            self.assertGreater(code, 1)
        self.compared(b, f"{self.at}/a:b", 0, "--type", "f64")

    def test_arrays_from_pipes(self):
        a, b = self.write("a.bin", bytes(16)), self.write("b.bin", bytes(15) + b"\1")
        for other, code in ((a, 0), (b, 1)):
            self.compared("-", other, code, "--type", "u8", input="\0" * 16)
            found, _, err = run("diff", "-", other, "--type", "u8", stdin=a.open())
            self.assertEqual(found, code, err)
        fifo = self.at / "fifo"
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: fifo.write_bytes(bytes(16)))
        writer.start()
        self.compared(b, fifo, 1, "--type", "u8")
        writer.join()

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

    def test_types_that_arrays_do_not_have(self):
        a = self.write("a.bin", bytes(16))
        for wrong in ("f16", "x=f64", "F64"):
            self.refuses("is no type of arrays; f64, f32, i64, u64, i32, u32, i16, u16, i8 and u8 are", "diff", a, a, f"--type={wrong}")

    def test_options_that_are_for_runs(self):
        a = self.write("a.bin", bytes(16))
        for option in ("--locate", "--all", "--skip=x", "--order=keep", "--order=ignore"):
            self.refuses("--skip and --order are for runs", "diff", a, a, "--type", "u8", option)
        self.refuses("--type is given 2 times", "diff", a, a, "--type", "u8", "--type", "u16")

    def test_integers_are_compared_exactly(self):
        for kind, code, last in (("i64", "q", 2**63 - 1), ("u64", "Q", 2**64 - 1), ("i64", "q", -2**63 + 1)):
            a, b = (self.write(name, array.array(code, [7, x, 9]).tobytes()) for name, x in (("a.bin", last), ("b.bin", last - 1)))
            found = self.compared(a, b, 1, "--type", kind)
            self.assertEqual((found["largest"], found["largest_ulps"]), (1, 1))
            self.assertAlmostEqual(found["largest_relative"] * abs(last), 1)
        ends = (self.write(name, array.array("q", [x]).tobytes()) for name, x in (("a.bin", -2**63), ("b.bin", 2**63 - 1)))
        self.assertEqual(self.compared(*ends, 1, "--type", "i64")["largest"], 2.0**64)

    def test_tolerances_of_arrays(self):
        def arrays(x, y, code="d"):
            return (self.write(name, array.array(code, [1, z, 3]).tobytes()) for name, z in (("a.bin", x), ("b.bin", y)))

        def judged(x, y, tolerance, code, *options):
            found = self.compared(*arrays(x, y), code, "--type", "f64", "--tolerance", tolerance, *options)
            self.assertEqual(found["verdict"], {0: "equal", 1: "different", NEAR: "within tolerance"}[code])

        inf, nan = float("inf"), float("nan")
        judged(1.0, 1 + 1e-15, "1e-3", NEAR)
        judged(1.0, 1.01, "1e-3", 1)
        judged(100.0, 101.0, "1e-2", NEAR)
        judged(0.0, 1e-300, ".5", 1)
        judged(-0.0, 0.0, "1e-3", NEAR)
        judged(2.0, 2.0, "1e-3", 0)
        for x, y in ((inf, 1.0), (inf, -inf), (nan, 1.0), (1.0, nan)):
            judged(x, y, "1e9", 1)
        self.compared(*arrays(2**62, 2**62 + 1, "q"), NEAR, "--type", "i64", "--tolerance", "1e-18")
        self.compared(*arrays(2**62, 2**62 + 1, "q"), 1, "--type", "i64", "--tolerance", "1e-19")
        code, out, _ = run("diff", *arrays(1.0, 1 + 1e-15), "--type", "f64", "--tolerance", "1e-3")
        self.assertEqual((code, "within tolerance" in out), (NEAR, True))
        self.refuses("an array has no Views", "diff", *arrays(1.0, 2.0), "--type", "f64", "--tolerance", "x=1e-3")

    def test_names_bring_no_control_characters(self):
        a, b = self.write("a\x1b[31m", bytes(8)), self.write("b\n", bytes(7) + b"\1")
        out = run("diff", a, b, "--type", "u8")[1]
        self.assertIn("a\\x1b[31m and ", out)
        self.assertIn("b\\x0a: 1 of 8 items differ", out)

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
        self.refuses("the arrays are of f64, and --type says f32\n", "diff", rows, rows, "--type", "f32")
        self.refuses("is of f64, the other of f32", "diff", rows, self.npy("f32.npy", range(6), (3, 4), descr="<f4"))

    def test_hdf5_without_a_data_set_is_no_raw_array(self):
        a = self.write("a.h5", b"\x89HDF\r\n\x1a\n" + bytes(56))
        for options in ((), ("--type", "f64")):
            self.refuses(f"{a} is HDF5; name a data set of it, as {a}:/x\n", "diff", a, a, *options)

    def test_layouts(self):
        """The same numbers, one array by rows and one by columns."""
        rows = self.write("rows.bin", array.array("i", range(12)).tobytes())
        columns = self.write("columns.bin", array.array("i", [4 * j + i for i in range(4) for j in range(3)]).tobytes())
        shaped = ("--type", "i32", "--shape", "3,4")
        self.compared(rows, columns, 0, *shaped, "--layouts", "right,left")
        self.compared(columns, rows, 0, *shaped, "--layouts", "left,right")
        self.assertEqual(self.compared(rows, columns, 1, *shaped, "--layouts", "left")["first"], [0, 1])


if __name__ == "__main__":
    unittest.main()
