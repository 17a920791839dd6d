# SPDX-License-Identifier: Apache-2.0
"""docs/trust.md is what its script writes, every finding in it names a test that stands in the sources, and every defect of
tests/trust/mutants_list.py the text that it takes the place of.

usage: python3 tests/house/trust.py
"""
import pathlib
import runpy
import sys

sys.argv = ["write.py", "--check"]
runpy.run_path(str(pathlib.Path(__file__).resolve().parents[1] / "trust" / "write.py"), run_name="__main__")
