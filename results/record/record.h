// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Records: one JSON object per case x backend x data set, one per line of run.jsonl.
#ifndef ASSAY_RESULTS_RECORD_RECORD_H
#define ASSAY_RESULTS_RECORD_RECORD_H

#include "compiler/base/file.h"

#include <stdint.h>
#include <stdio.h>

enum { ASSAY_RECORD_SCHEMA = 1, ASSAY_RECORD_MAX_CHECKS = 16, ASSAY_RECORD_MAX_RANK = 8 };

// What the record tells of. One key may have a record of each kind.
typedef enum assay_record_kind {
  ASSAY_RECORD_RUN,    // a conformance verdict
  ASSAY_RECORD_LEDGER, // the passes of a pipeline, judged one by one
  ASSAY_RECORD_BENCH,  // timings, behind a conformance verdict
  ASSAY_RECORD_KIND_COUNT
} assay_record_kind;

const char *assay_record_kind_name(assay_record_kind kind); // "bench"
bool assay_record_kind_parse(const char *name, assay_record_kind *out_kind);

typedef enum assay_verdict {
  ASSAY_PASS,    // as expected
  ASSAY_WARN,    // passed, but something deserves a look
  ASSAY_FAIL,    // a wrong answer
  ASSAY_SKIP,    // the backend cannot do this case, or it is a lasting known gap
  ASSAY_XFAIL,   // failed, as a known gap says
  ASSAY_XPASS,   // passed although a known gap says it fails
  ASSAY_ERROR,   // the compiler under test refused or the harness could not ask
  ASSAY_CRASH,   // the case's process died
  ASSAY_TIMEOUT, // the case's time limit passed
  ASSAY_VERDICT_COUNT
} assay_verdict;

const char *assay_verdict_name(assay_verdict verdict); // "PASS"
bool assay_verdict_parse(const char *name, assay_verdict *out_verdict);
// Whether a verdict alone makes a run exit 1: FAIL ERROR CRASH TIMEOUT XPASS.
bool assay_verdict_is_bad(assay_verdict verdict);

// The environment of a run: the same in each of its records. Strings may be NULL (null in JSON).
typedef struct assay_environment {
  const char *cpu;       // model name
  const char *llvm;      // "22.1.8"
  const char *blas;      // library file
  const char *blas_core; // the kernel set it uses
  const char *cuda;      // the GPU that a backend runs on and its driver; NULL: none does
  const char *ptxas;     // what assembles kernels, by its build; NULL: nothing here does
  const char *revision;  // git revision of the tree under test, where there is one
  const char *assay;     // Assay's own version
  // What this machine reached when it was measured, on as many threads as the timings, or of what a
  // device's clock timed the device; 0: it was not.
  double peak_gflops_f32, peak_gflops_f64; // 1e9 floating operations a second, an FMA being two
  double peak_gbs;                         // 1e9 bytes a second, read and written, of memory
} assay_environment;

// Whether they are one environment. The peaks, which are measured anew each time, are no part of
// it.
bool assay_environment_equal(const assay_environment *a, const assay_environment *b);
// Whether they were measured at once, too: the peaks are the same.
bool assay_environment_same(const assay_environment *a, const assay_environment *b);
// Whether two measured peaks may be of a machine in one state: neither is above the other by more
// than `limit` of it, or one was not measured.
bool assay_peak_alike(double a, double b, double limit);

// A number without noise: the same for the same program, compiler and library.
typedef struct assay_counter {
  const char *name; // "object_bytes"
  int64_t value;
} assay_counter;

// One pass execution of the pipeline that a program went through, in their order.
typedef struct assay_pass_row {
  int n;            // its number in the pipeline, from 1; 0: no pass, but a step behind
                    // them ("llvm-optimize")
  const char *name; // "canonicalize"
  double seconds;   // wall clock
  int64_t ops_before, ops_after; // operations in the whole module; -1: not counted
  bool changed;                  // the module
  double margin;     // of the state after it, the largest of all data; NaN: not run, or unchanged
  bool margin_nan;   // it was run, and its margin is NaN
  int nan_added;     // NaN attributes that it made
  const char *fault; // its class: "miscompile"; NULL: none was found
} assay_pass_row;

// The element with the largest margin; given only where margin > 0.5 or a check failed on it.
typedef struct assay_worst {
  bool present;
  const char *part; // "element", "probe columns" (an entry of C w) or "probe rows" (of w^T C)
  int rank;         // of index: the result's rank for an element, 1 for a probe
  int64_t index[ASSAY_RECORD_MAX_RANK];
  bool whole; // integer: got_whole and want_whole count
  double got, want, scale;
  int64_t got_whole, want_whole;
} assay_worst;

