# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What loses precision is told from what is wrong, in a program whose every result is inexact.

On small whole numbers exp of -8 to 8 is far from where an approximation holds: what the polynomial is
off by there is large, and yet no more than lost precision.
"""

import unittest

from asking import FAULTS, LedgerTest

MODULE = """#rows = affine_map<(i, j) -> (i, j)>
#each = affine_map<(i, j) -> (i)>
func.func @main(%x: tensor<6x8xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant 0.0 : f32
  %third = arith.constant 0.3 : f32
  %part = tensor.extract_slice %x[1, 0] [4, 8] [1, 1] : tensor<6x8xf32> to tensor<4x8xf32>
  %empty = tensor.empty() : tensor<4xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>
  %sums = linalg.generic {indexing_maps = [#rows, #each, #each],
      iterator_types = ["parallel", "reduction"]}
      ins(%part, %m : tensor<4x8xf32>, tensor<4xf32>) outs(%start : tensor<4xf32>) {
  ^bb0(%a: f32, %b: f32, %o: f32):
    %e = math.exp %a : f32
    %d = arith.subf %e, %b : f32
    %up = arith.cmpf ogt, %d, %zero : f32
    %masked = arith.select %up, %d, %third : f32
    %s = arith.addf %o, %masked : f32
    linalg.yield %s : f32
  } -> tensor<4xf32>
  return %sums : tensor<4xf32>
}
"""

# exp of each element: at 0 it is exact, and the polynomial is not.
EACH = """func.func @main(%x: tensor<6x8xf32>) -> tensor<6x8xf32> {
  %empty = tensor.empty() : tensor<6x8xf32>
  %e = linalg.map ins(%x : tensor<6x8xf32>) outs(%empty : tensor<6x8xf32>)
    (%a: f32, %init: f32) {
      %r = math.exp %a : f32
      linalg.yield %r : f32
    }
  return %e : tensor<6x8xf32>
}
"""

PRODUCT = """func.func @main(%x: tensor<4x2997xf32>, %y: tensor<2997x5xf32>) -> tensor<4x5xf32> {
  %zero = arith.constant 0.0 : f32
  %empty = tensor.empty() : tensor<4x5xf32>
  %start = linalg.fill ins(%zero : f32) outs(%empty : tensor<4x5xf32>) -> tensor<4x5xf32>
  %p = linalg.matmul ins(%x, %y : tensor<4x2997xf32>, tensor<2997x5xf32>)
    outs(%start : tensor<4x5xf32>) -> tensor<4x5xf32>
  return %p : tensor<4x5xf32>
}
"""

TENSORS = ["--canonicalize"]
BUFFERS = ["--one-shot-bufferize=bufferize-function-boundaries"]
LOOPS = [*BUFFERS, "--convert-linalg-to-loops"]


class Precision(LedgerTest):

    def assert_class(self, module, before, fault, kind, *options):
        self.write("p.mlir", module)
        answer = self.ask_json("p.mlir", *FAULTS, *before, f"--assay-fault-{fault}", "--cse", *options,
                               status=1)
        bad = answer["first_bad"]
        self.assertEqual((bad["n"], bad["name"], bad["class"]),
                         (len(before) + 1, f"assay-fault-{fault.split('=')[0]}", kind),
                         (fault, before, bad["reason"]))

    def test_lost_precision(self):
        for before in (TENSORS, LOOPS):
            for fault in ("polynomial", "narrow-accumulator"):
                self.assert_class(MODULE, before, fault, "precision-loss")
        self.assert_class(EACH, TENSORS, "polynomial", "precision-loss")
        for module in (MODULE, EACH):
            self.assert_class(module, TENSORS, "bf16-truncation", "precision-loss")

    def test_whole_numbers_that_bf16_cannot_hold(self):
        """Sums beyond 256 are exact, and differ after bf16: by what real data show to be lost digits."""
        self.assert_class(PRODUCT, TENSORS, "bf16-truncation", "precision-loss")
        self.assert_class(PRODUCT, TENSORS, "bf16-truncation", "miscompile", "--data=int")
        self.assert_class(PRODUCT, LOOPS, "loop-bound=nth=2", "miscompile")

    def test_wrong_values(self):
        for fault, places in {"dropped-fill": (TENSORS, BUFFERS), "swapped-operands": (TENSORS, LOOPS),
                              "slice-offset": (TENSORS, LOOPS), "dropped-mask": (TENSORS, LOOPS),
                              "loop-bound": (LOOPS,)}.items():
            for before in places:
                self.assert_class(MODULE, before, fault, "miscompile")

    def test_on_one_data_set(self):
        self.assert_class(MODULE, TENSORS, "polynomial", "precision-loss", "--data=real")
        # Whole numbers alone show an error as large as the values.
        self.assert_class(MODULE, TENSORS, "polynomial", "miscompile", "--data=int")
        for data in ("int", "real"):
            self.assert_class(MODULE, TENSORS, "narrow-accumulator", "precision-loss", f"--data={data}")
            self.assert_class(MODULE, TENSORS, "swapped-operands", "miscompile", f"--data={data}")


if __name__ == "__main__":
    unittest.main()
