// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The order in which cuts are tried. Internal to the room.
#ifndef ASSAY_HARNESS_REDUCE_SEARCH_H
#define ASSAY_HARNESS_REDUCE_SEARCH_H

#include "harness/reduce/candidate.h"
#include "harness/reduce/reduce.h"

typedef struct assay_search {
  const assay_reduction_request *request;
  assay_arena *arena;
  assay_question question; // with the best so far
  assay_reduction *found;
  uint64_t *hashes; // of question, with room for more
  int hash_room;
  double started;
} assay_search;

// Tries all kinds of cuts, again and again, until none makes the module smaller, the time is over
// or the request is stopped.
ASSAY_MUST_USE assay_code assay_search_run(assay_search *search, assay_error *err);
// Takes over what a candidate showed.
ASSAY_MUST_USE assay_code assay_search_accept(assay_search *search, const assay_tried *tried,
                                              assay_error *err);
bool assay_search_is_over(assay_search *search);
// Seconds that are left; a large number where there is no limit.
double assay_search_left(const assay_search *search);

#endif
