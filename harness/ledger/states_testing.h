// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For tests: passes that do harm, written in C, and a pipeline of them stepped and put on trial.
#ifndef ASSAY_HARNESS_LEDGER_STATES_TESTING_H
#define ASSAY_HARNESS_LEDGER_STATES_TESTING_H

#include "compiler/bridge/pass.h"
#include "harness/ledger/states.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static const char tried_module[] = "func.func @main(%a: f32, %b: f32) -> f32 {\n"
                                   "  %c = arith.constant 2.5 : f32\n"
                                   "  %d = arith.subf %a, %b : f32\n"
                                   "  %e = arith.mulf %d, %c : f32\n"
                                   "  return %e : f32\n"
                                   "}\n"
                                   "func.func @other() {\n"
                                   "  return\n"
                                   "}\n";

// The last operation of a name, and with a symbol where one is given.
typedef struct tried_search {
  const char *name, *symbol;
  MlirOperation found;
} tried_search;

static inline MlirWalkResult tried_look(MlirOperation operation, void *user) {
  tried_search *it = user;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  MlirAttribute symbol =
      mlirOperationGetAttributeByName(operation, mlirStringRefCreateFromCString("sym_name"));
  bool named = it->symbol == NULL;
  if (!named && !mlirAttributeIsNull(symbol))
    named = mlirStringRefEqual(mlirStringAttrGetValue(symbol),
                               mlirStringRefCreateFromCString(it->symbol));
  if (named && mlirStringRefEqual(name, mlirStringRefCreateFromCString(it->name)))
    it->found = operation;
  return MlirWalkResultAdvance;
}

static inline MlirOperation tried_find(MlirOperation module, const char *name, const char *symbol) {
  tried_search it = {.name = name, .symbol = symbol};
  mlirOperationWalk(module, tried_look, &it, MlirWalkPreOrder);
  return it.found;
}

static inline assay_code tried_swap(MlirOperation module, assay_error *err) {
  (void)err;
  MlirOperation difference = tried_find(module, "arith.subf", NULL);
  MlirValue first = mlirOperationGetOperand(difference, 0);
  mlirOperationSetOperand(difference, 0, mlirOperationGetOperand(difference, 1));
  mlirOperationSetOperand(difference, 1, first);
  return ASSAY_OK;
}

// Each process makes another number of the constant.
static inline assay_code tried_fickle(MlirOperation module, assay_error *err) {
  (void)err;
  MlirContext context = mlirOperationGetContext(module);
  MlirAttribute number =
      mlirFloatAttrDoubleGet(context, mlirF32TypeGet(context), 10 + (double)getpid());
  mlirOperationSetAttributeByName(tried_find(module, "arith.constant", NULL),
                                  mlirStringRefCreateFromCString("value"), number);
  return ASSAY_OK;
}

// Changes what main has nothing to do with; again and again, to something new.
static inline assay_code tried_aside(MlirOperation module, assay_error *err) {
  (void)err;
  MlirOperation other = tried_find(module, "func.func", "other");
  MlirStringRef name = mlirStringRefCreateFromCString("assay.times");
  MlirAttribute before = mlirOperationGetAttributeByName(other, name);
  int64_t times = mlirAttributeIsNull(before) ? 0 : mlirIntegerAttrGetValueInt(before);
  MlirType type = mlirIntegerTypeGet(mlirOperationGetContext(module), 64);
  mlirOperationSetAttributeByName(other, name, mlirIntegerAttrGet(type, times + 1));
  return ASSAY_OK;
}

static inline assay_code tried_hide(MlirOperation module, assay_error *err) {
  (void)err;
  mlirOperationSetAttributeByName(tried_find(module, "func.func", "main"),
                                  mlirStringRefCreateFromCString("sym_visibility"),
                                  mlirStringAttrGet(mlirOperationGetContext(module),
                                                    mlirStringRefCreateFromCString("private")));
  return ASSAY_OK;
}

static inline assay_code tried_erase(MlirOperation module, assay_error *err) {
  (void)err;
  MlirOperation entry = tried_find(module, "func.func", "main");
  mlirOperationRemoveFromParent(entry);
  mlirOperationDestroy(entry);
  return ASSAY_OK;
}

// The entry returns nothing any more.
static inline assay_code tried_lose(MlirOperation module, assay_error *err) {
  (void)err;
  MlirContext context = mlirOperationGetContext(module);
  MlirOperation main = tried_find(module, "func.func", "main");
  MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(main, 0));
  MlirOperation last = mlirBlockGetTerminator(block);
  MlirOperationState state = mlirOperationStateGet(mlirStringRefCreateFromCString("func.return"),
                                                   mlirOperationGetLocation(last));
  mlirBlockAppendOwnedOperation(block, mlirOperationCreate(&state));
  mlirOperationRemoveFromParent(last);
  mlirOperationDestroy(last);
  MlirType type = mlirTypeParseGet(context, mlirStringRefCreateFromCString("(f32, f32) -> ()"));
  mlirOperationSetAttributeByName(main, mlirStringRefCreateFromCString("function_type"),
                                  mlirTypeAttrGet(type));
  return ASSAY_OK;
}

