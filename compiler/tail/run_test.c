// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a run shows besides its values: faults by name, limits, fresh memory, and what is printed.
#include "compiler/tail/tail_testing.h"

#define LOAD(buffer, index)                                                                        \
  "func.func @main() -> f32 {\n  %c = arith.constant " index " : index\n"                          \
  "  %m = " buffer "\n  %x = memref.load %m[%c] : memref<16xf32>\n"                                \
  "  return %x : f32\n}\n"
#define ALLOC "memref.alloc() {alignment = 64 : i64} : memref<16xf32>"

static const assay_tail_outcome *guarded(const char *source) {
  testing_request request = {.source = source, .run = {.poison = 0xc1, .guarded = true}};
  return testing_outcome(&request);
}

static void test_a_guard_names_what_is_read_out_of_bounds(void **state) {
  (void)state;
  const assay_tail_outcome *outcome = guarded(LOAD(ALLOC, "16"));
  assert_int_equal(outcome->status, ASSAY_TAIL_CRASHED);
  assert_string_equal(outcome->violation, "heap read out of bounds: block of 64 bytes, at byte 64");
  assert_non_null(strstr(outcome->reason, "SIGSEGV: read at address 0x"));
  assert_int_equal(guarded(LOAD(ALLOC, "15"))->status, ASSAY_TAIL_RAN);
}

static void test_a_guard_names_what_is_written_out_of_bounds(void **state) {
  (void)state;
  const assay_tail_outcome *outcome =
      guarded("func.func @main(%a: memref<6xi16>) {\n  %c = arith.constant 6 : index\n"
              "  %x = arith.constant 1 : i16\n  memref.store %x, %a[%c] : memref<6xi16>\n"
              "  return\n}\n");
  assert_int_equal(outcome->status, ASSAY_TAIL_CRASHED);
  assert_string_equal(outcome->violation,
                      "heap write out of bounds: block of 12 bytes, at byte 12");
}

static void test_a_guard_names_uses_of_freed_memory(void **state) {
  (void)state;
  const assay_tail_outcome *outcome =
      guarded("func.func @main() -> f32 {\n  %c = arith.constant 3 : index\n  %m = " ALLOC "\n"
              "  memref.dealloc %m : memref<16xf32>\n  %x = memref.load %m[%c] : memref<16xf32>\n"
              "  return %x : f32\n}\n");
  assert_int_equal(outcome->status, ASSAY_TAIL_CRASHED);
  assert_string_equal(outcome->violation, "heap read after free: block of 64 bytes, at byte 12");
  outcome = guarded("func.func @main() {\n  %m = " ALLOC "\n  memref.dealloc %m : memref<16xf32>\n"
                    "  memref.dealloc %m : memref<16xf32>\n  return\n}\n");
  assert_int_equal(outcome->status, ASSAY_TAIL_RAN);
  assert_string_equal(outcome->violation, "free of a block for the second time: block of 64 bytes");
}

// Of an alignment that leaves room behind a block's end, which no page guards, and before its
// start.
static void test_writes_beside_a_block_are_seen_in_both_tails(void **state) {
  (void)state;
  for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++) {
    testing_request request = {
        .source = "func.func @main(%x: f64) -> memref<21xf64> {\n  %c = arith.constant 21 : index\n"
                  "  %m = memref.alloc() {alignment = 64} : memref<21xf64>\n"
                  "  memref.store %x, %m[%c] : memref<21xf64>\n"
                  "  return %m : memref<21xf64>\n}\n",
        .tail = (assay_tail)tail,
        .run.guarded = true};
    assert_string_equal(testing_outcome(&request)->violation,
                        "heap write out of bounds: block of 168 bytes, at byte 168");
    request.source = "llvm.func @aligned_alloc(i64, i64) -> !llvm.ptr\n"
                     "llvm.func @main() {\n  %a = llvm.mlir.constant(64 : i64) : i64\n"
                     "  %n = llvm.mlir.constant(72 : i64) : i64\n"
                     "  %m = llvm.call @aligned_alloc(%a, %n) : (i64, i64) -> !llvm.ptr\n"
                     "  %p = llvm.getelementptr %m[72] : (!llvm.ptr) -> !llvm.ptr, i8\n"
                     "  llvm.store volatile %a, %p : i64, !llvm.ptr\n  llvm.return\n}\n";
    assert_string_equal(testing_outcome(&request)->violation,
                        "heap write behind the end: block of 72 bytes");
  }
}

