#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Traces the programs of the zoo and compares their runs, as a user does.

usage: test_diff.py <onepass> <zoo>
"""
import concurrent.futures
import fcntl
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

    def compared(self, a, b, code, *options, **more):
        found, out, err = run("diff", a, b, "--json", *options, **more)
        self.assertEqual(found, code, out[-2000:] + err)
        return json.loads(out)

    def test_every_defect_is_found_and_every_twin_is_equal(self):
        self.assertGreaterEqual(len(ANIMALS), 40)

        def parted(which):
            (animal, _, _), how = which
            # Two layouts on the same space are no default, so the difference in order is asked to be ignored; between host and
            # device it is unless it is asked for.
            options = ("--order", "ignore") if "layout" in animal else ("--order", "keep") if animal in IN_ORDER else ()
            told = self.compared(*self.runs(animal, how, named=f"{animal}.{how}."), int(how == "planted"), "--locate", *options)
            # Whatever parts is found again, even what was made by a kernel that one of the runs does not have.
            first = told.get("first", {})
            self.assertEqual("how" in first, told.get("items") is not None, (animal, told["notes"]))
            return told["parted"]

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
        code, out, err = run("diff", a, b, "--locate")
        self.assertEqual((code, err.count(f"runs again in {os.getcwd()}: {ZOO} one_bit planted")), (1, 2), err)
        self.assertIn("first at (4321)", out)
        self.assertEqual(out.count("first: kernel"), 1, "what was printed before the programs ran is printed once")
        self.assertEqual(self.compared(a, b, 1, "--locate", "--shape", "100,50")["items"]["first"], [86, 21])
        for option in ("--shape=100,50", "--layouts=left"):
            self.refuses("are for --locate", "diff", a, b, option)

    def test_locate_says_what_it_can_not_do(self):
        a, b = self.runs("as_many_as_threads", "planted")
        code, out, _ = run("diff", a, b, "--locate")
        self.assertEqual(code, 1)
        self.assertIn("it has 8 bytes in the first run and 32 in the second", out)
        self.assertIn("other size", out)
        self.assertNotIn("run again", out)
        files = self.ranks("sound", "planted")
        code, out, _ = run("diff", *files, "--locate")
        self.assertEqual(code, 1)
        self.assertIn("not compared item by item: a run of several ranks is started by its launcher", out)
        found = self.compared(*files, 1, "--locate")
        self.assertIsNone(found["items"])
        self.assertIn("is started by its launcher", found["notes"][-1])

    def test_locate_runs_with_no_variables_of_its_own(self):
        a, b = self.runs("one_bit", "planted")
        found = self.compared(a, b, 1, "--locate", env={**os.environ, "KOKKOS_NUM_THREADS": "none"})
        self.assertEqual(found["items"]["first"], [4321])

    def test_locate_takes_the_type_of_the_view_alone(self):
        a, b = self.runs("one_bit", "planted")
        self.assertEqual(self.compared(a, b, 1, "--locate", "--type", "y@other=i32")["items"]["type"], "f64")
        self.assertEqual(self.compared(a, b, 1, "--locate", "--type", "y@copy=i64")["items"]["type"], "i64")

    def test_locate_runs_no_words_that_the_program_did_not_have(self):
        a, b = self.at / "a", self.at / "b"
        for out, threads in ((a, "1"), (b, "4")):
            done = subprocess.run([PROGRAM, "trace", "-o", out, "--", ZOO, "one_bit", "planted", b"\xff"], env={**os.environ, "OMP_NUM_THREADS": threads})
            self.assertEqual(done.returncode, 0)
        code, out, err = run("diff", a, b, "--locate")
        self.assertEqual((code, "runs again" in err), (1, False))
        self.assertIn("has words that are no UTF-8", out)

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

    def test_names_bring_no_control_characters(self):
        a, b = self.runs("one_bit", "planted", named="\x1b[31m")
        code, out, _ = run("diff", a, b, "--locate")
        self.assertEqual((code, out.count("\x1b"), out.count("\\x1b[31ma.1prun")), (1, 0, 2))
        code, out, _ = run("diff", *self.runs("last_writer", "planted"))
        self.assertEqual((code, out.count("\x1b"), out.count("\a")), (1, 0, 0))
        self.assertIn('first: kernel "choose\\x1b[1m", call 1, View "chosen\\x07"', out)
        self.assertRegex(out, r"(?m)^choose\\x1b\[1m +1 +1  chosen\\x07  ")

    def ranks(self, *hows, named=("m", "n"), fills=(0x40, 0xC1)):
        """Two runs of a rank for each way, of which the second one's ranks are run in these ways."""
        for rank, how in enumerate(hows):
            for name, its, fill in zip(named, ("sound", how), fills):
                os.environ.update(PMI_RANK=str(rank), PMI_SIZE=str(len(hows)))
                try:
                    self.assertEqual(traced(self.at / name, "one_bit", its, 4, fill)[0], 0)
                finally:
                    del os.environ["PMI_RANK"], os.environ["PMI_SIZE"]
        return [self.at / name for name in named]

    def test_ranks_are_those_of_the_launcher_that_started_them(self):
        batch = {"SLURM_PROCID": "0", "SLURM_NTASKS": "4"}  # a script's, which is one process
        for its, name in ((batch, "run"), ({**batch, "SLURM_STEP_NUM_TASKS": "1"}, "run"), ({**batch, "SLURM_STEP_NUM_TASKS": "4"}, "run.rank0"),
                          ({**batch, "SLURM_STEP_NUM_TASKS": "4", "PMI_SIZE": "1"}, "run")):
            self.fine("trace", "-o", self.at / "run", "--force", "--", ZOO, "one_bit", "sound", env={**os.environ, **its})
            self.assertEqual([p.name for p in self.at.glob("run*")], [name], its)
            (self.at / name).unlink()

    def test_ranks_are_merged(self):
        alone, _ = self.runs("one_bit", "sound")
        m, n = self.ranks("sound", "planted")
        first = self.compared(m, n, 1)["first"]
        self.assertEqual((first["rank"], first["kernel"], first["view"]), (1, "copy", "y"))
        self.assertEqual(self.compared(m, alone, APART)["verdict"], "not comparable")

    def test_ranks_that_are_lost_are_missed(self):
        m, n = self.ranks("sound", "sound", "planted")
        lost = [self.at / f"{file.name}.rank1" for file in (m, n)]
        for file in lost:
            file.rename(self.at / f"kept {file.name}")
        self.damaged("m.rank1 is missing, and", "diff", m, n)
        for file in lost:
            (self.at / f"kept {file.name}").rename(file)
        self.assertEqual(self.compared(m, n, 1)["first"]["rank"], 2)
        for rank in (0, 2):
            (self.at / "kept").unlink(missing_ok=True)
            (self.at / f"n.rank{rank}").rename(self.at / "kept")
            self.damaged(f"n.rank{rank} is missing, and", "diff", m, n)
            (self.at / "kept").rename(self.at / f"n.rank{rank}")

    def test_ranks_of_two_runs_are_no_run(self):
        m, n = self.ranks("sound", "sound", "sound")
        self.ranks("sound", "planted", named=("m2", "n2"))
        for rank in (0, 1):
            (self.at / f"n2.rank{rank}").rename(self.at / f"n.rank{rank}")
        self.damaged("n.rank2 is of a run of 3 ranks, and", "diff", m, n)
        (self.at / "m.rank0").rename(self.at / "m.rank1")
        self.damaged("m.rank", "diff", m, m)

    def test_force_leaves_nothing_of_an_older_run(self):
        good, run_file = self.at / "good", self.at / "run"
        self.ranks("sound", named=("good", "run"), fills=(1, 2))  # one rank
        self.assertTrue(run_file.exists())
        run_file.rename(self.at / "real")
        run_file.symlink_to("real")
        self.ranks("sound", "sound", "sound", named=("good2", "run"), fills=(1, 2))
        self.assertEqual(sorted(p.name for p in self.at.glob("run*")), ["run", "run.rank0", "run.rank1", "run.rank2"])
        self.assertFalse(run_file.exists() or (self.at / "real").exists())
        self.assertTrue(run_file.is_symlink())
        self.ranks("sound", "planted", named=("good3", "run"), fills=(1, 2))
        self.assertEqual(sorted(p.name for p in self.at.glob("run.*")), ["run.rank0", "run.rank1"])
        self.assertEqual(self.compared(self.at / "good3", run_file, 1)["first"]["rank"], 1)
        self.compared(good, run_file, APART)
        traced(run_file, "one_bit", "sound", 1, 3)
        self.assertEqual(sorted(p.name for p in self.at.glob("run*")), ["run"])
        self.compared(good, run_file, 0)

    def test_force_leaves_what_is_still_traced(self):
        out = self.write("out", b"good")
        with out.open() as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            self.unusable("a program that still runs is traced there", "trace", "--force", "-o", out, "--", ZOO, "one_bit", "sound")
            self.assertEqual(out.read_bytes(), b"good")
        self.assertEqual(traced(out, "one_bit", "sound", 1, 3)[0], 0)

    def test_runs_from_pipes(self):
        a, b = self.runs("one_bit", "planted")
        with a.open() as file:
            self.compared("-", b, 1, stdin=file)
        code, _, err = run("diff", "/dev/stdin", b, input=a.read_bytes(), text=False)
        self.assertEqual(code, 1, err)
        self.refuses("a trace goes to a file", "trace", "-o", "-", "--", ZOO)

    def test_a_run_of_one_rank_beside_one_of_more_is_not_chosen(self):
        """As when the library is loaded without onepass trace."""
        m, _ = self.ranks("sound", "sound")
        m.write_bytes((self.at / "m.rank0").read_bytes())
        self.refuses("and so is", "diff", m, self.at / "n")

    def test_the_verdict_does_not_depend_on_the_order_of_ranks(self):
        for hows, cut in ((("planted", "sound"), 1), (("sound", "planted"), 0)):
            files = self.ranks(*hows)
            for file in files:
                rank = self.at / f"{file.name}.rank{cut}"
                whole = rank.read_bytes()
                rank.write_bytes(whole[:24 + struct.unpack("<I", whole[8:12])[0]])  # ended before its first kernel
            found = self.compared(*files, 1)
            self.assertEqual((found["verdict"], found["first"]["rank"]), ("different", 1 - cut))
            self.assertIn("no kernel of one run has the name of one of the other" + " (rank 1)" * cut, found["notes"])

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
        for more in range(1, 40):
            b.write_bytes(whole + bytes(more))
            self.damaged(f"at byte {len(whole)}", "diff", a, b)
        b.write_bytes(whole[:7] + b"\3" + whole[8:])
        self.damaged("run file of version 3", "diff", a, b)
        self.damaged("does not begin as one does", "diff", a, self.write("foreign", b"x" * 1000))
        self.damaged("does not begin as one does", "diff", a, f"{self.at / 'foreign'}:/x")
        self.unusable("cannot read", "diff", a, self.at / "missing")

    def test_what_can_not_be_traced(self):
        self.unusable("cannot start", "trace", "-o", self.at / "x", "--", self.at / "missing")
        self.refuses("PROGRAM", "trace", "-o", self.at / "x")
        self.refuses("exists; --force", "trace", "-o", self.write("there", b""), "--", ZOO)
        loop, there = self.at / "loop", self.write("there", b"good")
        loop.symlink_to("loop")
        for out in (loop, self.at / ("n" * 300)):
            self.unusable(out.name, "trace", "-o", out, "--", ZOO)
            self.unusable(out.name, "diff", out, there)
            self.unusable(out.name, "diff", there, out)
        self.unusable("cannot start", "trace", "--force", "-o", there, "--", self.at / "missing")
        self.unusable("cannot start", "trace", "--force", "-o", there, "--", "no_such_program")
        self.unusable("Is a directory", "trace", "--force", "-o", there, "--", self.at)
        for wrong in ("--fill=300", "--fill=-1", "--fill=all", "--threads=-5", "--threads=0", "--threads=all"):
            self.refuses(wrong.split("=")[0], "trace", "--force", "-o", there, wrong, "--", ZOO, "one_bit", "sound")
        self.assertEqual(there.read_bytes(), b"good")
        there.rename(self.at / "there.rank7")
        self.refuses("there.rank7 exists; --force", "trace", "-o", there, "--", ZOO)
        code, _, err = run("trace", "-o", self.at / "x", "--", "env", "ONEPASS_TRACE_FILL=300", ZOO, "one_bit", "sound")
        self.assertEqual(code, 0)  # the program is not to suffer
        self.assertIn("is no byte", err)
        for folder, said in ((self.at / "no", "No such file"), (self.at / "there.rank7", "Not a directory")):
            self.unusable(f"cannot write {folder / 'x'}: {said}", "trace", "-o", folder / "x", "--", ZOO, "one_bit", "sound")

    def test_the_same_filling_is_said(self):
        traced(self.at / "a", "one_bit", "sound", 1, 7)
        traced(self.at / "b", "one_bit", "sound", 4, 7)
        self.assertIn("the same byte", self.compared(self.at / "a", self.at / "b", 0)["notes"][0])


if __name__ == "__main__":
    unittest.main()
