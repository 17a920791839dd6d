#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Calls libonepass_trace.so as Kokkos does, from programs that start others, fork, and run out of disk.

usage: test_library.py <onepass> <libonepass_trace.so>
"""
import json
import os
import pathlib
import resource
import subprocess
import sys
import unittest

LIBRARY = pathlib.Path(sys.argv.pop(2))
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tools"))
from program_case import ProgramCase, run  # noqa: E402  (it takes the first argument)

APART = 7  # an exit code of diff alone

# A traced program: kernels that change one View.
KOKKOS = """
import ctypes, os, subprocess, sys
library, malloc = ctypes.CDLL(sys.argv[1]), ctypes.CDLL(None).malloc
malloc.restype = ctypes.c_void_p
class Space(ctypes.Structure):
    _fields_ = [("name", ctypes.c_char * 64)]
host = Space(b"Host")
is_second = os.environ.get("OMP_NUM_THREADS") == "2"
def initialize(label=b"view", bytes=400):
    global at
    at = ctypes.c_void_p(malloc(ctypes.c_size_t(bytes)))
    library.kokkosp_init_library(0, ctypes.c_uint64(0), 0, None)
    library.kokkosp_allocate_data(host, label, at, ctypes.c_uint64(bytes))
def kernel(number, name=b"kernel"):
    handle = ctypes.c_uint64()
    library.kokkosp_begin_parallel_for(name, 0, ctypes.byref(handle))
    ctypes.memset(at, number, 400)
    library.kokkosp_end_parallel_for(handle)
def copy(number, to, of):
    library.kokkosp_begin_deep_copy(host, to, at, host, of, at, ctypes.c_uint64(400))
    ctypes.memset(at, number, 400)
    library.kokkosp_end_deep_copy()
finalize = library.kokkosp_finalize_library
"""


@unittest.skipIf(b"__asan_init" in LIBRARY.read_bytes() or b"__tsan_init" in LIBRARY.read_bytes(), "no program of Python loads it")
class Library(ProgramCase):
    def traced(self, out, program, **variables):
        done = subprocess.run([sys.executable, "-c", KOKKOS + program, LIBRARY], capture_output=True, text=True, timeout=30,
                              env={**os.environ, "ONEPASS_TRACE_FILE": str(out), "ONEPASS_TRACE_THREADS": "2", **variables})
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stderr

    def two(self, program, **variables):
        """Traces of a program that asks is_second which of them it makes."""
        for name, threads in (("a", "1"), ("b", "2")):
            self.traced(self.at / name, program, OMP_NUM_THREADS=threads, **variables)

    def compared(self, code, *options):
        found, out, err = run("diff", self.at / "a", self.at / "b", "--json", *options)
        self.assertEqual(found, code, out + err)
        return json.loads(out)

    def test_a_program_that_a_traced_one_starts_leaves_its_trace_alone(self):
        plain, out = self.at / "plain", self.at / "out"
        self.traced(plain, "initialize(); kernel(1); kernel(2); finalize()")
        said = self.traced(out, "initialize(); kernel(1); subprocess.run([*sys.orig_argv, 'inner'] if sys.argv[2:] == [] else ['true']); "
                                "kernel(2); finalize()")
        self.assertIn("a program that still runs is traced there; the program runs without being traced", said)
        self.fine("diff", plain, out)
        self.traced(out, "initialize(); kernel(1); kernel(2); finalize()")  # and nothing of the longer one stays
        self.fine("diff", plain, out)

    def test_a_child_that_is_forked_ends_and_is_not_traced(self):
        plain, out = self.at / "plain", self.at / "out"
        self.traced(plain, "initialize(); kernel(1); kernel(2); finalize()")
        for child in ("ctypes.CDLL(None).exit(0)", "kernel(3); finalize(); os._exit(0)"):
            self.traced(out, f"""
initialize(); kernel(1)
number = os.fork()
if number == 0:
    {child}
os.waitpid(number, 0)
kernel(2); finalize()""")
            self.fine("diff", plain, out)

    def test_names_that_stand_for_types_without_end_stay_as_they_are(self):
        digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        for times in (14, 30):
            name = "1aISt4pairIiiE" + "".join(f"S0_IS{d}_S{d}_E" for d in digits[1:times]) + "E"  # a pair of pairs of pairs
            self.traced(self.at / "out", f"initialize(); kernel(1, b'{name}'); finalize()")
            limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
            self.fine("diff", self.at / "out", self.at / "out", preexec_fn=limit, timeout=60)

    def test_kernels_of_many_types_pair_across_spaces(self):
        for types in (12, 24):  # and more letters than demanglers take
            for space, layout in (("Serial", "Right"), ("OpenMP", "Left")):
                views = "".join(f"N{'S0_' if i else '6Kokkos'}4ViewIPA{i + 1}_dJNS0_{len(layout) + 6}Layout{layout}ENS0_6{space}ENS0_9HostSpaceEEEE"
                                for i in range(types))
                self.traced(self.at / space, f"initialize(); kernel(1, b'7functorI{views}E'); finalize()")
            self.fine("diff", self.at / "Serial", self.at / "OpenMP")

    def test_locate_tells_copies_from_a_mirror_and_to_it_apart(self):
        self.two("""
initialize(b"x")
for step in (1, 2, 3):
    copy(step + 7 * (is_second and step == 2), b"x", b"x_mirror")
    copy(step, b"x_mirror", b"x")
