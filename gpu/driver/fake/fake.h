// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A libcuda.so.1 and a libcublas.so.13 for tests, on this machine's memory. Work is queued as on a
// device and done when something waits for it, so that memory which is used too early or given back
// too early shows. Each call checks its handles, and can be made to fail.
//
// In a test: fake_cuda_open (fake_testing.h), after which dlopen("libcuda.so.1") finds this one. In
// whole commands: LD_LIBRARY_PATH, with FAKE_CUDA_MEMORY=BYTES, FAKE_CUDA_DEVICES=N and
// FAKE_CUDA_FAIL=CALL:NTH:CODE[+][,...] in the environment, where CODE may be `hang` or `crash`
// besides; also FAKE_CUDA_DRIVER=13000 and FAKE_CUDA_ARCHITECTURE=90.
#ifndef ASSAY_GPU_DRIVER_FAKE_FAKE_H
#define ASSAY_GPU_DRIVER_FAKE_FAKE_H

#include "gpu/runtime/gpu.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// What the driver finds; CUDA_VISIBLE_DEVICES is respected where it is empty.
typedef struct fake_machine {
  int devices;
  int driver;          // 13000: CUDA 13.0
  int architecture;    // 90
  int64_t memory;      // bytes
  bool pools;          // memory in the order of a stream
  bool hangs, crashes; // cuInit
} fake_machine;

// The control of it, which dlsym(..., "fake_cuda_control") is the address of.
typedef struct fake_cuda {
  // Begins anew: as in a new process on that machine. Objects of before are gone.
  void (*reset)(const fake_machine *machine);
  // The nth call of that name from now on (1: the next) gives that code; and, where it stays so,
  // all after it. "cuMemAlloc", without the version; "kernel": the nth kernel that is done, told by
  // what waits for it. What destroys does so all the same.
  void (*inject)(const char *call, int nth, int code, bool stays);
  // Calls of that name since reset; at: the name of the at-th call that there was, NULL after all.
  int (*count)(const char *call);
  const char *(*name)(int at);
  // The first call that was wrong (an unknown handle, no context, memory given back twice, ...), ""
  // for none; and what is there still, "1 context, 2 modules", "" for nothing.
  const char *(*misuse)(void);
  const char *(*leaks)(void);
  // (optional) A gpu that memory is on and kernels run on, borrowed; NULL: none, kernels do
  // nothing. An image that is neither PTX nor a cubin is its code, of that size.
  // It must stay until the next reset.
  void (*attach)(assay_gpu *gpu, size_t image_size);
  // What the attached gpu said of the first kernel that failed on it, "" for nothing.
  const char *(*fault)(void);
} fake_cuda;

extern const fake_cuda fake_cuda_control;

#endif
