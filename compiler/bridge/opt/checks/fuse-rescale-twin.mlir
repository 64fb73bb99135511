// The verifier stops the twin that folds 0 * inf into a scale; where it does not look, the contract
// does.
// RUN: %opt %s --quant-fuse-rescale --nan-contract=planted -o /dev/null
// RUN: %not %opt %s --load-pass-plugin=%faults \
// RUN:   --pass-pipeline='builtin.module(assay-fault-fuse-rescale)' 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=VERIFIER --implicit-check-not="holds a NaN"
// RUN: %not %opt %s --load-pass-plugin=%faults --nan-contract=planted \
// RUN:   --pass-pipeline='builtin.module(assay-fault-fuse-rescale)' 2>&1 \
// RUN:   | %FileCheck %s --check-prefixes=VERIFIER,CONTRACT
// RUN: %opt %s --load-pass-plugin=%faults --verify-each=0 \
// RUN:   --pass-pipeline='builtin.module(assay-fault-fuse-rescale)' -o /dev/null
// RUN: %not %opt %s --load-pass-plugin=%faults --verify-each=0 --nan-contract=planted \
// RUN:   --pass-pipeline='builtin.module(assay-fault-fuse-rescale)' 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=CONTRACT
// VERIFIER: error: 'quant.rescale_fuse' op scale attribute must be a finite, positive value
// CONTRACT: error: 'quant.rescale_fuse' op holds a NaN 'f32' attribute
// CONTRACT-SAME: that pass 'assay-fault-fuse-rescale' made,
// CONTRACT-SAME: which the program's own arithmetic does not give

func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %zero = arith.constant dense<0.0> : tensor<4xf32>
  %infinity = arith.constant dense<0x7F800000> : tensor<4xf32>
  %0 = arith.mulf %x, %zero : tensor<4xf32>
  %1 = arith.mulf %0, %infinity : tensor<4xf32>
  %2 = quant.rescale_fuse %1 {scale = 0.5 : f32} : tensor<4xf32>
  return %2 : tensor<4xf32>
}
