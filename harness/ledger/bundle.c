// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/bundle.h"

#include "compiler/base/text.h"
#include "harness/ledger/pool.h"
#include "harness/ledger/print.h"
#include "reference/npy.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

static assay_code write_text(const char *path, const char *text, size_t size, assay_error *err) {
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
  bool written = fwrite(text, 1, size, file) == size;
  if (fclose(file) != 0 || !written)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
  return ASSAY_OK;
}

// A state printed in a child: printing what a bad pass left may crash.
typedef struct printing {
  const assay_ledger_request *request;
  const assay_snapshot *snapshot;
  bool generic;
  const char *path;
  assay_error *failure; // shared
} printing;

static void write_callback(MlirStringRef text, void *user) {
  assay_text_append(user, text.data, text.length);
}

static void print_in_child(const assay_job *job) {
  printing *it = job->user;
  MlirModule module;
  assay_error err = {.code = ASSAY_OK};
  if (assay_snapshot_read(it->snapshot, it->request->context, &module, &err) == ASSAY_OK) {
    assay_arena *arena = assay_arena_create();
    assay_text text = {.arena = arena};
    MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
    if (it->generic)
      mlirOpPrintingFlagsPrintGenericOpForm(flags);
    mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, write_callback, &text);
    assay_text_append(&text, "\n", 1);
    mlirOpPrintingFlagsDestroy(flags);
    (void)!write_text(it->path, assay_text_get(&text), text.length, &err);
    assay_arena_destroy(arena);
  }
  *it->failure = err;
}

static assay_code print_state(const assay_ledger_request *request, assay_arena *arena,
                              const assay_snapshot *snapshot, bool generic, const char *path,
                              assay_error *err) {
  printing it = {.request = request,
                 .snapshot = snapshot,
                 .generic = generic,
                 .path = path,
                 .failure = assay_shared_take(request->shared, sizeof(assay_error))};
  if (it.failure == NULL)
    return assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  assay_job job = {.body = print_in_child, .user = &it}, *const jobs[] = {&job};
  TRY(assay_pool_run(request, arena, "writing the bundle", request->timeout, jobs, 1, err));
  if (job.ending != ASSAY_ENDED_WELL)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "MLIR cannot print this state: %s",
                         job.reason);
  if (it.failure->code != ASSAY_OK) {
    *err = *it.failure;
    return err->code;
  }
  return ASSAY_OK;
}

static const char *npy_descr(const assay_observed *item, assay_arena *arena) {
  switch (item->element) {
  case ASSAY_ELEMENT_F16:
    return "<f2";
  case ASSAY_ELEMENT_F32:
    return "<f4";
  case ASSAY_ELEMENT_F64:
    return "<f8";
  case ASSAY_ELEMENT_BF16:
    return "<u2"; // NumPy has no bf16: its bits
  case ASSAY_ELEMENT_TEXT:
    return "|u1";
  case ASSAY_ELEMENT_INTEGER:
    break;
  default:
    return "|u1"; // nor floats of a byte
  }
  // NumPy has no wider integers than of 8 bytes: their bytes.
  return item->bytes > 8
             ? "|V16"
             : assay_arena_format(arena, "%ci%d", item->bytes == 1 ? '|' : '<', item->bytes);
}

static assay_code write_arrays(assay_arena *arena, const char *folder, const char *data,
                               const assay_observation *seen, assay_error *err) {
  if (mkdir(folder, 0777) != 0 && errno != EEXIST)
    return assay_fail_at(err, ASSAY_FAILED, folder, 0, 0, "cannot make: %s", strerror(errno));
  for (int i = 0; i < seen->count; i++) {
    const assay_observed *item = &seen->items[i];
    if (item->rank <= ASSAY_NPY_MAX_RANK)
      TRY(assay_npy_write(assay_arena_format(arena, "%s/%s-%d.npy", folder, data, i),
                          npy_descr(item, arena), (size_t)item->bytes, item->rank, item->dim,
                          item->data, err));
  }
  return ASSAY_OK;
}

static const char *data_name(const assay_ledger_shown *shown) {
  return shown->data == 0 ? "int" : "real";
}

static assay_code write_values(assay_arena *arena, const assay_ledger_answer *answer,
                               const char *folder, assay_error *err) {
  for (int i = 0; i < answer->shown_count; i++) {
    const assay_ledger_shown *shown = &answer->shown[i];
    const char *data = data_name(shown);
    if (shown->arguments != NULL)
      TRY(write_arrays(arena, assay_arena_format(arena, "%s/inputs", folder), data,
                       shown->arguments, err));
    if (shown->expected != NULL)
      TRY(write_arrays(arena, assay_arena_format(arena, "%s/expected", folder), data,
                       shown->expected, err));
    if (shown->got != NULL)
      TRY(write_arrays(arena, assay_arena_format(arena, "%s/got", folder), data, shown->got, err));
  }
  return ASSAY_OK;
}

// What the first command shows: mlir-opt on the state before.
static const char *explain(assay_fault fault) {
  switch (fault) {
  case ASSAY_FAULT_INVALID_IR:
    return "The first command shows it: mlir-opt's verifier rejects what the pass leaves.";
  case ASSAY_FAULT_CRASH:
    return "The first command shows it: mlir-opt dies.";
  case ASSAY_FAULT_TIMEOUT:
    return "The first command shows it: mlir-opt does not come to an end.";
  case ASSAY_FAULT_UNPARSABLE_IR:
    return "The first command's output, given to mlir-opt again, shows it.";
  case ASSAY_FAULT_NAN_ATTRIBUTE:
    return "The first command shows the NaN among the attributes of its output.";
  case ASSAY_FAULT_UNLOWERED:
    return "The first command shows the operation that is left.";
  default:
    return "The first command shows what the pass does; that it is wrong shows when both are run,\n"
           "which the second does.";
  }
}

