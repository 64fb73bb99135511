// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where digits are lost: cancellation, through memory, loops, calls, vectors and structures; which
// of several losses is told; accurate programs, which have lost none; and what cannot be told.
#include "compiler/tail/tail_testing.h"

#include "compiler/base/text.h"

typedef struct program {
  const char *source; // its first line is line 1
  const char *origin; // "fsub 5"; "none"; "untold"
  double least, most; // bits lost in a result
} program;

static const char *tell(const assay_tail_answer *answer, assay_arena *arena) {
  const assay_loss_log *log = answer->loss_logs[0];
  if (log->op < 0 || log->lost <= ASSAY_LOSS_ACCURATE)
    return log->untold > 0 ? "untold" : "none";
  const assay_origin_op *op = &answer->origin->ops[log->op];
  return assay_arena_format(arena, "%s %d", op->lowered, op->line);
}

static bool holds_by(const program *of, assay_tail tail) {
  assay_arena *arena = assay_arena_create();
  const testing_request request = {.source = of->source,
                                   .tail = tail,
                                   .instrument = ASSAY_INSTRUMENT_LOSS,
                                   .run = {.data = 1, .poison = 0x5A}};
  const assay_tail_answer *answer = testing_answer(&request, 1, &request.run);
  if (answer->status != ASSAY_TAIL_RAN || answer->outcomes[0].status != ASSAY_TAIL_RAN)
    fail_msg("%s\n%s%s", of->source, answer->reason, answer->outcomes[0].reason);
  const char *told = tell(answer, arena);
  double lost = answer->loss_logs[0]->lost;
  bool holds = strcmp(told, of->origin) == 0 && lost >= of->least && lost <= of->most &&
               answer->loss_logs[0]->seen;
  if (!holds)
    print_error("%s%s, not %s; %g bits (tail %d)\n", of->source, told, of->origin, lost, (int)tail);
  assay_arena_destroy(arena);
  return holds;
}

static void expect(const program programs[], size_t count) {
  bool all = true;
  for (size_t i = 0; i < count; i++)
    for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++)
      all &= holds_by(&programs[i], (assay_tail)tail);
  assert_true(all);
}

#define MAIN "func.func @main() -> "
#define BIG "%0 = arith.constant 1.0e8 : f32\n%1 = arith.constant 1.0 : f32\n"
#define LOST "%2 = arith.addf %0, %1 : f32\n"
#define END(value, type) "return " value " : " type "\n}\n"

static void test_cancellation(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "f32 {\n" BIG LOST "%3 = arith.subf %2, %0 : f32\n" END("%3", "f32"), "fsub 5", 24, 24},
      {MAIN "f64 {\n%0 = arith.constant 1.0e17 : f64\n%1 = arith.constant 1.0 : f64\n"
            "%2 = arith.addf %0, %1 : f64\n%3 = arith.subf %2, %0 : f64\n" END("%3", "f64"),
       "fsub 5", 53, 53},
      {MAIN "f16 {\n%0 = arith.constant 2049.0 : f32\n%1 = arith.truncf %0 : f32 to f16\n"
            "%2 = arith.constant 2048.0 : f16\n%3 = arith.subf %1, %2 : f16\n" END("%3", "f16"),
       "fsub 5", 11, 11},
      // The smaller root of x^2 - 1e4 x + 1.
      {MAIN "f32 {\n%b = arith.constant 1.0e4 : f32\n%four = arith.constant 4.0 : f32\n"
            "%bb = arith.mulf %b, %b : f32\n%d = arith.subf %bb, %four : f32\n"
            "%s = math.sqrt %d : f32\n%t = arith.subf %b, %s : f32\n"
            "%h = arith.constant 0.5 : f32\n%r = arith.mulf %t, %h : f32\n" END("%r", "f32"),
       "fsub 7", 20, 24},
      {MAIN "f32 {\n%x = arith.constant 1.0e-4 : f32\n%one = arith.constant 1.0 : f32\n"
            "%c = math.cos %x : f32\n%r = arith.subf %one, %c : f32\n" END("%r", "f32"),
       "fsub 5", 20, 24},
      // Functions that make much of a small error, of which log is one near 1.
      {MAIN "f32 {\n%x = arith.constant 1.0e-6 : f32\n%one = arith.constant 1.0 : f32\n"
            "%c = arith.addf %one, %x : f32\n%r = math.log %c : f32\n" END("%r", "f32"),
       "call @logf 5", 17, 24},
  };
  expect(programs, sizeof programs / sizeof *programs);
}

