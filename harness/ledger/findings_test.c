// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/findings.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 4 };

// A pipeline that was stepped: each execution leaves the state of its number.
typedef struct bench {
  assay_arena *arena;
  assay_ledger_request request;
  assay_snapshot states[MOST + 1];
  assay_execution executions[MOST];
  const assay_execution *order[MOST];
  assay_stepping stepping;
  assay_steps steps;
  assay_ledger_row rows[MOST];
} bench;

static void open_bench(bench *it, const char *const names[MOST]) {
  memset(it, 0, sizeof *it);
  it->arena = assay_arena_create();
  it->stepping.succeeded = true;
  it->steps.stepping = &it->stepping;
  it->steps.executions = it->order;
  it->steps.reason = "";
  for (int i = 0; i < MOST && names[i] != NULL; i++) {
    it->executions[i].n = i + 1;
    it->executions[i].name = names[i];
    it->executions[i].changed = it->executions[i].verifies = true;
    it->executions[i].verifier_message = "";
    it->executions[i].before = &it->states[i];
    it->executions[i].after = &it->states[i + 1];
    it->order[i] = &it->executions[i];
    it->rows[i] = (assay_ledger_row){
        .execution = it->order[i], .roundtrips = true, .parse_error = "", .what = ""};
    it->steps.count++;
  }
}

// Expects one finding, or none (row -1).
static void expect(bench *it, const char *left, int row, assay_fault fault, const char *what) {
  assay_findings_mark(&it->request, it->arena, &it->steps, left, it->rows);
  for (int i = 0; i < it->steps.count; i++) {
    assert_int_equal(it->rows[i].fault, i == row ? fault : ASSAY_FAULT_NONE);
    assert_string_equal(it->rows[i].what, i == row ? what : "");
  }
  assay_arena_destroy(it->arena);
}

static const char *const plain[MOST] = {"a", "b", "c", "d"};

static void finds_nothing_in_good_states(void **state) {
  (void)state;
  bench it;
  open_bench(&it, plain);
  expect(&it, "", -1, ASSAY_FAULT_NONE, "");
  open_bench(&it, (const char *[MOST]){NULL});
  expect(&it, "", -1, ASSAY_FAULT_NONE, "");
}

static void finds_the_first_invalid_state(void **state) {
  (void)state;
  bench it;
  open_bench(&it, plain);
  // One that gave up and one inside another promise nothing.
  it.executions[0].verifies = it.executions[1].verifies = false;
  it.executions[2].verifies = it.executions[3].verifies = false;
  it.executions[0].failed = true;
  it.executions[1].depth = 1;
  it.executions[2].verifier_message = "too few operands";
  expect(&it, "", 2, ASSAY_FAULT_INVALID_IR, "too few operands");
}

static void finds_nans_by_the_contract(void **state) {
  (void)state;
  static const char folded[] = "arith.constant: a NaN f32 attribute at x.mlir:1:2, which folding "
                               "the program alone gives too";
  static const char planted[] = "arith.constant: a NaN f32 attribute at x.mlir:1:2, which the "
                                "program's own arithmetic does not give";
  static const struct {
    assay_nan_contract contract;
    int row;
    const char *what;
  } contracts[] = {{ASSAY_NAN_ERROR, 1, folded},
                   {ASSAY_NAN_PLANTED_ONLY, 2, planted},
                   {ASSAY_NAN_REPORT, -1, ""},
                   {ASSAY_NAN_OFF, -1, ""}};
  for (size_t i = 0; i < sizeof contracts / sizeof contracts[0]; i++) {
    assay_new_nan nans[2] = {{.op = "arith.constant", .location = "x.mlir:1:2", .type = "f32"},
                             {.op = "arith.constant", .location = "x.mlir:1:2", .type = "f32"}};
    nans[0].origin = ASSAY_NAN_FOLDED;
    nans[1].origin = ASSAY_NAN_PLANTED;
    bench it;
    open_bench(&it, plain);
    it.request.nan_contract = contracts[i].contract;
    it.executions[1].nan_count = it.executions[2].nan_count = 1;
    it.executions[1].nans = &nans[0];
    it.executions[2].nans = &nans[1];
    expect(&it, "", contracts[i].row, ASSAY_FAULT_NAN_ATTRIBUTE, contracts[i].what);
  }
}

