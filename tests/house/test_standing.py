#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""standing.py can fail: every check of a policy finds every way in which it can be broken, and a page with a wrong line is refused."""
import pathlib
import unittest

import standing
from policies.checks import CHECKS
from policies.tree import Tree

TREE = Tree(pathlib.Path(__file__).resolve().parents[2])


class Standing(unittest.TestCase):
    def test_every_check_fails_where_it_is_broken(self):
        broken = 0
        for policy, checks in CHECKS.items():
            for at, check in enumerate(checks):
                for changes in check.breaks(TREE):
                    with self.subTest(policy=policy, check=at, broken=sorted(changes)):
                        self.assertTrue(check.faults(TREE.changed(changes)))
                    broken += 1
        self.assertGreater(broken, 3 * len(CHECKS))

    def refused(self, old, new, policy):
        """What is wrong with a page in which `old` is `new`: with all of it together, and with the line of the policy."""
        page = TREE.text(standing.PAGE)
        self.assertIn(old, page)
        return standing.faults(TREE.changed({standing.PAGE: page.replace(old, new, 1)}), [policy])[2]

    def line(self, policy):
        return next(row for row in TREE.text(standing.PAGE).splitlines() if row.startswith(f"| {policy} |"))

    def replaced(self, policy, cell, text):
        cells = self.line(policy).split(" | ")
        cells[cell] = text + (" |" if cell == 4 else "")
        return self.refused(self.line(policy), " | ".join(cells), policy)

    def test_the_page_is_right(self):
        self.assertEqual(standing.faults(TREE)[2], [])

    def test_a_policy_has_one_line(self):
        self.assertEqual(self.refused(self.line("M5") + "\n", "", "M5"), ["M5 has 0 lines, not one"])
        self.assertIn("M5 has 2 lines, not one", self.refused(self.line("M5"), self.line("M5") + "\n" + self.line("M5"), "M5"))
        self.assertIn("M18 is no policy", self.refused(self.line("M5"), self.line("M5") + "\n" + self.line("M5").replace("M5", "M18"), "M5"))

    def test_a_checked_line_names_a_command_and_the_other_way_round(self):
        self.assertEqual(self.replaced("M9", 4, "–"), ["M9: has a check and names no command"])
        self.assertIn("M5: names a command and has no check", self.replaced("M5", 4, "`git log`"))
        self.assertEqual(self.replaced("M9", 4, "see there"), ["M9: names no command and is not –", "M9: has a check and names no command"])

    def test_commands_and_files_exist(self):
        self.assertEqual(self.replaced("M9", 4, "`scripts/nothing`"), ["M9: there is no scripts/nothing"])
        self.assertEqual(self.replaced("M9", 4, "`.ci/run nothing`"), ["M9: .ci/run has no lane nothing"])
        self.assertEqual(self.replaced("M9", 4, "`ctest --preset openmp -L nothing`"), ["M9: no test has the label nothing"])
        self.assertEqual(self.replaced("M9", 3, "`docs/nothing.md`"), ["M9: names docs/nothing.md, which there is not"])

    def test_whether_it_is_met_is_one_of_four_words(self):
        self.assertTrue(any("is neither" in fault for fault in self.replaced("M9", 2, "mostly")))
        self.assertEqual(self.replaced("M9", 2, "no"), ["M9: says no and names a command"])

    def test_a_false_tick_is_found(self):
        changes = {"core/onepass/loud.hpp": "#include <iostream>\nvoid f() { std::cout << 1; }\n"}
        wrong = standing.faults(TREE.changed(changes), ["M11"])[2]
        self.assertIn("M11: core/onepass/loud.hpp:1 has <iostream>", wrong)


if __name__ == "__main__":
    unittest.main()
