// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/simulator.h"

#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

const char *assay_schedule_name(assay_schedule schedule) {
  static const char *const names[] = {"sequential", "reverse", "random", "depth-first"};
  return names[schedule];
}

static assay_simulator *simulator_of(assay_gpu *gpu) {
  return (assay_simulator *)gpu; // its first member
}

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
  if (address == 0)
    return ASSAY_OK;
  assay_simulator *simulator = simulator_of(gpu);
  uint64_t start = address - ASSAY_MEMORY_BASE;
  const assay_record *record = assay_memory_nearest(&simulator->memory, start);
  uint64_t size = record != NULL ? record->size : 0;
  if (!assay_memory_release(&simulator->memory, start))
    return assay_fail(err, ASSAY_FAILED, "release: no allocation begins at 0x%" PRIx64, address);
  assay_races_forget(&simulator->races.device, start, size);
  return ASSAY_OK;
}

// The bytes of one allocation, in this process.
static assay_code within(assay_gpu *gpu, const char *call, assay_gpu_address address, int64_t bytes,
                         char **out_bytes, assay_error *err) {
  assay_memory *memory = &simulator_of(gpu)->memory;
  uint64_t offset = address - ASSAY_MEMORY_BASE;
  *out_bytes = memory->bytes; // of no bytes any address will do
  if (bytes == 0)
    return ASSAY_OK;
  if (bytes > 0 && offset < memory->span &&
      assay_memory_holds(assay_memory_nearest(memory, offset), offset, (uint64_t)bytes)) {
    *out_bytes = memory->bytes + offset;
    return ASSAY_OK;
  }
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
    assay_sim_unload(simulator->modules);
  if (simulator->stacks != NULL)
    munmap(simulator->stacks, (size_t)(ASSAY_SIM_STACK + ASSAY_SIM_GUARD) * ASSAY_SIM_THREADS);
  for (int i = 0; i < ASSAY_SIM_THREADS && simulator->threads != NULL; i++)
    free(simulator->threads[i].copies);
  assay_memory_close(&simulator->memory);
  assay_races_close(&simulator->races);
  free(simulator->shared);
  free(simulator->threads);
  free(simulator);
}

static const assay_gpu_methods methods = {.load = assay_sim_load,
                                          .watches = true,
                                          .unload = assay_sim_unload,
                                          .find = assay_sim_find,
                                          .alloc = alloc,
                                          .release = release,
                                          .upload = upload,
                                          .download = download,
                                          .copy = copy,
                                          .fill = fill,
                                          .launch = assay_sim_launch,
                                          .synchronize = synchronize,
                                          .close = close_simulator};

static assay_code open_all(assay_simulator *simulator, int64_t memory, assay_error *err) {
  if (simulator->threads == NULL || simulator->shared == NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "this process has no memory for a simulator: %zu bytes asked for",
                      ASSAY_SIM_THREADS * sizeof *simulator->threads + ASSAY_SIM_SHARED);
  TRY(assay_memory_open(&simulator->memory, memory, err));
  return assay_races_open(&simulator->races, simulator->shared, ASSAY_SIM_SHARED,
                          simulator->memory.bytes, simulator->memory.span, err);
}

assay_code assay_simulator_open(int64_t memory, assay_gpu **out_gpu, assay_error *err) {
  assay_target *target; // makes LLVM know this processor, which linking needs
  TRY(assay_target_create(NULL, &target, err));
  assay_target_destroy(target);
  assay_simulator *simulator = calloc(1, sizeof *simulator);
  if (simulator == NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "this process has no memory for a simulator: %zu bytes asked for",
                      sizeof *simulator);
  simulator->gpu.methods = &methods;
  simulator->threads = calloc(ASSAY_SIM_THREADS, sizeof *simulator->threads);
  simulator->shared = aligned_alloc(256, ASSAY_SIM_SHARED);
  assay_code code = open_all(simulator, memory, err);
  if (code != ASSAY_OK) {
    close_simulator(&simulator->gpu);
    return code;
  }
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
