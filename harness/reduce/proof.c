// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/proof.h"

#include "compiler/base/file.h"
#include "compiler/base/text.h"
#include "harness/ledger/pool.h"
#include "harness/reduce/caller.h"
#include "harness/reduce/command.h"

#include <string.h>
#include <unistd.h>

// What takes a program of the common dialects to one that mlir-runner runs.
#define LOWER                                                                                      \
  "builtin.module(test-transform-dialect-erase-schedule,linalg-generalize-named-ops,convert-"      \
  "elementwise-to-linalg,"                                                                         \
  "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops},"              \
  "convert-linalg-to-loops,convert-vector-to-scf,lower-affine,arith-expand,memref-expand,"         \
  "convert-complex-to-standard,convert-scf-to-cf,expand-strided-metadata,lower-affine,"            \
  "convert-math-to-llvm{approximate-log1p=false},convert-math-to-libm,convert-vector-to-llvm,"     \
  "finalize-memref-to-llvm,convert-arith-to-llvm,convert-index-to-llvm,convert-ub-to-llvm,"        \
  "convert-func-to-llvm,convert-cf-to-llvm,reconcile-unrealized-casts)"

// Seconds that a command may take.
static const double PATIENCE = 20;

typedef struct proof {
  const assay_reduction_request *request;
  const assay_reduction *reduction;
  const char *folder;
  assay_arena *arena;
  const char *opt, *runner; // paths
} proof;

static const char *in(const proof *it, const char *name) {
  return assay_arena_format(it->arena, "%s/%s", it->folder, name);
}

static const char *plugins(const proof *it) {
  const char *words = it->request->ledger->plugin_words;
  return words != NULL ? words : "";
}

// The pass's own command, as a user would type it in the folder.
static const char *pass_command(const proof *it, const char *file) {
  return assay_arena_format(it->arena, "mlir-opt-22 %s --pass-pipeline='%s'%s", file,
                            it->request->pipeline, plugins(it));
}

// Runs a script in the folder with the tools under the names that commands use; what it prints goes
// to .output and .messages.
static assay_code run(const proof *it, const char *script, assay_command *out_command,
                      assay_error *err) {
  const char *whole =
      assay_arena_format(it->arena,
                         "cd \"$0\" || exit 2\nmlir-opt-22() { '%s' \"$@\"; }\nmlir-runner-22() { "
                         "'%s' \"$@\"; }\n%s\n",
                         it->opt, it->runner != NULL ? it->runner : "false", script);
  const char *const words[] = {"bash", "-c", whole, it->folder, NULL};
  *out_command = (assay_command){.words = words,
                                 .output = in(it, ".output"),
                                 .messages = in(it, ".messages"),
                                 .seconds = PATIENCE};
  TRY(assay_command_run(it->request->ledger, it->arena, "showing it by mlir-opt alone", out_command,
                        err));
  out_command->words = NULL; // they were ours
  return ASSAY_OK;
}

static const char *read_back(const proof *it, const char *name) {
  assay_file file;
  assay_error ignored;
  return assay_file_read(it->arena, in(it, name), &file, &ignored) == ASSAY_OK ? file.bytes : "";
}

// The verifier's words, without the place before them and what the ledger adds.
static bool holds_message(const char *messages, const char *reason) {
  char words[128];
  const char *start = assay_reason_without_place(reason);
  size_t length = strcspn(start, ";\n");
  length = length < sizeof words - 1 ? length : sizeof words - 1;
  memcpy(words, start, length);
  words[length] = '\0';
  return strstr(messages, words) != NULL;
}

// NaNs as MLIR prints them: f32, f64, f16, bf16; dense elements as well.
static bool holds_nan(const char *text) {
  static const char *const bits[] = {"0x7FC", "0xFFC", "0x7FF8", "0xFFF8", "0x7E0",
                                     "0xFE0", "0x7FA", "0xFFA",  "0x7F8",  "0xFF8"};
  for (size_t i = 0; i < sizeof bits / sizeof *bits; i++)
    if (strstr(text, bits[i]) != NULL)
      return true;
  return false;
}

// "memref.copy is left"
static bool holds_operation(const char *text, const char *reason) {
  char name[128];
  size_t length = strcspn(reason, " ");
  length = length < sizeof name - 1 ? length : sizeof name - 1;
  memcpy(name, reason, length);
  name[length] = '\0';
  return strstr(text, name) != NULL;
}

