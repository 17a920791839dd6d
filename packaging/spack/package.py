# SPDX-License-Identifier: Apache-2.0
"""Spack's package of onepass. Nothing is released yet, so it builds a checkout: in one,

    spack repo create recipes && at=recipes/spack_repo/recipes   # at=recipes before Spack 1.0
    mkdir -p $at/packages/onepass && cp packaging/spack/package.py $at/packages/onepass
    spack repo add $at && spack dev-build onepass@main
"""
from spack.package import *

try:
    from spack_repo.builtin.build_systems.cmake import CMakePackage
except ImportError:  # before Spack 1.0 it is in spack.package
    pass


class Onepass(CMakePackage):
    """Single-pass scan primitives and entropy coding for Kokkos: scans, selections, runs, sorts, segments, Huffman coding."""

    test_requires_compiler = True
    consumer = "tests/install/consumer"  # a project that finds what is installed

    license("Apache-2.0", checked_by="onepass")
    version("main")

    variant("highway", default=True, description="Vector registers on hosts, by Google Highway")
    variant("packed", default=True, description="The packed format, whose checksums are xxHash's")
    variant("mpi", default=False, description="Calls over the ranks of an MPI program")
    variant("tools", default=False, description="The program onepass")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.7:5", type=("build", "link"))
    depends_on("highway@1.2:", when="+highway")
    depends_on("xxhash@0.8:", when="+packed")
    depends_on("xxhash@0.8:", when="+tools")
    depends_on("mpi@3:", when="+mpi")
    depends_on("cli11@2.3:", when="+tools", type="build")
    depends_on("nlohmann-json@3.11:", when="+tools", type="build")
    depends_on("libpng", when="+tools")
    depends_on("libjpeg", when="+tools")

    conflicts("%gcc@:11", msg="onepass is C++20 and needs g++ 12")
    conflicts("%clang@:13", msg="onepass is C++20 and needs clang 14")

    def cmake_args(self):
        args = [self.define(f"ONEPASS_ENABLE_{room}", False) for room in ("TESTS", "EXAMPLES", "PERF")]
        args.append(self.define_from_variant("ONEPASS_ENABLE_TOOLS", "tools"))
        args.append(self.define_from_variant("ONEPASS_ENABLE_RANKS", "mpi"))
        # What the system has and the spec has not is not to be found.
        args.append(self.define("CMAKE_DISABLE_FIND_PACKAGE_hwy", self.spec.satisfies("~highway")))
        args.append(self.define("CMAKE_DISABLE_FIND_PACKAGE_xxHash", self.spec.satisfies("~packed~tools")))
        if self.spec.satisfies("^kokkos+wrapper"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos-nvcc-wrapper"].kokkos_cxx))
        return args

    @run_after("install")
    def keep_consumer(self):
        cache_extra_test_sources(self, [self.consumer])

    def test_consumer(self):
        """A project finds the installed package, scans and compares."""
        if self.spec.satisfies("~packed~tools"):
            raise SkipTest("the consumer asks for the component packed")
        cmake = Executable(self.spec["cmake"].prefix.bin.cmake)
        with working_dir(join_path(self.test_suite.current_test_cache_dir, self.consumer)):
            found = [self.prefix, *(d.prefix for d in self.spec.dependencies(deptype="link"))]
            cmake("-B", "build", "-DWAY=package", self.define("CMAKE_PREFIX_PATH", found))
            cmake("--build", "build")
            Executable("build/consumer")()
