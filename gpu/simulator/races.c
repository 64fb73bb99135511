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
  simulator->races.doubts = 0;
  for (int i = 0; i < simulator->thread_count; i++) {
    assay_sim_thread *thread = &simulator->threads[i];
    memset(thread->clocks, 0, sizeof thread->clocks);
    memset(thread->met, 0, sizeof thread->met);
    thread->clocks[thread->view.lane] = thread->met[thread->view.lane] = 1;
  }
}

// The thread knows of each lane the most that one of them knows.
static void share(assay_simulator *simulator, int first, uint32_t mask, bool memory) {
  uint32_t most[ASSAY_WARP] = {0};
  for (int i = 0; i < ASSAY_WARP; i++) {
    const assay_sim_thread *thread = &simulator->threads[first + i];
    if ((mask >> i & 1) != 0)
      for (int lane = 0; lane < ASSAY_WARP; lane++) {
        uint32_t known = memory ? thread->clocks[lane] : thread->met[lane];
        most[lane] = known > most[lane] ? known : most[lane];
      }
  }
  for (int i = 0; i < ASSAY_WARP; i++) {
    assay_sim_thread *thread = &simulator->threads[first + i];
    if ((mask >> i & 1) != 0)
      memcpy(memory ? thread->clocks : thread->met, most, sizeof most);
  }
}

void assay_races_warp(assay_simulator *simulator, int first, uint32_t mask, bool memory) {
  if (memory)
    share(simulator, first, mask, true);
  share(simulator, first, mask, false);
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((mask >> i & 1) != 0) {
      // What they do next is new.
      assay_sim_thread *thread = &simulator->threads[first + i];
      thread->clocks[i]++;
      thread->met[i] = thread->clocks[i];
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
  if (earlier->thread / ASSAY_WARP != now->trace.thread / ASSAY_WARP)
    return false;
  const assay_sim_thread *thread = now->simulator->current;
  const uint32_t *known = earlier->access == ASSAY_ACCESS_READ ? thread->met : thread->clocks;
  return known[earlier->thread % ASSAY_WARP] >= earlier->clock;
}

static const char *verb(const assay_trace *trace) {
  static const char *const verbs[] = {"reads", "writes", "updates"};
  return verbs[trace->access];
}

static _Noreturn void tell(assay_simulator *simulator, const assay_doubt *race) {
  assay_sim_fault(simulator, race->now.site,
                  "race: %s %" PRIu64 " %s at shared offset %" PRIu64 ", which thread %s %s at "
                  "line %u, with no barrier between",
                  verb(&race->now), race->size, race->size == 1 ? "byte" : "bytes", race->offset,
                  assay_sim_thread_name(&simulator->threads[race->earlier.thread]).text,
                  verb(&race->earlier), assay_sim_site(simulator, race->earlier.site)->line);
}

static void compare(const visit *now, const assay_trace *earlier) {
  uint8_t a = earlier->access, b = now->trace.access;
  if (is_before(now, earlier) || (a == ASSAY_ACCESS_ATOMIC && b == ASSAY_ACCESS_ATOMIC))
    return;
  assay_races *races = &now->simulator->races;
  assay_doubt race = {
      .now = now->trace, .earlier = *earlier, .offset = now->offset, .size = now->size};
  if (a != ASSAY_ACCESS_WRITE || b != ASSAY_ACCESS_WRITE || now->size > ASSAY_RACES_WIDTH ||
      races->doubts == ASSAY_RACES_DOUBTS)
    tell(now->simulator, &race);
  memcpy(race.bytes, now->simulator->shared + now->offset, now->size);
  races->doubt[races->doubts++] = race;
}

void assay_races_settle(assay_simulator *simulator) {
  assay_races *races = &simulator->races;
  for (int i = 0; i < races->doubts; i++) {
    const assay_doubt *doubt = &races->doubt[i];
    if (memcmp(simulator->shared + doubt->offset, doubt->bytes, doubt->size) != 0)
      tell(simulator, doubt);
  }
  races->doubts = 0;
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
  // Others may update after an update, but not after a plain write of the same thread.
  bool is_weaker =
      now->trace.access == ASSAY_ACCESS_ATOMIC && cell->writer.access == ASSAY_ACCESS_WRITE &&
      cell->writer.epoch == now->trace.epoch && cell->writer.thread == now->trace.thread;
  if (!is_weaker)
    cell->writer = now->trace;
}

// Whether a read leaves the word as it is: nobody has written, and readers of two warps are known.
static bool is_settled(const assay_cell *cell, uint32_t epoch) {
  return cell->writer.epoch != epoch && cell->reader[0].epoch == epoch &&
         cell->reader[1].epoch == epoch &&
         cell->reader[0].thread / ASSAY_WARP != cell->reader[1].thread / ASSAY_WARP;
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
    } else if (writes || !is_settled(&races->cells[word], races->epoch)) {
      look_at(&now, &races->cells[word], writes);
    }
    at = next;
  }
}
