# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""That a repro repeats what it was, and that an oracle which checked nothing is no evidence."""

import os
import shlex
import subprocess
import unittest

from support import PROGRAM, SOURCE, CommandTest

DEFECT = 'matmul: 3x5xf32 @ 6x7xf32: the inner sizes must be equal, found 5 and 6'


class Repro(CommandTest):
    def first_repro(self, answer):
        """The command below the first failure of a summary."""
        line = next(line for line in answer.stdout.splitlines() if line.startswith("  assay run "))
        return shlex.split(line)[1:]

    def assert_again(self, answer):
        self.assertEqual(answer.status, 1)
        self.assertEqual(self.assay(*self.first_repro(answer)).status, 1)

    def test_another_message_than_the_default_suite_expects(self):
        suite = self.write("mine.cases", 'reject_matmul x=3x5 y=6x7 rejects="other \\"words\\""\n')
        answer = self.assay("run", "--suite", suite)
        self.assertIn(f"rejected with '{DEFECT}', want 'other \"words\"'", answer.stdout)
        self.assert_again(answer)

    def test_a_gap_that_passes(self):
        suite = self.write("mine.cases", 'matmul m=3 k=5 n=7 xfail="it\'s broken"\n')
        self.assert_again(self.assay("run", "--suite", suite, "--backend=loop", "--data=int"))

    def test_limits_that_are_not_the_defaults(self):
        answer = self.assay("run", "--case", 'matmul m=3 k=5 n=7 xfail="no"', "--backend=loop",
                            "--data=int", "--timeout=77.5", "--memory=999")
        self.assertEqual(self.first_repro(answer)[-4:], ["--timeout", "77.5", "--memory", "999"])
        self.assert_again(answer)

    def test_a_rejection_needs_its_message(self):
        answer = self.assay("run", "--case", "reject_matmul x=3x5 y=6x7")
        self.assertEqual(answer.status, 1)
        self.assertIn(f'the case does not say how: add rejects="{DEFECT}"', answer.stdout)
        self.assertEqual(self.assay("run", "--case", f'reject_matmul x=3x5 y=6x7 rejects="{DEFECT}"')
                         .status, 0)


class References(CommandTest):
    def test_a_suite_of_the_users_needs_no_store(self):
        suite = self.write("mine.cases", "matmul m=3 k=5 n=9\n")
        answer = self.assay("run", "--suite", suite, "--backend=loop")
        self.assertEqual(answer.status, 0)
        self.assertEqual([record["reference"] for record in self.records()], ["live", "live"])

    def test_an_oracle_that_answers_nothing(self):
        root = os.path.join(self.folder, "root")
        os.makedirs(os.path.join(root, ".venv/bin"))
        os.makedirs(os.path.join(root, "reference"))
        os.symlink(os.path.join(SOURCE, "suite"), os.path.join(root, "suite"))
        suite = self.write("mine.cases", "matmul m=1,2,3 k=1 n=1\n")
        python = os.path.join(root, ".venv/bin/python")
        for says in ("", "garbage", "2 checked, 0 differ", "none checked"):
            with open(python, "w") as file:
                file.write(f"#!/bin/sh\ncat >/dev/null\necho '{says}'\n")
            os.chmod(python, 0o755)
            for action in ("check", "update"):
                done = subprocess.run([PROGRAM, "references", action, "--suite", suite], text=True,
                                      env=self.environment(ASSAY_ROOT=root), capture_output=True)
                self.assertEqual((done.returncode, done.stderr), (
                    2, "assay: error: the oracle does not account for all 3 cases\n"))


if __name__ == "__main__":
    unittest.main()
