#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Blurs small pictures as a user does, compares with sums made here, and gives the onepass program what nobody should.

usage: test_blur.py <onepass>
"""
import json
import struct
import unittest
import zlib

from program_case import ProgramCase


def png(width, height, channels, numbers):
    """A PNG of 8 bits a channel."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    rows = b"".join(b"\0" + bytes(numbers[y * width * channels:(y + 1) * width * channels]) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, 8, {1: 0, 3: 2}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


def numbers_of(file):
    """Width, height, channels and numbers of a PNG that onepass wrote: 8 bits, any of the row filters."""
    data, at, packed = file.read_bytes(), 8, b""
    while at < len(data):
        size, name = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + size]
        if name == b"IHDR":
            width, height, _, kind = struct.unpack(">IIBB", body[:10])
        if name == b"IDAT":
            packed += body
        at += size + 12
    channels = {0: 1, 2: 3}[kind]
    raw, pitch = zlib.decompress(packed), width * channels
    above, numbers = bytearray(pitch), []
    for y in range(height):
        kind, row = raw[y * (pitch + 1)], bytearray(raw[y * (pitch + 1) + 1:(y + 1) * (pitch + 1)])
        for i in range(pitch):
            a, b, c = (row[i - channels] if i >= channels else 0), above[i], (above[i - channels] if i >= channels else 0)
            p = a + b - c
            nearest = min((abs(p - a), 0, a), (abs(p - b), 1, b), (abs(p - c), 2, c))[2]
            row[i] = row[i] + (0, a, b, (a + b) // 2, nearest)[kind] & 255
        numbers += row
        above = row
    return width, height, channels, numbers


def filtered(width, height, channels, numbers, radius):
    """The means of the boxes of radius(y, x), rounded."""
    out = []
    for y in range(height):
        for x in range(width):
            r = radius(y, x)
            ys, xs = range(max(y - r, 0), min(y + r + 1, height)), range(max(x - r, 0), min(x + r + 1, width))
            n = len(ys) * len(xs)
            for c in range(channels):
                out.append((sum(numbers[(v * width + u) * channels + c] for v in ys for u in xs) + n // 2) // n)
    return out


class Blur(ProgramCase):
    def setUp(self):
        super().setUp()
        self.out = self.at / "out.png"

    def fine(self, *arguments):
        return super().fine("blur", *arguments)

    def refuses(self, sentence, *arguments):
        err = super().refuses(sentence, "blur", *arguments)
        self.assertTrue(err.startswith("onepass: ") and err.count("\n") == 1, err)
        self.assertFalse(self.out.exists())

    def picture(self, name, width, height, channels):
        numbers = [self.random.randrange(256) for _ in range(width * height * channels)]
        (self.at / name).write_bytes(png(width, height, channels, numbers))
        return self.at / name, numbers

    def test_no_aperture_changes_nothing(self):
        for channels in (1, 3):
            photo, numbers = self.picture("photo.png", 33, 21, channels)
            self.fine(photo, "-o", self.out, "--aperture", 0)
            self.assertEqual(numbers_of(self.out), (33, 21, channels, numbers))

    def test_the_radius_follows_the_depth(self):
        width, height, focus, aperture = 23, 17, 0.25, 6
        depth, depths = self.picture("depth.png", width, height, 1)
        for channels in (1, 3):
            photo, numbers = self.picture("photo.png", width, height, channels)
            self.fine(photo, "--depth", depth, "--focus", focus, "--aperture", aperture, "-o", self.out)
            def radius(y, x):
                return int(aperture * abs(depths[y * width + x] / 255 - focus) / 0.75 + 0.5)
            for _ in range(3):
                numbers = filtered(width, height, channels, numbers, radius)
            self.assertEqual(numbers_of(self.out), (width, height, channels, numbers))

    def test_without_a_depth_map_it_is_a_ramp(self):
        width, height, aperture = 9, 31, 5
        photo, numbers = self.picture("photo.png", width, height, 3)
        self.fine(photo, "--aperture", aperture, "-o", self.out)
        for _ in range(3):
            numbers = filtered(width, height, 3, numbers, lambda y, x: int(aperture * abs(y / (height - 1) - 0.5) / 0.5 + 0.5))
        self.assertEqual(numbers_of(self.out)[3], numbers)

    def test_every_space_writes_the_same(self):
        photo, _ = self.picture("photo.png", 301, 203, 3)
        self.fine(photo, "-o", self.out, "--space", "serial")
        self.fine(photo, "-o", self.at / "other.png")
        self.assertEqual(self.out.read_bytes(), (self.at / "other.png").read_bytes())

    def test_compare_puts_a_map_of_errors_beside_it(self):
        photo, _ = self.picture("photo.png", 40, 30, 3)
        said = json.loads(self.fine(photo, "-o", self.out, "--compare", "--json"))
        self.assertEqual(numbers_of(self.out)[:3], (80, 30, 3))
        self.assertEqual(said["float32_wrong_share"], 0)  # sums below 2^24 are exact

    def test_jpeg_goes_in_and_out(self):
        photo, _ = self.picture("photo.png", 64, 48, 3)
        for name in ("a.jpg", "b.JPEG"):
            self.fine(photo, "-o", self.at / name, "--aperture", 9)
            self.fine(self.at / name, "-o", self.out, "--aperture", 0)
            self.assertEqual(numbers_of(self.out)[:3], (64, 48, 3))
        whole = (self.at / "a.jpg").read_bytes()
        (self.at / "cut.jpg").write_bytes(whole[:len(whole) // 2])
        self.out.unlink()
        self.refuses("cut.jpg is truncated or damaged", self.at / "cut.jpg", "-o", self.out)

    def test_refuses_what_is_no_picture(self):
        photo, _ = self.picture("photo.png", 20, 10, 3)
        small, _ = self.picture("small.png", 10, 20, 1)
        (self.at / "text.png").write_text("no picture")
        (self.at / "empty.png").write_bytes(b"")
        (self.at / "cut.png").write_bytes(photo.read_bytes()[:-40])
        huge = bytearray(photo.read_bytes())
        huge[16:24] = struct.pack(">II", 1000000, 1000000)
        huge[29:33] = struct.pack(">I", zlib.crc32(bytes(huge[12:29])))
        (self.at / "huge.png").write_bytes(huge)
        self.refuses("name a file that exists", self.at / "none.png", "-o", self.out)
        self.refuses("neither a PNG nor a JPEG", self.at / "text.png", "-o", self.out)
        self.refuses("neither a PNG nor a JPEG", self.at / "empty.png", "-o", self.out)
        self.refuses("truncated or damaged", self.at / "cut.png", "-o", self.out)
        self.refuses("MiB of this machine can hold", self.at / "huge.png", "-o", self.out)
        self.refuses("small.png has 10 x 20 pixels", photo, "--depth", small, "-o", self.out)
        self.refuses("ends in .png", photo, "-o", self.at / "out.gif")
        self.refuses("a depth between 0 and 1", photo, "--focus", 2, "-o", self.out)
        self.refuses("0 to 1024 pixels", photo, "--aperture", 1025, "-o", self.out)
        self.refuses("cannot write", photo, "-o", self.at / "no" / "folder.png")


if __name__ == "__main__":
    unittest.main()
