// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/blame.h"

#include "compiler/lower/pipeline.h"
#include "harness/case/data.h"
#include "harness/cli/contracts.h"
#include "harness/cli/message.h"
#include "harness/cli/question.h"
#include "harness/ledger/bundle.h"
#include "harness/ledger/print.h"
#include "results/record/excerpt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

// Of each op and backend.
enum { MOST = 3 };

static const size_t SHARED_BYTES = (size_t)1 << 38;

// A backend without a built-in pipeline has no passes that could be asked about.
static bool is_wanted(const assay_session *session, const assay_record *record) {
  if (record->verdict != ASSAY_FAIL && record->verdict != ASSAY_CRASH)
    return false;
  const assay_backend *backend = assay_backend_find(session, record->backend);
  return backend != NULL && backend->pipeline != NULL;
}

// How many of the records before it are of the same kind, and were looked at.
static int count_alike(const assay_session *session, const assay_record records[], size_t i) {
  int alike = 0;
  for (size_t k = 0; k < i; k++)
    alike += is_wanted(session, &records[k]) && strcmp(records[k].op, records[i].op) == 0 &&
             strcmp(records[k].backend, records[i].backend) == 0;
  return alike;
}

// The case's arguments on the record's data set.
static assay_code make_inputs(const assay_session *session, const assay_case *a_case,
                              const char *data, assay_ledger_request *request, assay_error *err) {
  const assay_program *program;
  TRY(assay_case_build(session->arena, a_case, &program, err));
  assay_tail_input *inputs =
      assay_arena_take(session->arena, (size_t)program->input_count + 1, sizeof *inputs);
  for (int i = 0; i < program->input_count; i++) {
    const assay_node *node = &program->nodes[program->inputs[i]];
    size_t size = (size_t)assay_shape_count(&node->shape) * assay_dtype_get(node->dtype)->size;
    assay_buffer buffer = {.data = assay_arena_take(session->arena, size + 64, 1),
                           .dtype = node->dtype,
                           .shape = node->shape};
    assay_data_fill(a_case->line, data, node->attribute.name, &buffer);
    inputs[i] = (assay_tail_input){.data = buffer.data, .size = size, .rank = node->shape.rank};
    memcpy(inputs[i].dim, node->shape.dim, (size_t)node->shape.rank * sizeof inputs[i].dim[0]);
  }
  request->inputs = inputs;
  request->input_count = program->input_count;
  return ASSAY_OK;
}

assay_first_bad assay_blame_record(assay_arena *arena, const assay_ledger_answer *answer) {
  const assay_blame *blame = &answer->blame;
  const assay_execution *bad = answer->rows[blame->row].execution;
  return (assay_first_bad){.n = bad->n,
                           .name = assay_arena_string(arena, bad->name),
                           .fault = assay_fault_name(blame->fault),
                           .step = blame->step,
                           .pattern = blame->pattern};
}

static assay_code save(const assay_session *session, const assay_ledger_request *request,
                       const assay_ledger_answer *answer, const char *folder, assay_error *err) {
  const char *bundle = assay_arena_format(session->arena, "%s/bundle", folder);
  TRY(assay_folder_make(bundle, err));
  return assay_bundle_write(request, session->arena, answer, bundle, "assay", err);
}

// A NaN where none belongs is asked for besides.
static bool has_nan(const assay_record *record) {
  return record->worst.present && !record->worst.whole && isnan(record->worst.got) &&
         !isnan(record->worst.want);
}

// The element that failed, which is asked about: others may be NaN as they should. In the arena.
static const assay_origin_place *failing_element(assay_arena *arena, const assay_worst *worst) {
  if (strcmp(worst->part, "element") != 0 || worst->rank > ASSAY_OBSERVED_MAX_RANK)
    return NULL;
  assay_origin_place *made = assay_arena_take(arena, 1, sizeof *made);
  made->rank = worst->rank;
  for (int i = 0; i < worst->rank; i++)
    made->index[i] = worst->index[i];
  return made;
}

