# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What is named below the pass: a step of its script, a pattern on its operation, or nothing."""

import json
import os
import unittest

from asking import FAULTS, LedgerTest

# The difference is -6 somewhere: a magnitude and a maximum that are left out show.
BODY = """func.func @main(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>,
      affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<6xf32>, tensor<6xf32>) outs(%e, %e : tensor<6xf32>, tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32, %p: f32):
    %0 = arith.mulf %x, %two : f32
    %1 = arith.subf %0, %y : f32
    %2 = arith.negf %1 : f32
    %3 = MAGNITUDE %2 : f32
    %4 = arith.divf %3, %two : f32
    %5 = arith.maximumf %4, %y : f32
    linalg.yield %3, %5 : f32, f32
  } -> (tensor<6xf32>, tensor<6xf32>)
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}
"""

SCRIPT = """  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m : (!transform.any_op) -> !transform.any_op
    %1, %l = transform.structured.fuse %0 tile_sizes [0, 0, 3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    %2 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %2 {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
"""
PRODUCT = """func.func @main(%a: tensor<2x7xf32>, %b: tensor<7x2xf32>) -> tensor<2x2xf32> {
  %z = arith.constant 0.0 : f32
  %e = tensor.empty() : tensor<2x2xf32>
  %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
  %r = linalg.matmul ins(%a, %b : tensor<2x7xf32>, tensor<7x2xf32>) outs(%f : tensor<2x2xf32>)
    -> tensor<2x2xf32>
  return %r : tensor<2x2xf32>
}
"""
SCRIPTED = "module attributes {transform.with_named_sequence} {\n"


class BelowTest(LedgerTest):
    def below(self, *arguments):
        """The class, the step and the pattern of the accused pass."""
        bad = self.ask_json(*arguments, status=1)["first_bad"]
        return bad["class"], bad["step"], bad["pattern"]


class Patterns(BelowTest):
    def patterns(self, driver, magnitude="math.absf", *options):
        self.write("p.mlir", BODY.replace("MAGNITUDE", magnitude))
        return self.below("p.mlir", *FAULTS, f"--assay-fault-patterns=driver={driver}", *options)

    def test_the_first_wrong_one_in_the_order_of_the_driver(self):
        magnitude = ("miscompile", None, "WrongMagnitude on math.absf at p.mlir:11:10")
        maximum = ("miscompile", None, "WrongMaximum on arith.maximumf at p.mlir:13:10")
        self.assertEqual(self.patterns("greedy"), maximum)  # from the end
        self.assertEqual(self.patterns("walk"), magnitude)
        self.assertEqual(self.patterns("some"), magnitude)

    def test_none_where_the_pass_fails_without_its_patterns(self):
        self.assertEqual(self.patterns("all"), ("miscompile", None, None))

    def test_the_one_that_ran_when_the_pass_died(self):
        self.assertEqual(self.patterns("greedy", "math.ceil"),
                         ("crash", None, "DyingPattern on math.ceil at p.mlir:11:10"))

    def test_the_one_that_does_not_end(self):
        self.assertEqual(self.patterns("greedy", "math.floor", "--timeout=1"),
                         ("timeout", None, "EndlessPattern on math.floor at p.mlir:11:10"))

    def test_the_one_that_makes_a_nan(self):
        self.assertEqual(self.patterns("greedy", "math.trunc"),
                         ("nan-attribute", None, "NanPattern on math.trunc at p.mlir:11:10"))

    def test_no_pattern_of_a_pass_that_has_none(self):
        self.assertEqual(self.below("x.mlir", *FAULTS, "--assay-fault-swapped-operands"),
                         ("miscompile", None, None))


class Scripts(BelowTest):
    def test_the_step_of_a_script_in_the_module(self):
        self.write("s.mlir", SCRIPTED + PRODUCT + SCRIPT + "}\n")
        self.assertEqual(self.below("s.mlir", "--transform-interpreter"),
                         ("miscompile", "transform.structured.fuse at s.mlir:12:14", None))

    def test_the_step_of_a_script_of_another_name_that_includes_it(self):
        script = SCRIPT.replace("@__transform_main", "@inner") + """
  transform.named_sequence @outer(%m: !transform.any_op {transform.readonly}) -> !transform.any_op {
    transform.include @inner failures(propagate) (%m) : (!transform.any_op) -> ()
    %0 = transform.structured.match ops{["func.func"]} in %m : (!transform.any_op) -> !transform.any_op
    transform.yield %0 : !transform.any_op
  }
"""
        self.write("s.mlir", SCRIPTED + PRODUCT + script + "}\n")
        self.assertEqual(self.below("s.mlir", "--transform-interpreter=entry-point=outer"),
                         ("miscompile", "transform.structured.fuse at s.mlir:12:14", None))

    def test_the_step_of_a_loaded_library(self):
        self.write("p.mlir", PRODUCT)
        self.write("library.mlir", SCRIPTED + SCRIPT + "}\n")
        self.assertEqual(self.below("p.mlir", "--transform-preload-library=transform-library-paths=library.mlir",
                                    "--transform-interpreter"),
                         ("miscompile", "transform.structured.fuse at library.mlir:4:14", None))

    def test_a_step_that_applies_patterns_and_the_one_that_is_wrong(self):
        self.write("s.mlir", SCRIPTED + """func.func @main(%a: vector<2x1xf32>) -> vector<2x2xf32> {
  %b = vector.broadcast %a : vector<2x1xf32> to vector<2x2x1xf32>
  %c = vector.shape_cast %b : vector<2x2x1xf32> to vector<2x2xf32>
  return %c : vector<2x2xf32>
}
""" + SCRIPT + "}\n")
        self.assertEqual(self.below("s.mlir", "--transform-interpreter"),
                         ("miscompile", "transform.apply_patterns at s.mlir:12:5",
                          "ShapeCastBroadcastFolder on vector.shape_cast at s.mlir:4:8"))


class Words(BelowTest):
    def setUp(self):
        super().setUp()
        self.write("p.mlir", BODY.replace("MAGNITUDE", "math.absf"))
        self.command = ["p.mlir", *FAULTS, "--assay-fault-patterns=driver=walk"]
        self.inside = "inside the pass: pattern WrongMagnitude on math.absf at p.mlir:11:10"

    def test_a_note_and_the_readme_say_it_and_stdout_does_not(self):
        os.mkdir(self.path("bundle"))
        answer = self.ask(*self.command, "--save", "bundle")
        self.assertEqual(answer.status, 1)
        self.assertIn("assay: note: " + self.inside, answer.stderr.splitlines())
        self.assertNotIn("WrongMagnitude", answer.raw)
        with open(self.path("bundle", "README")) as file:
            self.assertIn(self.inside, file.read().splitlines())

    def test_nothing_is_said_where_no_pass_is_named(self):
        answer = self.ask("x.mlir", "--cse", "--canonicalize")
        self.assertEqual(answer.status, 0)
        self.assertNotIn("inside", answer.stderr)

    def test_records_have_it(self):
        self.assay("run", "--suite", "faults", "--quiet", "--filter", "fault name=fold_shape_cast_of_broadcast")
        with open(self.path("assay-out", "latest", "run.jsonl")) as file:
            bad = json.loads(file.readline())["first_bad"]
        self.assertIsNone(bad["step"])
        self.assertRegex(bad["pattern"], r"^ShapeCastBroadcastFolder on vector.shape_cast at .*:\d+:\d+$")


if __name__ == "__main__":
    unittest.main()
