// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blocks one after another, and the threads of a block in turns.
#include "gpu/simulator/state.h"

#include <stdlib.h>
#include <string.h>

enum { POISON = 0xff };

uint32_t assay_sim_random(assay_simulator *simulator, uint32_t bound) {
  uint64_t x = simulator->random; // xorshift64*
  x ^= x >> 12;
  x ^= x << 25;
  x ^= x >> 27;
  simulator->random = x;
  return (uint32_t)((x * UINT64_C(2685821657736338717)) >> 32) % bound;
}

static void shuffle(assay_simulator *simulator, int count, int order[]) {
  for (int i = count - 1; i > 0; i--) {
    int j = (int)assay_sim_random(simulator, (uint32_t)i + 1), at_i = order[i];
    order[i] = order[j];
    order[j] = at_i;
  }
}

// The numbers below count as the schedule has them.
static void make_order(assay_simulator *simulator, int count, int order[]) {
  bool reverse = simulator->simulation.schedule == ASSAY_SCHEDULE_REVERSE;
  for (int i = 0; i < count; i++)
    order[i] = reverse ? count - 1 - i : i;
  if (simulator->simulation.schedule == ASSAY_SCHEDULE_RANDOM ||
      simulator->simulation.schedule == ASSAY_SCHEDULE_DEPTH_FIRST)
    shuffle(simulator, count, order);
}

static void become(assay_simulator *simulator, assay_sim_thread *thread) {
  simulator->current = thread;
  simulator->view.thread = &thread->view;
}

// The body of each fiber: one thread of the block.
static void run_thread(void *data) {
  assay_simulator *simulator = data;
  assay_fiber_arrived(&simulator->scheduler);
  simulator->function->kernel->run(simulator->parameters);
  assay_races_settle(simulator);
  assay_sim_thread *thread = simulator->current;
  thread->state = ASSAY_ENDED;
  simulator->ended++;
  assay_fiber_switch(&thread->fiber, &simulator->scheduler, true);
  abort(); // nobody switches back
}

static char *stack_of(const assay_simulator *simulator, int thread) {
  return simulator->stacks + (size_t)thread * (ASSAY_SIM_STACK + ASSAY_SIM_GUARD) + ASSAY_SIM_GUARD;
}

static void resume(assay_simulator *simulator, assay_sim_thread *thread) {
  become(simulator, thread);
  assay_fiber_switch(&simulator->scheduler, &thread->fiber, false);
}

void assay_sim_wait_in(assay_simulator *simulator, assay_state state, uint32_t site) {
  assay_sim_thread *thread = simulator->current;
  if (!simulator->function->kernel->synchronises)
    abort(); // the table of the module is wrong: this thread has no fiber
  thread->state = state;
  thread->site = site;
  assay_fiber_switch(&thread->fiber, &simulator->scheduler, false);
}

// Lets the threads go on when all of them are at the same barrier.
static bool release_barrier(assay_simulator *simulator) {
  if (simulator->waiting != simulator->thread_count)
    return false;
  const assay_sim_thread *first = &simulator->threads[0];
  for (int i = 1; i < simulator->thread_count; i++) {
    const assay_sim_thread *thread = &simulator->threads[i];
    if (thread->site != first->site) {
      assay_sim_report(simulator, thread, thread->site,
                       "waits at a barrier while thread %s waits at that of line %u",
                       assay_sim_thread_name(first).text,
                       assay_sim_site(simulator, first->site)->line);
      return true;
    }
  }
  for (int i = 0; i < simulator->thread_count; i++)
    simulator->threads[i].state = ASSAY_READY;
  simulator->waiting = 0;
  assay_races_barrier(&simulator->races);
  return true;
}

// Each thread that can, as far as it gets, in the schedule's order.
static bool take_turns(assay_simulator *simulator, int order[]) {
  bool progress = false;
  if (simulator->simulation.schedule == ASSAY_SCHEDULE_RANDOM)
    shuffle(simulator, simulator->thread_count, order);
  for (int i = 0; i < simulator->thread_count && !simulator->faulted; i++) {
    assay_sim_thread *thread = &simulator->threads[order[i]];
    if (thread->state != ASSAY_READY)
      continue;
    progress = true;
    resume(simulator, thread);
  }
  return progress;
}

// The threads of the first warp, by priority, that has some which can go on.
static bool take_depth_first(assay_simulator *simulator, const int warps[]) {
  int count = (simulator->thread_count + ASSAY_WARP - 1) / ASSAY_WARP;
  for (int w = 0; w < count; w++) {
    int first = warps[w] * ASSAY_WARP, size = simulator->thread_count - first;
    size = size < ASSAY_WARP ? size : ASSAY_WARP;
    int start = (int)assay_sim_random(simulator, (uint32_t)size);
    bool progress = false;
    for (int i = 0; i < size && !simulator->faulted; i++) {
      assay_sim_thread *thread = &simulator->threads[first + (start + i) % size];
      if (thread->state != ASSAY_READY)
        continue;
      progress = true;
      resume(simulator, thread);
    }
    if (progress)
      return true;
  }
  return false;
}

