// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/caller.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

typedef struct asked {
  assay_arena *arena;
  assay_ledger_request request;
} asked;

static int set_up(void **state) {
  static asked it;
  assay_error err;
  it = (asked){.arena = assay_arena_create(), .request = {.seed = 1, .jobs = 1, .timeout = 60}};
  it.request.context = assay_passes_context();
  it.request.data[0] = it.request.data[1] = true;
  *state = &it;
  return assay_shared_create((size_t)1 << 30, &it.request.shared, &err) == ASSAY_OK ? 0 : -1;
}

static int tear_down(void **state) {
  asked *it = *state;
  assay_shared_destroy(it->request.shared);
  mlirContextDestroy(it->request.context);
  assay_arena_destroy(it->arena);
  return 0;
}

static assay_code write_caller(const asked *it, const char *module, const char *entry,
                               const char **out_text, assay_error *err) {
  return assay_caller_write(&it->request, it->arena, module, entry, 0, false, out_text, err);
}

static void holds(const char *text, const char *piece) {
  if (strstr(text, piece) == NULL)
    fail_msg("no \"%s\" in:\n%s", piece, text);
}

static void calls_with_constants_and_prints(void **state) {
  const asked *it = *state;
  const char *text;
  assay_error err;
  assert_int_equal(
      write_caller(it,
                   "func.func @main(%t: tensor<?x2xf32>, %m: memref<3xi32>, %s: i64, %b: i1,"
                   " %v: vector<2xf64>) -> (tensor<?x2xf32>, f32) {\n"
                   "  %c = arith.constant 1.0 : f32\n"
                   "  return %t, %c : tensor<?x2xf32>, f32\n"
                   "}\n",
                   "main", &text, &err),
      ASSAY_OK);
  holds(text, "func.func @program(");
  holds(text, "memref.global \"private\" @argument_1 : memref<3xi32> = dense<\"0x");
  holds(text, "tensor.cast %c0 : tensor<7x2xf32> to tensor<?x2xf32>");
  holds(text, " : i64\n");
  holds(text, "call @program(%a0, %a1, %a2, %a3, %a4)");
  holds(text, "call @printMemrefF32(");
  holds(text, "call @printMemrefI32(");
  holds(text, "vector.print %r1 : f32");
  MlirModule module =
      mlirModuleCreateParse(it->request.context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  mlirModuleDestroy(module);
}

static void leaves_a_main_that_prints_as_it_is(void **state) {
  const asked *it = *state;
  const char *text;
  assay_error err;
  assert_int_equal(write_caller(it,
                                "func.func @main() {\n  %c = arith.constant 1.0 : f32\n"
                                "  vector.print %c : f32\n  return\n}\n",
                                "main", &text, &err),
                   ASSAY_OK);
  assert_null(strstr(text, "@program"));
  holds(text, "func.func @main() {");
}

static void says_what_it_cannot_write(void **state) {
  const asked *it = *state;
  static const struct {
    const char *module, *said;
  } cases[] = {
      {"func.func @main(%c: complex<f32>) {\n  return\n}\n", "complex<f32>"},
      {"func.func @main(%c: tensor<3xi1>) {\n  return\n}\n", "tensor<3xi1>"},
      {"func.func @other() {\n  return\n}\n", "no @main"},
      {"func.func @main(", "does not parse"},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    const char *text;
    assay_error err;
    assert_int_equal(write_caller(it, cases[i].module, "main", &text, &err), ASSAY_UNSUPPORTED);
    holds(err.text, cases[i].said);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(calls_with_constants_and_prints),
      cmocka_unit_test(leaves_a_main_that_prints_as_it_is),
      cmocka_unit_test(says_what_it_cannot_write),
  };
  return cmocka_run_group_tests_name("caller", tests, set_up, tear_down);
}
