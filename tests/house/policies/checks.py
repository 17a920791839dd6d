# SPDX-License-Identifier: Apache-2.0
"""What a machine can see of each policy, by the identifier of its line in docs/standing.md: a list of checks, all of which hold."""
import json
import re

from policies import recipe
from policies.tree import Each, Has, Lacks, Same, Tests

LIBRARY = ("core/*.hpp", "backends/*.hpp", "algorithms/*.hpp")
BUILD = ("CMakeLists.txt", "*/CMakeLists.txt", "cmake/*.cmake")
SOURCES = ("*.hpp", "*.cpp", "*.cu", "*.py", "*.cmake", "CMakeLists.txt", "*/CMakeLists.txt", "*.in", "scripts/*", ".ci/*", "*.yaml", "*.pml")
TEXTS = SOURCES + ("*.md", "*.json", "*.txt", "*.csv", "*.cff")
IN_TEAM = "algorithms/onepass/programs/team_calls.hpp"  # runs inside of kernels, which have no exceptions


def lane(*names):
    """The continuous integration runs these lanes unless asked for others."""
    return Has(".ci/run", *(rf"^all=\(.*\b{name}\b.*\)$" for name in names), *(rf"^{name}\(\)" for name in names))


def preset(tree):
    """A preset for debugging, and one for the sanitizers."""
    presets = {p["name"]: p.get("cacheVariables", {}) for p in json.loads(tree.text("CMakePresets.json") or "{}").get("configurePresets", [])}
    wrong = []
    for name, flags in {"dev": ["-g"], "asan-ubsan": ["-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"]}.items():
        asked = presets.get(name, {})
        words = asked.get("CMAKE_CXX_FLAGS_DEBUG", "")
        if asked.get("CMAKE_BUILD_TYPE") != "Debug" or "NDEBUG" in words or any(flag not in words for flag in flags):
            wrong.append(f"CMakePresets.json: {name} is no Debug build with {' '.join(flags)} and assertions")
    return wrong


def exit_codes(tree):
    """The codes that docs/program.md lists are those of the program."""
    table = re.search(r"^## Exit codes\n(.*?)^## ", tree.text("docs/program.md") or "", re.DOTALL | re.MULTILINE)
    listed = {n for row in re.findall(r"^\| ([\d, ]+) \|", table[1] if table else "", re.MULTILINE) for n in re.findall(r"\d+", row)}
    used = set(re.findall(r"inline constexpr int \w+ += (\d+);", tree.text("tools/commands.hpp") or ""))
    return [] if used and used == listed else [f"docs/program.md lists exit codes {sorted(listed)}, the program has {sorted(used)}"]


def metadata(tree):
    """Every document that the catalogue's entry names is there."""
    text = tree.text(".e4s/e4s.yaml") or ""
    listed = re.search(r"^ +docs: \[(.*)\]$", text, re.MULTILINE)
    names = listed[1].split(", ") if listed else []
    return [f".e4s/e4s.yaml names {n}, which there is not" for n in names or ["docs"] if not tree.has(n) or not names]


def dependencies(tree):
    """docs/dependencies.md has a licence for everything that a CMake file looks for."""
    page = tree.text("docs/dependencies.md") or ""
    rows = dict(re.findall(r"^\| ([^|]+) \| [^|]* \| ([^|]*) \|", page, re.MULTILINE))
    names = {n for file in tree.files(*BUILD) if not file.startswith(("adopters/", "tests/", "cmake/probe"))
             for words in re.findall(r"^\s*(?:find_package\(|onepass_dependency\(|find_library\(|foreach\(library )([A-Za-z]\w+(?: [A-Z]+(?=[ )]))*)",
                                     tree.text(file), re.MULTILINE)
             for n in words.replace("_LIBRARY", "").split() if not re.fullmatch("REQUIRED|QUIET|CONFIG|COMPONENTS|NAMES|CXX|MODULE", n)}
    unlike = {"Python3", "Threads"}  # Python runs tests, threads are the system's
    return [f"docs/dependencies.md has no licence of {n}" for n in sorted(names - unlike)
            if not any(re.search(rf"\b{n}\b", what, re.IGNORECASE) and licence.strip() for what, licence in rows.items())] or (
                [] if names else ["no CMake file looks for anything"])


