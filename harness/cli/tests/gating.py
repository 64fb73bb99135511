# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of ci/gate share: a small suite, and the script's answers and files."""

import json
import os
import subprocess

from support import CommandTest, PROGRAM, SOURCE

GATE = os.path.join(SOURCE, "ci/gate")
# Two cases have one program, which is compiled once, unless a shard parts them.
SUITE = ("matmul m=1,2 k=3 n=2,4\nlinear m=2 k=3 n=4 dtype=f64\n"
         "softmax m=3 n=5,6\nsoftmax m=3 n=5,6 values=large\n")
CASES = 9
RECORDS = 6 * CASES


class GateTest(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("mine.cases", SUITE)

    def gate(self, *arguments, **variables):
        done = subprocess.run([GATE, *arguments], cwd=self.folder, text=True, capture_output=True,
                              env=self.environment(ASSAY=PROGRAM, ASSAY_REVISION="r1", **variables),
                              timeout=300)
        return done.returncode, done.stderr.splitlines()[-1] if done.stderr else "", done.stdout

    def run_gate(self, *arguments, **variables):
        return self.gate("--suite=./mine.cases", *arguments, **variables)

    def lines(self, path):
        with open(os.path.join(self.folder, path)) as file:
            return [json.loads(line) for line in file]

    def rewrite(self, path, change):
        records = self.lines(path)
        self.write(path, "".join(json.dumps(record) + "\n" for record in change(records)))

    def exists(self, path):
        return os.path.exists(os.path.join(self.folder, path))