// Two runs of one compilation with different poisons.
static bool poison_shows(const char *source, assay_tail tail) {
  testing_request request = {.source = source, .tail = tail};
  static const assay_tail_run runs[] = {{.poison = 0xc1}, {.poison = 0x5a}};
  const assay_tail_answer *answer = testing_answer(&request, 2, runs);
  if (answer->status != ASSAY_TAIL_RAN)
    fail_msg("%s", answer->reason);
  for (int i = 0; i < 2; i++)
    assert_int_equal(answer->outcomes[i].status, ASSAY_TAIL_RAN);
  return !testing_same(&answer->outcomes[0].seen, &answer->outcomes[1].seen);
}

static void test_what_is_read_before_it_is_written_is_poison(void **state) {
  (void)state;
  assert_true(poison_shows(LOAD(ALLOC, "2"), ASSAY_TAIL_FIRST));
  assert_true(poison_shows(LOAD("memref.alloca() : memref<16xf32>", "2"), ASSAY_TAIL_FIRST));
  assert_true(poison_shows("func.func @main() -> i32 {\n  %u = ub.poison : i32\n"
                           "  return %u : i32\n}\n",
                           ASSAY_TAIL_FIRST));
  assert_true(poison_shows("func.func @main() -> vector<4xf32> {\n  %u = llvm.mlir.undef : "
                           "vector<4xf32>\n  return %u : vector<4xf32>\n}\n",
                           ASSAY_TAIL_FIRST));
  static const char written[] =
      "func.func @main(%x: f32) -> f32 {\n  %c = arith.constant 2 : index\n"
      "  %m = memref.alloca() : memref<16xf32>\n  memref.store %x, %m[%c] : memref<16xf32>\n"
      "  %y = memref.load %m[%c] : memref<16xf32>\n  return %y : f32\n}\n";
  assert_false(poison_shows(written, ASSAY_TAIL_FIRST));
  assert_false(poison_shows(written, ASSAY_TAIL_SECOND));
}

static void test_division_by_zero_is_a_crash(void **state) {
  (void)state;
  testing_request request = {
      .source = "func.func @main(%a: i32) -> i32 {\n  %z = arith.subi %a, %a : i32\n"
                "  %r = arith.divsi %a, %z : i32\n  return %r : i32\n}\n"};
  const assay_tail_outcome *outcome = testing_outcome(&request);
  assert_int_equal(outcome->status, ASSAY_TAIL_CRASHED);
  assert_non_null(strstr(outcome->reason, "SIGFPE"));
}

static void test_a_run_that_never_ends_is_late(void **state) {
  (void)state;
  testing_request request = {.source = "func.func @main() {\n  cf.br ^a\n^a:\n  cf.br ^a\n}\n",
                             .seconds = 0.2};
  const assay_tail_outcome *outcome = testing_outcome(&request);
  assert_int_equal(outcome->status, ASSAY_TAIL_LATE);
}

static void test_a_run_that_sleeps_is_late(void **state) {
  (void)state;
  const testing_request asked = {
      .source = "func.func private @pause() -> i32\n"
                "func.func @main() {\n  call @pause() : () -> i32\n  return\n}\n",
      .seconds = 0.05};
  const assay_tail_outcome *outcome = testing_outcome(&asked);
  assert_int_equal(outcome->status, ASSAY_TAIL_LATE);
}