def unhashed(tree):
    """Whatever the build fetches, it compares with a sum that stands in this repository."""
    text = tree.text("cmake/versions.cmake") or ""
    names = re.findall(r"^set\(ONEPASS_(\w+)_URL ", text, re.MULTILINE)
    return [f"cmake/versions.cmake has no SHA-256 of {n}" for n in names or ["anything"]
            if not re.search(rf"^set\(ONEPASS_{n}_HASH SHA256=[0-9a-f]{{64}}\)", text, re.MULTILINE)]


def no_copies(tree):
    """No folder holds the work of others."""
    return [f"{n} looks like a copy of another project" for n in tree.names
            if re.search(r"(^|/)(third_?party|vendor|external|contrib|tpls?)/", n, re.IGNORECASE) and tree.has(n)]


def answered_in(most):
    """SECURITY.md promises an answer within `most` days."""
    words = "one two three four five six seven eight nine ten eleven twelve thirteen fourteen".split()

    def function(tree):
        said = re.search(r"answer within (\w+) days", tree.text("SECURITY.md") or "")
        days = said and (words.index(said[1]) + 1 if said[1] in words else int(said[1]) if said[1].isdigit() else 99)
        return [] if days and days <= most else [f"SECURITY.md promises no answer within {most} days"]
    return function


def untested(tree):
    """Every function that docs/api.md lists of the face, the headers beside onepass.hpp, is named by a test."""
    rows = re.findall(r"^\| ((?:`\w+`(?:, )?)+) \| `(\w+\.hpp)` \|", tree.text("docs/api.md") or "", re.MULTILINE)
    listed = {name for names, header in rows if tree.has(f"algorithms/onepass/{header}") for name in re.findall(r"\w+", names)}
    named = {word for n in tree.files("tests/algorithms/*.cpp", "tests/algorithms/*.hpp") for word in re.findall(r"\w+", tree.text(n))}
    return [f"no test names {name}" for name in sorted(listed - named)] or ([] if listed else ["docs/api.md lists no functions"])


def linked(*names):
    """The README leads to these pages."""
    return Has("README.md", *(rf"\({re.escape(name)}\)" for name in names))


# What several lines rest on.
SPDX = Each(r"SPDX-License-Identifier: Apache-2\.0", *SOURCES)
LICENCE = Has("LICENSE", r"Apache License", r"Version 2\.0, January 2004", r"END OF TERMS AND CONDITIONS")
VERSION = Same("the version", ("CMakeLists.txt", r"^project\(onepass VERSION ([\d.]+)"), ("CITATION.cff", r"^version: ([\d.]+)"),
               ("codemeta.json", r'"version": "([\d.]+)"'), ("packaging/conda/recipe.yaml", r'^  version: "([\d.]+)"'),
               (".e4s/e4s.yaml", r"^  version: ([\d.]+)"), ("CHANGELOG.md", r"^## ([\d.]+)"))
MACROS = Has("core/onepass/version.hpp.in", *(rf"^#define ONEPASS_VERSION_{part} @" for part in ("MAJOR", "MINOR", "PATCH")),
             r"constexpr char version\[\]")
ABORTS = r"\b(?:std::)?(?:exit|_Exit|quick_exit|abort|terminate)\s*\("
QUIET = Lacks(r"\bc(?:out|err|log)\b|\b(?:f|v)?printf\s*\(|\bputs\s*\(|<iostream>", 'std::printf("here");', *LIBRARY)
THROWS = Has("core/onepass/require.hpp", r"^struct precondition_error : std::invalid_argument", r"throw precondition_error")
NOTHING_ENDS = Lacks(ABORTS, "std::abort();", *LIBRARY, but=(IN_TEAM,))
RECIPE = Tests(recipe.faults, ("packaging/spack/package.py", r"kokkos@4\.7:5", "kokkos@4.6:5"),
               ("packaging/spack/package.py", r"highway@1\.2:", "highway@1.1:"), ("packaging/spack/package.py", "ONEPASS_ENABLE_TOOLS", "ONEPASS_TOOLS"),
               ("packaging/spack/package.py", "cmake@3.25:", "cmake@3.20:"), ("packaging/spack/package.py", r'"\+mpi"', '"+tools"'),
               ("packaging/spack/package.py", "^class Onepass", "class Twopass"), ("cmake/versions.cmake", r"XXHASH_MINIMUM 0\.8", "XXHASH_MINIMUM 0.9"))
