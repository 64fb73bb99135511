// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/readme.h"

#include "compiler/base/text.h"
#include "compiler/bridge/pass.h"
#include "harness/ledger/manifest.h"
#include "harness/ledger/origin.h"
#include "harness/ledger/print.h"

#include <string.h>

const char *assay_readme_data(const assay_ledger_shown *shown) {
  return shown->data == 0 ? "int" : "real";
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

static void print_words(assay_text *text, const assay_ledger_request *request,
                        const assay_ledger_answer *answer) {
  assay_text_print(text, "%s%s", request->plugin_words != NULL ? request->plugin_words : "",
                   request->option_words != NULL ? request->option_words : "");
  if (answer->entry[0] != '\0')
    assay_text_print(text, " --entry=%s", answer->entry);
  const assay_observation *given =
      request->inputs != NULL && answer->shown_count > 0 ? answer->shown[0].arguments : NULL;
  for (int i = 0; given != NULL && i < given->count; i++)
    assay_text_print(text, " --input=inputs/%s-%d.npy", assay_readme_data(&answer->shown[0]), i);
}

// Whether mlir-opt cannot run the pass on the state before: either is Assay's own.
static bool needs_assay(const assay_execution *bad) {
  bool own = assay_pass_is_own(bad->name) || strcmp(bad->name, "quant-fuse-rescale") == 0;
  for (int i = 0; i < bad->before->op_count; i++)
    own |= strcmp(bad->before->ops[i].name, "quant.rescale_fuse") == 0;
  return own;
}

// The pass alone by mlir-opt, or by `assay opt` where that does not know all of it, and the ledger.
static void print_commands(assay_text *text, const assay_ledger_request *request,
                           const assay_ledger_answer *answer, const char *program) {
  const assay_blame *blame = &answer->blame;
  const assay_execution *bad = answer->rows[blame->row].execution;
  const char *plugins = request->plugin_words != NULL ? request->plugin_words : "";
  bool own = needs_assay(bad);
  assay_text_print(text, "\nIn this folder:\n\n    %s%s%s before.mlir %s%s\n",
                   blame->fault == ASSAY_FAULT_TIMEOUT ? "timeout 60 " : "",
                   own ? program : "mlir-opt-22", own ? " opt" : "", blame->command, plugins);
  assay_text_print(text, "    %s ledger %s --pass-pipeline='%s'", program,
                   assay_manifest_module(answer),
                   assay_manifest_pipeline(request, text->arena, answer));
  print_words(text, request, answer);
  assay_text_print(text, "\n\n%s\n", explain(blame->fault));
}

// The folders of arrays that are there.
static void print_arrays(assay_text *text, const assay_ledger_answer *answer) {
  bool given = false, expected = false, got = false;
  for (int i = 0; i < answer->shown_count; i++) {
    given |= answer->shown[i].arguments != NULL;
    expected |= answer->shown[i].expected != NULL;
    got |= answer->shown[i].got != NULL;
  }
  if (given)
    assay_text_print(text, "inputs/      the arguments of @%s, one .npy each, for each data set\n",
                     answer->entry);
  if (expected)
    assay_text_print(text, "expected/    what the input computes, in the order of observation\n");
  if (got)
    assay_text_print(text, "got/         what the module after the pass computes\n");
}

const char *assay_readme_text(const assay_ledger_request *request, assay_arena *arena,
                              const assay_ledger_answer *answer, const char *program) {
  const assay_blame *blame = &answer->blame;
  const assay_execution *bad = answer->rows[blame->row].execution;
  assay_text text = {.arena = arena};
  const char *inside = assay_ledger_inside(arena, answer);
  assay_text_print(&text, "%s\n%s\n", assay_ledger_sentence(arena, answer), blame->reason);
  if (inside != NULL)
    assay_text_print(&text, "inside the pass: %s\n", inside);
  for (int i = 0; i < answer->origin_count; i++)
    if (answer->origins[i].none == NULL)
      assay_text_print(&text, "%s\n", assay_origin_sentence(arena, answer, &answer->origins[i]));
  assay_text_print(&text, "\n");
  assay_text_print(&text,
                   "input.mlir   the module before any pass\n"
                   "before.mlir  the module before pass %d, %s",
                   bad->n, bad->name);
  if (bad->symbol[0] != '\0')
    assay_text_print(&text, " on @%s", bad->symbol);
  assay_text_print(&text, "\n%spass         the pass alone\n",
                   bad->after != bad->before ? "after.mlir   the module after it\n" : "");
  print_arrays(&text, answer);
  if (blame->command[0] != '\0')
    print_commands(&text, request, answer, program);
  return assay_text_get(&text);
}
