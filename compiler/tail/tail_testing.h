// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For the tests of this folder: a program's text, brought to a state by passes, finished and run.
#ifndef ASSAY_COMPILER_TAIL_TAIL_TESTING_H
#define ASSAY_COMPILER_TAIL_TAIL_TESTING_H

#include "compiler/tail/tail.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Pass.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// clang-format off
#include <stdarg.h>
#include <stddef.h>
#include <math.h>
#include <setjmp.h>
#include <cmocka.h>
// clang-format on

#define DETENSOR "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops}"

static MlirContext testing_context;
static assay_shared *testing_shared;

static inline int testing_open(void **state) {
  (void)state;
  assay_error err;
  testing_context = assay_passes_context();
  return assay_shared_create((size_t)1 << 32, &testing_shared, &err) == ASSAY_OK ? 0 : -1;
}

static inline int testing_close(void **state) {
  (void)state;
  assay_shared_destroy(testing_shared);
  mlirContextDestroy(testing_context);
  return 0;
}

typedef struct testing_request {
  const char *source; // the program
  const char *passes; // that bring it to the state, as pipeline text inside the module; NULL: none
  const char *entry;  // NULL: "main"
  assay_tail tail;
  assay_tail_run run;
  const assay_tail_input *inputs;
  int input_count;
  const assay_observation *baseline;
  const assay_pass_pipeline *user_tail;
  const char *const *declared; // ends with NULL
  assay_reuse *reuse;
  assay_instrument instrument;
  bool checked, cautious;
  double seconds; // 0: 20
} testing_request;

static inline void testing_print(MlirStringRef piece, void *file) {
  fwrite(piece.data, 1, piece.length, file);
}

static inline const char *testing_type(const assay_snapshot *snapshot, const char *entry) {
  for (int i = 0; i < snapshot->function_count; i++)
    if (strcmp(snapshot->functions[i].name, entry) == 0 &&
        snapshot->functions[i].kind == ASSAY_FUNCTION_FUNC)
      return snapshot->functions[i].type;
  return NULL;
}

static inline void testing_pass(MlirModule module, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreate(testing_context);
  char text[4096];
  snprintf(text, sizeof text, "builtin.module(%s)", passes);
  assert_true(mlirLogicalResultIsSuccess(
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                            mlirStringRefCreateFromCString(text), testing_print, stderr)));
  assert_true(
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(manager);
}

// The state after some passes; the type of the entry when it last was a func.func.
static inline const assay_snapshot *testing_state(const testing_request *request,
                                                  const assay_snapshot **out_input,
                                                  const char **out_input_type,
                                                  const char **out_last_type) {
  const char *entry = request->entry == NULL ? "main" : request->entry;
  MlirModule module =
      mlirModuleCreateParse(testing_context, mlirStringRefCreateFromCString(request->source));
  assert_false(mlirModuleIsNull(module));
  const assay_snapshot *snapshot;
  assay_error err;
  assert_int_equal(assay_snapshot_take(module, testing_shared, &snapshot, &err), ASSAY_OK);
  *out_input = snapshot;
  *out_input_type = *out_last_type = testing_type(snapshot, entry);
  if (*out_input_type == NULL)
    *out_input_type = snapshot->functions[0].type; // written in the llvm dialect
  // One pass after the other, to see the last func.func.
  const char *at = request->passes == NULL ? "" : request->passes;
  while (*at != '\0') {
    size_t length = 0;
    for (int depth = 0; at[length] != '\0' && (depth > 0 || at[length] != ','); length++)
      depth += (at[length] == '{' || at[length] == '(') - (at[length] == '}' || at[length] == ')');
    char pass[1024];
    snprintf(pass, sizeof pass, "%.*s", (int)length, at);
    testing_pass(module, pass);
    at += length + (at[length] == ',');
    assert_int_equal(assay_snapshot_take(module, testing_shared, &snapshot, &err), ASSAY_OK);
    const char *type = testing_type(snapshot, entry);
    if (type != NULL)
      *out_last_type = type;
  }
  mlirModuleDestroy(module);
  return snapshot;
}

