// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/exactly.h"

#include "harness/ledger/origin.h"

typedef struct reading {
  const assay_sought *sought;
  const assay_observation *plain;
  const assay_tail_answer *watched;
  int number; // the smallest; 0: none
  const assay_observed *item;
  int64_t element;
} reading;

// The first element of a range that the plain run, too, shows as what is asked for; -1: none.
static int64_t find_in_range(const reading *it, const assay_exact_range *range,
                             const assay_observed *item, int number, const assay_observed *before) {
  if ((int)item->kind != range->kind || item->index != range->index || before == NULL ||
      !assay_observed_alike(before, item))
    return -1;
  for (int64_t k = range->first; k < range->first + range->count && k < item->count; k++)
    if (assay_sought_is(it->sought, before, number, k))
      return k;
  return -1;
}

static void read_range(reading *it, const assay_exact_range *range) {
  const assay_observation *seen = &it->watched->outcomes[0].seen;
  if (it->number > 0 && range->number >= it->number)
    return;
  for (int i = 0; i < seen->count; i++) {
    const assay_observed *item = &seen->items[i];
    int64_t at = find_in_range(it, range, item, i, assay_observed_find(it->plain, item, i));
    if (at < 0)
      continue;
    it->number = range->number;
    it->item = item;
    it->element = at;
    return;
  }
}

static void tell_op(assay_arena *arena, const reading *it, const assay_origin_op *op,
                    assay_origin_answer *answer) {
  assay_origin_tell_place(arena, op, answer);
  answer->result = assay_origin_kind_name(it->sought->kind);
}

static bool tell(assay_arena *arena, const reading *it, assay_origin_answer *answer) {
  const assay_origin_report *report = it->watched->origin;
  int index;
  switch (assay_exact_source_of(it->number, &index)) {
  case ASSAY_EXACT_NONE:
  case ASSAY_EXACT_UNKNOWN:
    return false;
  case ASSAY_EXACT_EVENT:
    assay_origin_tell_event(arena, report, &it->watched->exact_logs->events[index], answer);
    return true;
  case ASSAY_EXACT_LATE:
    tell_op(arena, it, &report->ops[index], answer);
    answer->lowered = assay_arena_string(arena, report->ops[index].lowered);
    return true;
  case ASSAY_EXACT_CONSTANT:
    tell_op(arena, it, &report->constants[index], answer);
    return true;
  case ASSAY_EXACT_ARGUMENT:
    answer->name = assay_arena_format(arena, "argument %d", index);
    answer->result = assay_origin_kind_name(it->sought->kind);
    return true;
  }
  return false;
}

bool assay_exactly_conclude(assay_arena *arena, const assay_sought *sought,
                            const assay_observation *plain, const assay_tail_answer *watched,
                            assay_origin_answer *answer) {
  if (watched->status != ASSAY_TAIL_RAN || watched->outcomes[0].status != ASSAY_TAIL_RAN ||
      watched->exact_logs == NULL)
    return false;
  reading it = {.sought = sought, .plain = plain, .watched = watched};
  const assay_exact_log *log = watched->exact_logs;
  for (int i = 0; i < log->range_count; i++)
    read_range(&it, &log->ranges[i]);
  int index_of;
  bool is_unrelated =
      it.number > 0 && assay_exact_source_of(it.number, &index_of) == ASSAY_EXACT_NONE;
  if (is_unrelated && log->range_count < ASSAY_EXACT_RANGES) {
    answer->none = "no result holds an infinity, and none was made on the way to a NaN";
    return true;
  }
  if (!tell(arena, &it, answer))
    return false;
  char name[32], index[160];
  assay_observed_name(it.item, name);
  assay_observed_index(it.item, it.element, sizeof index, index);
  answer->element = assay_arena_format(arena, "%s%s", name, index);
  answer->certain = true;
  return true;
}
