// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Every backend against a plain evaluation of the program, node by node. Inputs are small whole
// numbers, so that all dtypes and orders of summation give the same values, and results start as
// poison.
#include "compiler/backends/backend.h"
#include "compiler/backends/support/cpu.h"
#include "compiler/language/operation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MAX_NODES = 32, MAX_ARGUMENTS = 4 };

typedef struct fixture {
  assay_context *context;
  assay_device *device[8]; // as in the table of backends; NULL where one is missing here
} fixture;

static int open_all(void **state) {
  static fixture all; // of the test program's one process
  assay_error err;
  assert_int_equal(assay_context_create(&all.context, &err), ASSAY_OK);
  const assay_backend *const *backends = assay_backends_get();
  for (int i = 0; backends[i] != NULL; i++) {
    assay_code code = backends[i]->open(all.context, &all.device[i], &err);
    if (code == ASSAY_MISSING)
      all.device[i] = NULL;
    else
      assert_int_equal(code, ASSAY_OK);
  }
  *state = &all;
  return 0;
}

static int close_all(void **state) {
  fixture *all = *state;
  for (int i = 0; assay_backends_get()[i] != NULL; i++)
    assay_backends_get()[i]->close(all->device[i]);
  assay_context_destroy(all->context);
  return 0;
}

// ---- plain evaluation: every element as a double, which holds all values here exactly ----

typedef struct values {
  double *node[MAX_NODES];
} values;

static int64_t flatten(const assay_shape *shape, const int64_t index[]) {
  int64_t at = 0;
  for (int axis = 0; axis < shape->rank; axis++)
    at = at * shape->dim[axis] + index[axis];
  return at;
}

static void unflatten(const assay_shape *shape, int64_t at, int64_t index[]) {
  for (int axis = shape->rank - 1; axis >= 0; axis--) {
    index[axis] = at % shape->dim[axis];
    at /= shape->dim[axis];
  }
}

// The element of a broadcast operand that belongs to an index of the result.
static double broadcast(const assay_node *operand, const double *data, const assay_shape *shape,
                        const int64_t index[]) {
  int64_t own[ASSAY_MAX_RANK];
  int ahead = shape->rank - operand->shape.rank;
  for (int axis = 0; axis < operand->shape.rank; axis++)
    own[axis] = operand->shape.dim[axis] == 1 ? 0 : index[axis + ahead];
  return data[flatten(&operand->shape, own)];
}

static double contract(const assay_program *program, const assay_node *node, const values *all,
                       const int64_t index[]) {
  const assay_shape *a = &program->nodes[node->operand[0]].shape;
  const assay_shape *b = &program->nodes[node->operand[1]].shape;
  int last = a->rank - 1;
  int64_t left[ASSAY_MAX_RANK], right[ASSAY_MAX_RANK];
  memcpy(left, index, sizeof left);
  memcpy(right, index, sizeof right);
  double sum = 0;
  for (int64_t k = 0; k < a->dim[last]; k++) {
    left[last] = k;
    right[last - 1] = k;
    sum += all->node[node->operand[0]][flatten(a, left)] *
           all->node[node->operand[1]][flatten(b, right)];
  }
  return sum;
}

static double element(const assay_program *program, const assay_node *node, const values *all,
                      int64_t at) {
  const char *name = node->operation->name;
  const assay_node *x = &program->nodes[node->operand[0]];
  const double *data = all->node[node->operand[0]];
  int64_t index[ASSAY_MAX_RANK] = {0}, source[ASSAY_MAX_RANK] = {0};
  unflatten(&node->shape, at, index);
  if (node->operation->contraction)
    return contract(program, node, all, index);
  if (strcmp(name, "cast") == 0 || strcmp(name, "reshape") == 0)
    return data[at];
  if (strcmp(name, "add") == 0)
    return broadcast(x, data, &node->shape, index) + broadcast(&program->nodes[node->operand[1]],
                                                               all->node[node->operand[1]],
                                                               &node->shape, index);
  for (int axis = 0; axis < node->shape.rank; axis++) {
    if (strcmp(name, "slice") == 0)
      source[axis] = index[axis] + node->attribute.range[axis].start;
    else if (strcmp(name, "transpose") == 0)
      source[node->attribute.permutation[axis]] = index[axis];
    else
      fail_msg("this test cannot evaluate '%s'", name);
  }
  return data[flatten(&x->shape, source)];
}

