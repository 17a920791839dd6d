#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""rooms.py can fail: a small tree for each of its rules, in which one file breaks it."""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOMS = pathlib.Path(__file__).with_name("rooms.py")
CORE = "namespace onepass {\nnamespace detail {\ntemplate <class T>\nint phase_of(T)\n{\n  return 0;\n}\n}  // namespace detail\n}\n"


class Rooms(unittest.TestCase):
    def found(self, files, allowed=""):
        """Exit code and findings for a tree of these files, beside one header in each room of the library."""
        tree = {"core/onepass/law.hpp": CORE, "backends/onepass/backends/run.hpp": "", "backends/onepass/backends/cuda/team.hpp": "",
                "backends/onepass/backends/host/team.hpp": "", "algorithms/onepass/scan.hpp": "",
                "algorithms/onepass/programs/scan.hpp": "", "trace/onepass/trace/run_file.hpp": "", "algorithms/onepass/packed/deep/a.hpp": "", "tests/house/rooms_allowed.txt": allowed, **files}
        with tempfile.TemporaryDirectory() as folder:
            for name, text in tree.items():
                path = pathlib.Path(folder) / name
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(text)
            done = subprocess.run([sys.executable, ROOMS, folder], capture_output=True, text=True)
        return done.returncode, [line for line in done.stdout.splitlines() if " findings in " not in line]

    def refuses(self, path, text, name, why):
        self.assertEqual(self.found({path: text}), (1, [f"rooms: {path} uses {name}: {why}"]))

    def test_a_tree_in_order(self):
        fine = """// a comment may name backends::cuda, cuda_backend and parallel_for
#include <onepass/backends/run.hpp>
#include <onepass/law.hpp>
namespace onepass::detail {
inline int own(int n) { return n; }
}  // namespace onepass::detail
inline char const* text = "TeamPolicy";
void f(team const& t) { Kokkos::parallel_for(Kokkos::TeamThreadRange(t, detail::own(7)), [](int) {}); }
"""
        self.assertEqual(self.found({"algorithms/onepass/select.hpp": fine}), (0, []))
        self.assertEqual(self.found({"algorithms/onepass/packed/frame.hpp": fine, "tools/a.cpp": "#include <onepass/packed/frame.hpp>\n"}),
                         (0, []))

    def test_includes(self):
        public = "sees the public headers alone: <onepass/name.hpp> and <onepass/wing/name.hpp>"
        for path, include, why in [
                ("core/onepass/a.hpp", "onepass/scan.hpp", "core sees core alone"),
                ("backends/onepass/backends/host/a.hpp", "onepass/scan.hpp", "backends see core and themselves"),
                ("backends/onepass/backends/host/a.hpp", "onepass/backends/cuda/team.hpp", "backends never see one another"),
                ("algorithms/onepass/a.hpp", "onepass/backends/cuda/team.hpp", "algorithms see of the backends its run*.hpp and tunings.hpp alone"),
                ("tools/a.hpp", "onepass/programs/scan.hpp", f"tools {public}"),
                ("tools/a.hpp", "onepass/packed/deep/a.hpp", f"tools {public}"),
                ("perf/a.hpp", "onepass/backends/run.hpp", f"perf {public}"),
                ("trace/a.cpp", "onepass/scan.hpp", "trace sees itself alone: it is loaded into programs that know nothing of the library"),
                ("algorithms/onepass/a.hpp", "onepass/trace/run_file.hpp", "the library knows nothing of trace"),
                ("examples/a.cpp", "onepass/nothing.hpp", "no room has it")]:
            self.refuses(path, f"#include <{include}>\n", f"<{include}>", why)

    def test_backends(self):
        why = "only run*.hpp names backends"
        for room in ("core/onepass", "algorithms/onepass", "tools", "perf", "examples"):
            self.refuses(f"{room}/a.hpp", "using x = onepass::backends::kokkos::words;\n", "backends::kokkos::words", why)
        self.refuses("tools/a.cpp", "using namespace onepass::backends;\n", "backends", why)
        self.refuses("algorithms/onepass/a.hpp", "using x = fpga_backend;\n", "fpga_backend",
                     "what depends on the backend belongs to the backend")

    def test_trace(self):
        self.refuses("trace/a.cpp", "using x = Kokkos::View<int*>;\n", "Kokkos::View", "the program that is traced brings its own Kokkos")
        fine = "#include <onepass/trace/run_file.hpp>\n"
        self.assertEqual(self.found({"trace/a.cpp": fine, "tools/a.cpp": fine}), (0, []))

    def test_kernels(self):
        for name in ("TeamPolicy", "RangePolicy", "MDRangePolicy", "parallel_for", "parallel_reduce", "parallel_scan"):
            for room in ("core", "algorithms"):
                self.refuses(f"{room}/onepass/a.hpp", f"void f() {{ Kokkos::{name}(7); }}\n", name, "backends launch kernels")

    def test_devices(self):
        for name in ("__CUDA_ARCH__", "__CUDACC__", "KOKKOS_ENABLE_HIP", "ONEPASS_HAS_CUDA"):
            self.refuses("algorithms/onepass/a.hpp", f"#ifdef {name}\n#endif\n", name, "core/onepass/portability.hpp hides the device")

    def test_details(self):
        for path in ("backends/onepass/backends/host/a.hpp", "algorithms/onepass/a.hpp", "tools/a.cpp", "examples/a.cpp"):
            self.refuses(path, "int f() { return onepass::detail::phase_of(7); }\n", "detail::phase_of", "that is a detail of core")
        self.refuses("perf/a.hpp", "using namespace onepass::detail;\n", "using namespace detail",
                     "details are named one by one, so that each can be looked at")
        self.refuses("perf/a.hpp", "int n = onepass::detail::nobodys;\n", "detail::nobodys", "no room declares it")

    def test_names_of_core_in_a_backend(self):
        space = "namespace onepass::ONEPASS_ABI%s {\n%s\n}  // namespace onepass::ONEPASS_ABI%s\n"
        core = {"core/onepass/bins.hpp": space % ("", "inline constexpr int most_bins = 7;\n[[gnu::always_inline]] inline void fetch(int);", "")}
        path, why = "backends/onepass/backends/host/a.hpp", "core has that name too, and which is meant depends on what is included first"
        host = "::backends::host"
        for name, text in [("most_bins", "inline constexpr int most_bins = 8;"), ("fetch", "template <class T>\nvoid fetch(T x);")]:
            self.assertEqual(self.found({**core, path: space % (host, text, host)}), (1, [f"rooms: {path} uses {name}: {why}"]))
        for text in ("using onepass::fetch;\nvoid fetch(long);", "void f()\n{\n  int fetch = most_bins;\n}", "[[gnu::hot]] void run();"):
            self.assertEqual(self.found({**core, path: space % (host, text, host)}), (0, []))

    def test_what_is_allowed(self):
        tree = {"tools/a.cpp": "int f() { return onepass::detail::phase_of(7); }\n"}
        self.assertEqual(self.found(tree, "# a comment\n\ntools/*: detail::phase_of: soon\n"), (0, []))
        self.assertEqual(self.found(tree, "tools/*: detail::phase_of other: soon\n"),
                         (1, ["rooms: tests/house/rooms_allowed.txt:1: tools/* uses no other any more; take it out"]))
        self.assertEqual(self.found(tree, "perf/*: detail::phase_of: elsewhere\n")[0], 1)

    def test_no_tree(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertNotEqual(subprocess.run([sys.executable, ROOMS, folder], capture_output=True).returncode, 0)


if __name__ == "__main__":
    unittest.main()
