// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/examine.h"

#include "harness/judge/judge.h"
#include "suite/property.h"

#include <math.h>
#include <stdio.h>

static assay_code run(const void *user, const assay_buffer inputs[], const assay_buffer *result,
                      assay_error *err) {
  const assay_session *session = user;
  assay_counters counters; // those of the case's own data count
  return session->opened->backend->run(session->loaded, inputs, result, &counters, err);
}

// How far two correct results may be apart in one element: each by lambda times the scale, the
// largest that is stored.
static assay_code find_slack(const assay_job *job, double *out_slack, assay_error *err) {
  assay_expected expected;
  TRY(assay_reference_get(job->reference, job->data, 0, &expected, err));
  double largest = 0;
  for (size_t i = 0; i < expected.count; i++)
    if (expected.rows[i].part == ASSAY_PART_ELEMENT)
      largest = fmax(largest, expected.rows[i].scale);
  *out_slack = 2 * ASSAY_LAMBDA * largest;
  return ASSAY_OK;
}

// Checks one property in an arena of its own.
static assay_code examine(const assay_property *property, assay_examination *it,
                          assay_outcome *outcome, assay_error *err) {
  it->arena = assay_arena_create();
  assay_code code = property->check(it, err);
  assay_arena_destroy(it->arena);
  TRY(code);
  if (it->reason[0] == '\0')
    return ASSAY_OK;
  outcome->verdict = ASSAY_FAIL;
  snprintf(outcome->reason, sizeof outcome->reason, "property:%s: %s", property->name, it->reason);
  return ASSAY_OK;
}

assay_code assay_examine_job(const assay_session *session, const assay_job *job,
                             const assay_trial *it, assay_outcome *outcome, assay_error *err) {
  assay_buffer inputs[ASSAY_MAX_ARGUMENTS];
  for (int i = 0; i < it->program->input_count; i++)
    inputs[i] = it->inputs[i].buffer;
  assay_examination examination = {.params = &job->a_case->params,
                                   .data = job->data,
                                   .input_count = it->program->input_count,
                                   .inputs = inputs,
                                   .result = &it->results[0][0].buffer,
                                   .run = run,
                                   .user = session};
  TRY(find_slack(job, &examination.slack, err));
  const assay_property *const *properties = assay_properties_get();
  for (int i = 0; properties[i] != NULL && outcome->verdict == ASSAY_PASS; i++) {
    if (!properties[i]->applies(examination.params, job->data))
      continue;
    outcome->properties |= UINT32_C(1) << i;
    TRY(examine(properties[i], &examination, outcome, err));
  }
  return ASSAY_OK;
}
