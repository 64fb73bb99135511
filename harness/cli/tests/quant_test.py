# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""quant.rescale_fuse in the ledger: what it computes, the pass that fuses it, and that pass's faulty twin."""

import shlex
import subprocess
import unittest

from asking import FAULTS, LedgerTest
from support import PROGRAM

# Each kind of value; chains that are fused, one of them exactly.
CHAINS = """func.func @main(%x: tensor<4x?xf32>, %y: f16, %z: vector<4xf64>, %b: tensor<bf16>)
    -> (tensor<4x?xf32>, f16, vector<4xf64>, tensor<bf16>) {
  %0 = quant.rescale_fuse %x {scale = 0.5 : f32} : tensor<4x?xf32>
  %1 = quant.rescale_fuse %0 {scale = 0.3 : f32} : tensor<4x?xf32>
  %2 = quant.rescale_fuse %y {scale = 1.5 : f32} : f16
  %3 = quant.rescale_fuse %2 {scale = 1.5 : f32} : f16
  %4 = quant.rescale_fuse %z {scale = 0.7 : f32} : vector<4xf64>
  %5 = quant.rescale_fuse %b {scale = 3.0 : f32} : tensor<bf16>
  return %1, %3, %4, %5 : tensor<4x?xf32>, f16, vector<4xf64>, tensor<bf16>
}
"""

ZERO_TIMES_INFINITY = """func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %infinity = arith.constant dense<0x7F800000> : tensor<4xf32>
  %0 = arith.mulf %x, %zero : tensor<4xf32>
  %1 = arith.mulf %0, %infinity : tensor<4xf32>
  %2 = quant.rescale_fuse %1 {scale = 0.5 : f32} : tensor<4xf32>
  return %2 : tensor<4xf32>
}
"""

# The smallest scale; a wider type; more than an f16 holds.
VALUES = """func.func @main() -> (f32, f64, f16) {
  %x = arith.constant 3.0 : f32
  %y = arith.constant 1.5 : f64
  %z = arith.constant 1024.0 : f16
  %0 = quant.rescale_fuse %x {scale = 0x00000001 : f32} : f32
  %1 = quant.rescale_fuse %y {scale = 0.25 : f32} : f64
  %2 = quant.rescale_fuse %z {scale = 100.0 : f32} : f16
  return %0, %1, %2 : f32, f64, f16
}
"""


class Quant(LedgerTest):

    def setUp(self):
        super().setUp()
        for name, text in (("chains", CHAINS), ("zero", ZERO_TIMES_INFINITY), ("values", VALUES)):
            self.write(f"{name}.mlir", text)

    def test_what_it_computes(self):
        self.ask_json("values.mlir", "--cse", "--expect-values=4.203895392974451e-45 0.375 inf")
        answer = self.ask_json("values.mlir", "--cse", "--expect-values=4.203895392974451e-45 0.376 inf", status=2)
        self.assertIn("result 1, element 0: got 0.375, want 0.376", answer["inconclusive"])

    def test_the_pass(self):
        for passes in (["--quant-fuse-rescale"], ["--quant-fuse-rescale=inexact", "--canonicalize", "--cse"]):
            answer = self.ask_json("chains.mlir", *passes)
            self.assertIsNone(answer["first_bad"])
            fused = answer["passes"][0]
            self.assertTrue(fused["changed"])
            left = 5 if passes[0] == "--quant-fuse-rescale" else 4
            self.assertEqual(fused["ops_after"]["quant.rescale_fuse"], left)
            self.assertEqual(fused["margin"]["int"] is None, False)
        answer = self.ask_json("zero.mlir", "--quant-fuse-rescale=inexact", "--cse")
        self.assertFalse(answer["passes"][0]["changed"])

    def test_the_twin(self):
        words = ["zero.mlir", *FAULTS, "--cse", "--assay-fault-fuse-rescale", "--cse"]
        answer = self.ask_json(*words, "--save", self.path("bundle"), status=1)
        bad = answer["first_bad"]
        self.assertEqual((bad["n"], bad["name"], bad["class"]), (2, "assay-fault-fuse-rescale", "invalid-ir"))
        self.assertIn("'quant.rescale_fuse' op scale attribute must be a finite, positive value; "
                      "quant.rescale_fuse: a NaN f32 attribute at ", bad["reason"])
        nan, = answer["passes"][1]["nan_added"]
        self.assertEqual((nan["op"], nan["type"], nan["origin"]), ("quant.rescale_fuse", "f32", "planted"))
        with open(self.path("bundle", "before.mlir")) as file:
            self.assertIn("scale = 5.000000e-01", file.read())
        with open(self.path("bundle", "after.mlir")) as file:
            self.assertRegex(file.read(), r"scale = 0x[7F]FC00000")

    def test_the_bundle_shows_it_again(self):
        self.ask("zero.mlir", *FAULTS, "--assay-fault-fuse-rescale", "--save", self.path("bundle"))
        with open(self.path("bundle", "README")) as file:
            commands = [line.split() for line in file if line.startswith("    assay ")]
        self.assertEqual([words[1] for words in commands], ["opt", "ledger"])
        for words in commands:
            line = shlex.split(" ".join(words[1:]))
            done = subprocess.run([PROGRAM, *line], cwd=self.path("bundle"), env=self.environment(), text=True,
                                  capture_output=True)
            self.assertEqual(done.returncode, 1, done.stderr)
            self.assertIn("scale attribute must be a finite, positive value", done.stdout + done.stderr)


if __name__ == "__main__":
    unittest.main()
