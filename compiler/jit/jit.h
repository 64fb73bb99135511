// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tensor functions compiled as they are called: traced, compiled once for each combination of their
// arguments' shapes and dtypes and their static parameters, and from then on only run.
//
//     static int attention(assay_graph *graph, const assay_value argument[],
//                          const int64_t parameter[], assay_value results[]) { ... }
//
//     const assay_function function = {.name = "attention",
//                                      .argument_names = {"x", "w"}, .argument_count = 2,
//                                      .parameter_names = {"heads"}, .parameter_count = 1,
//                                      .trace = attention};
//     assay_jit_specialise(jit, &function, arguments, &(int64_t){12}, &compiled, err);
//     assay_compiled_run(compiled, inputs, results, &counters, err);
#ifndef ASSAY_COMPILER_JIT_JIT_H
#define ASSAY_COMPILER_JIT_JIT_H

#include "compiler/backends/backend.h"

enum { ASSAY_MAX_PARAMETERS = 8 };

// A function of tensors, written in the tensor language. Parameters are static: their values shape
// the program, and are part of what it is compiled for.
typedef struct assay_function {
  const char *name;
  int argument_count, parameter_count; // at most ASSAY_MAX_ARGUMENTS, ASSAY_MAX_PARAMETERS
  const char *argument_names[ASSAY_MAX_ARGUMENTS];
  const char *parameter_names[ASSAY_MAX_PARAMETERS];
  // Builds the program and names its results, of which there are at most ASSAY_MAX_ARGUMENTS;
  // returns how many. Violations stay in the graph. Must depend on nothing but what it is given.
  int (*trace)(assay_graph *graph, const assay_value arguments[], const int64_t parameters[],
               assay_value results[]);
} assay_function;

// Shape and dtype of an argument.
typedef struct assay_argument {
  assay_dtype dtype;
  assay_shape shape;
} assay_argument;

// What was compiled, for one device. Its functions may be called from several threads at once.
typedef struct assay_jit assay_jit;
// One specialisation; the jit's, and valid as long.
typedef struct assay_compiled assay_compiled;

// The device stays the caller's, and must outlive the jit.
assay_jit *assay_jit_create(const assay_backend *backend, assay_device *device);
void assay_jit_destroy(assay_jit *jit); // NULL is allowed

// The function specialised to as many arguments and parameters as it declares: compiled now, or
// before for the same function (by its address), shapes, dtypes and parameters. Fails as
// assay_graph_finish does where a rule is broken, else as the backend's supports and load do; the
// message is headed by the function's name and the parameters. Failures are not kept.
ASSAY_MUST_USE assay_code assay_jit_specialise(assay_jit *jit, const assay_function *function,
                                               const assay_argument arguments[],
                                               const int64_t parameters[],
                                               const assay_compiled **out_compiled,
                                               assay_error *err);
// How many specialisations it has compiled.
int64_t assay_jit_compiles(assay_jit *jit);

// Its program: the dtypes and shapes of its results among others.
const assay_program *assay_compiled_program(const assay_compiled *compiled);
// Runs it, as the backend's run does.
ASSAY_MUST_USE assay_code assay_compiled_run(const assay_compiled *compiled,
                                             const assay_buffer inputs[],
                                             const assay_buffer results[],
                                             assay_counters *out_counters, assay_error *err);

#endif
