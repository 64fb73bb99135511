// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The event that a NaN or an infinity in a result is of, told exactly: by the operands of that one
// execution, with what is harmless left as it is.
#include "compiler/tail/origin_testing.h"

// What the smallest number stands for.
static const char *tell(const assay_tail_answer *answer, assay_arena *arena) {
  assay_text text = {.arena = arena};
  const assay_exact_log *log = answer->exact_logs;
  int number = 0, index;
  for (int i = 0; i < log->range_count; i++)
    if (number == 0 || log->ranges[i].number < number)
      number = log->ranges[i].number;
  switch (assay_exact_source_of(number, &index)) {
  case ASSAY_EXACT_NONE:
    return "none";
  case ASSAY_EXACT_UNKNOWN:
    return "unknown";
  case ASSAY_EXACT_ARGUMENT:
    return assay_arena_format(arena, "argument %d", index);
  case ASSAY_EXACT_CONSTANT:
    return tell_op(&text, &answer->origin->constants[index]);
  case ASSAY_EXACT_LATE:
    return tell_op(&text, &answer->origin->ops[index]);
  case ASSAY_EXACT_EVENT:
    break;
  }
  const assay_origin_event *event = &log->events[index];
  return tell_event(answer, event, &text);
}

#define LOOP(count, values, types)                                                                 \
  "%l = arith.constant 0 : index\n%h = arith.constant " count " : index\n"                         \
  "%s = arith.constant 1 : index\nscf.for " values " -> " types " {\n"

static void test_executions_of_an_operation(void **state) {
  (void)state;
  static const program programs[] = {
      // The first of them is thrown away by a select.
      {MAIN "f32 {\n" ZERO
            "%t = arith.constant dense<[0.0, 3.0, 0x7F800000, 2.0]> : tensor<4xf32>\n"
            "%l = arith.constant 0 : index\n%h = arith.constant 4 : index\n"
            "%s = arith.constant 1 : index\n"
            "%r = scf.for %i = %l to %h step %s iter_args(%a = %0) -> (f32) {\n"
            "%x = tensor.extract %t[%i] : tensor<4xf32>\n%q = arith.divf %x, %x : f32\n"
            "%p = arith.cmpf oeq, %x, %0 : f32\n%g = arith.select %p, %0, %q : f32\n"
            "%n = arith.addf %a, %g : f32\nscf.yield %n : f32\n}\n" END("%r", "f32"),
       "fdiv 9: inf, inf"},
      // Another operation comes to the result first.
      {MAIN "tensor<2xf32> {\n" ZERO
            "%t = arith.constant dense<[0.0, -1.0, 0x7F800000]> : tensor<3xf32>\n"
            "%l = arith.constant 0 : index\n%h = arith.constant 3 : index\n"
            "%s = arith.constant 1 : index\n"
            "%r:2 = scf.for %i = %l to %h step %s iter_args(%a = %0, %b = %0) -> (f32, f32) {\n"
            "%x = tensor.extract %t[%i] : tensor<3xf32>\n%q = arith.divf %x, %x : f32\n"
            "%p = arith.cmpf oeq, %x, %0 : f32\n%g = arith.select %p, %0, %q : f32\n"
            "%n = arith.addf %a, %g : f32\n%w = math.sqrt %x : f32\n"
            "%v = arith.addf %b, %w : f32\nscf.yield %n, %v : f32, f32\n}\n"
            "%e = tensor.from_elements %r#0, %r#1 : tensor<2xf32>\n" END("%e", "tensor<2xf32>"),
       "call @sqrtf 13: -1"},
      // Two NaN of equal bits, of which a select takes the second.
      {MAIN "f32 {\n" ZERO "%1 = arith.divf %0, %0 : f32\n%m = arith.constant -2.0 : f32\n"
            "%x = arith.mulf %m, %m : f32\n%y = arith.mulf %0, %m : f32\n"
            "%2 = arith.divf %y, %0 : f32\n%c = arith.cmpf olt, %x, %0 : f32\n"
            "%3 = arith.select %c, %1, %2 : f32\n" END("%3", "f32"),
       "fdiv 7: -0, 0"},
      {MAIN
       "vector<2xf32> {\n%0 = arith.constant dense<[0.0, 1.0]> : vector<2xf32>\n"
       "%1 = arith.divf %0, %0 : vector<2xf32>\n%m = arith.constant dense<-1.0> : "
       "vector<2xf32>\n%2 = math.sqrt %m : vector<2xf32>\n"
       "%c = arith.cmpf oeq, %0, %1 : vector<2xf32>\n"
       "%3 = arith.select %c, %1, %2 : vector<2xi1>, vector<2xf32>\n" END("%3", "vector<2xf32>"),
       "call @sqrtf 5: -1"},
      // More of them than are written down.
      {MAIN "f32 {\n" ZERO "%l = arith.constant 0 : index\n%h = arith.constant 5000 : index\n"
            "%s = arith.constant 1 : index\n"
            "%r = scf.for %i = %l to %h step %s iter_args(%a = %0) -> (f32) {\n"
            "%q = arith.divf %a, %0 : f32\n%p = arith.cmpf uno, %q, %q : f32\n"
            "%g = arith.select %p, %0, %q : f32\nscf.yield %g : f32\n}\n"
            "%m = arith.constant -1.0 : f32\n%n = math.log %m : f32\n"
            "%e = arith.addf %n, %r : f32\n" END("%e", "f32"),
       "call @logf 13"},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_NAN_EXACTLY);
}

