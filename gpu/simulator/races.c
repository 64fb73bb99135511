// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/races.h"

#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LAST_EPOCH = 0x7fffffff };

static void drop(assay_chunk **chunk) {
  if (*chunk != NULL)
    free((*chunk)->bytes);
  free(*chunk);
  *chunk = NULL;
}

static void clear(assay_ground *ground) {
  for (uint64_t i = 0; i < ground->count; i++)
    drop(&ground->chunks[i]);
}

void assay_races_forget(assay_ground *ground, uint64_t start, uint64_t size) {
  uint64_t first = (start + ASSAY_CHUNK - 1) / ASSAY_CHUNK, end = (start + size) / ASSAY_CHUNK;
  for (uint64_t i = first; i < end; i++)
    drop(&ground->chunks[i]);
}

static assay_code open_ground(assay_ground *ground, const char *memory, uint64_t size, bool shared,
                              assay_error *err) {
  uint64_t count = (size + ASSAY_CHUNK - 1) / ASSAY_CHUNK;
  assay_chunk **chunks = calloc(count, sizeof(assay_chunk *));
  if (chunks == NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "this process has no memory for the check for races of %" PRIu64
                      " bytes: %" PRIu64 " bytes asked for",
                      size, count * sizeof(assay_chunk *));
  *ground = (assay_ground){.memory = memory, .count = count, .chunks = chunks, .shared = shared};
  return ASSAY_OK;
}

assay_code assay_races_open(assay_races *races, const char *shared, uint64_t shared_size,
                            const char *device, uint64_t device_size, assay_error *err) {
  *races = (assay_races){0};
  TRY(open_ground(&races->shared, shared, shared_size, true, err));
  return open_ground(&races->device, device, device_size, false, err);
}

void assay_races_close(assay_races *races) {
  clear(&races->shared);
  clear(&races->device);
  free(races->shared.chunks);
  free(races->device.chunks);
  *races = (assay_races){0};
}

void assay_races_barrier(assay_races *races) {
  races->epoch++;
}

// Epochs only grow, so that old traces need no clearing; before they are used up, all are cleared.
void assay_races_launch(assay_races *races) {
  if (races->epoch >= LAST_EPOCH) {
    clear(&races->shared);
    clear(&races->device);
    races->epoch = 0;
  }
  races->launch = ++races->epoch;
}

void assay_races_block(assay_simulator *simulator) {
  assay_races *races = &simulator->races;
  // Where threads never meet, their clocks stand still from the launch's first block on.
  bool stand = races->epoch != races->launch && !simulator->function->kernel->synchronises;
  races->block = ++races->epoch;
  races->doubts = 0;
  for (int i = 0; i < simulator->thread_count && !stand; i++) {
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
      if (thread->clocks[i] < ASSAY_RACES_LAST_CLOCK)
        thread->clocks[i]++;
      thread->met[i] = thread->clocks[i];
    }
}

// An access, and what of the past is in order with it.
typedef struct visit {
  assay_simulator *simulator;
  const assay_ground *ground;
  const assay_sim_thread *thread;
  assay_trace trace;
  uint32_t start, block; // epochs: what is older than start is before; see is_before
  uint64_t offset, size;
} visit;

// Whether the earlier access is certain to come before this one in every schedule.
static inline bool is_before(const visit *now, const assay_trace *earlier) {
  if (earlier->epoch < now->start)
    return true;
  if (earlier->epoch < now->block)
    return false; // of another block
  if (earlier->epoch != now->trace.epoch || earlier->thread == now->trace.thread)
    return true;
  if (earlier->thread / ASSAY_WARP != now->trace.thread / ASSAY_WARP)
    return false;
  const uint32_t *known =
      earlier->access == ASSAY_ACCESS_READ ? now->thread->met : now->thread->clocks;
  return known[earlier->thread % ASSAY_WARP] >= earlier->clock;
}

static const char *verb(const assay_trace *trace) {
  static const char *const verbs[] = {"reads", "writes", "updates"};
  return verbs[trace->access];
}

static _Noreturn void tell(assay_simulator *simulator, const assay_doubt *race) {
  char place[192];
  if (race->ground->shared)
    snprintf(place, sizeof place, "at shared offset %" PRIu64, race->offset);
  else
    assay_memory_describe(assay_memory_nearest(&simulator->memory, race->offset), race->offset,
                          place, sizeof place);
  bool same_block = race->earlier.epoch >= simulator->races.block;
  assay_sim_fault(simulator, race->now.site,
                  "race: %s %" PRIu64 " %s %s, which thread %s %s%s at line %u, with no barrier "
                  "between",
                  verb(&race->now), race->size, race->size == 1 ? "byte" : "bytes", place,
                  assay_sim_thread_name(&simulator->threads[race->earlier.thread]).text,
                  same_block ? "" : "of another block ", verb(&race->earlier),
                  assay_sim_site(simulator, race->earlier.site)->line);
}

