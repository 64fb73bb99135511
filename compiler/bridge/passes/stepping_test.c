// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the stepping says of well-behaved passes.
#include "compiler/bridge/passes/mlir_opt_testing.h"
#include "compiler/bridge/passes/stepping_testing.h"

static const char THREE_FUNCTIONS[] = "func.func private @callee(%a: f32) -> f32 {\n"
                                      "  %0 = arith.constant 0.0 : f32\n"
                                      "  %b = arith.addf %a, %0 : f32\n"
                                      "  %c = arith.addf %a, %0 : f32\n"
                                      "  %d = arith.mulf %b, %c : f32\n"
                                      "  return %d : f32\n"
                                      "}\n"
                                      "func.func @f(%a: f32, %m: memref<4xf32>) -> f32 {\n"
                                      "  %b = call @callee(%a) : (f32) -> f32\n"
                                      "  return %b : f32\n"
                                      "}\n"
                                      "func.func @g(%m: memref<?xf32>, %i: index) -> f32 {\n"
                                      "  %a = memref.load %m[%i] : memref<?xf32>\n"
                                      "  %b = memref.load %m[%i] : memref<?xf32>\n"
                                      "  %c = call @callee(%b) : (f32) -> f32\n"
                                      "  return %c : f32\n"
                                      "}\n";

static const char MATMUL[] =
    "func.func @main(%a: tensor<3x5xf32>, %b: tensor<5x7xf32>) -> tensor<3x7xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %empty = tensor.empty() : tensor<3x7xf32>\n"
    "  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<3x7xf32>) -> tensor<3x7xf32>\n"
    "  %c = linalg.matmul ins(%a, %b : tensor<3x5xf32>, tensor<5x7xf32>)\n"
    "                     outs(%init : tensor<3x7xf32>) -> tensor<3x7xf32>\n"
    "  return %c : tensor<3x7xf32>\n"
    "}\n";

// The next execution that mlir-opt printed: "IR Dump After CLASS [Failed] (NAME) ('ANCHOR'
// operation: @SYMBOL)", the last part only for what is not the module.
static bool next_dump(FILE *dump, char name[256], char symbol[256], bool *failed) {
  char line[4096];
  while (fgets(line, sizeof line, dump) != NULL) {
    char *after = strstr(line, "// -----// IR Dump After ");
    if (after == NULL)
      continue;
    *failed = strstr(line, " Failed (") != NULL;
    char *operation = strstr(line, " ('");
    char *at = operation == NULL ? NULL : strstr(operation, "operation: @");
    symbol[0] = '\0';
    if (at != NULL)
      assert_int_equal(sscanf(at, "operation: @%255[^)]", symbol), 1);
    *(operation == NULL ? strstr(line, " //-----") : operation) = '\0';
    char *end = strrchr(line, ')');
    assert_non_null(end);
    *end = '\0';
    int depth = 1;
    char *start = end;
    while (depth > 0)
      depth += *--start == ')' ? 1 : *start == '(' ? -1 : 0;
    (void)snprintf(name, 256, "%s", start + 1);
    return true;
  }
  return false;
}

// Names, operations, failures and order are those of --mlir-print-ir-after-all.
static void expect_mlir_opt_s_order(const char *line, const char *source) {
  char copy[1024];
  const char *words[MAX_WORDS + 4];
  int count = split_words(line, copy, words);
  words[count++] = "--mlir-print-ir-after-all";
  words[count++] = "--mlir-print-ir-module-scope";
  words[count++] = "--mlir-disable-threading";
  words[count] = NULL;
  FILE *dump = run_mlir_opt(words, source);
  assert_non_null(dump);
  stepped made = step(line, source);
  char name[256], symbol[256];
  bool failed = false;
  int n = 1;
  for (; next_dump(dump, name, symbol, &failed); n++) {
    const assay_execution *mine = execution(&made, n);
    bool same = mine != NULL && mine->n == n && strcmp(mine->name, name) == 0 &&
                strcmp(mine->symbol, symbol) == 0 && mine->failed == failed;
    if (!same)
      fail_msg("%s: %d is %s on @%s, failed %d, where %s on @%s, failed %d was expected", line, n,
               mine == NULL ? "nothing" : mine->name, mine == NULL ? "" : mine->symbol,
               mine != NULL && mine->failed, name, symbol, failed);
  }
  (void)fclose(dump);
  assert_int_equal(count_executions(&made), n - 1);
  assert_true(n > 1);
}

