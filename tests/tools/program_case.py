# SPDX-License-Identifier: Apache-2.0
"""What the tests of the onepass program share; the program is their first argument."""
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

PROGRAM = sys.argv.pop(1)


# The exit codes of docs/program.md.
DIFFERS, MISUSED, UNUSABLE, DAMAGED, EXHAUSTED = range(1, 6)


def run(*arguments, **more):
    """Exit code, output and errors of the program."""
    done = subprocess.run([PROGRAM, *map(str, arguments)], **{"capture_output": True, "text": True, **more})
    return done.returncode, done.stdout, done.stderr


class ProgramCase(unittest.TestCase):
    """A test with a folder of its own, in which nothing unfinished may stay."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.at = pathlib.Path(self.folder.name)
        self.random = random.Random(7)

    def tearDown(self):
        left = [p.name for p in self.at.iterdir() if p.name.endswith(".part")]
        self.folder.cleanup()
        self.assertEqual(left, [], "temporary files stay behind")

    def fine(self, *arguments, **more):
        code, out, err = run(*arguments, **more)
        self.assertEqual(code, 0, err)
        return out

    def refuses(self, sentence, *arguments, code=MISUSED, **more):
        found, out, err = run(*arguments, **more)
        self.assertEqual((found, out), (code, ""), err)
        self.assertIn(sentence, err)
        return err

    def unusable(self, sentence, *arguments, **more):
        return self.refuses(sentence, *arguments, code=UNUSABLE, **more)

    def damaged(self, sentence, *arguments, **more):
        return self.refuses(sentence, *arguments, code=DAMAGED, **more)

    def write(self, name, data):
        (self.at / name).write_bytes(data)
        return self.at / name
