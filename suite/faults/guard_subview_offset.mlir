// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fault: a subview as large as its source still has its offset
// source: llvm/llvm-project#105635
// pipeline: --canonicalize
// values: 2
// bad-pass: none

memref.global "private" constant @g : memref<8xf32> = dense<[0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0]>
func.func @at(%m: memref<4xf32, strided<[1], offset: ?>>, %o: index) -> f32 attributes {noinline} {
  %c0 = arith.constant 0 : index
  %s = memref.subview %m[%o] [4] [1] : memref<4xf32, strided<[1], offset: ?>> to memref<4xf32, strided<[1], offset: ?>>
  %v = memref.load %s[%c0] : memref<4xf32, strided<[1], offset: ?>>
  return %v : f32
}
func.func @main() {
  %m = memref.get_global @g : memref<8xf32>
  %c0 = arith.constant 0 : index
  %c2 = arith.constant 2 : index
  %h = memref.subview %m[%c0] [4] [1] : memref<8xf32> to memref<4xf32, strided<[1], offset: ?>>
  %v = call @at(%h, %c2) : (memref<4xf32, strided<[1], offset: ?>>, index) -> f32
  vector.print %v : f32
  return
}
