// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/simulator.h"

#include "gpu/simulator/entries.h"
#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

// Compute capabilities of the CUDA C programming guide.
enum { MAX_BLOCK_Z = 64, MAX_GRID_YZ = 65535, MAX_SYMBOLS = 256 };

const char *assay_schedule_name(assay_schedule schedule) {
  static const char *const names[] = {"sequential", "reverse", "random", "depth-first"};
  return names[schedule];
}

static assay_simulator *simulator_of(assay_gpu *gpu) {
  return (assay_simulator *)(void *)gpu; // its first member
}

// Code.

// The variables of the module in device memory, with what they hold at first.
static void place_data(assay_simulator *simulator, const assay_gpu_module *module) {
  for (uint64_t i = 0; i < module->code->data_count; i++) {
    const assay_data_record *data = &module->code->data[i];
    uint64_t start = module->data + data->offset;
    memcpy(simulator->memory.bytes + start, data->initial, data->size);
    assay_memory_add(&simulator->memory, &(assay_record){.start = start,
                                                         .size = data->size,
                                                         .constant = data->constant != 0,
                                                         .name = data->name});
  }
}

static assay_code link_module(assay_simulator *simulator, const void *object, size_t size,
                              assay_gpu_module *module, assay_error *err) {
  assay_image_symbol symbols[MAX_SYMBOLS] = {
      {"assay_view", (uintptr_t)&simulator->view},
      {"assay_shared", (uintptr_t)simulator->shared},
      {"assay_data", (uintptr_t)(ASSAY_MEMORY_BASE + module->data)}};
  size_t count = 3;
  for (const assay_simulator_entry *entry = assay_simulator_entries(); entry->name != NULL;
       entry++) {
    if (count == MAX_SYMBOLS)
      abort(); // the table has outgrown this array
    symbols[count++] = (assay_image_symbol){entry->name, (uintptr_t)entry->address};
  }
  TRY(assay_image_link_to(object, size, count, symbols, &module->image, err));
  void *table;
  TRY(assay_image_find(module->image, ASSAY_CODE_SYMBOL, &table, err));
  module->code = table;
  module->functions = calloc(module->code->kernel_count + 1, sizeof *module->functions);
  if (module->functions == NULL)
    abort();
  for (uint64_t i = 0; i < module->code->kernel_count; i++)
    module->functions[i] =
        (assay_gpu_function){.module = module, .kernel = &module->code->kernels[i]};
  return ASSAY_OK;
}

static void destroy_module(assay_gpu_module *module) {
  for (uint64_t i = 0; module->code != NULL && i < module->code->data_count; i++)
    (void)assay_memory_release(&module->simulator->memory,
                               module->data + module->code->data[i].offset);
  assay_image_unlink(module->image);
  free(module->functions);
  free(module);
}

static assay_code load(assay_gpu *gpu, const void *bytes, size_t size,
                       assay_gpu_module **out_module, assay_error *err) {
  assay_simulator *simulator = simulator_of(gpu);
  assay_code_header header;
  if (size < sizeof header || memcmp(bytes, ASSAY_CODE_MAGIC, sizeof header.magic) != 0)
    return assay_fail(err, ASSAY_FAILED, "what is to be loaded is no code for the simulator");
  memcpy(&header, bytes, sizeof header);
  uint64_t data;
  TRY(assay_memory_take_bare(&simulator->memory, header.data_bytes, &data, err));
  assay_gpu_module *module = calloc(1, sizeof *module);
  if (module == NULL)
    abort();
  *module = (assay_gpu_module){.simulator = simulator, .data = data};
  assay_code code = link_module(simulator, (const char *)bytes + sizeof header,
                                size - sizeof header, module, err);
  if (code != ASSAY_OK) {
    module->code = NULL;
    destroy_module(module);
    return code;
  }
  place_data(simulator, module);
  module->next = simulator->modules;
  simulator->modules = module;
  *out_module = module;
  return ASSAY_OK;
}

static void unload(assay_gpu_module *module) {
  if (module == NULL)
    return;
  assay_gpu_module **at = &module->simulator->modules;
  while (*at != module)
    at = &(*at)->next;
  *at = module->next;
  destroy_module(module);
}