IN_MAIN = Lacks(r"^\s*patch\(|\bbranch\s*=", '    patch("for_spack.patch")', "packaging/spack/package.py")
OUTSIDE = [Has("cmake/dependencies.cmake", r"find_package\(\$\{package\}"), Has("cmake/kokkos.cmake", r"^find_package\(Kokkos"),
           Has("cmake/highway.cmake", r"^find_package\(hwy"), Tests(no_copies, ("third_party/xxhash.h", "^", "// a copy")), SPDX]
DOCUMENTED = [Has("README.md", r"^## Try it", r"^## Use it", r"^## Functions", r"find_package\(onepass"), linked("docs/api.md", "docs/architecture.md"),
              Has("docs/api.md", r"^\| `exclusive_scan`"), Has("docs/Doxyfile.in", r"^INPUT "),
              Each(r"int main\(", "examples/*.cpp")]
CODES = Tests(exit_codes, ("tools/commands.hpp", r"exhausted = 5", "exhausted = 9"), ("docs/program.md", r"^\| 3 \|", "| three |"))
UNPRIVILEGED = [Lacks(r"\bsudo\b|\bsetuid\b", "sudo true", "tests/*.py", "tests/*.txt", "tests/*.cmake", "scripts/test", but=("tests/house/policies/checks.py",)),
                Has("scripts/setup", r"\(\(\$\{#missing\[@\]\} == 0\)\)", r"EUID != 0"), Has("scripts/test", r"^ctest --preset")]
LABELS = [Has("tests/CMakeLists.txt", r"LABELS house", r"LABELS model",
              r"^    onepass_add_test\(\$\{stem\} \$\{program_of_\$\{stem\}\} unit\)"),
          Has("tests/matrix.cmake", r"^row\(serial ", r"^row\(host ", r"^row\(kokkos_chained_tiny ", r"^row\(cuda "),
          Has("tests/tools/CMakeLists.txt", "LABELS tool"), Has("tests/install/CMakeLists.txt", "LABELS install"),
          Has("tests/compile_fail/CMakeLists.txt", "LABELS compile_fail"), Has("examples/CMakeLists.txt", "LABELS example")]
GOVERNED = Has("GOVERNANCE.md", r"^\| maintainer \|", r"^\| contributor \|", r"leadership", r"majority")
WARNED = Has("cmake/targets.cmake", r"-Wall -Wextra -Wshadow")
SANITIZED = [lane("sanitized"), Tests(preset, ("CMakePresets.json", "-fsanitize=address,undefined", ""), ("CMakePresets.json", "-O1 -g", "-O1"),
                                      ("CMakePresets.json", "-O0 -g1", "-O0 -g1 -DNDEBUG"))]
FUZZED = [lane("fuzz"), Has("scripts/fuzz", r"-fsanitize=fuzzer,address,undefined", r"readers=\(frame run_file safetensors pictures arrays\)"),
          Each(r"LLVMFuzzerTestOneInput", "tests/fuzz/*.cpp")]
ANALYSED = [lane("static"), Has("scripts/check-static", r"^\s*cppcheck ", r"clang-analyzer-\*", r"^\s*shellcheck ", r"run_reader\.cpp", r"frame\.cpp",
                                r"^\s*exit 1")]
FINDINGS = [Each(r"^attack", "tests/trust/findings.csv"), Has("tests/house/trust.py", "--check")]
CRYPTOGRAPHY = Lacks(r"#\s*include\s*<(?:openssl|sodium|mbedtls|gcrypt|crypto|wolfssl|botan|tomcrypt)\b|\b(?:AES|RSA|EVP|HMAC|SHA(?:1|256|512)|MD5)_\w+\s*\(",
                     "#include <openssl/evp.h>", *LIBRARY, "*.cpp", "tools/*.hpp", "trace/*.hpp")
DAMAGE_ONLY = Has("SECURITY.md", r"Checksums \(XXH3\) find damage, not")
HTTPS = [Lacks(r"http://(?!www\.apache\.org|www\.w3\.org)", "set(ONEPASS_A_URL http://example.org/a.tar.gz)", *BUILD, "scripts/*", "packaging/*")]
HASHES = Tests(unhashed, ("cmake/versions.cmake", r"^set\(ONEPASS_GTEST_HASH.*$", ""))