static void test_harmless_infinities(void **state) {
  (void)state;
  static const program programs[] = {
      {MAIN "f32 {\n" BIG "%h = arith.constant 88.8 : f32\n%one = arith.constant 1.0 : f32\n"
            "%a = math.exp %h : f32\n%q = arith.divf %one, %a : f32\n"
            "%c = arith.mulf %0, %0 : f32\n%r = arith.addf %c, %q : f32\n" END("%r", "f32"),
       "fmul 7: 3e+38, 3e+38"},
      {"func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
       "%inf = arith.constant dense<[0xFF800000, 0xFF800000, 1.0, 2.0]> : tensor<4xf32>\n"
       "%big = arith.constant dense<100.0> : tensor<4xf32>\n%e = math.exp %inf : tensor<4xf32>\n"
       "%eb = math.exp %big : tensor<4xf32>\n%one = arith.constant dense<1.0> : tensor<4xf32>\n"
       "%q = arith.divf %one, %eb : tensor<4xf32>\n%s = arith.addf %e, %q : tensor<4xf32>\n"
       "%huge = arith.constant dense<3.0e38> : tensor<4xf32>\n"
       "%h = arith.mulf %huge, %huge : tensor<4xf32>\n%r = arith.addf %s, %h : tensor<4xf32>\n" END(
           "%r", "tensor<4xf32>"),
       "fmul 10: 3e+38, 3e+38"},
      // Clamped.
      {MAIN "f32 {\n" BIG "%h = arith.constant 100.0 : f32\n%six = arith.constant 6.0 : f32\n"
            "%a = math.exp %h : f32\n%p = arith.cmpf olt, %a, %six : f32\n"
            "%s = arith.select %p, %a, %six : f32\n%m = arith.minimumf %a, %six : f32\n"
            "%t = arith.mulf %0, %m : f32\n%u = arith.addf %t, %s : f32\n" END("%u", "f32"),
       "fmul 9: 3e+38, 6"},
      // A branch that it decides.
      {MAIN "f32 {\n" BIG "%one = arith.constant 1.0 : f32\n%a = arith.mulf %0, %0 : f32\n"
            "%c = arith.cmpf ogt, %a, %one : f32\n%r = scf.if %c -> f32 {\n"
            "%z = arith.subf %one, %one : f32\n%d = arith.divf %one, %z : f32\nscf.yield %d : f32\n"
            "} else {\n%e = math.exp %0 : f32\nscf.yield %e : f32\n}\n" END("%r", "f32"),
       "fdiv 8: 1, 0"},
      // A NaN that no infinity made; and one that none led to.
      {"func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
       "%c = arith.constant dense<[100.0, -1.0]> : tensor<2xf32>\n"
       "%one = arith.constant dense<1.0> : tensor<2xf32>\n%e = math.exp %c : tensor<2xf32>\n"
       "%q = arith.divf %one, %e : tensor<2xf32>\n%s = math.sqrt %c : tensor<2xf32>\n"
       "%r = arith.addf %q, %s : tensor<2xf32>\n" END("%r", "tensor<2xf32>"),
       "none"},
      {"func.func @main(%x: tensor<4xf16>) -> tensor<4xf16> {\n"
       "%k = arith.constant dense<[-1.0, 0.0, 1.0, 2.0]> : tensor<4xf16>\n"
       "%s = math.log %k : tensor<4xf16>\n%t = math.tanh %s : tensor<4xf16>\n"
       "%c = math.cbrt %t : tensor<4xf16>\n" END("%c", "tensor<4xf16>"),
       "none"},
      // On until it overflows.
      {MAIN
       "f32 {\n%0 = arith.constant 2.0 : f32\n%big = arith.constant 3.0e38 : f32\n"
       "%r = scf.while (%a = %0) : (f32) -> f32 {\n"
       "%c = arith.cmpf ule, %a, %big : f32\nscf.condition(%c) %a : f32\n} do {\n"
       "^bb0(%a: f32):\n%n = arith.mulf %a, %a : f32\nscf.yield %n : f32\n}\n" END("%r", "f32"),
       "fmul 9: 1.84467e+19, 1.84467e+19"},
      // One that meets an infinity, as a maximum begins with.
      {MAIN "f32 {\n%0 = arith.constant 0xFF800000 : f32\n%m = arith.constant -1.0 : f32\n"
            "%n = math.sqrt %m : f32\n%1 = arith.maximumf %0, %n : f32\n"
            "%2 = arith.addf %1, %0 : f32\n" END("%2", "f32"),
       "none"},
      // The greater of two, which was made later.
      {MAIN "f32 {\n" BIG "%m = arith.negf %0 : f32\n%1 = arith.mulf %m, %0 : f32\n"
            "%2 = arith.mulf %0, %0 : f32\n%3 = arith.maximumf %1, %2 : f32\n" END("%3", "f32"),
       "fmul 5: 3e+38, 3e+38"},
      // A NaN of infinities has their number.
      {MAIN "f32 {\n" BIG "%1 = arith.mulf %0, %0 : f32\n%2 = arith.subf %1, %1 : f32\n"
            "%3 = math.sin %2 : f32\n" END("%3", "f32"),
       "fmul 3: 3e+38, 3e+38"},
      {MAIN
       "f32 {\n%0 = arith.constant 0xFF800000 : f32\n%1 = math.absf %0 : f32\n" END("%1", "f32"),
       "arith.constant 2"},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_INF_EXACTLY);
}

