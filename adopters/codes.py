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
    folder: str = "."  # of its outermost CMakeLists.txt
    configure: tuple = ()  # options of CMake
    targets: tuple = ("all",)  # what tests and runs need
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
        configure=("-DARBORX_ENABLE_TESTS=ON", "-DARBORX_ENABLE_HEADER_SELF_CONTAINMENT_TESTS=OFF", "-DARBORX_ENABLE_BENCHMARKS=ON"),
        targets=tuple(f"ArborX_Test_{t}.exe" for t in (
            "DetailsUtils", "KokkosExt", "DetailsTreeConstruction", "DetailsContainers", "DetailsCrsGraphWrapperImpl", "Clustering",
            "DetailsClusteringHelpers", "SpecializedTraversals", "InterpMovingLeastSquares"))
        + ("ArborX_Benchmark_DBSCAN.exe", "ArborX_Benchmark_MST.exe"),
        tests=tuple(f"cd test && ./ArborX_Test_{t}.exe" for t in (
            "DetailsUtils", "KokkosExt", "DetailsTreeConstruction", "DetailsContainers", "DetailsCrsGraphWrapperImpl", "Clustering",
            "DetailsClusteringHelpers", "SpecializedTraversals", "InterpMovingLeastSquares")),
        runs=(
            "cd benchmarks/cluster && ./ArborX_Benchmark_DBSCAN.exe --n 100000 --eps 0.05",
            "cd benchmarks/cluster && ./ArborX_Benchmark_DBSCAN.exe --n 1000000 --eps 0.02 --impl fdbscan-densebox",
            "cd benchmarks/cluster && ./ArborX_Benchmark_MST.exe --n 200000",
        ),
        prints=r"No errors detected|Running \d+ test|cluster|noise",
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
        configure=("-DOmega_h_USE_Kokkos=ON", "-DOmega_h_USE_MPI=OFF", "-DBUILD_TESTING=ON", "-DBUILD_SHARED_LIBS=OFF"),
        tests=("ctest -j2 | sed 's/ *[0-9.]* sec$//'",),
        prints=r"Passed|Failed|tests passed",
    ),
    "sparta": Code(
        source="https://github.com/sparta/sparta, 09391fe",
        folder="cmake",
        moves=(scans("src/KOKKOS/kokkos_scan.cpp"), scans("src/KOKKOS/particle_kokkos.cpp", 2)),
        configure=("-DPKG_KOKKOS=ON", "-DUSE_EXTERNAL_KOKKOS=ON", "-DBUILD_MPI=OFF"),
        targets=("spa_",),
        tests=tuple(sparta(*of) for of in (
            ("bench/in.collide", 1, "x=20 y=20 z=20"), ("bench/in.free", 1, "x=20 y=20 z=20"), ("examples/emit/in.emit.face", 1),
            ("examples/emit/in.emit.surf.normal", 1), ("examples/circle/in.circle", 1))),
        # By several threads collisions differ from run to run, so the numbers of particles are what has to be equal.
        runs=tuple(f"{sparta(*of)} | awk '{{print $1}}'" for of in (
            ("bench/in.free", 2, "x=32 y=32 z=32"), ("bench/in.free", 2, "x=64 y=64 z=64"), ("examples/emit/in.emit.surf.normal", 2))),
    ),
}
