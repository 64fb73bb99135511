// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/run/hidden/faulty.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct assay_loaded {
  int runs; // so far
  int64_t blas_calls;
};

static assay_code open_any(const assay_context *context, assay_device **out_device,
                           assay_error *err) {
  (void)context;
  (void)err;
  *out_device = NULL; // it needs none
  return ASSAY_OK;
}

static void close_any(assay_device *device) {
  (void)device;
}

static assay_code supports_matmul(const assay_device *device, const assay_program *program,
                                  assay_error *err) {
  (void)device;
  if (program->input_count != 2 || program->node_count != 3 ||
      program->nodes[program->results[0]].dtype != ASSAY_F32)
    return assay_fail(err, ASSAY_UNSUPPORTED, "only one plain f32 matmul");
  return ASSAY_OK;
}

static assay_code load_any(assay_device *device, const assay_program *program, assay_object *object,
                           assay_loaded **out_loaded, assay_load_report *out_report,
                           assay_error *err) {
  (void)device;
  (void)object;
  (void)err;
  assay_loaded *loaded = calloc(1, sizeof *loaded);
  if (loaded == NULL)
    abort();
  loaded->blas_calls = assay_program_contractions(program).floating;
  *out_loaded = loaded;
  *out_report = (assay_load_report){.contractions_named = assay_program_contractions(program).all,
                                    .seconds_compile = 0.25};
  return ASSAY_OK;
}

static void unload_any(assay_loaded *loaded) {
  free(loaded);
}

static float *data_of(const assay_buffer *buffer) {
  return buffer->data;
}

// c = a @ b over the first `depth` of the contraction.
static void multiply(const assay_buffer inputs[], const assay_buffer *result, int64_t depth) {
  const float *a = data_of(&inputs[0]), *b = data_of(&inputs[1]);
  int64_t rows = result->shape.dim[0], columns = result->shape.dim[1];
  int64_t inner = inputs[0].shape.dim[1];
  for (int64_t i = 0; i < rows; i++) {
    for (int64_t j = 0; j < columns; j++) {
      double sum = 0;
      for (int64_t k = 0; k < depth; k++)
        sum += (double)a[i * inner + k] * b[k * columns + j];
      data_of(result)[i * columns + j] = (float)sum;
    }
  }
}

// The parameters of a backend's run.
#define RUN                                                                                        \
  assay_loaded *loaded, const assay_buffer inputs[], const assay_buffer results[],                 \
      assay_counters *out_counters, assay_error *err

static assay_code run_honest(RUN) {
  (void)err;
  multiply(inputs, &results[0], inputs[0].shape.dim[1]);
  loaded->runs++;
  *out_counters = (assay_counters){.compiles = 1, .blas_calls = loaded->blas_calls};
  return ASSAY_OK;
}

// A run that is honest but for these statements, before or after it. a, b, c: the elements of the
// operands and the result.
#define BEFORE(fault, ...)                                                                         \
  static assay_code run_##fault(RUN) {                                                             \
    __VA_ARGS__                                                                                    \
    return run_honest(loaded, inputs, results, out_counters, err);                                 \
  }
#define AFTER(fault, ...)                                                                          \
  static assay_code run_##fault(RUN) {                                                             \
    float *a = data_of(&inputs[0]), *b = data_of(&inputs[1]), *c = data_of(&results[0]);           \
    assay_code code = run_honest(loaded, inputs, results, out_counters, err);                      \
    (void)a, (void)b, (void)c;                                                                     \
    __VA_ARGS__                                                                                    \
    return code;                                                                                   \
  }