// Writes behind the end of a buffer that nobody reads.
static inline assay_code tried_overrun(MlirOperation module, assay_error *err) {
  (void)err;
  MlirOperation parsed = mlirOperationCreateParse(
      mlirOperationGetContext(module),
      mlirStringRefCreateFromCString("func.func @overrun() {\n  %c = arith.constant 3 : index\n"
                                     "  %x = arith.constant 1.0 : f32\n"
                                     "  %m = memref.alloc() : memref<3xf32>\n"
                                     "  memref.store %x, %m[%c] : memref<3xf32>\n  return\n}\n"),
      mlirStringRefCreateFromCString("overrun"));
  MlirOperation main = tried_find(module, "func.func", "main");
  MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(parsed, 0));
  MlirBlock to = mlirRegionGetFirstBlock(mlirOperationGetRegion(main, 0));
  MlirOperation last = mlirBlockGetTerminator(from), place = mlirBlockGetFirstOperation(to);
  for (MlirOperation at = mlirBlockGetFirstOperation(from); !mlirOperationEqual(at, last);
       at = mlirBlockGetFirstOperation(from)) {
    mlirOperationRemoveFromParent(at);
    mlirBlockInsertOwnedOperationBefore(to, place, at);
  }
  mlirOperationDestroy(parsed);
  return ASSAY_OK;
}

static const assay_pass tried_passes[] = {
    {"assay-test-swap", "b - a for a - b", "builtin.module", NULL, tried_swap},
    {"assay-test-fickle", "another constant each time", "builtin.module", NULL, tried_fickle},
    {"assay-test-aside", "changes another function", "builtin.module", NULL, tried_aside},
    {"assay-test-hide", "makes the entry private", "builtin.module", NULL, tried_hide},
    {"assay-test-lose", "drops the result", "builtin.module", NULL, tried_lose},
    {"assay-test-overrun", "writes out of bounds", "builtin.module", NULL, tried_overrun},
    {"assay-test-erase", "erases the entry", "builtin.module", NULL, tried_erase},
};

typedef struct tried {
  assay_arena *arena;
  assay_ledger_request request;
  assay_steps steps;
  assay_trial trial;
  assay_states states;
} tried;

// A request for the module through passes ("assay-test-swap,cse").
static inline void ask_of_passes(tried *it, const char *passes) {
  assay_error err;
  *it = (tried){.arena = assay_arena_create()};
  it->request = (assay_ledger_request){.context = assay_passes_context(),
                                       .file = "test.mlir",
                                       .source = tried_module,
                                       .size = sizeof tried_module - 1,
                                       .data = {true, true},
                                       .seed = 1,
                                       .jobs = 2,
                                       .timeout = 60,
                                       .memory_bytes = (int64_t)4 << 30};
  for (size_t i = 0; i < sizeof tried_passes / sizeof tried_passes[0]; i++)
    assay_pass_register(&tried_passes[i]);
  const char *word = assay_arena_format(it->arena, "--pass-pipeline=builtin.module(%s)", passes);
  assert_int_equal(assay_shared_create((size_t)1 << 36, &it->request.shared, &err), ASSAY_OK);
  assert_int_equal(
      assay_pass_pipeline_parse(it->request.context, 1, &word, &it->request.pipeline, &err),
      ASSAY_OK);
}

// The same stepped, its input on trial, and its states run.
static inline void try_passes(tried *it, const char *passes) {
  assay_error err;
  ask_of_passes(it, passes);
  assert_int_equal(assay_steps_take(&it->request, it->arena, &it->steps, &err), ASSAY_OK);
  const assay_snapshot *input = it->steps.stepping->input;
  assert_int_equal(input->function_count, 2);
  assert_int_equal(
      assay_trial_open(&it->request, it->arena, input, &input->functions[0], &it->trial, &err),
      ASSAY_OK);
  assert_null(it->trial.inconclusive);
  assert_int_equal(assay_states_run(&it->trial, &it->steps, &it->states, &err), ASSAY_OK);
}

static inline void end_trial(tried *it) {
  assay_pass_pipeline_destroy(it->request.pipeline);
  assay_shared_destroy(it->request.shared);
  mlirContextDestroy(it->request.context);
  assay_arena_destroy(it->arena);
}

// What the state after execution number n, from 1, is judged to be.
static inline const assay_state *state_after(const tried *it, int n) {
  return assay_states_find(&it->states, it->steps.executions[n - 1]->after);
}

#endif
