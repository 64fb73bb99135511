// A program that does not show a fault is not reduced.
// RUN: %not %reduce %s --cse 2>&1 | %FileCheck %s

// CHECK: nothing.mlir: error: nothing to reduce: no fault shows: no bad pass
func.func @main(%x: f32) -> f32 {
  return %x : f32
}
