// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where threads wait for each other, and why they wait for ever.
#include "gpu/simulator/entries.h"
#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void assay_sim_barrier(assay_view *view, uint32_t site) {
  assay_simulator *simulator = assay_simulator_of(view);
  assay_races_settle(simulator);
  simulator->waiting++;
  assay_sim_wait_in(simulator, ASSAY_AT_BARRIER, site);
}

static int warp_start(const assay_sim_thread *thread) {
  return thread->number / ASSAY_WARP * ASSAY_WARP;
}

// The lanes of the thread's warp that there are.
static uint32_t lanes_of(const assay_simulator *simulator, const assay_sim_thread *thread) {
  int count = simulator->thread_count - warp_start(thread);
  return count >= ASSAY_WARP ? UINT32_MAX : (1U << count) - 1;
}

static bool waits_for_same(const assay_sim_thread *a, const assay_sim_thread *b) {
  return b->state == ASSAY_IN_WARP && b->mask == a->mask && b->site == a->site;
}

// Whether all lanes of its mask have come.
static bool is_complete(const assay_simulator *simulator, const assay_sim_thread *thread) {
  const assay_sim_thread *first = &simulator->threads[warp_start(thread)];
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((thread->mask >> i & 1) != 0 && &first[i] != thread && !waits_for_same(thread, &first[i]))
      return false;
  return true;
}

// Computes for all lanes and lets them go on.
static void complete(assay_simulator *simulator, const assay_sim_thread *thread) {
  int start = warp_start(thread);
  assay_lane *lanes[ASSAY_WARP];
  for (int i = 0; i < ASSAY_WARP; i++)
    lanes[i] = &simulator->threads[start + i].lane;
  assay_collect_compute(thread->kind, thread->mask, lanes);
  if (simulator->simulation.races)
    assay_races_warp(simulator, start, thread->mask, thread->kind == ASSAY_COLLECT_SYNC);
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((thread->mask >> i & 1) != 0)
      simulator->threads[start + i].state = ASSAY_READY;
}

static void check_mask(assay_simulator *simulator, const assay_sim_thread *thread, uint32_t site) {
  uint32_t absent = thread->mask & ~lanes_of(simulator, thread);
  if ((thread->mask >> thread->view.lane & 1) == 0)
    assay_sim_fault(simulator, site,
                    "%s with mask 0x%08" PRIx32 ", which leaves out its own lane %d",
                    assay_collect_name(thread->kind), thread->mask, thread->view.lane);
  if (absent != 0)
    assay_sim_fault(simulator, site,
                    "%s with mask 0x%08" PRIx32 " names lane %d, but the warp has %d threads",
                    assay_collect_name(thread->kind), thread->mask, __builtin_ctz(absent),
                    simulator->thread_count - warp_start(thread));
}

// Waits for the other lanes; the thread's lane then holds what comes out. The last to come computes
// for all and goes on.
static void collect(assay_simulator *simulator, assay_collect kind, uint32_t mask, uint32_t site) {
  assay_sim_thread *thread = simulator->current;
  thread->kind = kind;
  thread->mask = mask;
  thread->site = site;
  check_mask(simulator, thread, site);
  assay_races_settle(simulator);
  if (is_complete(simulator, thread))
    complete(simulator, thread);
  else
    assay_sim_wait_in(simulator, ASSAY_IN_WARP, site);
}

uint64_t assay_sim_collect(assay_view *view, uint32_t kind, uint32_t mask, uint32_t a, uint32_t b,
                           uint32_t c, uint32_t site) {
  assay_simulator *simulator = assay_simulator_of(view);
  assay_lane *lane = &simulator->current->lane;
  lane->in[0] = a;
  lane->in[1] = b;
  lane->in[2] = c;
  collect(simulator, (assay_collect)kind, mask, site);
  return lane->out[0] | (uint64_t)lane->out[1] << 32;
}

void assay_sim_mma(assay_view *view, uint32_t kind, const void *in, void *out, uint32_t site) {
  assay_simulator *simulator = assay_simulator_of(view);
  assay_lane *lane = &simulator->current->lane;
  memcpy(lane->in, in, sizeof(uint32_t) * 10); // the most that a product takes
  collect(simulator, (assay_collect)kind, UINT32_MAX, site);
  memcpy(out, lane->out, sizeof lane->out);
}