// The state's second and third pass each leave a NaN.
static void open_with_nans(bench *it, const char *const names[MOST], const assay_new_nan *nan) {
  open_bench(it, names);
  it->executions[1].nan_count = it->executions[2].nan_count = 1;
  it->executions[1].nans = it->executions[2].nans = nan;
}

static void a_pass_has_its_own_contract(void **state) {
  (void)state;
  static const char *const names[MOST] = {"a", "b", "c", "d"};
  static const char what[] = "arith.constant: a NaN f32 attribute at x.mlir:1:2, which the "
                             "program's own arithmetic does not give";
  static const assay_pass_contract table[] = {
      {"b", ASSAY_NAN_ERROR}, {"b", ASSAY_NAN_OFF}, {"c", ASSAY_NAN_PLANTED_ONLY}};
  const assay_new_nan nan = {
      .op = "arith.constant", .location = "x.mlir:1:2", .type = "f32", .origin = ASSAY_NAN_PLANTED};
  for (int i = 0; i < 2; i++) {
    bench it;
    open_with_nans(&it, names, &nan);
    it.request.nan_contract = i == 0 ? ASSAY_NAN_ERROR : ASSAY_NAN_OFF;
    it.request.pass_contracts = table;
    it.request.pass_contract_count = 3; // the last row of "b" counts
    expect(&it, "", 2, ASSAY_FAULT_NAN_ATTRIBUTE, what);
  }
}

static void says_why_the_verifier_rejects(void **state) {
  (void)state;
  const assay_new_nan nan = {.op = "quant.rescale_fuse", .location = "x.mlir:1:2", .type = "f32"};
  bench it;
  open_with_nans(&it, plain, &nan);
  it.executions[1].verifies = false;
  it.executions[1].verifier_message = "must be finite";
  expect(&it, "", 1, ASSAY_FAULT_INVALID_IR,
         "must be finite; quant.rescale_fuse: a NaN f32 attribute at x.mlir:1:2, which the "
         "program's own arithmetic does not give");
}

static void finds_what_does_not_parse_at_the_end(void **state) {
  (void)state;
  bench it;
  open_bench(&it, plain);
  it.rows[1].roundtrips = false; // in the middle alone it harms nobody
  expect(&it, "", -1, ASSAY_FAULT_NONE, "");
  for (int stopped = 0; stopped < 2; stopped++) {
    open_bench(&it, plain);
    it.rows[1].roundtrips = it.rows[3].roundtrips = false;
    it.rows[1].parse_error = "expected ':'";
    it.steps.stopped = stopped; // it was not the end
    expect(&it, "", stopped ? -1 : 1, ASSAY_FAULT_UNPARSABLE_IR, "expected ':'");
  }
}

static void finds_the_pass_that_died(void **state) {
  (void)state;
  bench it;
  open_bench(&it, plain);
  it.steps.died = true;
  it.steps.death = ASSAY_FAULT_TIMEOUT;
  it.steps.reason = "exceeded the time limit of 10 s";
  expect(&it, "", 3, ASSAY_FAULT_TIMEOUT, it.steps.reason);
}

// The states after the passes are of llvm functions, with an operation in those from one number to
// another.
static void plant(bench *it, const char *op, int from, int to) {
  static const assay_function_state lowered = {.name = "main", .kind = ASSAY_FUNCTION_LLVM};
  assay_op_count *counts = assay_arena_take(it->arena, 1, sizeof *counts);
  *counts = (assay_op_count){.name = op, .count = 1};
  for (int i = 1; i <= MOST; i++) {
    it->states[i].function_count = 1;
    it->states[i].functions = &lowered;
    if (i >= from && i <= to) {
      it->states[i].ops = counts;
      it->states[i].op_count = 1;
    }
  }
}