static bool is_optimised(const char *rounds) {
  char source[512];
  snprintf(source, sizeof source,
           "func.func @main() -> i32 {\n  %%a = arith.constant 0 : index\n"
           "  %%n = arith.constant %s : index\n  %%c = arith.constant 1 : index\n"
           "  %%z = arith.constant 0 : i32\n  %%o = arith.constant 1 : i32\n"
           "  %%r = scf.for %%i = %%a to %%n step %%c iter_args(%%s = %%z) -> (i32) {\n"
           "    %%t = arith.addi %%s, %%o : i32\n    scf.yield %%t : i32\n  }\n"
           "  return %%r : i32\n}\n",
           rounds);
  const testing_request request = {.source = source};
  return testing_answer(&request, 1, &request.run)->optimised;
}

static void test_what_has_much_to_compute_is_optimised(void **state) {
  (void)state;
  assert_true(is_optimised("200000000"));
  assert_false(is_optimised("2000"));
}

static void test_each_run_has_fresh_globals(void **state) {
  (void)state;
  testing_request request = {
      .source = "memref.global \"private\" @g : memref<i64> = dense<1>\n"
                "func.func @main() -> i64 {\n  %g = memref.get_global @g : memref<i64>\n"
                "  %v = memref.load %g[] : memref<i64>\n  %w = arith.addi %v, %v : i64\n"
                "  memref.store %w, %g[] : memref<i64>\n  return %w : i64\n}\n"};
  static const assay_tail_run runs[16] = {{.poison = 0xff}};
  const assay_tail_answer *answer = testing_answer(&request, 16, runs);
  for (int i = 0; i < 16; i++)
    testing_expect(&answer->outcomes[i].seen, 1, (const double[]){2});
}

static void test_a_large_stack(void **state) {
  (void)state;
  testing_request request = {
      .source = "func.func @main() -> i8 {\n  %c = arith.constant 33333333 : index\n"
                "  %m = memref.alloca() : memref<40000000xi8>\n"
                "  %x = arith.constant 7 : i8\n  memref.store %x, %m[%c] : memref<40000000xi8>\n"
                "  %y = memref.load %m[%c] : memref<40000000xi8>\n  return %y : i8\n}\n"};
  testing_expect(testing_see(&request), 1, (const double[]){7});
}

static void test_all_that_is_printed_is_seen(void **state) {
  (void)state;
  testing_request request = {
      .source =
          "func.func private @printMemrefF32(tensor<*xf32>)\n"
          "func.func private @printMemrefI32(memref<*xi32>) attributes {llvm.emit_c_interface}\n"
          "func.func private @printMemref1dF64(memref<?xf64>) attributes {llvm.emit_c_interface}\n"
          "func.func private @printF64(f64)\nfunc.func private @printNewline()\n"
          "func.func private @rtclock() -> f64\n"
          "func.func @main() {\n"
          "  %t = arith.constant dense<[1.5, 2.5]> : tensor<2xf32>\n"
          "  %u = tensor.cast %t : tensor<2xf32> to tensor<*xf32>\n"
          "  call @printMemrefF32(%u) : (tensor<*xf32>) -> ()\n"
          "  %m = memref.alloc() : memref<1x2xi32>\n  %i = arith.constant -3 : i32\n"
          "  linalg.fill ins(%i : i32) outs(%m : memref<1x2xi32>)\n"
          "  %n = memref.cast %m : memref<1x2xi32> to memref<*xi32>\n"
          "  call @printMemrefI32(%n) : (memref<*xi32>) -> ()\n"
          "  %c1 = arith.constant 1 : index\n  %d = memref.alloc(%c1) : memref<?xf64>\n"
          "  %c0 = arith.constant 0 : index\n  %clock = call @rtclock() : () -> f64\n"
          "  memref.store %clock, %d[%c0] : memref<?xf64>\n"
          "  call @printMemref1dF64(%d) : (memref<?xf64>) -> ()\n"
          "  %v = arith.constant dense<[true, false]> : vector<2xi1>\n"
          "  vector.print %v : vector<2xi1>\n  %h = arith.constant 0.5 : bf16\n"
          "  vector.print %h : bf16\n  vector.print str \"ab\"\n"
          "  %f = arith.constant 8.25 : f64\n  call @printF64(%f) : (f64) -> ()\n"
          "  call @printNewline() : () -> ()\n  return\n}\n"};
  static const double printed[] = {1.5, 2.5, -3, -3, 0, 1, 0, 0.5, 'a', 'b', 8.25};
  for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++) {
    request.tail = (assay_tail)tail;
    const assay_observation *seen = testing_see(&request);
    testing_expect(seen, 11, printed);
    assert_int_equal(seen->items[0].rank, 1);
    assert_int_equal(seen->items[6].element, ASSAY_ELEMENT_TEXT);
  }
}