# By the line of docs/standing.md.
CHECKS = {
    # xSDK
    "M1": [RECIPE],
    "M2": [*LABELS, Has("scripts/test", r"^ctest --preset")],
    "M3": [Lacks(r"MPI_COMM_WORLD|MPI_Init|MPI_Finalize|MPI_Abort|_set_errhandler", "MPI_Barrier(MPI_COMM_WORLD);", *LIBRARY),
           Has("algorithms/onepass/ranks/mpi.hpp", r"MPI_Comm_dup\(communicator", r"MPI_Comm_free"),
           Has("cmake/ranks.cmake", r"find_package\(MPI \$\{ONEPASS_MPI_MINIMUM\} "), Has("cmake/versions.cmake", r"^set\(ONEPASS_MPI_MINIMUM 3\)")],
    "M4": [lane("openmp", "clang", "cuda"), Has("SUPPORT.md", r"g\+\+ 12 and clang 14"), Has("scripts/check-clang", r"-fsyntax-only")],
    "M6": [Lacks(r"\bsig(?:nal|action|procmask)\s*\(|\bfe(?:enableexcept|setenv|setround)\b|\b(?:set|put|get)env\b|omp_set_\w+|"
                 r"Kokkos::(?:initialize|finalize)|setlocale|cudaDevice(?:Reset|SetLimit)", "std::signal(2, nullptr);", *LIBRARY)],
    "M7": [LICENCE, SPDX, Tests(dependencies, ("docs/dependencies.md", r"^\| HDF5.*$", ""), ("docs/dependencies.md", r"^\| Kokkos.*$", ""),
                                ("docs/dependencies.md", r"\| MIT \|", "| |"))],
    "M8": [MACROS, Has("tools/info.cpp", r"onepass::version", r"build::commit\(\)", r"print_configuration"), Has("cmake/commit.cmake", "describe --always")],
    "M9": [Lacks(r"^\s*#\s*define\s+(?!ONEPASS_|XXH_INLINE_ALL|XXH_STATIC_LINKING_ONLY)", "#define YES 1", *LIBRARY),
           Has("algorithms/onepass/packed/bytes.hpp", r"^#undef XXH_INLINE_ALL"),
           Has("algorithms/onepass/packed/bytes.hpp", r"^#undef XXH_STATIC_LINKING_ONLY"),
           Lacks(r"^\s*#\s*include\s*$", '#include "utils.hpp"', *LIBRARY),
           Lacks(r"add_library\((?!onepass|xxHash::)", "add_library(util STATIC a.cpp)", "cmake/*.cmake", "trace/CMakeLists.txt")],
    "M11": [QUIET],
    "M12": OUTSIDE,
    "M13": [Has("cmake/install.cmake", r"^include\(GNUInstallDirs\)", r"FILE_SET HEADERS", r"\$\{CMAKE_INSTALL_LIBDIR\}"),
            Lacks(r"DESTINATION\s+(?!\$\{(?:CMAKE_INSTALL_|onepass_package))", "install(FILES a DESTINATION /usr/include)", "cmake/install.cmake",
                  "trace/CMakeLists.txt", "tools/CMakeLists.txt"),
            Has("tests/install/plain.cmake.in", r"--prefix \$\{folder\}/prefix", r"include/onepass/scan\.hpp")],
    "M14": [Has("core/onepass/extent.hpp", r"^using extent = std::int64_t;")],
    "M15": [IN_MAIN],
    "M16": [SANITIZED[1], Has("CONTRIBUTING.md", r"scripts/test dev")],
    "M17": DOCUMENTED,
    "R1": [Tests(recipe.untested, ("packaging/spack/package.py", "def test_consumer", "def consume"),
                 ("packaging/spack/package.py", "tests/install/consumer", "tests/install/nobody"))],
    "R3": [THROWS, NOTHING_ENDS, QUIET, Has("algorithms/onepass/onepass.hpp", r"throw precondition_error before anything is queued"),
           Lacks(r"(?s)Kokkos::abort.*Kokkos::abort", 'Kokkos::abort("again");', IN_TEAM)],
    "R4": [lane("sanitized"), Lacks("detect_leaks=0", "ASAN_OPTIONS=detect_leaks=0", ".ci/run", "CMakePresets.json", "scripts/*", "tests/*.txt", "tests/*.cmake"),
           Has("algorithms/onepass/ranks/mpi.hpp", r"~own_communicator\(\) \{ MPI_Comm_free")],
    "R5": [Has("cmake/onepassConfig.cmake.in", r"^find_dependency\(Kokkos ", r"find_dependency\(hwy "), Has("cmake/install.cmake", r"^install\(EXPORT onepassTargets")],
    "R6": [RECIPE, Has("cmake/versions.cmake", r"^set\(ONEPASS_KOKKOS_RANGE 4\.7\.\.\.<6\)"), Has("README.md", r"^Needs Kokkos 4\.7 up to, not including, 6;"),
           Has("packaging/conda/recipe.yaml", r"kokkos >=4\.7,<6"), Has("docs/dependencies.md", r"^\| Kokkos \| 4\.7 up to 6 \|")],
    "R7": [Has("README.md", r"^Single-pass scan primitives", r"^## Use it"), Has("SUPPORT.md", r"open an issue"), LICENCE, Has("CHANGELOG.md", r"^## \d"), VERSION],
    "R8": [MACROS],
    # E4S
    "P1": [RECIPE],
    "P3": [IN_MAIN],
    "P4": DOCUMENTED,
    "P5": [Tests(metadata, (".e4s/e4s.yaml", "docs/api.md", "docs/apis.md"), (".e4s/e4s.yaml", "^  docs:.*$", "")), VERSION,
           Has(".e4s/e4s.yaml", r"^- e4s_product: onepass", r"^  spack_name: onepass")],
    "P7": OUTSIDE,
    "P8": [CODES, THROWS, NOTHING_ENDS],
    "P9": UNPRIVILEGED,
    # HPSF
    "H4": [GOVERNED],
    "Q5": [LICENCE, SPDX],
    "Q6": [Has("CODE_OF_CONDUCT.md", r"Harassment", r"maintainer")],
    "Q9": [Has(".git-blame-ignore-revs", r"^[0-9a-f]{40}")],
    "Q11": [Tests(dependencies, ("docs/dependencies.md", r"^\| TBB.*$", "")), linked("docs/dependencies.md")],
    "Q12": [Has("docs/releasing.md", r"^## Steps", r"git tag -s", r"CHANGELOG\.md"), VERSION],
    "Q13": [lane("style", "openmp", "sanitized", "clang", "cuda", "static", "fuzz"), Has("docs/trust.md", r"^## Counts", r"^## Findings"),
            Has("SECURITY.md", r"^## Reporting")],
    "Q16": [GOVERNED, Has("docs/decisions/README.md", r"^\| \[1\]")],
    # OpenSSF, passing
    "description_good": [Has("README.md", r"\A# onepass\n\nSingle-pass scan primitives for")],
    "interact": [Has("README.md", r"\[contributing\]\(CONTRIBUTING\.md\)"), Has("SUPPORT.md", r"open an issue"), Has("CONTRIBUTING.md", r"^## How a change gets in")],
    "contribution": [Has("CONTRIBUTING.md", r"^## How a change gets in", r"pull request")],
    "contribution_requirements": [Has("CONTRIBUTING.md", r"^## What we ask of a change", r"^## Style", r"clang-format 14"), lane("style")],
    "floss_license": [LICENCE, SPDX],
    "floss_license_osi": [LICENCE, Has("CITATION.cff", r"^license: Apache-2\.0$")],
    "license_location": [LICENCE, Has("cmake/install.cmake", r"^install\(FILES LICENSE")],
    "documentation_basics": [*DOCUMENTED, linked("SECURITY.md", "SUPPORT.md")],
    "documentation_interface": [Has("docs/api.md", r"^\| `exclusive_scan`"), Has("docs/format.md", r"^# "), Has("docs/program.md", r"^## Exit codes"),
                                Has("tests/house/api.py", r"docs/api\.md does not list|docs/api\.md")],
    "english": [Has("CONTRIBUTING.md", r"in plain English")],
    "repo_track": [Has(".git-blame-ignore-revs", r"^[0-9a-f]{40}")],
    "repo_distributed": [Has(".gitignore", r"^/build/$")],
    "version_unique": [VERSION],
    "version_semver": [VERSION, Has("CHANGELOG.md", r"\[semantic versioning\]"), Has("CMakeLists.txt", r"^project\(onepass VERSION \d+\.\d+\.\d+ ")],
    "release_notes": [Has("CHANGELOG.md", r"^## \d+\.\d+\.\d+", r"^- "), VERSION],
    "release_notes_vulns": [Has("docs/releasing.md", r"CVE or GHSA")],
    "report_process": [Has("SUPPORT.md", r"open an issue with the commit")],
    "vulnerability_report_process": [Has("SECURITY.md", r"^## Reporting")],
    "vulnerability_report_private": [Has("SECURITY.md", r"Report privately")],
    "vulnerability_report_response": [Tests(answered_in(14), ("SECURITY.md", "within seven days", "within thirty days"), ("SECURITY.md", "within seven days", "soon"))],
    "build": [Has("CMakeLists.txt", r"^cmake_minimum_required\("), Has("scripts/test", r"^cmake --build --preset")],
    "build_common_tools": [Has("CMakeLists.txt", r"^cmake_minimum_required\("), Has("CMakePresets.json", r'"generator": "Ninja"')],
    "build_floss_tools": [lane("openmp"), Has("scripts/setup", r"^packages=\(g\+\+ cmake ninja-build")],
    "test": [Has("README.md", r"scripts/test "), Has("scripts/test", r"^ctest --preset"), SPDX],
    "test_invocation": [Has("CMakeLists.txt", r"enable_testing\(\)"), Has("CMakePresets.json", r'"testPresets"')],
    "test_most": [*LABELS, lane("coverage"), Tests(untested, ("docs/api.md", r"^\| `exclusive_scan`", "| `exclusive_scan_of_nothing`"))],
    "test_continuous_integration": [lane("openmp", "sanitized"), Has("GOVERNANCE.md", r"`\.ci/run` runs passes")],
    "test_policy": [Has("CONTRIBUTING.md", r"^- It has a test that failed before")],
    "tests_are_added": FINDINGS,
    "tests_documented_added": [Has("CONTRIBUTING.md", r"^- It has a test that failed before"), Has("docs/adding-an-algorithm.md", r"tests/algorithms")],
    "warnings": [WARNED],
    "warnings_fixed": [Has(".ci/run", r"-DONEPASS_WARNINGS_AS_ERRORS=ON"), Has("cmake/targets.cmake", r"APPEND flags -Werror")],
    "warnings_strict": [lane("clang"), Has("scripts/check-clang", r"-Wconversion -Wsign-conversion"), WARNED],
    "know_common_errors": [Has("SECURITY.md", r"crash, hang"), *FUZZED, *SANITIZED],
    **dict.fromkeys(["crypto_published", "crypto_call", "crypto_floss", "crypto_keylength", "crypto_working", "crypto_weaknesses", "crypto_pfs",
                     "crypto_password_storage", "crypto_random"], [CRYPTOGRAPHY, DAMAGE_ONLY]),
    "delivery_mitm": [*HTTPS, HASHES],
    "delivery_unsigned": [*HTTPS, HASHES],
    "vulnerabilities_critical_fixed": [Has("SECURITY.md", r"a fix or\s+a date for it within thirty")],
    "no_leaked_credentials": [Lacks(r"BEGIN (?:[A-Z]+ )?PRIVATE KEY-|\bAKIA[0-9A-Z]{16}\b|\bgh[pousr]_[A-Za-z0-9]{36}\b|\bxox[bp]-\d{8}|(?i:password|passwd|api_?key)\s*[=:]\s*[\"'][^\"']{6}",
                                    "-----BEGIN RSA " + "PRIVATE KEY-----", *TEXTS)],
    "static_analysis": ANALYSED,
    "static_analysis_common_vulnerabilities": [Has("scripts/check-static", r"clang-analyzer-\*", r"cert-\*")],
    "static_analysis_fixed": [Has("scripts/check-static", r"--warnings-as-errors", r"--error-exitcode=1"), Has("docs/releasing.md", r"`scripts/check-static` finds nothing")],
    "static_analysis_often": [lane("static")],
    "dynamic_analysis": [*SANITIZED, *FUZZED],
    "dynamic_analysis_unsafe": [*SANITIZED, *FUZZED],
    "dynamic_analysis_enable_assertions": SANITIZED,
    "dynamic_analysis_fixed": FINDINGS,
}
