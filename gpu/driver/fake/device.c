// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's calls of devices, contexts, streams and events.
#include "gpu/driver/fake/calls.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

_Thread_local fake_object *fake_current;

cuda_result cuInit(unsigned flags) {
  ENTER("cuInit", FAKE_NEEDS_NOTHING);
  fake_state *state = fake_get();
  const char *visible = getenv("CUDA_VISIBLE_DEVICES");
  while (state->machine.hangs)
    pause();
  if (state->machine.crashes)
    abort();
  if (flags != 0)
    return CUDA_INVALID_VALUE;
  if (state->machine.devices == 0 || (visible != NULL && visible[0] == '\0'))
    return CUDA_NO_DEVICE;
  state->initialised = true;
  return CUDA_SUCCESS;
}

cuda_result cuDriverGetVersion(int *version) {
  ENTER("cuDriverGetVersion", FAKE_NEEDS_NOTHING);
  *version = fake_get()->machine.driver;
  return CUDA_SUCCESS;
}

static const struct {
  cuda_result result;
  const char *name, *text;
} words[] = {
    {CUDA_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
    {CUDA_OUT_OF_MEMORY, "CUDA_ERROR_OUT_OF_MEMORY", "out of memory"},
    {CUDA_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
    {CUDA_DEVICE_UNAVAILABLE, "CUDA_ERROR_DEVICE_UNAVAILABLE",
     "CUDA-capable device(s) is/are busy"},
    {CUDA_NO_DEVICE, "CUDA_ERROR_NO_DEVICE", "no CUDA-capable device is detected"},
    {CUDA_INVALID_IMAGE, "CUDA_ERROR_INVALID_IMAGE", "device kernel image is invalid"},
    {CUDA_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
    {CUDA_NO_BINARY_FOR_GPU, "CUDA_ERROR_NO_BINARY_FOR_GPU",
     "no kernel image is available for execution on the device"},
    {CUDA_ECC_UNCORRECTABLE, "CUDA_ERROR_ECC_UNCORRECTABLE", "uncorrectable ECC error encountered"},
    {CUDA_INVALID_PTX, "CUDA_ERROR_INVALID_PTX", "a PTX JIT compilation failed"},
    {CUDA_UNSUPPORTED_PTX_VERSION, "CUDA_ERROR_UNSUPPORTED_PTX_VERSION",
     "the provided PTX was compiled with an unsupported toolchain."},
    {CUDA_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
    {CUDA_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
    {CUDA_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
     "an illegal memory access was encountered"},
    {CUDA_LAUNCH_OUT_OF_RESOURCES, "CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES",
     "too many resources requested for launch"},
    {CUDA_LAUNCH_TIMEOUT, "CUDA_ERROR_LAUNCH_TIMEOUT", "the launch timed out and was terminated"},
    {CUDA_LAUNCH_FAILED, "CUDA_ERROR_LAUNCH_FAILED", "unspecified launch failure"},
    {CUDA_UNKNOWN, "CUDA_ERROR_UNKNOWN", "unknown error"},
};

static int find_words(cuda_result result) {
  int count = (int)(sizeof words / sizeof words[0]);
  for (int i = 0; i < count; i++)
    if (words[i].result == result)
      return i;
  return -1;
}

cuda_result cuGetErrorName(cuda_result result, const char **name) {
  int at = find_words(result);
  *name = at >= 0 ? words[at].name : NULL;
  return at >= 0 ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

cuda_result cuGetErrorString(cuda_result result, const char **text) {
  int at = find_words(result);
  *text = at >= 0 ? words[at].text : NULL;
  return at >= 0 ? CUDA_SUCCESS : CUDA_INVALID_VALUE;
}

cuda_result cuDeviceGetCount(int *count) {
  ENTER("cuDeviceGetCount", FAKE_NEEDS_INIT);
  *count = fake_get()->machine.devices;
  return CUDA_SUCCESS;
}

cuda_result cuDeviceGet(cuda_device *device, int ordinal) {
  ENTER("cuDeviceGet", FAKE_NEEDS_INIT);
  if (ordinal < 0 || ordinal >= fake_get()->machine.devices)
    return CUDA_INVALID_DEVICE;
  *device = ordinal;
  return CUDA_SUCCESS;
}

cuda_result cuDeviceGetName(char *name, int size, cuda_device device) {
  ENTER("cuDeviceGetName", FAKE_NEEDS_INIT);
  snprintf(name, (size_t)size, "Fake GPU %d", device);
  return CUDA_SUCCESS;
}

cuda_result cuDeviceGetAttribute(int *value, int attribute, cuda_device device) {
  ENTER("cuDeviceGetAttribute", FAKE_NEEDS_INIT);
  (void)device;
  const fake_machine *machine = &fake_get()->machine;
  switch (attribute) {
  case CUDA_ATTRIBUTE_MULTIPROCESSORS:
    *value = 2;
    return CUDA_SUCCESS;
  case CUDA_ATTRIBUTE_CAPABILITY_MAJOR:
    *value = machine->architecture / 10;
    return CUDA_SUCCESS;
  case CUDA_ATTRIBUTE_CAPABILITY_MINOR:
    *value = machine->architecture % 10;
    return CUDA_SUCCESS;
  case CUDA_ATTRIBUTE_MEMORY_POOLS:
    *value = machine->pools;
    return CUDA_SUCCESS;
  default:
    return CUDA_INVALID_VALUE;
  }
}

cuda_result cuDevicePrimaryCtxRetain(cuda_context **context, cuda_device device) {
  ENTER("cuDevicePrimaryCtxRetain", FAKE_NEEDS_INIT);
  (void)device;
  fake_state *state = fake_get();
  if (state->contexts++ == 0)
    state->context = fake_add(FAKE_CONTEXT);
  *context = (cuda_context *)state->context;
  return CUDA_SUCCESS;
}

cuda_result cuDevicePrimaryCtxRelease_v2(cuda_device device) {
  cuda_result result = fake_enter("cuDevicePrimaryCtxRelease", FAKE_NEEDS_INIT);
  (void)device;
  fake_state *state = fake_get();
  if (state->contexts == 0)
    return fake_misuse("cuDevicePrimaryCtxRelease: the context is not retained");
  if (--state->contexts == 0) {
    state->context->alive = false;
    state->dead = CUDA_SUCCESS;
  }
  return result;
}

cuda_result cuCtxSetCurrent(cuda_context *context) {
  ENTER("cuCtxSetCurrent", FAKE_NEEDS_INIT);
  fake_object *object = NULL;
  if (context != NULL)
    FIND(object, context, FAKE_CONTEXT, "cuCtxSetCurrent");
  fake_current = object;
  return CUDA_SUCCESS;
}

cuda_result cuStreamCreate(cuda_stream **stream, unsigned flags) {
  ENTER("cuStreamCreate", FAKE_NEEDS_CONTEXT);
  if (flags != CUDA_STREAM_NON_BLOCKING)
    return CUDA_INVALID_VALUE;
  *stream = (cuda_stream *)fake_add(FAKE_STREAM);
  return CUDA_SUCCESS;
}

cuda_result cuStreamDestroy_v2(cuda_stream *stream) {
  cuda_result result = fake_enter("cuStreamDestroy", FAKE_NEEDS_CONTEXT);
  fake_object *object;
  FIND(object, stream, FAKE_STREAM, "cuStreamDestroy");
  if (fake_get()->first != NULL && fake_get()->dead == CUDA_SUCCESS)
    fake_misuse("cuStreamDestroy: work is under way");
  fake_wait(NULL);
  object->alive = false;
  return result;
}

cuda_result cuStreamSynchronize(cuda_stream *stream) {
  ENTER("cuStreamSynchronize", FAKE_NEEDS_CONTEXT);
  fake_object *object;
  FIND(object, stream, FAKE_STREAM, "cuStreamSynchronize");
  return fake_wait(NULL);
}

cuda_result cuEventCreate(cuda_event **event, unsigned flags) {
  ENTER("cuEventCreate", FAKE_NEEDS_CONTEXT);
  (void)flags;
  *event = (cuda_event *)fake_add(FAKE_EVENT);
  return CUDA_SUCCESS;
}

cuda_result cuEventDestroy_v2(cuda_event *event) {
  cuda_result result = fake_enter("cuEventDestroy", FAKE_NEEDS_CONTEXT);
  fake_object *object;
  FIND(object, event, FAKE_EVENT, "cuEventDestroy");
  object->alive = false;
  return result;
}

static cuda_result run_record(fake_work *work) {
  work->object->done = true;
  work->object->time = fake_get()->clock;
  return CUDA_SUCCESS;
}

cuda_result cuEventRecord(cuda_event *event, cuda_stream *stream) {
  ENTER("cuEventRecord", FAKE_NEEDS_CONTEXT);
  fake_object *object, *on;
  FIND(object, event, FAKE_EVENT, "cuEventRecord");
  FIND(on, stream, FAKE_STREAM, "cuEventRecord");
  object->recorded = true;
  object->done = false;
  fake_enqueue(&(fake_work){.run = run_record, .object = object});
  return CUDA_SUCCESS;
}

cuda_result cuEventSynchronize(cuda_event *event) {
  ENTER("cuEventSynchronize", FAKE_NEEDS_CONTEXT);
  fake_object *object;
  FIND(object, event, FAKE_EVENT, "cuEventSynchronize");
  return object->recorded ? fake_wait(object) : CUDA_SUCCESS;
}

cuda_result cuEventElapsedTime(float *milliseconds, cuda_event *start, cuda_event *stop) {
  ENTER("cuEventElapsedTime", FAKE_NEEDS_CONTEXT);
  fake_object *from, *to;
  FIND(from, start, FAKE_EVENT, "cuEventElapsedTime");
  FIND(to, stop, FAKE_EVENT, "cuEventElapsedTime");
  if (!from->recorded || !to->recorded)
    return CUDA_INVALID_HANDLE;
  if (!from->done || !to->done)
    return CUDA_NOT_READY;
  *milliseconds = (float)(to->time - from->time);
  return CUDA_SUCCESS;
}
