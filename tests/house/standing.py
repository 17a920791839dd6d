#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""docs/standing.md has one line for each policy, and none claims what its check does not find.

Every policy of POLICIES has its line. A line that names a command has checks in tests/house/policies/checks.py, and what has checks a line
that names a command; a line that says `yes`, `partly` or `does not apply` is wrong where one of them fails. A line that says `no` says why.
Files that a line names exist; commands are scripts, lanes of .ci/run and labels of tests that there are.

usage: python3 tests/house/standing.py [<policy> ...]   (default: the whole page of the tree that this file is in)
"""
import pathlib
import re
import sys

from policies.checks import CHECKS
from policies.tree import Tree

ROOT = pathlib.Path(__file__).resolve().parents[2]
PAGE = "docs/standing.md"
MET = ("yes", "partly", "no", "does not apply")
PROGRAMS = ("git", "cmake", "onepass")  # which a line may run, beside what lies in the tree
FEWEST = 60  # lines that a machine checks

OPENSSF = """description_good interact contribution contribution_requirements floss_license floss_license_osi license_location
documentation_basics documentation_interface sites_https discussion english maintained repo_public repo_track repo_interim
repo_distributed version_unique version_semver version_tags release_notes release_notes_vulns report_process report_tracker
report_responses enhancement_responses report_archive vulnerability_report_process vulnerability_report_private
vulnerability_report_response build build_common_tools build_floss_tools test test_invocation test_most test_continuous_integration
test_policy tests_are_added tests_documented_added warnings warnings_fixed warnings_strict know_secure_design know_common_errors
crypto_published crypto_call crypto_floss crypto_keylength crypto_working crypto_weaknesses crypto_pfs crypto_password_storage
crypto_random delivery_mitm delivery_unsigned vulnerabilities_fixed_60_days vulnerabilities_critical_fixed no_leaked_credentials
static_analysis static_analysis_common_vulnerabilities static_analysis_fixed static_analysis_often dynamic_analysis
dynamic_analysis_unsafe dynamic_analysis_enable_assertions dynamic_analysis_fixed""".split()
# xSDK's mandatory and recommended ones, E4S's, HPSF's for the stage Emerging and what its form for proposals asks, OpenSSF's.
POLICIES = ([f"M{n}" for n in range(1, 18)] + [f"R{n}" for n in range(1, 9)] + [f"P{n}" for n in range(1, 10)]
            + [f"H{n}" for n in range(1, 6)] + [f"Q{n}" for n in (5, 6, 9, 10, 11, 12, 13, 14, 15, 16)] + OPENSSF)


def lines(page):
    """(policy, what it asks, whether it is met, where, shown by) of each row."""
    for row in re.findall(r"^\| (.*) \|$", page, re.MULTILINE):
        cells = [cell.strip() for cell in row.split(" | ")]
        if cells[0] != "policy" and not set(cells[0]) <= set("-| "):
            yield cells


def unknown(tree, command):
    """What a command names that there is not."""
    words = command.split()
    if words[0] == "ctest":
        label = words[words.index("-L") + 1] if "-L" in words else "?"
        registered = "".join(tree.text(n) for n in tree.files("tests/*CMakeLists.txt", "tests/*.cmake", "examples/CMakeLists.txt"))
        return [] if re.search(rf"LABELS \"?{label}\b|\b{label}\)$", registered, re.MULTILINE) else [f"no test has the label {label}"]
    if words[0] == ".ci/run":
        lanes = re.search(r"^all=\((.*)\)", tree.text(".ci/run") or "", re.MULTILINE)
        return [f".ci/run has no lane {w}" for w in words[1:] if not lanes or w not in lanes[1].split()]
    return [] if words[0] in PROGRAMS or tree.has(words[0]) else [f"there is no {words[0]}"]


def faults_of_line(tree, cells):
    """What is wrong with one line."""
    if len(cells) != 5:
        return [f"{len(cells)} cells, not 5"]
    policy, asks, met, where, shown = cells
    wrong = [] if met in MET else [f"is neither {' nor '.join(MET)}: {met}"]
    if not asks or not where:
        wrong.append("says not what is asked, or not where or why")
    commands = [c.removeprefix("python3 ") for c in re.findall(r"`([^`]+)`", shown)]
    if shown != "–" and not commands:
        wrong.append("names no command and is not –")
    for command in commands:
        wrong += unknown(tree, command)
    named = re.findall(r"`((?:[\w.-]+/)+[\w.-]*|[\w-]+\.(?:md|json|txt|cff|hpp)|LICENSE|\.[\w-]+)`", where)
    wrong += [f"names {name}, which there is not" for name in named if not tree.has(name)]
    if commands and policy not in CHECKS:
        wrong.append("names a command and has no check")
    if not commands and policy in CHECKS:
        wrong.append("has a check and names no command")
    if met == "no" and commands:
        wrong.append("says no and names a command")
    if met in ("yes", "partly", "does not apply"):
        wrong += [fault for check in CHECKS.get(policy, []) for fault in check.faults(tree)]
    return wrong


def faults(tree, only=()):
    """(number of lines, of these with a check, what is wrong)"""
    rows, wrong = list(lines(tree.text(PAGE) or "")), []
    said = [cells[0] for cells in rows]
    wrong += [f"{p} has {said.count(p)} lines, not one" for p in POLICIES if said.count(p) != 1]
    wrong += [f"{p} is no policy" for p in said if p not in POLICIES]
    wrong += [f"{p} has a check and is no policy" for p in CHECKS if p not in POLICIES]
    checked = sum(cells[0] in CHECKS for cells in rows)
    if checked < FEWEST:
        wrong.append(f"{checked} lines have a check, at least {FEWEST} must")
    for cells in rows:
        if not only or cells[0] in only:
            wrong += [f"{cells[0]}: {fault}" for fault in faults_of_line(tree, cells)]
    return len(rows), checked, wrong


def main():
    unasked = [p for p in sys.argv[1:] if p not in POLICIES]
    if unasked:
        sys.exit(f"standing: no policy {', '.join(unasked)}; {PAGE} lists them")
    count, checked, wrong = faults(Tree(ROOT), sys.argv[1:])
    for fault in wrong:
        print(f"standing: {fault}")
    print(f"standing: {len(wrong)} findings in {count} lines, {checked} of them checked")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
