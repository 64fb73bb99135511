// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/fake/state.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static fake_state state; // the process has one driver

static void add_fault(const char *call, int nth, int code, bool stays) {
  if (state.fault_count == FAKE_MOST_FAULTS)
    abort();
  fake_fault *fault = &state.faults[state.fault_count++];
  *fault = (fake_fault){.left = nth, .code = code, .stays = stays};
  snprintf(fault->call, sizeof fault->call, "%s", call);
}

// A number, or a word for what is none.
static int read_code(const char *text) {
  if (strncmp(text, "hang", 4) == 0)
    return FAKE_HANG;
  return strncmp(text, "crash", 5) == 0 ? FAKE_CRASH : (int)strtol(text, NULL, 10);
}

// CALL:NTH:CODE[+], joined by commas.
static void read_faults(const char *text) {
  while (text != NULL && *text != '\0') {
    char call[48], *end;
    const char *colon = strchr(text, ':');
    if (colon == NULL || colon - text >= (int)sizeof call)
      return;
    snprintf(call, sizeof call, "%.*s", (int)(colon - text), text);
    int nth = (int)strtol(colon + 1, &end, 10);
    const char *comma = strchr(end, ','), *plus = strchr(end, '+');
    int code = *end == ':' ? read_code(end + 1) : 0;
    add_fault(call, nth, code, plus != NULL && (comma == NULL || plus < comma));
    text = comma != NULL ? comma + 1 : NULL;
  }
}

static int64_t number_of(const char *variable, int64_t otherwise) {
  const char *text = getenv(variable);
  return text != NULL ? strtoll(text, NULL, 10) : otherwise;
}

fake_state *fake_get(void) {
  if (!state.ready) {
    state.ready = true;
    state.machine = (fake_machine){.devices = (int)number_of("FAKE_CUDA_DEVICES", 1),
                                   .driver = (int)number_of("FAKE_CUDA_DRIVER", 13000),
                                   .architecture = (int)number_of("FAKE_CUDA_ARCHITECTURE", 90),
                                   .memory = number_of("FAKE_CUDA_MEMORY", INT64_C(1) << 30),
                                   .pools = true};
    read_faults(getenv("FAKE_CUDA_FAIL"));
  }
  return &state;
}

static void count_call(const char *call) {
  int at = 0;
  while (at < state.call_count && strcmp(state.counts[at].call, call) != 0)
    at++;
  if (at == FAKE_MOST_CALLS)
    abort();
  if (at == state.call_count)
    snprintf(state.counts[state.call_count++].call, sizeof state.counts[at].call, "%s", call);
  state.counts[at].count++;
}

// Those after which the context is of no use any more.
static bool is_deadly(int code) {
  static const int codes[] = {4,   46,  214, 220, 226, 700, 702, 709, 710,
                              714, 715, 716, 717, 718, 719, 721, 911, 999};
  for (size_t i = 0; i < sizeof codes / sizeof codes[0]; i++)
    if (codes[i] == code)
      return true;
  return false;
}

cuda_result fake_fault_at(const char *call) {
  cuda_result result = CUDA_SUCCESS;
  for (int i = 0; i < state.fault_count; i++) {
    fake_fault *fault = &state.faults[i];
    if (strcmp(fault->call, call) != 0)
      continue;
    fault->left--;
    if (fault->left == 0 || (fault->left < 0 && fault->stays))
      result = (cuda_result)fault->code;
  }
  if ((int)result == FAKE_HANG)
    for (;;)
      pause();
  if ((int)result == FAKE_CRASH)
    abort();
  if (is_deadly(result) && state.dead == CUDA_SUCCESS && state.contexts > 0)
    state.dead = result;
  return result;
}

// The context of this thread.
extern _Thread_local fake_object *fake_current;

cuda_result fake_enter(const char *call, fake_need need) {
  fake_get();
  count_call(call);
  cuda_result fault = fake_fault_at(call);
  if (fault != CUDA_SUCCESS)
    return fault;
  if (need >= FAKE_NEEDS_INIT && !state.initialised) {
    fake_misuse("%s before cuInit", call);
    return CUDA_NOT_INITIALIZED;
  }
  if (need == FAKE_NEEDS_CONTEXT && (fake_current == NULL || !fake_current->alive)) {
    fake_misuse("%s without a current context", call);
    return CUDA_INVALID_CONTEXT;
  }
  return need == FAKE_NEEDS_CONTEXT ? state.dead : CUDA_SUCCESS;
}

