// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/runtime/state.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
  FENCE = 256, // bytes on either side; a multiple of the alignment of device memory
  FENCE_BYTE = 0xa5,
  POISON = 0xff, // NaN in every float format, -1 in every integer one
};

struct assay_gpu_allocation {
  assay_gpu_allocation *next;
  assay_gpu_address address; // the program's
  int64_t bytes;
  bool lent; // to the caller, as an argument
};

static bool is_fenced(const assay_gpu_runtime *runtime) {
  return runtime->guarded && !runtime->gpu->methods->watches;
}

static assay_code guard(const assay_gpu_runtime *runtime, const assay_gpu_allocation *it,
                        assay_error *err) {
  assay_gpu *gpu = runtime->gpu;
  if (!runtime->guarded)
    return ASSAY_OK;
  TRY(gpu->methods->fill(gpu, it->address, POISON, 1, it->bytes, err));
  if (!is_fenced(runtime))
    return ASSAY_OK;
  TRY(gpu->methods->fill(gpu, it->address - FENCE, FENCE_BYTE, 1, FENCE, err));
  return gpu->methods->fill(gpu, it->address + (uint64_t)it->bytes, FENCE_BYTE, 1, FENCE, err);
}

static assay_code take_new(assay_gpu_runtime *runtime, int64_t bytes,
                           assay_gpu_allocation **out_allocation, assay_error *err) {
  int64_t fence = is_fenced(runtime) ? FENCE : 0;
  assay_gpu_address address;
  TRY(runtime->gpu->methods->alloc(runtime->gpu, bytes + 2 * fence, &address, err));
  assay_gpu_allocation *it = malloc(sizeof *it);
  if (it == NULL)
    abort();
  *it = (assay_gpu_allocation){.address = address + (uint64_t)fence, .bytes = bytes};
  it->next = runtime->live;
  runtime->live = it;
  *out_allocation = it;
  return guard(runtime, it, err);
}

// Runs ask for the same sizes again and again, and asking the driver takes longer than a small
// kernel does.
static assay_gpu_allocation *take_idle(assay_gpu_runtime *runtime, int64_t bytes) {
  assay_gpu_allocation **link = &runtime->idle;
  while (*link != NULL && (*link)->bytes != bytes)
    link = &(*link)->next;
  assay_gpu_allocation *it = *link;
  if (it == NULL)
    return NULL;
  *link = it->next;
  it->next = runtime->live;
  runtime->live = it;
  return it;
}

assay_code assay_gpu_runtime_take(assay_gpu_runtime *runtime, int64_t bytes,
                                  assay_gpu_address *out_address, assay_error *err) {
  assay_gpu_allocation *it = NULL;
  TRY(take_new(runtime, bytes, &it, err));
  it->lent = true;
  *out_address = it->address;
  return ASSAY_OK;
}

assay_gpu_address assay_gpu_runtime_alloc(assay_gpu_runtime *runtime, int64_t bytes) {
  if (runtime->code != ASSAY_OK)
    return 0;
  assay_gpu_allocation *it = take_idle(runtime, bytes);
  assay_error err;
  if (it == NULL && !assay_gpu_runtime_note(runtime, take_new(runtime, bytes, &it, &err), &err))
    return 0;
  assay_heap *heap = &runtime->counts.heap;
  heap->allocations++;
  heap->bytes += bytes;
  heap->live += bytes;
  if (heap->live > heap->peak)
    heap->peak = heap->live;
  return it->address;
}

static assay_code check_fence(assay_gpu_runtime *runtime, assay_gpu_address fence, bool *out_intact,
                              assay_error *err) {
  unsigned char bytes[FENCE];
  TRY(runtime->gpu->methods->download(runtime->gpu, bytes, fence, FENCE, err));
  *out_intact = true;
  for (int i = 0; i < FENCE; i++)
    if (bytes[i] != FENCE_BYTE)
      *out_intact = false;
  return ASSAY_OK;
}

static assay_code check_fences(assay_gpu_runtime *runtime, const assay_gpu_allocation *it,
                               assay_error *err) {
  if (!is_fenced(runtime))
    return ASSAY_OK;
  bool before, after;
  TRY(check_fence(runtime, it->address - FENCE, &before, err));
  TRY(check_fence(runtime, it->address + (uint64_t)it->bytes, &after, err));
  if (!before || !after)
    assay_gpu_runtime_fault(
        runtime, "the program wrote %s device memory of %" PRId64 " bytes that it has %s",
        before ? "past" : "before", it->bytes, it->lent ? "as an argument" : "allocated");
  return ASSAY_OK;
}

static void give_back(assay_gpu_runtime *runtime, assay_gpu_allocation *it) {
  uint64_t fence = is_fenced(runtime) ? FENCE : 0;
  assay_error err;
  assay_code code = runtime->gpu->methods->release(runtime->gpu, it->address - fence, &err);
  assay_gpu_runtime_note(runtime, code, &err);
  free(it);
}

void assay_gpu_runtime_free(assay_gpu_runtime *runtime, assay_gpu_address address) {
  if (address == 0 || runtime->code != ASSAY_OK)
    return;
  assay_gpu_allocation **link = &runtime->live;
  while (*link != NULL && ((*link)->address != address || (*link)->lent))
    link = &(*link)->next;
  assay_gpu_allocation *it = *link;
  if (it == NULL) {
    assay_gpu_runtime_fault(runtime, "the program freed device memory that it had not allocated");
    return;
  }
  assay_error err;
  assay_gpu_runtime_note(runtime, check_fences(runtime, it, &err), &err);
  runtime->counts.heap.live -= it->bytes;
  *link = it->next;
  if (runtime->guarded) {
    give_back(runtime, it);
    return;
  }
  it->next = runtime->idle;
  runtime->idle = it;
}

bool assay_gpu_runtime_owns(const assay_gpu_runtime *runtime, assay_gpu_address address,
                            int64_t bytes) {
  for (const assay_gpu_allocation *at = runtime->live; at != NULL; at = at->next)
    if (address >= at->address && address - at->address + (uint64_t)bytes <= (uint64_t)at->bytes)
      return true;
  return false;
}

assay_code assay_gpu_runtime_check_memory(assay_gpu_runtime *runtime, assay_error *err) {
  int64_t leaked = 0;
  for (const assay_gpu_allocation *at = runtime->live; at != NULL; at = at->next) {
    TRY(check_fences(runtime, at, err));
    leaked += !at->lent;
  }
  if (leaked > 0)
    assay_gpu_runtime_fault(
        runtime, "the program did not free %" PRId64 " of its device allocations", leaked);
  return ASSAY_OK;
}

static void give_back_all(assay_gpu_runtime *runtime, assay_gpu_allocation **list) {
  while (*list != NULL) {
    assay_gpu_allocation *it = *list;
    *list = it->next;
    give_back(runtime, it);
  }
}

void assay_gpu_runtime_forget(assay_gpu_runtime *runtime) {
  assay_gpu_allocation **link = &runtime->live;
  while (*link != NULL) {
    assay_gpu_allocation *it = *link;
    if (it->lent) {
      link = &it->next;
      continue;
    }
    *link = it->next;
    give_back(runtime, it);
  }
}

void assay_gpu_runtime_release(assay_gpu_runtime *runtime) {
  give_back_all(runtime, &runtime->live);
  give_back_all(runtime, &runtime->idle);
}
