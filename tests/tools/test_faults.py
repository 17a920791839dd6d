#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""What goes wrong around the onepass program: outputs that exist, devices, pipes, links, full disks, signals, odd environments.
Nothing is lost, nothing half-written takes the place of something good, and the exit code says what happened.

usage: test_faults.py <onepass>
"""
import json
import os
import pathlib
import pty
import resource
import signal
import stat
import subprocess
import threading
import time
import unittest

from program_case import DAMAGED, EXHAUSTED, MISUSED, PROGRAM, UNUSABLE, ProgramCase, run


class Outputs(ProgramCase):
    def setUp(self):
        super().setUp()
        self.data = b"the quick brown fox jumps over the lazy dog. " * 500
        self.file = self.write("file", self.data)
        self.packed = self.at / "file.1p"
        self.fine("pack", self.file)

    def test_existing_files_are_kept_without_force(self):
        edited = self.write("file", b"edited")
        self.refuses("file exists; --force", "unpack", self.packed)
        for command in (["pack", edited, "-o", edited], ["rle", edited, "-o", edited], ["pack", edited],
                        ["make-weights", edited, "--bytes", "1k"]):
            self.refuses("exists; --force", *command)
        self.assertEqual(edited.read_bytes(), b"edited")
        self.fine("unpack", self.packed, "--force")
        self.assertEqual(self.file.read_bytes(), self.data)

    def test_what_is_no_regular_file_is_written_to(self):
        fifo, got = self.at / "fifo", []
        os.mkfifo(fifo)
        reader = threading.Thread(target=lambda: got.append(fifo.read_bytes()))
        reader.start()
        self.fine("unpack", self.packed, "-o", fifo)
        reader.join()
        self.assertEqual(got, [self.data])
        self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))
        self.fine("unpack", self.packed, "-o", "/dev/null")
        self.assertTrue(stat.S_ISCHR(os.stat("/dev/null").st_mode))
        done = subprocess.run([PROGRAM, "unpack", self.packed, "-o", "/dev/stdout"], capture_output=True)
        self.assertEqual((done.returncode, done.stdout), (0, self.data), done.stderr)

    def test_terminals_get_no_bytes_unasked(self):
        leader, terminal = pty.openpty()
        try:
            for command in (["pack", self.file, "-o", "-"], ["unpack", self.packed, "-o", "-"]):
                done = subprocess.run([PROGRAM, *command], stdout=terminal, stderr=subprocess.PIPE, text=True)
                self.assertEqual(done.returncode, MISUSED)
                self.assertIn("standard output is a terminal; --force writes there", done.stderr)
            done = subprocess.run([PROGRAM, "pack", self.write("x", b"x"), "-f", "-o", "-"], stdout=terminal, stderr=subprocess.PIPE)
            self.assertEqual(done.returncode, 0, done.stderr)
            self.assertTrue(os.read(leader, 8).startswith((self.packed.read_bytes())[:4]))
        finally:
            os.close(leader)
            os.close(terminal)

    def test_links_are_followed(self):
        real, link, dangling = self.write("real", b"old"), self.at / "link", self.at / "dangling"
        link.symlink_to("real")
        dangling.symlink_to("made")
        self.refuses("exists", "unpack", self.packed, "-o", link)
        self.fine("unpack", self.packed, "-f", "-o", link)
        self.fine("unpack", self.packed, "-o", dangling)
        for name, target in ((link, real), (dangling, self.at / "made")):
            self.assertTrue(name.is_symlink())
            self.assertEqual(target.read_bytes(), self.data)

    def test_modes_and_times_are_kept(self):
        os.umask(0o022)
        self.file.chmod(0o600)
        os.utime(self.file, ns=(10 ** 18, 10 ** 18 + 12345))
        self.fine("pack", "-f", self.file)
        self.fine("unpack", self.packed, "-o", self.at / "back")
        self.fine("rle", self.file, "-o", self.at / "runs")
        for name in (self.packed, self.at / "back", self.at / "runs"):
            found = name.stat()
            self.assertEqual((stat.S_IMODE(found.st_mode), found.st_mtime_ns), (0o600, 10 ** 18 + 12345), name)
        weights = self.write("w.safetensors", b"")
        weights.chmod(0o640)
        self.fine("make-weights", "-f", weights, "--bytes", "1k")
        self.assertEqual(stat.S_IMODE(weights.stat().st_mode), 0o640)

    def test_standard_input_and_output(self):
        def piped(data, *arguments):
            done = subprocess.run([PROGRAM, *arguments], input=data, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            return done.stdout
        self.assertEqual(piped(self.data, "pack", "-"), self.packed.read_bytes())
        self.assertEqual(piped(self.packed.read_bytes(), "unpack", "-"), self.data)
        self.assertEqual(piped(piped(self.data, "rle", "-", "-o", "-"), "rle", "--decode", "-", "-o", "-"), self.data)
        self.assertIn(b"verified", piped(self.packed.read_bytes(), "verify", "-"))
        self.assertEqual(piped(None, "unpack", self.packed, "-qo", "-"), self.data)
        self.assertFalse((self.at / "-").exists())

    def test_several_files(self):
        files = [self.write(f"f{k}", bytes([k]) * 1000 * k) for k in range(3)]
        self.fine("pack", *files)
        packed = [f"{f}.1p" for f in files]
        self.assertEqual(self.fine("verify", "--quiet", *packed), "")
        self.assertEqual(self.fine("verify", *packed).count("verified"), 3)
        code, out, err = run("verify", packed[0], files[1], self.at / "none", packed[2])
        self.assertEqual((code, out.count("verified"), err.count("\n")), (DAMAGED, 2, 2), err)
        for name in (files[1], self.at / "none"):
            self.assertIn(f"onepass: {name}" if name == files[1] else str(name), err)
        self.fine("unpack", "--force", "--rm", *packed)
        self.assertFalse(any(pathlib.Path(p).exists() for p in packed))
        self.fine("pack", "--keep", files[1])
        self.assertTrue(files[1].exists())
        self.refuses("excludes", "pack", "--keep", "--rm", files[2])

    def test_what_took_the_place_of_its_source_is_not_removed(self):
        x, link = self.write("x", self.data), self.at / "link"
        link.symlink_to("x")
        for out in (x, link):
            x.write_bytes(self.data)
            self.fine("pack", "--force", "--rm", "-o", out, x)
            self.assertEqual(self.fine("inspect", x), self.fine("inspect", self.packed).replace("file.1p", "x"))
        self.fine("unpack", "--force", "--rm", "-o", x, x)
        self.assertEqual(x.read_bytes(), self.data)
        packed = self.write("q.1p", self.packed.read_bytes())
        (self.at / "q").symlink_to("q.1p")
        self.fine("unpack", "--force", "--rm", packed)
        self.assertEqual(packed.read_bytes(), self.data)
        other = self.at / "other"
        other.hardlink_to(x)
        self.fine("pack", "--force", "--rm", "-o", other, x)
        self.assertEqual((x.exists(), other.read_bytes()), (False, self.packed.read_bytes()))

    def test_long_names(self):
        file = self.write("n" * 252, self.data)
        self.fine("pack", file)
        self.fine("unpack", f"{file}.1p", "-o", self.at / "back")
        self.assertEqual((self.at / "back").read_bytes(), self.data)


class Inputs(ProgramCase):
    def test_files_that_do_not_state_their_size(self):
        for name in ("/proc/version", "/sys/kernel/mm/transparent_hugepage/enabled"):
            if not os.path.exists(name):
                continue
            packed, back, whole = self.at / "p.1p", self.at / "back", pathlib.Path(name).read_bytes()
            self.fine("pack", "-f", name, "-o", packed)
            self.fine("unpack", "-f", packed, "-o", back)
            self.assertEqual(back.read_bytes(), whole)
            self.assertEqual(json.loads(self.fine("rle", name, "--json"))["bytes"], len(whole))

    def test_standard_input_begins_where_it_stands(self):
        data = self.random.randbytes(100_000)
        file, back = self.write("file", data), self.at / "back"
        for skipped in (0, 5000, 100_000, 200_000):
            for there, command, again in (("p.1p", ["pack", "-q"], ["unpack"]), ("runs", ["rle", "-q"], ["rle", "--decode"])):
                with file.open("rb", buffering=0) as standard:
                    standard.seek(skipped)
                    self.fine(*command, "-", "-f", "-o", self.at / there, stdin=standard)
                self.fine(*again, "-f", self.at / there, "-o", back)
                self.assertEqual(back.read_bytes(), data[skipped:], (command, skipped))

    def test_a_pipe_where_no_folder_for_temporary_files_is(self):
        odd = {**os.environ, "TMPDIR": str(self.at / "none")}
        self.unusable("cannot keep what standard input has in the folder for temporary files: No such", "verify", "-", env=odd, input="x")

    def test_a_pipe_with_a_name(self):
        fifo = self.at / "fifo"
        os.mkfifo(fifo)
        writer = threading.Thread(target=lambda: fifo.write_bytes(b"abc" * 100000))
        writer.start()
        self.fine("pack", fifo, "-o", self.at / "p.1p")
        writer.join()
        self.fine("unpack", self.at / "p.1p", "-o", self.at / "back")
        self.assertEqual((self.at / "back").read_bytes(), b"abc" * 100000)

    def test_check_reads_what_it_takes(self):
        self.fine("check", "/dev/zero", "--items", "1000", "--type", "u8", "--op", "plus")
        sparse = self.write("sparse", b"x")
        os.truncate(sparse, 1 << 40)
        code, _, err = run("check", sparse, "--items", "1000", "--type", "u8", "--op", "plus")
        self.assertEqual(code, 0, err)
        self.assertIn(f"has {1 << 40} bytes; of u8 the first 1000", err)

    def test_check_says_no_size_that_it_does_not_know(self):
        code, _, err = run("check", "-", "--items", "10", "--type", "u32", "--op", "plus", input="x" * 1000)
        self.assertEqual(code, 0, err)
        self.assertIn("- has at least 88 bytes; of u32 the first 10 items are taken", err)
        err = run("check", "-", "--items", "10", "--type", "u64", "--op", "plus", input="x" * 1000)[2]
        self.assertIn("- has at least 88 bytes; of u64 the first 10 items are taken", err)

    def test_options_name_files(self):
        file = self.write("file", b"x" * 100)
        for command in (["rle", file, "-o"], ["pack", file, "-o"], ["unpack", file, "-o"], ["blur", file, "-o"], ["blur", file, "-o", "o.png", "--depth"],
                        ["strategies", "--size", "10", "--strategy", "chained", "--picture"], ["trace", "-o"], ["trace", "-o", "x", "--library"]):
            self.refuses("an empty name is no file's", *command, "", *(["--", "true"] if command[0] == "trace" else []))

    def test_numbers(self):
        weights = self.at / "w.safetensors"
        for option, value in (("--bytes", "-5"), ("--seed", "-1"), ("--bytes", "5x"), ("--seed", "1.5")):
            self.refuses("no whole number", "make-weights", weights, f"{option}={value}")
        for value in ("18446744073709551616", "99999999999T"):
            self.refuses("more than 2^64 - 1", "make-weights", weights, f"--bytes={value}")
        self.unusable("are free", "make-weights", weights, "--bytes=1000000T")
        self.refuses("no whole number", "check", self.write("x", b"x"), "--items=-1")
        self.assertFalse(weights.exists())


class Faults(ProgramCase):
    def setUp(self):
        super().setUp()
        self.file = self.at / "w.safetensors"
        self.fine("make-weights", self.file, "--bytes", "24M")
        self.good = self.write("out", b"something good")
        self.good.chmod(0o600)

    def tearDown(self):
        self.assertEqual(self.good.read_bytes(), b"something good")
        super().tearDown()

    def test_files_that_grow_too_large(self):
        limit = lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 20, 1 << 20))
        self.unusable("out failed: File too large", "pack", "-f", self.file, "-o", self.good, preexec_fn=limit)

    def test_a_full_disk(self):
        full = self.at / "full"
        full.mkdir()
        # A small disk of its own takes a name space of mounts, which not every machine lends.
        command = f"mount -t tmpfs -o size=2m none {full} && echo good > {full}/o && ({PROGRAM} pack -f {self.file} -o {full}/o; echo $? $(cat {full}/o) $(ls -A {full} | wc -l))"
        done = subprocess.run(["unshare", "-rm", "sh", "-c", command], capture_output=True, text=True)
        if "Operation not permitted" in done.stderr or "unshare" in done.stderr:
            self.skipTest(done.stderr.strip())
        self.assertEqual(done.stdout.split(), ["3", "good", "1"], done.stderr)
        self.assertIn("No space left", done.stderr)

    def test_signals_at_any_moment(self):
        seen = 0
        for kind in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGQUIT):
            for wait in (0.02, 0.05, 0.1, 0.2):
                program = subprocess.Popen([PROGRAM, "make-weights", "-f", self.good, "--bytes", "300M"], stderr=subprocess.DEVNULL)
                while program.poll() is None and not any(p.name.endswith(".part") for p in self.at.iterdir()):
                    time.sleep(0.005)
                time.sleep(wait)
                seen += any(p.name.endswith(".part") for p in self.at.iterdir())
                program.send_signal(kind)
                self.assertEqual(program.wait(), -kind)
                self.assertFalse([p.name for p in self.at.iterdir() if p.name.endswith(".part")], kind)
        self.assertGreater(seen, 0)

    def test_signals_that_few_send_leave_nothing_either(self):
        for name in ("USR1", "USR2", "ALRM", "VTALRM", "PROF", "IO", "PWR"):
            kind = signal.Signals[f"SIG{name}"]
            program = subprocess.Popen([PROGRAM, "make-weights", "-f", self.good, "--bytes", "300M"], stderr=subprocess.DEVNULL)
            while not any(p.name.endswith(".part") for p in self.at.iterdir()):
                time.sleep(0.005)
            time.sleep(0.1)  # the file is there before it is watched
            program.send_signal(kind)
            self.assertEqual(program.wait(), -kind)
            left = [p for p in self.at.iterdir() if p.name.endswith(".part")]
            for part in left:
                part.unlink()
            self.assertEqual(left, [], kind)

    def test_links_in_a_circle_stay(self):
        first, second = self.at / "first", self.at / "second"
        first.symlink_to("second")
        second.symlink_to("first")
        for force in ([], ["--force"]):
            self.unusable("Too many levels of symbolic links", "pack", self.file, "-o", first, *force)
        self.assertTrue(first.is_symlink() and second.is_symlink())

    def test_leftovers_of_killed_runs_are_taken_over(self):
        program = subprocess.Popen([PROGRAM, "make-weights", "-f", self.good, "--bytes", "1G"], stderr=subprocess.DEVNULL)
        while not (left := [p for p in self.at.iterdir() if p.name.endswith(".part")]):
            time.sleep(0.005)
        self.unusable("another onepass is writing it", "make-weights", "-f", self.good, "--bytes", "1k")
        program.kill()
        program.wait()
        self.assertTrue(left[0].exists())
        before = self.good.read_bytes()
        self.fine("make-weights", "-f", self.good, "--bytes", "1k")
        self.assertFalse(left[0].exists())
        self.good.write_bytes(before)

    def test_folders_that_cannot_be_written(self):
        folder = self.at / "folder"
        folder.mkdir()
        folder.chmod(0o555)
        if os.access(folder, os.W_OK):
            folder = pathlib.Path("/proc")  # root may write everywhere but there
        self.unusable("cannot write", "pack", self.file, "-o", folder / "x")
        (self.at / "folder").chmod(0o755)

    def test_output_that_nobody_takes(self):
        with open("/dev/full", "w") as full:
            for command in (["info", "--json"], ["info"], ["codebook", self.good], ["--version"], ["rle", self.good]):
                code, _, err = run(*command, capture_output=False, stdout=full, stderr=subprocess.PIPE)
                self.assertEqual((code, "standard output failed" in err), (UNUSABLE, True), (command, err))
            code, _, err = run("pack", self.file, "-o", "-", capture_output=False, stdout=full, stderr=subprocess.PIPE)
            self.assertEqual((code, "standard output failed" in err), (UNUSABLE, True), err)
        code, _, err = run("info", capture_output=False, stderr=subprocess.PIPE, preexec_fn=lambda: os.close(1))
        self.assertEqual((code, "standard output failed" in err), (UNUSABLE, True), err)
        end, mouth = os.pipe()
        os.close(end)
        code, _, _ = run("pack", self.file, "-o", "-", capture_output=False, stdout=mouth, stderr=subprocess.PIPE)
        os.close(mouth)
        self.assertEqual(code, -signal.SIGPIPE)

    def test_memory_that_runs_out(self):
        big = self.write("big.1p", b"")
        os.truncate(big, 1 << 33)
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (1 << 32, 1 << 32))
        code, _, err = run("check", big, "--items", "0", "--type", "u8", "--op", "plus", preexec_fn=limit)
        self.assertEqual(code, EXHAUSTED, err)
        self.assertIn("big.1p: there is not enough memory", err)
        # What is no picture and no run file is told from its first bytes.
        self.damaged("it is neither a PNG nor a JPEG", "blur", big, "-o", self.at / "o.png", preexec_fn=limit)
        with big.open("r+b") as file:
            file.write(b"1prun\0\0\2")
        self.damaged("the record at byte 8 is damaged", "diff", big, big, preexec_fn=limit)


class Environment(ProgramCase):
    def test_odd_variables_of_kokkos(self):
        for name, values in {"KOKKOS_NUM_THREADS": ("garbage", "0", "-1", "1.5"), "KOKKOS_DEVICE_ID": ("x", "-1"),
                             "KOKKOS_TUNE_INTERNALS": ("zz",), "KOKKOS_DISABLE_WARNINGS": ("maybe",),
                             "KOKKOS_PRINT_CONFIGURATION": ("2",), "KOKKOS_MAP_DEVICE_ID_BY": ("chance",)}.items():
            for value in values:
                self.refuses(f"{name}={value} in the environment", "info", env={**os.environ, name: value})
        if json.loads(self.fine("info", "--json"))["default_space"]["name"] == "Cuda":
            self.refuses("KOKKOS_DEVICE_ID=99 in the environment", "info", env={**os.environ, "KOKKOS_DEVICE_ID": "99"})

    def test_what_needs_no_space_starts_no_kokkos(self):
        file = self.write("file", b"abc" * 1000)
        self.fine("pack", file)
        odd = {**os.environ, "KOKKOS_NUM_THREADS": "garbage"}
        self.fine("inspect", self.at / "file.1p", env=odd)
        self.unusable("No such file", "verify", self.at / "none", env=odd)
        for command in (["pack", "-f", file], ["verify", f"{file}.1p"], ["unpack", "-f", f"{file}.1p"], ["rle", file], ["codebook", file],
                        ["make-weights", self.at / "w"], ["check", file], ["strategies"],
                        ["pack", file, "-o", "-"]):
            self.refuses("KOKKOS_NUM_THREADS=garbage in the environment", *command, env=odd)
        self.assertEqual(file.read_bytes(), b"abc" * 1000)

    def test_more_threads_than_kokkos_takes(self):
        for name in ("OMP_NUM_THREADS", "KOKKOS_NUM_THREADS"):
            code, _, err = run("info", env={**os.environ, name: "600"})
            self.assertEqual(code, 0, err)
            if err:
                self.assertIn("600 threads are asked for; Kokkos takes 512", err)
        for more in ({}, {"KOKKOS_NUM_THREADS": "2"}):
            code, _, err = run("info", env={**os.environ, "OMP_NUM_THREADS": "65536", **more})
            self.assertEqual(code, 0, err)

    def test_arguments_bring_no_control_characters(self):
        # The two bytes of U+009B, the byte alone, and where it continues a character of UTF-8.
        for command, said in (([b"verify", b"x", b"--\x1b[31m"], "--\\x1b[31m"), ([b"verify", b"\xc2\x9b1m"], "\\xc2\\x9b1m"), ([b"verify", b"a\x9b1m"], "a\\x9b1m"),
                              ([b"verify", "\u201b \u00e9".encode()], "\u201b \u00e9")):
            err = subprocess.run([PROGRAM, *command], capture_output=True).stderr.decode()
            self.assertIn(said, err)
            self.assertNotIn("\x1b", err)

    def test_nothing_stands_before_json(self):
        json.loads(self.fine("info", "--json", env={**os.environ, "KOKKOS_PRINT_CONFIGURATION": "1"}))

    def test_errors_name_the_file(self):
        self.damaged("foreign: this is no file", "verify", self.write("foreign", b"x" * 1000))
        self.assertEqual(MISUSED, run("PACK", "x")[0])
        names = ["a", "file", "it", "zz"]  # words of the sentences
        for name in names:
            self.write(name, b"x" * 1000)
        code, _, err = run("verify", *names, cwd=self.at)
        self.assertEqual((code, err), (DAMAGED, "".join(f"onepass: {name}: this is no file that onepass packed\n" for name in names)))
        self.write("t.safetensors", b"x")
        for code, said, *command in (
                (DAMAGED, "it: this is no file of runs that onepass rle wrote", "rle", "--decode", "it", "-o", "out"),
                (DAMAGED, "t.safetensors: this is no safetensors file that can be read: it has 1 bytes; --as bytes packs it as it is", "pack", "t.safetensors"),
                (DAMAGED, "cannot read it: it is neither a PNG nor a JPEG", "blur", "it", "-o", "o.png"),
                (UNUSABLE, "cannot read none: No such file or directory", "verify", "none"),
                (MISUSED, "it exists; --force writes over it", "pack", "a", "-o", "it")):
            self.assertEqual(run(*command, cwd=self.at), (code, "", f"onepass: {said}\n"))


if __name__ == "__main__":
    unittest.main()
