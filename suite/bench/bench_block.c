// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// bench_block: GPT-2's block (T=64, C=768, 12 heads, float32, scores=f32) compiled and run by each
// backend, beside the same block in NumPy, one thread each.
//
// NumPy runs in a process of its own (numpy_block.py) and is asked in turn with the backends, round
// by round, so that a slower moment of the machine meets all; a ratio is the median over the rounds
// of each round's own ratio. NumPy runs with its own BLAS, and with the CBLAS that `blas` calls.
// All must agree on the result before anything is timed.
#include "compiler/backends/support/cpu.h"
#include "compiler/base/numbers.h"
#include "compiler/base/clock.h"
#include "compiler/jit/jit.h"
#include "compiler/runtime/blas.h"
#include "suite/compositions.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { T = 64, C = 768, HEADS = 12, ROUNDS = 31, COMPILES = 5, ARGUMENTS = 13 };

static const assay_argument arguments[ARGUMENTS] = {
    {ASSAY_F32, {2, {T, C}}},     {ASSAY_F32, {1, {C}}},     {ASSAY_F32, {1, {C}}},
    {ASSAY_F32, {2, {C, 3 * C}}}, {ASSAY_F32, {1, {3 * C}}}, {ASSAY_F32, {2, {C, C}}},
    {ASSAY_F32, {1, {C}}},        {ASSAY_F32, {1, {C}}},     {ASSAY_F32, {1, {C}}},
    {ASSAY_F32, {2, {C, 4 * C}}}, {ASSAY_F32, {1, {4 * C}}}, {ASSAY_F32, {2, {4 * C, C}}},
    {ASSAY_F32, {1, {C}}},
};

static int trace(assay_graph *graph, const assay_value in[], const int64_t parameters[],
                 assay_value results[]) {
  assay_attend_weights first = {in[1], in[2], {in[3], in[4], in[5], in[6]}};
  assay_feedforward_weights second = {in[7], in[8], in[9], in[10], in[11], in[12]};
  assay_attention_form form = {.heads = parameters[0], .masked = true};
  results[0] = assay_gpt2_block(graph, in[0], &first, &second, form);
  return 1;
}

static const assay_function block = {
    .name = "gpt2_block",
    .argument_names = {"x", "gain", "bias", "qkv_weight", "qkv_bias", "out_weight", "out_bias",
                       "gain2", "bias2", "up_weight", "up_bias", "down_weight", "down_bias"},
    .argument_count = ARGUMENTS,
    .parameter_names = {"heads"},
    .parameter_count = 1,
    .trace = trace,
};

static void stop(const char *text) {
  fprintf(stderr, "bench_block: error: %s\n", text);
  exit(EXIT_FAILURE);
}

static void stop_on(assay_code code, const assay_error *err) {
  if (code != ASSAY_OK)
    stop(err->text);
}

static double median(const double values[], int count) {
  double sorted[ROUNDS];
  memcpy(sorted, values, (size_t)count * sizeof values[0]);
  assay_numbers_sort(sorted, (size_t)count);
  return sorted[count / 2];
}

static size_t size_of(const assay_argument *argument) {
  size_t count = 1;
  for (int i = 0; i < argument->shape.rank; i++)
    count *= (size_t)argument->shape.dim[i];
  return count * sizeof(float);
}

// Numbers in [-s, s) by a linear congruential generator; s: 1, and for weights 1/sqrt of their
// rows, which keeps every value of the block near 1.
static float *take_tensor(const assay_argument *argument) {
  static uint32_t state = 1;
  size_t size = size_of(argument);
  float scale = argument->shape.rank == 2 && argument->shape.dim[0] != T
                    ? 1.0F / sqrtf((float)argument->shape.dim[0])
                    : 1.0F;
  float *data = aligned_alloc(64, (size + 63) / 64 * 64);
  if (data == NULL)
    stop("out of memory");
  for (size_t i = 0; i < size / sizeof *data; i++) {
    state = state * 1664525U + 1013904223U;
    data[i] = scale * ((float)(state >> 8) / 8388608.0F - 1.0F);
  }
  return data;
}

// The peer.

typedef struct peer {
  FILE *to, *from;
  pid_t id;
} peer;

static peer start_peer(const char *library) {
  int to[2], from[2];
  if (pipe(to) != 0 || pipe(from) != 0)
    stop("cannot make a pipe");
  pid_t id = fork();
  if (id < 0)
    stop("cannot fork");
  if (id == 0) {
    dup2(to[0], STDIN_FILENO);
    dup2(from[1], STDOUT_FILENO);
    close(to[1]);
    close(from[0]);
    // An interpreter finds its venv by the name that it is called by.
    static const char python[] = ASSAY_SOURCE_DIR "/.venv/bin/python";
    execl(python, python, "-I", ASSAY_SOURCE_DIR "/suite/bench/numpy_block.py", "64", "768", "12",
          library, (char *)NULL);
    _exit(EXIT_FAILURE);
  }
  close(to[0]);
  close(from[1]);
  return (peer){.to = fdopen(to[1], "w"), .from = fdopen(from[0], "r"), .id = id};
}

static void send_inputs(peer *who, const assay_buffer inputs[ARGUMENTS]) {
  for (int i = 0; i < ARGUMENTS; i++)
    fwrite(inputs[i].data, 1, size_of(&arguments[i]), who->to);
  fflush(who->to);
}

static double ask(peer *who, const char *word) {
  char line[64];
  fprintf(who->to, "%s\n", word);
  fflush(who->to);
  if (fgets(line, sizeof line, who->from) == NULL)
    stop("NumPy's process ended; is .venv there (ci/setup)?");
  return strtod(line, NULL);
}

