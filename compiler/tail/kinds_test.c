// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every kind of argument and result: the same arguments give the same bits at each level of
// compilation, by both tails.
#include "compiler/tail/tail_testing.h"

#define LOOPS                                                                                      \
  "func.func(linalg-generalize-named-ops),func.func(convert-linalg-to-loops),lower-affine"
#define TO_LLVM                                                                                    \
  "convert-vector-to-scf,convert-scf-to-cf,expand-strided-metadata,lower-affine,"                  \
  "convert-complex-to-llvm,convert-vector-to-llvm,finalize-memref-to-llvm,convert-arith-to-llvm,"  \
  "convert-index-to-llvm,convert-ub-to-llvm,"
#define LAST "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts"
#define BARE                                                                                       \
  "convert-func-to-llvm{use-bare-ptr-memref-call-conv=1},convert-cf-to-llvm,"                      \
  "reconcile-unrealized-casts"
#define FRONT DETENSOR "," LOOPS ","
#define EXPAND "func.func(arith-expand{include-bf16=true}),"

typedef struct row {
  const char *name;
  const char *source;
  const char *passes[8]; // states besides the unlowered one
} row;

#define EACH_LEVEL                                                                                 \
  {DETENSOR, FRONT "convert-scf-to-cf", FRONT TO_LLVM LAST,                                        \
   DETENSOR ",buffer-results-to-out-params{modify-public-functions=true}"}

#define SCALAR(type, op)                                                                           \
  {                                                                                                \
    "scalar " type,                                                                                \
        "func.func @main(%a: " type ", %b: " type ") -> (" type ", " type ") {\n"                  \
        "  %r = " op " %a, %b : " type "\n  return %r, %a : " type ", " type "\n}",                \
    {                                                                                              \
      EXPAND TO_LLVM LAST                                                                          \
    }                                                                                              \
  }
#define TENSOR(type, op)                                                                           \
  {                                                                                                \
    "tensor " type,                                                                                \
        "func.func @main(%a: tensor<2x3x" type ">, %b: tensor<2x3x" type ">) -> tensor<2x3x" type  \
        "> {\n  %e = tensor.empty() : tensor<2x3x" type ">\n"                                      \
        "  %r = linalg.map { " op " } ins(%a, %b : tensor<2x3x" type ">, tensor<2x3x" type         \
        ">) outs(%e : tensor<2x3x" type ">)\n  return %r : tensor<2x3x" type ">\n}",               \
    {                                                                                              \
      DETENSOR, FRONT EXPAND "convert-scf-to-cf", FRONT EXPAND TO_LLVM LAST,                       \
          DETENSOR ",buffer-results-to-out-params{modify-public-functions=true}",                  \
          "one-shot-bufferize{bufferize-function-boundaries "                                      \
          "function-boundary-type-conversion=identity-layout-map}," LOOPS "," EXPAND TO_LLVM BARE  \
    }                                                                                              \
  }
#define BUFFER(type, op)                                                                           \
  {                                                                                                \
    "memref " type,                                                                                \
        "func.func @main(%a: memref<2x3x" type ">, %b: memref<2x3x" type ">) {\n"                  \
        "  linalg.map { " op " } ins(%a, %b : memref<2x3x" type ">, memref<2x3x" type              \
        ">) outs(%a : memref<2x3x" type ">)\n  return\n}",                                         \
    {                                                                                              \
      LOOPS, LOOPS "," EXPAND TO_LLVM LAST, LOOPS "," EXPAND TO_LLVM BARE                          \
    }                                                                                              \
  }
#define KINDS(type, op) SCALAR(type, op), TENSOR(type, op), BUFFER(type, op)

