// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/reuse.h"

#include "compiler/base/text.h"

#include <string.h>

enum { ROOM = 64 };

typedef struct kept {
  assay_reuse_key key;
  int run_count;
  const assay_tail_outcome *outcomes;
  _Atomic bool ready; // comes last
} kept;

struct assay_reuse {
  _Atomic int taken; // rows, also by those that are being written
  kept rows[ROOM];
};

assay_reuse *assay_reuse_create(assay_shared *shared) {
  return assay_shared_take(shared, sizeof(assay_reuse));
}

static uint64_t add_number(uint64_t hash, int64_t number) {
  return assay_hash_bytes(hash, &number, sizeof number);
}

static uint64_t add_numbers(uint64_t hash, const int64_t numbers[], int count) {
  return assay_hash_bytes(hash, numbers, (size_t)count * sizeof *numbers);
}

static uint64_t add_type(uint64_t hash, const assay_value_type *type) {
  hash = add_number(add_number(hash, type->form), type->element);
  hash = add_number(add_number(hash, type->bits), type->bytes);
  hash = add_number(add_number(hash, type->is_complex), type->has_rank);
  hash = add_number(add_number(hash, type->rank), type->offset);
  hash = add_numbers(hash, type->dim, type->rank);
  return add_numbers(hash, type->stride, type->rank);
}

static uint64_t hash_border(const assay_border *border) {
  uint64_t hash = add_number(ASSAY_HASH_START, border->argument_count);
  for (int i = 0; i < border->argument_count; i++) {
    const assay_argument *argument = &border->arguments[i];
    hash = add_type(hash, &argument->type);
    hash = add_numbers(hash, argument->dim, argument->type.rank);
    hash = add_numbers(hash, argument->stride, argument->type.rank);
    hash = add_number(add_number(hash, argument->offset), argument->extent);
    hash = add_number(add_number(hash, argument->is_output), argument->is_cautious);
  }
  hash = add_number(add_number(hash, border->user_count), border->result_count);
  for (int i = 0; i < border->result_count; i++) {
    const assay_result *result = &border->results[i];
    hash = add_number(add_type(hash, &result->type), result->argument);
    hash = add_number(add_number(hash, result->returned), result->form);
  }
  return hash;
}

static uint64_t hash_runs(const assay_tail_request *request) {
  uint64_t hash = add_number(ASSAY_HASH_START, (int64_t)request->data_seed);
  for (int i = 0; i < request->run_count; i++) {
    const assay_tail_run *run = &request->runs[i];
    hash = add_number(add_number(hash, (int64_t)run->seed), run->data);
    hash = add_number(add_number(hash, run->amplified), run->poison);
    hash = add_number(add_number(hash, run->guarded), run->moved + 2 * run->uneven);
  }
  return hash;
}

assay_reuse_key assay_reuse_key_of(uint64_t code, const assay_border *border,
                                   const assay_tail_request *request) {
  return (assay_reuse_key){.code = code, .border = hash_border(border), .runs = hash_runs(request)};
}

static bool are_equal(const assay_reuse_key *a, const assay_reuse_key *b) {
  return a->code == b->code && a->border == b->border && a->runs == b->runs;
}

bool assay_reuse_find(const assay_reuse *from, const assay_reuse_key *key, int run_count,
                      assay_tail_outcome outcomes[]) {
  int count = from->taken < ROOM ? from->taken : ROOM;
  for (int i = 0; i < count; i++) {
    const kept *row = &from->rows[i];
    if (!row->ready || row->run_count != run_count || !are_equal(&row->key, key))
      continue;
    memcpy(outcomes, row->outcomes, (size_t)run_count * sizeof *outcomes);
    return true;
  }
  return false;
}

void assay_reuse_keep(assay_reuse *in, const assay_reuse_key *key, int run_count,
                      const assay_tail_outcome outcomes[]) {
  for (int i = 0; i < run_count; i++)
    if (outcomes[i].status != ASSAY_TAIL_RAN || outcomes[i].violation[0] != '\0')
      return;
  int place = in->taken < ROOM ? in->taken++ : ROOM;
  if (place >= ROOM)
    return;
  kept *row = &in->rows[place];
  row->key = *key;
  row->run_count = run_count;
  row->outcomes = outcomes;
  row->ready = true;
}
