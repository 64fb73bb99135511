// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/jit/jit.h"

#include "compiler/base/text.h"

#include <assert.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

// What a specialisation is compiled for.
typedef struct key {
  const assay_function *function;
  assay_argument *arguments; // in the specialisation's arena
  int64_t parameters[ASSAY_MAX_PARAMETERS];
} key;

struct assay_compiled {
  const assay_backend *backend;
  assay_arena *arena; // of the key and the program
  key key;
  const assay_program *program;
  assay_loaded *loaded;
  assay_compiled *next;
};

struct assay_jit {
  const assay_backend *backend;
  assay_device *device;
  pthread_mutex_t
      lock; // of what follows, and of the device: one specialisation is compiled at a time
  assay_compiled *newest;
  int64_t compiles;
};

assay_jit *assay_jit_create(const assay_backend *backend, assay_device *device) {
  assay_jit *jit = calloc(1, sizeof *jit);
  if (jit == NULL || pthread_mutex_init(&jit->lock, NULL) != 0)
    abort();
  jit->backend = backend;
  jit->device = device;
  return jit;
}

static void destroy(assay_compiled *compiled) {
  compiled->backend->unload(compiled->loaded);
  assay_arena_destroy(compiled->arena);
  free(compiled);
}

void assay_jit_destroy(assay_jit *jit) {
  if (jit == NULL)
    return;
  while (jit->newest != NULL) {
    assay_compiled *next = jit->newest->next;
    destroy(jit->newest);
    jit->newest = next;
  }
  pthread_mutex_destroy(&jit->lock);
  free(jit);
}

static bool is_for(const key *known, const assay_function *function,
                   const assay_argument arguments[], const int64_t parameters[]) {
  if (known->function != function)
    return false;
  for (int i = 0; i < function->argument_count; i++)
    if (known->arguments[i].dtype != arguments[i].dtype ||
        !assay_shape_equal(&known->arguments[i].shape, &arguments[i].shape))
      return false;
  for (int i = 0; i < function->parameter_count; i++)
    if (known->parameters[i] != parameters[i])
      return false;
  return true;
}

static void keep_key(assay_compiled *compiled, const assay_function *function,
                     const assay_argument arguments[], const int64_t parameters[]) {
  size_t count = (size_t)function->argument_count;
  compiled->key.function = function;
  compiled->key.arguments = assay_arena_take(compiled->arena, count + 1, sizeof *arguments);
  for (size_t i = 0; i < count; i++)
    compiled->key.arguments[i] = arguments[i];
  for (int i = 0; i < function->parameter_count; i++)
    compiled->key.parameters[i] = parameters[i];
}

static assay_code trace(assay_compiled *compiled, assay_error *err) {
  const assay_function *function = compiled->key.function;
  assay_graph *graph = assay_graph_create(compiled->arena);
  assay_value arguments[ASSAY_MAX_ARGUMENTS], results[ASSAY_MAX_ARGUMENTS];
  for (int i = 0; i < function->argument_count; i++)
    arguments[i] = assay_input(graph, function->argument_names[i], compiled->key.arguments[i].dtype,
                               compiled->key.arguments[i].shape);
  int count = function->trace(graph, arguments, compiled->key.parameters, results);
  return assay_graph_finish(graph, count, results, &compiled->program, err);
}

static assay_code compile(const assay_jit *jit, assay_compiled *compiled, assay_error *err) {
  TRY(trace(compiled, err));
  TRY(jit->backend->supports(jit->device, compiled->program, err));
  assay_object object = {.bytes = NULL};
  assay_load_report report;
  assay_code code =
      jit->backend->load(jit->device, compiled->program, &object, &compiled->loaded, &report, err);
  free(object.bytes);
  return code;
}

// "attention(heads=5): what was wrong"
static assay_code name_failure(const assay_compiled *compiled, assay_code code, assay_error *err) {
  const assay_function *function = compiled->key.function;
  assay_text text = {.arena = compiled->arena};
  assay_text_print(&text, "%s(", function->name);
  for (int i = 0; i < function->parameter_count; i++)
    assay_text_print(&text, "%s%s=%" PRId64, i > 0 ? ", " : "", function->parameter_names[i],
                     compiled->key.parameters[i]);
  assay_text_print(&text, "): %s", err->text);
  return assay_fail(err, code, "%s", assay_text_get(&text));
}

static assay_code specialise(assay_jit *jit, const assay_function *function,
                             const assay_argument arguments[], const int64_t parameters[],
                             const assay_compiled **out_compiled, assay_error *err) {
  for (const assay_compiled *at = jit->newest; at != NULL; at = at->next) {
    if (is_for(&at->key, function, arguments, parameters)) {
      *out_compiled = at;
      return ASSAY_OK;
    }
  }
  assay_compiled *compiled = calloc(1, sizeof *compiled);
  if (compiled == NULL)
    abort();
  compiled->backend = jit->backend;
  compiled->arena = assay_arena_create();
  keep_key(compiled, function, arguments, parameters);
  assay_code code = compile(jit, compiled, err);
  if (code != ASSAY_OK) {
    code = name_failure(compiled, code, err);
    destroy(compiled);
    return code;
  }
  compiled->next = jit->newest;
  jit->newest = compiled;
  jit->compiles++;
  *out_compiled = compiled;
  return ASSAY_OK;
}

assay_code assay_jit_specialise(assay_jit *jit, const assay_function *function,
                                const assay_argument arguments[], const int64_t parameters[],
                                const assay_compiled **out_compiled, assay_error *err) {
  assert(function->argument_count <= ASSAY_MAX_ARGUMENTS &&
         function->parameter_count <= ASSAY_MAX_PARAMETERS);
  pthread_mutex_lock(&jit->lock);
  assay_code code = specialise(jit, function, arguments, parameters, out_compiled, err);
  pthread_mutex_unlock(&jit->lock);
  return code;
}

int64_t assay_jit_compiles(assay_jit *jit) {
  pthread_mutex_lock(&jit->lock);
  int64_t compiles = jit->compiles;
  pthread_mutex_unlock(&jit->lock);
  return compiles;
}

const assay_program *assay_compiled_program(const assay_compiled *compiled) {
  return compiled->program;
}

assay_code assay_compiled_run(const assay_compiled *compiled, const assay_buffer inputs[],
                              const assay_buffer results[], assay_counters *out_counters,
                              assay_error *err) {
  return compiled->backend->run(compiled->loaded, inputs, results, out_counters, err);
}