// One command shows it, or the same with its output read again.
static assay_code show_module(const proof *it, const char **out_text, assay_error *err) {
  const assay_symptom *symptom = &it->reduction->symptom;
  const char *command = pass_command(it, "reduced.mlir"), *what = NULL;
  bool again = symptom->fault == ASSAY_FAULT_UNPARSABLE_IR;
  if (again)
    command = assay_arena_format(it->arena, "%s | mlir-opt-22%s", command, plugins(it));
  assay_command done;
  TRY(run(it, command, &done, err));
  const char *printed = read_back(it, ".output"), *messages = read_back(it, ".messages");
  switch (symptom->fault) {
  case ASSAY_FAULT_INVALID_IR:
    if (done.ended && done.status != 0 && holds_message(messages, symptom->reason))
      what = "mlir-opt's verifier rejects what the pass leaves";
    break;
  case ASSAY_FAULT_CRASH:
    if (done.ended && done.status > 2)
      what = "mlir-opt dies";
    break;
  case ASSAY_FAULT_TIMEOUT:
    if (!done.ended && !assay_pool_is_stopped(it->request->ledger))
      what = "mlir-opt does not come to an end";
    break;
  case ASSAY_FAULT_NAN_ATTRIBUTE:
    if (done.ended && done.status == 0 && holds_nan(printed))
      what = "the NaN stands among the attributes of its output";
    break;
  case ASSAY_FAULT_UNPARSABLE_IR:
    if (done.ended && done.status != 0)
      what = "mlir-opt cannot read what it printed";
    break;
  case ASSAY_FAULT_UNLOWERED:
    if (done.ended && done.status == 0 && holds_operation(printed, symptom->reason))
      what = "the operation is left in its output";
    break;
  default:
    break;
  }
  bool endless = symptom->fault == ASSAY_FAULT_TIMEOUT;
  *out_text = what == NULL ? ""
                           : assay_arena_format(it->arena, "    %s%s\n\nshows it: %s.\n",
                                                endless ? "timeout 10 " : "", command, what);
  return ASSAY_OK;
}

// What a program prints, without the addresses of memory.
static const char *values(const proof *it, const char *printed) {
  assay_text text = {.arena = it->arena};
  for (const char *at = printed; *at != '\0';) {
    size_t length = strcspn(at, "\n");
    const char *base = strstr(at, "base@");
    if (base == NULL || base > at + length)
      assay_text_append(&text, at, length + (at[length] == '\n'));
    at += length + (at[length] == '\n');
  }
  return assay_text_get(&text);
}

// Runs shown.mlir without the pass and with it; *out_differs where both run and print other values.
static assay_code compare(const proof *it, const char *lines, bool *out_differs, assay_error *err) {
  const char *printed[2] = {"", ""};
  *out_differs = false;
  for (int with = 0; with < 2; with++) {
    assay_command done;
    const char *last = assay_arena_format(
        it->arena, "set -o pipefail\n%s\n%s", lines,
        with ? assay_arena_format(it->arena, "%s | mlir-opt-22 --pass-pipeline=\"$LOWER\" | $RUN",
                                  pass_command(it, "shown.mlir"))
             : "mlir-opt-22 shown.mlir --pass-pipeline=\"$LOWER\" | $RUN");
    TRY(run(it, last, &done, err));
    if (!done.ended || (done.status != 0 && (with == 0 || done.status < 128)))
      return ASSAY_OK;
    printed[with] = done.status == 0 ? values(it, read_back(it, ".output")) : "it dies";
  }
  *out_differs = printed[0][0] != '\0' && strcmp(printed[0], printed[1]) != 0;
  return ASSAY_OK;
}

// Two runs show it: of the program, and of what the pass makes of it.
static assay_code show_values(const proof *it, const char **out_text, assay_error *err) {
  const char *lines = assay_arena_format(
      it->arena,
      "    LOWER='" LOWER "'\n    RUN='mlir-runner-22 -e main --entry-point-result=void "
      "--shared-libs=%s/libmlir_runner_utils.so,%s/libmlir_c_runner_utils.so'",
      ASSAY_LLVM_LIB, ASSAY_LLVM_LIB);
  assay_ledger_request ledger = *it->request->ledger;
  if (!it->reduction->given) {
    ledger.inputs = NULL;
    ledger.input_count = 0;
  }
  *out_text = "";
  for (int i = 0; i < 2 * ASSAY_DATA_SETS; i++) {
    const char *text;
    assay_error why;
    bool differs = false;
    if (assay_caller_write(&ledger, it->arena, it->reduction->text, it->request->entry, 1 - i % 2,
                           i >= 2, &text, &why) != ASSAY_OK)
      return ASSAY_OK;
    TRY(assay_file_write(in(it, "shown.mlir"), text, err));
    TRY(compare(it, lines, &differs, err));
    if (!differs)
      continue;
    *out_text =
        assay_arena_format(it->arena,
                           "%s\n    mlir-opt-22 shown.mlir --pass-pipeline=\"$LOWER\" | $RUN\n"
                           "    %s |\n      mlir-opt-22 --pass-pipeline=\"$LOWER\" | $RUN\n\n"
                           "show it (shown.mlir is reduced.mlir with a main that calls it): they "
                           "print other values.\n",
                           lines, pass_command(it, "shown.mlir"));
    return ASSAY_OK;
  }
  return ASSAY_OK;
}

assay_code assay_proof_find(const assay_reduction_request *request,
                            const assay_reduction *reduction, const char *folder,
                            assay_arena *arena, const char **out_text, assay_error *err) {
  proof it = {.request = request,
              .reduction = reduction,
              .folder = folder,
              .arena = arena,
              .opt = assay_llvm_tool(arena, "mlir-opt"),
              .runner = assay_llvm_tool(arena, "mlir-runner")};
  *out_text = "";
  bool of_values = assay_fault_is_of_values(reduction->symptom.fault);
  if (folder == NULL || it.opt == NULL || (of_values && it.runner == NULL))
    return ASSAY_OK;
  assay_code code = of_values ? show_values(&it, out_text, err) : show_module(&it, out_text, err);
  unlink(in(&it, ".output"));
  unlink(in(&it, ".messages"));
  if (code != ASSAY_OK || (*out_text)[0] == '\0')
    unlink(in(&it, "shown.mlir"));
  return code;
}
