// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What gpu-sim takes: the last program on this side of each limit, and the first beyond.
#include "compiler/language/graph.h"
#include "gpu/backends/backends.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const assay_backend *simulator(void) {
  const assay_backend *const *all = assay_gpu_backends_get();
  while (strcmp((*all)->name, "gpu-sim") != 0)
    all++;
  return *all;
}

// said: NULL where the program is to be taken.
static void expect(assay_graph *graph, assay_value result, const char *said) {
  const assay_program *program;
  assay_error err = {.text = ""};
  assert_int_equal(assay_graph_finish(graph, 1, &result, &program, &err), ASSAY_OK);
  assay_code code = simulator()->supports(NULL, program, &err);
  if (code != (said != NULL ? ASSAY_UNSUPPORTED : ASSAY_OK) ||
      strcmp(err.text, said != NULL ? said : "") != 0)
    fail_msg("code %d, '%s'; expected '%s'", (int)code, err.text, said != NULL ? said : "");
}

static void expect_tensor(assay_dtype dtype, int64_t count, const char *said) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", dtype, assay_shape_make(1, count));
  expect(graph, assay_absolute(graph, x), said);
  assay_arena_destroy(arena);
}

static void tensors_have_a_limit(void **state) {
  (void)state;
  static const char said[] = "tensors of 65 MB (elements below 4 bytes count as 16); at most 64 MB "
                             "are simulated";
  const struct {
    assay_dtype dtype;
    int64_t most; // elements, of the input and the result each
  } rows[] = {{ASSAY_F64, 4000000},
              {ASSAY_F32, 8000000},
              {ASSAY_I32, 8000000},
              {ASSAY_F16, 2000000}};
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    expect_tensor(rows[i].dtype, rows[i].most, NULL);
    expect_tensor(rows[i].dtype, rows[i].most + 1, said);
  }
  expect_tensor(ASSAY_F32, 100000000,
                "tensors of 800 MB (elements below 4 bytes count as 16); at most 64 MB are "
                "simulated");
}

static void expect_product(int64_t m, int64_t k, int64_t n, const char *said) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, m, k));
  assay_value b = assay_input(graph, "b", ASSAY_F32, assay_shape_make(2, k, n));
  expect(graph, assay_matmul(graph, a, b), said);
  assay_arena_destroy(arena);
}

// A tile that is begun is computed to its end: 2 * 16 * 32 * 64 operations, however few are asked
// for. The elements of both operands count once more.
static void products_have_a_limit_in_whole_tiles(void **state) {
  (void)state;
  static const char said[] = "101 million operations; at most 100 million are simulated";
  enum { M = 16, N = 32, K = 64, TILES = 1525, DEEP_TILES = 1457 };
  expect_product(M * TILES, 1, 1, NULL);
  expect_product(M * TILES + 1, 1, 1, said);
  expect_product(1, 1, N * TILES, NULL);
  expect_product(1, 1, N * TILES + 1, said);
  expect_product(M, K * DEEP_TILES, N, NULL);
  expect_product(M, K * DEEP_TILES + 1, N, said);
  expect_product(512, 512, 512, "269 million operations; at most 100 million are simulated");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tensors_have_a_limit),
      cmocka_unit_test(products_have_a_limit_in_whole_tiles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
