// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/events.h"

#include <stdlib.h>

enum { TIMES = 1 << 19, LEAST_EACH = 64 };

// Numbers below op_count are those that an operation's later times share.
static struct {
  assay_time *times; // op_count, then those by themselves
  int *kept;         // by operation
  int op_count, count, each;
} events;

void assay_events_begin(int op_count) {
  free(events.times);
  free(events.kept);
  events.op_count = events.count = op_count;
  events.each = op_count > 0 && TIMES / op_count > LEAST_EACH ? TIMES / op_count : LEAST_EACH;
  // What is not written takes no memory.
  events.times = calloc((size_t)op_count + TIMES, sizeof *events.times);
  events.kept = calloc((size_t)op_count + 1, sizeof *events.kept);
  if (events.times == NULL || events.kept == NULL)
    abort();
}

int assay_events_keep(const assay_time *time) {
  if (events.kept[time->op] < events.each && events.count < events.op_count + TIMES) {
    events.kept[time->op]++;
    events.times[events.count] = *time;
    return events.count++;
  }
  assay_time *shared = &events.times[time->op];
  if (shared->lost == 0 || time->gain > shared->gain)
    *shared = *time;
  return time->op;
}

const assay_time *assay_events_at(int event) {
  return event >= 0 && event < events.count ? &events.times[event] : NULL;
}