void assay_sim_run_block(assay_simulator *simulator) {
  int order[ASSAY_SIM_THREADS] = {0};
  bool deep = simulator->simulation.schedule == ASSAY_SCHEDULE_DEPTH_FIRST;
  int count = simulator->thread_count;
  make_order(simulator, deep ? (count + ASSAY_WARP - 1) / ASSAY_WARP : count, order);
  simulator->waiting = simulator->ended = 0;
  for (int i = 0; i < count; i++) {
    assay_sim_thread *thread = &simulator->threads[i];
    thread->state = ASSAY_READY;
    thread->copy_count = thread->group = 0;
    assay_fiber_start(&thread->fiber, stack_of(simulator, i), ASSAY_SIM_STACK, run_thread,
                      simulator);
  }
  while (simulator->ended < count && !simulator->faulted) {
    bool progress = deep ? take_depth_first(simulator, order) : take_turns(simulator, order);
    progress = release_barrier(simulator) || progress;
    if (!progress && simulator->ended < count && !simulator->faulted)
      assay_sim_explain(simulator);
  }
}

// Prepares the state of the block for its threads.
static void begin_block(assay_simulator *simulator) {
  memset(simulator->shared, POISON, simulator->shared_size);
  if (simulator->simulation.races)
    assay_races_block(simulator);
}

// The body of the one fiber for blocks whose threads do not wait for each other.
static void run_plainly(void *data) {
  assay_simulator *simulator = data;
  assay_fiber_arrived(&simulator->scheduler);
  int order[ASSAY_SIM_THREADS] = {0};
  assay_sim_thread *carrier = &simulator->threads[0];
  make_order(simulator, simulator->thread_count, order);
  for (int i = 0; i < simulator->thread_count; i++) {
    assay_sim_thread *thread = &simulator->threads[order[i]];
    become(simulator, thread);
    thread->copy_count = thread->group = 0;
    thread->fiber.bottom = carrier->fiber.bottom;
    thread->fiber.size = carrier->fiber.size;
    simulator->function->kernel->run(simulator->parameters);
    assay_races_settle(simulator);
  }
  become(simulator, carrier);
  assay_fiber_switch(&carrier->fiber, &simulator->scheduler, true);
  abort(); // nobody switches back
}

static void run_plain_block(assay_simulator *simulator) {
  assay_sim_thread *carrier = &simulator->threads[0];
  assay_fiber_start(&carrier->fiber, stack_of(simulator, 0), ASSAY_SIM_STACK, run_plainly,
                    simulator);
  assay_fiber_switch(&simulator->scheduler, &carrier->fiber, false);
}

static uint64_t gcd(uint64_t a, uint64_t b) {
  while (b != 0) {
    uint64_t rest = a % b;
    a = b;
    b = rest;
  }
  return a;
}

// The i-th block of count, of which each comes once.
static uint64_t nth_block(const assay_simulator *simulator, uint64_t i, uint64_t count,
                          uint64_t step) {
  switch (simulator->simulation.schedule) {
  case ASSAY_SCHEDULE_REVERSE:
    return count - 1 - i;
  case ASSAY_SCHEDULE_RANDOM:
    return i * step % count;
  default:
    return i;
  }
}

void assay_sim_run_grid(assay_simulator *simulator, const int64_t grid[3]) {
  uint64_t count = (uint64_t)(grid[0] * grid[1] * grid[2]);
  uint32_t bound = count < UINT32_MAX ? (uint32_t)count : UINT32_MAX;
  uint64_t step = assay_sim_random(simulator, bound);
  while (gcd(step, count) != 1)
    step++;
  assay_races_launch(&simulator->races);
  for (uint64_t i = 0; i < count && !simulator->faulted; i++) {
    uint64_t number = nth_block(simulator, i, count, step);
    simulator->view.block_id[0] = (int32_t)(number % (uint64_t)grid[0]);
    simulator->view.block_id[1] = (int32_t)(number / (uint64_t)grid[0] % (uint64_t)grid[1]);
    simulator->view.block_id[2] = (int32_t)(number / (uint64_t)grid[0] / (uint64_t)grid[1]);
    begin_block(simulator);
    if (simulator->function->kernel->synchronises)
      assay_sim_run_block(simulator);
    else
      run_plain_block(simulator);
  }
}
