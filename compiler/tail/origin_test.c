// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Each kind of operation that makes a NaN or an infinity is told, with its line and its operands,
// and what the results do not hold is not.
#include "compiler/tail/origin_testing.h"

static assay_origin_format format_of(const assay_observed *item) {
  return item->element == ASSAY_ELEMENT_INTEGER || item->element > ASSAY_ELEMENT_F64
             ? ASSAY_ORIGIN_OTHER
             : (assay_origin_format)(item->element - ASSAY_ELEMENT_F16 + ASSAY_ORIGIN_F16);
}

static int least_number(const assay_observation *seen) {
  int least = 0;
  for (int i = 0; i < seen->count; i++)
    for (int64_t k = 0; k < seen->items[i].count; k++) {
      const assay_observed *item = &seen->items[i];
      int number = assay_origin_number(format_of(item), (const char *)item->data + k * item->bytes);
      if (number > 0 && (least == 0 || number < least))
        least = number;
    }
  return least;
}

// What the smallest number in the results stands for.
static const char *tell(const assay_tail_answer *answer, assay_arena *arena) {
  assay_text text = {.arena = arena};
  const assay_origin_log *log = &answer->origin_logs[0];
  int number = least_number(&answer->outcomes[0].seen);
  if (number == 0)
    return "none";
  if (number > ASSAY_ORIGIN_EVENTS + ASSAY_ORIGIN_ARGUMENTS)
    return tell_op(
        &text,
        &answer->origin->constants[number - ASSAY_ORIGIN_EVENTS - ASSAY_ORIGIN_ARGUMENTS - 1]);
  if (number > ASSAY_ORIGIN_EVENTS)
    return assay_arena_format(arena, "argument %d",
                              log->arguments[number - ASSAY_ORIGIN_EVENTS - 1]);
  const assay_origin_event *event = &log->events[number - 1];
  return tell_event(answer, event, &text);
}

