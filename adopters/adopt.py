#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Moves a code's call sites onto onepass, by the table of words in codes.py.

usage: adopters/adopt.py CODE TREE            changes the files of TREE in place, and says where
Build the moved code with -DCMAKE_PROJECT_INCLUDE=<this folder>/with_onepass.cmake, which gives it onepass."""
import argparse
import pathlib
import re
import sys

from codes import CODES


def moved(code, tree, word):
    """For each file that changes: its path, its new text and how many of its lines differ. `word(by_onepass, original, place)` says
    what stands where a call stood."""
    texts = {}
    for move in code.moves:
        found = 0
        for path in sorted(tree.glob(move.files)):
            text = texts.get(path) or path.read_text()

            def replace(match):
                place = f"{path.relative_to(tree)}:{match.string.count(chr(10), 0, match.start()) + 1}"
                return word(move.becomes, match.group(0), place)

            text, times = re.subn(move.pattern, replace, text)
            found += times
            if times:
                texts[path] = text
        if found != move.times:
            sys.exit(f"adopt: {move.files} has {found} times {move.pattern!r}, not {move.times}; this is another version of the code "
                     f"than {code.source}: look at adopters/codes.py")
    return texts


def with_includes(text, headers):
    """The text, with these headers included before its first #include."""
    lines = "".join(f"#include <{header}>\n" for header in headers)
    at = re.search(r"^[ \t]*#[ \t]*include", text, re.MULTILINE)
    return text[:at.start()] + lines + text[at.start():]


def write(code, tree, texts, extra=()):
    """Writes the moved files, and returns how many of their lines differ."""
    changed = 0
    for path, text in texts.items():
        headers = [h for pattern, h in code.includes if re.search(pattern, text)] + list(extra)
        before, after = path.read_text().splitlines(), with_includes(text, headers).splitlines()
        changed += len(set(after) - set(before))
        path.write_text("\n".join(after) + "\n")
    return changed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("code", choices=CODES)
    parser.add_argument("tree", type=pathlib.Path)
    asked = parser.parse_args()
    code = CODES[asked.code]
    texts = moved(code, asked.tree, lambda becomes, _, place: print(f"{place}: {becomes}") or becomes)
    print(f"adopt: {write(code, asked.tree, texts)} lines in {len(texts)} files")


if __name__ == "__main__":
    main()