AFTER(wrong_element, c[8] += 1;)
AFTER(below_zero, out_counters->launches = -3;)
// By one and a half margins, 9 error scales, of matmul m=3 k=5 n=7 on `real` (the stored scale of
// element 8 is 5.2e-8).
AFTER(imprecise, c[8] += 4.7e-7F;)
AFTER(last_k_dropped, multiply(inputs, &results[0], inputs[0].shape.dim[1] - 1);)
// Right as often as a program is run on a case's own data, wrong from then on.
AFTER(wearing_out, c[6] += loaded->runs > 2;)
AFTER(nan, c[3] = NAN;)
AFTER(past_the_end, c[assay_shape_count(&results[0].shape)] = 0;)
// In the second of two runs only.
AFTER(later_past_the_end, if (loaded->runs % 2 == 0) c[assay_shape_count(&results[0].shape)] = 0;)
AFTER(before_the_start, b[-1] = 0;)
AFTER(changed_input, a[6] = 99;)
AFTER(changed_last_input, b[34] = 99;)
AFTER(nondeterministic, if (loaded->runs % 2 == 0) c[20] = nextafterf(c[20], INFINITY);)
AFTER(exit_0, _exit(0);)
AFTER(exit_3, _exit(3);)

BEFORE(fallback, loaded->blas_calls = 0;)
BEFORE(segfault, (void)raise(SIGSEGV);)
BEFORE(abort, fprintf(stderr, "Assertion `rank == 2' failed.\n"); abort();)
BEFORE(endless, for (volatile bool go_on = true; go_on;) continue;)
BEFORE(talkative, for (int i = 0; i < 10000; i++) printf("{\"schema\":1,\"verdict\":\"PASS\"}\n");)
BEFORE(
    forking, if (fork() == 0) {
      sleep(600);
      _exit(0);
    })

static void eat_memory(void) {
  enum { BITE = 1 << 20, BITES = 1024 };
  for (int i = 0; i < BITES; i++) {
    void *bite = malloc(BITE); // on purpose never freed
    if (bite == NULL)
      abort();
    memset(bite, 1, BITE);
    nanosleep(&(struct timespec){.tv_nsec = 500000}, NULL);
  }
}

BEFORE(hungry, eat_memory();)

static assay_code run_unwritten(RUN) {
  float kept = data_of(&results[0])[10];
  assay_code code = run_honest(loaded, inputs, results, out_counters, err);
  data_of(&results[0])[10] = kept;
  return code;
}

// A program that adds into its result without filling it first.
static assay_code run_unfilled(RUN) {
  float kept = data_of(&results[0])[0];
  assay_code code = run_honest(loaded, inputs, results, out_counters, err);
  data_of(&results[0])[0] += kept;
  return code;
}

// Operands read without their low bits, as by tensor cores; the number of bits that are kept.
static void truncate_inputs(const assay_buffer inputs[], assay_buffer out_inputs[], int bits) {
  for (int i = 0; i < 2; i++) {
    out_inputs[i] = inputs[i];
    size_t count = (size_t)assay_shape_count(&inputs[i].shape);
    uint32_t *copy = calloc(count, sizeof *copy);
    if (copy == NULL)
      abort();
    memcpy(copy, inputs[i].data, count * sizeof *copy);
    for (size_t k = 0; k < count; k++)
      copy[k] &= UINT32_MAX << (24 - bits);
    out_inputs[i].data = copy;
  }
}

static assay_code run_truncated(RUN, int bits) {
  assay_buffer truncated[2];
  truncate_inputs(inputs, truncated, bits);
  assay_code code = run_honest(loaded, truncated, results, out_counters, err);
  free(truncated[0].data);
  free(truncated[1].data);
  return code;
}

static assay_code run_tf32(RUN) {
  return run_truncated(loaded, inputs, results, out_counters, err, 11);
}

static assay_code run_bf16(RUN) {
  return run_truncated(loaded, inputs, results, out_counters, err, 8);
}

static assay_code run_error(RUN) {
  (void)loaded, (void)inputs, (void)results, (void)out_counters;
  return assay_fail(err, ASSAY_FAILED, "the device was lost");
}

static assay_code load_segfault(assay_device *device, const assay_program *program,
                                assay_object *object, assay_loaded **out_loaded,
                                assay_load_report *out_report, assay_error *err) {
  (void)raise(SIGSEGV);
  return load_any(device, program, object, out_loaded, out_report, err);
}

