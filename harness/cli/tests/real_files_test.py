# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What files of other projects are like: pieces, functions from elsewhere, rules that made-up data breaks."""

import unittest

from support import CommandTest

SPLIT = """func.func @first(%a: f32) -> f32 {
  %r = arith.addf %a, %a : f32
  return %r : f32
}
// -----
func.func @second(%a: f32) -> f64 { return %a : f32 }
// -----
// nothing here
// -----
func.func private @elsewhere(f32) -> f32
func.func @third(%a: f32) -> f32 {
  %r = call @elsewhere(%a) : (f32) -> f32
  return %r : f32
}
"""

# Data is made up for sizes that are multiples of nothing: 7 is no 6 times something.
UNSOUND = """#all = affine_map<(a, b, c, d) -> (a, b, c, d)>
#ends = affine_map<(a, b, c, d) -> (a, d)>
func.func @main(%x: tensor<2x?x5xf32>, %y: tensor<2x5xf32>, %n: index) -> tensor<2x5xf32> {
  %e = tensor.expand_shape %x [[0], [1, 2], [3]] output_shape [2, 6, %n, 5]
       : tensor<2x?x5xf32> into tensor<2x6x?x5xf32>
  %r = linalg.generic {indexing_maps = [#all, #ends],
       iterator_types = ["parallel", "reduction", "reduction", "parallel"]}
       ins(%e : tensor<2x6x?x5xf32>) outs(%y : tensor<2x5xf32>) {
  ^bb0(%a: f32, %b: f32):
    %s = arith.addf %b, %a : f32
    linalg.yield %s : f32
  } -> tensor<2x5xf32>
  return %r : tensor<2x5xf32>
}
"""
FUSION = "--test-linalg-elementwise-fusion-patterns=fuse-with-reshape-by-collapsing"

SIGNED = """func.func @main(%x: tensor<1x4x4x2xui8>) -> tensor<1x3x3x2xui8> {
  %r = tosa.max_pool2d %x {pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>,
       stride = array<i64: 1, 1>} : (tensor<1x4x4x2xui8>) -> tensor<1x3x3x2xui8>
  return %r : tensor<1x3x3x2xui8>
}
"""

POWERS = """func.func @main(%a: f64, %b: f32) -> (f64, f32) {
  %p = math.absf %b : f32
  %r = math.exp2 %a : f64
  %s = math.powf %p, %b : f32
  return %r, %s : f64, f32
}
"""

# Not a function of the func dialect is left when libm's are declared.
BUFFERS = """func.func @main(%a: memref<4xf32>) {
  %c = arith.constant 1 : index
  %x = memref.load %a[%c] : memref<4xf32>
  %y = math.exp %x : f32
  memref.store %y, %a[%c] : memref<4xf32>
  return
}
"""

SCALED = """func.func @main(%a: i32, %b: i32) -> i32 {
  %c = arith.constant 31 : i8
  %m = arith.maxsi %a, %b : i32
  %r = tosa.apply_scale %m, %b, %c {rounding_mode = SINGLE_ROUND} : (i32, i32, i8) -> i32
  return %r : i32
}
"""
UNRANKED = """func.func @main(%a: memref<*xf32>) -> index {
  %r = memref.rank %a : memref<*xf32>
  return %r : index
}
"""

ELSEWHERE = """func.func @left(%a: f32) -> f32 {
  %r = "far.away"(%a) : (f32) -> f32
  return %r : f32
}
func.func @right() {
  gpu.barrier
  return
}
"""


CONVOLUTION = """func.func @main(%a: memref<?xf32>, %k: memref<?xf32>, %o: memref<?xf32>) {
  linalg.conv_1d ins(%a, %k : memref<?xf32>, memref<?xf32>) outs(%o : memref<?xf32>)
  return
}
"""

DEVICE = """func.func @main(%a: memref<8xf32>, %b: memref<8xf32>) {
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c4 = arith.constant 4 : index
  %m = gpu.alloc () : memref<8xf32, 1>
  %n = memref.memory_space_cast %m : memref<8xf32, 1> to memref<8xf32>
  gpu.memcpy %n, %a : memref<8xf32>, memref<8xf32>
  gpu.launch blocks(%x, %y, %z) in (%gx = %c4, %gy = %c1, %gz = %c1)
             threads(%u, %v, %w) in (%sx = %c2, %sy = %c1, %sz = %c1) {
    %o = arith.muli %x, %sx : index
    %i = arith.addi %o, %u : index
    %p = memref.load %n[%i] : memref<8xf32>
    %q = arith.addf %p, %p : f32
    memref.store %q, %b[%i] : memref<8xf32>
    gpu.terminator
  }
  gpu.dealloc %m : memref<8xf32, 1>
  return
}
"""

