# SPDX-License-Identifier: Apache-2.0
"""Codes whose call sites onepass can take, each as a table of replaced words. Of a code itself nothing is quoted but the names of
files and of the calls that are replaced."""
from dataclasses import dataclass


@dataclass(frozen=True)
class Move:
    """In these files (relative to the tree, globs allowed) `pattern`, a regular expression, becomes `becomes`, so many times in all."""
    files: str
    pattern: str
    becomes: str
    times: int


@dataclass(frozen=True)
class Code:
    source: str  # where it comes from, and the commit that was tried
    moves: tuple
    tests: tuple = ()  # commands in the build folder; they have to succeed, and to print the same before and after
    runs: tuple = ()  # the same, with sizes; the calls in them are timed
    prints: str = r"."  # of what tests and runs print, the lines that count: others hold times and paths
    # A file that has the pattern after the move includes the header.
    includes: tuple = ((r"onepass::parallel_scan", "onepass/parallel_scan.hpp"), (r"onepass::kokkos::", "onepass/kokkos.hpp"),
                       (r"onepass::radix_sort_by_key", "onepass/radix_sort.hpp"))



def scans(files, times=1):
    return Move(files, r"\bKokkos::parallel_scan\b", "onepass::parallel_scan", times)


def sparta(script, threads, variables=""):
    """A run of an input script that sorts its particles every few steps; what it prints of each step, but for the time."""
    folder, name = script.rsplit("/", 1)
    given = " ".join("-v " + v.replace("=", " ") for v in variables.split())
    return (f"cd ../source/{folder} && sed 's|^global *gridcut [^ ]*|& particle/reorder 4|' {name} | ../../{'../' * folder.count('/')}"
            f"build/src/spa_ -k on t {threads} -sf kk {given} | awk '$1 ~ /^[0-9]+$/ && NF > 3 {{$2 = \"\"; print}}'")


CODES = {
    "arborx": Code(
        source="https://github.com/arborx/ArborX, 1112ce6",
        moves=(
            scans("src/misc/ArborX_Utils.hpp"),
            scans("src/cluster/detail/ArborX_BoruvkaHelpers.hpp", 2),
            scans("src/cluster/detail/ArborX_DistributedDBSCANHelpers.hpp", 3),
            scans("src/cluster/ArborX_DistributedDBSCAN.hpp"),
            scans("src/distributed/detail/ArborX_Distributor.hpp", 2),
            Move("src/*/detail/*.hpp", r"\bKokkosExt::exclusive_scan\b", "onepass::kokkos::exclusive_scan", 10),
            Move("src/misc/ArborX_SortUtils.hpp", r"\bKokkosExt::sortByKey\b", "onepass::radix_sort_by_key", 1),
            Move("src/cluster/ArborX_D*.hpp", r"\b(Details::)?KokkosExt::sortByKey\b", "onepass::radix_sort_by_key", 2),
            Move("src/distributed/detail/*.hpp", r"\bKokkosExt::sortByKey\b", "onepass::radix_sort_by_key", 1),
        ),
        tests=tuple(f"test/ArborX_Test_{t}.exe" for t in ("DetailsUtils", "DetailsTreeConstruction", "DetailsCrsGraphWrapperImpl")),
        runs=("./drive_arborx 1000 10000", "./drive_arborx 100000 500000"),
        prints=r"No errors detected|Running \d+ test|error|points",
    ),
    "omega_h": Code(
        source="https://github.com/SCOREC/omega_h, 327456e",
        moves=(
            Move("src/Omega_h_int_scan.cpp", r"\bKokkos::Experimental::inclusive_scan\b", "onepass::kokkos::inclusive_scan", 1),
            Move("src/Omega_h_int_scan.cpp", r"\bKokkos::Experimental::transform_inclusive_scan\b",
                 "onepass::kokkos::transform_inclusive_scan", 1),
            Move("src/Omega_h_sort.cpp", r"\bKokkos::Experimental::sort_by_key\b", "onepass::kokkos::sort_by_key", 1),
            scans("src/Omega_h_sort.cpp"),
            scans("src/Omega_h_scan.hpp"),
        ),
        tests=tuple(f"src/{t} && echo passed" for t in ("unit_array_algs", "arrayops_test",
                                         "sort_test ../source/meshes/sorting/ab2b.dat ../source/meshes/sorting/goldSorted.dat")),
        runs=("./drive_omega_h 1000 10000", "./drive_omega_h 100000 1000000"),
    ),
    "cabana": Code(
        source="https://github.com/ECP-copa/Cabana, c1dcec9",
        moves=(scans("core/src/Cabana_LinkedCellList.hpp"), scans("core/src/Cabana_Remove.hpp", 2), scans("core/src/Cabana_VerletList.hpp")),
        tests=tuple(f"core/unit_test/Cabana_Core_Test_{t}_OPENMP --gtest_print_time=0" for t in ("LinkedCellList", "Remove", "NeighborList", "Sort")),
        runs=("./drive_cabana 100 1000 10000", "./drive_cabana 100000 1000000"),
        prints=r"OK \]|FAILED|PASSED|particles",
    ),
    "sparta": Code(
        source="https://github.com/sparta/sparta, 09391fe",
        moves=(scans("src/KOKKOS/kokkos_scan.cpp"), scans("src/KOKKOS/particle_kokkos.cpp", 2)),
        tests=tuple(sparta(*of) for of in (
            ("bench/in.collide", 1, "x=20 y=20 z=20"), ("bench/in.free", 1, "x=20 y=20 z=20"), ("examples/emit/in.emit.face", 1),
            ("examples/emit/in.emit.surf.normal", 1), ("examples/circle/in.circle", 1))),
        # By several threads collisions differ from run to run, so the numbers of particles are what has to be equal.
        runs=tuple(f"{sparta(*of)} | awk '{{print $1}}'" for of in (
            ("bench/in.free", 2, "x=16 y=16 z=16"), ("bench/in.free", 2, "x=48 y=48 z=48"), ("examples/emit/in.emit.surf.normal", 2))),
    ),
}
