// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What peers compute, on whole numbers, whose sums are exact in any order.
#include "harness/bench/exercise.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct product {
  const char *line;
  int batch, m, k, n;
  bool lhs_transposed, rhs_transposed, bias;
} product;

static const assay_case *parse(assay_arena *arena, const char *line) {
  assay_cases *cases = assay_arena_take(arena, 1, sizeof *cases);
  assay_error err;
  assert_int_equal(assay_cases_parse_line(arena, "--case", 0, line, cases, &err), ASSAY_OK);
  return &cases->items[0];
}

static double element(const assay_buffer *buffer, int index) {
  return buffer->dtype == ASSAY_F64 ? ((const double *)buffer->data)[index]
                                    : (double)((const float *)buffer->data)[index];
}

static double expected(const product *of, const assay_buffer inputs[], int b, int i, int j) {
  double sum = of->bias ? element(&inputs[2], j) : 0;
  for (int k = 0; k < of->k; k++) {
    int left = of->lhs_transposed ? k * of->m + i : i * of->k + k;
    int right = of->rhs_transposed ? j * of->k + k : k * of->n + j;
    sum += element(&inputs[0], b * of->m * of->k + left) *
           element(&inputs[1], b * of->k * of->n + right);
  }
  return sum;
}

static void check_product(assay_peer_state *state, const product *of) {
  assay_arena *arena = assay_arena_create();
  assay_exercise exercise;
  assay_error err;
  const assay_case *a_case = parse(arena, of->line);
  assert_int_equal(assay_exercise_open(arena, a_case, "int", NULL, &exercise, &err), ASSAY_OK);
  if (assay_peer_cblas.take(state, a_case, "int", &err) != ASSAY_OK)
    fail_msg("%s: %s", of->line, err.text);
  const assay_contender who = {.name = "cblas", .peer = &assay_peer_cblas, .state = state};
  const assay_object none = {.bytes = NULL};
  assay_entrant entrant;
  assert_int_equal(assay_entrant_open(&who, &exercise, &none, false, &entrant, &err), ASSAY_OK);
  for (int b = 0; b < of->batch; b++)
    for (int i = 0; i < of->m; i++)
      for (int j = 0; j < of->n; j++) {
        double got = element(&entrant.results[0], (b * of->m + i) * of->n + j);
        double want = expected(of, entrant.inputs, b, i, j);
        if (got != want)
          fail_msg("%s: [%d, %d, %d] is %g, want %g", of->line, b, i, j, got, want);
      }
  assay_entrant_close(&entrant);
  assay_exercise_close(&exercise);
  assay_arena_destroy(arena);
}

static assay_peer_state *open_cblas(void) {
  assay_peer_state *state;
  assay_error err;
  if (assay_peer_cblas.open(ASSAY_SOURCE_DIR, 1, &state, &err) != ASSAY_OK)
    skip(); // this build has none
  return state;
}

static void cblas_computes_products(void **unused) {
  (void)unused;
  assay_peer_state *state = open_cblas();
  const product products[] = {
      {"matmul m=3 k=5 n=7", 1, 3, 5, 7, false, false, false},
      {"matmul m=3 k=5 n=7 dtype=f64", 1, 3, 5, 7, false, false, false},
      {"matmul m=3 k=5 n=7 lhs=transposed", 1, 3, 5, 7, true, false, false},
      {"matmul m=3 k=5 n=7 rhs=transposed dtype=f64", 1, 3, 5, 7, false, true, false},
      {"matmul m=3 k=5 n=7 lhs=transposed rhs=transposed", 1, 3, 5, 7, true, true, false},
      {"matmul m=1 k=1 n=1", 1, 1, 1, 1, false, false, false},
      {"matmul m=1 k=5 n=7", 1, 1, 5, 7, false, false, false},
      {"matmul m=1 k=5 n=7 dtype=f64 lhs=transposed", 1, 1, 5, 7, true, false, false},
      {"matmul m=1 k=5 n=7 rhs=transposed", 1, 1, 5, 7, false, true, false},
      {"matmul m=3 k=5 n=1", 1, 3, 5, 1, false, false, false},
      {"matmul m=3 k=5 n=1 lhs=transposed dtype=f64", 1, 3, 5, 1, true, false, false},
      {"matmul m=3 k=5 n=1 lhs=transposed rhs=transposed", 1, 3, 5, 1, true, true, false},
      {"batch_matmul b=4 m=1 k=5 n=7 rhs=transposed", 4, 1, 5, 7, false, true, false},
      {"batch_matmul b=4 m=3 k=5 n=1 dtype=f64", 4, 3, 5, 1, false, false, false},
      {"linear m=1 k=5 n=7", 1, 1, 5, 7, false, false, true},
      {"linear m=3 k=5 n=1 dtype=f64", 1, 3, 5, 1, false, false, true},
      {"batch_matmul b=4 m=3 k=5 n=7", 4, 3, 5, 7, false, false, false},
      {"batch_matmul b=4 m=3 k=5 n=7 dtype=f64 rhs=transposed", 4, 3, 5, 7, false, true, false},
      {"linear m=3 k=5 n=7", 1, 3, 5, 7, false, false, true},
      {"linear m=3 k=5 n=7 dtype=f64", 1, 3, 5, 7, false, false, true},
  };
  for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
    check_product(state, &products[i]);
  assay_peer_cblas.close(state);
  assay_peer_cblas.close(NULL);
}

