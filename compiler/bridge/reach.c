// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/snapshot.h"

#include <stdlib.h>
#include <string.h>

static int find_function(const assay_snapshot *snapshot, const char *name) {
  for (int i = 0; i < snapshot->function_count; i++)
    if (strcmp(snapshot->functions[i].name, name) == 0)
      return i;
  return -1;
}

static void mark(const assay_snapshot *snapshot, int i, bool *reached) {
  if (i < 0 || reached[i])
    return;
  reached[i] = true;
  for (int k = 0; k < snapshot->functions[i].use_count; k++)
    mark(snapshot, find_function(snapshot, snapshot->functions[i].uses[k]), reached);
}

uint64_t assay_snapshot_reach(const assay_snapshot *snapshot, const char *function) {
  int entry = find_function(snapshot, function);
  if (entry < 0)
    return snapshot->hash;
  bool *reached = calloc((size_t)snapshot->function_count, sizeof *reached);
  if (reached == NULL)
    abort();
  mark(snapshot, entry, reached);
  uint64_t hash = snapshot->rest;
  for (int i = 0; i < snapshot->function_count; i++)
    if (reached[i])
      hash = (hash ^ snapshot->functions[i].hash) * UINT64_C(0x9e3779b97f4a7c15);
  free(reached);
  return hash;
}
