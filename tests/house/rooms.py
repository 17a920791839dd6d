#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks who may include and name whom: core <- backends <- algorithms <- everything else. The room trace stands alone, since it
is loaded into programs that know nothing of the library; tools read what it writes.

A backend declares no name that core has: it would hide that one, or not, depending on what was included first. Overloads may
stand where the file says `using onepass::<name>;`.

What a file still may although its room may not stands in rooms_allowed.txt; an entry that nothing needs is an error.
usage: python3 tests/house/rooms.py [<root>]   (default: the tree this file is in)
"""
import fnmatch
import pathlib
import re
import sys

FACE = "the face"  # of algorithms: the headers of algorithms/onepass; beside it stand wings, folders that it never sees
SEEN = {FACE: {FACE}, "huffman": {FACE, "huffman"}, "packed": {FACE, "huffman", "packed"},
        "classic": {FACE, "huffman", "classic"}, "ranks": {FACE, "ranks"}}  # what the headers of each may include of the others
INSIDE = {"programs", "strategies"}  # folders that only their own wing sees
INDEX = "algorithms/onepass/onepass.hpp"  # of the face and of huffman
DOORS = ("onepass/backends/run", "onepass/backends/tunings")  # what algorithms include of the backends
FREE = {"onepass/exact_digits.hpp"}  # of the library, but of no Kokkos: trace sees these too
ROOMS = ("core", "backends", "algorithms", "trace", "tools", "perf", "examples")
SOURCES = {".hpp", ".h", ".cpp", ".cu", ".in"}
ALLOWED = "tests/house/rooms_allowed.txt"
INCLUDE = re.compile(r'^\s*#\s*include\s*[<"](onepass/[^>"]+)[>"]', re.MULTILINE)
NOT_CODE = re.compile(r'"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/|^\s*#\s*include[^\n]*', re.DOTALL | re.MULTILINE)

# Names that a room's code does not use, and why. A loop over a team's own range is no kernel.
BACKENDS = (re.compile(r"\bbackends\b(?:::\w+)*"), "only run*.hpp names backends")
TAGS = (re.compile(r"\b\w+_backend\b"), "what depends on the backend belongs to the backend")
KERNELS = (re.compile(r"\b(?:Team|Range|MDRange)Policy\b|\bparallel_(?:for|scan|reduce)\b(?!\s*\(\s*Kokkos::(?:Team|Thread))"),
           "backends launch kernels")
DEVICES = (re.compile(r"\b__CUDA_ARCH__\b|\b__CUDACC__\b|\bKOKKOS_ENABLE_\w+|\bONEPASS_HAS_CUDA\b"),
           "core/onepass/portability.hpp hides the device")
NAMES = {
    "core": [BACKENDS, KERNELS],
    "backends": [],
    "algorithms": [BACKENDS, TAGS, KERNELS, DEVICES],
    "trace": [BACKENDS, (re.compile(r"\bKokkos::\w+"), "the program that is traced brings its own Kokkos")],
    "tools": [BACKENDS],
    "perf": [BACKENDS],
    "examples": [BACKENDS],
}

DETAIL = re.compile(r"\bdetail::(\w+)")
ALL_DETAILS = re.compile(r"\busing\s+namespace\s+(?:\w+::)*detail\b")
DETAIL_BLOCK = re.compile(r"^namespace (?:\w+::)*detail \{$(.*?)^\}\s*// namespace (?:\w+::)*detail$", re.DOTALL | re.MULTILINE)
# clang-format leaves declarations of a namespace, and nothing else, at the beginning of a line.
DECLARED = re.compile(r"^(?!\s|template|requires)(?:.*?\b(?:struct|class|concept|enum|using)\s+(\w+)|[^(={;\n]*?\b(\w+)\s*[(={;])",
                      re.MULTILINE)

SPACE = re.compile(r"^namespace onepass::ONEPASS_ABI((?:::backends::\w+)?) \{$(.*?)^\}\s*// namespace onepass::ONEPASS_ABI\1$",
                   re.DOTALL | re.MULTILINE)
NO_NAME = re.compile(r"\[\[.*?\]\]\s*|^\s*#[^\n]*|(?<=\benum )(?:class|struct)\b|\balignas\s*\(\w+\)", re.DOTALL | re.MULTILINE)


def code_of(text):
    """The text without comments, string literals and includes."""
    return NOT_CODE.sub(" ", text)


def names_of(text, backend):
    """What a header declares in the namespace of its backend; or else in onepass itself."""
    return {name for inner, block in SPACE.findall(text) if bool(inner) == backend
            for names in DECLARED.findall(NO_NAME.sub("", code_of(DETAIL_BLOCK.sub("", block)))) for name in names if name}


def wing_of(include):
    """The wing that a header of algorithms belongs to, named as an include names it."""
    folder = include.split("/")[1]
    return folder if folder in SEEN else FACE


def is_public(include):
    """A header of the face or of a wing, and nothing of the folders below."""
    return include.count("/") == (1 if wing_of(include) == FACE else 2)


def wing_fault(path, include):
    """Why the file at path may not include this header, where both are of algorithms; None if it may."""
    own, other = wing_of(path.relative_to("algorithms").as_posix()), wing_of(include)
    if other not in SEEN[own] and not (path.as_posix() == INDEX and other == "huffman"):
        return f"{own} does not see {other}"
    if own != other and INSIDE & set(include.split("/")):
        return f"what {other} is made of is seen by {other} alone"
    return None


class House:
    def __init__(self, root):
        self.root = root
        self.texts = {path.relative_to(root): path.read_text() for room in ROOMS
                      for path in sorted((root / room).rglob("*")) if path.suffix in SOURCES}
        self.of_core = set().union(*(names_of(text, False) for path, text in self.texts.items() if path.parts[0] == "core"))
        self.details = {room: set() for room in ROOMS}  # what each room's namespaces `detail` declare
        for path, text in self.texts.items():
            for block in DETAIL_BLOCK.findall(text):
                self.details[path.parts[0]].update(
                    name for names in DECLARED.findall(code_of(block)) for name in names if name)

    def room_of(self, include):
        """The room that holds the header, named as an include names it."""
        for room in ("core", "backends", "algorithms", "trace"):
            if any((self.root / room / (include + end)).exists() for end in ("", ".in")):
                return room
        return None

    def include_fault(self, path, include):
        """Why the file at path may not include this header; None if it may."""
        room, target = path.parts[0], self.room_of(include)
        if target is None:
            return "no room has it"
        if room == "trace" and target != "trace" and include not in FREE:
            return "trace sees itself alone: it is loaded into programs that know nothing of the library"
        if target == "trace" and room in ("core", "backends", "algorithms"):
            return "the library knows nothing of trace"
        if target == "trace" or room == "trace":
            return None
        if room == "core" and target != "core":
            return "core sees core alone"
        if room == "backends" and target == "algorithms":
            return "backends see core and themselves"
        if room == "backends" and target == "backends" and len(path.parts) > 4:
            own, other = path.parts[3], include.split("/")[2]  # a folder of backends/onepass/backends
            if "/" in include.removeprefix("onepass/backends/") and own != other:
                return "backends never see one another"
        if room == "algorithms" and target == "backends" and not include.startswith(DOORS):
            return "algorithms see of the backends its run*.hpp and tunings.hpp alone"
        if room == "algorithms" and target == "algorithms":
            return wing_fault(path, include)
        if room in ("tools", "perf", "examples") and (target == "backends" or not is_public(include)):
            return f"{room} sees the public headers alone: <onepass/name.hpp> and <onepass/wing/name.hpp>"
        return None

    def detail_fault(self, path, name):
        """Why the file at path may not name detail::name; None if it may."""
        if name in self.details[path.parts[0]]:
            return None
        owners = [room for room in ROOMS if name in self.details[room]]
        return f"that is a detail of {owners[0]}" if owners else "no room declares it"

    def faults(self):
        """(path, name, why) for everything that a file uses and its room may not."""
        for path, text in self.texts.items():
            for include in INCLUDE.findall(text):
                if why := self.include_fault(path, include):
                    yield path, f"<{include}>", why
            code = code_of(text)
            for pattern, why in NAMES[path.parts[0]]:
                for name in dict.fromkeys(pattern.findall(code)):
                    yield path, name, why
            if path.parts[0] == "backends" and path.suffix != ".cpp":
                for name in sorted(names_of(text, True) & self.of_core):
                    if not re.search(rf"\busing onepass::{name};", code):
                        yield path, name, "core has that name too, and which is meant depends on what is included first"
            if ALL_DETAILS.search(code):
                yield path, "using namespace detail", "details are named one by one, so that each can be looked at"
            for name in dict.fromkeys(DETAIL.findall(code)):
                if why := self.detail_fault(path, name):
                    yield path, f"detail::{name}", why

    def allowed(self):
        """(line number, path pattern, name) of rooms_allowed.txt, whose lines are: path: name name...: why."""
        for number, line in enumerate((self.root / ALLOWED).read_text().splitlines(), 1):
            if line and not line.startswith("#"):
                path, names, why = line.split(": ", 2)
                for name in names.split():
                    yield number, path, name


def main():
    house = House(pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2])
    allowed, needed, wrong = list(house.allowed()), set(), 0
    for path, name, why in house.faults():
        excuses = [a for a in allowed if a[2] == name and fnmatch.fnmatch(path.as_posix(), a[1])]
        needed.update(excuses)
        if not excuses:
            print(f"rooms: {path} uses {name}: {why}")
            wrong += 1
    for number, path, name in allowed:
        if (number, path, name) not in needed:
            print(f"rooms: {ALLOWED}:{number}: {path} uses no {name} any more; take it out")
            wrong += 1
    print(f"rooms: {wrong} findings in {len(house.texts)} files; {len(needed)} names are allowed to stay for now")
    return 1 if wrong or not house.texts else 0


if __name__ == "__main__":
    sys.exit(main())