static void test_ways_of_a_shadow(void **state) {
  (void)state;
  static const program programs[] = {
      // Memory, and a function.
      {"func.func @main() -> f32 {\n" BIG "%m = memref.alloc() : memref<2xf32>\n"
       "%i = arith.constant 1 : index\n%2 = func.call @f(%0, %1) : (f32, f32) -> f32\n"
       "memref.store %2, %m[%i] : memref<2xf32>\n%n = memref.alloc() : memref<2xf32>\n"
       "memref.store %0, %m[%i] : memref<2xf32>\nmemref.store %2, %m[%i] : memref<2xf32>\n"
       "memref.copy %m, %n : memref<2xf32> to memref<2xf32>\n"
       "%3 = memref.load %n[%i] : memref<2xf32>\n%4 = arith.subf %3, %0 : f32\n"
       "return %4 : f32\n}\nfunc.func @f(%x: f32, %y: f32) -> f32 {\n"
       "%0 = arith.addf %x, %y : f32\nreturn %0 : f32\n}\n",
       "fsub 13", 24, 24},
      // A loop that adds what is too small, and takes away the rest.
      {MAIN "f32 {\n" BIG "%l = arith.constant 0 : index\n%h = arith.constant 8 : index\n"
            "%s = arith.constant 1 : index\n"
            "%r = scf.for %i = %l to %h step %s iter_args(%a = %0) -> (f32) {\n"
            "%t = arith.addf %a, %1 : f32\nscf.yield %t : f32\n}\n"
            "%d = arith.subf %r, %0 : f32\n" END("%d", "f32"),
       "fsub 11", 24, 24},
      // One that adds what is a bit off each time.
      {MAIN "f32 {\n%z = arith.constant 0.0 : f32\n%1 = arith.constant 0.1 : f32\n"
            "%l = arith.constant 0 : index\n%h = arith.constant 100000 : index\n"
            "%s = arith.constant 1 : index\n"
            "%r = scf.for %i = %l to %h step %s iter_args(%a = %z) -> (f32) {\n"
            "%t = arith.addf %a, %1 : f32\nscf.yield %t : f32\n}\n" END("%r", "f32"),
       "fadd 8", 10, 12},
      // Vectors, their lanes, and what is chosen of two.
      {MAIN "f32 {\n%0 = arith.constant dense<[1.0, 1.0e8, 2.0, 3.0]> : vector<4xf32>\n"
            "%1 = arith.constant dense<1.0> : vector<4xf32>\n"
            "%2 = arith.addf %0, %1 : vector<4xf32>\n%3 = arith.subf %2, %0 : vector<4xf32>\n"
            "%4 = vector.extract %3[1] : f32 from vector<4xf32>\n%c = arith.constant true\n"
            "%z = vector.extract %3[0] : f32 from vector<4xf32>\n"
            "%5 = arith.select %c, %4, %z : f32\n" END("%5", "f32"),
       "fsub 5", 24, 24},
      {MAIN "vector<2x2xf32> {\n%0 = arith.constant dense<1.0e8> : vector<2x2xf32>\n"
            "%1 = arith.constant dense<1.0> : vector<2x2xf32>\n"
            "%2 = arith.addf %0, %1 : vector<2x2xf32>\n"
            "%3 = arith.subf %2, %0 : vector<2x2xf32>\n" END("%3", "vector<2x2xf32>"),
       "fsub 5", 24, 24},
      // On through what loses nothing more.
      {MAIN "f64 {\n" BIG LOST "%3 = arith.subf %2, %0 : f32\n%4 = arith.addf %3, %1 : f32\n"
            "%5 = arith.negf %4 : f32\n%6 = arith.extf %5 : f32 to f64\n" END("%6", "f64"),
       "fsub 5", 23, 23},
      // What a result does not hold.
      {MAIN "f32 {\n" BIG LOST
            "%3 = arith.subf %2, %0 : f32\n%4 = arith.addf %3, %0 : f32\n" END("%4", "f32"),
       "none", 0, 2},
      // A named operation.
      {MAIN "tensor<1x1xf32> {\n"
            "%0 = arith.constant dense<[[1.0e8, 1.0, -1.0e8]]> : tensor<1x3xf32>\n"
            "%1 = arith.constant dense<1.0> : tensor<3x1xf32>\n"
            "%e = arith.constant dense<0.0> : tensor<1x1xf32>\n"
            "%2 = linalg.matmul ins(%0, %1 : tensor<1x3xf32>, tensor<3x1xf32>) outs(%e : "
            "tensor<1x1xf32>) -> tensor<1x1xf32>\n" END("%2", "tensor<1x1xf32>"),
       "fadd 5", 24, 24},
  };
  expect(programs, sizeof programs / sizeof *programs);
}

