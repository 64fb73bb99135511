// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Device memory and what travels to and from it.
#include "gpu/driver/device.h"

#include <stdlib.h>
#include <string.h>

#define STAGING_BYTES ((size_t)4 << 20)

// Room in the list first: an allocation must not succeed and be forgotten.
static assay_device_memory *new_entry(assay_device *device) {
  if (device->memory_count == device->memory_capacity) {
    size_t capacity = 2 * device->memory_capacity + 16;
    assay_device_memory *grown = realloc(device->memory, capacity * sizeof *grown);
    if (grown == NULL)
      abort();
    device->memory = grown;
    device->memory_capacity = capacity;
  }
  return &device->memory[device->memory_count];
}

assay_code assay_device_alloc(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                              assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  if (bytes < 0)
    return assay_fail(err, ASSAY_FAILED, "%lld bytes of device memory asked for", (long long)bytes);
  assay_device_memory *entry = new_entry(device);
  size_t size = bytes > 0 ? (size_t)bytes : 1; // the driver refuses nothing
  TRY(device->pools
          ? CUDA_ALLOC(device, alloc_async, (&entry->address, size, device->stream), bytes, err)
          : CUDA_ALLOC(device, alloc, (&entry->address, size), bytes, err));
  entry->bytes = bytes;
  device->memory_count++;
  *out_address = entry->address;
  return ASSAY_OK;
}

static assay_code give_back(assay_device *device, cuda_pointer address, assay_error *err) {
  return device->pools ? CUDA_CALL(device, release_async, (address, device->stream), err)
                       : CUDA_CALL(device, release, (address), err);
}

assay_code assay_device_release(assay_gpu *gpu, assay_gpu_address address, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  if (address == 0)
    return ASSAY_OK;
  size_t at = device->memory_count; // the newest go first
  while (at > 0 && device->memory[at - 1].address != address)
    at--;
  if (at == 0)
    return assay_fail(err, ASSAY_FAILED, "release of 0x%llx, which is not allocated",
                      (unsigned long long)address);
  // Work that still uses the memory comes before on the stream; cuMemFree waits for it.
  device->memory[at - 1] = device->memory[--device->memory_count];
  return give_back(device, address, err);
}

void assay_device_release_all(assay_device *device) {
  assay_error ignored;
  for (size_t i = 0; i < device->memory_count; i++)
    (void)!give_back(device, device->memory[i].address, &ignored);
  device->memory_count = 0;
  for (int i = 0; i < ASSAY_STAGING_BUFFERS; i++) {
    assay_staging *staging = &device->staging[i];
    if (staging->done != NULL)
      device->cuda.event_destroy(staging->done);
    if (staging->bytes != NULL)
      device->cuda.host_release(staging->bytes);
    *staging = (assay_staging){.bytes = NULL};
  }
}

static assay_code wait_for(assay_device *device, assay_staging *staging, assay_error *err) {
  if (!staging->busy)
    return ASSAY_OK;
  TRY(CUDA_CALL(device, event_synchronize, (staging->done), err));
  staging->busy = false;
  return ASSAY_OK;
}

// The next buffer in turn, made where it is new, once the copy that used it is over.
static assay_code take_staging(assay_device *device, assay_staging **out_staging,
                               assay_error *err) {
  assay_staging *staging = &device->staging[device->next_staging];
  if (staging->done == NULL)
    TRY(CUDA_CALL(device, event_create, (&staging->done, CUDA_EVENT_DISABLE_TIMING), err));
  if (staging->bytes == NULL)
    TRY(CUDA_ALLOC(device, host_alloc, (&staging->bytes, STAGING_BYTES), (int64_t)STAGING_BYTES,
                   err));
  TRY(wait_for(device, staging, err));
  device->next_staging = (device->next_staging + 1) % ASSAY_STAGING_BUFFERS;
  *out_staging = staging;
  return ASSAY_OK;
}

static assay_code mark_busy(assay_device *device, assay_staging *staging, assay_error *err) {
  TRY(CUDA_CALL(device, event_record, (staging->done, device->stream), err));
  staging->busy = true;
  return ASSAY_OK;
}

static size_t piece_of(int64_t bytes) {
  return (uint64_t)bytes < STAGING_BYTES ? (size_t)bytes : STAGING_BYTES;
}

assay_code assay_device_upload(assay_gpu *gpu, assay_gpu_address target, const void *source,
                               int64_t bytes, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  const char *from = source;
  while (bytes > 0) {
    assay_staging *staging;
    size_t piece = piece_of(bytes);
    TRY(take_staging(device, &staging, err));
    memcpy(staging->bytes, from, piece);
    TRY(CUDA_CALL(device, upload, (target, staging->bytes, piece, device->stream), err));
    TRY(mark_busy(device, staging, err));
    from += piece;
    target += piece;
    bytes -= (int64_t)piece;
  }
  return ASSAY_OK;
}

// A piece under way from the device.
typedef struct arrival {
  assay_staging *staging; // NULL: none
  char *target;
  size_t bytes;
} arrival;

static assay_code receive(assay_device *device, const arrival *piece, assay_error *err) {
  if (piece->staging == NULL)
    return ASSAY_OK;
  TRY(wait_for(device, piece->staging, err));
  memcpy(piece->target, piece->staging->bytes, piece->bytes);
  return ASSAY_OK;
}

// While one piece travels, the host copies the one before.
assay_code assay_device_download(assay_gpu *gpu, void *target, assay_gpu_address source,
                                 int64_t bytes, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  arrival before = {.staging = NULL};
  char *to = target;
  while (bytes > 0) {
    arrival piece = {.target = to, .bytes = piece_of(bytes)};
    TRY(take_staging(device, &piece.staging, err));
    TRY(CUDA_CALL(device, download, (piece.staging->bytes, source, piece.bytes, device->stream),
                  err));
    TRY(mark_busy(device, piece.staging, err));
    TRY(receive(device, &before, err));
    before = piece;
    to += piece.bytes;
    source += piece.bytes;
    bytes -= (int64_t)piece.bytes;
  }
  if (before.staging == NULL) // nothing to copy, and still a wait
    return CUDA_CALL(device, stream_synchronize, (device->stream), err);
  return receive(device, &before, err);
}

assay_code assay_device_copy(assay_gpu *gpu, assay_gpu_address target, assay_gpu_address source,
                             int64_t bytes, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  if (bytes <= 0)
    return ASSAY_OK;
  return CUDA_CALL(device, copy, (target, source, (size_t)bytes, device->stream), err);
}

assay_code assay_device_fill(assay_gpu *gpu, assay_gpu_address target, uint32_t value, int width,
                             int64_t count, assay_error *err) {
  assay_device *device = (assay_device *)gpu;
  TRY(assay_device_enter(device, err));
  if (count <= 0)
    return ASSAY_OK;
  size_t times = (size_t)count;
  switch (width) {
  case 1:
    return CUDA_CALL(device, fill8, (target, (unsigned char)value, times, device->stream), err);
  case 2:
    return CUDA_CALL(device, fill16, (target, (unsigned short)value, times, device->stream), err);
  case 4:
    return CUDA_CALL(device, fill32, (target, value, times, device->stream), err);
  default:
    return assay_fail(err, ASSAY_FAILED, "fill of elements of %d bytes, expected 1, 2 or 4", width);
  }
}