void assay_sim_copy(assay_view *view, char *to, char *from, uint32_t size, uint32_t given,
                    uint32_t site) {
  assay_simulator *simulator = assay_simulator_of(view);
  assay_sim_thread *thread = simulator->current;
  if (given > size)
    given = size;
  if (thread->copies == NULL)
    thread->copies = calloc(ASSAY_SIM_COPIES, sizeof *thread->copies);
  if (thread->copies == NULL)
    assay_sim_starve(simulator, site, ASSAY_SIM_COPIES * sizeof *thread->copies,
                     "asynchronous copies of a thread");
  if (thread->copy_count == ASSAY_SIM_COPIES)
    assay_sim_fault(simulator, site, "more than %d asynchronous copies under way",
                    ASSAY_SIM_COPIES);
  thread->copies[thread->copy_count++] =
      (assay_copy){.to = assay_sim_checked(view, to, size, size, ASSAY_ACCESS_WRITE, site),
                   .from = assay_sim_checked(view, from, given, size, ASSAY_ACCESS_READ, site),
                   .size = size,
                   .given = given,
                   .group = thread->group,
                   .site = site};
}

void assay_sim_commit(assay_view *view) {
  assay_simulator_of(view)->current->group++;
}

void assay_sim_wait(assay_view *view, uint32_t left) {
  assay_simulator *simulator = assay_simulator_of(view);
  assay_sim_thread *thread = simulator->current;
  uint32_t kept = 0;
  for (uint32_t i = 0; i < thread->copy_count; i++) {
    assay_copy *copy = &thread->copies[i];
    if (copy->group + left >= thread->group) {
      thread->copies[kept++] = *copy;
      continue;
    }
    if (simulator->simulation.races) // what others read since it was begun is a race as well
      assay_races_look(simulator, &simulator->races.shared,
                       (uint64_t)(copy->to - simulator->shared), copy->size, ASSAY_ACCESS_WRITE,
                       copy->site);
    memset(copy->to, 0, copy->size);
    memcpy(copy->to, copy->from, copy->given);
  }
  thread->copy_count = kept;
}

// What the lane does instead of coming to the collective.
static void explain_lane(assay_simulator *simulator, const assay_sim_thread *thread,
                         const assay_sim_thread *lane) {
  assay_sim_name lane_name = assay_sim_thread_name(lane);
  const char *name = assay_collect_name(thread->kind), *other = lane_name.text;
  if (lane->state == ASSAY_ENDED)
    assay_sim_report(simulator, thread, thread->site,
                     "%s names lane %d, thread %s, which has ended", name, lane->view.lane, other);
  else if (lane->state == ASSAY_AT_BARRIER)
    assay_sim_report(simulator, thread, thread->site,
                     "%s waits for lane %d, thread %s, which waits at the barrier of line %u", name,
                     lane->view.lane, other, assay_sim_site(simulator, lane->site)->line);
  else
    assay_sim_report(simulator, thread, thread->site,
                     "%s with mask 0x%08" PRIx32 " waits for lane %d, thread %s, which waits in %s "
                     "of line %u with mask 0x%08" PRIx32,
                     name, thread->mask, lane->view.lane, other, assay_collect_name(lane->kind),
                     assay_sim_site(simulator, lane->site)->line, lane->mask);
}

static void explain_warp(assay_simulator *simulator, const assay_sim_thread *thread) {
  const assay_sim_thread *first = &simulator->threads[warp_start(thread)];
  for (int i = 0; i < ASSAY_WARP; i++)
    if ((thread->mask >> i & 1) != 0 && &first[i] != thread && !waits_for_same(thread, &first[i])) {
      explain_lane(simulator, thread, &first[i]);
      return;
    }
}

void assay_sim_explain(assay_simulator *simulator) {
  const assay_sim_thread *ended = NULL, *waits = NULL;
  for (int i = 0; i < simulator->thread_count; i++) {
    const assay_sim_thread *thread = &simulator->threads[i];
    if (thread->state == ASSAY_IN_WARP) {
      explain_warp(simulator, thread);
      return;
    }
    if (thread->state == ASSAY_ENDED && ended == NULL)
      ended = thread;
    if (thread->state == ASSAY_AT_BARRIER && waits == NULL)
      waits = thread;
  }
  if (waits == NULL || ended == NULL)
    abort(); // nothing else keeps a thread from going on
  assay_sim_report(simulator, waits, waits->site,
                   "waits at a barrier that thread %s does not reach: it has ended",
                   assay_sim_thread_name(ended).text);
}
