// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is left of a stepping when a pass does to the process what no pass should.
#include "compiler/bridge/passes/stepping_testing.h"

static const char SOFTMAX[] =
    "#row = affine_map<(i, j) -> (i, j)>\n"
    "#one = affine_map<(i, j) -> (i)>\n"
    "func.func @main(%x: tensor<4x8xf32>, %m: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %zero = arith.constant 0.0 : f32\n"
    "  %empty = tensor.empty() : tensor<4xf32>\n"
    "  %init = linalg.fill ins(%zero : f32) outs(%empty : tensor<4xf32>) -> tensor<4xf32>\n"
    "  %s = linalg.generic {indexing_maps = [#row, #one, #one],\n"
    "      iterator_types = [\"parallel\", \"reduction\"]}\n"
    "      ins(%x, %m : tensor<4x8xf32>, tensor<4xf32>) outs(%init : tensor<4xf32>) {\n"
    "  ^bb0(%a: f32, %b: f32, %o: f32):\n"
    "    %c = arith.subf %a, %b : f32\n"
    "    %d = math.exp %c : f32\n"
    "    %e = arith.addf %d, %o : f32\n"
    "    linalg.yield %e : f32\n"
    "  } -> tensor<4xf32>\n"
    "  return %s : tensor<4xf32>\n"
    "}\n";

static int load_faults(void **state) {
  assay_error err;
  int failed = set_up(state);
  return failed != 0 ? failed : assay_passes_load_plugin(ASSAY_FAULTS_PLUGIN, &err) != ASSAY_OK;
}

// The fault between three good passes; states up to it are there, and it is named as running.
static stepped expect_death(const char *fault, int stall_ms) {
  char line[256];
  (void)snprintf(line, sizeof line, "--cse --linalg-generalize-named-ops --%s --canonicalize",
                 fault);
  stepped made = step_with(line, SOFTMAX, stall_ms);
  assert_int_equal(atomic_load(&made.stepping->phase), ASSAY_STEPPING_READ);
  assert_int_equal(count_executions(&made), 2);
  assert_int_equal(atomic_load(&made.stepping->running_count), 1);
  assert_string_equal(made.stepping->running[0].name, fault);
  assert_string_equal(made.stepping->running[0].anchor, "builtin.module");
  assert_non_null(strstr(snapshot_text(execution(&made, 2)->after), "linalg.generic"));
  return made;
}

static void a_pass_that_ends_the_process_is_named(void **state) {
  (void)state;
  stepped made = expect_death("assay-fault-abort", STALL_MS);
  assert_true(WIFSIGNALED(made.status) && WTERMSIG(made.status) == SIGABRT);
  made = expect_death("assay-fault-exit", STALL_MS);
  assert_true(WIFEXITED(made.status) && WEXITSTATUS(made.status) == 0);
  // A sanitizer makes exits of the signals.
  made = expect_death("assay-fault-memory", STALL_MS);
  assert_true(WIFSIGNALED(made.status) || WEXITSTATUS(made.status) != 0);
  made = expect_death("test-pass-crash", STALL_MS);
  assert_true(WIFSIGNALED(made.status) || WEXITSTATUS(made.status) != 0);
}

static void a_pass_that_never_ends_is_named(void **state) {
  (void)state;
  stepped made = expect_death("assay-fault-endless-loop", 200);
  assert_true(made.timed_out);
}

// These do harm to the process, and the stepping goes on.
static void the_answer_survives_what_a_pass_does_to_the_process(void **state) {
  (void)state;
  static const char *const faults[] = {"assay-fault-none", "assay-fault-print", "assay-fault-fork",
                                       "assay-fault-close", "assay-fault-signals"};
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    char line[256];
    (void)snprintf(line, sizeof line, "--cse --%s --linalg-generalize-named-ops", faults[i]);
    stepped made = step(line, SOFTMAX);
    assert_int_equal(atomic_load(&made.stepping->phase), ASSAY_STEPPING_DONE);
    assert_true(made.stepping->succeeded);
    assert_int_equal(count_executions(&made), 3);
    assert_false(execution(&made, 2)->changed);
    assert_true(execution(&made, 3)->changed);
  }
}

