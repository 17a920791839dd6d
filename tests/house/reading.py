#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Counts what docs/reading.md asks a reader to read, from a call of exclusive_scan to the innermost loop of each backend, and
checks that it is at most 2000 lines and that every file and name is still there.

usage: python3 tests/house/reading.py [<root>]   (default: the tree this file is in)
"""
import pathlib
import re
import sys

MOST = 2000
SHARED = "Everywhere"
ENTRY = re.compile(r"^ +- (\S+\.[hc]pp)(?:: (.*))?$")


def indent(line):
    return len(line) - len(line.lstrip())


def declarations(lines, name):
    """The line numbers of what declares the name, but for specialisations: comments and template headers above it, and its
    body."""
    word = re.compile(rf"^\s*(?:(?:constexpr|inline|static|struct|class|using|concept|auto|void|enum|union)\b.*|"
                      rf"[\w ]*decltype\(auto\) |[\w:<>,&*\[\]~ ]*)\b{name}\b\s*(?:[({{=;:]|$)")
    found = set()
    for at, line in enumerate(lines):
        if not word.match(line) or re.match(r"^\s*(?:return|else|if|for|while|//|case|:|,)\b", line):
            continue
        first, depth = at, indent(line)
        while first > 0 and indent(lines[first - 1]) >= depth and re.match(
                r"^\s*(?:///|//|template|requires|ONEPASS_|HWY_|__global__|\[\[)", lines[first - 1]):
            first -= 1
        last = at  # up to the bracket that closes it at the same depth, or the end of a statement
        while last < len(lines) and not (lines[last].rstrip().endswith(";") and "{" not in "".join(lines[at:last + 1])) \
                and not (lines[last].startswith(" " * depth + "}")) and not (
                    last == at and lines[at].count("{") == lines[at].count("}") > 0):
            last += 1
        body = range(first, min(last + 1, len(lines)))
        if any("{" in lines[i] or lines[i].rstrip().endswith(";") for i in body):
            found.update(body)
    return found


def lines_to_read(root, entry):
    """Numbers of the lines of one entry, by file; raises LookupError where it names something that is not there."""
    path, names = entry
    file = root / path
    if not file.is_file():
        raise LookupError(f"{path} is not there")
    lines = file.read_text().splitlines()
    if not names:
        return {(path, i) for i in range(len(lines))}
    read = set()
    for name in names.split():
        found = declarations(lines, name)
        if not found:
            raise LookupError(f"{path} declares no {name}")
        read |= {(path, i) for i in found}
    return read


def sections(text):
    """Its entries by heading."""
    result, here = {}, None
    for line in text.splitlines():
        if line.startswith("## "):
            here = result.setdefault(line[3:], [])
        elif here is not None and (m := ENTRY.match(line)):
            here.append((m[1], m[2]))
    return result


def main(root):
    wrong, read = [], {}
    for heading, entries in sections((root / "docs/reading.md").read_text()).items():
        read[heading] = set()
        for entry in entries:
            try:
                read[heading] |= lines_to_read(root, entry)
            except LookupError as e:
                wrong.append(f"reading: {heading}: {e}")
    for heading, lines in read.items():
        if heading == SHARED:
            continue
        count = len(lines | read[SHARED])
        print(f"reading: {heading}: {count} lines")
        if count > MOST:
            wrong.append(f"reading: {heading}: {count} lines, more than {MOST}")
    print("\n".join(wrong) if wrong else "reading: all names are there", file=sys.stderr if wrong else sys.stdout)
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])))
