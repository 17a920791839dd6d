#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Another project (tests/install/consumer) is built against onepass and run, in one configuration after the other.

usage: install_matrix.py --kokkos NAME=PREFIX ... [--compiler CXX ...] [--ledger FILE] [--only TEXT]
  --kokkos    an installed Kokkos; where it has CUDA and no device is here, programs are built and not run
  --compiler  default: g++. Each compiles against each Kokkos; what else differs is tried with the first
  --ledger    a CSV of the configurations that work; what stands there is not built again
  --only      configurations whose name has this in it
Programs of clang may not link with a Kokkos that g++ compiled for OpenMP: each has another library of it.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import ledger  # noqa: E402

ROOT = pathlib.Path(__file__).resolve().parents[2]
FIELDS = ["kokkos", "compiler", "differs", "ran", "seconds"]
LIBRARY_ALONE = [f"-DONEPASS_ENABLE_{what}=OFF" for what in ("TESTS", "TOOLS", "EXAMPLES", "PERF")]
# What differs from a package of a Release build by C++20 of static libraries: how onepass is taken in, and options.
PLAIN = {"": ("package", [])}
OTHERS = {
    "subdirectory": ("subdirectory", []),
    "FetchContent": ("fetch", []),
    "C++23": ("package", ["-DCMAKE_CXX_STANDARD=23"]),
    "Debug, bounds checked": ("package", ["-DCMAKE_BUILD_TYPE=Debug", "-DCMAKE_CXX_FLAGS=-DKOKKOS_ENABLE_DEBUG_BOUNDS_CHECK"]),
    "shared libraries": ("package", ["-DBUILD_SHARED_LIBS=ON"]),
    "no build type": ("package", ["-DCMAKE_BUILD_TYPE="]),
}


def run(*command):
    done = subprocess.run([str(c) for c in command], capture_output=True, text=True, env=dict(os.environ, OMP_PROC_BIND="false"))
    if done.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{done.stdout[-2000:]}\n{done.stderr[-3000:]}")


def cmake(source, build, options, *targets):
    run("cmake", "-S", source, "-B", build, "-G", "Ninja", *options)
    for target in targets:
        run("cmake", "--build", build, "--target", target)


def tried(prefix, compiler, way, options):
    """Builds the consumer in a folder that goes away; whether it has been run, too."""
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        options = ["-DCMAKE_BUILD_TYPE=Release", f"-DKokkos_ROOT={prefix}", f"-DCMAKE_CXX_COMPILER={compiler}", *options]
        if way == "package":
            cmake(ROOT, folder / "onepass", [*options, *LIBRARY_ALONE, f"-DCMAKE_INSTALL_PREFIX={folder / 'prefix'}"], "install")
        cmake(ROOT / "tests" / "install" / "consumer", folder / "build",
              [*options, f"-DWAY={way}", f"-DONEPASS_SOURCE={ROOT}", f"-DCMAKE_PREFIX_PATH={folder / 'prefix'}"], "all")
        runs = not has_cuda(prefix) or pathlib.Path("/dev/nvidiactl").exists()
        for program in ("consumer", "packed_consumer", "ranks_consumer"):
            if runs and (folder / "build" / program).exists():
                run(folder / "build" / program)
        return runs


def has_cuda(prefix):
    config = next(pathlib.Path(prefix).rglob("KokkosCore_config.h"))
    return "\n#define KOKKOS_ENABLE_CUDA\n" in config.read_text()


def main():
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--kokkos", action="append", required=True)
    parser.add_argument("--compiler", action="append")
    parser.add_argument("--ledger", type=pathlib.Path)
    parser.add_argument("--only", default="")
    asked = parser.parse_args()
    entries = ledger.rows(asked.ledger) if asked.ledger else []
    done = {(r["kokkos"], r["compiler"], r["differs"]) for r in entries}
    compilers, wrong = asked.compiler or ["g++"], 0
    for name, prefix in (k.split("=", 1) for k in asked.kokkos):
        for compiler in compilers:
            for differs, (way, options) in {**PLAIN, **(OTHERS if compiler == compilers[0] else {})}.items():
                which = (name, pathlib.Path(compiler).name, differs)
                shown = " ".join(filter(None, which))
                if which in done or asked.only not in shown or (differs == "C++23" and has_cuda(prefix)):  # which nvcc does not know
                    continue
                begin = time.monotonic()
                try:
                    ran = tried(prefix, compiler, way, options)
                except RuntimeError as error:
                    wrong += 1
                    print(f"install_matrix: {shown}: fails\n{error}", flush=True)
                    continue
                seconds = f"{time.monotonic() - begin:.0f}"
                print(f"install_matrix: {shown}: {'runs' if ran else 'is built'}, {seconds} s", flush=True)
                entries.append(dict(zip(FIELDS, [*which, int(ran), seconds])))
                if asked.ledger:
                    ledger.write(asked.ledger, FIELDS, entries)
    print(f"install_matrix: {len(entries)} configurations work, {wrong} do not")
    return bool(wrong)


if __name__ == "__main__":
    sys.exit(main())
