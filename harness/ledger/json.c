// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An origin that was asked for is an object, or null; beside a null stands, as "nan_origin_none",
// why it could not be told, which is null, too, where no result holds what was asked for.
#include "harness/ledger/origin.h"
#include "harness/ledger/print.h"

#include "results/record/json_text.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// Numbers that JSON has no form for are strings, as in records.
static json_t *number(double value) {
  if (isnan(value))
    return json_null();
  if (isinf(value))
    return json_string(value > 0 ? "inf" : "-inf");
  return json_real(value);
}

static json_t *ops(const assay_snapshot *snapshot) {
  json_t *made = json_object();
  for (int i = 0; snapshot != NULL && i < snapshot->op_count; i++)
    json_object_set_new(made, snapshot->ops[i].name, json_integer(snapshot->ops[i].count));
  return made;
}

static json_t *nans(const assay_execution *execution) {
  json_t *made = json_array();
  for (int i = 0; i < execution->nan_count; i++) {
    const assay_new_nan *nan = &execution->nans[i];
    char bits[32];
    snprintf(bits, sizeof bits, "0x%" PRIX64, nan->bits);
    json_t *one = json_object();
    json_object_set_new(one, "op", assay_json_text(nan->op));
    json_object_set_new(one, "location", assay_json_text(nan->location));
    json_object_set_new(one, "type", assay_json_text(nan->type));
    json_object_set_new(one, "bits", json_string(bits));
    json_object_set_new(one, "origin",
                        json_string(nan->origin == ASSAY_NAN_FOLDED ? "folded" : "planted"));
    json_array_append_new(made, one);
  }
  return made;
}

static json_t *pass(const assay_ledger_row *row) {
  const assay_execution *execution = row->execution;
  json_t *made = json_object(), *margin = json_object();
  json_object_set_new(made, "n", json_integer(execution->n));
  json_object_set_new(made, "name", assay_json_text(execution->name));
  json_object_set_new(made, "anchor", assay_json_text(execution->anchor));
  json_object_set_new(made, "symbol", assay_json_text(execution->symbol));
  json_object_set_new(made, "options", assay_json_text(execution->options));
  json_object_set_new(made, "depth", json_integer(execution->depth));
  json_object_set_new(made, "changed", json_boolean(execution->changed));
  json_object_set_new(made, "failed", json_boolean(execution->failed));
  json_object_set_new(made, "seconds", json_real(execution->seconds));
  json_object_set_new(made, "ops_before", ops(execution->before));
  json_object_set_new(made, "ops_after", ops(execution->after));
  json_object_set_new(made, "verifies", json_boolean(execution->verifies));
  json_object_set_new(made, "roundtrips", json_boolean(row->roundtrips));
  json_object_set_new(made, "nan_added", nans(execution));
  json_object_set_new(margin, "int", number(row->margin[0]));
  json_object_set_new(margin, "real", number(row->margin[1]));
  json_object_set_new(made, "margin", margin);
  json_object_set_new(made, "bitwise_changed", json_boolean(row->bitwise_changed));
  json_object_set_new(made, "not_run",
                      row->not_run[0] != '\0' ? assay_json_text(row->not_run) : json_null());
  json_object_set_new(made, "what",
                      row->what[0] != '\0' ? assay_json_text(row->what) : json_null());
  json_object_set_new(made, "class",
                      row->fault != ASSAY_FAULT_NONE ? json_string(assay_fault_name(row->fault))
                                                     : json_null());
  return made;
}

static json_t *names(int count, const char *const items[]) {
  json_t *made = json_array();
  for (int i = 0; i < count; i++)
    json_array_append_new(made, assay_json_text(items[i]));
  return made;
}

json_t *assay_ledger_json_blame(const assay_ledger_answer *answer, const char *before,
                                const char *after) {
  const assay_blame *blame = &answer->blame;
  if (blame->fault == ASSAY_FAULT_NONE)
    return json_null();
  const assay_execution *bad = answer->rows[blame->row].execution;
  json_t *made = json_object();
  json_object_set_new(made, "n", json_integer(bad->n));
  json_object_set_new(made, "name", assay_json_text(bad->name));
  json_object_set_new(made, "class", json_string(assay_fault_name(blame->fault)));
  if (blame->range_from != blame->row) {
    json_t *range = json_array();
    json_array_append_new(range, json_integer(answer->rows[blame->range_from].execution->n));
    json_array_append_new(range, json_integer(bad->n));
    json_object_set_new(made, "range", range);
  }
  json_object_set_new(made, "reason", assay_json_text(blame->reason));
  json_object_set_new(made, "step", assay_json_text(blame->step));
  json_object_set_new(made, "pattern", assay_json_text(blame->pattern));
  json_object_set_new(made, "before", assay_json_text(before));
  json_object_set_new(made, "after", assay_json_text(after));
  json_object_set_new(made, "command", assay_json_text(blame->command));
  return made;
}

