#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Blurs small pictures as a user does, compares with sums made here, and gives the onepass program what nobody should.

usage: test_blur.py <onepass>
"""
import json
import resource
import struct
import unittest
import zlib

from program_case import DAMAGED, EXHAUSTED, ProgramCase, run


def png(width, height, channels, numbers, bits=8, more=()):
    """A PNG of `bits` bits a channel; `numbers` are its bytes, `more` the names and contents of further chunks."""
    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
    pitch = width * channels * bits // 8
    rows = b"".join(b"\0" + bytes(numbers[y * pitch:(y + 1) * pitch]) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, bits, {1: 0, 3: 2}[channels], 0, 0, 0)
    further = b"".join(chunk(name, data) for name, data in more)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + further + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b"")


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
        return super().fine("blur", "--force", *arguments)

    def refuses(self, sentence, *arguments, **more):
        err = super().refuses(sentence, "blur", *arguments, **more)
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
        self.damaged("cut.jpg is truncated or damaged", self.at / "cut.jpg", "-o", self.out)

    def test_a_jpeg_that_would_be_too_wide_is_named(self):
        photo, out = self.write("wide.png", png(40_000, 1, 1, bytes(40_000))), self.at / "out.jpg"
        self.unusable("out.jpg: libjpeg: Maximum supported image dimension is 65500 pixels", photo, "-o", out, "--compare", "--aperture", 0)
        self.assertFalse(out.exists())
        self.fine(photo, "-o", self.out, "--compare", "--aperture", 0)

    def test_16_bits_are_no_linear_light(self):
        for channels in (1, 3):
            numbers = [self.random.randrange(256) for _ in range(16 * 16 * channels)]
            wide = [n for n in numbers for _ in range(2)]  # 257 n is n of 255
            deep = self.write("deep.png", png(16, 16, channels, wide, bits=16))
            self.fine(deep, "-o", self.out, "--aperture", 0)
            self.assertEqual(numbers_of(self.out)[3], numbers)

    def test_a_depth_map_is_numbers_whatever_its_chunks_say(self):
        photo, _ = self.picture("photo.png", 16, 16, 3)
        for bits, half in ((8, b"\x80"), (16, b"\x80\0")):
            for more in ((), [(b"gAMA", struct.pack(">I", 100000))]):  # linear light
                depth = self.write("depth.png", png(16, 16, 1, half * 256, bits, more))
                said = json.loads(self.fine(photo, "--depth", depth, "-o", self.out, "--aperture", 100, "--json"))
                self.assertEqual(said["largest_radius"], 0, (bits, more))

    def exif(self, orientation, order):
        mark = {"<": b"II*\0", ">": b"MM\0*"}[order]
        entries = [(0x10f, 2, 4, b"abc\0"), (0x112, 3, 1, struct.pack(order + "HH", orientation, 0))]
        return mark + struct.pack(order + "IH", 8, 2) + b"".join(struct.pack(order + "HHI", *e[:3]) + e[3] for e in entries) + bytes(4)

    def test_pictures_stand_upright(self):
        w, h = 3, 2
        grid = [[10 * (y * w + x) for x in range(w)] for y in range(h)]
        flat = [n for row in grid for n in row]
        clockwise = [list(row) for row in zip(*grid[::-1])]
        upright = {1: grid, 2: [r[::-1] for r in grid], 3: [r[::-1] for r in grid[::-1]], 4: grid[::-1],
                   5: [list(r) for r in zip(*grid)], 6: clockwise, 7: [list(r) for r in zip(*[r[::-1] for r in grid[::-1]])], 8: [r[::-1] for r in clockwise[::-1]]}
        for orientation, want in upright.items():
            for order in "<>":
                photo = self.write("photo.png", png(w, h, 1, flat, more=[(b"eXIf", self.exif(orientation, order))]))
                self.fine(photo, "-o", self.out, "--aperture", 0)
                self.assertEqual(numbers_of(self.out), (len(want[0]), len(want), 1, [n for r in want for n in r]), orientation)
        for cut in range(len(self.exif(6, "<"))):  # what is cut says nothing, or what it says
            photo = self.write("photo.png", png(w, h, 1, flat, more=[(b"eXIf", self.exif(6, "<")[:cut])]))
            self.fine(photo, "-o", self.out, "--aperture", 0)
        photo, _ = self.picture("photo.png", 40, 24, 3)
        self.fine(photo, "-o", self.at / "a.jpg", "--aperture", 0)
        plain = (self.at / "a.jpg").read_bytes()
        block = b"Exif\0\0" + self.exif(6, ">")
        turned = self.write("b.jpg", plain[:2] + b"\xff\xe1" + struct.pack(">H", len(block) + 2) + block + plain[2:])
        self.fine(turned, "-o", self.out, "--aperture", 0)
        self.assertEqual(numbers_of(self.out)[:3], (24, 40, 3))

    def test_four_inks(self):
        # A JPEG of 8 x 8 pixels whose four components are all flat: DC differences alone, by a code of one length.
        def jpeg(levels, adobe):
            def segment(mark, data):
                return bytes([255, mark]) + struct.pack(">H", len(data) + 2) + data
            tables = b"".join(segment(0xc4, bytes([c]) + bytes([0, 0, 0, 12] if c == 0 else [1]) + bytes(12 if c == 0 else 15) + bytes(range(12) if c == 0 else 1)) for c in (0, 0x10))
            bits = ""
            for level in levels:
                dc = (level - 128) * 8
                size = abs(dc).bit_length()
                bits += f"{size:04b}" + (f"{dc if dc > 0 else dc + (1 << size) - 1:0{size}b}" if size else "") + "0"
            bits += "1" * (-len(bits) % 8)
            data = int(bits, 2).to_bytes(len(bits) // 8, "big").replace(b"\xff", b"\xff\0")
            frame = struct.pack(">BHHB", 8, 8, 8, 4) + b"".join(bytes([k, 0x11, 0]) for k in range(1, 5))
            scan = bytes([4]) + b"".join(bytes([k, 0]) for k in range(1, 5)) + bytes([0, 63, 0])
            marks = segment(0xee, b"Adobe" + struct.pack(">HHHB", 100, 0, 0, 0)) if adobe else b""
            return b"\xff\xd8" + marks + segment(0xdb, bytes([0]) + bytes([1] * 64)) + segment(0xc0, frame) + tables + segment(0xda, scan) + data + b"\xff\xd9"
        for adobe in (False, True):
            inks = [0, 100, 200, 51]
            photo = self.write("inks.jpg", jpeg([255 - i for i in inks] if adobe else inks, adobe))
            self.fine(photo, "-o", self.out, "--aperture", 0)
            want = [(255 - i) * (255 - inks[3]) // 255 for i in inks[:3]]
            width, height, channels, numbers = numbers_of(self.out)
            self.assertEqual((width, height, channels), (8, 8, 3))
            self.assertEqual(numbers[:3], want, adobe)

    def test_a_progressive_jpeg_takes_no_memory_before_it_is_refused(self):
        photo, _ = self.picture("photo.png", 64, 48, 3)
        self.fine(photo, "-o", self.at / "a.jpg", "--aperture", 0)
        self.out.unlink(missing_ok=True)
        data = bytearray((self.at / "a.jpg").read_bytes())
        at = data.index(b"\xff\xc0")
        data[at + 1] = 0xc2
        data[at + 5:at + 9] = struct.pack(">HH", 65500, 65500)
        limit = lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))  # room for threads, and little more
        code, out, err = run("blur", self.write("huge.jpg", data), "-o", self.out, preexec_fn=limit)
        self.assertIn(code, (EXHAUSTED, DAMAGED), err)  # the latter where 100 GB are a small part of the memory
        self.assertIn("huge.jpg", err)

    def test_an_existing_picture_is_kept(self):
        photo, _ = self.picture("photo.png", 20, 10, 3)
        before = photo.read_bytes()
        err = super().refuses("photo.png exists", "blur", photo, "-o", photo)
        self.assertEqual(photo.read_bytes(), before, err)

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
        self.unusable("No such file", self.at / "none.png", "-o", self.out)
        self.damaged("neither a PNG nor a JPEG", self.at / "text.png", "-o", self.out)
        self.damaged("neither a PNG nor a JPEG", self.at / "empty.png", "-o", self.out)
        self.damaged("truncated or damaged", self.at / "cut.png", "-o", self.out)
        self.refuses("MiB of this machine can hold", self.at / "huge.png", "-o", self.out, code=EXHAUSTED)
        self.refuses("small.png has 10 x 20 pixels", photo, "--depth", small, "-o", self.out)
        self.refuses("ends in .png", photo, "-o", self.at / "out.gif")
        self.refuses("a depth between 0 and 1", photo, "--focus", 2, "-o", self.out)
        self.refuses("0 to 1024 pixels", photo, "--aperture", 1025, "-o", self.out)
        self.unusable("cannot write", photo, "-o", self.at / "no" / "folder.png")


if __name__ == "__main__":
    unittest.main()
