#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every C++ snippet of docs/migration.md stands in examples/migration.cpp, which runs as a test; the recipes under packaging
are what their formats allow.

usage: python3 tests/house/migration.py [<root>]   (default: the tree this file is in)
"""
import pathlib
import re
import sys


def words(text):
    """Without the layout."""
    return re.sub(r"\s+", "", text)


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    program = words((root / "examples/migration.cpp").read_text())
    snippets = re.findall(r"^```cpp\n(.*?)^```$", (root / "docs/migration.md").read_text(), re.DOTALL | re.MULTILINE)
    faults = [f"a snippet of docs/migration.md is not in examples/migration.cpp: {s.splitlines()[0]}"
              for s in snippets if words(s) not in program]
    if not snippets:
        faults.append("docs/migration.md has no snippets")

    recipe = root / "packaging/spack/package.py"
    compile(recipe.read_text(), str(recipe), "exec")
    version = re.search(r"^project\(onepass VERSION (\S+)", (root / "CMakeLists.txt").read_text(), re.MULTILINE)[1]
    conda = (root / "packaging/conda/recipe.yaml").read_text()
    if f'version: "{version}"' not in conda:
        faults.append(f"packaging/conda/recipe.yaml is not of version {version}")
    try:
        import yaml
    except ImportError:
        print("migration: packaging/conda/recipe.yaml is not parsed, there is no yaml module")
    else:
        yaml.safe_load(conda)

    for fault in faults:
        print(f"migration: {fault}")
    print(f"migration: {len(faults)} findings in {len(snippets)} snippets")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
