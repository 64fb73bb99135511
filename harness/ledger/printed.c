// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/printed.h"

#include "compiler/base/text.h"
#include "harness/ledger/pool.h"

typedef struct printing {
  const assay_ledger_request *request;
  const assay_snapshot *state;
  bool generic;
  const char **text;    // shared
  assay_error *failure; // shared
} printing;

static void append(MlirStringRef text, void *user) {
  assay_text_append(user, text.data, text.length);
}

const char *assay_module_text(MlirModule module, bool generic, assay_arena *arena) {
  assay_text text = {.arena = arena};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  if (generic)
    mlirOpPrintingFlagsPrintGenericOpForm(flags);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, append, &text);
  if (text.length > 0 && text.data[text.length - 1] != '\n')
    assay_text_append(&text, "\n", 1);
  mlirOpPrintingFlagsDestroy(flags);
  return assay_text_get(&text);
}

static void print_in_child(const assay_job *job) {
  printing *it = job->user;
  MlirModule module;
  assay_error err = {.code = ASSAY_OK};
  if (assay_snapshot_read(it->state, it->request->context, &module, &err) == ASSAY_OK) {
    assay_arena *arena = assay_arena_create();
    const char *text = assay_module_text(module, it->generic, arena);
    *it->text = assay_shared_string(it->request->shared, text);
    assay_arena_destroy(arena);
  }
  *it->failure = err;
}

assay_code assay_state_text(const assay_ledger_request *request, assay_arena *arena,
                            const assay_snapshot *state, bool generic, const char *doing,
                            const char **out_text, assay_error *err) {
  printing it = {.request = request,
                 .state = state,
                 .generic = generic,
                 .text = assay_shared_take(request->shared, sizeof(const char *)),
                 .failure = assay_shared_take(request->shared, sizeof(assay_error))};
  if (it.text == NULL || it.failure == NULL)
    return assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  assay_job job = {.body = print_in_child, .user = &it}, *const jobs[] = {&job};
  TRY(assay_pool_run(request, arena, doing, request->timeout, jobs, 1, err));
  if (assay_pool_is_stopped(request))
    return assay_fail(err, ASSAY_FAILED, "stopped");
  if (job.ending != ASSAY_ENDED_WELL)
    return assay_fail(err, ASSAY_FAILED, "MLIR cannot print this state: %s", job.reason);
  if (it.failure->code != ASSAY_OK) {
    *err = *it.failure;
    return err->code;
  }
  if (*it.text == NULL)
    return assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  *out_text = *it.text;
  return ASSAY_OK;
}