static bool is_function_before(const assay_ledger_answer *answer, const assay_snapshot *before) {
  for (int i = 0; i < before->function_count; i++)
    if (strcmp(before->functions[i].name, answer->entry) == 0)
      return before->functions[i].kind == ASSAY_FUNCTION_FUNC;
  return answer->entry[0] == '\0';
}

static void print_words(assay_text *text, const assay_ledger_request *request,
                        const assay_ledger_answer *answer) {
  assay_text_print(text, "%s%s", request->plugin_words != NULL ? request->plugin_words : "",
                   request->option_words != NULL ? request->option_words : "");
  if (answer->entry[0] != '\0')
    assay_text_print(text, " --entry=%s", answer->entry);
  const assay_observation *given =
      request->inputs != NULL && answer->shown_count > 0 ? answer->shown[0].arguments : NULL;
  for (int i = 0; given != NULL && i < given->count; i++)
    assay_text_print(text, " --input=inputs/%s-%d.npy", data_name(&answer->shown[0]), i);
}

// The pass alone by mlir-opt, which knows no pass of Assay's own, and by the program. A function
// that is lowered already cannot be called by its type: the whole pipeline then, on the input.
static void print_commands(assay_text *text, const assay_ledger_request *request,
                           const assay_ledger_answer *answer, const char *program) {
  const assay_blame *blame = &answer->blame;
  const assay_execution *bad = answer->rows[blame->row].execution;
  const char *plugins = request->plugin_words != NULL ? request->plugin_words : "";
  bool own = strncmp(bad->name, "assay-", strlen("assay-")) == 0 && plugins[0] == '\0';
  assay_text_print(text, "\nIn this folder:\n\n");
  if (!own)
    assay_text_print(text, "    mlir-opt-22 before.mlir %s%s\n", blame->command, plugins);
  if (is_function_before(answer, bad->before))
    assay_text_print(text, "    %s ledger before.mlir %s", program, blame->command);
  else
    assay_text_print(text, "    %s ledger input.mlir --pass-pipeline='%s'", program,
                     assay_pass_pipeline_text(request->pipeline, text->arena));
  print_words(text, request, answer);
  const char *unknown = "The pass is Assay's own: mlir-opt does not know it.";
  assay_text_print(text, "\n\n%s\n", own ? unknown : explain(blame->fault));
}

static assay_code write_readme(const assay_ledger_request *request, assay_arena *arena,
                               const assay_ledger_answer *answer, const char *folder,
                               const char *program, assay_error *err) {
  const assay_blame *blame = &answer->blame;
  const assay_execution *bad = answer->rows[blame->row].execution;
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%s\n%s\n\n", assay_ledger_sentence(arena, answer), blame->reason);
  assay_text_print(&text,
                   "input.mlir   the module before any pass\n"
                   "before.mlir  the module before pass %d, %s",
                   bad->n, bad->name);
  if (bad->symbol[0] != '\0')
    assay_text_print(&text, " on @%s", bad->symbol);
  assay_text_print(&text, "\n%spass         the pass alone\n",
                   bad->after != bad->before ? "after.mlir   the module after it\n" : "");
  if (answer->shown_count > 0)
    assay_text_print(&text,
                     "inputs/      the arguments of @%s, one .npy each, for each data set\n"
                     "expected/    what the input computes, in the order of observation\n"
                     "got/         what the module after the pass computes\n",
                     answer->entry);
  if (blame->command[0] != '\0')
    print_commands(&text, request, answer, program);
  return write_text(assay_arena_format(arena, "%s/README", folder), assay_text_get(&text),
                    text.length, err);
}

// The pretty form, but for a state that it cannot be read again from.
static assay_code print_before(const assay_ledger_request *request, assay_arena *arena,
                               const assay_ledger_answer *answer, const assay_snapshot *state,
                               const char *path, assay_error *err) {
  bool generic = false;
  for (int i = 0; i < answer->row_count; i++)
    generic |= answer->rows[i].execution->after == state && !answer->rows[i].roundtrips;
  return print_state(request, arena, state, generic, path, err);
}

assay_code assay_bundle_write(const assay_ledger_request *request, assay_arena *arena,
                              const assay_ledger_answer *answer, const char *folder,
                              const char *program, assay_error *err) {
  if (answer->blame.fault == ASSAY_FAULT_NONE)
    return ASSAY_OK;
  const assay_execution *bad = answer->rows[answer->blame.row].execution;
  TRY(print_before(request, arena, answer, answer->input,
                   assay_arena_format(arena, "%s/input.mlir", folder), err));
  TRY(print_before(request, arena, answer, bad->before,
                   assay_arena_format(arena, "%s/before.mlir", folder), err));
  bool whole = bad->verifies && answer->blame.fault != ASSAY_FAULT_UNPARSABLE_IR;
  if (bad->after != bad->before)
    TRY(print_state(request, arena, bad->after, !whole,
                    assay_arena_format(arena, "%s/after.mlir", folder), err));
  const char *pass = assay_arena_format(arena, "%s(%s)\n", bad->anchor, bad->options);
  TRY(write_text(assay_arena_format(arena, "%s/pass", folder), pass, strlen(pass), err));
  TRY(write_values(arena, answer, folder, err));
  return write_readme(request, arena, answer, folder, program, err);
}
