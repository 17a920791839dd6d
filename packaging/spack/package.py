# SPDX-License-Identifier: Apache-2.0
"""Spack's package of onepass. Nothing is released yet, so it builds a checkout: in one,

    spack repo create recipes && mkdir -p recipes/packages/onepass && cp packaging/spack/package.py recipes/packages/onepass
    spack repo add recipes && spack dev-build onepass@main
"""
from spack.package import *


class Onepass(CMakePackage):
    """Single-pass scan primitives and entropy coding for Kokkos: scans, selections, runs, sorts, segments, Huffman coding."""

    license("Apache-2.0", checked_by="onepass")
    version("main")

    variant("highway", default=True, description="Vector registers on hosts, by Google Highway")
    variant("packed", default=True, description="The packed format, whose checksums are xxHash's")
    variant("tools", default=False, description="The program onepass")

    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("kokkos@4.7:5", type=("build", "link"))
    depends_on("highway@1.2:", when="+highway")
    depends_on("xxhash@0.8:", when="+packed")
    depends_on("xxhash@0.8:", when="+tools")
    depends_on("cli11@2.3:", when="+tools", type="build")
    depends_on("nlohmann-json@3.11:", when="+tools", type="build")
    depends_on("libpng", when="+tools")
    depends_on("libjpeg", when="+tools")

    conflicts("%gcc@:11", msg="onepass is C++20 and needs g++ 12")
    conflicts("%clang@:13", msg="onepass is C++20 and needs clang 14")

    def cmake_args(self):
        args = [self.define(f"ONEPASS_ENABLE_{room}", False) for room in ("TESTS", "EXAMPLES", "PERF")]
        args.append(self.define_from_variant("ONEPASS_ENABLE_TOOLS", "tools"))
        if self.spec.satisfies("^kokkos+wrapper"):
            args.append(self.define("CMAKE_CXX_COMPILER", self["kokkos-nvcc-wrapper"].kokkos_cxx))
        return args