static assay_code find(assay_gpu_module *module, const char *name,
                       assay_gpu_function **out_function, assay_error *err) {
  for (uint64_t i = 0; i < module->code->kernel_count; i++)
    if (strcmp(module->functions[i].kernel->name, name) == 0) {
      *out_function = &module->functions[i];
      return ASSAY_OK;
    }
  return assay_fail(err, ASSAY_MISSING, "the module has no kernel %s", name);
}

// Memory.

static assay_code alloc(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                        assay_error *err) {
  if (bytes <= 0)
    return assay_fail(err, ASSAY_INVALID, "alloc: %" PRId64 " bytes", bytes);
  uint64_t start;
  TRY(assay_memory_take(&simulator_of(gpu)->memory, (uint64_t)bytes, &start, err));
  *out_address = ASSAY_MEMORY_BASE + start;
  return ASSAY_OK;
}

static assay_code release(assay_gpu *gpu, assay_gpu_address address, assay_error *err) {
  if (address == 0 || assay_memory_release(&simulator_of(gpu)->memory, address - ASSAY_MEMORY_BASE))
    return ASSAY_OK;
  return assay_fail(err, ASSAY_FAILED, "release: no allocation begins at 0x%" PRIx64, address);
}

// The bytes of one allocation, in this process.
static assay_code within(assay_gpu *gpu, const char *call, assay_gpu_address address, int64_t bytes,
                         char **out_bytes, assay_error *err) {
  assay_memory *memory = &simulator_of(gpu)->memory;
  uint64_t offset = address - ASSAY_MEMORY_BASE;
  *out_bytes = memory->bytes + offset;
  if (bytes == 0)
    return ASSAY_OK;
  if (bytes > 0 && offset < memory->span &&
      assay_memory_holds(assay_memory_nearest(memory, offset), offset, (uint64_t)bytes))
    return ASSAY_OK;
  return assay_fail(err, ASSAY_FAILED,
                    "%s: %" PRId64 " bytes at 0x%" PRIx64 " are not in an allocation", call, bytes,
                    address);
}

static assay_code upload(assay_gpu *gpu, assay_gpu_address target, const void *source,
                         int64_t bytes, assay_error *err) {
  char *to;
  TRY(within(gpu, "upload", target, bytes, &to, err));
  if (bytes > 0)
    memcpy(to, source, (size_t)bytes);
  return ASSAY_OK;
}

static assay_code download(assay_gpu *gpu, void *target, assay_gpu_address source, int64_t bytes,
                           assay_error *err) {
  char *from;
  TRY(within(gpu, "download", source, bytes, &from, err));
  if (bytes > 0)
    memcpy(target, from, (size_t)bytes);
  return ASSAY_OK;
}

static assay_code copy(assay_gpu *gpu, assay_gpu_address target, assay_gpu_address source,
                       int64_t bytes, assay_error *err) {
  char *from, *to;
  TRY(within(gpu, "copy", source, bytes, &from, err));
  TRY(within(gpu, "copy", target, bytes, &to, err));
  if (bytes > 0)
    memmove(to, from, (size_t)bytes);
  return ASSAY_OK;
}

static assay_code fill(assay_gpu *gpu, assay_gpu_address target, uint32_t value, int width,
                       int64_t count, assay_error *err) {
  char *to;
  if ((width != 1 && width != 2 && width != 4) || count < 0 || count > INT64_MAX / width)
    return assay_fail(err, ASSAY_INVALID, "fill: %" PRId64 " times %d bytes", count, width);
  TRY(within(gpu, "fill", target, count * width, &to, err));
  for (int64_t i = 0; i < count; i++)
    for (int byte = 0; byte < width; byte++)
      to[i * width + byte] = (char)(value >> (byte * 8));
  return ASSAY_OK;
}

// Launches.

