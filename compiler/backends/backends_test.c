// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in backends against a plain evaluation of programs, node by node.
#include "compiler/backends/contractions_testing.h"

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
      CONTRACTION_TESTS,
      cmocka_unit_test(matmuls_of_all_dtypes),
      cmocka_unit_test(bytes_that_are_no_object_are_refused),
  };
  return cmocka_run_group_tests(tests, open_all, close_all);
}
