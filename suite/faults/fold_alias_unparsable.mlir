// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: an affine.load is printed in a way that the parser does not take
// pipeline: --affine-fold-memref-alias-ops
// bad-pass: affine-fold-memref-alias-ops
// class: unparsable-ir
// pattern: AffineLoadOpOfCollapseShapeOpFolder on affine.load

func.func @f(%m: memref<2x3x4xf32>, %o: memref<6x4xf32>) {
  %e = memref.collapse_shape %m [[0, 1], [2]] : memref<2x3x4xf32> into memref<6x4xf32>
  affine.for %i = 0 to 6 {
    affine.for %k = 0 to 4 {
      %v = affine.load %e[%i, %k] : memref<6x4xf32>
      affine.store %v, %o[%i, %k] : memref<6x4xf32>
    }
  }
  return
}
