// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/graph.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

// A program with everything in it that may differ from another.
typedef struct variant {
  const char *name;       // of the input
  int64_t rows;           // of the input; 6 columns
  int64_t start;          // of the slice of 2 columns
  int64_t batch;          // of the reshaped product
  assay_dtype dtype;      // of the input
  int permutation[2];     // of the slice
  bool swapped, repeated; // operands of the product; the result named twice
} variant;

static const variant plain = {
    .name = "x", .rows = 4, .start = 1, .batch = 2, .dtype = ASSAY_F32, .permutation = {0, 1}};

static const assay_program *build(assay_arena *arena, variant v) {
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, v.name, v.dtype, assay_shape_make(2, v.rows, 6));
  assay_value w = assay_input(graph, "w", v.dtype, assay_shape_make(2, 2, 2));
  assay_value s = assay_slice(graph, x, 2, (assay_range[]){{0, 2, 1}, {v.start, v.start + 2, 1}});
  assay_value t = assay_transpose(graph, s, 2, v.permutation);
  assay_value y = v.swapped ? assay_matmul(graph, w, t) : assay_matmul(graph, t, w);
  assay_value z = assay_reshape(graph, y, assay_shape_make(3, v.batch, 4 / v.batch, 1));
  const assay_program *program = NULL;
  assay_error err;
  assert_int_equal(
      assay_graph_finish(graph, v.repeated ? 2 : 1, (assay_value[]){z, z}, &program, &err),
      ASSAY_OK);
  return program;
}

static void equal_programs_have_equal_fingerprints(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  uint64_t fingerprint = assay_program_fingerprint(build(arena, plain));
  assert_true(fingerprint == assay_program_fingerprint(build(arena, plain)));
  variant renamed = plain;
  renamed.name = "y";
  assert_true(fingerprint == assay_program_fingerprint(build(arena, renamed)));
  assay_arena_destroy(arena);
}

static void whatever_shows_in_the_ir_changes_the_fingerprint(void **state) {
  (void)state;
  variant variants[8];
  enum { COUNT = sizeof variants / sizeof *variants };
  for (int i = 0; i < COUNT; i++)
    variants[i] = plain;
  variants[1].dtype = ASSAY_F64;
  variants[2].rows = 5;
  variants[3].start = 2;
  variants[4].permutation[0] = 1;
  variants[4].permutation[1] = 0;
  variants[5].batch = 4;
  variants[6].swapped = true;
  variants[7].repeated = true;
  assay_arena *arena = assay_arena_create();
  uint64_t seen[COUNT];
  for (int i = 0; i < COUNT; i++) {
    seen[i] = assay_program_fingerprint(build(arena, variants[i]));
    for (int j = 0; j < i; j++)
      assert_false(seen[i] == seen[j]);
  }
  assay_arena_destroy(arena);
}

static void contractions_are_counted_by_what_a_blas_can_take(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value f = assay_input(graph, "f", ASSAY_F32, assay_shape_make(2, 4, 4));
  assay_value i = assay_input(graph, "i", ASSAY_I32, assay_shape_make(2, 4, 4));
  assay_value batch = assay_reshape(graph, f, assay_shape_make(3, 1, 4, 4));
  assay_value results[] = {
      assay_matmul(graph, f, f),
      assay_matmul(graph, i, i),
      assay_matmul(graph, i, f), // f64
      assay_batch_matmul(graph, batch, batch),
      assay_add(graph, f, f),
  };
  const assay_program *program = NULL;
  assay_error err;
  assert_int_equal(assay_graph_finish(graph, 5, results, &program, &err), ASSAY_OK);
  assay_contractions contractions = assay_program_contractions(program);
  assert_int_equal(contractions.all, 4);
  assert_int_equal(contractions.floating, 3);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(equal_programs_have_equal_fingerprints),
      cmocka_unit_test(whatever_shows_in_the_ir_changes_the_fingerprint),
      cmocka_unit_test(contractions_are_counted_by_what_a_blas_can_take),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
