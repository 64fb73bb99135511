// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The backend interface: a table of six methods, one file per backend. A backend knows programs and
// buffers, never cases or verdicts.
#ifndef ASSAY_COMPILER_BACKENDS_BACKEND_H
#define ASSAY_COMPILER_BACKENDS_BACKEND_H

#include "compiler/bridge/costs.h"
#include "compiler/language/graph.h"
#include "compiler/lower/context.h"
#include "compiler/runtime/runtime.h"

#ifdef __cplusplus
extern "C" {
#endif

// A tensor in memory, row-major and contiguous. The backend neither owns nor keeps it.
typedef struct assay_buffer {
  void *data; // aligned to 64 bytes
  assay_dtype dtype;
  assay_shape shape;
} assay_buffer;

// Compiled code as bytes, so that equal programs need to be compiled only once.
typedef struct assay_object {
  void *bytes; // malloc'ed; NULL where nothing was compiled yet
  size_t size; // bytes
} assay_object;

// What a loaded program did, counted by the runtime and read back after each run, so that a backend
// that silently fell back is found out.
typedef struct assay_counters {
  int64_t compiles;   // by this load: 0 when it was given an object
  int64_t blas_calls; // contractions handed over by the last run; a batch counts once
  int64_t launches;   // GPU kernels launched by the last run
  int64_t travels;    // buffers that the program moved between host and GPU on its way
  // Of bringing the last run's inputs to a GPU and its results back, by the clock of `time`; 0: not
  // measured, as where programs are guarded.
  double seconds_upload, seconds_download;
  assay_heap heap; // what the last run allocated; zero where the backend does not count it
} assay_counters;

// What the assembler of one GPU architecture says of a program's kernels. It depends on nothing but
// the program and the assembler, so that it can be compared exactly.
typedef struct assay_architecture_figures {
  char architecture[16]; // "sm_80"
  int registers;         // of a thread, in the kernel that needs most
  int64_t shared;        // bytes of a block, in the kernel that needs most
  int64_t spills;        // bytes that all kernels store and load for want of registers
  int64_t own_spills;    // of those, in tiled matrix products
} assay_architecture_figures;

enum { ASSAY_ARCHITECTURES = 8 };

typedef struct assay_device_figures {
  int kernels; // 0: not counted
  int count;   // architectures that the assembler knows
  assay_architecture_figures of[ASSAY_ARCHITECTURES];
  char missing[160]; // why there are none, or not all; "" where nobody asked
  char note[256];    // what is to be told once besides; "" for nothing
} assay_device_figures;

// What loading found, for the named-op check and the record.
typedef struct assay_load_report {
  int contractions_named; // linalg.matmul and linalg.batch_matmul there by name when the backend
                          // took over (before substitution or lowering to loops)
  double seconds_compile; // wall clock; 0 where an object was given
  assay_costs costs;      // of its parts, where the device was told to watch them
  assay_device_figures figures; // the same, of a GPU's backend
  char note[256];               // what is to be told once besides; "" for nothing
} assay_load_report;

// What a device of its own reaches when it is measured; each is 0 where it was not.
typedef struct assay_peaks {
  double gflops_f32, gflops_f64; // 1e9 operations a second, a fused multiply-add being two
  double gbs; // 1e9 bytes a second, read and written, of memory beyond its caches
} assay_peaks;

// How a device loads programs.
typedef struct assay_loading {
  bool unguarded; // no poison and no fences around what programs allocate, which would be timed
  bool watched;   // the report tells the costs of compiling by parts
} assay_loading;

typedef struct assay_device assay_device; // an opened backend
typedef struct assay_loaded assay_loaded; // a program ready to run

typedef struct assay_backend {
  const char *name;
  const char *summary;     // one line for list and doctor: how it computes
  const char *pipeline;    // the built-in pipeline it lowers with; NULL: none of these, so that no
                           // pass can be asked about
  int sample;              // the standard run takes one in so many of a suite's cases; 0: all
  bool takes_contractions; // hands each floating contraction to a library: every one must be there
                           // by name when it takes over, and be counted as a blas_call
  bool simulated;          // stands for a device: its seconds say nothing of that, and are not told
  bool resident;           // runs on a device of its own: inputs go there once, results come back
                           // once, and what travels in between is a fault

  // Makes the backend ready; ASSAY_MISSING with the reason where this machine cannot run it. A
  // matter of some ten milliseconds: what each forked child would set up again belongs here.
  assay_code (*open)(const assay_context *context, assay_device **out_device, assay_error *err);
  // Whether the program can run on it: ASSAY_OK, or ASSAY_UNSUPPORTED with the reason.
  assay_code (*supports)(const assay_device *device, const assay_program *program,
                         assay_error *err);
  // Compiles and links the program. object is in-out: with bytes in it these are linked and nothing
  // is compiled, without bytes they are filled for the caller to keep and free. ASSAY_UNSUPPORTED
  // where it finds only now that it cannot: that is skipped, as with supports.
  assay_code (*load)(assay_device *device, const assay_program *program, assay_object *object,
                     assay_loaded **out_loaded, assay_load_report *out_report, assay_error *err);
  // Runs it once: inputs and results in program order, with the program's dtypes and shapes.
  // ASSAY_UNSUPPORTED as of load: the device has not the memory that the run needs.
  // Several threads may run one loaded program at once, on results of their own.
  assay_code (*run)(assay_loaded *loaded, const assay_buffer inputs[], const assay_buffer results[],
                    assay_counters *out_counters, assay_error *err);
  // (optional) Of a device with a clock of its own: runs it so many times more, one after the
  // other, on the inputs that the last run brought there, which stay, as do the results;
  // *out_seconds is what one of them took by that clock, above 0. At least one run must have been.
  assay_code (*time)(assay_loaded *loaded, int64_t runs, double *out_seconds, assay_error *err);
  void (*unload)(assay_loaded *loaded); // NULL is allowed
  // (optional) How programs are loaded from now on; from open on guarded and unwatched.
  void (*set_loading)(assay_device *device, assay_loading loading);
  // (optional) What an open device is and its driver, for records: "NVIDIA H200 (compute capability
  // 9.0), CUDA 13.0". Valid until it is closed.
  const char *(*hardware)(const assay_device *device);
  // (optional) What it reaches, by the clock of `time`, in some seconds at most; in a process that
  // may load programs. ASSAY_MISSING where its memory is too small.
  assay_code (*measure_peaks)(assay_device *device, assay_peaks *out_peaks, assay_error *err);
  void (*close)(assay_device *device); // NULL is allowed
} assay_backend;

// The built-in backends, sorted by name; the array ends with NULL.
const assay_backend *const *assay_backends_get(void);

#ifdef __cplusplus
}
#endif

#endif