static void test_operations_that_make_a_nan(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "f32 {\n" ZERO "%1 = arith.divf %0, %0 : f32\n" END("%1", "f32"), "fdiv 3: 0, 0", NULL},
      {MAIN "f32 {\n" BIG "%1 = arith.mulf %0, %0 : f32\n"
            "%2 = arith.subf %1, %1 : f32\n" END("%2", "f32"),
       "fsub 4: inf, inf", NULL},
      {MAIN "f32 {\n" BIG "%1 = arith.mulf %0, %0 : f32\n%2 = arith.negf %1 : f32\n"
            "%3 = arith.addf %1, %2 : f32\n" END("%3", "f32"),
       "fadd 5: inf, -inf", NULL},
      {MAIN "f32 {\n" BIG "%1 = arith.mulf %0, %0 : f32\n%z = arith.subf %0, %0 : f32\n"
            "%3 = arith.mulf %z, %1 : f32\n" END("%3", "f32"),
       "fmul 5: 0, inf", NULL},
      {MAIN "f32 {\n" ZERO "%1 = arith.remf %0, %0 : f32\n" END("%1", "f32"), "frem 3: 0, 0", NULL},
      {MAIN "f32 {\n%0 = arith.constant -1.0 : f32\n%1 = math.sqrt %0 : f32\n" END("%1", "f32"),
       "call @sqrtf 3: -1", NULL},
      {MAIN "f64 {\n%0 = arith.constant -1.0 : f64\n%1 = math.log %0 : f64\n" END("%1", "f64"),
       "call @log 3: -1", NULL},
      {MAIN "f64 {\n%0 = arith.constant -1.0 : f64\n%1 = arith.constant 0.5 : f64\n"
            "%2 = math.powf %0, %1 : f64\n" END("%2", "f64"),
       "call @pow 4: -1, 0.5", NULL},
      {MAIN "f32 {\n" BIG "%1 = arith.mulf %0, %0 : f32\n%2 = arith.negf %1 : f32\n"
            "%3 = math.fma %0, %0, %2 : f32\n" END("%3", "f32"),
       "none", NULL}, // 9e76, exactly, less an infinity
      {MAIN "f32 {\n" BIG "%1 = arith.mulf %0, %0 : f32\n%z = arith.subf %0, %0 : f32\n"
            "%3 = math.fma %z, %1, %0 : f32\n" END("%3", "f32"),
       "call @fmaf 5: 0, inf, 3e+38", NULL},
      {MAIN "f16 {\n%0 = arith.constant 0.0 : f16\n%1 = arith.divf %0, %0 : f16\n" END("%1", "f16"),
       "fdiv 3: 0, 0", NULL},
      {MAIN
       "bf16 {\n%0 = arith.constant 0.0 : bf16\n%1 = arith.divf %0, %0 : bf16\n" END("%1", "bf16"),
       "fdiv 3: 0, 0", NULL},
      {MAIN "vector<4xf32> {\n%0 = arith.constant dense<[1.0, 0.0, 2.0, 0.0]> : vector<4xf32>\n"
            "%1 = arith.divf %0, %0 : vector<4xf32>\n" END("%1", "vector<4xf32>"),
       "fdiv 3: 0, 0", NULL},
      {MAIN
       "vector<2x2xf32> {\n%0 = arith.constant dense<[[1.0, 3.0], [2.0, 0.0]]> : "
       "vector<2x2xf32>\n%1 = arith.divf %0, %0 : vector<2x2xf32>\n" END("%1", "vector<2x2xf32>"),
       "fdiv 3: 0, 0", NULL},
      {MAIN "f32 {\n%0 = arith.constant dense<[3.0e38, 3.0e38, -3.0e38]> : vector<3xf32>\n"
            "%1 = arith.addf %0, %0 : vector<3xf32>\n"
            "%2 = vector.reduction <add>, %1 : vector<3xf32> into f32\n" END("%2", "f32"),
       "intr.vector.reduce.fadd 4: 0, inf inf -inf", NULL},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_NAN);
}