static void cblas_says_what_it_does_not_do(void **unused) {
  (void)unused;
  assay_arena *arena = assay_arena_create();
  assay_peer_state *state = open_cblas();
  static const char *const lines[] = {
      "matmul m=3 k=5 n=7 dtype=i32",
      "matmul m=3 k=5 n=7 rhs_dtype=f64",
      "matmul m=3 k=5 n=7 dtype=f16",
      "matmul m=3 k=5 n=7 lhs=sliced",
      "matmul m=3 k=5 n=7 result=transposed",
      "softmax m=3 n=5",
      "gram m=3 k=5",
      "gpt2_block t=5 c=12 heads=2",
  };
  for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
    assay_error err;
    assert_int_equal(assay_peer_cblas.take(state, parse(arena, lines[i]), "int", &err),
                     ASSAY_UNSUPPORTED);
    assert_string_equal(err.text, "no single call of a BLAS computes it");
  }
  assay_peer_cblas.close(state);
  assay_arena_destroy(arena);
}

static void peers_are_sorted_and_whole(void **unused) {
  (void)unused;
  const assay_peer *const *peers = assay_peers_get();
  for (int i = 0; peers[i] != NULL; i++) {
    assert_true(i == 0 || strcmp(peers[i - 1]->name, peers[i]->name) < 0);
    assert_non_null(peers[i]->summary);
    assert_true(peers[i]->open && peers[i]->close && peers[i]->take && peers[i]->run);
  }
}

// A root whose "Python" is a script of sh: the oracle's conversation without NumPy.
static const char *make_root(assay_arena *arena, const char *script) {
  char *root = assay_arena_format(arena, "/tmp/assay-peer-XXXXXX");
  assert_non_null(mkdtemp(root));
  assert_int_equal(mkdir(assay_arena_format(arena, "%s/.venv", root), 0700), 0);
  assert_int_equal(mkdir(assay_arena_format(arena, "%s/.venv/bin", root), 0700), 0);
  const char *path = assay_arena_format(arena, "%s/.venv/bin/python", root);
  assay_error err;
  assert_int_equal(assay_file_write(path, assay_arena_format(arena, "#!/bin/sh\n%s", script), &err),
                   ASSAY_OK);
  assert_int_equal(chmod(path, 0700), 0);
  return root;
}

static void remove_root(assay_arena *arena, const char *root) {
  unlink(assay_arena_format(arena, "%s/.venv/bin/python", root));
  rmdir(assay_arena_format(arena, "%s/.venv/bin", root));
  rmdir(assay_arena_format(arena, "%s/.venv", root));
  rmdir(root);
}

// It answers each take with how many it has had; to a run it owes an answer for ever.
static void numpy_begins_anew_where_it_owes_an_answer(void **unused) {
  (void)unused;
  assay_arena *arena = assay_arena_create();
  const char *root = make_root(arena, "echo 2.0\n"
                                      "while read -r word rest; do\n"
                                      "  case $word in\n"
                                      "  take) echo 'no such luck' ;;\n"
                                      "  run) echo 0.5 ;;\n"
                                      "  result) exit 1 ;;\n"
                                      "  esac\n"
                                      "done\n");
  assay_peer_state *state;
  assay_error err;
  const assay_case *a_case = parse(arena, "matmul m=3 k=5 n=7");
  assert_int_equal(assay_peer_numpy.open(root, 1, &state, &err), ASSAY_OK);
  assert_int_equal(assay_peer_numpy.take(state, a_case, "int", &err), ASSAY_UNSUPPORTED);
  assert_string_equal(err.text, "such luck");
  assert_true(assay_peer_numpy.run_elsewhere(state, 0) == 0.5);
  // It ends in the middle of a run; before it is renewed nothing works, afterwards all does.
  assay_buffer result = {.dtype = ASSAY_F32, .shape = assay_shape_make(1, 1)};
  (void)assay_peer_numpy.run(state, NULL, &result, &err);
  assay_peer_numpy.renew(state);
  assert_int_equal(assay_peer_numpy.take(state, a_case, "int", &err), ASSAY_UNSUPPORTED);
  assert_true(assay_peer_numpy.run_elsewhere(state, 0) == 0.5);
  assay_peer_numpy.close(state);
  remove_root(arena, root);
  assay_arena_destroy(arena);
}

static void numpy_is_missing_where_python_is(void **unused) {
  (void)unused;
  assay_arena *arena = assay_arena_create();
  const char *root = make_root(arena, "echo 'no module named numpy' >&2; exit 1");
  assay_peer_state *state;
  assay_error err;
  assert_int_equal(assay_peer_numpy.open(root, 1, &state, &err), ASSAY_MISSING);
  assert_non_null(strstr(err.text, "no module named numpy"));
  remove_root(arena, root);
  assert_int_equal(assay_peer_numpy.open(root, 1, &state, &err), ASSAY_MISSING);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(cblas_computes_products),
      cmocka_unit_test(cblas_says_what_it_does_not_do),
      cmocka_unit_test(peers_are_sorted_and_whole),
      cmocka_unit_test(numpy_begins_anew_where_it_owes_an_answer),
      cmocka_unit_test(numpy_is_missing_where_python_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