static void a_pass_that_gives_up_has_its_message(void **state) {
  (void)state;
  stepped made = step("--cse --assay-fault-failure --canonicalize", SOFTMAX);
  assert_false(made.stepping->succeeded);
  assert_string_equal(made.stepping->message, "test.mlir: the planted failure");
  assert_int_equal(count_executions(&made), 2);
  assert_true(execution(&made, 2)->failed);
}

// Each fault of values changes the module, leaves it valid, and does that at any place.
static void faults_of_values_leave_the_module_valid(void **state) {
  (void)state;
  static const char *const faults[] = {"dropped-fill", "swapped-operands", "bf16-truncation",
                                       "address",      "nan-constant",     "nan-attribute"};
  for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
    char line[256];
    (void)snprintf(line, sizeof line, "--cse --assay-fault-%s --cse", faults[i]);
    stepped made = step(line, SOFTMAX);
    if (!execution(&made, 2)->changed || !execution(&made, 2)->verifies)
      fail_msg("%s: changed %d, %s", faults[i], execution(&made, 2)->changed,
               execution(&made, 2)->verifier_message);
    assert_false(execution(&made, 1)->changed);
  }
  static const char lowered[] =
      "--one-shot-bufferize=bufferize-function-boundaries --convert-linalg-to-loops ";
  static const char *const later[] = {"loop-bound", "bf16-truncation", "swapped-operands"};
  for (size_t i = 0; i < sizeof later / sizeof later[0]; i++) {
    char line[256];
    (void)snprintf(line, sizeof line, "%s --assay-fault-%s", lowered, later[i]);
    stepped made = step(line, SOFTMAX);
    assert_true(execution(&made, 3)->changed);
    assert_true(execution(&made, 3)->verifies);
  }
}

static void slices_and_masks_are_hit_too(void **state) {
  (void)state;
  stepped made = step("--assay-fault-slice-offset --assay-fault-dropped-mask",
                      "func.func @f(%a: tensor<8xf32>, %c: i1, %x: f32) -> (tensor<4xf32>, f32) {\n"
                      "  %s = tensor.extract_slice %a[2] [4] [1] : tensor<8xf32> to tensor<4xf32>\n"
                      "  %z = arith.constant 0.0 : f32\n"
                      "  %m = arith.select %c, %x, %z : f32\n"
                      "  return %s, %m : tensor<4xf32>, f32\n"
                      "}\n");
  assert_non_null(strstr(snapshot_text(execution(&made, 1)->after), "%arg0[3] [4] [1]"));
  assert_null(strstr(snapshot_text(execution(&made, 2)->after), "arith.select"));
  assert_true(execution(&made, 2)->verifies);
}

// Two processes make two modules of the same one.
static void a_pass_that_hangs_on_addresses_differs_each_time(void **state) {
  (void)state;
  stepped first = step("--assay-fault-address", SOFTMAX);
  stepped second = step("--assay-fault-address", SOFTMAX);
  assert_int_equal(first.stepping->input->hash, second.stepping->input->hash);
  assert_int_not_equal(execution(&first, 1)->after->hash, execution(&second, 1)->after->hash);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_pass_that_ends_the_process_is_named),
      cmocka_unit_test(a_pass_that_never_ends_is_named),
      cmocka_unit_test(the_answer_survives_what_a_pass_does_to_the_process),
      cmocka_unit_test(a_pass_that_gives_up_has_its_message),
      cmocka_unit_test(faults_of_values_leave_the_module_valid),
      cmocka_unit_test(slices_and_masks_are_hit_too),
      cmocka_unit_test(a_pass_that_hangs_on_addresses_differs_each_time),
  };
  return cmocka_run_group_tests(tests, load_faults, tear_down);
}
