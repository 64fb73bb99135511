// Of a script the first operation is named after which the module is wrong, with its place; a pattern
// besides only where the operation applies patterns and one of them did it.
// RUN: %not %ledger %s --transform-interpreter --json=%t 2>&1 | %FileCheck %s
// RUN: %FileCheck %s --check-prefix=JSON < %t
// CHECK: assay: note: inside the pass: step transform.structured.fuse at {{.*}}step.mlir:[[#@LINE+19]]:{{[0-9]+}}{{$}}
// CHECK: first bad pass: 1 transform-interpreter (miscompile)
// JSON-DAG: "step": "transform.structured.fuse at {{.*}}step.mlir:
// JSON-DAG: "pattern": null

module attributes {transform.with_named_sequence} {
  func.func @main(%a: tensor<2x7xf32>, %b: tensor<7x2xf32>) -> tensor<2x2xf32> {
    %z = arith.constant 0.0 : f32
    %e = tensor.empty() : tensor<2x2xf32>
    %f = linalg.fill ins(%z : f32) outs(%e : tensor<2x2xf32>) -> tensor<2x2xf32>
    %r = linalg.matmul ins(%a, %b : tensor<2x7xf32>, tensor<7x2xf32>)
      outs(%f : tensor<2x2xf32>) -> tensor<2x2xf32>
    return %r : tensor<2x2xf32>
  }
  transform.named_sequence @tile(%m: !transform.any_op {transform.readonly}) {
    %0 = transform.structured.match ops{["linalg.matmul"]} in %m
      : (!transform.any_op) -> !transform.any_op
    transform.annotate %0 "seen" : !transform.any_op
    // A non-zero tile size on the reduction puts the fill into its loop.
    %1, %l = transform.structured.fuse %0 tile_sizes [0, 0, 3]
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
  transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {
    transform.include @tile failures(propagate) (%m) : (!transform.any_op) -> ()
    %0 = transform.structured.match ops{["func.func"]} in %m
      : (!transform.any_op) -> !transform.any_op
    transform.apply_patterns to %0 {
      transform.apply_patterns.canonicalization
    } : !transform.any_op
    transform.yield
  }
}
