#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Packs and unpacks files as a user does, and gives the onepass program what nobody should.

usage: test_pack.py <onepass>
"""
import json
import struct
import subprocess
import unittest

from program_case import DAMAGED, PROGRAM, ProgramCase


def safetensors(header, data=b""):
    text = header if isinstance(header, bytes) else json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data


class Pack(ProgramCase):
    def refuses(self, sentence, *arguments, **more):
        err = super().refuses(sentence, *arguments, **more)
        self.assertTrue(err.startswith("onepass: ") and err.count("\n") == 1, err)
        return err

    def round_trip(self, name, data):
        file = self.write(name, data)
        packed, back = self.at / (name + ".1p"), self.at / "back"
        self.fine("pack", "-f", file)
        self.fine("verify", packed)
        self.fine("unpack", packed, "-fo", back)
        self.assertEqual(back.read_bytes(), data, name)
        return packed

    def test_any_file(self):
        text = b"the quick brown fox jumps over the lazy dog. " * 5000
        self.assertLess(self.round_trip("text", text).stat().st_size, len(text) * 0.62)
        noise = self.random.randbytes(100_001)
        self.assertLess(self.round_trip("noise", noise).stat().st_size, len(noise) + 400)
        for n in (0, 1, 2, 1000):
            self.round_trip(f"short{n}", bytes(range(256)) * 4 + b"x" * n if n == 1000 else b"a" * n)

    def test_checkpoints(self):
        for kind, most in (("bf16", 0.69), ("f16", 0.87), ("f32", 0.86), ("e4m3", 0.87), ("e5m2", 0.74)):
            file = self.at / f"{kind}.safetensors"
            self.fine("make-weights", file, "--type", kind, "--bytes", "2M", "--recipe", "gaussian")
            packed = self.round_trip(file.name, file.read_bytes())
            self.assertLess(packed.stat().st_size / file.stat().st_size, most, kind)
        listed = json.loads(self.fine("inspect", self.at / "bf16.safetensors.1p", "--json"))
        self.assertEqual([s["name"] for s in listed["segments"]], [""] + [f"layers.{l}.weight" for l in range(8)])
        self.assertEqual(listed["segments"][1]["coded_as"], ["bf16"])
        self.assertEqual(sum(s["bytes"] for s in listed["segments"]), (self.at / "bf16.safetensors").stat().st_size)

    def test_every_space_writes_the_same_file(self):
        file = self.at / "w.safetensors"
        self.fine("make-weights", file, "--bytes", "1M")
        first = self.round_trip("w.safetensors", file.read_bytes()).read_bytes()
        self.fine("pack", file, "--space", "serial", "-o", self.at / "serial")
        self.assertEqual((self.at / "serial").read_bytes(), first)
        self.fine("unpack", self.at / "serial", "--space", "serial", "-fo", self.at / "back")

    def test_every_bit_pattern_of_a_type(self):
        patterns = b"".join(struct.pack("<H", i) for i in range(1 << 16))
        header = {"__metadata__": {"a": "b"}}
        for k, (dtype, items) in enumerate((("BF16", 1 << 16), ("F16", 1 << 16), ("F32", 1 << 15), ("F8_E4M3", 1 << 17), ("F8_E5M2", 1 << 17), ("I64", 1 << 14), ("NEW", 5))):
            header[dtype] = {"dtype": dtype, "shape": [items], "data_offsets": [k << 17, k + 1 << 17]}
        header["F32"]["shape"] = [128, 256]
        self.round_trip("all.safetensors", safetensors(header, patterns * 7 + b"behind"))

    def test_wrong_safetensors(self):
        tensor = {"dtype": "BF16", "shape": [4], "data_offsets": [0, 8]}
        wrong = {
            "it has 3 bytes": b"abc",
            "its header is said to have": struct.pack("<Q", 1 << 60) + b"{}",
            "no JSON": safetensors(b"{\"a\": "),
            "no JSON object": safetensors(b"[1]"),
            "lacks dtype": safetensors({"a": {"dtype": "BF16"}}),
            "of a wrong kind": safetensors({"a": {**tensor, "data_offsets": [0]}}, bytes(8)),
            "no whole number": safetensors({"a": {**tensor, "shape": [-4]}}, bytes(8)),
            "of 4 bytes of data": safetensors({"a": tensor}, bytes(4)),
            "3 items of BF16 in 8 bytes": safetensors({"a": {**tensor, "shape": [3]}}, bytes(8)),
            "more than 2^64": safetensors({"a": {**tensor, "shape": [1 << 40, 1 << 40]}}, bytes(8)),
            "overlaps": safetensors({"a": tensor, "b": {**tensor, "data_offsets": [4, 12]}}, bytes(12)),
            "is no JSON": safetensors(b"[" * 5),
        }
        for sentence, data in wrong.items():
            file = self.write("wrong.safetensors", data)
            self.damaged(sentence, "pack", file)
            self.assertFalse((self.at / "wrong.safetensors.1p").exists())
        self.fine("pack", file, "--as", "bytes")

    def test_damaged_files(self):
        good = self.round_trip("text", b"abracadabra" * 300).read_bytes()
        back = self.at / "back"
        back.unlink()
        places = [*range(0, 40), *range(len(good) - 56, len(good)), *(self.random.randrange(len(good)) for _ in range(40))]
        for place in places:
            wrong = bytearray(good)
            wrong[place] ^= 1 << self.random.randrange(8)
            self.damaged("", "unpack", self.write("wrong.1p", wrong), "-o", back)
            self.assertFalse(back.exists())
        for n in [*range(0, 50), *(self.random.randrange(len(good)) for _ in range(40)), len(good) - 1]:
            self.damaged("", "verify", self.write("cut.1p", good[:n]))
        self.damaged("cut short", "verify", self.write("cut.1p", good[:-1]))
        self.damaged("no file that onepass packed", "verify", self.write("foreign.1p", b"x" * 1000))
        self.damaged("frame 0 at byte 32: the frame's payload does not have its checksum", "verify", self.write("w.1p", good[:300] + bytes([good[300] ^ 1]) + good[301:]))

    def test_files_of_many_parts(self):
        # Frames of 64 MiB that are read, coded and written at once, and small tensors that go together.
        sizes = [140 << 20, *(self.random.randrange(100) for _ in range(500)), 70 << 20, 3]
        header, at = {}, 0
        for k, size in enumerate(sizes):
            header[f"t{k:03}"] = {"dtype": "U8", "shape": [size], "data_offsets": [at, at + size]}
            at += size
        block = self.random.randbytes(1 << 20)
        text = bytes(b & 15 for b in block)
        data = safetensors(header, ((block + 3 * text) * (at // (4 << 20) + 1))[:at])
        packed = self.round_trip("many.safetensors", data)
        head, frames, table, end = self.parts_of(packed)
        self.assertEqual(len(frames), 1 + 3 + sum(map(bool, sizes[1:-2])) + 2 + 1)
        self.fine("unpack", packed, "-o", self.at / "serial", "--space", "serial")
        self.assertEqual((self.at / "serial").read_bytes(), data)
        # What is damaged is found in the order of the file, and frames before it are all that anybody sees.
        starts = [32]
        for frame in frames:
            starts.append(starts[-1] + len(frame))
        last = len(frames) - 1
        for wrong, sentence in (([3, last], f"frame 3 at byte {starts[3]}: the frame's payload does not have"),
                                ([last], f"frame {last} at byte {starts[last]}: the frame's payload does not have")):
            content = bytearray(packed.read_bytes())
            for f in wrong:
                content[starts[f] + 192] ^= 1
            file = self.write("wrong.1p", content)
            self.damaged(sentence, "verify", file)
            self.damaged(sentence, "unpack", file, "-o", self.at / "wrong")
            self.assertFalse((self.at / "wrong").exists())
            done = subprocess.run([PROGRAM, "unpack", file, "-o", "-"], capture_output=True)
            self.assertEqual((done.returncode, data.startswith(done.stdout)), (DAMAGED, True))

    def parts_of(self, file):
        """Header, frames, table and trailer of a packed file."""
        data = file.read_bytes()
        table = struct.unpack("<Q", data[-48:-40])[0]
        count, = struct.unpack("<Q", data[table:table + 8])
        sizes = [struct.unpack("<Q", data[table + 8 + 24 * f:][:8])[0] for f in range(count)]
        frames, at = [], 32
        for size in sizes:
            frames.append(data[at:at + size])
            at += size
        return data[:32], frames, data[table:-56], data[-56:]

    def test_frames_stay_in_their_place_and_file(self):
        def checkpoint(name, seed):  # three tensors whose frames are raw, so that all have one size
            self.random.seed(seed)
            header = {t: {"dtype": "U8", "shape": [5000], "data_offsets": [5000 * t, 5000 * t + 5000]} for t in range(3)}
            return self.round_trip(name, safetensors(header, self.random.randbytes(15000)))
        first, other = checkpoint("a.safetensors", 1), checkpoint("b.safetensors", 2)
        head, frames, table, end = self.parts_of(first)
        theirs = self.parts_of(other)[1]
        self.assertEqual([len(f) for f in frames], [len(f) for f in theirs])
        a, b, c, d = frames
        for wrong in ([a, c, b, d], [a, b, b, d], [a, theirs[1], c, d], [theirs[0], *theirs[1:3], d]):
            if wrong == frames:
                continue
            file = self.write("wrong.1p", head + b"".join(wrong) + table + end)
            sentence = "the frame here is another than the table names"
            self.damaged(sentence, "verify", file)
            self.damaged(sentence, "unpack", file, "-o", self.at / "wrong")
            self.damaged(sentence, "inspect", file)
        # Bytes between the parts.
        for wrong in (head + b"x" + b"".join(frames) + table + end, head + b"".join(frames) + b"x" + table + end):
            self.damaged("the table is said to be at byte", "verify", self.write("wrong.1p", wrong))
        version_1 = head[:8] + b"\1\0\0\0" + head[12:]
        self.damaged("has version 1 of the format", "verify", self.write("wrong.1p", version_1 + b"".join(frames) + table + end))

    def test_refusals(self):
        file = self.write("x", b"abc")
        self.unusable("No such file", "pack", self.at / "missing")
        self.unusable("it is a folder", "pack", self.at)
        self.unusable("cannot write", "pack", file, "-o", self.at / "no" / "x")
        self.unusable("it is a folder", "pack", file, "-o", self.at)
        self.refuses("one file and there are 2", "pack", file, file, "-o", self.at / "y")
        self.refuses("does not end in .1p", "unpack", file)
        self.damaged("nested", "pack", self.write("deep.safetensors", safetensors(b'{"a":' + b"[" * 1_000_000)))

    def test_names_cannot_control_a_terminal(self):
        name = "\x1b[2J\x1b]0;title\x07\nrow\u009b"
        file = self.write("t.safetensors", safetensors({name: {"dtype": "U8", "shape": [3], "data_offsets": [0, 3]}}, b"abc"))
        self.fine("pack", file)
        out = self.fine("inspect", self.at / "t.safetensors.1p")
        self.assertIn("\\x1b[2J\\x1b]0;title\\x07\\x0arow", out)
        self.assertFalse(any(c < " " and c != "\n" or "\x7f" <= c < "\xa0" for c in out), out)
        self.assertEqual(json.loads(self.fine("inspect", self.at / "t.safetensors.1p", "--json"))["segments"][1]["name"], name)
        err = self.unusable("\\x1b[2J", "pack", self.at / "\x1b[2J")
        self.assertNotIn("\x1b", err)

    def test_codebook(self):
        file = self.write("ab", b"a" * 3 + b"b")
        self.assertIn("entropy 0.8113", self.fine("codebook", file))
        self.assertEqual(json.loads(self.fine("codebook", file, "--json"))["bits"], 1)


if __name__ == "__main__":
    unittest.main()