static void test_structures(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "(f32, f64) {\n" BIG LOST "%3 = arith.subf %2, %0 : f32\n"
            "%4 = arith.extf %1 : f32 to f64\nreturn %3, %4 : f32, f64\n}\n",
       "fsub 5", 24, 24},
      {"func.func private @f(%x: f32, %i: i32, %y: f32) -> (f32, i32, f32) {\n"
       "%2 = arith.addf %x, %y : f32\nreturn %y, %i, %2 : f32, i32, f32\n}\n" MAIN "f32 {\n" BIG
       "%i = arith.constant 3 : i32\n"
       "%r:3 = call @f(%0, %i, %1) : (f32, i32, f32) -> (f32, i32, f32)\n"
       "%3 = arith.subf %r#2, %0 : f32\n" END("%3", "f32"),
       "fsub 10", 24, 24},
      {MAIN "complex<f32> {\n" BIG
            "%h = arith.mulf %0, %1 : f32\n%a = complex.create %1, %h : complex<f32>\n"
            "%b = complex.create %h, %1 : complex<f32>\n%g = complex.create %h, %0 : "
            "complex<f32>\n%c = complex.add %a, %b : complex<f32>\n"
            "%d = complex.sub %c, %g : complex<f32>\n%e = complex.neg %d : complex<f32>\n"
            "%i = complex.re %e : complex<f32>\n%f = complex.create %i, %1 : complex<f32>\n" END(
                "%f", "complex<f32>"),
       "fsub 9", 24, 24},
      {MAIN "f32 {\n%x = arith.constant 1.0e-4 : f32\n%one = arith.constant 1.0 : f32\n"
            "%s, %c = math.sincos %x : f32\n%r = arith.subf %one, %c : f32\n" END("%r", "f32"),
       "fsub 5", 20, 24},
      // Through memory, blocks and a choice, beside an array.
      {"llvm.func @main() -> f32 {\n%0 = llvm.mlir.constant(1.0e8 : f32) : f32\n"
       "%1 = llvm.mlir.constant(1.0 : f32) : f32\n%2 = llvm.fadd %0, %1 : f32\n"
       "%3 = llvm.fsub %2, %0 : f32\n%i = llvm.mlir.constant(1 : i64) : i64\n"
       "%c = llvm.mlir.constant(true) : i1\n"
       "%u = llvm.mlir.undef : !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)>\n"
       "%v = llvm.insertvalue %3, %u[1, 1] : !llvm.struct<(i8, array<2 x f32>, struct<(f32, "
       "i64)>)>\n"
       "%w = llvm.insertvalue %1, %v[2, 0] : !llvm.struct<(i8, array<2 x f32>, struct<(f32, "
       "i64)>)>\n"
       "%x = llvm.select %c, %w, %u : i1, !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)>\n"
       "%p = llvm.alloca %i x !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)> : (i64) -> "
       "!llvm.ptr\n"
       "llvm.store %x, %p : !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)>, !llvm.ptr\n"
       "%l = llvm.load %p : !llvm.ptr -> !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)>\n"
       "llvm.br ^bb1(%l : !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)>)\n"
       "^bb1(%y: !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)>):\n"
       "%z = llvm.extractvalue %y[1] : !llvm.struct<(i8, array<2 x f32>, struct<(f32, i64)>)>\n"
       "%r = llvm.extractvalue %z[1] : !llvm.array<2 x f32>\nllvm.return %r : f32\n}\n",
       "fsub 5", 24, 24},
  };
  expect(programs, sizeof programs / sizeof *programs);
}

