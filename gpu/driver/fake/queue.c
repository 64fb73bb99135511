// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/fake/state.h"

#include <stdlib.h>
#include <string.h>

void fake_enqueue(const fake_work *work) {
  fake_state *state = fake_get();
  fake_work *copy = malloc(sizeof *copy);
  if (copy == NULL)
    abort();
  *copy = *work;
  copy->next = NULL;
  if (state->first == NULL)
    state->first = copy;
  else
    state->last->next = copy;
  state->last = copy;
}

cuda_result fake_wait(const fake_object *event) {
  fake_state *state = fake_get();
  while (state->first != NULL && (event == NULL || !event->done)) {
    fake_work *work = state->first;
    state->first = work->next;
    state->clock += 0.5;
    // A dead device does nothing more, but give up what it holds.
    cuda_result result = work->run(work);
    if (result != CUDA_SUCCESS && state->dead == CUDA_SUCCESS)
      state->dead = result;
    free(work->data);
    free(work);
  }
  return state->dead;
}

bool fake_is_queued(const fake_object *object) {
  for (const fake_work *at = fake_get()->first; at != NULL; at = at->next)
    if (at->object == object || (at->object != NULL && at->object->module == object))
      return true;
  return false;
}

// As one of CUDA's codes.
static cuda_result of_gpu(assay_code code) {
  return code == ASSAY_OK ? CUDA_SUCCESS : CUDA_LAUNCH_FAILED;
}

cuda_result fake_read(void *target, uint64_t source, size_t bytes) {
  assay_gpu *gpu = fake_get()->gpu;
  assay_error err;
  if (gpu != NULL)
    return of_gpu(gpu->methods->download(gpu, target, source, (int64_t)bytes, &err));
  memcpy(target, (const void *)(uintptr_t)source, bytes);
  return CUDA_SUCCESS;
}

cuda_result fake_write(uint64_t target, const void *source, size_t bytes) {
  assay_gpu *gpu = fake_get()->gpu;
  assay_error err;
  if (gpu != NULL)
    return of_gpu(gpu->methods->upload(gpu, target, source, (int64_t)bytes, &err));
  memcpy((void *)(uintptr_t)target, source, bytes);
  return CUDA_SUCCESS;
}

void fake_memory_drop(fake_object *memory) {
  fake_state *state = fake_get();
  assay_error err;
  if (state->gpu != NULL)
    (void)!state->gpu->methods->release(state->gpu, memory->address, &err);
  else
    free((void *)(uintptr_t)memory->address);
  memory->address = 0;
  memory->alive = false;
  state->used -= (int64_t)memory->bytes;
}