// A stack for each thread, and below it a page that faults. Made at the first launch.
static assay_code make_stacks(assay_simulator *simulator, assay_error *err) {
  if (simulator->stacks != NULL)
    return ASSAY_OK;
  size_t step = ASSAY_SIM_STACK + ASSAY_SIM_GUARD;
  char *stacks = mmap(NULL, step * ASSAY_SIM_THREADS, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (stacks == MAP_FAILED)
    return assay_fail(err, ASSAY_FAILED, "launch: no memory for the stacks of %d threads",
                      ASSAY_SIM_THREADS);
  simulator->stacks = stacks;
  for (size_t i = 0; i < ASSAY_SIM_THREADS; i++)
    if (mprotect(stacks + i * step, ASSAY_SIM_GUARD, PROT_NONE) != 0)
      return assay_fail(err, ASSAY_FAILED, "launch: no guards for the stacks of %d threads",
                        ASSAY_SIM_THREADS);
  return ASSAY_OK;
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

// What compiled code reads. Where races are looked for, nothing passes unasked.
static void set_view(assay_simulator *simulator, const assay_gpu_launch *launch) {
  assay_view *view = &simulator->view;
  bool races = simulator->simulation.races;
  simulator->shared_size = launch->function->kernel->shared + (uint64_t)launch->shared;
  for (int i = 0; i < 3; i++) {
    view->grid[i] = (int32_t)launch->grid[i];
    view->block[i] = (int32_t)launch->block[i];
  }
  view->memory_end = simulator->memory.span;
  for (int i = 0; i < ASSAY_SHARED_WIDTHS; i++) {
    uint64_t width = UINT64_C(1) << i;
    view->shared_end[i] =
        races || simulator->shared_size < width ? 0 : simulator->shared_size - width + 1;
  }
}

static assay_code launch(assay_gpu *gpu, const assay_gpu_launch *launch, assay_error *err) {
  assay_simulator *simulator = simulator_of(gpu);
  TRY(check_launch(launch, err));
  TRY(make_stacks(simulator, err));
  simulator->function = launch->function;
  simulator->parameters = launch->parameters;
  simulator->faulted = false;
  simulator->random = simulator->simulation.seed * 2 + UINT64_C(88172645463325253);
  number_threads(simulator, launch->block);
  set_view(simulator, launch);
  assay_sim_run_grid(simulator, launch->grid);
  if (simulator->faulted)
    return assay_fail(err, ASSAY_FAILED, "%s", simulator->fault);
  return ASSAY_OK;
}

static assay_code synchronize(assay_gpu *gpu, assay_error *err) {
  (void)gpu; // every call is done when it returns
  (void)err;
  return ASSAY_OK;
}

static void close_simulator(assay_gpu *gpu) {
  if (gpu == NULL)
    return;
  assay_simulator *simulator = simulator_of(gpu);
  while (simulator->modules != NULL)
    unload(simulator->modules);
  if (simulator->stacks != NULL)
    munmap(simulator->stacks, (size_t)(ASSAY_SIM_STACK + ASSAY_SIM_GUARD) * ASSAY_SIM_THREADS);
  for (int i = 0; i < ASSAY_SIM_THREADS; i++)
    free(simulator->threads[i].copies);
  assay_memory_close(&simulator->memory);
  assay_races_close(&simulator->races);
  free(simulator->shared);
  free(simulator->threads);
  free(simulator);
}

static const assay_gpu_methods methods = {.load = load,
                                          .unload = unload,
                                          .find = find,
                                          .alloc = alloc,
                                          .release = release,
                                          .upload = upload,
                                          .download = download,
                                          .copy = copy,
                                          .fill = fill,
                                          .launch = launch,
                                          .synchronize = synchronize,
                                          .close = close_simulator};

assay_code assay_simulator_open(int64_t memory, assay_gpu **out_gpu, assay_error *err) {
  assay_target *target; // makes LLVM know this processor, which linking needs
  TRY(assay_target_create(NULL, &target, err));
  assay_target_destroy(target);
  assay_simulator *simulator = calloc(1, sizeof *simulator);
  if (simulator == NULL)
    abort();
  assay_code code = assay_memory_open(&simulator->memory, memory, err);
  if (code != ASSAY_OK) {
    free(simulator);
    return code;
  }
  simulator->gpu.methods = &methods;
  simulator->threads = calloc(ASSAY_SIM_THREADS, sizeof *simulator->threads);
  simulator->shared = aligned_alloc(256, ASSAY_SIM_SHARED);
  if (simulator->threads == NULL || simulator->shared == NULL)
    abort();
  assay_races_open(&simulator->races, ASSAY_SIM_SHARED);
  simulator->simulation = (assay_simulation){.races = true};
  simulator->view = (assay_view){.memory_base = ASSAY_MEMORY_BASE,
                                 .memory = simulator->memory.bytes,
                                 .shadow = simulator->memory.shadow,
                                 .memory_end = simulator->memory.span};
  *out_gpu = &simulator->gpu;
  return ASSAY_OK;
}

void assay_simulator_set(assay_gpu *gpu, assay_simulation simulation) {
  simulator_of(gpu)->simulation = simulation;
}