static void test_ways_of_a_nan(void **state) {
  (void)state;
  static const program programs[] = {
      // Dropped by a select; and the one that is not.
      {MAIN "f32 {\n" ZERO "%n = arith.divf %0, %0 : f32\n%b = arith.cmpf uno, %n, %n : f32\n"
            "%1 = arith.select %b, %0, %n : f32\n" END("%1", "f32"),
       "none", NULL},
      {MAIN "f32 {\n" ZERO "%n = arith.divf %0, %0 : f32\n%b = arith.cmpf uno, %n, %n : f32\n"
            "%1 = arith.select %b, %0, %n : f32\n%2 = math.log %1 : f32\n"
            "%3 = arith.mulf %2, %0 : f32\n" END("%3", "f32"),
       "fmul 7: -inf, 0", NULL},
      // Through memory, and from a function.
      {"func.func @main() -> f32 {\n%0 = arith.constant 0.0 : f32\n%m = memref.alloc() : "
       "memref<2xf32>\n%i = arith.constant 1 : index\n%1 = func.call @f(%0) : (f32) -> f32\n"
       "memref.store %1, %m[%i] : memref<2xf32>\n%2 = memref.load %m[%i] : memref<2xf32>\n"
       "return %2 : f32\n}\nfunc.func @f(%x: f32) -> f32 {\n%0 = arith.divf %x, %x : f32\n"
       "return %0 : f32\n}\n",
       "fdiv 11: 0, 0", NULL},
      // Round a loop: 1/4, 1/2, 1, inf, nan.
      {MAIN "f32 {\n%0 = arith.constant 0x7E800000 : f32\n%l = arith.constant 0 : index\n"
            "%h = arith.constant 4 : index\n%s = arith.constant 1 : index\n"
            "%r = scf.for %i = %l to %h step %s iter_args(%a = %0) -> (f32) {\n"
            "%t = arith.addf %a, %a : f32\n%d = arith.subf %t, %a : f32\n"
            "%u = arith.addf %d, %t : f32\nscf.yield %u : f32\n}\n" END("%r", "f32"),
       "fsub 8: inf, inf", NULL},
      // Through types, and through libm.
      {MAIN "f16 {\n" ZERO "%n = arith.divf %0, %0 : f32\n%a = arith.truncf %n : f32 to bf16\n"
            "%b = arith.extf %a : bf16 to f32\n%c = math.sin %b : f32\n"
            "%d = arith.extf %c : f32 to f64\n%e = math.atan2 %d, %d : f64\n"
            "%f = arith.truncf %e : f64 to f16\n" END("%f", "f16"),
       "fdiv 3: 0, 0", NULL},
      // The first of two, whichever way they meet.
      {MAIN "f32 {\n" ZERO "%1 = arith.divf %0, %0 : f32\n%m = arith.constant -1.0 : f32\n"
            "%2 = math.log %m : f32\n%3 = arith.addf %2, %1 : f32\n" END("%3", "f32"),
       "fdiv 3: 0, 0", NULL},
      {MAIN "f32 {\n" ZERO "%1 = arith.divf %0, %0 : f32\n%m = arith.constant -1.0 : f32\n"
            "%2 = math.log %m : f32\n%3 = arith.addf %1, %2 : f32\n" END("%3", "f32"),
       "fdiv 3: 0, 0", NULL},
      // Flags that promise there is none.
      {MAIN "f32 {\n" ZERO "%1 = arith.divf %0, %0 fastmath<fast> : f32\n" END("%1", "f32"),
       "fdiv 3: 0, 0", NULL},
      // Named operations, whose bodies have no place of their own.
      {MAIN "tensor<2x2xf32> {\n%0 = arith.constant dense<0.0> : tensor<2x2xf32>\n"
            "%e = tensor.empty() : tensor<2x2xf32>\n"
            "%1 = linalg.div ins(%0, %0 : tensor<2x2xf32>, tensor<2x2xf32>) outs(%e : "
            "tensor<2x2xf32>) -> tensor<2x2xf32>\n" END("%1", "tensor<2x2xf32>"),
       "fdiv 4: 0, 0", NULL},
      {MAIN "tensor<1x1xf32> {\n%0 = arith.constant dense<[[3.0e38, -3.0e38]]> : tensor<1x2xf32>\n"
            "%1 = arith.constant dense<[[3.0e38], [3.0e38]]> : tensor<2x1xf32>\n"
            "%e = arith.constant dense<0.0> : tensor<1x1xf32>\n"
            "%2 = linalg.matmul ins(%0, %1 : tensor<1x2xf32>, tensor<2x1xf32>) outs(%e : "
            "tensor<1x1xf32>) -> tensor<1x1xf32>\n" END("%2", "tensor<1x1xf32>"),
       "fadd 5: inf, -inf", NULL},
      {MAIN "tensor<2xf32> {\n%0 = \"tosa.const\"() {values = dense<0.0> : tensor<2xf32>} : () -> "
            "tensor<2xf32>\n%1 = tosa.reciprocal %0 : (tensor<2xf32>) -> tensor<2xf32>\n"
            "%2 = tosa.sub %1, %1 : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32>\n" END(
                "%2", "tensor<2xf32>"),
       "fsub 4: inf, inf", NULL},
      // Made of bits; and taken apart and put together again.
      {MAIN "f32 {\n%0 = arith.constant 2143289344 : i32\n%1 = arith.bitcast %0 : i32 to f32\n" END(
           "%1", "f32"),
       "bitcast 3: 2.14329e+09", NULL},
      {MAIN "f32 {\n" ZERO "%n = arith.divf %0, %0 : f32\n%1 = arith.bitcast %n : f32 to i32\n"
            "%2 = arith.bitcast %1 : i32 to f32\n" END("%2", "f32"),
       "fdiv 3: 0, 0", NULL},
      // Constants, where no operation is to be told.
      {MAIN "f32 {\n%0 = arith.constant 0x7FC00000 : f32\n" END("%0", "f32"), "arith.constant 2",
       NULL},
      {MAIN "tensor<3xf16> {\n%0 = arith.constant dense<[1.0, 0x7E00, 2.0]> : tensor<3xf16>\n"
            "%1 = arith.negf %0 : tensor<3xf16>\n" END("%1", "tensor<3xf16>"),
       "arith.constant 2", NULL},
      // After passes.
      {MAIN "tensor<2xf32> {\n%0 = arith.constant dense<0.0> : tensor<2xf32>\n"
            "%e = tensor.empty() : tensor<2xf32>\n"
            "%1 = linalg.div ins(%0, %0 : tensor<2xf32>, tensor<2xf32>) outs(%e : tensor<2xf32>) "
            "-> tensor<2xf32>\n" END("%1", "tensor<2xf32>"),
       "fdiv 4: 0, 0", DETENSOR ",convert-linalg-to-loops"},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_NAN);
}