static void evaluate(const assay_program *program, values *all) {
  assert_true(program->node_count <= MAX_NODES);
  for (int number = 0; number < program->node_count; number++) {
    const assay_node *node = &program->nodes[number];
    int64_t count = assay_shape_count(&node->shape);
    all->node[number] = calloc((size_t)count, sizeof(double));
    for (int64_t i = 0; i < count; i++)
      all->node[number][i] = strcmp(node->operation->name, "input") == 0
                                 ? (double)((i * 7 + number * 5) % 17 - 8)
                                 : element(program, node, all, i);
  }
}

// ---- running ----

static double get(const void *data, assay_dtype dtype, int64_t at) {
  switch (dtype) {
  case ASSAY_F64:
    return ((const double *)data)[at];
  case ASSAY_F32:
    return ((const float *)data)[at];
  case ASSAY_I64:
    return (double)((const int64_t *)data)[at];
  default:
    return ((const int32_t *)data)[at];
  }
}

static void put(void *data, assay_dtype dtype, int64_t at, double value) {
  switch (dtype) {
  case ASSAY_F64:
    ((double *)data)[at] = value;
    break;
  case ASSAY_F32:
    ((float *)data)[at] = (float)value;
    break;
  case ASSAY_I64:
    ((int64_t *)data)[at] = (int64_t)value;
    break;
  default:
    ((int32_t *)data)[at] = (int32_t)value;
  }
}

static assay_buffer take_buffer(const assay_node *node, const double *content) {
  assay_buffer buffer = {.dtype = node->dtype, .shape = node->shape};
  int64_t count = assay_shape_count(&node->shape);
  size_t bytes = (size_t)count * assay_dtype_get(node->dtype)->size;
  buffer.data = aligned_alloc(64, (bytes + 63) / 64 * 64);
  memset(buffer.data, 0xff, bytes);
  for (int64_t i = 0; content != NULL && i < count; i++)
    put(buffer.data, node->dtype, i, content[i]);
  return buffer;
}

static void expect(const char *backend, const assay_buffer *buffer, const double *want) {
  for (int64_t i = 0; i < assay_shape_count(&buffer->shape); i++) {
    double got = get(buffer->data, buffer->dtype, i);
    if (!(got == want[i]))
      fail_msg("%s: element %d is %g, expected %g", backend, (int)i, got, want[i]);
  }
}

static void run_once(const assay_backend *backend, assay_loaded *loaded,
                     const assay_program *program, const values *all, assay_counters *counters) {
  assay_buffer inputs[MAX_ARGUMENTS], results[MAX_ARGUMENTS];
  for (int i = 0; i < program->input_count; i++)
    inputs[i] = take_buffer(&program->nodes[program->inputs[i]], all->node[program->inputs[i]]);
  for (int i = 0; i < program->result_count; i++)
    results[i] = take_buffer(&program->nodes[program->results[i]], NULL);
  assay_error err = {.text = ""};
  assay_code code = backend->run(loaded, inputs, results, counters, &err);
  if (code != ASSAY_OK)
    fail_msg("%s: %s", backend->name, err.text);
  for (int i = 0; i < program->result_count; i++)
    expect(backend->name, &results[i], all->node[program->results[i]]);
  for (int i = 0; i < program->input_count; i++) // not written to
    expect(backend->name, &inputs[i], all->node[program->inputs[i]]);
  for (int i = 0; i < program->input_count; i++)
    free(inputs[i].data);
  for (int i = 0; i < program->result_count; i++)
    free(results[i].data);
}

