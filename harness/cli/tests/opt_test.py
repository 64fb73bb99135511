# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay opt beside mlir-opt itself: the same answers, messages and exit codes."""

import glob
import os
import shlex
import shutil
import subprocess
import unittest

from asking import FAULTS, TOY, LedgerTest
from planting import MODULE
from support import PROGRAM, SOURCE

MLIR_OPT = (shutil.which("mlir-opt-22") or shutil.which("mlir-opt") or
            shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin"))

PIECES = """func.func @a() {
  return
}
// -----
func.func @b() -> f32 {
  // expected-error @+1 {{'func.return' op has 0 operands, but enclosing function (@b) returns 1}}
  return
}
"""


@unittest.skipIf(MLIR_OPT is None, "no mlir-opt here")
class Opt(LedgerTest):

    def setUp(self):
        super().setUp()
        self.write("pieces.mlir", PIECES)

    def run_both(self, *words, stdin=""):
        answers = []
        # Under our name, which its messages then say.
        for program, name in ((MLIR_OPT, ["assay opt"]), (PROGRAM, ["assay", "opt"])):
            done = subprocess.run([*name, *words], executable=program, cwd=self.folder, input=stdin, text=True,
                                  timeout=300, capture_output=True, env=self.environment())
            answers.append((done.returncode, done.stdout, done.stderr))
        return answers

    def assert_same(self, *words, status=0, **given):
        theirs, ours = self.run_both(*words, **given)
        self.assertEqual(ours, theirs, words)
        self.assertEqual(ours[0], status, words)

    def test_answers(self):
        for words in (["x.mlir"], ["x.mlir", "--canonicalize", "-cse", "--mlir-print-op-generic"],
                      ["x.mlir", "--pass-pipeline=builtin.module(func.func(canonicalize,cse))"],
                      ["x.mlir", "--cse", "--mlir-print-ir-after-all", "--mlir-disable-threading"],
                      ["x.mlir", "--test-print-nesting"], ["x.mlir", "--show-dialects"], ["--version"],
                      ["x.mlir", "--load-pass-plugin=nowhere"],  # a message and no more
                      ["pieces.mlir", "--split-input-file", "--verify-diagnostics"],
                      ["x.mlir", "--dump-pass-pipeline", "--canonicalize"],
                      ["x.mlir", *TOY, "--pass-pipeline=builtin.module(assay-toy-raise)"]):
            self.assert_same(*words)
        self.assert_same("--cse", stdin=MODULE)

    def test_failures(self):
        for words in (["x.mlir", "--nope"], ["nowhere.mlir"], ["x.mlir", "-o", "nowhere/y"], ["pieces.mlir"],
                      ["x.mlir", "--pass-pipeline=builtin.module(nope)"],
                      ["x.mlir", *FAULTS, "--pass-pipeline=builtin.module(assay-fault-failure)"],
                      ["x.mlir", *FAULTS, "--pass-pipeline=builtin.module(assay-fault-invalid-op)"],
                      ["pieces.mlir", "--split-input-file"], ["x.mlir", "--cse", "--pass-pipeline=any(cse)"]):
            self.assert_same(*words, status=1)

    def test_the_known_faults(self):
        for file in sorted(glob.glob(os.path.join(SOURCE, "suite/faults/*.mlir")))[:12]:
            with open(file) as text:
                line = next(line for line in text if line.startswith("// pipeline: "))
            theirs, ours = self.run_both(file, *shlex.split(line)[2:])
            self.assertEqual(ours, theirs, file)

    def test_help(self):
        """All that mlir-opt says, and ours beside it."""
        theirs, ours = (answer[1].splitlines() for answer in self.run_both("--help"))
        words = {line.split()[0] for line in ours if line.strip().startswith("-")}
        for line in theirs:
            if line.strip().startswith("-"):
                self.assertIn(line.split()[0], words)
        self.assertTrue({"--nan-contract=<[PASS:]WORD>", "--ledger=<FILE>", "--quant-fuse-rescale",
                         "--assay-fold-transposes"} <= words)


if __name__ == "__main__":
    unittest.main()