static inline int testing_length(const char *const *names) {
  int count = 0;
  while (names != NULL && names[count] != NULL)
    count++;
  return count;
}

// Finishes and runs a state in a process of its own, once for each of `runs`.
static inline const assay_tail_answer *testing_answer(const testing_request *request, int run_count,
                                                      const assay_tail_run *runs) {
  assay_tail_answer *answer = assay_shared_take(testing_shared, sizeof *answer);
  const char *input_type, *last_type;
  const assay_snapshot *input;
  const assay_snapshot *state = testing_state(request, &input, &input_type, &last_type);
  assay_tail_request full = {
      .context = testing_context,
      .state = state,
      .entry = request->entry == NULL ? "main" : request->entry,
      .input_type = input_type,
      .last_type = last_type,
      .tail = request->tail,
      .baseline = request->baseline,
      .inputs = request->inputs,
      .input_count = request->input_count,
      .cautious = request->cautious,
      .user_tail = request->user_tail,
      .declared = request->declared,
      .given = input->given, // in the order of `declared`
      .declared_count = testing_length(request->declared),
      .instrument = request->instrument,
      .checked = request->checked,
      .run_count = run_count,
      .runs = runs,
      .run_seconds = request->seconds == 0 ? 20 : request->seconds,
      .reuse = request->reuse,
  };
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    assay_error err;
    if (assay_tail_execute(&full, testing_shared, answer, &err) != ASSAY_OK)
      fprintf(stderr, "%s\n", err.text);
    _exit(0);
  }
  int status;
  waitpid(child, &status, 0);
  assert_int_equal(status, 0);
  assert_true(answer->ready);
  return answer;
}

// The single run of a request, which must get as far as running.
static inline const assay_tail_outcome *testing_outcome(const testing_request *request) {
  const assay_tail_answer *answer = testing_answer(request, 1, &request->run);
  if (answer->status != ASSAY_TAIL_RAN)
    fail_msg("%s: %s", request->passes == NULL ? "" : request->passes, answer->reason);
  return &answer->outcomes[0];
}

static inline const assay_observation *testing_see(const testing_request *request) {
  const assay_tail_outcome *outcome = testing_outcome(request);
  if (outcome->status != ASSAY_TAIL_RAN)
    fail_msg("%s: %s", request->passes == NULL ? "" : request->passes, outcome->reason);
  return &outcome->seen;
}

static inline void testing_show(const assay_observation *seen) {
  for (int i = 0; i < seen->count; i++) {
    char name[32];
    assay_observed_name(&seen->items[i], name);
    print_error("%s:", name);
    for (int64_t k = 0; k < seen->items[i].count && k < 24; k++)
      print_error(" %.9g", assay_observed_value(&seen->items[i], k));
    print_error("\n");
  }
}

static inline bool testing_same(const assay_observation *a, const assay_observation *b) {
  bool same = a->count == b->count;
  for (int i = 0; same && i < a->count; i++) {
    const assay_observed *x = &a->items[i], *y = &b->items[i];
    same = x->kind == y->kind && x->index == y->index && x->element == y->element &&
           x->bytes == y->bytes && x->rank == y->rank && x->count == y->count &&
           memcmp(x->dim, y->dim, (size_t)x->rank * sizeof *x->dim) == 0 &&
           memcmp(x->data, y->data, (size_t)(x->count * x->bytes)) == 0;
  }
  return same;
}

// All values in order of observation.
static inline void testing_expect(const assay_observation *seen, int count, const double *values) {
  int at = 0;
  bool right = true;
  for (int i = 0; i < seen->count; i++)
    for (int64_t k = 0; k < seen->items[i].count; k++, at++) {
      double value = assay_observed_value(&seen->items[i], k);
      if (at >= count || (value != values[at] && !(isnan(value) && isnan(values[at]))))
        right = false;
    }
  if (right && at == count)
    return;
  testing_show(seen);
  fail_msg("%d values, %d expected, or one of them differs", at, count);
}

#endif
