// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator from inside.
#ifndef ASSAY_GPU_SIMULATOR_STATE_H
#define ASSAY_GPU_SIMULATOR_STATE_H

#include "compiler/lower/jit.h"
#include "gpu/simulator/abi.h"
#include "gpu/simulator/collective.h"
#include "gpu/simulator/fiber.h"
#include "gpu/simulator/memory.h"
#include "gpu/simulator/races.h"
#include "gpu/simulator/simulator.h"

enum {
  ASSAY_SIM_THREADS = 1024,      // of a block
  ASSAY_SIM_GRANULE = 16,        // bytes that one of a shadow tells about
  ASSAY_SIM_SHARED = 227 * 1024, // bytes of a block, as sm_90 has
  ASSAY_SIM_STACK = 64 * 1024,   // bytes of a thread
  ASSAY_SIM_GUARD = 64 * 1024,   // bytes below each stack that nobody may touch
  ASSAY_SIM_COPIES = 64,         // asynchronous copies of a thread under way
};

typedef enum assay_state { ASSAY_READY, ASSAY_AT_BARRIER, ASSAY_IN_WARP, ASSAY_ENDED } assay_state;

typedef struct assay_copy {
  char *to;
  const char *from;
  uint32_t size, given, group, site;
} assay_copy;

typedef struct assay_sim_thread {
  assay_thread_view view;
  int32_t number; // in its block
  assay_state state;
  uint32_t site;      // where it waits
  uint32_t mask;      // of lanes, of the collective that it waits in
  assay_collect kind; // that collective
  assay_lane lane;
  // (races) How far in each lane of its warp it sees what was written, and knows what was read.
  uint32_t clocks[ASSAY_WARP], met[ASSAY_WARP];
  uint32_t copy_count, group;
  assay_copy *copies; // ASSAY_SIM_COPIES; NULL until the first
  assay_fiber fiber;
} assay_sim_thread;

struct assay_gpu_function {
  assay_gpu_module *module;
  const assay_kernel_record *kernel;
};

struct assay_gpu_module {
  struct assay_simulator *simulator;
  assay_gpu_module *next; // of the simulator's modules
  assay_image *image;
  const assay_code_table *code;
  assay_gpu_function *functions; // one for each kernel
  uint64_t data;                 // where its variables are
};

typedef struct assay_simulator {
  assay_gpu gpu;
  assay_view view;
  assay_simulation simulation;
  assay_memory memory;
  char *shared;         // ASSAY_SIM_SHARED bytes
  uint64_t shared_size; // of the block that runs
  // For each 16 bytes of it, how many from their start are a variable's.
  uint8_t shared_shadow[ASSAY_SIM_SHARED / ASSAY_SIM_GRANULE];
  assay_gpu_module *modules;

  // The launch under way.
  const assay_gpu_function *function;
  const assay_site *sites; // of its module
  void **parameters;
  int thread_count;
  uint64_t random;
  assay_sim_thread *threads; // ASSAY_SIM_THREADS
  assay_sim_thread *current;
  char *stacks; // of them all, a guard page below each; NULL until the first launch
  assay_fiber scheduler;
  int waiting, ended; // threads at a barrier, and those at their end
  bool faulted;
  bool starved; // the fault is that this process has no memory left, and none of the kernel's
  char fault[512];
  assay_races races;
} assay_simulator;

// The simulator whose view compiled code has been given.
assay_simulator *assay_simulator_of(assay_view *view);

static inline const assay_site *assay_sim_site(const assay_simulator *simulator, uint32_t site) {
  return &simulator->sites[site];
}

// Ends the launch with a message about the thread that runs, and where; does not return.
_Noreturn ASSAY_PRINTF(3, 4) void assay_sim_fault(assay_simulator *simulator, uint32_t site,
                                                  const char *format, ...);
// The same where this process has no memory for so many bytes of what it is for: "the traces of
// 64 KiB of memory".
_Noreturn void assay_sim_starve(assay_simulator *simulator, uint32_t site, uint64_t bytes,
                                const char *what);
// The same about any thread, from the scheduler: returns. site: ASSAY_SIM_NOWHERE where it is
// unknown.
#define ASSAY_SIM_NOWHERE UINT32_MAX
ASSAY_PRINTF(4, 5)
void assay_sim_report(assay_simulator *simulator, const assay_sim_thread *thread, uint32_t site,
                      const char *format, ...);

// The address in this process of what the thread that runs is to access; does not return where that
// is a fault.
char *assay_sim_checked(assay_view *view, char *address, uint64_t size, uint32_t align,
                        assay_access access, uint32_t site);

// Leaves the thread that runs, for it to wait in that state.
void assay_sim_wait_in(assay_simulator *simulator, assay_state state, uint32_t site);

// A random number below the bound, which is not 0.
uint32_t assay_sim_random(assay_simulator *simulator, uint32_t bound);

// The methods of assay_gpu_methods.
ASSAY_MUST_USE assay_code assay_sim_load(assay_gpu *gpu, const void *bytes, size_t size,
                                         assay_gpu_module **out_module, assay_error *err);
void assay_sim_unload(assay_gpu_module *module);
ASSAY_MUST_USE assay_code assay_sim_find(assay_gpu_module *module, const char *name,
                                         assay_gpu_function **out_function, assay_error *err);
ASSAY_MUST_USE assay_code assay_sim_launch(assay_gpu *gpu, const assay_gpu_launch *launch,
                                           assay_error *err);

// Runs the grid as below, and makes a fault of it where a thread runs out of stack.
// ASSAY_UNSUPPORTED where there is no memory to watch for that.
ASSAY_MUST_USE assay_code assay_sim_run_guarded(assay_simulator *simulator, const int64_t grid[3],
                                                assay_error *err);
// Runs the blocks of the grid; faulted tells how it ended.
void assay_sim_run_grid(assay_simulator *simulator, const int64_t grid[3]);
// Runs one block whose threads wait for each other.
void assay_sim_run_block(assay_simulator *simulator);
// What keeps all threads of the block from going on, as a fault.
void assay_sim_explain(assay_simulator *simulator);

// "(1,0,0)" of the thread.
typedef struct assay_sim_name {
  char text[48];
} assay_sim_name;
assay_sim_name assay_sim_thread_name(const assay_sim_thread *thread);

#endif
