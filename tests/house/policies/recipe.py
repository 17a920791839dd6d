# SPDX-License-Identifier: Apache-2.0
"""Spack's recipe, run with stand-ins for what Spack gives it: each variant is used, each option is one of the build's, and versions are
those of cmake/versions.cmake. Whether Spack builds it, only Spack can say."""
import itertools
import re
import sys
import types

NAME = "packaging/spack/package.py"
# Spack's name of what the build calls otherwise, and how the build says which version it takes.
VERSIONS = {"kokkos": r"ONEPASS_KOKKOS_RANGE ([\d.]+)\.\.\.<(\d+)\)", "highway": r"ONEPASS_HIGHWAY_MINIMUM ([\d.]+)\)",
            "xxhash": r"ONEPASS_XXHASH_MINIMUM ([\d.]+)\)", "mpi": r"ONEPASS_MPI_MINIMUM ([\d.]+)\)"}


class Spec(dict):
    """Variants by name, whether they are on."""

    def satisfies(self, asked):
        wanted = re.findall(r"([+~])(\w+)", asked)
        return not asked.startswith("^") and all(self[name] == (sign == "+") for sign, name in wanted)


class Package:
    def define(self, name, value):
        return f"-D{name}={value}"

    def define_from_variant(self, name, variant):
        return self.define(name, self.spec[variant])


def run(text):
    """The class, and what it declares: {directive: [(arguments, named arguments)]}."""
    declared = {}
    spack, module = types.ModuleType("spack"), types.ModuleType("spack.package")

    def directive(name):
        return lambda *args, **named: declared.setdefault(name, []).append((args, named))
    for name in ("license", "version", "variant", "depends_on", "conflicts"):
        setattr(module, name, directive(name))
    module.run_after = lambda phase: lambda function: function
    module.CMakePackage = Package
    before = {name: sys.modules.get(name) for name in ("spack", "spack.package")}
    sys.modules.update({"spack": spack, "spack.package": module})
    try:
        space = {}
        exec(compile(text, NAME, "exec"), space)  # noqa: S102
    finally:
        for name, old in before.items():
            sys.modules.pop(name) if old is None else sys.modules.update({name: old})
    return space.get("Onepass"), declared


def faults(tree):
    text = tree.text(NAME)
    if text is None:
        return [f"there is no {NAME}"]
    made, declared = run(text)
    if made is None:
        return [f"{NAME} has no class Onepass"]
    wrong = []
    variants = [args[0] for args, _ in declared["variant"]]
    for name in variants:
        if not any(re.search(rf"[+~]{name}\b", named.get("when", "")) for _, named in declared["depends_on"]):
            wrong.append(f"{NAME}: nothing depends on the variant {name}")

    known = {n for file in tree.files("CMakeLists.txt", "cmake/*.cmake") for n in re.findall(r"\b(?:option|set)\((ONEPASS_\w+)", tree.text(file))}
    found = {n for file in tree.files("cmake/*.cmake") for n in re.findall(r"^\s*find_package\((\w+)", tree.text(file), re.MULTILINE)}
    said = set()
    for on in itertools.product([False, True], repeat=len(variants)):
        package = made()
        package.spec = Spec(zip(variants, on))
        options = package.cmake_args()
        said.add(tuple(options))
        for option in options:
            name = option[2:].split("=")[0]
            if name.removeprefix("CMAKE_DISABLE_FIND_PACKAGE_") not in known | found:
                wrong.append(f"{NAME} sets {name}, which the build does not know")
    if len(said) < 2 ** (len(variants) - 1):  # xxHash serves two variants
        wrong.append(f"{NAME}: of {2 ** len(variants)} choices of variants, only {len(said)} differ in their options")

    needs = dict(args[0].split("@") for args, _ in declared["depends_on"] if "@" in args[0])
    versions = tree.text("cmake/versions.cmake") or ""
    for name, pattern in VERSIONS.items():
        match = re.search(pattern, versions)
        least, *below = match.groups() if match else ("?",)
        wanted = f"{least}:{int(below[0]) - 1 if below else ''}"
        if needs.get(name) != wanted:
            wrong.append(f"{NAME} wants {name}@{needs.get(name)}, and cmake/versions.cmake says {wanted}")
    least = re.search(r"cmake_minimum_required\(VERSION ([\d.]+)\)", tree.text("CMakeLists.txt") or "")
    if not least or needs.get("cmake") != f"{least[1]}:":
        wrong.append(f"{NAME} wants cmake@{needs.get('cmake')}, and CMakeLists.txt another")
    if not any(args == ("Apache-2.0",) for args, _ in declared["license"]):
        wrong.append(f"{NAME} names no licence")
    return sorted(set(wrong))


def untested(tree):
    """The recipe tests what it has installed, by a project that is there."""
    made, _ = run(tree.text(NAME) or "")
    if made is None or not any(name.startswith("test_") and name != "test_requires_compiler" for name in vars(made)):
        return [f"{NAME} has no test"]
    if not tree.has(f"{made.consumer}/CMakeLists.txt"):
        return [f"{NAME} builds {made.consumer}, which there is not"]
    return []