static void compare(const visit *now, const assay_trace *earlier) {
  uint32_t a = earlier->access, b = now->trace.access;
  if (is_before(now, earlier) || (a == ASSAY_ACCESS_ATOMIC && b == ASSAY_ACCESS_ATOMIC))
    return;
  assay_races *races = &now->simulator->races;
  assay_doubt race = {.now = now->trace,
                      .earlier = *earlier,
                      .ground = now->ground,
                      .offset = now->offset,
                      .size = now->size};
  if (a != ASSAY_ACCESS_WRITE || b != ASSAY_ACCESS_WRITE || now->size > ASSAY_RACES_WIDTH)
    tell(now->simulator, &race);
  if (races->doubts == ASSAY_RACES_DOUBTS)
    assay_races_settle(now->simulator); // all but this one have been written
  memcpy(race.bytes, now->ground->memory + now->offset, now->size);
  races->doubt[races->doubts++] = race;
}

void assay_races_settle(assay_simulator *simulator) {
  assay_races *races = &simulator->races;
  for (int i = 0; i < races->doubts; i++) {
    const assay_doubt *doubt = &races->doubt[i];
    if (memcmp(doubt->ground->memory + doubt->offset, doubt->bytes, doubt->size) != 0)
      tell(simulator, doubt);
  }
  races->doubts = 0;
}

// Two readers are kept, of different warps where there are such: then a writer of any warp has one
// of them against itself, unless a barrier came between.
static inline void keep_reader(const visit *now, assay_cell *cell) {
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

static void write_to(const visit *now, assay_cell *cell) {
  compare(now, &cell->writer);
  compare(now, &cell->reader[0]);
  compare(now, &cell->reader[1]);
  // Others may update after an update, but not after a plain write of the same thread.
  bool is_weaker =
      now->trace.access == ASSAY_ACCESS_ATOMIC && cell->writer.access == ASSAY_ACCESS_WRITE &&
      cell->writer.epoch == now->trace.epoch && cell->writer.thread == now->trace.thread;
  if (!is_weaker)
    cell->writer = now->trace;
}

static inline void look_at(const visit *now, assay_cell *cell) {
  if (now->trace.access != ASSAY_ACCESS_READ) {
    write_to(now, cell);
    return;
  }
  if (!is_before(now, &cell->writer))
    compare(now, &cell->writer);
  keep_reader(now, cell);
}

static void *take(const visit *now, size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL)
    assay_sim_starve(now->simulator, now->trace.site, count * size, "the check for races");
  return memory;
}

static void split(const visit *now, assay_chunk *chunk, uint64_t word) {
  if (chunk->split[word] >= now->start)
    return;
  if (chunk->bytes == NULL)
    chunk->bytes = take(now, ASSAY_CHUNK, sizeof *chunk->bytes);
  chunk->split[word] = now->trace.epoch;
  for (uint64_t i = 0; i < 4; i++)
    chunk->bytes[word * 4 + i] = chunk->cells[word];
}

// Bytes of one word.
static inline void look_at_word(const visit *now, uint64_t at, uint64_t end) {
  assay_chunk **place = &now->ground->chunks[at / ASSAY_CHUNK];
  if (*place == NULL)
    *place = take(now, 1, sizeof **place);
  assay_chunk *chunk = *place;
  uint64_t word = at % ASSAY_CHUNK / 4;
  if (end - at < 4)
    split(now, chunk, word);
  if (chunk->bytes == NULL || chunk->split[word] < now->start)
    look_at(now, &chunk->cells[word]);
  else
    for (; at < end; at++)
      look_at(now, &chunk->bytes[at % ASSAY_CHUNK]);
}

void assay_races_look(assay_simulator *simulator, const assay_ground *ground, uint64_t offset,
                      uint64_t size, assay_access access, uint32_t site) {
  const assay_races *races = &simulator->races;
  const assay_sim_thread *thread = simulator->current;
  visit now = {.simulator = simulator,
               .ground = ground,
               .thread = thread,
               .trace = {.epoch = races->epoch,
                         .clock = thread->clocks[thread->view.lane] & ASSAY_RACES_LAST_CLOCK,
                         .site = site,
                         .thread = (uint32_t)thread->number & (ASSAY_SIM_THREADS - 1),
                         .access = (uint32_t)access & 3},
               .start = ground->shared ? races->block : races->launch,
               .block = races->block,
               .offset = offset,
               .size = size};
  for (uint64_t at = offset, end = offset + size; at < end;) {
    uint64_t next = (at / 4 + 1) * 4;
    next = next < end ? next : end;
    look_at_word(&now, at, next);
    at = next;
  }
}
