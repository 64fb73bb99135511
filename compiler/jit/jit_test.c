// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Specialisation and threads, on a function that splits a matrix's columns into heads: each head is
// multiplied with itself transposed, scaled by the count of heads.
#include "compiler/jit/jit.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { ROWS = 3, COLUMNS = 12, MAX_RESULTS = COLUMNS * ROWS * ROWS };

static int trace_scores(assay_graph *graph, const assay_value argument[], const int64_t parameter[],
                        assay_value results[]) {
  int64_t heads = parameter[0];
  assay_shape shape = assay_value_shape(graph, argument[0]);
  assay_shape split = assay_shape_make(3, shape.dim[0], heads, shape.dim[1] / heads);
  assay_value x =
      assay_transpose(graph, assay_reshape(graph, argument[0], split), 3, (int[]){1, 0, 2});
  assay_value squares =
      assay_batch_matmul(graph, x, assay_transpose(graph, x, 3, (int[]){0, 2, 1}));
  results[0] = assay_multiply(graph, squares, assay_weak_int(graph, heads));
  return 1;
}

static const assay_function scores = {.name = "scores",
                                      .argument_count = 1,
                                      .parameter_count = 1,
                                      .argument_names = {"x"},
                                      .parameter_names = {"heads"},
                                      .trace = trace_scores};

typedef struct fixture {
  assay_context *context;
  const assay_backend *backend;
  assay_device *device;
  assay_jit *jit;
} fixture;

static int setup(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assay_error err;
  if (f == NULL || assay_context_create(&f->context, &err) != ASSAY_OK)
    return 1;
  for (const assay_backend *const *at = assay_backends_get(); *at != NULL; at++)
    if (strcmp((*at)->name, "loop") == 0)
      f->backend = *at;
  if (f->backend->open(f->context, &f->device, &err) != ASSAY_OK)
    return 1;
  f->jit = assay_jit_create(f->backend, f->device);
  *state = f;
  return 0;
}

static int teardown(void **state) {
  fixture *f = *state;
  assay_jit_destroy(f->jit);
  f->backend->close(f->device);
  assay_context_destroy(f->context);
  free(f);
  return 0;
}

static assay_argument matrix(assay_dtype dtype, int64_t rows, int64_t columns) {
  return (assay_argument){dtype, assay_shape_make(2, rows, columns)};
}

static const assay_compiled *specialise(fixture *f, assay_argument x, int64_t heads) {
  const assay_compiled *compiled = NULL;
  assay_error err = {.text = ""};
  assay_code code = assay_jit_specialise(f->jit, &scores, &x, &heads, &compiled, &err);
  assert_string_equal(err.text, "");
  assert_int_equal(code, ASSAY_OK);
  return compiled;
}

static void equal_keys_compile_once_and_changed_ones_once_each(void **state) {
  fixture *f = *state;
  assert_int_equal(assay_jit_compiles(f->jit), 0);
  const assay_compiled *first = specialise(f, matrix(ASSAY_F32, ROWS, COLUMNS), 2);
  assert_int_equal(assay_jit_compiles(f->jit), 1);
  assert_ptr_equal(specialise(f, matrix(ASSAY_F32, ROWS, COLUMNS), 2), first);
  assert_int_equal(assay_jit_compiles(f->jit), 1);
  (void)specialise(f, matrix(ASSAY_F32, ROWS, COLUMNS), 3);
  assert_int_equal(assay_jit_compiles(f->jit), 2);
  (void)specialise(f, matrix(ASSAY_F64, ROWS, COLUMNS), 3);
  assert_int_equal(assay_jit_compiles(f->jit), 3);
  (void)specialise(f, matrix(ASSAY_F64, ROWS + 1, COLUMNS), 3);
  assert_int_equal(assay_jit_compiles(f->jit), 4);
  assay_function other = scores;
  const assay_compiled *compiled;
  assay_argument x = matrix(ASSAY_F32, ROWS, COLUMNS);
  assay_error err;
  assert_int_equal(assay_jit_specialise(f->jit, &other, &x, &(int64_t){2}, &compiled, &err),
                   ASSAY_OK);
  assert_int_equal(assay_jit_compiles(f->jit), 5);
  assert_ptr_equal(specialise(f, matrix(ASSAY_F32, ROWS, COLUMNS), 2), first);
  assert_int_equal(assay_jit_compiles(f->jit), 5);
}