static const row rows[] = {
    KINDS("i1", "arith.xori"),
    KINDS("i8", "arith.muli"),
    KINDS("i16", "arith.muli"),
    KINDS("i32", "arith.divsi"),
    KINDS("i64", "arith.remsi"),
    KINDS("i128", "arith.addi"),
    KINDS("i65", "arith.muli"),
    KINDS("index", "arith.muli"),
    KINDS("f16", "arith.addf"),
    KINDS("bf16", "arith.mulf"),
    KINDS("f32", "arith.divf"),
    KINDS("f64", "arith.subf"),
    SCALAR("complex<f32>", "complex.sub"),
    {"scalar complex<f64>",
     "func.func @main(%a: complex<f64>) -> complex<f64> { return %a : complex<f64> }",
     {TO_LLVM LAST}},
    TENSOR("complex<f32>", "complex.add"),
    BUFFER("complex<f64>", "complex.sub"),
    {"floats of a byte",
     "func.func @main(%a: tensor<2x3xf8E4M3FN>, %b: f8E5M2) -> (tensor<2x3xf8E4M3FN>, f8E5M2) {\n"
     "  %r = arith.addf %a, %a : tensor<2x3xf8E4M3FN>\n  %s = arith.mulf %b, %b : f8E5M2\n"
     "  return %r, %s : tensor<2x3xf8E4M3FN>, f8E5M2\n}",
     {"convert-elementwise-to-linalg", "convert-elementwise-to-linalg," DETENSOR,
      "convert-elementwise-to-linalg," FRONT "func.func(arith-emulate-unsupported-floats{"
      "source-types=f8E4M3FN,f8E5M2 target-type=f32})"}},
    {"vectors",
     "func.func @main(%a: vector<4xf32>, %b: vector<2x3xi16>, %c: vector<f64>, %d: vector<9xi1>,\n"
     "                %e: vector<3xindex>) -> (vector<4xf32>, vector<2x3xi16>, vector<f64>,\n"
     "                vector<9xi1>, vector<3xindex>) {\n"
     "  %p = arith.addf %a, %a : vector<4xf32>\n  %q = arith.muli %b, %b : vector<2x3xi16>\n"
     "  return %p, %q, %c, %d, %e : vector<4xf32>, vector<2x3xi16>, vector<f64>, vector<9xi1>,\n"
     "                vector<3xindex>\n}",
     {"convert-vector-to-scf", TO_LLVM LAST}},
    {"matrix of bits",
     "func.func @main(%a: vector<2x5xi1>) -> vector<2x5xi1> { return %a : vector<2x5xi1> }",
     {TO_LLVM LAST}},
    {"rank 0",
     "func.func @main(%a: tensor<f32>, %b: memref<f64>, %c: tensor<i1>) -> \n"
     "    (tensor<f32>, tensor<i1>) {\n  %x = memref.load %b[] : memref<f64>\n"
     "  %y = arith.addf %x, %x : f64\n"
     "  memref.store %y, %b[] : memref<f64>\n  %v = tensor.extract %a[] : tensor<f32>\n"
     "  %w = arith.negf %v : f32\n  %r = tensor.from_elements %w : tensor<f32>\n"
     "  return %r, %c : tensor<f32>, tensor<i1>\n}",
     EACH_LEVEL},
    {"dynamic sizes",
     "func.func @main(%a: tensor<?x3xf32>, %b: tensor<3x?xf32>) -> tensor<?x?xf32> {\n"
     "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
     "  %z = arith.constant 0.0 : f32\n  %m = tensor.dim %a, %c0 : tensor<?x3xf32>\n"
     "  %n = tensor.dim %b, %c1 : tensor<3x?xf32>\n  %e = tensor.empty(%m, %n) : tensor<?x?xf32>\n"
     "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<?x?xf32>) -> tensor<?x?xf32>\n"
     "  %r = linalg.matmul ins(%a, %b : tensor<?x3xf32>, tensor<3x?xf32>) \n"
     "       outs(%f : tensor<?x?xf32>) -> tensor<?x?xf32>\n  return %r : tensor<?x?xf32>\n}",
     {DETENSOR, FRONT TO_LLVM LAST,
      DETENSOR ",buffer-results-to-out-params{modify-public-functions=true "
               "hoist-static-allocs=true hoist-dynamic-allocs=true}"}},
    {"strides",
     "func.func @main(%a: memref<3x4xf32, strided<[?, ?], offset: ?>>,\n"
     "                %b: memref<4xi32, strided<[3], offset: 2>>,\n"
     "                %c: memref<?xf64, strided<[1], offset: ?>>) -> f32 {\n"
     "  %c1 = arith.constant 1 : index\n  %c2 = arith.constant 2 : index\n"
     "  %x = memref.load %a[%c2, %c1] : memref<3x4xf32, strided<[?, ?], offset: ?>>\n"
     "  %y = memref.load %b[%c2] : memref<4xi32, strided<[3], offset: 2>>\n"
     "  memref.store %y, %b[%c1] : memref<4xi32, strided<[3], offset: 2>>\n"
     "  %z = memref.load %c[%c2] : memref<?xf64, strided<[1], offset: ?>>\n"
     "  memref.store %z, %c[%c1] : memref<?xf64, strided<[1], offset: ?>>\n"
     "  memref.store %x, %a[%c1, %c2] : memref<3x4xf32, strided<[?, ?], offset: ?>>\n"
     "  return %x : f32\n}",
     {TO_LLVM LAST, TO_LLVM BARE}},
    {"strided results",
     "func.func @main(%a: memref<4x6xf32>) -> (f16, memref<2x3xf32, strided<[12, 2], offset: 1>>,\n"
     "                i8) {\n"
     "  %s = memref.subview %a[0, 1] [2, 3] [2, 2] : memref<4x6xf32> to\n"
     "       memref<2x3xf32, strided<[12, 2], offset: 1>>\n"
     "  %h = arith.constant 1.5 : f16\n  %i = arith.constant -3 : i8\n"
     "  return %h, %s, %i : f16, memref<2x3xf32, strided<[12, 2], offset: 1>>, i8\n}",
     {TO_LLVM LAST}},
    {"unranked result",
     "func.func @main(%a: memref<2x3xi16>) -> memref<*xi16> {\n"
     "  %u = memref.cast %a : memref<2x3xi16> to memref<*xi16>\n  return %u : memref<*xi16>\n}",
     {NULL}},
    {"no elements",
     "func.func @main(%a: tensor<0x3xf32>, %b: memref<2x0xi8>) -> tensor<0x3xf32> {\n"
     "  %r = arith.addf %a, %a : tensor<0x3xf32>\n  return %r : tensor<0x3xf32>\n}",
     {"convert-elementwise-to-linalg," DETENSOR,
      "convert-elementwise-to-linalg," FRONT TO_LLVM LAST}},
    {"dropped results",
     "func.func @main(%a: tensor<5xf32>) -> (tensor<5xf32>, f32) {\n"
     "  %c1 = arith.constant 1 : index\n  %x = arith.constant 8.5 : f32\n"
     "  %r = tensor.insert %x into %a[%c1] : tensor<5xf32>\n"
     "  return %r, %x : tensor<5xf32>, f32\n}",
     {DETENSOR, DETENSOR ",drop-equivalent-buffer-results",
      DETENSOR ",drop-equivalent-buffer-results," TO_LLVM LAST}},
    {"several functions and a global",
     "memref.global \"private\" @g : memref<3xf32> = dense<[1.0, 2.0, 3.0]>\n"
     "func.func private @sqrt(%x: f64) -> f64 {\n  %t = arith.constant 2.0 : f64\n"
     "  %r = arith.mulf %x, %t : f64\n  return %r : f64\n}\n"
     "func.func @main(%a: f64, %n: index) -> (f64, memref<3xf32>) {\n"
     "  %c0 = arith.constant 0 : index\n  %g = memref.get_global @g : memref<3xf32>\n"
     "  %v = memref.load %g[%c0] : memref<3xf32>\n  %w = arith.addf %v, %v : f32\n"
     "  memref.store %w, %g[%c0] : memref<3xf32>\n"
     "  %r = func.call @sqrt(%a) : (f64) -> f64\n  return %r, %g : f64, memref<3xf32>\n}",
     {TO_LLVM LAST}},
    {"written in the llvm dialect",
     "llvm.func @main(%a: f32, %b: i16, %c: vector<4xf32>) ->\n"
     "    !llvm.struct<(f32, i16, vector<4xf32>)> {\n"
     "  %0 = llvm.mlir.undef : !llvm.struct<(f32, i16, vector<4xf32>)>\n"
     "  %1 = llvm.insertvalue %a, %0[0] : !llvm.struct<(f32, i16, vector<4xf32>)>\n"
     "  %2 = llvm.insertvalue %b, %1[1] : !llvm.struct<(f32, i16, vector<4xf32>)>\n"
     "  %3 = llvm.insertvalue %c, %2[2] : !llvm.struct<(f32, i16, vector<4xf32>)>\n"
     "  llvm.return %3 : !llvm.struct<(f32, i16, vector<4xf32>)>\n}",
     {NULL}},
};

