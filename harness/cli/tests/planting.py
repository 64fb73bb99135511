# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A module and nine good passes, among which the tests put a pass of the plug-in.

What each fault of values takes to be there (a fill, a difference, a select, a slice, a loop, a store)
is in the module at every place of the pipeline, on tensors and, from the fifth pass on, on buffers.
"""

import json
import os

from support import PLUGINS, CommandTest

MODULE = """#rows = affine_map<(i, j) -> (i, j)>
#each = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<6x8xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
  %first = arith.constant 0 : index
  %step = arith.constant 1 : index
  %last = arith.constant 4 : index
  %zero = arith.constant 0.0 : f32
  %third = arith.constant 0.3 : f32
  %part = tensor.extract_slice %x[1, 0] [4, 8] [1, 1] : tensor<6x8xf32> to tensor<4x8xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %sums = linalg.generic {indexing_maps = [#rows, #each, #each],
      iterator_types = ["parallel", "reduction"]}
      ins(%part, %m : tensor<4x8xf32>, tensor<4xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %d = arith.subf %a, %b : f32
    %up = arith.cmpf ogt, %d, %zero : f32
    %masked = arith.select %up, %d, %third : f32
    %s = arith.addf %o, %masked : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  %scaled = scf.for %i = %first to %last step %step iter_args(%t = %sums) -> tensor<4xf32> {
    %v = tensor.extract %t[%i] : tensor<4xf32>
    %w = arith.mulf %v, %third : f32
    %u = tensor.insert %w into %t[%i] : tensor<4xf32>
    scf.yield %u : tensor<4xf32>
  }
  return %scaled : tensor<4xf32>
}
"""

GOOD = ["cse", "linalg-fuse-elementwise-ops", "loop-invariant-code-motion", "canonicalize",
        "one-shot-bufferize=bufferize-function-boundaries", "fold-memref-alias-ops", "canonicalize",
        "buffer-loop-hoisting", "symbol-dce"]

FRONT, MIDDLE, END = 1, 5, 10  # the pass's number among the ten


class PlantingTest(CommandTest):
    needs_store = False

    def setUp(self):
        super().setUp()
        self.write("x.mlir", MODULE)

    @staticmethod
    def plugin():
        return ["--load-pass-plugin", os.path.join(PLUGINS, "assay_faults.so")]

    def plant(self, word, place, *options):
        """The answer, as text and from its JSON, with the pass in that place."""
        passes = [f"--{name}" for name in GOOD]
        passes.insert(place - 1, f"--assay-fault-{word}")
        answer = self.assay("ledger", "x.mlir", *self.plugin(), *passes, "--json=answer.json",
                            *options)
        with open(os.path.join(self.folder, "answer.json")) as file:
            answer.json = json.load(file)
        return answer

    def assert_named(self, word, place, classes, *options):
        answer = self.plant(word, place, *options)
        bad = answer.json["first_bad"]
        where = f"{word} at {place}:\n{answer.raw}{answer.stderr}"
        self.assertIsNotNone(bad, where)
        name = "assay-fault-" + word.split("=")[0]
        self.assertEqual((bad["n"], bad["name"]), (place, name), where)
        self.assertIn(bad["class"], classes, where)
        self.assertNotIn("range", bad, where)
        self.assertIn(f"first bad pass: {place} {name} ({bad['class']})", answer.raw.splitlines(), where)
        self.assertEqual(answer.status, 1, where)
        return answer
