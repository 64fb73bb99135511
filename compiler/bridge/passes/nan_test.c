// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which NaN attributes are found, and which of them are findings.
#include "compiler/bridge/passes/stepping_testing.h"

static int load_faults(void **state) {
  assay_error err;
  int failed = set_up(state);
  return failed != 0 ? failed : assay_passes_load_plugin(ASSAY_FAULTS_PLUGIN, &err) != ASSAY_OK;
}

// Each kind of attribute that may hold a NaN is seen: first in the input, so that a pass which
// makes the same bits makes nothing new.
static void every_kind_of_attribute_is_read(void **state) {
  (void)state;
  static const char *const attributes[] = {
      "0x7fc00000 : f32",
      "dense<0x7fc00000> : tensor<4xf32>",
      "dense<[1.0, 0x7fc00000]> : tensor<2xf32>",
      "dense<(1.0, 0x7fc00000)> : tensor<complex<f32>>",
      "[1 : i32, {a = 0x7fc00000 : f32}]",
      "array<f32: 1.0, 0x7fc00000>",
      "#complex.number<:f32 1.0, 0x7FF8000000000000>",
      "sparse<[[0]], [0x7fc00000]> : tensor<4xf32>",
  };
  for (size_t i = 0; i < sizeof attributes / sizeof attributes[0]; i++) {
    char source[512];
    // The planted attribute is f32 with these bits, so it is new only where none was seen.
    (void)snprintf(source, sizeof source, "func.func @f() attributes {x = %s} { return }\n",
                   attributes[i]);
    stepped made = step("--assay-fault-nan-attribute", source);
    if (!made.stepping->succeeded || !execution(&made, 1)->changed)
      fail_msg("%s: %s", attributes[i], made.stepping->message);
    if (execution(&made, 1)->nan_count != 0)
      fail_msg("not seen: %s", attributes[i]);
  }
  stepped made = step("--assay-fault-nan-attribute", "func.func @f() { return }\n");
  assert_int_equal(execution(&made, 1)->nan_count, 1);
}

static void resources_are_read(void **state) {
  (void)state;
  static const char source[] =
      "func.func @f() attributes {x = dense_resource<w> : tensor<2xf32>} { return }\n"
      "{-# dialect_resources: { builtin: { w: \"0x040000000000803F0000C07F\" } } #-}\n";
  stepped made = step("--assay-fault-nan-attribute", source);
  assert_string_equal(made.stepping->message, "");
  assert_true(execution(&made, 1)->changed);
  assert_int_equal(execution(&made, 1)->nan_count, 0);
}

// Every floating-point type, by a fold that makes NaN in it: 0 * inf.
static void every_float_type_is_read(void **state) {
  (void)state;
  static const char *const types[] = {"f16", "bf16", "f32", "f64", "f128", "f80", "f8E5M2", "tf32"};
  for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
    char source[1024];
    (void)snprintf(source, sizeof source,
                   "func.func @f() -> %s {\n"
                   "  %%zero = arith.constant 0.0 : %s\n"
                   "  %%one = arith.constant 1.0 : %s\n"
                   "  %%inf = arith.divf %%one, %%zero : %s\n"
                   "  %%nan = arith.mulf %%inf, %%zero : %s\n"
                   "  return %%nan : %s\n"
                   "}\n",
                   types[i], types[i], types[i], types[i], types[i], types[i]);
    stepped made = step("--cse --canonicalize", source);
    const assay_execution *canonicalize = execution(&made, 2);
    if (canonicalize->nan_count != 1)
      fail_msg("%s: %s", types[i], snapshot_text(canonicalize->after));
    assert_string_equal(canonicalize->nans[0].type, types[i]);
    assert_string_equal(canonicalize->nans[0].op, "arith.constant");
    assert_int_equal(canonicalize->nans[0].origin, ASSAY_NAN_FOLDED);
    assert_int_equal(execution(&made, 1)->nan_count, 0);
  }
}

static const char SCALED[] = "func.func @f(%x: f32, %c: i1) -> f32 {\n"
                             "  %two = arith.constant 2.0 : f32\n"
                             "  %y = arith.OP\n"
                             "  return %y : f32\n"
                             "}\n";