static void test_runner_functions_can_be_called(void **state) {
  (void)state;
  // A copy between layouts calls memrefCopy of the runner library.
  testing_request request = {
      .source = "func.func @main(%a: memref<4x6xf32>, %b: memref<2x3xf32>) {\n"
                "  %s = memref.subview %a[0, 1] [2, 3] [2, 2] : memref<4x6xf32> to\n"
                "       memref<2x3xf32, strided<[12, 2], offset: 1>>\n"
                "  memref.copy %b, %s : memref<2x3xf32> to\n"
                "       memref<2x3xf32, strided<[12, 2], offset: 1>>\n  return\n}\n"};
  for (int tail = 0; tail < ASSAY_TAIL_COUNT; tail++) {
    request.tail = (assay_tail)tail;
    const assay_observation *seen = testing_see(&request);
    assert_float_equal(assay_observed_value(&seen->items[0], 15),
                       assay_observed_value(&seen->items[1], 4), 0);
  }
}

static void test_what_cannot_be_lowered_is_named(void **state) {
  (void)state;
  testing_request request = {
      .source = "func.func @main(%x: f32) -> f32 {\n  %0 = arith.truncf %x : f32 to f6E2M3FN\n"
                "  %1 = arith.extf %0 : f6E2M3FN to f32\n  return %1 : f32\n}\n"};
  const assay_tail_answer *answer = testing_answer(&request, 1, &request.run);
  assert_int_equal(answer->status, ASSAY_TAIL_NOT_RUN);
  assert_non_null(strstr(answer->reason, "arith.truncf"));
  request.source = "func.func @main(%x: memref<*xf32>) { return }\n";
  answer = testing_answer(&request, 1, &request.run);
  assert_int_equal(answer->status, ASSAY_TAIL_NOT_RUN);
  assert_string_equal(answer->reason, "argument 0: it has no rank");
}

static void expect_samples(testing_request *request) {
  request->run.data = 1;
  const assay_observation *plain = testing_see(request);
  request->instrument = ASSAY_INSTRUMENT_ROUNDING;
  static const assay_tail_run runs[] = {{.data = 1},
                                        {.data = 1, .seed = 1},
                                        {.data = 1, .seed = 2},
                                        {.data = 1, .seed = 2},
                                        {.data = 1, .seed = 2, .amplified = true},
                                        {.data = 0, .seed = 1},
                                        {.data = 0, .seed = 2}};
  const assay_tail_answer *answer = testing_answer(request, 7, runs);
  assert_int_equal(answer->status, ASSAY_TAIL_RAN);
  assert_string_equal(answer->uninstrumented, "");
  assert_true(testing_same(plain, &answer->outcomes[0].seen));
  assert_false(testing_same(plain, &answer->outcomes[1].seen));
  assert_false(testing_same(&answer->outcomes[1].seen, &answer->outcomes[2].seen));
  assert_true(testing_same(&answer->outcomes[2].seen, &answer->outcomes[3].seen));
  assert_false(testing_same(&answer->outcomes[3].seen, &answer->outcomes[4].seen));
  assert_true(testing_same(&answer->outcomes[5].seen, &answer->outcomes[6].seen)); // exact
}

static void test_samples_of_an_instrumented_program(void **state) {
  (void)state;
  testing_request request = {
      .source = "func.func @main(%a: tensor<5x33xf32>, %b: tensor<33x4xf32>) -> tensor<5x4xf32> {\n"
                "  %z = arith.constant 0.0 : f32\n  %e = tensor.empty() : tensor<5x4xf32>\n"
                "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<5x4xf32>) -> tensor<5x4xf32>\n"
                "  %r = linalg.matmul ins(%a, %b : tensor<5x33xf32>, tensor<33x4xf32>)\n"
                "       outs(%f : tensor<5x4xf32>) -> tensor<5x4xf32>\n"
                "  return %r : tensor<5x4xf32>\n}\n"};
  expect_samples(&request);
}

