// Of patterns the first application is named without which the module is right: by a greedy driver,
// a walk, and a conversion that may leave what it does not convert. Right ones are not named.
// RUN: %not %ledger %s --load-pass-plugin=%faults --assay-fault-patterns 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=MAXIMUM
// RUN: %not %ledger %s --load-pass-plugin=%faults --assay-fault-patterns=driver=walk 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=MAGNITUDE
// RUN: %not %ledger %s --load-pass-plugin=%faults --assay-fault-patterns=driver=some 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=MAGNITUDE
// A conversion that fails without its patterns shows nothing.
// RUN: %not %ledger %s --load-pass-plugin=%faults --assay-fault-patterns=driver=all --json=%t 2>&1 \
// RUN:   | %FileCheck %s --check-prefix=NOTHING --implicit-check-not=inside
// RUN: %FileCheck %s --check-prefix=JSON < %t
// MAXIMUM: inside the pass: pattern WrongMaximum on arith.maximumf at {{.*}}pattern.mlir:[[#@LINE+18]]:10
// MAGNITUDE: inside the pass: pattern WrongMagnitude on math.absf at {{.*}}pattern.mlir:[[#@LINE+15]]:10
// NOTHING: first bad pass: 1 assay-fault-patterns (miscompile)
// JSON-DAG: "pattern": null
// JSON-DAG: "step": null
#i = affine_map<(i) -> (i)>

func.func @main(%a: tensor<6xf32>, %b: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %two = arith.constant 2.0 : f32
  %e = tensor.empty() : tensor<6xf32>
  %r:2 = linalg.generic {indexing_maps = [#i, #i, #i, #i], iterator_types = ["parallel"]}
      ins(%a, %b : tensor<6xf32>, tensor<6xf32>) outs(%e, %e : tensor<6xf32>, tensor<6xf32>) {
  ^bb0(%x: f32, %y: f32, %o: f32, %p: f32):
    %0 = arith.mulf %x, %two : f32
    %1 = arith.subf %0, %y : f32
    %2 = arith.negf %1 : f32
    %3 = math.absf %2 : f32
    %4 = arith.divf %3, %two : f32
    %5 = arith.maximumf %4, %y : f32
    linalg.yield %3, %5 : f32, f32
  } -> (tensor<6xf32>, tensor<6xf32>)
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}