static void expect_nans(const char *op, int count) {
  char source[512];
  const char *at = strstr(SCALED, "arith.OP");
  (void)snprintf(source, sizeof source, "%.*s%s%s", (int)(at - SCALED), SCALED, op,
                 at + strlen("arith.OP"));
  stepped made = step("--assay-fault-nan-constant", source);
  assert_true(made.stepping->succeeded);
  assert_true(execution(&made, 1)->changed);
  if (execution(&made, 1)->nan_count != count)
    fail_msg("%s: %d found", op, execution(&made, 1)->nan_count);
  if (count > 0) {
    assert_int_equal(execution(&made, 1)->nans[0].origin, ASSAY_NAN_PLANTED);
    assert_int_equal(execution(&made, 1)->nans[0].bits, 0x7fc00000);
    assert_string_equal(execution(&made, 1)->nans[0].location, "test.mlir:2:10");
  }
}

static void neutral_uses_are_no_findings(void **state) {
  (void)state;
  expect_nans("arith.mulf %x, %two : f32", 1);
  expect_nans("arith.maximumf %x, %two : f32", 1);
  expect_nans("arith.maxnumf %x, %two : f32", 0);
  expect_nans("arith.minnumf %two, %x : f32", 0);
  expect_nans("arith.select %c, %x, %two : f32", 0);
  expect_nans("arith.mulf %x, %x : f32", 0); // nothing uses it
  expect_nans("scf.if %c -> f32 { scf.yield %x : f32 } else { scf.yield %two : f32 }", 0);
  expect_nans("scf.execute_region -> f32 { scf.yield %two : f32 }", 1);
}

static void neutral_elements_of_reductions_are_no_findings(void **state) {
  (void)state;
  static const char source[] =
      "#row = affine_map<(i) -> (i)>\n#one = affine_map<(i) -> ()>\n"
      "func.func @f(%%x: tensor<8xf32>) -> tensor<f32> {\n"
      "  %%n = arith.constant 0.0 : f32\n"
      "  %%e = tensor.empty() : tensor<f32>\n"
      "  %%i = linalg.fill ins(%%n : f32) outs(%%e : tensor<f32>) -> tensor<f32>\n"
      "  %%r = linalg.generic {indexing_maps = [#row, #one], iterator_types = [\"reduction\"]}\n"
      "      ins(%%x : tensor<8xf32>) outs(%%i : tensor<f32>) {\n"
      "  ^bb0(%%a: f32, %%o: f32):\n"
      "    %%m = arith.%s %%a, %%o : f32\n"
      "    linalg.yield %%m : f32\n"
      "  } -> tensor<f32>\n"
      "  return %%r : tensor<f32>\n"
      "}\n";
  static const struct {
    const char *op;
    int count;
  } rows[] = {{"maxnumf", 0}, {"minnumf", 0}, {"addf", 1}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    char text[2048];
    (void)snprintf(text, sizeof text, source, rows[i].op);
    stepped made = step("--assay-fault-nan-constant", text);
    assert_int_equal(execution(&made, 1)->nan_count, rows[i].count);
    made = step("--one-shot-bufferize=bufferize-function-boundaries "
                "--assay-fault-nan-constant",
                text);
    assert_int_equal(execution(&made, 2)->nan_count, rows[i].count);
  }
}

// One that the input had, or an earlier state, is not new: of that type and bits, in any shape.
static void a_nan_is_new_only_once(void **state) {
  (void)state;
  stepped made = step("--assay-fault-nan-attribute --cse --assay-fault-nan-constant",
                      "func.func @f() -> f32 {\n"
                      "  %two = arith.constant 2.0 : f32\n  return %two : f32\n}\n");
  assert_int_equal(execution(&made, 1)->nan_count, 1);
  assert_int_equal(execution(&made, 1)->nans[0].origin, ASSAY_NAN_PLANTED);
  assert_int_equal(execution(&made, 3)->nan_count, 0);
  made = step("--assay-fault-nan-constant",
              "func.func @f() -> (f32, tensor<2xf32>) {\n"
              "  %two = arith.constant 2.0 : f32\n"
              "  %nan = arith.constant dense<0x7fc00000> : tensor<2xf32>\n"
              "  return %two, %nan : f32, tensor<2xf32>\n}\n");
  assert_int_equal(execution(&made, 1)->nan_count, 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_of_attribute_is_read),
      cmocka_unit_test(resources_are_read),
      cmocka_unit_test(every_float_type_is_read),
      cmocka_unit_test(neutral_uses_are_no_findings),
      cmocka_unit_test(neutral_elements_of_reductions_are_no_findings),
      cmocka_unit_test(a_nan_is_new_only_once),
  };
  return cmocka_run_group_tests(tests, load_faults, tear_down);
}