static void test_which_is_told(void **state) {
  (void)state;
  static const program programs[] = {
      // 24 bits of a number that is too small to matter beside one that has lost ten.
      {MAIN "f32 {\n" BIG LOST "%3 = arith.subf %2, %0 : f32\n"
            "%s = arith.constant 1.0e-6 : f32\n%4 = arith.mulf %3, %s : f32\n"
            "%k = arith.constant 1.0e4 : f32\n%t = arith.constant 0.1 : f32\n"
            "%5 = arith.addf %k, %t : f32\n%6 = arith.subf %5, %k : f32\n"
            "%7 = arith.addf %4, %6 : f32\n" END("%7", "f32"),
       "fsub 11", 8, 18},
      // A difference, and what it was of again: the loss before is what is left.
      {MAIN "f32 {\n%0 = arith.constant 4096.0 : f32\n%1 = arith.constant 0.3001 : f32\n"
            "%2 = arith.addf %0, %1 : f32\n%k = arith.constant 4000.0 : f32\n"
            "%3 = arith.subf %2, %k : f32\n%m = arith.constant 96.3000946 : f32\n"
            "%4 = arith.subf %3, %m : f32\n%5 = arith.addf %4, %m : f32\n" END("%5", "f32"),
       "fsub 6", 5.1, 8},
      // Where two are close the program may take the other one: that is no loss.
      {MAIN "f32 {\n%0 = arith.constant 1.0e8 : f32\n%1 = arith.constant 1.0 : f32\n"
            "%t = arith.constant 2.0 : f32\n%x = arith.addf %0, %1 : f32\n"
            "%y = arith.addf %0, %t : f32\n%m = arith.maximumf %x, %y : f32\n"
            "%r = arith.subf %m, %y : f32\n" END("%r", "f32"),
       "none", 0, 0},
      // What was written over by something without shadows, the same number.
      {"memref.global \"private\" constant @k : memref<2xf32> = dense<[0.0, 5.0]>\n" MAIN
       "f32 {\n" BIG LOST "%3 = arith.subf %2, %0 : f32\n%c = arith.constant 0 : index\n"
       "%y = memref.alloc() : memref<2xf32>\nmemref.store %3, %y[%c] : memref<2xf32>\n"
       "%k = memref.get_global @k : memref<2xf32>\n"
       "memref.copy %k, %y : memref<2xf32> to memref<2xf32>\n"
       "%l = memref.load %y[%c] : memref<2xf32>\n" END("%l", "f32"),
       "none", 0, 0},
      {"llvm.func @main() -> f32 {\n%0 = llvm.mlir.constant(1.0e8 : f32) : f32\n"
       "%1 = llvm.mlir.constant(1.0 : f32) : f32\n%2 = llvm.fadd %0, %1 : f32\n"
       "%3 = llvm.fsub %2, %0 : f32\n%i = llvm.mlir.constant(4 : i64) : i64\n"
       "%b = llvm.mlir.constant(0 : i8) : i8\n%p = llvm.alloca %i x f32 : (i64) -> !llvm.ptr\n"
       "llvm.store %3, %p : f32, !llvm.ptr\n"
       "\"llvm.intr.memset\"(%p, %b, %i) <{isVolatile = false}> : (!llvm.ptr, i8, i64) -> ()\n"
       "%r = llvm.load %p : !llvm.ptr -> f32\nllvm.return %r : f32\n}\n",
       "none", 0, 0},
      {"llvm.func @main() -> f32 {\n%0 = llvm.mlir.constant(1.0e8 : f32) : f32\n"
       "%1 = llvm.mlir.constant(1.0 : f32) : f32\n%2 = llvm.fadd %0, %1 : f32\n"
       "%3 = llvm.fsub %2, %0 : f32\n%i = llvm.mlir.constant(4 : i64) : i64\n"
       "%b = llvm.mlir.constant(0 : i32) : i32\n%p = llvm.alloca %i x f32 : (i64) -> !llvm.ptr\n"
       "llvm.store %3, %p : f32, !llvm.ptr\nllvm.store %b, %p : i32, !llvm.ptr\n"
       "%r = llvm.load %p : !llvm.ptr -> f32\nllvm.return %r : f32\n}\n",
       "none", 0, 0},
  };
  expect(programs, sizeof programs / sizeof *programs);
}

// The values are those that led to the worst element, not those of a larger loss beside it.
static void test_values(void **state) {
  (void)state;
  const testing_request request = {
      .source = MAIN "tensor<2xf32> {\n%a = arith.constant dense<[1.0e8, 1000.0]> : tensor<2xf32>\n"
                     "%b = arith.constant dense<[1.0, 0.3]> : tensor<2xf32>\n"
                     "%k = arith.constant dense<[0.0, 1.0]> : tensor<2xf32>\n"
                     "%s = arith.addf %a, %b : tensor<2xf32>\n"
                     "%d = arith.subf %s, %a : tensor<2xf32>\n"
                     "%m = arith.mulf %d, %k : tensor<2xf32>\n" END("%m", "tensor<2xf32>"),
      .instrument = ASSAY_INSTRUMENT_LOSS,
      .run = {.data = 1, .poison = 0x5A}};
  const assay_loss_log *log = testing_answer(&request, 1, &request.run)->loss_logs[0];
  assert_int_equal(log->element, 1);
  assert_true(log->op >= 0 && log->event.operand_count == 2);
  assert_true(log->event.operands[1].numbers[0] == 1000.0);
  assert_true(log->event.lost > 8 && log->event.lost < 12);
  assert_true(log->event.lost == log->lost);
}

