// A named operation is named as it stands in the file, whatever it was lowered to and whatever passes
// came before.
// RUN: %ledger %s --nan-origin 2>&1 | %FileCheck %s
// RUN: %ledger %s --nan-origin --convert-elementwise-to-linalg --linalg-generalize-named-ops \
// RUN:   --one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops 2>&1 \
// RUN:   | %FileCheck %s

func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %zero = arith.constant dense<0.0> : tensor<2x3xf32>
  %z = arith.mulf %a, %zero : tensor<2x3xf32>
  %init = tensor.empty() : tensor<2x3xf32>
  // CHECK: nan origin: linalg.div at {{.*}}named.mlir:[[#@LINE+1]]:8{{.*}} of {{-?0, -?0}}: nan
  %r = linalg.div ins(%z, %z : tensor<2x3xf32>, tensor<2x3xf32>) outs(%init : tensor<2x3xf32>) -> tensor<2x3xf32>
  return %r : tensor<2x3xf32>
}