static void fetch(peer *who, float result[T * C]) {
  fputs("result\n", who->to);
  fflush(who->to);
  if (fread(result, sizeof *result, T * C, who->from) != T * C)
    stop("NumPy's process ended");
}

static void stop_peer(peer *who) {
  fclose(who->to);
  fclose(who->from);
  waitpid(who->id, NULL, 0);
}

// The backends.

typedef struct contender {
  const char *name;
  assay_device *device;
  assay_jit *jit; // of the last compilation
  const assay_compiled *compiled;
  double compile; // seconds, median
  double run[ROUNDS];
} contender;

static contender prepare(const assay_context *context, const char *name) {
  contender made = {.name = name};
  const assay_backend *const *backend = assay_backends_get();
  assay_error err;
  double seconds[COMPILES];
  while (strcmp((*backend)->name, name) != 0)
    backend++;
  stop_on((*backend)->open(context, &made.device, &err), &err);
  assay_cpu_set_loading(made.device, (assay_loading){.unguarded = true});
  for (int i = 0; i < COMPILES; i++) {
    assay_jit_destroy(made.jit);
    made.jit = assay_jit_create(*backend, made.device);
    double start = assay_clock_now();
    stop_on(
        assay_jit_specialise(made.jit, &block, arguments, &(int64_t){HEADS}, &made.compiled, &err),
        &err);
    seconds[i] = assay_clock_now() - start;
  }
  made.compile = median(seconds, COMPILES);
  return made;
}

static double run(const contender *who, const assay_buffer inputs[], float result[T * C]) {
  assay_buffer out = {.data = result, .dtype = ASSAY_F32, .shape = arguments[0].shape};
  assay_counters counters;
  assay_error err;
  double start = assay_clock_now();
  stop_on(assay_compiled_run(who->compiled, inputs, &out, &counters, &err), &err);
  return assay_clock_now() - start;
}

static void demand_equal(const char *name, const float got[T * C], const float want[T * C]) {
  for (int i = 0; i < T * C; i++)
    if (!(fabsf(got[i] - want[i]) <= 1e-3F)) {
      fprintf(stderr, "bench_block: error: %s has %g at %d where NumPy has %g\n", name,
              (double)got[i], i, (double)want[i]);
      exit(EXIT_FAILURE);
    }
}

static void print_row(const char *name, const double seconds[], const double same[],
                      const double own[]) {
  double to_same[ROUNDS], to_own[ROUNDS];
  for (int i = 0; i < ROUNDS; i++) {
    to_same[i] = seconds[i] / same[i];
    to_own[i] = seconds[i] / own[i];
  }
  printf("%-24s %8.2f %16.2f %16.2f", name, 1e3 * median(seconds, ROUNDS), median(to_same, ROUNDS),
         median(to_own, ROUNDS));
}

static void time_all(contender *const who[2], peer *numpy, const assay_buffer inputs[],
                     float result[T * C]) {
  static double same[ROUNDS], own[ROUNDS];
  for (int round = 0; round < ROUNDS; round++) {
    same[round] = ask(numpy, "same");
    who[0]->run[round] = run(who[0], inputs, result);
    own[round] = ask(numpy, "own");
    who[1]->run[round] = run(who[1], inputs, result);
  }
  printf("%-24s %8s %16s %16s %12s\n", "GPT-2 block, T=64", "ms", "/ NumPy same", "/ NumPy own",
         "compile ms");
  for (int i = 0; i < 2; i++) {
    print_row(who[i]->name, who[i]->run, same, own);
    printf(" %12.0f\n", 1e3 * who[i]->compile);
  }
  print_row("NumPy with the same BLAS", same, same, own);
  putchar('\n');
  print_row("NumPy with its own BLAS", own, same, own);
  putchar('\n');
}

int main(void) {
  static float result[T * C], want[T * C];
  assay_context *context;
  assay_blas blas;
  assay_error err;
  assay_buffer inputs[ARGUMENTS];
  setenv("OPENBLAS_NUM_THREADS", "1", 1); // NumPy's
  assay_blas_set_threads(1);
  stop_on(assay_blas_describe(&blas, &err), &err);
  stop_on(assay_context_create(&context, &err), &err);
  for (int i = 0; i < ARGUMENTS; i++)
    inputs[i] = (assay_buffer){
        .data = take_tensor(&arguments[i]), .dtype = ASSAY_F32, .shape = arguments[i].shape};
  peer numpy = start_peer(blas.library);
  send_inputs(&numpy, inputs);
  ask(&numpy, "own");
  fetch(&numpy, want);
  ask(&numpy, "same");
  fetch(&numpy, result);
  demand_equal("NumPy with the same BLAS", result, want);
  contender by_blas = prepare(context, "blas"), by_loop = prepare(context, "loop");
  contender *const both[2] = {&by_blas, &by_loop};
  for (int i = 0; i < 2; i++) {
    run(both[i], inputs, result);
    demand_equal(both[i]->name, result, want);
  }
  printf("float32, scores=f32, one thread each; same: %s (%s)\n", blas.library, blas.core);
  time_all(both, &numpy, inputs, result);
  stop_peer(&numpy);
  for (int i = 0; i < 2; i++) {
    assay_jit_destroy(both[i]->jit);
    assay_cpu_close(both[i]->device);
  }
  for (int i = 0; i < ARGUMENTS; i++)
    free(inputs[i].data);
  assay_context_destroy(context);
  return EXIT_SUCCESS;
}