// Where the shadow's own bits are used up.
static void test_what_cannot_be_told(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "f32 {\n%0 = arith.constant 1.0e20 : f32\n%1 = arith.constant 1.0 : f32\n" LOST
            "%3 = arith.subf %2, %0 : f32\n" END("%3", "f32"),
       "untold", 0, 0},
      {MAIN "f64 {\n%0 = arith.constant 1.0 : f64\n%1 = arith.constant 1.0e-25 : f64\n"
            "%2 = arith.addf %0, %1 : f64\n%3 = math.log %2 : f64\n" END("%3", "f64"),
       "untold", 0, 0},
      // Where it does not matter further on.
      {MAIN "f32 {\n%0 = arith.constant 1.0e20 : f32\n%1 = arith.constant 1.0 : f32\n" LOST
            "%3 = arith.subf %2, %0 : f32\n%4 = arith.addf %3, %0 : f32\n" END("%4", "f32"),
       "none", 0, 0},
      // What is exact in spite of its size, or the same twice.
      {MAIN "f32 {\n%0 = arith.constant 0.3 : f32\n%1 = arith.constant 0.7 : f32\n"
            "%2 = arith.mulf %0, %1 : f32\n%3 = arith.mulf %1, %0 : f32\n"
            "%4 = arith.subf %2, %3 : f32\n" END("%4", "f32"),
       "none", 0, 0},
      {MAIN "f64 {\n%0 = arith.constant 2.0 : f64\n%1 = math.sqrt %0 : f64\n"
            "%2 = math.sqrt %0 : f64\n%3 = arith.subf %2, %1 : f64\n" END("%3", "f64"),
       "none", 0, 0},
  };
  expect(programs, sizeof programs / sizeof *programs);
}

static void test_accurate_programs(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "f32 {\n%x = arith.constant 0.3 : f32\n%0 = math.exp %x : f32\n"
            "%1 = math.tanh %0 : f32\n%2 = arith.divf %1, %x : f32\n" END("%2", "f32"),
       "none", 0, 2},
      // Exact cancellation.
      {MAIN "f32 {\n%x = arith.constant 0.3 : f32\n%0 = arith.subf %x, %x : f32\n" END("%0", "f32"),
       "none", 0, 0},
      {MAIN "f64 {\n%x = arith.constant 3 : i32\n%0 = arith.sitofp %x : i32 to f64\n"
            "%1 = math.sqrt %0 : f64\n%2 = arith.mulf %1, %1 : f64\n" END("%2", "f64"),
       "none", 0, 2},
      {"func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {\n"
       "%z = arith.constant 0.0 : f32\n%e = tensor.empty() : tensor<3x7xf32>\n"
       "%f = linalg.fill ins(%z : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>\n"
       "%0 = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>) outs(%f : "
       "tensor<3x7xf32>) -> tensor<3x7xf32>\n%1 = arith.mulf %0, %0 : tensor<3x7xf32>\n"
       "%o = arith.constant dense<1.0> : tensor<3x7xf32>\n"
       "%2 = arith.addf %1, %o : tensor<3x7xf32>\nreturn %2 : tensor<3x7xf32>\n}\n",
       "none", 0, 2},
      // What a sum loses by rounding alone.
      {"func.func @main(%a: tensor<8x16xf32>) -> tensor<8x16xf32> {\n"
       "%e = tensor.empty() : tensor<8x16xf32>\n"
       "%0 = linalg.softmax dimension(1) ins(%a : tensor<8x16xf32>) outs(%e : tensor<8x16xf32>) -> "
       "tensor<8x16xf32>\nreturn %0 : tensor<8x16xf32>\n}\n",
       "none", 0.5, 5},
  };
  expect(programs, sizeof programs / sizeof *programs);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_cancellation),
      cmocka_unit_test(test_ways_of_a_shadow),
      cmocka_unit_test(test_structures),
      cmocka_unit_test(test_which_is_told),
      cmocka_unit_test(test_values),
      cmocka_unit_test(test_what_cannot_be_told),
      cmocka_unit_test(test_accurate_programs),
  };
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
