#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Shares headers out to the fewest files in which each is still alone.

usage: chains.py <include folder> ... -- <header> ...

A line of the output is a file's headers in order. Each includes all that stand before it anyway, whatever else it
includes, so that nothing but what it asks for is there when the compiler comes to it.
"""
import pathlib
import re
import sys


def includes_of(path):
    """What a header always includes: not what stands behind a condition."""
    depth, found = 0, []
    for line in path.read_text().splitlines():
        if re.match(r"#\s*if", line):
            depth += 1
        elif re.match(r"#\s*endif", line):
            depth -= 1
        elif depth == 0 and (included := re.match(r"#include <([^>]+)>", line)):
            found.append(included[1])
    return found


def main():
    split = sys.argv.index("--")
    folders, headers = [pathlib.Path(f) for f in sys.argv[1:split]], sys.argv[split + 1 :]
    direct = {h: includes_of(next(f / h for f in folders if (f / h).exists())) for h in headers}

    all_of = {}

    def closure(header):
        if header not in all_of:
            all_of[header] = set()
            for included in direct[header]:
                if included in direct:
                    all_of[header] |= {included} | closure(included)
        return all_of[header]

    for header in headers:
        closure(header)

    # Fewest chains of a partial order: as many headers as can be have one that stands before them (augmenting paths).
    behind = {}

    def place(header, asked):
        for other in headers:
            if header in all_of[other] and other not in asked:
                asked.add(other)
                if other not in behind or place(behind[other], asked):
                    behind[other] = header
                    return True
        return False

    for header in headers:
        place(header, set())
    follower = {before: header for header, before in behind.items()}
    for header in headers:
        if header not in behind:
            chain = [header]
            while chain[-1] in follower:
                chain.append(follower[chain[-1]])
            print(*chain)


main()