cuda_result fake_misuse(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  if (state.misuse[0] == '\0')
    vsnprintf(state.misuse, sizeof state.misuse, format, arguments);
  va_end(arguments);
  return CUDA_INVALID_HANDLE;
}

fake_object *fake_add(fake_kind kind) {
  fake_object *object = calloc(1, sizeof *object);
  if (object == NULL)
    abort();
  *object = (fake_object){.kind = kind, .alive = true, .next = state.objects};
  state.objects = object;
  return object;
}

static const char *const kind_names[] = {
    [FAKE_CONTEXT] = "context",         [FAKE_STREAM] = "stream",     [FAKE_EVENT] = "event",
    [FAKE_MODULE] = "module",           [FAKE_FUNCTION] = "function", [FAKE_MEMORY] = "memory",
    [FAKE_HOST_MEMORY] = "host memory", [FAKE_LIBRARY] = "library",
};

fake_object *fake_object_find(const void *handle, fake_kind kind, const char *call) {
  for (fake_object *at = state.objects; at != NULL; at = at->next)
    if (at == handle && at->kind == kind) {
      bool gone = !at->alive || (kind == FAKE_FUNCTION && !at->module->alive);
      if (gone)
        fake_misuse("%s: the %s is gone", call, kind_names[kind]);
      return gone ? NULL : at;
    }
  fake_misuse("%s: no %s", call, kind_names[kind]);
  return NULL;
}

fake_object *fake_memory_find(uint64_t address, size_t bytes, const char *call) {
  for (fake_object *at = state.objects; at != NULL; at = at->next)
    if (at->kind == FAKE_MEMORY && at->alive && !at->released && address >= at->address &&
        address - at->address <= at->bytes && bytes <= at->bytes - (address - at->address))
      return at;
  fake_misuse("%s: %zu bytes that are not allocated", call, bytes);
  return NULL;
}

static void drop_object(fake_object *object) {
  if (object->kind == FAKE_MEMORY && object->address != 0)
    fake_memory_drop(object);
  if (object->kind == FAKE_HOST_MEMORY && object->alive)
    free((void *)(uintptr_t)object->address);
  if (object->loaded != NULL)
    state.gpu->methods->unload(object->loaded);
  free(object->names);
  free(object);
}

static void reset(const fake_machine *machine) {
  fake_get();
  while (state.first != NULL) {
    fake_work *work = state.first;
    state.first = work->next;
    free(work->data);
    free(work);
  }
  while (state.objects != NULL) {
    fake_object *object = state.objects;
    state.objects = object->next;
    drop_object(object);
  }
  fake_current = NULL;
  state = (fake_state){.ready = true, .machine = *machine};
}

static int count(const char *call) {
  for (int i = 0; i < state.call_count; i++)
    if (strcmp(state.counts[i].call, call) == 0)
      return state.counts[i].count;
  return 0;
}

static const char *name(int at) {
  return at < state.call_count ? state.counts[at].call : NULL;
}

static const char *misuse(void) {
  return state.misuse;
}

static const char *leaks(void) {
  state.leaks[0] = '\0';
  size_t length = 0;
  for (int kind = 0; kind < FAKE_KINDS; kind++) {
    int there = 0;
    for (fake_object *at = state.objects; at != NULL; at = at->next)
      there += (int)at->kind == kind && kind != FAKE_FUNCTION && at->alive;
    if (there > 0)
      length += (size_t)snprintf(state.leaks + length, sizeof state.leaks - length, "%s%d %s",
                                 length > 0 ? ", " : "", there, kind_names[kind]);
  }
  return state.leaks;
}

static const char *fault(void) {
  return state.fault;
}

static void attach(assay_gpu *gpu, size_t image_size) {
  state.gpu = gpu;
  state.image_size = image_size;
}

const fake_cuda fake_cuda_control = {
    .reset = reset,
    .inject = add_fault,
    .count = count,
    .name = name,
    .misuse = misuse,
    .leaks = leaks,
    .attach = attach,
    .fault = fault,
};
