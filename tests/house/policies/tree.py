# SPDX-License-Identifier: Apache-2.0
"""A source tree as text, and what a check says of it. Each says too how a tree would look in which it fails: a list of changes, {path:
new text, or None for a file that is gone}, each of which breaks it alone."""
import fnmatch
import os
import pathlib
import re
import subprocess

SKIPPED = {".git", "build", ".deps", "__pycache__"}


class Tree:
    """The files below a root, as if `changes` had been made."""

    def __init__(self, root, changes=None, base=None):
        self.root, self.changes = pathlib.Path(root), changes or {}
        self.names = (base.names if base else self.walk()) | set(self.changes)
        self.kept = base.kept if base else {}  # text and code of files as they are

    def walk(self):
        """What git has or would take; where there is no git, what lies there."""
        asked = ["git", "-C", self.root, "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        try:
            said = subprocess.run(asked, capture_output=True, text=True, check=True).stdout
        except (OSError, subprocess.CalledProcessError):
            said = ""
        if said:
            return {name for name in said.split("\0") if name and (self.root / name).is_file()}
        names = set()
        for folder, below, files in os.walk(self.root):
            below[:] = [name for name in below if name not in SKIPPED]
            names |= {(pathlib.Path(folder) / name).relative_to(self.root).as_posix() for name in files}
        return names

    def changed(self, changes):
        return Tree(self.root, changes, self)

    def text(self, name):
        """None where there is no such file."""
        if name in self.changes:
            return self.changes[name]
        if name not in self.names:
            return None
        if name not in self.kept:
            self.kept[name] = (self.root / name).read_text(errors="replace")
        return self.kept[name]

    def code(self, name):
        """Of C++ the code, of anything else the text."""
        if not name.endswith((".hpp", ".cpp", ".cu")):
            return self.text(name)
        if name in self.changes:
            return code(self.text(name))
        if ("code", name) not in self.kept:
            self.kept["code", name] = code(self.text(name))
        return self.kept["code", name]

    def has(self, name):
        """Whether there is such a file, or a folder with one in it."""
        folder = name.rstrip("/") + "/"
        return any((n == name or n.startswith(folder)) and self.changes.get(n, "") is not None for n in self.names)

    def files(self, *patterns):
        return sorted(n for n in self.names if self.changes.get(n, "") is not None
                      and any(fnmatch.fnmatchcase(n, pattern) for pattern in patterns))


def code(text):
    """C++ without comments and without what stands in quotes; lines stay where they are."""
    return re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/', lambda m: re.sub(r"[^\n]", " ", m[0]), text, flags=re.DOTALL)


class Has:
    """The file holds every pattern, line by line."""

    def __init__(self, name, *patterns):
        self.name, self.patterns = name, [re.compile(p, re.MULTILINE) for p in patterns]

    def faults(self, tree):
        text = tree.text(self.name)
        if text is None:
            return [f"there is no {self.name}"]
        return [f"{self.name} has nothing like {p.pattern}" for p in self.patterns if not p.search(text)]

    def breaks(self, tree):
        text = tree.text(self.name)
        return [{self.name: None}] + [{self.name: p.sub("", text)} for p in self.patterns]


class Each:
    """Every file of these holds the pattern, and there are such files."""

    def __init__(self, pattern, *names):
        self.pattern, self.names = re.compile(pattern, re.MULTILINE), names

    def faults(self, tree):
        names = tree.files(*self.names)
        if not names:
            return [f"there are no {' '.join(self.names)}"]
        return [f"{n} has nothing like {self.pattern.pattern}" for n in names if not self.pattern.search(tree.text(n))]

    def breaks(self, tree):
        names = tree.files(*self.names)
        return [{names[-1]: self.pattern.sub("", tree.text(names[-1]))}, dict.fromkeys(names)]


class Lacks:
    """No file of these, but for the exceptions, holds the pattern; `sample` is a line that does. Of C++, code alone is looked at."""

    def __init__(self, pattern, sample, *names, but=()):
        self.pattern, self.sample, self.names, self.but = re.compile(pattern, re.MULTILINE), sample, names, but

    def of(self, tree):
        return [n for n in tree.files(*self.names) if n not in self.but]

    def faults(self, tree):
        names, found = self.of(tree), []
        if not names:
            return [f"there are no {' '.join(self.names)}"]
        for name in names:
            text = tree.code(name)
            if match := self.pattern.search(text):
                found.append(f"{name}:{text[:match.start()].count(chr(10)) + 1} has {match[0].strip()}")
        return found

    def breaks(self, tree):
        name = self.of(tree)[-1]
        return [{name: f"{tree.text(name)}\n{self.sample}\n"}]


class Same:
    """What the group of each place's pattern matches is the same text everywhere: places are (file, pattern)."""

    def __init__(self, what, *places):
        self.what, self.places = what, places

    def faults(self, tree):
        said = {}
        for name, pattern in self.places:
            match = re.search(pattern, tree.text(name) or "", re.MULTILINE)
            if not match:
                return [f"{name} does not name {self.what}"]
            said[name] = match[1]
        return [] if len(set(said.values())) == 1 else [f"{self.what} differs: {said}"]

    def breaks(self, tree):
        changes = []
        for name, pattern in self.places:
            text = tree.text(name)
            begin, end = re.search(pattern, text, re.MULTILINE).span(1)
            changes += [{name: text[:begin] + "77" + text[end:]}, {name: None}]
        return changes


class Tests:
    """What a function finds wrong; `breaking` lists (file, pattern, what to put in its place), each of which it finds."""

    def __init__(self, function, *breaking):
        self.faults, self.breaking = function, breaking

    def breaks(self, tree):
        changes = []
        for name, pattern, instead in self.breaking:
            text, count = re.subn(pattern, instead, tree.text(name) or "", flags=re.MULTILINE)
            if not count and tree.has(name):
                raise ValueError(f"{name} has nothing like {pattern}, which a break replaces")
            changes.append({name: text if count else instead})
        return changes