// What conversions would fold, were it seen to be constant.
static void test_constants(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "f32 {\n%c0 = arith.constant 0 : index\n%t = arith.constant dense<[0.0, 1.0]> : "
            "tensor<2xf32>\n%z = tensor.extract %t[%c0] : tensor<2xf32>\n"
            "%d = arith.divf %z, %z : f32\n%e = math.sqrt %d : f32\n" END("%e", "f32"),
       "fdiv 5: 0, 0", NULL},
      {MAIN "f32 {\n" ZERO "%v = vector.from_elements %0, %0 : vector<2xf32>\n"
            "%x = vector.extract %v[0] : f32 from vector<2xf32>\n%d = arith.divf %x, %x : f32\n"
            "%e = math.log %d : f32\n" END("%e", "f32"),
       "fdiv 5: 0, 0", NULL},
      {MAIN "vector<2xf32> {\n%v = arith.constant dense<[0.0, 1.0, 2.0, 3.0]> : vector<4xf32>\n"
            "%s = vector.extract_strided_slice %v {offsets = [0], sizes = [2], strides = [1]} : "
            "vector<4xf32> to vector<2xf32>\n%d = arith.divf %s, %s : vector<2xf32>\n"
            "%e = math.log %d : vector<2xf32>\n" END("%e", "vector<2xf32>"),
       "fdiv 4: 0, 0", NULL},
      {MAIN "vector<4xf32> {\n" ZERO "%v = vector.broadcast %0 : f32 to vector<4xf32>\n"
            "%d = arith.divf %v, %v : vector<4xf32>\n" END("%d", "vector<4xf32>"),
       "fdiv 4: 0, 0", NULL},
      {MAIN "f32 {\n%a = complex.constant [0.0 : f32, 0.0 : f32] : complex<f32>\n"
            "%d = complex.div %a, %a : complex<f32>\n%r = complex.re %d : complex<f32>\n" END(
                "%r", "f32"),
       "fmul 3: inf, 0", NULL}, // as C's annex G divides by zero
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_NAN);
}

