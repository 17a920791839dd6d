#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Encodes files as runs and restores them as a user does, and gives onepass rle what nobody should.

usage: test_rle.py <onepass>
"""
import itertools
import json
import unittest

from program_case import ProgramCase


class Rle(ProgramCase):
    def round_trip(self, data, kind="u8", *more):
        """What rle says of the data; its file of runs brings them back."""
        file, packed, back = self.write("data", data), self.at / "runs", self.at / "back"
        found = json.loads(self.fine("rle", file, "-fo", packed, "--type", kind, "--json", *more))
        self.assertTrue(found["equal"])
        self.assertEqual((found["bytes"], found["stored"]), (len(data), packed.stat().st_size))
        self.fine("rle", "--decode", packed, "-fo", back, *more)
        self.assertEqual(back.read_bytes(), data)
        return found

    def test_runs_are_counted(self):
        data = b"".join(bytes([self.random.randrange(3)]) * self.random.randrange(1, 300) for _ in range(2000))
        found = self.round_trip(data)
        self.assertEqual(found["runs"], len(list(itertools.groupby(data))))
        self.assertLess(found["ratio"], 0.1)
        noise = self.random.randbytes(50_001)
        self.assertGreater(self.round_trip(noise)["ratio"], 4)

    def test_every_type_and_length(self):
        for kind, width in (("u8", 1), ("u16", 2), ("u32", 4), ("u64", 8)):
            for data in (b"", b"a", b"ab" * 7 + b"c", bytes(1000), bytes(range(256)) * 8 * width + b"abc"):
                found = self.round_trip(data, kind)
                self.assertEqual(found["items"], len(data) // width)
                self.assertEqual(found["runs"], len(list(itertools.groupby(data[i * width:(i + 1) * width] for i in range(len(data) // width)))))

    def test_spaces_write_the_same_and_frames_follow_each_other(self):
        data = bytes(20 << 20) + self.random.randbytes(1000) * 3 + b"x" * (15 << 20)  # more than a frame
        self.assertLess(self.round_trip(data)["runs"], 3010)
        first = (self.at / "runs").read_bytes()
        self.round_trip(data, "u8", "--space", "serial")
        self.assertEqual((self.at / "runs").read_bytes(), first)

    def test_nothing_is_written_unasked(self):
        file = self.write("data", b"aaab")
        self.assertRegex(self.fine("rle", file), "^4 bytes as 2 runs of u8, 2.00 items each .*, equal\n$")
        self.assertEqual([p.name for p in self.at.iterdir()], ["data"])

    def test_what_is_said(self):
        file, packed, back = self.write("data", b"aaab"), self.at / "runs", self.at / "back"
        self.assertEqual(self.fine("rle", file, "-o", packed, "--quiet"), "")
        self.assertEqual(self.fine("rle", "--decode", packed, "-o", back, "--quiet"), "")
        said = json.loads(self.fine("rle", "--decode", packed, "-fo", back, "--json"))
        self.assertEqual(said, {"command": "rle --decode", "bytes_read": packed.stat().st_size, "bytes_written": 4})
        self.refuses("--type excludes --decode", "rle", "--decode", packed, "--type", "u16", "-fo", back)

    def test_damaged_files(self):
        self.round_trip(b"abracadabra" * 100 + b"zzz", "u16")
        good, back = (self.at / "runs").read_bytes(), self.at / "back"
        back.unlink()
        for place in [*range(40), *range(len(good) - 20, len(good)), *(self.random.randrange(len(good)) for _ in range(20))]:
            wrong = bytearray(good)
            wrong[place] ^= 1 << self.random.randrange(8)
            self.damaged("", "rle", "--decode", self.write("wrong", wrong), "-o", back)
            self.assertFalse(back.exists())
        for n in [0, 1, 15, 16, 24, 40, len(good) // 2, len(good) - 1]:
            self.damaged("", "rle", "--decode", self.write("cut", good[:n]), "-o", back)
        self.damaged("goes on behind its end", "rle", "--decode", self.write("long", good + b"x"), "-o", back)
        self.damaged("no file of runs", "rle", "--decode", self.write("foreign", b"x" * 1000), "-o", back)
        self.assertFalse(back.exists())
        # Lengths that add up to more than the frame says.
        lengths = 32 + 2 * int.from_bytes(good[20:24], "little")
        more = good[:lengths] + b"\xff\xff\xff\xff" + good[lengths + 4:]
        self.damaged("frame at byte 16: its runs have", "rle", "--decode", self.write("more", more), "-o", back)

    def test_frames_stay_in_their_place_and_file(self):
        half, back = 1 << 25, self.at / "back"
        self.round_trip(b"a" * half + b"b" * half)
        first = (self.at / "runs").read_bytes()
        self.round_trip(b"a" * half + b"c" * half)
        other = (self.at / "runs").read_bytes()
        back.unlink()
        frame = 16 + 1 + 4  # each of one run
        a, b, end = first[16:16 + frame], first[16 + frame:16 + 2 * frame], first[16 + 2 * frame:]
        c = other[16 + frame:16 + 2 * frame]
        for wrong in (b + a, a + a, a + c):
            self.damaged("checksums at the file's end", "rle", "--decode", self.write("wrong", first[:16] + wrong + end), "-o", back)
            self.assertFalse(back.exists())
        self.damaged("has version 1 of the format", "rle", "--decode", self.write("wrong", first[:4] + b"\1" + first[5:]), "-o", back)

    def test_refusals(self):
        file = self.write("data", b"aaab")
        self.unusable("No such file", "rle", self.at / "missing")
        self.unusable("it is a folder", "rle", self.at)
        self.unusable("cannot write", "rle", file, "-o", self.at / "no" / "x")
        self.refuses("--output", "rle", "--decode", file)
        self.refuses("f32 not in {", "rle", file, "--type", "f32")
        self.refuses("FILE is required", "rle")


if __name__ == "__main__":
    unittest.main()
