// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a launch needs before its blocks run.
#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

// Compute capabilities of the CUDA C programming guide.
enum { MAX_BLOCK_Z = 64, MAX_GRID_YZ = 65535 };

// A stack for each thread, and below it a page that faults. Made at the first launch.
static assay_code make_stacks(assay_simulator *simulator, assay_error *err) {
  if (simulator->stacks != NULL)
    return ASSAY_OK;
  size_t step = ASSAY_SIM_STACK + ASSAY_SIM_GUARD;
  char *stacks = mmap(NULL, step * ASSAY_SIM_THREADS, PROT_NONE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  bool made = stacks != MAP_FAILED;
  for (size_t i = 0; made && i < ASSAY_SIM_THREADS; i++)
    made =
        mprotect(stacks + i * step + ASSAY_SIM_GUARD, ASSAY_SIM_STACK, PROT_READ | PROT_WRITE) == 0;
  if (made) {
    simulator->stacks = stacks;
    return ASSAY_OK;
  }
  if (stacks != MAP_FAILED)
    munmap(stacks, step * ASSAY_SIM_THREADS);
  return assay_fail(err, ASSAY_UNSUPPORTED,
                    "this process has no memory for the stacks of %d threads: %zu bytes asked for",
                    ASSAY_SIM_THREADS, step * ASSAY_SIM_THREADS);
}

static assay_code check_launch(const assay_gpu_launch *launch, assay_error *err) {
  const assay_kernel_record *kernel = launch->function->kernel;
  const int64_t *grid = launch->grid, *block = launch->block;
  if (grid[0] < 1 || grid[1] < 1 || grid[2] < 1 || grid[0] > INT32_MAX || grid[1] > MAX_GRID_YZ ||
      grid[2] > MAX_GRID_YZ)
    return assay_fail(err, ASSAY_FAILED,
                      "launch of %s: a grid of (%" PRId64 ",%" PRId64 ",%" PRId64 ") blocks",
                      kernel->name, grid[0], grid[1], grid[2]);
  int64_t most = ASSAY_SIM_THREADS;
  if (kernel->threads[0] != 0)
    most = (int64_t)(kernel->threads[0] * kernel->threads[1] * kernel->threads[2]);
  if (block[0] < 1 || block[1] < 1 || block[2] < 1 || block[0] > ASSAY_SIM_THREADS ||
      block[1] > ASSAY_SIM_THREADS || block[2] > MAX_BLOCK_Z ||
      block[0] * block[1] * block[2] > (most < ASSAY_SIM_THREADS ? most : ASSAY_SIM_THREADS))
    return assay_fail(err, ASSAY_FAILED,
                      "launch of %s: blocks of (%" PRId64 ",%" PRId64 ",%" PRId64
                      ") threads, where it may have %" PRId64,
                      kernel->name, block[0], block[1], block[2], most);
  if (launch->shared < 0 || launch->shared > ASSAY_SIM_SHARED - (int64_t)kernel->shared)
    return assay_fail(err, ASSAY_FAILED,
                      "launch of %s: %" PRId64 " bytes of dynamic shared memory besides %" PRIu64
                      ", of %d",
                      kernel->name, launch->shared, kernel->shared, ASSAY_SIM_SHARED);
  if (launch->parameter_count != kernel->parameter_count)
    return assay_fail(err, ASSAY_FAILED, "launch of %s: %zu parameters, but it has %" PRIu64,
                      kernel->name, launch->parameter_count, kernel->parameter_count);
  return ASSAY_OK;
}

static void number_threads(assay_simulator *simulator, const int64_t block[3]) {
  simulator->thread_count = (int)(block[0] * block[1] * block[2]);
  for (int i = 0; i < simulator->thread_count; i++) {
    assay_sim_thread *thread = &simulator->threads[i];
    int32_t x = (int32_t)block[0], y = (int32_t)block[1];
    thread->number = i;
    thread->view = (assay_thread_view){
        .id = {i % x, i / x % y, i / x / y}, .lane = i % ASSAY_WARP, .warp = i / ASSAY_WARP};
  }
}

// Marks the kernel's variables in shared memory; what lies between them is nobody's.
static void mark_shared(assay_simulator *simulator, const assay_gpu_launch *launch) {
  const assay_gpu_module *module = launch->function->module;
  uint64_t number = (uint64_t)(launch->function - module->functions);
  memset(simulator->shared_shadow, 0, sizeof simulator->shared_shadow);
  for (uint64_t i = 0; i < module->code->shared_count; i++) {
    const assay_shared_record *record = &module->code->shared[i];
    if (record->kernel != number)
      continue;
    uint64_t size = record->size != 0 ? record->size : (uint64_t)launch->shared;
    uint8_t *shadow = simulator->shared_shadow + record->offset / ASSAY_SIM_GRANULE;
    memset(shadow, ASSAY_SIM_GRANULE, size / ASSAY_SIM_GRANULE);
    if (size % ASSAY_SIM_GRANULE != 0)
      shadow[size / ASSAY_SIM_GRANULE] = (uint8_t)(size % ASSAY_SIM_GRANULE);
  }
}

// What compiled code reads. Where races are looked for, nothing passes unasked.
static void set_view(assay_simulator *simulator, const assay_gpu_launch *launch) {
  assay_view *view = &simulator->view;
  bool races = simulator->simulation.races;
  simulator->shared_size = launch->function->kernel->shared + (uint64_t)launch->shared;
  for (int i = 0; i < 3; i++) {
    view->grid[i] = (int32_t)launch->grid[i];
    view->block[i] = (int32_t)launch->block[i];
  }
  view->memory_end = races ? 0 : simulator->memory.span;
  for (int i = 0; i < ASSAY_SHARED_WIDTHS; i++) {
    uint64_t width = UINT64_C(1) << i;
    view->shared_end[i] =
        races || simulator->shared_size < width ? 0 : simulator->shared_size - width + 1;
  }
}

assay_code assay_sim_launch(assay_gpu *gpu, const assay_gpu_launch *launch, assay_error *err) {
  assay_simulator *simulator = (assay_simulator *)gpu;
  TRY(check_launch(launch, err));
  TRY(make_stacks(simulator, err));
  simulator->function = launch->function;
  simulator->sites = launch->function->module->code->sites;
  simulator->parameters = launch->parameters;
  simulator->faulted = simulator->starved = false;
  simulator->random = simulator->simulation.seed * 2 + UINT64_C(88172645463325253);
  number_threads(simulator, launch->block);
  set_view(simulator, launch);
  mark_shared(simulator, launch);
  TRY(assay_sim_run_guarded(simulator, launch->grid, err));
  if (simulator->faulted)
    return assay_fail(err, simulator->starved ? ASSAY_UNSUPPORTED : ASSAY_FAILED, "%s",
                      simulator->fault);
  return ASSAY_OK;
}