static assay_code load_endless(assay_device *device, const assay_program *program,
                               assay_object *object, assay_loaded **out_loaded,
                               assay_load_report *out_report, assay_error *err) {
  for (volatile bool go_on = true; go_on;)
    continue;
  return load_any(device, program, object, out_loaded, out_report, err);
}

static assay_code load_error(assay_device *device, const assay_program *program,
                             assay_object *object, assay_loaded **out_loaded,
                             assay_load_report *out_report, assay_error *err) {
  (void)device;
  (void)program;
  (void)object;
  (void)out_loaded;
  (void)out_report;
  return assay_fail(err, ASSAY_FAILED, "failed to legalize operation 'linalg.matmul'");
}

static assay_code load_unnamed(assay_device *device, const assay_program *program,
                               assay_object *object, assay_loaded **out_loaded,
                               assay_load_report *out_report, assay_error *err) {
  assay_code code = load_any(device, program, object, out_loaded, out_report, err);
  out_report->contractions_named = 0;
  return code;
}

static void unload_segfault(assay_loaded *loaded) {
  (void)raise(SIGSEGV);
  free(loaded);
}

static assay_code supports_nothing(const assay_device *device, const assay_program *program,
                                   assay_error *err) {
  (void)device;
  (void)program;
  return assay_fail(err, ASSAY_UNSUPPORTED, "it is Sunday");
}

// What differs from the honest backend; the rest is filled in by assay_faulty_backend.
static const assay_backend backends[] = {
    {.name = "honest"},
    {.name = "wrong element", .run = run_wrong_element},
    {.name = "imprecise", .run = run_imprecise},
    {.name = "last k dropped", .run = run_last_k_dropped},
    {.name = "wears out", .run = run_wearing_out},
    {.name = "nan", .run = run_nan},
    {.name = "past the end", .run = run_past_the_end},
    {.name = "later past the end", .run = run_later_past_the_end},
    {.name = "before the start", .run = run_before_the_start},
    {.name = "changed input", .run = run_changed_input},
    {.name = "changed last input", .run = run_changed_last_input},
    {.name = "nondeterministic", .run = run_nondeterministic},
    {.name = "unwritten", .run = run_unwritten},
    {.name = "unfilled", .run = run_unfilled},
    {.name = "below zero", .run = run_below_zero},
    {.name = "fallback", .run = run_fallback},
    {.name = "tf32", .run = run_tf32},
    {.name = "bf16", .run = run_bf16},
    {.name = "error", .run = run_error},
    {.name = "segfault", .run = run_segfault},
    {.name = "abort", .run = run_abort},
    {.name = "exit 0", .run = run_exit_0},
    {.name = "exit 3", .run = run_exit_3},
    {.name = "endless", .run = run_endless},
    {.name = "hungry", .run = run_hungry},
    {.name = "talkative", .run = run_talkative},
    {.name = "forking", .run = run_forking},
    {.name = "load segfault", .load = load_segfault},
    {.name = "load endless", .load = load_endless},
    {.name = "load error", .load = load_error},
    {.name = "unnamed", .load = load_unnamed},
    {.name = "unload segfault", .unload = unload_segfault},
    {.name = "unsupported", .supports = supports_nothing},
};

assay_backend assay_faulty_backend(const char *name) {
  const assay_backend *found = NULL;
  for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++)
    if (strcmp(backends[i].name, name) == 0)
      found = &backends[i];
  if (found == NULL)
    abort();
  assay_backend made = *found;
  made.takes_contractions = true;
  made.open = open_any;
  made.close = close_any;
  made.supports = made.supports != NULL ? made.supports : supports_matmul;
  made.load = made.load != NULL ? made.load : load_any;
  made.run = made.run != NULL ? made.run : run_honest;
  made.unload = made.unload != NULL ? made.unload : unload_any;
  return made;
}