static const char *origin_text(const assay_session *session, const assay_ledger_answer *answer) {
  if (answer->origin_count == 0 || answer->origins[0].none != NULL)
    return NULL;
  json_t *json = assay_ledger_json_origin(answer, &answer->origins[0]);
  char *text = json_dumps(json, JSON_COMPACT);
  const char *kept = text != NULL ? assay_arena_string(session->arena, text) : NULL;
  free(text);
  json_decref(json);
  return kept;
}

// One record, from its module to its blame.
static assay_code blame(const assay_session *session, const assay_case *a_case, const char *folder,
                        assay_ledger_request *request, assay_record *record, assay_error *err) {
  assay_file module;
  const assay_ledger *ledger;
  const assay_ledger_answer *answer;
  const char *name = assay_backend_find(session, record->backend)->pipeline;
  TRY(assay_file_read(session->arena, assay_arena_format(session->arena, "%s/module.mlir", folder),
                      &module, err));
  request->nan_origin = has_nan(record);
  request->origin_of = request->nan_origin ? failing_element(session->arena, &record->worst) : NULL;
  request->file = "module.mlir"; // whoever reads the record stands in its folder
  request->source = module.bytes;
  request->size = module.size;
  TRY(make_inputs(session, a_case, record->data, request, err));
  assay_contracts_of_pipeline(name, request);
  TRY(assay_question_built_in(session, name, request->context, &request->pipeline, err));
  assay_code code = assay_ledger_open(request, session->arena, &ledger, err);
  if (code == ASSAY_OK)
    code = assay_ledger_ask(ledger, NULL, &answer, err);
  if (code == ASSAY_OK && !answer->stopped)
    record->nan_origin = origin_text(session, answer);
  if (code == ASSAY_OK && !answer->stopped && answer->blame.fault != ASSAY_FAULT_NONE) {
    record->first_bad = assay_blame_record(session->arena, answer);
    code = save(session, request, answer, folder, err);
    if (code == ASSAY_OK)
      assay_excerpt_of_bundle(session->arena,
                              assay_arena_format(session->arena, "%s/bundle", folder),
                              &record->first_bad.before_excerpt, &record->first_bad.after_excerpt);
  }
  assay_pass_pipeline_destroy(request->pipeline);
  return code;
}

// The records one after the other; the request is made with the first that needs it.
static assay_code find_all(const assay_session *session, const assay_out *out,
                           const assay_cases *cases, assay_record records[], size_t count,
                           volatile sig_atomic_t *stop, assay_ledger_request *request,
                           size_t *out_left, assay_error *err) {
  *out_left = 0;
  for (size_t i = 0; i < count && *stop == 0; i++) {
    const assay_case *a_case = assay_cases_find(cases, records[i].line);
    if (!is_wanted(session, &records[i]) || records[i].first_bad.n > 0 || a_case == NULL)
      continue;
    if (count_alike(session, records, i) >= MOST) {
      ++*out_left;
      continue;
    }
    if (request->jobs == 0) {
      *request = assay_question_of_run(session, stop);
      request->timeout = ASSAY_STATE_TIMEOUT; // the run's own may be what the case failed by
    }
    if (!session->options->quiet)
      assay_message_note("looking for the pass to blame for %s", records[i].key);
    TRY(assay_shared_create(SHARED_BYTES, &request->shared, err));
    assay_error reason;
    const char *folder = assay_out_repro(session->arena, out, records[i].key);
    assay_code code = blame(session, a_case, folder, request, &records[i], &reason);
    assay_shared_destroy(request->shared);
    if (code != ASSAY_OK)
      assay_message_note("no pass can be blamed for %s: %s", records[i].key, reason.text);
  }
  return ASSAY_OK;
}

assay_code assay_blame_find(const assay_session *session, const assay_out *out,
                            const assay_cases *cases, assay_record records[], size_t count,
                            volatile sig_atomic_t *stop, size_t *out_left, assay_error *err) {
  assay_ledger_request request = {0};
  assay_code code = find_all(session, out, cases, records, count, stop, &request, out_left, err);
  if (request.jobs > 0)
    mlirContextDestroy(request.context);
  return code;
}