// One block of many operations, whose helpers are called.
static void test_samples_of_a_long_program(void **state) {
  (void)state;
  enum { SUMS = 400 };
  char *source = malloc(SUMS * 64), *at = source;
  assert_non_null(source);
  at += sprintf(at, "func.func @main(%%s0: f32, %%b: f32) -> f32 {\n");
  for (int i = 0; i < SUMS; i++)
    at += sprintf(at, "  %%s%d = arith.addf %%s%d, %%b : f32\n", i + 1, i);
  sprintf(at, "  return %%s%d : f32\n}\n", SUMS);
  testing_request request = {.source = source};
  expect_samples(&request);
  free(source);
}

static void test_a_users_tail_comes_first(void **state) {
  (void)state;
  assay_error err;
  static const char *const words[] = {"--test-math-polynomial-approximation"};
  assay_pass_pipeline *pipeline;
  assert_int_equal(assay_pass_pipeline_parse(testing_context, 1, words, &pipeline, &err), ASSAY_OK);
  testing_request request = {
      .source = "func.func @main(%x: vector<16xf32>) -> vector<16xf32> {\n"
                "  %r = math.tanh %x : vector<16xf32>\n  return %r : vector<16xf32>\n}\n",
      .run.data = 1};
  const assay_observation *exact = testing_see(&request);
  request.user_tail = pipeline;
  const assay_observation *approximate = testing_see(&request);
  assert_false(testing_same(exact, approximate));
  assert_float_equal(assay_observed_value(exact->items, 0),
                     assay_observed_value(approximate->items, 0), 1e-5);
  assay_pass_pipeline_destroy(pipeline);
}

static void test_arguments_for_a_bundle_are_those_of_the_run(void **state) {
  (void)state;
  testing_request request = {.source =
                                 "func.func @main(%a: memref<2x?xf16>,\n"
                                 "    %b: memref<3xi32, strided<[?], offset: ?>>) {\n  return\n}\n",
                             .run.data = 1};
  const assay_observation *seen = testing_see(&request);
  assay_tail_request full = {.context = testing_context,
                             .input_type = "(memref<2x?xf16>, memref<3xi32, strided<[?], offset: "
                                           "?>>) -> ()"};
  assay_observation arguments;
  assay_error err;
  assert_int_equal(assay_tail_arguments(&full, 1, testing_shared, &arguments, &err), ASSAY_OK);
  assert_true(testing_same(seen, &arguments));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_a_guard_names_what_is_read_out_of_bounds),
      cmocka_unit_test(test_a_guard_names_what_is_written_out_of_bounds),
      cmocka_unit_test(test_a_guard_names_uses_of_freed_memory),
      cmocka_unit_test(test_writes_beside_a_block_are_seen_in_both_tails),
      cmocka_unit_test(test_what_is_read_before_it_is_written_is_poison),
      cmocka_unit_test(test_division_by_zero_is_a_crash),
      cmocka_unit_test(test_a_run_that_never_ends_is_late),
      cmocka_unit_test(test_a_run_that_sleeps_is_late),
      cmocka_unit_test(test_what_has_much_to_compute_is_optimised),
      cmocka_unit_test(test_each_run_has_fresh_globals),
      cmocka_unit_test(test_a_large_stack),
      cmocka_unit_test(test_all_that_is_printed_is_seen),
      cmocka_unit_test(test_runner_functions_can_be_called),
      cmocka_unit_test(test_what_cannot_be_lowered_is_named),
      cmocka_unit_test(test_samples_of_an_instrumented_program),
      cmocka_unit_test(test_samples_of_a_long_program),
      cmocka_unit_test(test_a_users_tail_comes_first),
      cmocka_unit_test(test_arguments_for_a_bundle_are_those_of_the_run),
  };
  return cmocka_run_group_tests(tests, testing_open, testing_close);
}