static const assay_tail_outcome *on_both_data_sets(const testing_request *request) {
  static const assay_tail_run runs[] = {{.data = 0, .poison = 0xff, .guarded = true},
                                        {.data = 1, .poison = 0xff, .guarded = true}};
  const assay_tail_answer *answer = testing_answer(request, 2, runs);
  if (answer->status != ASSAY_TAIL_RAN)
    fail_msg("%s: %s", request->passes == NULL ? "" : request->passes, answer->reason);
  for (int data = 0; data < 2; data++)
    if (answer->outcomes[data].status != ASSAY_TAIL_RAN)
      fail_msg("%s: %s", request->passes == NULL ? "" : request->passes,
               answer->outcomes[data].reason);
  return answer->outcomes;
}

static void test_each_level_gives_the_same_bits(void **state) {
  const row *program = *state;
  testing_request request = {.source = program->source};
  const assay_tail_outcome *plain = NULL;
  for (int k = -1; k < 8 && (k < 0 || program->passes[k] != NULL); k++)
    for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++) {
      request.passes = k < 0 ? NULL : program->passes[k];
      request.tail = (assay_tail)tail;
      const assay_tail_outcome *seen = on_both_data_sets(&request);
      if (plain == NULL)
        plain = seen;
      request.baseline = &plain[0].seen;
      for (int data = 0; data < 2; data++) {
        assert_true(seen[data].seen.count > 0);
        if (testing_same(&plain[data].seen, &seen[data].seen))
          continue;
        testing_show(&plain[data].seen);
        testing_show(&seen[data].seen);
        fail_msg("data %d, tail %d, after %s", data, tail, k < 0 ? "nothing" : program->passes[k]);
      }
    }
}

int main(void) {
  enum { COUNT = sizeof rows / sizeof *rows };
  struct CMUnitTest tests[COUNT];
  for (int i = 0; i < COUNT; i++)
    tests[i] = (struct CMUnitTest){.name = rows[i].name,
                                   .test_func = test_each_level_gives_the_same_bits,
                                   .initial_state = (void *)(uintptr_t)&rows[i]};
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
