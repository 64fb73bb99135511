// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's calls of memory.
#include "gpu/driver/fake/calls.h"

#include <stdlib.h>
#include <string.h>

cuda_result cuMemGetInfo_v2(size_t *free_bytes, size_t *total) {
  ENTER("cuMemGetInfo", FAKE_NEEDS_CONTEXT);
  const fake_state *state = fake_get();
  *free_bytes = (size_t)(state->machine.memory - state->used);
  *total = (size_t)state->machine.memory;
  return CUDA_SUCCESS;
}

cuda_result cuDeviceGetDefaultMemPool(cuda_pool **pool, cuda_device device) {
  ENTER("cuDeviceGetDefaultMemPool", FAKE_NEEDS_INIT);
  (void)device;
  *pool = (cuda_pool *)fake_get()->context;
  return fake_get()->machine.pools ? CUDA_SUCCESS : CUDA_NOT_SUPPORTED;
}

cuda_result cuMemPoolSetAttribute(cuda_pool *pool, int attribute, void *value) {
  ENTER("cuMemPoolSetAttribute", FAKE_NEEDS_INIT);
  fake_object *object;
  FIND(object, pool, FAKE_CONTEXT, "cuMemPoolSetAttribute");
  return attribute == CUDA_POOL_RELEASE_THRESHOLD && value != NULL ? CUDA_SUCCESS
                                                                   : CUDA_INVALID_VALUE;
}

static cuda_result take_memory(cuda_pointer *pointer, size_t bytes) {
  fake_state *state = fake_get();
  assay_error err;
  if (bytes == 0)
    return CUDA_INVALID_VALUE;
  if ((int64_t)bytes > state->machine.memory - state->used)
    return CUDA_OUT_OF_MEMORY;
  uint64_t address = 0;
  if (state->gpu != NULL) {
    if (state->gpu->methods->alloc(state->gpu, (int64_t)bytes, &address, &err) != ASSAY_OK)
      return CUDA_OUT_OF_MEMORY;
  } else {
    void *block = malloc(bytes);
    if (block == NULL)
      return CUDA_OUT_OF_MEMORY;
    memset(block, 0xA5, bytes); // new memory holds anything
    address = (uint64_t)(uintptr_t)block;
  }
  fake_object *memory = fake_add(FAKE_MEMORY);
  memory->address = address;
  memory->bytes = bytes;
  state->used += (int64_t)bytes;
  *pointer = address;
  return CUDA_SUCCESS;
}

cuda_result cuMemAlloc_v2(cuda_pointer *pointer, size_t bytes) {
  ENTER("cuMemAlloc", FAKE_NEEDS_CONTEXT);
  return take_memory(pointer, bytes);
}

cuda_result cuMemAllocAsync(cuda_pointer *pointer, size_t bytes, cuda_stream *stream) {
  ENTER("cuMemAllocAsync", FAKE_NEEDS_CONTEXT);
  fake_object *on;
  FIND(on, stream, FAKE_STREAM, "cuMemAllocAsync");
  return fake_get()->machine.pools ? take_memory(pointer, bytes) : CUDA_NOT_SUPPORTED;
}

static fake_object *find_start(cuda_pointer pointer, const char *call) {
  fake_object *memory = fake_memory_find(pointer, 0, call);
  if (memory != NULL && memory->address != pointer) {
    fake_misuse("%s: not the start of an allocation", call);
    return NULL;
  }
  return memory;
}

cuda_result cuMemFree_v2(cuda_pointer pointer) {
  cuda_result result = fake_enter("cuMemFree", FAKE_NEEDS_CONTEXT);
  fake_object *memory = find_start(pointer, "cuMemFree");
  if (memory == NULL)
    return CUDA_INVALID_VALUE;
  fake_wait(NULL); // it waits for the device
  fake_memory_drop(memory);
  return result;
}

static cuda_result run_release(fake_work *work) {
  fake_memory_drop(work->object);
  return CUDA_SUCCESS;
}

cuda_result cuMemFreeAsync(cuda_pointer pointer, cuda_stream *stream) {
  cuda_result result = fake_enter("cuMemFreeAsync", FAKE_NEEDS_CONTEXT);
  fake_object *on, *memory = find_start(pointer, "cuMemFreeAsync");
  if (memory == NULL)
    return CUDA_INVALID_VALUE;
  FIND(on, stream, FAKE_STREAM, "cuMemFreeAsync");
  memory->released = true;
  fake_enqueue(&(fake_work){.run = run_release, .object = memory});
  if (fake_get()->dead != CUDA_SUCCESS)
    fake_wait(NULL);
  return result;
}

cuda_result cuMemAllocHost_v2(void **pointer, size_t bytes) {
  ENTER("cuMemAllocHost", FAKE_NEEDS_CONTEXT);
  void *block = bytes > 0 ? malloc(bytes) : NULL;
  if (block == NULL)
    return bytes > 0 ? CUDA_OUT_OF_MEMORY : CUDA_INVALID_VALUE;
  fake_object *memory = fake_add(FAKE_HOST_MEMORY);
  memory->address = (uint64_t)(uintptr_t)block;
  memory->bytes = bytes;
  *pointer = block;
  return CUDA_SUCCESS;
}

// The pinned memory that holds the range; NULL and a misuse where it is pageable.
static fake_object *find_pinned(const void *pointer, size_t bytes, const char *call) {
  uint64_t address = (uint64_t)(uintptr_t)pointer;
  for (fake_object *at = fake_get()->objects; at != NULL; at = at->next)
    if (at->kind == FAKE_HOST_MEMORY && at->alive && address >= at->address &&
        address - at->address <= at->bytes && bytes <= at->bytes - (address - at->address))
      return at;
  fake_misuse("%s: the host's memory is not pinned", call);
  return NULL;
}

