// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/trial.h"

#include "harness/case/data.h"
#include "harness/judge/window.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { ROUNDS = ASSAY_TRIAL_ROUNDS };

static assay_code make_tensors(const assay_program *program, const int nodes[], int count,
                               assay_guarded **out_tensors, assay_error *err) {
  assay_guarded *tensors = calloc((size_t)count + 1, sizeof *tensors);
  if (tensors == NULL)
    abort();
  *out_tensors = tensors;
  for (int i = 0; i < count; i++) {
    const assay_node *node = &program->nodes[nodes[i]];
    TRY(assay_guarded_create(node->dtype, &node->shape, &tensors[i], err));
  }
  return ASSAY_OK;
}

static const char *input_name(const assay_program *program, int input) {
  return program->nodes[program->inputs[input]].attribute.name;
}

assay_code assay_trial_make(const assay_program *program, const assay_job *job,
                            assay_trial *out_trial, assay_error *err) {
  TRY(make_tensors(program, program->inputs, program->input_count, &out_trial->inputs, err));
  for (int i = 0; i < program->input_count; i++) {
    assay_data_fill(job->a_case->line, job->data, input_name(program, i),
                    &out_trial->inputs[i].buffer);
    TRY(assay_guarded_seal(&out_trial->inputs[i], err));
  }
  for (int round = 0; round < ROUNDS; round++)
    TRY(make_tensors(program, program->results, program->result_count, &out_trial->results[round],
                     err));
  return ASSAY_OK;
}

static void destroy_tensors(assay_guarded *tensors, int count) {
  for (int i = 0; tensors != NULL && i < count; i++)
    assay_guarded_destroy(&tensors[i]);
  free(tensors);
}

void assay_trial_destroy(assay_trial *it) {
  destroy_tensors(it->inputs, it->program->input_count);
  for (int round = 0; round < ROUNDS; round++)
    destroy_tensors(it->results[round], it->program->result_count);
}

// "[1,2]"
typedef struct index_text {
  char text[160];
} index_text;

static index_text index_of(const assay_guarded *tensor, int64_t element) {
  int64_t index[ASSAY_MAX_RANK];
  index_text made;
  int rank = assay_index_unravel(&tensor->buffer.shape, element, index);
  assay_index_print(rank, index, sizeof made.text, made.text);
  return made;
}

static bool find_overrun(const assay_guarded *tensors, int count, const char *what, size_t size,
                         char reason[]) {
  for (int i = 0; i < count; i++) {
    int64_t distance = assay_guarded_overrun(&tensors[i]);
    if (distance == 0)
      continue;
    snprintf(reason, size, "wrote outside %s %d: byte %" PRId64 " %s", what, i,
             distance > 0 ? distance : -distance,
             distance > 0 ? "past its end" : "before its start");
    return true;
  }
  return false;
}

static bool find_changed_input(const assay_trial *it, size_t size, char reason[]) {
  for (int i = 0; i < it->program->input_count; i++) {
    int64_t element = assay_guarded_changed(&it->inputs[i]);
    if (element < 0)
      continue;
    snprintf(reason, size, "changed its input '%s' at %s", input_name(it->program, i),
             index_of(&it->inputs[i], element).text);
    return true;
  }
  return false;
}

static bool find_unwritten(const assay_trial *it, size_t size, char reason[]) {
  for (int i = 0; i < it->program->result_count; i++) {
    int64_t element = assay_guarded_unwritten(&it->results[0][i], &it->results[1][i]);
    if (element < 0)
      continue;
    // A NaN that is added to keeps its bits, so that an accumulation without a fill looks the same.
    snprintf(reason, size,
             "element %s of result %d still holds the poison: never written, or not filled before "
             "it was added to",
             index_of(&it->results[0][i], element).text, i);
    return true;
  }
  return false;
}

static bool find_difference(const assay_trial *it, size_t size, char reason[]) {
  for (int i = 0; i < it->program->result_count; i++) {
    const assay_guarded *first = &it->results[0][i], *second = &it->results[1][i];
    int64_t element = assay_guarded_differs(first, second);
    if (element < 0)
      continue;
    char values[2][40];
    assay_element_print(&first->buffer, element, sizeof values[0], values[0]);
    assay_element_print(&second->buffer, element, sizeof values[1], values[1]);
    snprintf(reason, size, "nondeterministic: element %s of result %d was %s, then %s",
             index_of(first, element).text, i, values[0], values[1]);
    return true;
  }
  return false;
}

bool assay_trial_misconduct(const assay_trial *it, size_t size, char reason[]) {
  for (int round = 0; round < ROUNDS; round++)
    if (find_overrun(it->results[round], it->program->result_count, "result", size, reason))
      return true;
  return find_overrun(it->inputs, it->program->input_count, "argument", size, reason) ||
         find_changed_input(it, size, reason) || find_unwritten(it, size, reason) ||
         find_difference(it, size, reason);
}