static void test_floats_of_a_byte(void **state) {
  (void)state;
  static const program programs[] = {
      // Made by a narrowing, widened again, after a NaN that is thrown away.
      {MAIN "tensor<3xf32> {\n%b = arith.constant dense<[1.0, 1000.0, -3.0]> : tensor<3xf32>\n"
            "%z = arith.constant dense<0.0> : tensor<3xf32>\n%l = math.log %b : tensor<3xf32>\n"
            "%p = arith.cmpf uno, %l, %l : tensor<3xf32>\n"
            "%s = arith.select %p, %z, %l : tensor<3xi1>, tensor<3xf32>\n"
            "%a = math.absf %b : tensor<3xf32>\n"
            "%c = arith.truncf %a : tensor<3xf32> to tensor<3xf8E4M3FN>\n"
            "%w = arith.extf %c : tensor<3xf8E4M3FN> to tensor<3xf32>\n"
            "%q = arith.addf %w, %s : tensor<3xf32>\n" END("%q", "tensor<3xf32>"),
       "call @__assay_narrow_f8_2 8: 1000"},
      // The result itself.
      {MAIN "tensor<3xf8E4M3FN> {\n%b = arith.constant dense<[1.0, 1000.0, -1.0]> : tensor<3xf32>\n"
            "%n = arith.negf %b : tensor<3xf32>\n%s = math.absf %n : tensor<3xf32>\n"
            "%c = arith.truncf %s : tensor<3xf32> to tensor<3xf8E4M3FN>\n" END(
                "%c", "tensor<3xf8E4M3FN>"),
       "call @__assay_narrow_f8_2 5: 1000"},
      // Through it.
      {MAIN "f32 {\n" ZERO "%1 = arith.divf %0, %0 : f32\n%2 = arith.truncf %1 : f32 to f8E5M2\n"
            "%3 = arith.extf %2 : f8E5M2 to f32\n" END("%3", "f32"),
       "fdiv 3: 0, 0"},
      // One of two results.
      {"func.func @main(%x: tensor<3xf32>) -> (tensor<3xf8E4M3FN>, tensor<3xbf16>) {\n"
       "%b = arith.constant dense<[1000.0, 1.0, -1000.0]> : tensor<3xf32>\n"
       "%c = arith.truncf %b : tensor<3xf32> to tensor<3xf8E4M3FN>\n"
       "%z = arith.constant dense<0.0> : tensor<3xbf16>\n"
       "%w = arith.truncf %b : tensor<3xf32> to tensor<3xbf16>\n"
       "%q = arith.mulf %w, %z : tensor<3xbf16>\n%d = arith.divf %q, %z : tensor<3xbf16>\n"
       "return %c, %d : tensor<3xf8E4M3FN>, tensor<3xbf16>\n}\n",
       "call @__assay_narrow_f8_2 3: 1000"},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_NAN_EXACTLY);
}