static assay_loaded *load(const assay_backend *backend, assay_device *device,
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
static void check_on(const assay_backend *backend, assay_device *device,
                     const assay_program *program, const values *all) {
  assay_object object = {.bytes = NULL};
  assay_load_report report;
  assay_counters counters;
  assay_contractions contractions = assay_program_contractions(program);
  assay_loaded *loaded = load(backend, device, program, &object, &report);
  assert_int_equal(report.contractions_named, contractions.all);
  assert_true(report.seconds_compile > 0);
  for (int run = 0; run < 2; run++) {
    run_once(backend, loaded, program, all, &counters);
    assert_int_equal(counters.compiles, 1);
    bool blas = strcmp(backend->name, "blas") == 0;
    assert_int_equal(counters.blas_calls, blas ? contractions.floating : 0);
  }
  backend->unload(loaded);
  loaded = load(backend, device, program, &object, &report);
  assert_true(report.seconds_compile == 0);
  run_once(backend, loaded, program, all, &counters);
  assert_int_equal(counters.compiles, 0);
  backend->unload(loaded);
  free(object.bytes);
}

static void check_program(const fixture *all, const assay_program *program) {
  values expected = {.node = {NULL}};
  evaluate(program, &expected);
  for (int i = 0; assay_backends_get()[i] != NULL; i++)
    if (all->device[i] != NULL)
      check_on(assay_backends_get()[i], all->device[i], program, &expected);
  for (int i = 0; i < program->node_count; i++)
    free(expected.node[i]);
}

static void check_graph(const fixture *all, assay_graph *graph, int count,
                        const assay_value results[]) {
  const assay_program *program;
  assay_error err = {.text = ""};
  if (assay_graph_finish(graph, count, results, &program, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  check_program(all, program);
}

// ---- the programs ----

static void check_matmul(const fixture *all, assay_dtype a_dtype, assay_dtype b_dtype, int64_t m,
                         int64_t k, int64_t n) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", a_dtype, assay_shape_make(2, m, k));
  assay_value b = assay_input(graph, "b", b_dtype, assay_shape_make(2, k, n));
  assay_value c = assay_matmul(graph, a, b);
  check_graph(all, graph, 1, &c);
  assay_arena_destroy(arena);
}

// On both sides of the unrolling by 4 and of vectors of 4, 8 and 16, and each size 1.
static void matmuls_of_odd_shapes(void **state) {
  static const int64_t shapes[][3] = {{3, 5, 7},    {1, 5, 7},    {3, 1, 7},   {3, 5, 1},
                                      {1, 1, 1},    {4, 4, 16},   {5, 3, 17},  {6, 7, 33},
                                      {31, 17, 65}, {17, 65, 31}, {2, 127, 3}, {64, 64, 64}};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    check_matmul(*state, ASSAY_F32, ASSAY_F32, shapes[i][0], shapes[i][1], shapes[i][2]);
}

static void matmuls_of_all_dtypes(void **state) {
  for (int a = 0; a < ASSAY_DTYPE_COUNT; a++)
    for (int b = 0; b < ASSAY_DTYPE_COUNT; b++)
      check_matmul(*state, (assay_dtype)a, (assay_dtype)b, 7, 9, 18);
}

typedef struct operand_view {
  bool sliced, transposed;
} operand_view;

// A batch x rows x columns operand (or without batch), out of an input of another shape.
static assay_value view_operand(assay_graph *graph, const char *name, assay_dtype dtype,
                                assay_shape shape, operand_view view) {
  int rank = shape.rank, last = rank - 1;
  assay_range ranges[ASSAY_MAX_RANK];
  int permutation[ASSAY_MAX_RANK];
  assay_shape stored = shape;
  for (int axis = 0; axis < rank; axis++)
    permutation[axis] = axis;
  if (view.transposed) {
    permutation[last] = last - 1;
    permutation[last - 1] = last;
    stored.dim[last] = shape.dim[last - 1];
    stored.dim[last - 1] = shape.dim[last];
  }
  for (int axis = 0; axis < rank; axis++) {
    ranges[axis] = (assay_range){1 + axis, 1 + axis + stored.dim[axis], 1};
    stored.dim[axis] += view.sliced ? 5 : 0;
  }
  assay_value value = assay_input(graph, name, dtype, stored);
  if (view.sliced)
    value = assay_slice(graph, value, rank, ranges);
  return view.transposed ? assay_transpose(graph, value, rank, permutation) : value;
}

static void check_views(const fixture *all, assay_dtype dtype, int rank, int views) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_shape a = assay_shape_make(2, 6, 5), b = assay_shape_make(2, 5, 9);
  if (rank == 3) {
    a = assay_shape_make(3, 3, 6, 5);
    b = assay_shape_make(3, 3, 5, 9);
  }
  assay_value left = view_operand(graph, "a", dtype, a, (operand_view){views & 1, views & 2});
  assay_value right = view_operand(graph, "b", dtype, b, (operand_view){views & 4, views & 8});
  assay_value c =
      rank == 3 ? assay_batch_matmul(graph, left, right) : assay_matmul(graph, left, right);
  check_graph(all, graph, 1, &c);
  assay_arena_destroy(arena);
}

static void matmuls_of_all_views(void **state) {
  for (int views = 0; views < 16; views++)
    check_views(*state, ASSAY_F32, 2, views);
}

static void batch_matmuls_of_all_views(void **state) {
  for (int views = 0; views < 16; views++)
    check_views(*state, views % 3 == 0 ? ASSAY_I64 : ASSAY_F64, 3, views);
}

// The result's own views, the operand's reshape and a permutation that moves the batch.
static void results_that_are_views(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(3, 6, 2, 5));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, 2, 35));
  assay_value heads = assay_transpose(graph, a, 3, (int[]){1, 0, 2});
  assay_value folded = assay_reshape(graph, b, assay_shape_make(3, 2, 5, 7));
  assay_value c = assay_batch_matmul(graph, heads, folded);
  const assay_range part[] = {{1, 2, 1}, {1, 6, 1}, {2, 7, 1}};
  const assay_value results[] = {
      c,
      assay_transpose(graph, c, 3, (int[]){0, 2, 1}),
      assay_slice(graph, c, 3, part),
      assay_reshape(graph, c, assay_shape_make(2, 12, 7)),
  };
  check_graph(*state, graph, 4, results);
  assay_arena_destroy(arena);
}