cuda_result cuMemFreeHost(void *pointer) {
  cuda_result result = fake_enter("cuMemFreeHost", FAKE_NEEDS_CONTEXT);
  fake_object *memory = find_pinned(pointer, 0, "cuMemFreeHost");
  if (memory == NULL || memory->address != (uint64_t)(uintptr_t)pointer)
    return CUDA_INVALID_VALUE;
  if (fake_is_queued(memory))
    fake_misuse("cuMemFreeHost: a copy is under way");
  fake_wait(NULL);
  memory->alive = false;
  free(pointer);
  return result;
}

// Both ends of a copy are checked when it is asked for: it is done in the order of the stream.
static cuda_result run_upload(fake_work *work) {
  return fake_write(work->target, (const void *)(uintptr_t)work->source, work->bytes);
}

cuda_result cuMemcpyHtoDAsync_v2(cuda_pointer target, const void *source, size_t bytes,
                                 cuda_stream *stream) {
  ENTER("cuMemcpyHtoDAsync", FAKE_NEEDS_CONTEXT);
  fake_object *on, *from = find_pinned(source, bytes, "cuMemcpyHtoDAsync");
  FIND(on, stream, FAKE_STREAM, "cuMemcpyHtoDAsync");
  if (from == NULL || fake_memory_find(target, bytes, "cuMemcpyHtoDAsync") == NULL)
    return CUDA_INVALID_VALUE;
  fake_enqueue(&(fake_work){.run = run_upload,
                            .object = from,
                            .target = target,
                            .source = (uint64_t)(uintptr_t)source,
                            .bytes = bytes});
  return CUDA_SUCCESS;
}

static cuda_result run_download(fake_work *work) {
  return fake_read((void *)(uintptr_t)work->target, work->source, work->bytes);
}

cuda_result cuMemcpyDtoHAsync_v2(void *target, cuda_pointer source, size_t bytes,
                                 cuda_stream *stream) {
  ENTER("cuMemcpyDtoHAsync", FAKE_NEEDS_CONTEXT);
  fake_object *on, *to = find_pinned(target, bytes, "cuMemcpyDtoHAsync");
  FIND(on, stream, FAKE_STREAM, "cuMemcpyDtoHAsync");
  if (to == NULL || fake_memory_find(source, bytes, "cuMemcpyDtoHAsync") == NULL)
    return CUDA_INVALID_VALUE;
  fake_enqueue(&(fake_work){.run = run_download,
                            .object = to,
                            .target = (uint64_t)(uintptr_t)target,
                            .source = source,
                            .bytes = bytes});
  return CUDA_SUCCESS;
}

static cuda_result run_copy(fake_work *work) {
  void *between = malloc(work->bytes);
  if (between == NULL)
    abort();
  cuda_result result = fake_read(between, work->source, work->bytes);
  if (result == CUDA_SUCCESS)
    result = fake_write(work->target, between, work->bytes);
  free(between);
  return result;
}

cuda_result cuMemcpyDtoDAsync_v2(cuda_pointer target, cuda_pointer source, size_t bytes,
                                 cuda_stream *stream) {
  ENTER("cuMemcpyDtoDAsync", FAKE_NEEDS_CONTEXT);
  fake_object *on;
  FIND(on, stream, FAKE_STREAM, "cuMemcpyDtoDAsync");
  if (fake_memory_find(target, bytes, "cuMemcpyDtoDAsync") == NULL ||
      fake_memory_find(source, bytes, "cuMemcpyDtoDAsync") == NULL)
    return CUDA_INVALID_VALUE;
  fake_enqueue(&(fake_work){.run = run_copy, .target = target, .source = source, .bytes = bytes});
  return CUDA_SUCCESS;
}

static cuda_result run_fill(fake_work *work) {
  unsigned char *all = malloc(work->bytes);
  if (all == NULL)
    abort();
  for (size_t i = 0; i < work->bytes; i++) // little-endian, as the device is
    all[i] = (unsigned char)(work->value >> (8 * (i % (size_t)work->width)));
  cuda_result result = fake_write(work->target, all, work->bytes);
  free(all);
  return result;
}

static cuda_result fill(const char *call, const fake_work *work, cuda_stream *stream) {
  ENTER(call, FAKE_NEEDS_CONTEXT);
  fake_object *on;
  FIND(on, stream, FAKE_STREAM, call);
  if (work->target % (uint64_t)work->width != 0 ||
      fake_memory_find(work->target, work->bytes, call) == NULL)
    return CUDA_INVALID_VALUE;
  fake_enqueue(work);
  return CUDA_SUCCESS;
}

cuda_result cuMemsetD8Async(cuda_pointer target, unsigned char value, size_t count,
                            cuda_stream *stream) {
  return fill(
      "cuMemsetD8Async",
      &(fake_work){.run = run_fill, .target = target, .value = value, .width = 1, .bytes = count},
      stream);
}

cuda_result cuMemsetD16Async(cuda_pointer target, unsigned short value, size_t count,
                             cuda_stream *stream) {
  return fill(
      "cuMemsetD16Async",
      &(fake_work){
          .run = run_fill, .target = target, .value = value, .width = 2, .bytes = 2 * count},
      stream);
}

cuda_result cuMemsetD32Async(cuda_pointer target, unsigned value, size_t count,
                             cuda_stream *stream) {
  return fill(
      "cuMemsetD32Async",
      &(fake_work){
          .run = run_fill, .target = target, .value = value, .width = 4, .bytes = 4 * count},
      stream);
}
