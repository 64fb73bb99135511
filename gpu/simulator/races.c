// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/races.h"

#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_EPOCH = 0x7fffffff };

static void *zeros(uint64_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL)
    abort();
  return memory;
}

void assay_races_open(assay_races *races, uint64_t size) {
  uint64_t words = (size + 3) / 4;
  *races = (assay_races){.words = words,
                         .cells = zeros(words, sizeof(assay_cell)),
                         .bytes = zeros(words * 4, sizeof(assay_cell)),
                         .split = zeros(words, sizeof(uint32_t))};
}

void assay_races_close(assay_races *races) {
  free(races->cells);
  free(races->bytes);
  free(races->split);
  *races = (assay_races){0};
}

// Epochs only grow, so that old traces need no clearing; before they are used up, all are cleared.
void assay_races_barrier(assay_races *races) {
  if (races->epoch++ < LAST_EPOCH)
    return;
  memset(races->cells, 0, races->words * sizeof *races->cells);
  memset(races->bytes, 0, races->words * 4 * sizeof *races->bytes);
  memset(races->split, 0, races->words * sizeof *races->split);
  races->epoch = 1;
}

void assay_races_block(assay_simulator *simulator) {
  assay_races_barrier(&simulator->races);
  simulator->races.first = simulator->races.epoch;
  for (int i = 0; i < simulator->thread_count; i++) {
    assay_sim_thread *thread = &simulator->threads[i];
    memset(thread->clocks, 0, sizeof thread->clocks);
    thread->clocks[thread->view.lane] = 1;
  }
}

// All that one of them has seen or done, all of them have; what they do next is new.
void assay_races_warp(assay_simulator *simulator, int first, uint32_t mask) {
  uint32_t seen[ASSAY_WARP] = {0};
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((mask >> i & 1) != 0)
      for (int lane = 0; lane < ASSAY_WARP; lane++)
        if (seen[lane] < simulator->threads[first + i].clocks[lane])
          seen[lane] = simulator->threads[first + i].clocks[lane];
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((mask >> i & 1) != 0) {
      assay_sim_thread *thread = &simulator->threads[first + i];
      memcpy(thread->clocks, seen, sizeof seen);
      thread->clocks[i]++;
    }
}

typedef struct visit {
  assay_simulator *simulator;
  assay_trace trace; // of the access
  uint64_t offset, size;
} visit;

// Whether the earlier access is certain to come before this one in every schedule.
static bool is_before(const visit *now, const assay_trace *earlier) {
  if (earlier->epoch != now->trace.epoch || earlier->thread == now->trace.thread)
    return true;
  const assay_sim_thread *thread = now->simulator->current;
  return earlier->thread / ASSAY_WARP == now->trace.thread / ASSAY_WARP &&
         thread->clocks[earlier->thread % ASSAY_WARP] > earlier->clock;
}

static const char *verb(const assay_trace *trace) {
  static const char *const verbs[] = {"reads", "writes", "updates"};
  return verbs[trace->access];
}

static void compare(const visit *now, const assay_trace *earlier) {
  if (is_before(now, earlier) ||
      (earlier->access == ASSAY_ACCESS_ATOMIC && now->trace.access == ASSAY_ACCESS_ATOMIC))
    return;
  const assay_simulator *simulator = now->simulator;
  assay_sim_fault(now->simulator, now->trace.site,
                  "race: %s %" PRIu64 " %s at shared offset %" PRIu64 ", which thread %s %s at "
                  "line %u, with no barrier between",
                  verb(&now->trace), now->size, now->size == 1 ? "byte" : "bytes", now->offset,
                  assay_sim_thread_name(&simulator->threads[earlier->thread]).text, verb(earlier),
                  assay_sim_site(simulator, earlier->site)->line);
}

// Two readers are kept, of different warps where there are such: then a writer of any warp has one
// of them against itself, unless a barrier came between.
static void keep_reader(const visit *now, assay_cell *cell) {
  for (int i = 0; i < 2; i++)
    if (is_before(now, &cell->reader[i])) {
      cell->reader[i] = now->trace;
      return;
    }
  int warp = now->trace.thread / ASSAY_WARP;
  if (cell->reader[0].thread / ASSAY_WARP == cell->reader[1].thread / ASSAY_WARP &&
      cell->reader[0].thread / ASSAY_WARP != warp)
    cell->reader[1] = now->trace;
}

static void look_at(const visit *now, assay_cell *cell, bool writes) {
  compare(now, &cell->writer);
  if (!writes) {
    keep_reader(now, cell);
    return;
  }
  compare(now, &cell->reader[0]);
  compare(now, &cell->reader[1]);
  cell->writer = now->trace;
}

static void split(assay_races *races, uint64_t word) {
  if (races->split[word] == races->first)
    return;
  races->split[word] = races->first;
  for (int i = 0; i < 4; i++)
    races->bytes[word * 4 + (uint64_t)i] = races->cells[word];
}

void assay_races_look(assay_simulator *simulator, uint64_t offset, uint64_t size,
                      assay_access access, uint32_t site) {
  assay_races *races = &simulator->races;
  const assay_sim_thread *thread = simulator->current;
  visit now = {.simulator = simulator,
               .trace = {.epoch = races->epoch,
                         .clock = thread->clocks[thread->view.lane],
                         .site = site,
                         .thread = (uint16_t)thread->number,
                         .access = (uint8_t)access},
               .offset = offset,
               .size = size};
  bool writes = access != ASSAY_ACCESS_READ;
  for (uint64_t at = offset, end = offset + size; at < end;) {
    uint64_t word = at / 4, next = (word + 1) * 4 < end ? (word + 1) * 4 : end;
    if (next - at < 4)
      split(races, word);
    if (races->split[word] == races->first) {
      for (; at < next; at++)
        look_at(&now, &races->bytes[at], writes);
    } else {
      look_at(&now, &races->cells[word], writes);
    }
    at = next;
  }
}