static void test_ways_of_a_number(void **state) {
  (void)state;
  static const program programs[] = {
      // Memory, its copies, and a function.
      {"func.func @main() -> f32 {\n%0 = arith.constant 0.0 : f32\n%m = memref.alloc() : "
       "memref<2xf32>\n%i = arith.constant 1 : index\n%1 = func.call @f(%0) : (f32) -> f32\n"
       "memref.store %1, %m[%i] : memref<2xf32>\n%n = memref.alloc() : memref<2xf32>\n"
       "memref.copy %m, %n : memref<2xf32> to memref<2xf32>\n"
       "%2 = memref.load %n[%i] : memref<2xf32>\nreturn %2 : f32\n}\n"
       "func.func @f(%x: f32) -> f32 {\n%0 = arith.divf %x, %x : f32\nreturn %0 : f32\n}\n",
       "fdiv 13: 0, 0"},
      // Types, libm, and a reduction.
      {MAIN "f16 {\n" ZERO "%n = arith.divf %0, %0 : f32\n%a = arith.truncf %n : f32 to bf16\n"
            "%b = arith.extf %a : bf16 to f32\n%c = math.sin %b : f32\n"
            "%v = vector.from_elements %0, %c : vector<2xf32>\n"
            "%k = vector.reduction <add>, %v : vector<2xf32> into f32\n"
            "%d = arith.extf %k : f32 to f64\n%e = math.atan2 %d, %d : f64\n"
            "%f = arith.truncf %e : f64 to f16\n" END("%f", "f16"),
       "fdiv 3: 0, 0"},
      // The first of two, whichever way they meet.
      {MAIN "f32 {\n" ZERO "%1 = arith.divf %0, %0 : f32\n%m = arith.constant -1.0 : f32\n"
            "%2 = math.log %m : f32\n%3 = arith.addf %2, %1 : f32\n" END("%3", "f32"),
       "fdiv 3: 0, 0"},
      // One of several results.
      {"func.func @main() -> (f32, f32) {\n" ZERO "%1:2 = func.call @f(%0) : (f32) -> (f32, f32)\n"
       "return %1#1, %1#0 : f32, f32\n}\nfunc.func @f(%x: f32) -> (f32, f32) {\n"
       "%0 = arith.divf %x, %x : f32\nreturn %x, %0 : f32, f32\n}\n",
       "fdiv 7: 0, 0"},
      // What is printed.
      {"func.func @main() -> f32 {\n" ZERO "%1 = arith.divf %0, %0 : f32\nvector.print %1 : f32\n"
       "return %0 : f32\n}\n",
       "fdiv 3: 0, 0"},
      {MAIN "tensor<3xf16> {\n%0 = arith.constant dense<[1.0, 0x7E00, 2.0]> : tensor<3xf16>\n"
            "%1 = arith.negf %0 : tensor<3xf16>\n" END("%1", "tensor<3xf16>"),
       "arith.constant 2"},
      // Bits are not followed, and that is said.
      {MAIN "f32 {\n" ZERO "%n = arith.divf %0, %0 : f32\n%1 = arith.bitcast %n : f32 to i32\n"
            "%2 = arith.bitcast %1 : i32 to f32\n" END("%2", "f32"),
       "unknown"},
  };
  expect(programs, sizeof programs / sizeof *programs, ASSAY_INSTRUMENT_NAN_EXACTLY);
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
      .instrument = ASSAY_INSTRUMENT_NAN_EXACTLY,
      .run = {.data = 1}};
  assay_arena *arena = assay_arena_create();
  const assay_tail_answer *answer = testing_answer(&request, 1, &request.run);
  assert_string_equal(tell(answer, arena), "argument 1");
  assert_int_equal(assay_exact_number(answer->exact_logs, ASSAY_OBSERVED_RESULT, 0, 0), 0);
  assert_int_not_equal(assay_exact_number(answer->exact_logs, ASSAY_OBSERVED_RESULT, 0, 1), 0);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_executions_of_an_operation),
      cmocka_unit_test(test_harmless_infinities),
      cmocka_unit_test(test_floats_of_a_byte),
      cmocka_unit_test(test_ways_of_a_number),
      cmocka_unit_test(test_an_argument),
  };
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