static void finds_what_nobody_lowered(void **state) {
  (void)state;
  static const char cast[] = "builtin.unrealized_conversion_cast";
  static const char *const names[MOST] = {"convert-arith-to-llvm", "lower-affine",
                                          "finalize-memref-to-llvm", "cse"};
  bench it;
  open_bench(&it, names);
  plant(&it, "arith.addf", 0, MOST); // its pass left it
  expect(&it, "arith.addf", 0, ASSAY_FAULT_UNLOWERED, "arith.addf is left");
  open_bench(&it, names);
  plant(&it, "arith.addf", 0, MOST);
  expect(&it, "", -1, ASSAY_FAULT_NONE, ""); // a tail lowers it all the same
  open_bench(&it, names);
  plant(&it, "arith.addf", 2, MOST); // made after its pass had run
  expect(&it, "arith.addf", -1, ASSAY_FAULT_NONE, "");
  open_bench(&it, names);
  plant(&it, "memref.load", 0, MOST);
  expect(&it, "memref.load", 2, ASSAY_FAULT_UNLOWERED, "memref.load is left");
  open_bench(&it, names);
  plant(&it, "math.exp", 0, MOST); // nothing in the pipeline was to lower it
  expect(&it, "math.exp", -1, ASSAY_FAULT_NONE, "");
  open_bench(&it, names);
  plant(&it, cast, 3, MOST);
  expect(&it, cast, 2, ASSAY_FAULT_UNLOWERED, "builtin.unrealized_conversion_cast is left");
  open_bench(&it, names);
  plant(&it, cast, 1, 3); // gone at the end
  expect(&it, "", -1, ASSAY_FAULT_NONE, "");
  static const char *const all[MOST] = {"convert-to-llvm", "b", "c", "d"};
  open_bench(&it, all);
  plant(&it, "index.add", 0, MOST);
  expect(&it, "index.add", 0, ASSAY_FAULT_UNLOWERED, "index.add is left");
  open_bench(&it, all);
  plant(&it, "gpu.thread_id", 0, MOST);
  expect(&it, "gpu.thread_id", 0, ASSAY_FAULT_UNLOWERED, "gpu.thread_id is left");
  open_bench(&it, all);
  plant(&it, "gpu.launch_func", 0, MOST); // it is to stay
  expect(&it, "gpu.launch_func", -1, ASSAY_FAULT_NONE, "");
  open_bench(&it, all);
  plant(&it, "affine.apply", 0, MOST); // another pass's
  expect(&it, "affine.apply", -1, ASSAY_FAULT_NONE, "");
  open_bench(&it, all);
  plant(&it, "arith.addf", 0, MOST); // the tails stop at something else
  expect(&it, "tosa.apply_scale", -1, ASSAY_FAULT_NONE, "");
}

static void accuses_a_pass_once(void **state) {
  (void)state;
  bench it;
  open_bench(&it, plain);
  it.executions[3].verifies = false;
  it.executions[3].verifier_message = "too few operands";
  it.rows[3].roundtrips = false;
  it.rows[3].parse_error = "expected ':'";
  expect(&it, "", 3, ASSAY_FAULT_INVALID_IR, "too few operands");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(finds_nothing_in_good_states),
      cmocka_unit_test(finds_the_first_invalid_state),
      cmocka_unit_test(finds_nans_by_the_contract),
      cmocka_unit_test(a_pass_has_its_own_contract),
      cmocka_unit_test(says_why_the_verifier_rejects),
      cmocka_unit_test(finds_what_does_not_parse_at_the_end),
      cmocka_unit_test(finds_the_pass_that_died),
      cmocka_unit_test(finds_what_nobody_lowered),
      cmocka_unit_test(accuses_a_pass_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