// The pass execution that a ledger found to blame for a failure.
typedef struct assay_first_bad {
  int n;                      // its number in the pipeline, from 1; 0: nobody is blamed
  const char *name;           // the pass
  const char *fault;          // its class: "miscompile"
  const char *step, *pattern; // inside it, as text; NULL: not isolated
  // (optional) Where the module differs before and after it: see excerpt.h.
  const char *before_excerpt, *after_excerpt;
} assay_first_bad;

// Bits of `uncounted`.
enum {
  ASSAY_UNCOUNTED_BLAS_CALLS = 1,
  ASSAY_UNCOUNTED_COMPILES = 2,
  ASSAY_UNCOUNTED_LAUNCHES = 4,
  ASSAY_UNCOUNTED_ALL = 7
};

typedef struct assay_record {
  assay_record_kind kind;
  const char *key, *line, *op, *backend, *data; // "none" where there is no backend or data set
  assay_verdict verdict;
  int check_count;
  const char *checks[ASSAY_RECORD_MAX_CHECKS]; // "compare", "exact", "named-op", "diagnostic", ...
  const char *reference;                       // "stored", "live", or NULL
  assay_first_bad first_bad;
  const char *nan_origin; // (optional) the operation that made a wrong NaN: an object as JSON text
  double margin;          // NaN: null, no comparison was made; infinity: "inf"
  assay_worst worst;
  // Wall clock; seconds_run of one execution. NaN: null, not measured. Where the code was there
  // already compiling took 0.
  double seconds_compile, seconds_run;
  const char *reason; // NULL only with PASS
  const char *repro;  // a shell command
  const char *origin; // (optional) where the case stands: "suite/cases/matmul.cases:12"
  int64_t compiles, blas_calls, launches;
  size_t counter_count; // besides these three
  const assay_counter *counters;
  size_t pass_count; // 0: nobody looked
  const assay_pass_row *passes;
  // BENCH: seconds of one run and of one compilation, each in the order taken.
  size_t run_sample_count, compile_sample_count;
  const double *run_samples, *compile_samples;
  int threads;       // that the runs were allowed; 0: not known
  bool cold;         // caches were evicted before each run
  bool sampled;      // the reference holds a sample and probes, not every element
  uint8_t uncounted; // of the three counters above, those that a record that was read lacks
  const char *clock; // "device": whose clock took the run samples, of runs between whose arguments
                     // stay there; NULL: the wall's
  double seconds_upload, seconds_download; // of bringing arguments there and results back; 0: not
                                           // measured
  double flop, bytes;  // of one run: operations, least bytes moved; 0: not defined for this op
  const char *started; // UTC, ISO 8601, as fine as the clock
  const assay_environment *environment;
  const char *others; // (optional) fields of other versions and programs: an object as JSON text
} assay_record;

// Whether a counter is the assembler's, which another ptxas may count otherwise: "sm_90_registers".
bool assay_counter_is_of_ptxas(const char *name);

// All counters of a record, by name: those of the three with fields that it has, then those in
// `counters`. In the arena.
const assay_counter *assay_record_counters(assay_arena *arena, const assay_record *record,
                                           size_t *out_count);

// Where its wrong NaN was made, in words: "arith.divf at module.mlir:3:8 of 0, 0"; in the arena.
// NULL where that is not known.
const char *assay_record_origin(assay_arena *arena, const assay_record *record);

// What compiling and running took of it, as far as either is known; NaN: neither is.
double assay_record_seconds(const assay_record *record);

// The record as one JSON object without a newline, in the arena.
const char *assay_record_print(assay_arena *arena, const assay_record *record);

// A copy that needs nothing but the arena.
assay_record assay_record_copy(assay_arena *arena, const assay_record *record);

// Whether it can be the time of something: finite and above 0.
bool assay_sample_is_time(double seconds);

// Reads one line. ASSAY_INVALID with file and line for what is no record: another schema or kind, a
// verdict or margin that there is not, counters that are no whole numbers, samples that are no
// times. Unknown fields are kept.
ASSAY_MUST_USE assay_code assay_record_parse(assay_arena *arena, const char *file, int line_number,
                                             const char *text, size_t length,
                                             assay_record *out_record, assay_error *err);

// Reads a whole run.jsonl; a last line that a killed run left half written is dropped and *out_size
// is where the whole lines end (bytes).
ASSAY_MUST_USE assay_code assay_records_read(assay_arena *arena, const assay_file *file,
                                             assay_record **out_records, size_t *out_count,
                                             size_t *out_size, assay_error *err);

#endif
