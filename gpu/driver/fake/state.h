// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's state: one for the process, as the driver's own. Internal to this folder.
#ifndef ASSAY_GPU_DRIVER_FAKE_STATE_H
#define ASSAY_GPU_DRIVER_FAKE_STATE_H

#include "gpu/driver/cuda.h"
#include "gpu/driver/fake/fake.h"

typedef enum fake_kind {
  FAKE_CONTEXT,
  FAKE_STREAM,
  FAKE_EVENT,
  FAKE_MODULE,
  FAKE_FUNCTION,
  FAKE_MEMORY,
  FAKE_HOST_MEMORY,
  FAKE_LIBRARY, // a handle of cuBLAS
  FAKE_KINDS
} fake_kind;

typedef struct fake_object fake_object;
struct fake_object {
  fake_kind kind;
  bool alive; // the dead stay listed, so that their use is known for what it is
  fake_object *next;
  // Events.
  bool recorded, done;
  double time; // milliseconds
  // Memory of both kinds.
  uint64_t address;
  size_t bytes;
  bool released; // on the stream, perhaps not yet done
  // Modules: the names of kernels, ' ' before and after each; functions: theirs.
  char *names;
  fake_object *module;
  // On the attached gpu.
  assay_gpu_module *loaded;
  assay_gpu_function *found;
  // Libraries.
  fake_object *stream;
  int math; // the mode that is set
};

// Work on the queue.
typedef struct fake_work fake_work;
struct fake_work {
  cuda_result (*run)(fake_work *work);
  fake_object *object; // event, function or memory
  uint64_t target, source;
  size_t bytes;
  unsigned value;
  int width;
  void *data; // malloc'ed, of a library's call
  fake_work *next;
};

// What a call does instead of giving a code: it never returns, or dies.
enum { FAKE_HANG = -1, FAKE_CRASH = -2 };

typedef struct fake_fault {
  char call[48];
  int left, code;
  bool stays;
} fake_fault;

typedef struct fake_count {
  char call[48];
  int count;
} fake_count;

enum { FAKE_MOST_FAULTS = 8, FAKE_MOST_CALLS = 80 };

typedef struct fake_state {
  bool ready, initialised;
  fake_machine machine;
  fake_object *objects;
  int contexts; // references to the primary context
  fake_object *context;
  cuda_result dead; // the error that the context has died of
  fake_fault faults[FAKE_MOST_FAULTS];
  fake_count counts[FAKE_MOST_CALLS];
  int fault_count, call_count;
  int64_t used; // bytes of device memory
  fake_work *first, *last;
  double clock; // milliseconds
  char misuse[256], leaks[256], fault[1024];
  assay_gpu *gpu;
  size_t image_size;
} fake_state;

fake_state *fake_get(void);

typedef enum fake_need { FAKE_NEEDS_NOTHING, FAKE_NEEDS_INIT, FAKE_NEEDS_CONTEXT } fake_need;

// First in each call: counts it and says what it must give, CUDA_SUCCESS where it may go on.
cuda_result fake_enter(const char *call, fake_need need);
// Whether the n-th of what the faults name is at hand; its code.
cuda_result fake_fault_at(const char *call);
// Remembers what was wrong; returns CUDA_INVALID_HANDLE.
ASSAY_PRINTF(1, 2) cuda_result fake_misuse(const char *format, ...);

fake_object *fake_add(fake_kind kind);
// The live object of that handle; NULL and a misuse of the call where it is none.
fake_object *fake_object_find(const void *handle, fake_kind kind, const char *call);
// The live device memory that holds the range; NULL and a misuse where there is none.
fake_object *fake_memory_find(uint64_t address, size_t bytes, const char *call);

// Puts the work at the end of the queue.
void fake_enqueue(const fake_work *work);
// Does it until the event is done (NULL: all); what the context has died of.
cuda_result fake_wait(const fake_object *event);
// Whether work that uses the object is queued (a function's module, too).
bool fake_is_queued(const fake_object *object);

// Device memory to and from the host's, at once.
cuda_result fake_read(void *target, uint64_t source, size_t bytes);
cuda_result fake_write(uint64_t target, const void *source, size_t bytes);
// Gives the memory itself back.
void fake_memory_drop(fake_object *memory);

#endif
