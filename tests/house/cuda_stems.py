#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Every public header of algorithms that gets to a kernel has a file in tests/cuda_compile that bears its name.

The file of algorithms/onepass/select.hpp is select.cpp, that of huffman/batch.hpp huffman_batch.cpp, that of
huffman/huffman.hpp huffman.cpp; it includes the header, and scripts/check-cuda compiles it. The headers of ranks/ share one, since
they run the kernels of the others.
usage: python3 tests/house/cuda_stems.py [<root>]   (default: the tree this file is in)
"""
import pathlib
import re
import sys

INSIDE = {"programs", "codebook", "strategies"}  # folders of what public headers are made of
SHARED = "ranks"  # a folder whose headers have one file
LINKED = {"ranks/mpi.hpp", "ranks/nccl.hpp"}  # need MPI's and NCCL's headers, and run no kernel that the others do not
INDEX = "onepass.hpp"  # includes all, adds nothing
INCLUDE = re.compile(r"^\s*#\s*include\s*<(onepass/[^>]+)>", re.MULTILINE)
COMMENT = re.compile(r"//[^\n]*|^\s*#[^\n]*", re.MULTILINE)


def stem_of(header):
    """The name of its file: folders and name, joined; what a folder and its header share is said once."""
    parts = header.with_suffix("").parts
    if parts[0] == SHARED:
        return SHARED
    return "_".join(part for i, part in enumerate(parts) if i == 0 or part != parts[i - 1])


class Library:
    def __init__(self, root):
        self.root = root
        self.algorithms = root / "algorithms"

    def gets_to_a_kernel(self, include, seen):
        """Whether the header, or one that it includes, calls a backend or launches by itself."""
        if include in seen:
            return False
        seen.add(include)
        if include.startswith("onepass/backends/run"):
            return True
        path = self.algorithms / include
        if not path.exists():  # core's
            return False
        text = path.read_text()
        return "Kokkos::parallel_" in COMMENT.sub("", text) or any(self.gets_to_a_kernel(i, seen) for i in INCLUDE.findall(text))

    def public(self):
        """The public headers that say something themselves, by their place below algorithms/onepass."""
        folder = self.algorithms / "onepass"
        for path in sorted(folder.rglob("*.hpp")):
            header = path.relative_to(folder)
            if header.name != INDEX and not INSIDE & set(header.parts[:-1]) and COMMENT.sub("", path.read_text()).strip():
                yield header


def main():
    library = Library(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    checked = wrong = 0
    for header in library.public():
        include = f"onepass/{header.as_posix()}"
        if header.as_posix() in LINKED or not library.gets_to_a_kernel(include, set()):
            continue
        checked += 1
        file = library.root / "tests" / "cuda_compile" / f"{stem_of(header)}.cpp"
        if not file.exists() or include not in INCLUDE.findall(file.read_text()):
            print(f"cuda_stems: <{include}> launches kernels, and no tests/cuda_compile/{file.name} includes it")
            wrong += 1
    print(f"cuda_stems: {wrong} of {checked} headers with kernels are not compiled for CUDA")
    return 1 if wrong or not checked else 0


if __name__ == "__main__":
    sys.exit(main())
