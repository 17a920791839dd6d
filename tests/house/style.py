# SPDX-License-Identifier: Apache-2.0
"""What clang-format does not see: lines of at most 120 characters, comments too, and const to the right of what it means.

usage: python3 tests/house/style.py [<root>]   (default: the tree this file is in)
"""

import pathlib
import re
import sys

LONGEST = 120
FOLDERS = ("core", "backends", "algorithms", "trace", "tools", "perf", "examples", "tests")
# `const` with no type before it, and one behind it; `const __grid_constant__ T` is how nvcc wants it.
WEST = re.compile(r"(^|[(,<{;]|\b(?:static|constexpr|inline|mutable|thread_local|extern))\s*const\s+(?!__grid)[A-Za-z_:]")


def code_of(line):
    """The line without string literals and without a comment behind it."""
    line = re.sub(r'"(?:\\.|[^"\\])*"', '""', line)
    return re.sub(r"//.*", "", line)


def findings(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        if len(line) > LONGEST:
            yield number, f"{len(line)} characters, at most {LONGEST}"
        if WEST.search(code_of(line)):
            yield number, "const stands to the right of its type: int const n"


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    wrong = 0
    files = [f for folder in FOLDERS for f in sorted((root / folder).rglob("*")) if f.suffix in (".hpp", ".h", ".cpp", ".cu")]
    for file in files:
        for number, what in findings(file):
            print(f"style: {file.relative_to(root)}:{number}: {what}")
            wrong += 1
    if not files:
        sys.exit(f"style: no sources below {root}")
    print(f"style: {wrong} findings in {len(files)} files")
    sys.exit(wrong > 0)


if __name__ == "__main__":
    main()
