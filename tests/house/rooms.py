#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who may include whom: core <- backends <- algorithms <- everything else."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](onepass/[^>"]+)[>"]', re.MULTILINE)
SOURCES = {".hpp", ".cpp", ".cu", ".in"}


def room_of(include):
    """The room that holds the header, named as an include names it."""
    for room in ("core", "backends", "algorithms"):
        if any((ROOT / room / (include + end)).exists() for end in ("", ".in")):
            return room
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
    if room == "algorithms" and target == "backends" and not include.startswith("onepass/backends/run"):
        return "algorithms see of the backends its run*.hpp alone"
    if room in ("tools", "perf", "examples") and (target == "backends" or include.count("/") > 1):
        return f"{room} sees the public headers alone: <onepass/name.hpp>, no folder below"
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
