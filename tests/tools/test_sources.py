#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Which files the onepass program removes, waits for and takes modes from: pipes, and results that are on no disk.

usage: test_sources.py <onepass>
"""
import fcntl
import os
import stat
import subprocess
import threading
import time
import unittest

from program_case import PROGRAM, ProgramCase


class Removed(ProgramCase):
    def test_a_source_stays_where_its_result_is_on_no_disk(self):
        data = b"good" * 1000
        file, fifo, out = self.write("file", data), self.at / "fifo", self.at / "out"
        os.mkfifo(fifo)
        holds = os.open(fifo, os.O_RDWR)
        for to in ("-", fifo, "/dev/null", "/dev/stdout"):
            self.refuses("--rm removes what is safe in a file, and", "pack", "--rm", "-f", "-o", to, file)
            self.assertTrue(file.exists())
        os.close(holds)
        with out.open("wb") as standard:
            self.assertEqual(subprocess.run([PROGRAM, "pack", "-q", "--rm", "-o", "-", file], stdout=standard).returncode, 0)
        self.assertFalse(file.exists())
        self.fine("unpack", out, "-o", file)
        self.assertEqual(file.read_bytes(), data)

    def test_a_pipe_gives_no_mode_and_stays(self):
        os.umask(0o022)
        fifo, packed = self.at / "fifo", self.at / "p.1p"
        os.mkfifo(fifo, 0o600)
        writer = threading.Thread(target=lambda: fifo.write_bytes(b"abc" * 100))
        writer.start()
        self.fine("pack", "--rm", fifo, "-o", packed)
        writer.join()
        self.assertTrue(stat.S_ISFIFO(fifo.stat().st_mode))
        self.assertEqual(stat.S_IMODE(packed.stat().st_mode), 0o644)


    def test_a_pipe_gives_no_times(self):
        packed = self.write("p.1p", b"old")
        os.utime(packed, (1e9, 1e9))
        self.fine("pack", "-", "-fo", packed, input="abc")
        self.assertNotEqual(packed.stat().st_mtime, 1e9)

    def test_nobody_else_reads_what_will_take_the_place_of_a_private_file(self):
        os.umask(0o022)
        private = self.write("private", b"x")
        private.chmod(0o600)
        program = subprocess.Popen([PROGRAM, "make-weights", "-f", private, "--bytes", "1G"], stderr=subprocess.DEVNULL)
        while not (left := [p for p in self.at.iterdir() if p.name.endswith(".part")]):
            time.sleep(0.005)
        mode = left[0].stat().st_mode
        program.terminate()
        program.wait()
        self.assertEqual(stat.S_IMODE(mode), 0o600)


class Waiting(ProgramCase):
    def test_a_pipe_in_place_of_the_unfinished_file_makes_nobody_wait(self):
        made = self.at / "made"
        program = subprocess.Popen([PROGRAM, "make-weights", made, "--bytes", "1G"], stderr=subprocess.DEVNULL)
        while not (left := [p for p in self.at.iterdir() if p.name.endswith(".part")]):
            time.sleep(0.005)
        program.kill()
        program.wait()
        left[0].unlink()
        os.mkfifo(left[0])
        self.unusable("is in the way", "make-weights", made, "--bytes", "1k", timeout=20)
        left[0].unlink()

    def test_pipes_that_do_not_wait_are_waited_for(self):
        data = self.random.randbytes(1 << 20)
        end, mouth = os.pipe()
        for side in (end, mouth):
            fcntl.fcntl(side, fcntl.F_SETFL, os.O_NONBLOCK)
        write = subprocess.Popen([PROGRAM, "pack", "-q", "-o", "-", self.write("file", data)], stdout=mouth, stderr=subprocess.PIPE)
        time.sleep(0.2)  # the pipe is full by now
        os.close(mouth)
        read = subprocess.run([PROGRAM, "unpack", "-q", "-", "-o", self.at / "back"], stdin=end, capture_output=True, timeout=60)
        os.close(end)
        self.assertEqual((write.communicate(timeout=60)[1], read.stderr), (b"", b""))
        self.assertEqual((self.at / "back").read_bytes(), data)


if __name__ == "__main__":
    unittest.main()