static void a_broken_rule_names_the_function_and_is_not_kept(void **state) {
  fixture *f = *state;
  const assay_compiled *compiled = NULL;
  assay_argument x = matrix(ASSAY_F32, ROWS, COLUMNS);
  for (int again = 0; again < 2; again++) {
    assay_error err = {.text = ""};
    assert_int_equal(assay_jit_specialise(f->jit, &scores, &x, &(int64_t){5}, &compiled, &err),
                     ASSAY_INVALID);
    assert_string_equal(err.text,
                        "scores(heads=5): reshape: 3x12xf32 to 3x5x2: the count of elements "
                        "must stay the same, found 36 and 30");
    assert_null(compiled);
    assert_int_equal(assay_jit_compiles(f->jit), 0);
  }
}

typedef struct caller {
  fixture *fixture;
  int number;
  bool right;
} caller;

static bool run_right(const assay_compiled *compiled, int heads, float start) {
  _Alignas(64) float x[ROWS * COLUMNS], got[MAX_RESULTS];
  for (int i = 0; i < ROWS * COLUMNS; i++)
    x[i] = start + (float)(i % 7);
  assay_buffer input = {x, ASSAY_F32, assay_shape_make(2, ROWS, COLUMNS)};
  assay_buffer result = {got, ASSAY_F32, assay_shape_make(3, heads, ROWS, ROWS)};
  assay_counters counters;
  assay_error err;
  if (assay_compiled_run(compiled, &input, &result, &counters, &err) != ASSAY_OK)
    return false;
  int depth = COLUMNS / heads;
  for (int i = 0; i < heads * ROWS * ROWS; i++) {
    int head = i / (ROWS * ROWS), row = i / ROWS % ROWS, column = i % ROWS;
    float sum = 0;
    for (int k = 0; k < depth; k++)
      sum += x[row * COLUMNS + head * depth + k] * x[column * COLUMNS + head * depth + k];
    if (!(got[i] == sum * (float)heads))
      return false;
  }
  return true;
}

// Each thread asks for the same three specialisations and runs them on numbers of its own.
static void *call(void *data) {
  caller *it = data;
  it->right = true;
  for (int i = 0; i < 60; i++) {
    int heads = 1 + i % 3;
    const assay_compiled *compiled;
    assay_argument x = matrix(ASSAY_F32, ROWS, COLUMNS);
    assay_error err;
    assay_code code =
        assay_jit_specialise(it->fixture->jit, &scores, &x, &(int64_t){heads}, &compiled, &err);
    it->right = it->right && code == ASSAY_OK && run_right(compiled, heads, (float)it->number);
  }
  return NULL;
}

static void several_threads_share_what_is_compiled(void **state) {
  enum { THREADS = 4 };
  pthread_t threads[THREADS];
  caller callers[THREADS];
  for (int i = 0; i < THREADS; i++) {
    callers[i] = (caller){*state, i, false};
    assert_int_equal(pthread_create(&threads[i], NULL, call, &callers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_true(callers[i].right);
  }
  assert_int_equal(assay_jit_compiles(((fixture *)*state)->jit), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(equal_keys_compile_once_and_changed_ones_once_each, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(a_broken_rule_names_the_function_and_is_not_kept, setup,
                                      teardown),
      cmocka_unit_test_setup_teardown(several_threads_share_what_is_compiled, setup, teardown),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
