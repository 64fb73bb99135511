// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/answers.h"

#include "compiler/base/text.h"
#include "harness/cli/color.h"
#include "harness/cli/message.h"
#include "harness/cli/out.h"
#include "harness/ledger/bundle.h"
#include "harness/ledger/print.h"
#include "harness/cli/json_file.h"
#include "results/record/json_text.h"

#include <errno.h>
#include <string.h>

void assay_answers_add(assay_answers *to, const assay_answered *one) {
  assay_answered *more = assay_arena_take(to->arena, to->count + 1, sizeof *more);
  if (to->count > 0)
    memcpy(more, to->items, to->count * sizeof *more);
  more[to->count++] = *one;
  to->items = more;
}

void assay_answers_print(const assay_answers *of) {
  const assay_options *options = of->options;
  const assay_answered *one = &of->items[of->count - 1];
  bool to_stdout = options->json == NULL || strcmp(options->json, "-") != 0;
  for (int i = 0; i < one->answer->note_count && !options->quiet; i++)
    assay_message_note("%s", one->answer->notes[i]);
  if (!to_stdout)
    return;
  if (of->several)
    printf("%s%s @%s\n", of->count > 1 ? "\n" : "", one->piece, one->answer->entry);
  assay_ledger_print(stdout, one->answer, options->all, assay_color_wanted(options->color, stdout));
  if (one->answer->blame.fault != ASSAY_FAULT_NONE && one->answer->blame.command[0] != '\0')
    assay_message_note("%s", one->answer->blame.reason);
  const char *inside = assay_ledger_inside(of->arena, one->answer);
  if (inside != NULL)
    assay_message_note("inside the pass: %s", inside);
  fflush(stdout); // the next answer may take long
}

assay_code assay_answers_save(assay_answers *of, const assay_ledger_request *request,
                              assay_error *err) {
  assay_answered *one = &of->items[of->count - 1];
  const char *folder = of->options->save;
  if (folder == NULL || one->answer->blame.fault == ASSAY_FAULT_NONE)
    return ASSAY_OK;
  if (of->several)
    folder = assay_arena_format(of->arena, "%s/%zu-%s", folder, of->count, one->answer->entry);
  size_t made;
  assay_code code = assay_folders_make(folder, &made, err);
  if (code == ASSAY_OK)
    code = assay_bundle_write(request, of->arena, one->answer, folder, "assay", err);
  if (code != ASSAY_OK) {
    assay_folders_unmake(of->arena, folder, made);
    return code;
  }
  const assay_execution *bad = one->answer->rows[one->answer->blame.row].execution;
  one->before = assay_arena_format(of->arena, "%s/before.mlir", folder);
  if (bad->after != bad->before)
    one->after = assay_arena_format(of->arena, "%s/after.mlir", folder);
  return ASSAY_OK;
}

const assay_answered *assay_answers_whole(const assay_answers *of) {
  const assay_answered *chosen = &of->items[0];
  int best = 0;
  for (size_t i = 0; i < of->count; i++) {
    const assay_answered *one = &of->items[i];
    if (one->answer->blame.fault != ASSAY_FAULT_NONE) {
      int n = one->answer->rows[one->answer->blame.row].execution->n;
      if (best == 0 || n < best) {
        chosen = one;
        best = n;
      }
    } else if (best == 0 && assay_ledger_status(one->answer) != 0 &&
               assay_ledger_status(chosen->answer) == 0) {
      chosen = one;
    }
  }
  return chosen;
}

// The file was not even read.
static json_t *json_of_none(const char *file) {
  json_t *made = json_object();
  json_object_set_new(made, "input", assay_json_text(file));
  json_object_set_new(made, "passes", json_array());
  json_object_set_new(made, "first_bad", json_null());
  json_object_set_new(made, "inconclusive", json_string("stopped before the module was read"));
  json_object_set_new(made, "stopped", json_true());
  return made;
}

static json_t *json_of(const assay_answered *one) {
  return assay_ledger_json(one->answer, one->piece, one->pipeline, one->before, one->after);
}

static json_t *make_json(const assay_answers *of, const char *file, bool stopped) {
  if (of->count == 0)
    return json_of_none(file);
  if (!of->several)
    return json_of(&of->items[0]);
  const assay_answered *whole = assay_answers_whole(of);
  json_t *made = json_object(), *pieces = json_array();
  for (size_t i = 0; i < of->count; i++)
    json_array_append_new(pieces, json_of(&of->items[i]));
  json_object_set_new(made, "pieces", pieces);
  json_object_set_new(made, "first_bad",
                      assay_ledger_json_blame(whole->answer, whole->before, whole->after));
  json_object_set_new(made, "inconclusive", assay_json_text(whole->answer->inconclusive));
  json_object_set_new(made, "stopped", json_boolean(stopped));
  return made;
}

assay_code assay_answers_write_json(const assay_answers *of, const char *file, bool stopped,
                                    assay_error *err) {
  const char *path = of->options->json;
  if (path == NULL)
    return ASSAY_OK;
  return assay_json_file_write(make_json(of, file, stopped), path, err);
}
