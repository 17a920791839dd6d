#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Checks that docs/api.md and the index in onepass.hpp list what the public headers declare: every function of the namespaces
onepass, but for those in a namespace detail, under the header that declares it, and nothing else. Checks too that every
paper that a `Source:` line names stands in docs/references.md.

usage: python3 tests/house/api.py [<root>]   (default: the tree this file is in)
"""
import pathlib
import re
import sys

# What is public: the face, the headers of the wings, and of the folders below these.
PUBLIC = ("*.hpp", "huffman/*.hpp", "huffman/codebook/*.hpp", "packed/*.hpp", "ranks/*.hpp", "classic/*.hpp",
          "classic/strategies/catalogue.hpp")
INDEX = "onepass.hpp"
# Headers that onepass.hpp includes and lists: not kokkos.hpp, which brings all algorithms of Kokkos with it.
INDEXED = re.compile(r"^(huffman/.*|(?!kokkos\.hpp)[^/]*)$")
NOT_NAMES = {"if", "for", "while", "switch", "return", "sizeof", "decltype", "static_assert", "requires", "alignas"}


def without_comments(text):
    """The text with comments, strings and preprocessor lines blanked."""
    text = re.sub(r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|//[^\n]*|/\*.*?\*/',
                  lambda m: '""' if m[0][0] in "\"'" else " ", text, flags=re.DOTALL)
    return re.sub(r"^\s*#(?:\\\n|[^\n])*", "", text, flags=re.MULTILINE)


def closing(text, at, pair):
    """The position behind what closes the bracket at `at`."""
    depth = 0
    for i in range(at, len(text)):
        depth += (text[i] == pair[0]) - (text[i] == pair[1])
        if depth == 0:
            return i + 1
    raise SystemExit("api: a bracket is not closed")


def declared_name(head):
    """The name of the function that a declaration without its body declares; None if it declares none."""
    head = head.strip()
    while head.startswith("template"):
        head = head[closing(head, head.index("<"), "<>"):].strip()
    head = re.sub(r"\[\[.*?\]\]", "", head)
    while (m := re.search(r"\b(?:requires|decltype|alignas)\s*\(", head)):
        head = head[:m.start()] + " auto " + head[closing(head, m.end() - 1, "()"):]
    if re.match(r"\s*(?:struct|class|enum|union|using|typedef|concept|friend|static_assert|namespace)\b", head):
        return None
    m = re.search(r"([A-Za-z_]\w*)\s*\(", head)
    if not m or "=" in head[:m.start()] or re.search(r"\boperator\b", head[:m.end()]):
        return None
    if re.search(r"::\s*$", head[:m.start()]):  # a member that is defined outside of its class
        return None
    return None if m[1] in NOT_NAMES else m[1]


def functions_of(text):
    """The qualified names, without onepass::, of the functions that a header declares at the level of a namespace."""
    text, names, spaces, begin, i = without_comments(text).replace("::ONEPASS_ABI", ""), [], [], 0, 0
    while i < len(text):
        c = text[i]
        if c == "{":
            head = text[begin:i]
            space = re.search(r"\bnamespace\s*([\w:]*)\s*$", head)
            if space:
                spaces.append(space[1] or "detail")
                i += 1
            else:
                names.append((tuple(spaces), declared_name(head)))
                i = closing(text, i, "{}")
            begin = i
            continue
        if c == "}":
            spaces.pop()
            begin = i + 1
        elif c == ";":
            names.append((tuple(spaces), declared_name(text[begin:i])))
            begin = i + 1
        elif c == "(":
            i = closing(text, i, "()")
            continue
        i += 1
    for inside, name in names:
        path = "::".join(inside).split("::")
        if name and path[0] == "onepass" and "detail" not in path:
            yield "::".join(path[1:] + [name])


def listed_in_index(text):
    """header -> names, as the comments behind the includes of onepass.hpp list them."""
    found, header = {}, None
    for line in text.splitlines():
        if m := re.match(r"#include <onepass/([\w/]+\.hpp)>", line):
            header = m[1]
            found[header] = set()
        elif header and (m := re.match(r"//   ([\w:]+)  +\S", line)):
            found[header].add(m[1])
    return found


def listed_in_table(text):
    """header -> names, as the rows of docs/api.md list them: | `name`, `name` | `header.hpp` | ..."""
    found = {}
    for line in text.splitlines():
        if m := re.match(r"\| ((?:`[\w:]+`(?:, )?)+) \| `([\w/]+\.hpp)` \|", line):
            found.setdefault(m[2], set()).update(re.findall(r"`([\w:]+)`", m[1]))
    return found


def papers_named(text):
    """The papers that the paragraphs after `Source:` name, as "Name & Name 2016"."""
    source = ""
    for line in text.splitlines() + [""]:
        words = re.match(r"\s*/// ([^\\].*)", line)
        if words and (source or words[1].startswith("Source:")):
            source += " " + words[1]
        elif source:
            yield from re.findall(r"(?<!\w)[A-Z][a-z]+(?:, [A-Z][a-z]+)*(?: & [A-Z][a-z]+| et al\.) \d{4}|"
                                  r"(?<!\w)(?<!& )[A-Z][a-z]+ \d{4}", source)
            source = ""


def main():
    root = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).resolve().parents[2]
    folder = root / "algorithms/onepass"
    texts = {p.relative_to(folder).as_posix(): p.read_text()
             for pattern in PUBLIC for p in sorted(folder.glob(pattern))}
    declared = {header: set(functions_of(text)) for header, text in texts.items() if header != INDEX}
    faults = []

    def compare(where, listed, expected):
        for header in sorted(expected):
            for name in sorted(expected[header] - listed.get(header, set())):
                faults.append(f"{where} does not list {name}, which {header} declares")
        for header in sorted(listed):
            text = texts.get(header) or ((root / "core/onepass" / header).read_text()
                                         if (root / "core/onepass" / header).exists() else None)
            if text is None:
                faults.append(f"{where} names {header}, which there is not")
                continue
            for name in sorted(listed[header] - expected.get(header, set())):
                kind = r"\b(?:struct|class)\s+" if header in texts else r"(?:\b(?:struct|class)\s+|[\s&*])"
                if header in expected and not re.search(kind + re.escape(name.split("::")[-1]) + r"\b", text):
                    faults.append(f"{where} lists {name}, which {header} does not declare")
                if header not in expected and not re.search(kind + re.escape(name) + r"\b", text):
                    faults.append(f"{where} lists {name}, which {header} does not declare")

    index = listed_in_index(texts[INDEX])
    expected = {h: names for h, names in declared.items() if INDEXED.match(h)}
    for header in sorted(set(expected) - set(index)):
        faults.append(f"{INDEX} does not include {header}")
    compare(INDEX, index, expected)
    compare("docs/api.md", listed_in_table((root / "docs/api.md").read_text()), declared)

    papers = set(re.findall(r"^- \*\*(.+?)\*\*", (root / "docs/references.md").read_text(), flags=re.MULTILINE))
    for path in sorted((root / "algorithms").rglob("*.hpp")):
        for name in papers_named(path.read_text()):
            if name not in papers:
                faults.append(f"{path.relative_to(root)} names {name}, which docs/references.md does not have")

    for fault in faults:
        print(f"api: {fault}")
    print(f"api: {len(faults)} findings, {sum(map(len, declared.values()))} functions in {len(declared)} headers")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