finalize()""")
        found = self.compared(1, "--locate")
        self.assertEqual((found["first"]["call"], found["items"]["first"], found["items"]["type"]), (3, [0], found["first"]["how"]["as"]))

    def test_locate_keeps_a_difference_of_views_that_have_other_sizes_then(self):
        again = self.at / "again"
        self.two(f"initialize(bytes=800 if is_second and os.path.exists('{again}') else 400); kernel(1 + is_second); finalize()")
        again.touch()
        found = self.compared(1, "--locate")
        self.assertIsNone(found["items"])
        self.assertIn("has a View view of 800 bytes there, not 400", found["notes"][-1])
        code, out, err = run("diff", self.at / "a", self.at / "b", "--locate", "--shape", "10,7")
        self.assertEqual((code, out, "runs again" in err), (2, "", False), err)

    def test_views_without_labels_are_named_as_they_are_shown(self):
        self.two("initialize(b''); kernel(1 + is_second); finalize()", ONEPASS_TRACE_VIEWS="(no label)#1")
        self.assertEqual(self.compared(1, "--type", "(no label)=i64")["first"]["how"]["as"], "i64")
        self.compared(0, "--skip", "(no label)#1@kernel")

    def test_brackets_and_backslashes_are_letters(self):
        label = r"flux[0]\n*"
        self.two(f"initialize(rb'{label}'); kernel(1 + is_second); finalize()", ONEPASS_TRACE_KERNELS="kernel", ONEPASS_TRACE_VIEWS=label)
        self.compared(1, "--skip", "flux0*")
        for pattern in (label, r"f*[?]\n\*", "f*"):
            self.compared(APART, "--skip", pattern)
        items = self.compared(1, "--locate")["items"]
        self.assertEqual(items["differing"], items["items"])

    def test_rules_that_fit_nothing_are_named(self):
        self.two("initialize(); kernel(1 + is_second); finalize()")
        for option, value, fits in (("--skip", "veiw", "veiw"), ("--tolerance", "view@kernle=1e-3", "view@kernle"), ("--type", "veiw=i64", "veiw")):
            self.assertIn(f"{option} {fits} fits no View that is compared", self.compared(1, option, value)["notes"])
        self.assertEqual([n for n in self.compared(APART, "--skip", "view", "--skip", "v*")["notes"] if "fits no" in n], [])

    def test_options_take_one_word(self):
        """Those behind it are the program's."""
        for option in ("--kernels", "--views", "--skip", "--dump"):
            out = self.fine("trace", "--library", LIBRARY, "-o", self.at / "out", option, "q", "--", "echo", "--threads", "4", "--force", "in")
            self.assertEqual(out, "--threads 4 --force in\n")

    def test_nothing_runs_where_no_file_can_be(self):
        (self.at / "folder").mkdir()
        (self.at / "link").symlink_to(self.at / "missing" / "out")
        for name, said in (("folder", "it is a folder"), ("link", "No such file")):
            for options in ((), ("--force",)):
                self.unusable(f"cannot write {self.at / name}: {said}", "trace", "--library", LIBRARY, *options, "-o", self.at / name, "--", "echo", "ran")

    def test_dumps_of_ranks_stay_without_force(self):
        other = self.write("out.rank0.0.bin", b"other")
        command = ("trace", "--library", LIBRARY, "--dump", "kernel", "-o", self.at / "out", "--", "true")
        for its in ({}, {"PMI_RANK": "0", "PMI_SIZE": "2"}):
            self.refuses(f"{other} exists; --force", *command, env={**os.environ, **its})
        self.fine(*command, env={**os.environ, "PMI_RANK": "1", "PMI_SIZE": "2"})

    def test_dumps_are_missed_where_the_disk_is_full(self):
        out = self.at / "out"
        (self.at / "out.0.bin").symlink_to("/dev/full")
        said = self.traced(out, "initialize(); kernel(1); finalize()", ONEPASS_TRACE_DUMP="kernel")
        self.assertIn("cannot write", said)

    def test_dumps_of_an_older_run_stay_without_force(self):
        out = self.at / "out"
        self.traced(out, "initialize(); kernel(1); kernel(2); finalize()", ONEPASS_TRACE_DUMP="kernel")
        old = [out, self.at / "out.0.bin", self.at / "out.1.bin"]
        other = [self.write(name, b"other") for name in ("out.bin", "out.x.bin", "out.01.bin", "out.1.bin2", "out.2.bin")]
        self.refuses("exists; --force", "trace", "--library", LIBRARY, "-o", out, "--", "true")
        self.assertTrue(all(file.exists() for file in old))
        self.fine("trace", "--library", LIBRARY, "--force", "-o", out, "--", "true")
        self.assertFalse(any(file.exists() for file in old))
        self.assertTrue(all(file.exists() for file in other))

    def test_files_of_others_that_are_named_as_dumps_stay(self):
        out, other = self.at / "out", self.write("out.0.bin", b"other")
        self.fine("trace", "--library", LIBRARY, "-o", out, "--", "true")
        self.refuses("exists; --force", "trace", "--library", LIBRARY, "--dump", "kernel", "-o", out, "--", "true")
        for older in (b"no run", b""):
            out.write_bytes(older)
            self.fine("trace", "--library", LIBRARY, "--force", "-o", out, "--", "true")
            self.assertEqual(other.read_bytes(), b"other")


if __name__ == "__main__":
    unittest.main()
