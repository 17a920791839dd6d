# SPDX-License-Identifier: Apache-2.0
"""perf/report beside targets and results of its own."""
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

REPORT = pathlib.Path(__file__).resolve().parents[2] / "perf" / "report"
TARGETS = "machine,primitive,type,items,variant,metric,at_least\n"
ROWS = "primitive,type,items,contender,seconds,fastest,spread,repetitions,bytes,copy,run\n"


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.at = pathlib.Path(folder.name)
        (self.at / "results/here").mkdir(parents=True)
        (self.at / "results/here/stamps.csv").write_text("run,machine\na.1,here\na.2,here\n")
        shutil.copy(REPORT, self.at)

    def report(self, target, *rows, machine="here"):
        """Exit code and lines for one target of the machine."""
        (self.at / "targets.csv").write_text(f"{TARGETS}here,{target}\n")
        (self.at / "results/here/scan.csv").write_text(ROWS + "".join(row + "\n" for row in rows))
        done = subprocess.run([sys.executable, self.at / "report", machine], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()

    def test_a_share_is_of_the_copy_in_the_same_race_of_the_same_run(self):
        rows = ("exclusive_scan,u32,1024,copy,5e-06,5e-06,0.01,30,8192,4e-06,a.2",
                "exclusive_scan,u32,1024,copy.streaming,4e-06,4e-06,0.01,30,8192,4e-06,a.2",
                "exclusive_scan,u32,1024,cub,1.6e-05,1e-05,0.01,30,8192,8e-06,a.1",
                "exclusive_scan,u32,1024,onepass,8e-06,1e-06,0.01,30,8192,4e-06,a.2")
        code, lines = self.report("exclusive_scan,u32,2^10,onepass,share,0.5", *rows)
        self.assertEqual(code, 0)
        self.assertRegex(lines[0], r"^here exclusive_scan u32 2\^10 onepass share +at least +0\.500  ok +0\.500 \(u32 1024\)  cub 0\.500$")
        self.assertEqual(lines[1], "every target is reached")

        code, lines = self.report("exclusive_scan,u32,2^10,onepass,share,0.51", *rows)
        self.assertEqual((code, lines[1]), (1, "1 short or missing"))
        self.assertIn(" short ", lines[0])

    def test_other_metrics(self):
        rows = ("exclusive_scan,u32,1000,cub,8e-06,4e-06,0.01,30,8000,2e-06,a.1",
                "exclusive_scan,u32,1000,onepass,4e-06,1e-06,0.01,30,8000,2e-06,a.1")
        for metric, value in ("calls_per_second", "2.5e+05"), ("items_per_second", "2.5e+08"), ("bytes_per_second", "2e+09"), ("times:cub", "2.000"):
            with self.subTest(metric):
                code, lines = self.report(f"exclusive_scan,*,..2^10,onepass,{metric},1.5", *rows)
                self.assertEqual(code, 0)
                self.assertIn(f"  ok {value:>12} ", lines[0])

    def test_the_worst_of_all_sizes_counts(self):
        rows = (f"exclusive_scan,u32,{items},onepass,{seconds},1e-06,0.01,30,8192,2e-06,a.1"
                for items, seconds in ((1024, "2e-06"), (2048, "4e-06"), (4096, "2.5e-06")))
        code, lines = self.report("exclusive_scan,u32,2^10..2^12,onepass,share,0.7", *rows)
        self.assertEqual(code, 1)
        self.assertRegex(lines[0], r" short +0\.500 \(u32 2048, 1 of 3 short\)")

    def test_what_was_not_measured_is_missing(self):
        no_copy = "exclusive_scan,u32,1024,onepass,4e-06,1e-06,0.01,30,8192,0,a.1"
        for metric, variant in ("share", "onepass"), ("share", "onepass.portable"), ("times:cub", "onepass"):
            with self.subTest(metric, variant=variant):
                code, lines = self.report(f"exclusive_scan,u32,2^10,{variant},{metric},0.5", no_copy)
                self.assertEqual((code, lines[1]), (1, "1 short or missing"))
                self.assertTrue(lines[0].endswith(" missing"))

    def test_machines_without_targets_are_refused(self):
        self.assertEqual(self.report("exclusive_scan,u32,2^10,onepass,share,1", machine="elsewhere"), (1, []))

    def test_hunts_are_summed_up_by_family(self):
        ratios = {"scan": ("0.5", "0.9", "0.98", "1.5"), "select": ("2", "")}
        wrong = "1,9,select,u8,7,wanted 1/1000 in+1,,cub,1e-06,,,wrong: onepass,a.1\n"
        (self.at / "results/here/hunt.csv").write_text(
            "seed,case,family,type,items,shape,seconds,rival,rival_seconds,ratio,spread,verdict,run\n" + "".join(
                f"1,{k},{family},u8,{100 + k},inclusive in+{k},2e-06,cub,1e-06,{ratio},0.01,right,a.1\n"
                for family, all_of_it in ratios.items() for k, ratio in enumerate(all_of_it)))
        target = "exclusive_scan,u32,2^10,onepass,items_per_second,1"
        row = "exclusive_scan,u32,1024,onepass,1e-06,1e-06,0.01,30,8192,0,a.1"
        code, lines = self.report(target, row)
        self.assertEqual(code, 0)
        self.assertEqual(lines[1], "here hunt scan                   4 cases   50% slower by 3 %   25% by 20 %  worst 0.500 times cub: "
                                   "u8 100 inclusive in+0  (hunt --seed 1 --case 0)")
        self.assertRegex(lines[2], r"^here hunt select +1 cases +0% .* worst 2\.000 times cub")
        with open(self.at / "results/here/hunt.csv", "a") as file:
            file.write(wrong)
        code, lines = self.report(target, row)
        self.assertEqual(code, 1)
        self.assertEqual(lines[3], "here hunt select: wrong: onepass: u8 7 wanted 1/1000 in+1  (hunt --seed 1 --case 9)")


if __name__ == "__main__":
    unittest.main()
