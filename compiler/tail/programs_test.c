// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Programs that passes are known to break, and each dialect that a tail must know: both tails give
// the right values of the program as it is written.
#include "compiler/tail/tail_testing.h"

#include <math.h>

typedef struct row {
  const char *name;
  const char *source;
  int count;
  double values[24];
  double off; // how far values may be off, relative
} row;

#define PRINT "func.func private @printMemrefF32(tensor<*xf32>)\n"
#define SHOW(value, type)                                                                          \
  "  %shown = tensor.cast " value " : tensor<" type "> to tensor<*xf32>\n"                         \
  "  call @printMemrefF32(%shown) : (tensor<*xf32>) -> ()\n"
#define SCRIPT                                                                                     \
  "transform.named_sequence @__transform_main(%m: !transform.any_op {transform.readonly}) {\n"     \
  "  %0 = transform.structured.match ops{[\"linalg.matmul\"]} in %m : (!transform.any_op) ->\n"    \
  "       !transform.any_op\n  transform.yield\n}\n"

static const row rows[] = {
    {"a product with a transposed factor",
     PRINT
     "#a = affine_map<(i, j, k) -> (i, k)>\n#b = affine_map<(i, j, k) -> (j, k)>\n"
     "#c = affine_map<(i, j, k) -> (i, j)>\nfunc.func @main() {\n"
     "  %x = arith.constant dense<[[2.0, 1.0], [0.0, 3.0]]> : tensor<2x2xf32>\n"
     "  %y = arith.constant dense<[[1.0, 4.0], [5.0, 6.0]]> : tensor<2x2xf32>\n"
     "  %z = arith.constant dense<0.0> : tensor<2x2xf32>\n"
     "  %r = linalg.generic {indexing_maps = [#a, #b, #c],\n"
     "       iterator_types = [\"parallel\", \"parallel\", \"reduction\"]}\n"
     "       ins(%x, %y : tensor<2x2xf32>, tensor<2x2xf32>) outs(%z : tensor<2x2xf32>) {\n"
     "  ^bb0(%p: f32, %q: f32, %s: f32):\n    %m = arith.mulf %p, %q : f32\n"
     "    %t = arith.addf %s, %m : f32\n    linalg.yield %t : f32\n  } -> tensor<2x2xf32>\n" SHOW(
         "%r", "2x2xf32") "  return\n}\n",
     4,
     {6, 16, 12, 18},
     0},
    {"a script in the file",
     "module attributes {transform.with_named_sequence} {\n" PRINT
     "func.func @main() {\n  %z = arith.constant 0.0 : f32\n"
     "  %a = arith.constant dense<[[1.0, 2.0, 3.0]]> : tensor<1x3xf32>\n"
     "  %b = arith.constant dense<[[4.0], [5.0], [6.0]]> : tensor<3x1xf32>\n"
     "  %e = tensor.empty() : tensor<1x1xf32>\n"
     "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<1x1xf32>) -> tensor<1x1xf32>\n"
     "  %r = linalg.matmul ins(%a, %b : tensor<1x3xf32>, tensor<3x1xf32>)\n"
     "       outs(%f : tensor<1x1xf32>) -> tensor<1x1xf32>\n" SHOW(
         "%r", "1x1xf32") "  return\n}\n" SCRIPT "}\n",
     1,
     {32},
     0},
    {"packing by a tile of a size that nobody knows",
     "func.func private @printMemrefF32(tensor<*xf32>)\n"
     "func.func private @pack(%a: tensor<3x2xf32>, %t: index) -> tensor<?x2x?xf32> {\n"
     "  %p = arith.constant 9.0 : f32\n  %c2 = arith.constant 2 : index\n"
     "  %e = tensor.empty(%c2, %t) : tensor<?x2x?xf32>\n"
     "  %r = linalg.pack %a padding_value(%p : f32) outer_dims_perm = [0, 1]\n"
     "       inner_dims_pos = [0] inner_tiles = [%t] into %e : tensor<3x2xf32> ->\n"
     "       tensor<?x2x?xf32>\n  return %r : tensor<?x2x?xf32>\n}\n"
     "func.func @main() {\n  %t = arith.constant 2 : index\n"
     "  %a = arith.constant dense<[[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]]> : tensor<3x2xf32>\n"
     "  %r = call @pack(%a, %t) : (tensor<3x2xf32>, index) -> tensor<?x2x?xf32>\n"
     "  %e = tensor.empty() : tensor<3x2xf32>\n"
     "  %b = linalg.unpack %r outer_dims_perm = [0, 1] inner_dims_pos = [0] inner_tiles = [%t]\n"
     "       into %e : tensor<?x2x?xf32> -> tensor<3x2xf32>\n" SHOW(
         "%r", "?x2x?xf32") "  %back = tensor.cast %b : tensor<3x2xf32> to tensor<*xf32>\n"
                            "  call @printMemrefF32(%back) : (tensor<*xf32>) -> ()\n  return\n}\n",
     14,
     {1, 3, 2, 4, 5, 9, 6, 9, 1, 2, 3, 4, 5, 6},
     0},
    {"a type with a sign",
     "func.func @main() {\n  %a = \"tosa.const\"() <{values = dense<[[[[1], [200]], [[7], [3]]]]> "
     ":\n"
     "       tensor<1x2x2x1xui8>}> : () -> tensor<1x2x2x1xui8>\n"
     "  %m = tosa.max_pool2d %a {pad = array<i64: 0, 0, 0, 0>, kernel = array<i64: 2, 2>,\n"
     "       stride = array<i64: 1, 1>} : (tensor<1x2x2x1xui8>) -> tensor<1x1x1x1xui8>\n"
     "  %s = builtin.unrealized_conversion_cast %m : tensor<1x1x1x1xui8> to tensor<1x1x1x1xi8>\n"
     "  %c0 = arith.constant 0 : index\n"
     "  %x = tensor.extract %s[%c0, %c0, %c0, %c0] : tensor<1x1x1x1xi8>\n"
     "  %y = arith.extui %x : i8 to i32\n  vector.print %y : i32\n  return\n}\n",
     1,
     {200},
     0},
    {"a function that nobody may lower, and nobody calls",
     "func.func @other() {\n  %m = gpu.alloc() : memref<4xf32>\n  gpu.dealloc %m : memref<4xf32>\n"
     "  return\n}\nfunc.func @main() {\n  %x = arith.constant 5 : i32\n"
     "  vector.print %x : i32\n  return\n}\n",
     1,
     {5},
     0},
    {"an insertion with a stride",
     PRINT
     "func.func @main() {\n  %s = arith.constant dense<[4.0, 5.0]> : tensor<2xf32>\n"
     "  %z = arith.constant dense<0.0> : tensor<5xf32>\n"
     "  %r = tensor.insert_slice %s into %z[1] [2] [3] : tensor<2xf32> into tensor<5xf32>\n" SHOW(
         "%r", "5xf32") "  return\n}\n",
     5,
     {0, 4, 0, 0, 5},
     0},
    {"a broadcast cast to another shape",
     "func.func @main() {\n  %a = arith.constant dense<[[3.0], [4.0], [5.0]]> : vector<3x1xf32>\n"
     "  %b = vector.broadcast %a : vector<3x1xf32> to vector<2x3x1xf32>\n"
     "  %c = vector.shape_cast %b : vector<2x3x1xf32> to vector<3x2xf32>\n"
     "  vector.print %c : vector<3x2xf32>\n  return\n}\n",
     6,
     {3, 4, 5, 3, 4, 5},
     0},
    {"a map that reads what it overwrites",
     PRINT
     "func.func @main() {\n  %a = arith.constant dense<[1.0, 2.0]> : tensor<2xf32>\n"
     "  %b = arith.constant dense<[30.0, 40.0]> : tensor<2xf32>\n"
     "  %r = linalg.map ins(%a : tensor<2xf32>) outs(%b : tensor<2xf32>) (%x: f32, %o: f32) {\n"
     "    %s = arith.subf %o, %x : f32\n    linalg.yield %s : f32\n  }\n" SHOW(
         "%r", "2xf32") "  return\n}\n",
     2,
     {29, 38},
     0},
    {"an update in place before its use",
     "func.func @main(%p: memref<4xf32>) {\n  %k = arith.constant 2.0 : f32\n"
     "  %one = arith.constant 3.0 : f32\n  linalg.fill ins(%one : f32) outs(%p : memref<4xf32>)\n"
     "  affine.for %i = 0 to 4 {\n    %v = affine.load %p[%i] : memref<4xf32>\n"
     "    %w = arith.mulf %v, %k : f32\n    affine.store %w, %p[%i] : memref<4xf32>\n  }\n"
     "  affine.for %i = 0 to 2 {\n    %v = affine.load %p[%i] : memref<4xf32>\n"
     "    affine.store %v, %p[%i + 2] : memref<4xf32>\n  }\n  return\n}\n",
     4,
     {6, 6, 6, 6},
     0},
    {"softmax",
     PRINT
     "func.func @main() {\n"
     "  %x = arith.constant dense<[[1.0, 2.0], [0xFF800000, 0xFF800000], [3.0, 0xFF800000]]>\n"
     "       : tensor<3x2xf32>\n  %e = tensor.empty() : tensor<3x2xf32>\n"
     "  %r = linalg.softmax dimension(1) ins(%x : tensor<3x2xf32>) outs(%e : tensor<3x2xf32>)\n"
     "       -> tensor<3x2xf32>\n" SHOW("%r", "3x2xf32") "  return\n}\n",
     6,
     {0.2689414213699951, 0.7310585786300049, NAN, NAN, 1, 0},
     1e-6},
    {"loops of odd length",
     "func.func @main(%m: memref<7xf32>) {\n  %o = arith.constant 1.5 : f32\n"
     "  affine.for %i = 0 to 7 { affine.store %o, %m[%i] : memref<7xf32> }\n"
     "  affine.for %i = 0 to 5 {\n    %v = affine.load %m[%i] : memref<7xf32>\n"
     "    %w = arith.addf %v, %v : f32\n    affine.store %w, %m[%i] : memref<7xf32>\n  }\n"
     "  return\n}\n",
     7,
     {3, 3, 3, 3, 3, 1.5, 1.5},
     0},
    {"a loop that never runs",
     "func.func @main(%m: memref<2xf32>) {\n  %v = arith.constant 9.0 : f32\n"
     "  %one = arith.constant 4.0 : f32\n  linalg.fill ins(%one : f32) outs(%m : memref<2xf32>)\n"
     "  %c0 = arith.constant 0 : index\n  affine.for %i = 0 to %c0 {\n"
     "    affine.store %v, %m[0] : memref<2xf32>\n  }\n"
     "  affine.for %i = 5 to 5 { affine.store %v, %m[1] : memref<2xf32> }\n  return\n}\n",
     2,
     {4, 4},
     0},
    {"a value forwarded twice",
     "func.func @main() -> index {\n  %c0 = arith.constant 0 : index\n"
     "  %c2 = arith.constant 2 : index\n  %c7 = arith.constant 7 : index\n"
     "  %c50 = arith.constant 50 : index\n"
     "  %r:3 = scf.while (%s = %c0) : (index) -> (index, index, index) {\n"
     "    %go = arith.cmpi slt, %s, %c7 : index\n    %v = scf.if %go -> index {\n"
     "      %n = arith.addi %s, %c2 : index\n      scf.yield %n : index\n    } else {\n"
     "      scf.yield %c50 : index\n    }\n"
     "    scf.condition(%go) %v, %v, %s : index, index, index\n  } do {\n"
     "  ^bb0(%a: index, %b: index, %o: index):\n    scf.yield %b : index\n  }\n"
     "  return %r#2 : index\n}\n",
     1,
     {8},
     0},
    {"the least byte divided",
     "func.func @main() {\n  %m = arith.constant -128 : i8\n  %s = arith.constant 9 : i8\n"
     "  %r = arith.ceildivsi %m, %s : i8\n  vector.print %r : i8\n  return\n}\n",
     1,
     {-14},
     0},
    {"a view of an offset",
     "memref.global \"private\" constant @g : memref<6xf32> = dense<[0.,1.,2.,3.,4.,5.]>\n"
     "func.func private @at(%m: memref<3xf32, strided<[1], offset: ?>>, %o: index) -> f32 {\n"
     "  %c0 = arith.constant 0 : index\n  %s = memref.subview %m[%o] [3] [1] :\n"
     "    memref<3xf32, strided<[1], offset: ?>> to memref<3xf32, strided<[1], offset: ?>>\n"
     "  %v = memref.load %s[%c0] : memref<3xf32, strided<[1], offset: ?>>\n  return %v : f32\n}\n"
     "func.func @main() -> f32 {\n  %m = memref.get_global @g : memref<6xf32>\n"
     "  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n"
     "  %h = memref.subview %m[%c1] [3] [1] : memref<6xf32> to\n"
     "       memref<3xf32, strided<[1], offset: ?>>\n"
     "  %v = call @at(%h, %c2) : (memref<3xf32, strided<[1], offset: ?>>, index) -> f32\n"
     "  return %v : f32\n}\n",
     1,
     {3},
     0},
    {"a collapsed buffer in affine loops",
     "func.func @main(%o: memref<4xf32>) {\n  %m = memref.alloc() : memref<2x2xf32>\n"
     "  %x = arith.constant 2.5 : f32\n  linalg.fill ins(%x : f32) outs(%m : memref<2x2xf32>)\n"
     "  %e = memref.collapse_shape %m [[0, 1]] : memref<2x2xf32> into memref<4xf32>\n"
     "  affine.for %i = 0 to 4 {\n    %v = affine.load %e[%i] : memref<4xf32>\n"
     "    affine.store %v, %o[%i] : memref<4xf32>\n  }\n  return\n}\n",
     4,
     {2.5, 2.5, 2.5, 2.5},
     0},
    {"zero times infinity",
     "func.func @main() -> (f32, tensor<2xf32>) {\n  %z = arith.constant 0.0 : f32\n"
     "  %i = arith.constant 0x7F800000 : f32\n  %r = arith.mulf %z, %i : f32\n"
     "  %a = arith.constant dense<[0.0, 2.0]> : tensor<2xf32>\n"
     "  %b = arith.constant dense<[0x7F800000, 3.0]> : tensor<2xf32>\n"
     "  %s = arith.mulf %a, %b : tensor<2xf32>\n  return %r, %s : f32, tensor<2xf32>\n}\n",
     3,
     {NAN, NAN, 6},
     0},
    {"the larger of a number and none",
     "func.func @main() -> (f32, f32, f32) {\n  %n = arith.constant 0x7FC00000 : f32\n"
     "  %o = arith.constant 2.0 : f32\n  %a = arith.maximumf %o, %n : f32\n"
     "  %b = arith.maxnumf %n, %o : f32\n  %c = arith.minnumf %n, %o : f32\n"
     "  return %a, %b, %c : f32, f32, f32\n}\n",
     3,
     {NAN, 2, 2},
     0},
    {"products of bits",
     "func.func @main() -> (i1, i1) {\n  %t = arith.constant true\n"
     "  %l, %h = arith.mulsi_extended %t, %t : i1\n  return %l, %h : i1, i1\n}\n",
     2,
     {1, 0},
     0},
    {"rounding to bf16",
     "func.func @main() -> (bf16, bf16, bf16) {\n  %a = arith.constant 0x3F808000 : f32\n"
     "  %b = arith.constant 0x3F818000 : f32\n  %c = arith.constant 0x00010000 : f32\n"
     "  %x = arith.truncf %a : f32 to bf16\n  %y = arith.truncf %b : f32 to bf16\n"
     "  %z = arith.truncf %c : f32 to bf16\n  return %x, %y, %z : bf16, bf16, bf16\n}\n",
     3,
     {1, 1.015625, 0x1p-133},
     0},
    {"round just below one half",
     "func.func @main() -> (f32, f32, f32) {\n  %h = arith.constant 0x3EFFFFFF : f32\n"
     "  %a = math.round %h : f32\n  %b = math.roundeven %h : f32\n"
     "  %m = arith.constant -0.3 : f32\n  %one = arith.constant 1.0 : f32\n"
     "  %c = math.ceil %m : f32\n  %d = arith.divf %one, %c : f32\n"
     "  return %a, %b, %d : f32, f32, f32\n}\n",
     3,
     {0, 0, -INFINITY},
     0},
    {"the largest of a row",
     "func.func @main(%m: memref<5xf32>) -> f32 {\n  %z = arith.constant -9.0 : f32\n"
     "  %v = arith.constant 6.0 : f32\n  linalg.fill ins(%v : f32) outs(%m : memref<5xf32>)\n"
     "  %r = affine.for %i = 0 to 5 iter_args(%a = %z) -> f32 {\n"
     "    %x = affine.load %m[%i] : memref<5xf32>\n    %b = arith.maxnumf %a, %x : f32\n"
     "    affine.yield %b : f32\n  }\n  return %r : f32\n}\n",
     6,
     {6, 6, 6, 6, 6, 6},
     0},
    {"packed and unpacked",
     "func.func @main() -> (tensor<2x1x2x2xf32>, tensor<3x2xf32>) {\n"
     "  %a = arith.constant dense<[[1.,2.],[3.,4.],[5.,6.]]> : tensor<3x2xf32>\n"
     "  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<2x1x2x2xf32>\n"
     "  %p = linalg.pack %a padding_value(%z : f32) inner_dims_pos = [0, 1] inner_tiles = [2, 2]\n"
     "       into %e : tensor<3x2xf32> -> tensor<2x1x2x2xf32>\n"
     "  %f = tensor.empty() : tensor<3x2xf32>\n"
     "  %u = linalg.unpack %p inner_dims_pos = [0, 1] inner_tiles = [2, 2] into %f\n"
     "       : tensor<2x1x2x2xf32> -> tensor<3x2xf32>\n"
     "  return %p, %u : tensor<2x1x2x2xf32>, tensor<3x2xf32>\n}\n",
     14,
     {1, 2, 3, 4, 5, 6, 0, 0, 1, 2, 3, 4, 5, 6},
     0},
    {"tosa",
     "func.func @main() -> tensor<2x2xf32> {\n"
     "  %a = \"tosa.const\"() {values = dense<[[1., -2.]]> : tensor<1x2xf32>} : () ->\n"
     "       tensor<1x2xf32>\n"
     "  %b = \"tosa.const\"() {values = dense<[[3.], [5.]]> : tensor<2x1xf32>} : () ->\n"
     "       tensor<2x1xf32>\n"
     "  %s = tosa.add %a, %b : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<2x2xf32>\n"
     "  %r = tosa.reciprocal %s : (tensor<2x2xf32>) -> tensor<2x2xf32>\n"
     "  return %r : tensor<2x2xf32>\n}\n",
     4,
     {0.25, 1, 1. / 6, 1. / 3},
     1e-6},
    {"a running sum",
     "func.func @main() {\n  %v = arith.constant dense<[[1, 2, 3], [4, 5, 6]]> : vector<2x3xi32>\n"
     "  %z = arith.constant dense<0> : vector<3xi32>\n"
     "  %s:2 = vector.scan <add>, %v, %z {inclusive = true, reduction_dim = 0 : i64} :\n"
     "         vector<2x3xi32>, vector<3xi32>\n"
     "  vector.print %s#0 : vector<2x3xi32>\n  return\n}\n",
     6,
     {1, 2, 3, 5, 7, 9},
     0},
    {"complex numbers",
     "func.func @main() -> (complex<f32>, f32) {\n"
     "  %a = complex.constant [3.0 : f32, 4.0 : f32] : complex<f32>\n"
     "  %b = complex.mul %a, %a : complex<f32>\n  %c = complex.abs %a : complex<f32>\n"
     "  return %b, %c : complex<f32>, f32\n}\n",
     3,
     {-7, 24, 5},
     1e-6},
    {"masks, contractions and gathers",
     "func.func @main() {\n  %c2 = arith.constant 2 : index\n  %c0 = arith.constant 0 : index\n"
     "  %m = vector.create_mask %c2 : vector<4xi1>\n  %f = arith.constant 0.5 : f32\n"
     "  %b = memref.alloc() : memref<2xf32>\n  linalg.fill ins(%f : f32) outs(%b : memref<2xf32>)\n"
     "  %z = arith.constant -1.0 : f32\n"
     "  %v = vector.transfer_read %b[%c0], %z, %m : memref<2xf32>, vector<4xf32>\n"
     "  vector.print %v : vector<4xf32>\n  %r = vector.mask %m { vector.reduction <add>, %v :\n"
     "       vector<4xf32> into f32 } : vector<4xi1> -> f32\n  vector.print %r : f32\n"
     "  %p = vector.transpose %v, [0] : vector<4xf32> to vector<4xf32>\n"
     "  %a = arith.constant dense<0.0> : vector<4x4xf32>\n"
     "  %o = vector.outerproduct %v, %p, %a {kind = #vector.kind<add>} :\n"
     "       vector<4xf32>, vector<4xf32>\n"
     "  %q = vector.extract %o[0] : vector<4xf32> from vector<4x4xf32>\n"
     "  vector.print %q : vector<4xf32>\n  return\n}\n",
     9,
     {0.5, 0.5, -1, -1, 1, 0.25, 0.25, -0.5, -0.5},
     0},
    {"reading past the end with padding",
     "func.func @main() {\n  %c1 = arith.constant 1 : index\n  %c0 = arith.constant 0 : index\n"
     "  %f = arith.constant 7 : i16\n  %b = memref.alloc() : memref<3x3xi16>\n"
     "  linalg.fill ins(%f : i16) outs(%b : memref<3x3xi16>)\n  %z = arith.constant 0 : i16\n"
     "  %v = vector.transfer_read %b[%c1, %c1], %z : memref<3x3xi16>, vector<3x3xi16>\n"
     "  vector.print %v : vector<3x3xi16>\n  return\n}\n",
     9,
     {7, 7, 0, 7, 7, 0, 0, 0, 0},
     0},
    {"a function named as one of libm",
     "func.func private @expf(%x: f32) -> f32 {\n  %r = arith.addf %x, %x : f32\n"
     "  return %r : f32\n}\nfunc.func private @memrefCopy(%x: f32) -> f32 { return %x : f32 }\n"
     "func.func @main() -> (f32, f32, f32) {\n  %z = arith.constant 0.0 : f32\n"
     "  %a = math.exp %z : f32\n  %b = call @expf(%a) : (f32) -> f32\n"
     "  %c = call @memrefCopy(%b) : (f32) -> f32\n  return %a, %b, %c : f32, f32, f32\n}\n",
     3,
     {1, 2, 2},
     0},
};

static bool near(double got, double want, double off) {
  if (want != want)
    return got != got;
  return got == want || fabs(got - want) <= off * fabs(want);
}

static void test_row(void **state) {
  const row *what = *state;
  for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++)
    for (int is_guarded = 0; is_guarded < 2; is_guarded++) {
      testing_request request = {.source = what->source,
                                 .tail = (assay_tail)tail,
                                 .run = {.poison = 0xff, .guarded = is_guarded != 0}};
      const assay_observation *seen = testing_see(&request);
      int at = 0;
      bool right = true;
      for (int i = 0; i < seen->count; i++)
        for (int64_t k = 0; k < seen->items[i].count; k++, at++)
          right = right && at < what->count &&
                  near(assay_observed_value(&seen->items[i], k), what->values[at], what->off);
      if (right && at == what->count)
        continue;
      testing_show(seen);
      fail_msg("tail %d", tail);
    }
}

int main(void) {
  enum { COUNT = sizeof rows / sizeof *rows };
  struct CMUnitTest tests[COUNT];
  for (int i = 0; i < COUNT; i++)
    tests[i] = (struct CMUnitTest){
        .name = rows[i].name, .test_func = test_row, .initial_state = (void *)(uintptr_t)&rows[i]};
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
