// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/ledger_record.h"

#include "harness/cli/words.h"
#include "harness/ledger/pass_rows.h"

#include <math.h>
#include <string.h>

static const char NONE[] = "none";

static const char *line_of(assay_arena *arena, const assay_answered *one, bool named) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "ledger file=");
  assay_text_quote(&text, one->piece);
  if (named) {
    assay_text_print(&text, " entry=");
    assay_text_quote(&text, one->answer->entry);
  }
  assay_text_print(&text, " pipeline=");
  assay_text_quote(&text, one->pipeline);
  return assay_text_get(&text);
}

static const char *repro_of(assay_arena *arena, const assay_answered *one) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "assay ledger ");
  assay_text_quote(&text, one->file);
  assay_text_print(&text, " --pass-pipeline=");
  assay_text_quote(&text, one->pipeline);
  return assay_text_get(&text);
}

// The first state that could not be run, in words; NULL where there is none.
static const char *find_not_run(assay_arena *arena, const assay_ledger_answer *answer) {
  for (int i = 0; i < answer->row_count; i++) {
    const assay_ledger_row *row = &answer->rows[i];
    if (row->execution->changed && !row->ran)
      return assay_arena_format(arena, "states could not be run, first %d %s: %s",
                                row->execution->n, row->execution->name, row->not_run);
  }
  return NULL;
}

static void judge(assay_arena *arena, const assay_ledger_answer *answer, assay_record *record) {
  const assay_blame *blame = &answer->blame;
  if (blame->fault != ASSAY_FAULT_NONE) {
    const assay_execution *bad = answer->rows[blame->row].execution;
    record->verdict = ASSAY_FAIL;
    record->reason = blame->reason;
    record->first_bad = (assay_first_bad){.n = bad->n,
                                          .name = bad->name,
                                          .fault = assay_fault_name(blame->fault),
                                          .step = blame->step,
                                          .pattern = blame->pattern};
  } else if (answer->failed_row >= 0) {
    const assay_execution *failed = answer->rows[answer->failed_row].execution;
    record->verdict = ASSAY_ERROR;
    record->reason = assay_arena_format(arena, "the pipeline failed at %d %s: %s", failed->n,
                                        failed->name, answer->failed_message);
  } else if (answer->inconclusive != NULL) {
    record->verdict = ASSAY_ERROR;
    record->reason = assay_arena_format(arena, "inconclusive: %s", answer->inconclusive);
  } else {
    record->reason = find_not_run(arena, answer);
    record->verdict = record->reason != NULL ? ASSAY_WARN : ASSAY_PASS;
  }
}

assay_code assay_ledger_record(assay_arena *arena, const assay_answered *one, bool named,
                               const assay_environment *environment, assay_record *out_record,
                               assay_error *err) {
  const char *line = line_of(arena, one, named);
  assay_record record = {.kind = ASSAY_RECORD_LEDGER,
                         .key = assay_arena_format(arena, "%s data=none backend=none", line),
                         .line = line,
                         .op = "ledger",
                         .backend = NONE,
                         .data = NONE,
                         .check_count = 1,
                         .checks = {"ledger"},
                         .margin = NAN,
                         .seconds_compile = NAN,
                         .seconds_run = one->seconds,
                         .repro = repro_of(arena, one),
                         .started = one->started,
                         .environment = environment};
  record.passes = assay_ledger_pass_rows(arena, one->answer, &record.pass_count);
  for (size_t i = 0; i < record.pass_count; i++)
    record.margin = fmax(record.margin, record.passes[i].margin); // a NaN gives way
  judge(arena, one->answer, &record);
  // Texts of other programs become what JSON can hold.
  const char *text = assay_record_print(arena, &record);
  return assay_record_parse(arena, one->file, 0, text, strlen(text), out_record, err);
}