SOFTMAX = """func.func @main(%x: tensor<3x5xf32>) -> tensor<3x5xf32> {
  %e = tensor.empty() : tensor<3x5xf32>
  %r = linalg.softmax dimension(1) ins(%x : tensor<3x5xf32>) outs(%e : tensor<3x5xf32>) -> tensor<3x5xf32>
  return %r : tensor<3x5xf32>
}
"""


class RealFiles(CommandTest):
    needs_store = False

    def ask(self, source, *words):
        self.write("x.mlir", source)
        return self.assay("ledger", "x.mlir", "--quiet", *words)

    def test_a_piece_that_does_not_parse_stops_no_other(self):
        answer = self.ask(SPLIT, "--split-input-file", "--entry", "all", "--canonicalize")
        self.assertEqual(answer.status, 2)
        self.assertIn("assay: x.mlir:6:37: error: ", answer.stderr)
        self.assertIn("piece 1 @first", answer.stdout)
        self.assertIn("piece 4 @third", answer.stdout)
        self.assertEqual(answer.stdout.count("no bad pass\n"), 3)

    def test_a_broken_question_is_asked_once(self):
        answer = self.ask(SPLIT, "--split-input-file", "--entry", "all",
                          "--pass-pipeline=builtin.module(no-such-pass)")
        self.assertEqual(answer.status, 2)
        self.assertEqual(answer.stderr.count("error: "), 1)

    def test_nobody_is_accused_of_what_an_unsound_input_becomes(self):
        answer = self.ask(UNSOUND, FUSION)
        self.assertEqual(answer.status, 2)
        self.assertIn("inconclusive: the input breaks a rule of its own as it runs: static result "
                      "dims in reassoc group do not divide src dim evenly at loc", answer.stdout)

    def test_casts_on_the_way_are_not_left_overs(self):
        answer = self.ask(SIGNED, "--pass-pipeline=builtin.module(func.func(tosa-to-linalg-named))")
        self.assertIn("no bad pass\n", answer.stdout)
        self.assertEqual(answer.status, 0)

    def test_another_way_to_compute_a_power_is_no_fault(self):
        answer = self.ask(POWERS, "--math-expand-ops")
        self.assertIn("no bad pass\n", answer.stdout)

    def test_a_function_that_cannot_run_spoils_no_other(self):
        answer = self.ask(ELSEWHERE, "--allow-unregistered-dialect", "--entry", "all", "--cse")
        self.assertEqual(answer.status, 2)
        self.assertIn("no bad pass\n", answer.stdout)
        self.assertIn("inconclusive: the first tail cannot lower gpu.barrier at", answer.stdout)

    def test_sizes_that_a_convolution_takes_are_found(self):
        answer = self.ask(CONVOLUTION, "--linalg-generalize-named-ops")
        self.assertEqual(answer.status, 0)
        self.assertRegex(answer.raw, r"\n   1  linalg-generalize-named-ops [^\n]*  right, same bits\n")

    def test_memory_of_another_space_and_programs_for_a_device_run(self):
        answer = self.ask(DEVICE, "--gpu-kernel-outlining", "--cse")
        self.assertEqual(answer.status, 0)
        self.assertRegex(answer.raw, r"\n   1  gpu-kernel-outlining [^\n]*  right, same bits\n")

    def test_functions_become_others_before_what_is_in_them(self):
        answer = self.ask(BUFFERS, "--convert-func-to-llvm")
        self.assertRegex(answer.stdout, r"\n   1  convert-func-to-llvm [^\n]*  right, same bits\n")
        self.assertEqual(answer.status, 0)

    def test_what_is_in_a_function_of_llvm_is_lowered(self):
        answer = self.ask(SCALED, "--convert-func-to-llvm")
        self.assertIn("no bad pass\n", answer.stdout)
        self.assertEqual(answer.status, 0)

    def test_nothing_is_unlowered_since_the_entry_cannot_be_called(self):
        answer = self.ask(UNRANKED, "--convert-func-to-llvm")
        self.assertIn("\ninconclusive: argument 0: it has no rank\n", answer.stdout)
        self.assertEqual(answer.status, 2)

    def test_a_softmax_of_buffers_runs(self):
        answer = self.ask(SOFTMAX, "--one-shot-bufferize=bufferize-function-boundaries", "--canonicalize")
        self.assertEqual(answer.status, 0)
        self.assertRegex(answer.raw, r"\n   1  one-shot-bufferize [^\n]*  right, same bits\n")


if __name__ == "__main__":
    unittest.main()