static void test_several_results(void **state) {
  (void)state;
  static const program programs[] = {
      {"llvm.func @main() -> f32 {\n%0 = llvm.mlir.constant(0x7F800000 : f32) : f32\n"
       "%1 = llvm.intr.sincos(%0) : (f32) -> !llvm.struct<(f32, f32)>\n"
       "%2 = llvm.extractvalue %1[1] : !llvm.struct<(f32, f32)>\nllvm.return %2 : f32\n}\n",
       "intr.sincos 3: inf", NULL},
      {MAIN "f32 {\n%0 = arith.constant 0x7F800000 : f32\n%s, %c = math.sincos %0 : f32\n"
            "%1 = arith.addf %s, %c : f32\n" END("%1", "f32"),
       "intr.sincos 3: inf", NULL},
      // Not a NaN: the other part stays what it is.
      {"llvm.func @main() -> f32 {\n%0 = llvm.mlir.constant(8.0 : f32) : f32\n"
       "%1 = llvm.intr.frexp(%0) : (f32) -> !llvm.struct<(f32, i32)>\n"
       "%2 = llvm.extractvalue %1[1] : !llvm.struct<(f32, i32)>\n"
       "%3 = llvm.sitofp %2 : i32 to f32\n%4 = llvm.mlir.constant(4.0 : f32) : f32\n"
       "%5 = llvm.fsub %3, %4 : f32\n%6 = llvm.fdiv %5, %5 : f32\nllvm.return %6 : f32\n}\n",
       "fdiv 8: 0, 0", NULL},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_NAN);
}

static void test_operations_that_make_an_infinity(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "f32 {\n" BIG "%1 = arith.addf %0, %0 : f32\n" END("%1", "f32"), "fadd 3: 3e+38, 3e+38",
       NULL},
      {MAIN "f32 {\n" ZERO "%1 = math.log %0 : f32\n" END("%1", "f32"), "call @logf 3: 0", NULL},
      {MAIN "f32 {\n%0 = arith.constant 1.0e3 : f32\n%1 = math.exp %0 : f32\n" END("%1", "f32"),
       "call @expf 3: 1000", NULL},
      {MAIN "f16 {\n%0 = arith.constant 1.0e5 : f32\n%1 = arith.truncf %0 : f32 to f16\n" END(
           "%1", "f16"),
       "fptrunc 3: 100000", NULL},
      {MAIN "f16 {\n%0 = arith.constant 70000 : i32\n%1 = arith.sitofp %0 : i32 to f16\n" END(
           "%1", "f16"),
       "sitofp 3: 70000", NULL},
      {MAIN
       "f16 {\n%0 = arith.constant -1 : i32\n%1 = arith.uitofp %0 : i32 to f16\n" END("%1", "f16"),
       "uitofp 3: 4.29497e+09", NULL},
      // On to a NaN.
      {MAIN "f32 {\n" BIG
            "%1 = arith.mulf %0, %0 : f32\n%2 = arith.subf %1, %1 : f32\n" END("%2", "f32"),
       "fmul 3: 3e+38, 3e+38", NULL},
      // A mask's own infinity is no event, and goes on as it was.
      {MAIN
       "f32 {\n%0 = arith.constant 0xFF800000 : f32\n%1 = math.exp %0 : f32\n" END("%1", "f32"),
       "none", NULL},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_INF);
}

static void test_an_argument(void **state) {
  (void)state;
  const float numbers[] = {1, NAN, 2};
  const assay_tail_input inputs[] = {
      {.file = "x", .descr = "<f4", .data = numbers, .size = 12, .rank = 1, .dim = {3}},
      {.file = "y", .descr = "<f4", .data = numbers, .size = 12, .rank = 1, .dim = {3}}};
  const testing_request request = {
      .source = "func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {\n"
                "%0 = arith.addf %b, %b : tensor<3xf32>\nreturn %0 : tensor<3xf32>\n}\n",
      .inputs = inputs,
      .input_count = 2,
      .instrument = ASSAY_INSTRUMENT_NAN,
      .run = {.data = 1}};
  assay_arena *arena = assay_arena_create();
  assert_string_equal(tell(testing_answer(&request, 1, &request.run), arena), "argument 1");
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_operations_that_make_a_nan),
      cmocka_unit_test(test_ways_of_a_nan),
      cmocka_unit_test(test_constants),
      cmocka_unit_test(test_several_results),
      cmocka_unit_test(test_operations_that_make_an_infinity),
      cmocka_unit_test(test_an_argument),
  };
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