static void executions_are_counted_as_mlir_opt_does(void **state) {
  (void)state;
  expect_mlir_opt_s_order("--cse --canonicalize", THREE_FUNCTIONS);
  expect_mlir_opt_s_order("--pass-pipeline=builtin.module(func.func(cse,canonicalize),cse)",
                          THREE_FUNCTIONS);
  expect_mlir_opt_s_order("--inline --symbol-dce", THREE_FUNCTIONS);
  expect_mlir_opt_s_order("--test-dynamic-pipeline=dynamic-pipeline=cse,canonicalize",
                          THREE_FUNCTIONS);
  expect_mlir_opt_s_order("--test-composite-fixed-point-pass", THREE_FUNCTIONS);
  expect_mlir_opt_s_order("--test-lower-to-llvm", THREE_FUNCTIONS);
  expect_mlir_opt_s_order("--one-shot-bufferize=bufferize-function-boundaries "
                          "--buffer-deallocation-pipeline --convert-linalg-to-loops",
                          MATMUL);
}

// A C interface, which lets buffers be passed later, does not show in the numbers.
static void added_interfaces_are_not_counted(void **state) {
  (void)state;
  static const char line[] = "--pass-pipeline=builtin.module(convert-func-to-llvm,"
                             "llvm.func(cse,canonicalize),cse)";
  expect_mlir_opt_s_order(line, THREE_FUNCTIONS);
  stepped made = step(line, THREE_FUNCTIONS);
  const char *text = snapshot_text(execution(&made, count_executions(&made))->after);
  assert_non_null(strstr(text, "@_mlir_ciface_f"));
  assert_non_null(strstr(text, "@_mlir_ciface_g"));
  assert_null(strstr(text, "@_mlir_ciface_callee"));
}

static void failures_are_counted_and_stop(void **state) {
  (void)state;
  static const char line[] =
      "--pass-pipeline=builtin.module(func.func(cse,test-pass-failure,cse),cse)";
  expect_mlir_opt_s_order(line, THREE_FUNCTIONS);
  stepped made = step(line, THREE_FUNCTIONS);
  assert_int_equal(atomic_load(&made.stepping->phase), ASSAY_STEPPING_DONE);
  assert_false(made.stepping->succeeded);
  made = step("--cse --convert-scf-to-cf --transform-interpreter", THREE_FUNCTIONS);
  assert_false(made.stepping->succeeded);
  const assay_execution *last = execution(&made, 3);
  assert_true(last->failed);
  assert_non_null(strstr(last->message, "could not find a nested named sequence"));
  assert_string_equal(made.stepping->message, last->message);
}

static void each_execution_tells_what_it_did(void **state) {
  (void)state;
  stepped made = step("--cse --linalg-generalize-named-ops "
                      "--one-shot-bufferize=bufferize-function-boundaries",
                      MATMUL);
  assert_true(made.stepping->succeeded);
  assert_string_equal(made.stepping->message, "");
  assert_int_equal(atomic_load(&made.stepping->running_count), 0);
  assert_int_equal(atomic_load(&made.stepping->pulse), 6);
  const assay_execution *cse = execution(&made, 1), *generalize = execution(&made, 2),
                        *bufferize = execution(&made, 3);
  assert_false(cse->changed);
  assert_ptr_equal(cse->before, made.stepping->input);
  assert_ptr_equal(cse->after, made.stepping->input);
  assert_true(generalize->changed);
  assert_ptr_equal(generalize->before, cse->after);
  assert_ptr_equal(bufferize->before, generalize->after);
  assert_string_equal(bufferize->anchor, "builtin.module");
  assert_int_equal(strncmp(bufferize->options, "one-shot-bufferize{", 19), 0);
  assert_true(bufferize->verifies);
  assert_true(bufferize->seconds > 0);
  const assay_snapshot *after = generalize->after;
  assert_int_equal(after->function_count, 1);
  assert_string_equal(after->functions[0].name, "main");
  assert_string_equal(after->functions[0].type,
                      "(tensor<3x5xf32>, tensor<5x7xf32>) -> tensor<3x7xf32>");
  assert_int_equal(after->functions[0].kind, ASSAY_FUNCTION_FUNC);
  assert_true(after->functions[0].is_public);
  for (int i = 0; i < after->op_count; i++) {
    assert_true(i == 0 || strcmp(after->ops[i - 1].name, after->ops[i].name) < 0);
    if (strcmp(after->ops[i].name, "linalg.generic") == 0)
      assert_int_equal(after->ops[i].count, 1 + (strstr(snapshot_text(after), "linalg.fill") == 0));
  }
}

