// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For unit tests only: programs run on every backend of a list, against their plain evaluation.
// Includes cmocka.
#ifndef ASSAY_COMPILER_BACKENDS_BACKENDS_TESTING_H
#define ASSAY_COMPILER_BACKENDS_BACKENDS_TESTING_H

#include "compiler/backends/backend.h"
#include "compiler/backends/plain_testing.h"

enum { TEST_BACKENDS = 8 };

typedef struct fixture {
  assay_context *context;
  const assay_backend *const *backends; // ends with NULL; fewer than TEST_BACKENDS
  assay_device *device[TEST_BACKENDS];  // as in the list; NULL where one is missing here
} fixture;

static inline int open_backends(void **state, const assay_backend *const backends[]) {
  static fixture all; // of the test program's one process
  assay_error err;
  assert_int_equal(assay_context_create(&all.context, &err), ASSAY_OK);
  all.backends = backends;
  for (int i = 0; i < TEST_BACKENDS && backends[i] != NULL; i++) {
    assay_code code = backends[i]->open(all.context, &all.device[i], &err);
    if (code == ASSAY_MISSING)
      all.device[i] = NULL;
    else
      assert_int_equal(code, ASSAY_OK);
  }
  *state = &all;
  return 0;
}

// Of the built-in ones.
static inline int open_all(void **state) {
  return open_backends(state, assay_backends_get());
}

static inline int close_all(void **state) {
  fixture *all = *state;
  for (int i = 0; all->backends[i] != NULL; i++)
    all->backends[i]->close(all->device[i]);
  assay_context_destroy(all->context);
  return 0;
}

// How far a result may be from the plain one, in units of the last place of its dtype.
typedef double allowance(const assay_node *node);

static inline double nothing(const assay_node *node) {
  (void)node;
  return 0;
}

// A program with what it is run on and measured by.
typedef struct trial {
  const assay_program *program;
  const plain *expected;
  allowance *ulps;
} trial;

static inline assay_buffer take_buffer(const assay_node *node, const assay_scalar *content) {
  assay_buffer buffer = {.dtype = node->dtype, .shape = node->shape};
  int64_t count = assay_shape_count(&node->shape);
  size_t bytes = (size_t)count * assay_dtype_get(node->dtype)->size;
  buffer.data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset(buffer.data, 0xff, bytes);
  for (int64_t i = 0; content != NULL && i < count; i++)
    plain_put(buffer.data, node->dtype, i, content[i]);
  return buffer;
}

static inline double distance(assay_dtype dtype, double got, double want) {
  if (got == want || (isnan(got) && isnan(want)))
    return 0;
  if (!isfinite(got) || !isfinite(want))
    return INFINITY;
  int exponent, lowest = dtype == ASSAY_F16 ? -13 : dtype == ASSAY_F32 ? -125 : -1021;
  frexp(want, &exponent);
  return ldexp(fabs(got - want),
               assay_dtype_get(dtype)->precision - (exponent > lowest ? exponent : lowest));
}

static inline void expect(const char *backend, const assay_node *node, const assay_buffer *buffer,
                          const assay_scalar *want, double ulps) {
  for (int64_t i = 0; i < assay_shape_count(&buffer->shape); i++) {
    assay_scalar got = plain_get(buffer->data, buffer->dtype, i);
    bool near = assay_dtype_get(buffer->dtype)->floating
                    ? distance(buffer->dtype, got.real, want[i].real) <= ulps
                    : got.integer == want[i].integer;
    if (!near)
      fail_msg("%s: %s of %s: element %d is %.17g (%lld), expected %.17g (%lld)", backend,
               node->operation->name, assay_dtype_get(node->dtype)->name, (int)i, got.real,
               (long long)got.integer, want[i].real, (long long)want[i].integer);
  }
}

static inline void run_once(const assay_backend *backend, assay_loaded *loaded, const trial *it,
                            assay_counters *counters) {
  const assay_program *program = it->program;
  assay_buffer inputs[ASSAY_MAX_ARGUMENTS], results[ASSAY_MAX_ARGUMENTS];
  for (int i = 0; i < program->input_count; i++)
    inputs[i] =
        take_buffer(&program->nodes[program->inputs[i]], it->expected->node[program->inputs[i]]);
  for (int i = 0; i < program->result_count; i++)
    results[i] = take_buffer(&program->nodes[program->results[i]], NULL);
  assay_error err = {.text = ""};
  assay_code code = backend->run(loaded, inputs, results, counters, &err);
  if (code != ASSAY_OK)
    fail_msg("%s: %s", backend->name, err.text);
  for (int i = 0; i < program->result_count; i++) {
    const assay_node *node = &program->nodes[program->results[i]];
    expect(backend->name, node, &results[i], it->expected->node[program->results[i]],
           it->ulps(node));
  }
  for (int i = 0; i < program->input_count; i++) // not written to
    expect(backend->name, &program->nodes[program->inputs[i]], &inputs[i],
           it->expected->node[program->inputs[i]], 0);
  for (int i = 0; i < program->input_count; i++)
    free(inputs[i].data);
  for (int i = 0; i < program->result_count; i++)
    free(results[i].data);
}

static inline assay_loaded *load(const assay_backend *backend, assay_device *device,
                                 const assay_program *program, assay_object *object,
                                 assay_load_report *report) {
  assay_loaded *loaded;
  assay_error err = {.text = ""};
  assert_int_equal(backend->supports(device, program, &err), ASSAY_OK);
  assay_code code = backend->load(device, program, object, &loaded, report, &err);
  if (code != ASSAY_OK)
    fail_msg("%s: %s", backend->name, err.text);
  return loaded;
}

// Compiles, runs twice, loads the object again and runs that.
static inline void check_on(const assay_backend *backend, assay_device *device, const trial *it) {
  assay_object object = {.bytes = NULL};
  assay_load_report report;
  assay_counters counters;
  assay_contractions contractions = assay_program_contractions(it->program);
  assay_loaded *loaded = load(backend, device, it->program, &object, &report);
  assert_int_equal(report.contractions_named, contractions.all);
  assert_true(report.seconds_compile > 0);
  for (int run = 0; run < 2; run++) {
    run_once(backend, loaded, it, &counters);
    assert_int_equal(counters.compiles, 1);
    assert_int_equal(counters.blas_calls, backend->takes_contractions ? contractions.floating : 0);
    assert_int_equal(counters.travels, 0);
    assert_true((counters.launches + counters.blas_calls > 0) || !backend->resident);
  }
  backend->unload(loaded);
  loaded = load(backend, device, it->program, &object, &report);
  assert_true(report.seconds_compile == 0);
  run_once(backend, loaded, it, &counters);
  assert_int_equal(counters.compiles, 0);
  backend->unload(loaded);
  free(object.bytes);
}

// Finishes the graph and checks its program on every backend.
static inline void check_graph(const fixture *all, assay_graph *graph, int count,
                               const assay_value results[], plain_input *input, allowance *ulps) {
  const assay_program *program;
  assay_error err = {.text = ""};
  if (assay_graph_finish(graph, count, results, &program, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  plain expected = {.node = {NULL}};
  plain_evaluate(program, input, &expected);
  for (int i = 0; all->backends[i] != NULL; i++)
    if (all->device[i] != NULL)
      check_on(all->backends[i], all->device[i], &(trial){program, &expected, ulps});
  plain_release(program, &expected);
}

#endif