static json_t *execution_name(const assay_ledger_answer *answer, int row) {
  if (row < 0)
    return json_null();
  json_t *made = json_object();
  json_object_set_new(made, "n", json_integer(answer->rows[row].execution->n));
  json_object_set_new(made, "name", assay_json_text(answer->rows[row].execution->name));
  return made;
}

static json_t *state_of(const assay_ledger_answer *answer, int row) {
  return row < 0 ? json_string("input") : execution_name(answer, row);
}

json_t *assay_ledger_json_origin(const assay_ledger_answer *answer,
                                 const assay_origin_answer *origin) {
  if (origin->none != NULL)
    return json_null();
  json_t *made = json_object();
  bool placed = origin->file[0] != '\0',
       labelled = origin->label != NULL && origin->label[0] != '\0';
  json_object_set_new(made, "op", assay_json_text(origin->name));
  json_object_set_new(made, "location",
                      placed ? json_sprintf("%s:%d:%d", origin->file, origin->line, origin->column)
                      : labelled ? assay_json_text(origin->label)
                                 : json_null());
  json_object_set_new(made, "file", placed ? assay_json_text(origin->file) : json_null());
  json_object_set_new(made, "line", placed ? json_integer(origin->line) : json_null());
  json_object_set_new(made, "column", placed ? json_integer(origin->column) : json_null());
  json_object_set_new(made, "lowered",
                      origin->lowered[0] != '\0' ? assay_json_text(origin->lowered) : json_null());
  json_object_set_new(made, "operands", names(origin->operand_count, origin->operands));
  json_object_set_new(made, "result", json_string(origin->result));
  json_object_set_new(made, "element", json_string(origin->element));
  json_object_set_new(made, "data",
                      origin->data[0] != '\0' ? json_string(origin->data) : json_null());
  json_object_set_new(made, "state", state_of(answer, origin->row));
  json_object_set_new(made, "certain", json_boolean(origin->certain));
  if (origin->kind == ASSAY_ORIGIN_LOSS) {
    json_object_set_new(made, "exact_operands",
                        names(origin->operand_count, origin->exact_operands));
    json_object_set_new(made, "exact_result", json_string(origin->exact_result));
    json_object_set_new(made, "bits", json_integer(origin->bits));
    json_object_set_new(made, "bits_lost", json_real(origin->lost));
    json_object_set_new(made, "bits_lost_in_element", json_real(origin->element_lost));
  }
  return made;
}

json_t *assay_ledger_json(const assay_ledger_answer *answer, const char *input,
                          const char *pipeline, const char *before, const char *after) {
  json_t *made = json_object(), *passes = json_array();
  json_object_set_new(made, "input", assay_json_text(input));
  json_object_set_new(made, "entry", assay_json_text(answer->entry));
  json_object_set_new(made, "pipeline", assay_json_text(pipeline));
  json_object_set_new(made, "tail", assay_json_text(answer->tail));
  json_object_set_new(made, "observed", names(answer->observed_count, answer->observed));
  for (int i = 0; i < answer->row_count; i++)
    json_array_append_new(passes, pass(&answer->rows[i]));
  json_object_set_new(made, "passes", passes);
  json_object_set_new(made, "first_bad", assay_ledger_json_blame(answer, before, after));
  json_object_set_new(made, "first_changing", execution_name(answer, answer->first_changing));
  json_t *failed = execution_name(answer, answer->failed_row);
  if (answer->failed_row >= 0)
    json_object_set_new(failed, "message", assay_json_text(answer->failed_message));
  json_object_set_new(made, "failed", failed);
  for (int i = 0; i < answer->origin_count; i++) {
    char key[32];
    snprintf(key, sizeof key, "%s_origin", assay_origin_kind_name(answer->origins[i].kind));
    const assay_origin_answer *origin = &answer->origins[i];
    json_object_set_new(made, key, assay_ledger_json_origin(answer, origin));
    snprintf(key, sizeof key, "%s_origin_none", assay_origin_kind_name(origin->kind));
    json_object_set_new(made, key,
                        origin->unanswered ? assay_json_text(origin->none) : json_null());
  }
  json_object_set_new(made, "inconclusive", assay_json_text(answer->inconclusive));
  json_object_set_new(made, "stopped", json_boolean(answer->stopped));
  json_object_set_new(made, "notes", names(answer->note_count, answer->notes));
  return made;
}