static void results_that_are_inputs(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_I32, assay_shape_make(2, 4, 6));
  const assay_range part[] = {{1, 3, 1}, {2, 5, 1}};
  const assay_value results[] = {a, assay_slice(graph, a, 2, part),
                                 assay_reshape(graph, a, assay_shape_make(1, 24)), a};
  check_graph(*state, graph, 4, results);
  assay_arena_destroy(arena);
}

// One buffer under several names: the same value, and views that a compiler finds to be no change.
static void results_that_are_the_same(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 4, 6));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, 6, 3));
  assay_value c = assay_matmul(graph, a, b);
  const assay_range whole[] = {{0, 4, 1}, {0, 3, 1}};
  const assay_value results[][3] = {
      {c, c, assay_transpose(graph, c, 2, (int[]){0, 1})},
      {c, assay_reshape(graph, c, assay_shape_make(1, 12)), c},
      {assay_slice(graph, c, 2, whole), c, assay_reshape(graph, c, assay_shape_make(2, 4, 3))},
  };
  for (int i = 0; i < 3; i++)
    check_graph(*state, graph, 3, results[i]);
  assay_arena_destroy(arena);
}

// x @ w + bias, and a second product of the first one's result with itself transposed.
static void chains_of_contractions(void **state) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_F64, assay_shape_make(2, 5, 3));
  assay_value w = assay_input(graph, "w", ASSAY_F32, assay_shape_make(2, 3, 6));
  assay_value bias = assay_input(graph, "bias", ASSAY_I32, assay_shape_make(1, 6));
  assay_value linear = assay_add(graph, assay_matmul(graph, x, w), bias);
  assay_value other = assay_transpose(graph, linear, 2, (int[]){1, 0});
  const assay_value results[] = {assay_matmul(graph, linear, other), linear};
  check_graph(*state, graph, 2, results);
  assay_arena_destroy(arena);
}

static void the_table_is_sorted_and_complete(void **state) {
  (void)state;
  const assay_backend *const *backends = assay_backends_get();
  assert_string_equal(backends[0]->name, "blas");
  assert_string_equal(backends[1]->name, "loop");
  assert_null(backends[2]);
}

static void bytes_that_are_no_object_are_refused(void **state) {
  const fixture *all = *state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 2, 2));
  const assay_program *program;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 1, &a, &program, &err), ASSAY_OK);
  char text[] = "this is no object file";
  assay_object object = {text, sizeof text};
  assay_loaded *loaded;
  assay_load_report report;
  int loop = 1; // as in the table
  assert_int_equal(
      assay_backends_get()[loop]->load(all->device[loop], program, &object, &loaded, &report, &err),
      ASSAY_FAILED);
  assert_non_null(strstr(err.text, "an object: "));
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_sorted_and_complete),
      cmocka_unit_test(matmuls_of_odd_shapes),
      cmocka_unit_test(matmuls_of_all_dtypes),
      cmocka_unit_test(matmuls_of_all_views),
      cmocka_unit_test(batch_matmuls_of_all_views),
      cmocka_unit_test(results_that_are_views),
      cmocka_unit_test(results_that_are_inputs),
      cmocka_unit_test(results_that_are_the_same),
      cmocka_unit_test(chains_of_contractions),
      cmocka_unit_test(bytes_that_are_no_object_are_refused),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
