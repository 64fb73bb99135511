// RUN: %opt %s --pass-pipeline='builtin.module(func.func(assay-expand-math))' | %FileCheck %s

// Arithmetic only, at any depth.
// CHECK-LABEL: @in_a_body(
// CHECK: linalg.generic
// CHECK-NOT: math.
// CHECK: arith.bitcast %{{.*}} : f32 to i32
// CHECK: arith.shli %{{.*}} : i32
// CHECK-NOT: math.
// CHECK: linalg.yield
func.func @in_a_body(%x: memref<4xf32>) {
  linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>], iterator_types = ["parallel"]}
      outs(%x : memref<4xf32>) {
  ^bb0(%e: f32):
    %0 = math.exp %e : f32
    %1 = math.tanh %0 : f32
    linalg.yield %1 : f32
  }
  return
}

// CHECK-LABEL: @of_f64(
// CHECK: arith.select
// CHECK: arith.select
// CHECK-COUNT-2: arith.shli %{{.*}} : i64
// CHECK-NOT: arith.divf
// CHECK: return
func.func @of_f64(%x: f64) -> f64 {
  %0 = math.exp %x : f64
  return %0 : f64
}

// The sign is taken off and put back.
// CHECK-LABEL: @tanh(
// CHECK: arith.andi
// CHECK: arith.xori
// CHECK: arith.divf
// CHECK: arith.ori
func.func @tanh(%x: f32) -> f32 {
  %0 = math.tanh %x : f32
  return %0 : f32
}

// CHECK-LABEL: @others(
// CHECK: math.exp %{{.*}} : f16
// CHECK: math.exp %{{.*}} : vector<4xf32>
// CHECK: math.log
// CHECK: math.sqrt
func.func @others(%h: f16, %v: vector<4xf32>, %x: f32) -> (f16, vector<4xf32>, f32, f32) {
  %0 = math.exp %h : f16
  %1 = math.exp %v : vector<4xf32>
  %2 = math.log %x : f32
  %3 = math.sqrt %x : f32
  return %0, %1, %2, %3 : f16, vector<4xf32>, f32, f32
}