// The parent of a nested execution has moved the module before it; both states are kept.
static void nested_executions_see_a_half_done_parent(void **state) {
  (void)state;
  assay_error err = {0};
  assert_int_equal(assay_passes_load_plugin(ASSAY_FAULTS_PLUGIN, &err), ASSAY_OK);
  stepped made = step("--assay-fault-nested=before=true", MATMUL);
  const assay_execution *inner = execution(&made, 1), *outer = execution(&made, 2);
  assert_string_equal(inner->name, "canonicalize");
  assert_int_equal(inner->depth, 1);
  assert_string_equal(outer->name, "assay-fault-nested");
  assert_int_equal(outer->depth, 0);
  assert_ptr_equal(outer->before, made.stepping->input);
  assert_ptr_not_equal(inner->before, made.stepping->input);
  assert_null(strstr(snapshot_text(inner->before), "linalg.fill"));
  assert_non_null(strstr(snapshot_text(outer->before), "linalg.fill"));
  assert_true(outer->changed);
  made = step("--assay-fault-nested=after=true", MATMUL);
  assert_ptr_equal(execution(&made, 1)->before, made.stepping->input);
  assert_ptr_not_equal(execution(&made, 2)->after, execution(&made, 1)->after);
}

static void invalid_states_are_kept(void **state) {
  (void)state;
  assay_error err = {0};
  assert_int_equal(assay_passes_load_plugin(ASSAY_FAULTS_PLUGIN, &err), ASSAY_OK);
  stepped made = step("--cse --assay-fault-invalid-op --cse", MATMUL);
  const assay_execution *guilty = execution(&made, 2);
  assert_true(execution(&made, 1)->verifies);
  assert_false(guilty->verifies);
  assert_non_null(strstr(guilty->verifier_message, "test.mlir:7:3: "));
  assert_non_null(strstr(guilty->verifier_message, "has 0 operands"));
  assert_false(execution(&made, 3)->verifies);
  assert_non_null(strstr(snapshot_text(guilty->after), "\"func.return\"()"));
}

// One pass alone, on the operation it ran on.
static void a_pass_runs_on_a_nested_operation(void **state) {
  (void)state;
  assay_pass_pipeline *pipeline = parse_line("--pass-pipeline=func.func(cse)");
  assay_stepping_request request = {.file = "test.mlir",
                                    .source = THREE_FUNCTIONS,
                                    .size = strlen(THREE_FUNCTIONS),
                                    .pipeline = pipeline,
                                    .anchor = "func.func",
                                    .symbol = "g"};
  stepped made = step_request(request, STALL_MS);
  assert_int_equal(count_executions(&made), 1);
  assert_string_equal(execution(&made, 1)->symbol, "g");
  assert_true(execution(&made, 1)->changed);
  request.symbol = "nobody";
  made = step_request(request, STALL_MS);
  assert_int_equal(made.err.code, ASSAY_INVALID);
  assay_pass_pipeline_destroy(pipeline);
}

static void input_that_does_not_parse_is_told(void **state) {
  (void)state;
  stepped made = step("--cse", "func.func @f() {\n  return %x : f32\n}\n");
  assert_int_equal(made.err.code, ASSAY_INVALID);
  assert_string_equal(made.err.where, "test.mlir:2:10");
  assert_string_equal(made.err.text, "use of undeclared SSA value name");
  assert_string_equal(made.stepping->message,
                      "test.mlir:2:10: error: use of undeclared SSA value name");
  made = step("--cse", "func.func @f() -> f32 {\n  return\n}\n");
  assert_string_equal(made.err.where, "test.mlir:2:3");
  assert_int_equal(atomic_load(&made.stepping->phase), ASSAY_STEPPING_STARTED);
}

static void a_c_interface_of_the_user_s_own_stays(void **state) {
  (void)state;
  stepped made = step("", "func.func @f(%a: f32) attributes {llvm.emit_c_interface} { return }\n"
                          "func.func @g(%a: f32) { return }\n"
                          "func.func @h() -> tensor<*xf32> { %a = tensor.empty() : tensor<2xf32>\n"
                          "  %b = tensor.cast %a : tensor<2xf32> to tensor<*xf32>\n"
                          "  return %b : tensor<*xf32> }\n"
                          "func.func private @i(%a: memref<f32>) { return }\n");
  assert_true(made.stepping->succeeded);
  const char *text = snapshot_text(made.stepping->input);
  assert_non_null(strstr(text, "@f(%arg0: f32) attributes {llvm.emit_c_interface}"));
  assert_non_null(strstr(text, "@g(%arg0: f32) {"));
  assert_non_null(strstr(text, "@h() -> tensor<*xf32> attributes {llvm.emit_c_interface}"));
  assert_non_null(strstr(text, "@i(%arg0: memref<f32>) {"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(executions_are_counted_as_mlir_opt_does),
      cmocka_unit_test(added_interfaces_are_not_counted),
      cmocka_unit_test(failures_are_counted_and_stop),
      cmocka_unit_test(each_execution_tells_what_it_did),
      cmocka_unit_test(nested_executions_see_a_half_done_parent),
      cmocka_unit_test(invalid_states_are_kept),
      cmocka_unit_test(a_pass_runs_on_a_nested_operation),
      cmocka_unit_test(input_that_does_not_parse_is_told),
      cmocka_unit_test(a_c_interface_of_the_user_s_own_stays),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
