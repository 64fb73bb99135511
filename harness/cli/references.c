// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay references: the store of expected values, recomputed by the NumPy oracle.
#include "compiler/base/text.h"
#include "harness/cli/selection.h"
#include "reference/oracle.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The lines that have a reference, and how many: negative cases have nothing to compare with.
static assay_code print_lines(const assay_session *session, assay_text *lines, size_t *out_count,
                              assay_error *err) {
  assay_cases cases, selected;
  TRY(assay_selection_load(session, "full", &cases, err));
  TRY(assay_selection_cases(session, &cases, &selected, err));
  assay_selection_shard(session, &selected);
  *out_count = 0;
  for (size_t i = 0; i < selected.count; i++)
    if (!selected.items[i].op->rejected) {
      assay_text_print(lines, "%s\n", selected.items[i].line);
      ++*out_count;
    }
  if (lines->length == 0 && selected.count > 0)
    return assay_fail(err, ASSAY_INVALID, "no selected case has a reference: all are negative");
  return ASSAY_OK;
}

// Where all is meant: the cases that only timings have. They belong to the store, but recomputing
// the largest takes longer than all others together, and is asked for with --suite bench or device.
static assay_code print_kept(const assay_session *session, assay_text *lines, assay_error *err) {
  assay_cases cases = {0};
  TRY(assay_suite_load(session->arena, session->root, "bench", &cases, err));
  TRY(assay_suite_load(session->arena, session->root, "device", &cases, err));
  for (size_t i = 0; i < cases.count; i++)
    assay_text_print(lines, "# %s\n", cases.items[i].line);
  return ASSAY_OK;
}

// An oracle that ends well without an answer for every case has checked nothing: its last line must
// count them all.
static assay_code check_count(const assay_oracle_answer *answer, size_t count, assay_error *err) {
  const char *line = answer->bytes, *end = answer->bytes + answer->size;
  for (const char *at = line; at < end; at++)
    if (*at == '\n' && at + 1 < end)
      line = at + 1;
  char *after;
  unsigned long long counted = strtoull(line, &after, 10);
  if (after == line || counted != count || strncmp(after, " checked", strlen(" checked")) != 0)
    return assay_fail(err, ASSAY_FAILED, "the oracle does not account for all %zu cases", count);
  return ASSAY_OK;
}

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  const assay_options *options = session->options;
  static const char *const actions[] = {"check", "update"};
  const char *action = options->arguments.count == 1 ? options->arguments.items[0] : NULL;
  if (action == NULL)
    return assay_fail(err, ASSAY_INVALID, "references takes one of: check, update");
  bool check = strcmp(action, "check") == 0;
  if (!check && strcmp(action, "update") != 0)
    return assay_fail(err, ASSAY_INVALID, "unknown action '%s' of references%s", action,
                      assay_hint(session->arena, action, actions, 2));
  assay_text lines = {.arena = session->arena};
  size_t count;
  TRY(print_lines(session, &lines, &count, err));
  *out_status = ASSAY_EXIT_OK;
  if (count == 0) // a shard that is empty by arithmetic
    return ASSAY_OK;
  // Tables of no case are found only where the lines are all there are.
  bool all = options->filters.count + options->suites.count + options->cases.count == 0 &&
             options->shard.count == 1;
  if (all)
    TRY(print_kept(session, &lines, err));
  const char *store = assay_arena_format(session->arena, "%s/reference/store", session->root);
  const char *const arguments[] = {action, store, all ? check ? "--orphans" : "--prune" : NULL,
                                   NULL};
  assay_oracle_answer answer = {0};
  assay_code code = assay_oracle_run(session->arena, session->root, arguments, lines.data,
                                     lines.length, ASSAY_CAPTURE_OUTPUT, &answer, err);
  if (answer.size > 0)
    fwrite(answer.bytes, 1, answer.size, stdout); // of the cases that have an answer
  TRY(code);
  *out_status = answer.status;
  return answer.status <= ASSAY_EXIT_BAD ? check_count(&answer, count, err) : ASSAY_OK;
}

static const char *const accepted[] = {"suite", "case", "filter", "shard", NULL};

const assay_verb assay_verb_references = {
    .name = "references",
    .summary = "check the stored references by recomputing them, or update those that changed",
    .arguments = "check|update",
    .about =
        "Recomputes expected values and error scales with NumPy and compares them with what is\n"
        "stored: integers bit for bit, floats within a thousandth of their error scale. `update`\n"
        "writes those that differ or are missing. Without options all cases (suite full) are "
        "meant,\n"
        "and stored tables of no case are differences, which `update` removes; those of what is\n"
        "only timed are recomputed with --suite bench or --suite device, which takes minutes.\n",
    .example = "  assay references update --filter 'matmul m=3'\n",
    .exits = "  0  all agree, or were updated\n  1  check found a difference\n"
             "  2  the question cannot be answered as asked\n",
    .options = accepted,
    .run = run,
};
