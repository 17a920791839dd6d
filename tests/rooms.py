#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who may include whom: core <- backends <- algorithms <- everything else. Algorithms have a face, the headers of
algorithms/onepass, and wings beside it, folders that see the face and which it never sees."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](onepass/[^>"]+)[>"]', re.MULTILINE)
SOURCES = {".hpp", ".cpp", ".cu", ".in"}
FACE = "the face"
SEEN = {FACE: {FACE}, "huffman": {FACE, "huffman"}, "packed": {FACE, "huffman", "packed"},
        "classic": {FACE, "huffman", "classic"}}  # what the headers of a wing may include of the others
INSIDE = {"programs", "strategies"}  # folders that only their own wing sees
INDEX = "algorithms/onepass/onepass.hpp"  # of the face and of huffman


def room_of(include):
    """The room that holds the header, named as an include names it."""
    for room in ("core", "backends", "algorithms"):
        if any((ROOT / room / (include + end)).exists() for end in ("", ".in")):
            return room
    return None


def wing_of(include):
    """The wing that a header of algorithms belongs to, named as an include names it."""
    folder = include.split("/")[1]
    return folder if folder in SEEN else FACE


def is_public(include):
    """A header of the face or of a wing, and nothing of the folders below."""
    return include.count("/") == (1 if wing_of(include) == FACE else 2)


def wings_complaint(path, include):
    """The same as complaint(), where both are of algorithms."""
    own, other = wing_of(path.relative_to("algorithms").as_posix()), wing_of(include)
    if other not in SEEN[own] and not (path.as_posix() == INDEX and other == "huffman"):
        return f"{own} does not see {other}"
    if own != other and INSIDE & set(include.split("/")):
        return f"what {other} is made of is seen by {other} alone"
    return None


def complaint(path, include):
    """Why the file at path may not include this header; None if it may."""
    room, target = path.parts[0], room_of(include)
    if target is None:
        return "no room has it"
    if room == "core" and target != "core":
        return "core sees core alone"
    if room == "backends" and target == "algorithms":
        return "backends see core and themselves"
    if room == "backends" and target == "backends" and len(path.parts) > 4:
        own, other = path.parts[3], include.split("/")[2]  # a folder of backends/onepass/backends
        if "/" in include.removeprefix("onepass/backends/") and own != other:
            return "backends never see one another"
    if room == "algorithms" and target == "backends" and not include.startswith(("onepass/backends/run", "onepass/backends/tunings")):
        return "algorithms see of the backends its run*.hpp and tunings.hpp alone"
    if room == "algorithms" and target == "algorithms":
        return wings_complaint(path, include)
    if room in ("tools", "perf", "examples") and (target == "backends" or not is_public(include)):
        return f"{room} sees the public headers alone: <onepass/name.hpp> and <onepass/wing/name.hpp>, no folder below"
    return None


def main():
    faults = 0
    for room in ("core", "backends", "algorithms", "tools", "perf", "examples"):
        for path in sorted(p for p in (ROOT / room).rglob("*") if p.suffix in SOURCES):
            for include in INCLUDE.findall(path.read_text()):
                if reason := complaint(path.relative_to(ROOT), include):
                    print(f"{path.relative_to(ROOT)} includes <{include}>: {reason}")
                    faults += 1
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
