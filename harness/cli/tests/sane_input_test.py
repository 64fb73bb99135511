# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay ledger on inputs that are themselves at fault, or that show more than values."""

import unittest

from support import CommandTest

UNWRITTEN = """func.func @main() -> f32 {
  %zero = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  %v = memref.load %m[%zero] : memref<4xf32>
  return %v : f32
}
"""

# The index is no constant, or it would be folded.
OUTSIDE = """func.func @main(%i: index) -> f32 {
  %one = arith.constant 1.0 : f32
  %far = arith.constant 400 : index
  %at = arith.addi %i, %far : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%m : memref<4xf32>)
  %v = memref.load %m[%at] : memref<4xf32>
  return %v : f32
}
"""

ADDRESS = """func.func @main() {
  %one = arith.constant 1.0 : f32
  %zero = arith.constant 0 : index
  %m = memref.alloc() : memref<4xf32>
  linalg.fill ins(%one : f32) outs(%m : memref<4xf32>)
  %p = memref.extract_aligned_pointer_as_index %m : memref<4xf32> -> index
  vector.print %p : index
  %v = memref.load %m[%zero] : memref<4xf32>
  vector.print %v : f32
  return
}
"""


class SaneInputTest(CommandTest):
    needs_store = False

    def ledger(self, text, *words):
        self.write("x.mlir", text)
        return self.assay("ledger", "x.mlir", *words)

    def test_an_uninitialised_read_is_no_pass_s_doing(self):
        answer = self.ledger(UNWRITTEN, "--canonicalize", "--cse")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stdout, r"inconclusive: the input reads memory that nobody wrote: "
                                        r"result 0: got .*, want ")

    def test_unwritten_memory_that_cancels(self):
        """Equal bytes everywhere would give 0.5, whatever they are."""
        self.write("half.mlir", """func.func @main(%r: memref<3xf32>) {
  %x = memref.alloc() : memref<3xf32>
  affine.for %i = 0 to 3 {
    %a = affine.load %x[%i] : memref<3xf32>
    %b = affine.load %x[2 - %i] : memref<3xf32>
    %s = arith.addf %a, %b : f32
    %h = arith.divf %a, %s : f32
    affine.store %h, %r[%i] : memref<3xf32>
  }
  return
}
""")
        answer = self.assay("ledger", "half.mlir", "--canonicalize")
        self.assertEqual(answer.status, 2, answer.stdout)
        self.assertRegex(answer.stdout, "inconclusive: the input reads memory that nobody wrote: ")

    def test_an_access_out_of_bounds_is_no_pass_s_doing(self):
        answer = self.ledger(OUTSIDE, "--canonicalize")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stdout, r"inconclusive: the input (crashes|is at fault): .*16 bytes")

    def test_addresses_are_set_aside_and_named(self):
        answer = self.ledger(ADDRESS, "--convert-linalg-to-loops", "--canonicalize")
        self.assertEqual(answer.status, 0, answer.stdout + answer.stderr)
        self.assertIn("print 0 is not judged: it shows where memory lies", answer.stderr)
        self.assertIn("no bad pass", answer.stdout)

    def test_what_is_expected_must_be_what_the_input_gives(self):
        answer = self.ledger(ADDRESS.replace("vector.print %p : index", ""), "--canonicalize",
                             "--expect-values=2")
        self.assertEqual(answer.status, 2)
        self.assertIn("inconclusive: the tail does not give the expected values: ", answer.stdout)

    def test_what_was_made_private_may_go(self):
        text = "func.func @k(%x: f32) -> f32 {\n  return %x : f32\n}\n"
        answer = self.ledger(text, "--symbol-privatize", "--symbol-dce")
        self.assertEqual(answer.status, 2)
        self.assertIn("inconclusive: what 2 symbol-dce left was not run: @k is gone, after it had been "
                      "made private", answer.stdout)

    def test_sizes_outside_tensors_are_tame_where_wide_ones_cannot_be(self):
        text = ("func.func @f(%n: i32) -> f32 {\n  %one = arith.constant 1.0 : f32\n"
                "  %zero = arith.constant 0 : index\n  %size = arith.index_cast %n : i32 to index\n"
                "  %m = memref.alloc(%size) : memref<?xf32>\n"
                "  memref.store %one, %m[%zero] : memref<?xf32>\n"
                "  %v = memref.load %m[%zero] : memref<?xf32>\n  return %v : f32\n}\n")
        self.assert_answer(self.ledger(text, "--cse"), 0, "no bad pass\n")


if __name__ == "__main__":
    unittest.main()
