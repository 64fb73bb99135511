// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Blame for a failed case, where the pipeline's canonicalize breaks the module: it knows the fault
// of suite/faults/while_forwarded_twice.mlir.
#include "harness/cli/blame.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const char module[] =
    "func.func private @count(%n: index) -> index attributes {noinline} {\n"
    "  %c0 = arith.constant 0 : index\n"
    "  %c5 = arith.constant 5 : index\n"
    "  %c99 = arith.constant 99 : index\n"
    "  %r:3 = scf.while (%s = %c0) : (index) -> (index, index, index) {\n"
    "    %go = arith.cmpi slt, %s, %n : index\n"
    "    %v = scf.if %go -> index {\n"
    "      %nx = arith.addi %s, %c5 : index\n"
    "      scf.yield %nx : index\n"
    "    } else {\n"
    "      scf.yield %c99 : index\n"
    "    }\n"
    "    scf.condition(%go) %v, %v, %s : index, index, index\n"
    "  } do {\n"
    "  ^bb0(%a: index, %b: index, %old: index):\n"
    "    scf.yield %b : index\n"
    "  }\n"
    "  return %r#2 : index\n"
    "}\n"
    "func.func @main(%x: tensor<3x5xf32>, %y: tensor<5x7xf32>) -> tensor<3x7xf32> {\n"
    "  %c3 = arith.constant 3 : index\n"
    "  %n = call @count(%c3) : (index) -> index\n"
    "  %i = arith.index_cast %n : index to i64\n"
    "  %f = arith.sitofp %i : i64 to f32\n"
    "  %e = tensor.empty() : tensor<3x7xf32>\n"
    "  %r = linalg.fill ins(%f : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>\n"
    "  return %r : tensor<3x7xf32>\n"
    "}\n";

typedef struct fixture {
  assay_arena *arena;
  assay_session session;
  assay_options options;
  assay_cases cases;
  assay_out out;
} fixture;

static const char *join(const fixture *it, const char *folder, const char *file) {
  return assay_arena_format(it->arena, "%s/%s", folder, file);
}

static void open_fixture(fixture *it) {
  assay_error err;
  char folder[] = "/tmp/assay-blame-XXXXXX";
  assert_non_null(mkdtemp(folder));
  *it = (fixture){.arena = assay_arena_create()};
  it->options = (assay_options){.memory = ASSAY_DEFAULT_MEMORY, .quiet = true};
  it->session = (assay_session){.arena = it->arena,
                                .root = ASSAY_SOURCE_DIR,
                                .options = &it->options,
                                .backends = assay_backends_get()};
  it->out.folder = assay_arena_string(it->arena, folder);
  assert_int_equal(
      assay_cases_parse_line(it->arena, "--case", 0, "matmul m=3 k=5 n=7", &it->cases, &err),
      ASSAY_OK);
}

static assay_record make_record(const fixture *it, assay_verdict verdict) {
  const char *line = it->cases.items[0].line;
  return (assay_record){
      .key = assay_case_key(it->arena, &it->cases.items[0], "real", "loop"),
      .line = line,
      .op = "matmul",
      .backend = "loop",
      .data = "real",
      .verdict = verdict,
  };
}

static const char *put_text(const fixture *it, const assay_record *record, const char *text) {
  assay_error err;
  const char *folder = assay_out_repro(it->arena, &it->out, record->key);
  assert_int_equal(assay_folder_make(folder, &err), ASSAY_OK);
  assert_int_equal(assay_file_write(join(it, folder, "module.mlir"), text, &err), ASSAY_OK);
  return folder;
}

static const char *put_module(const fixture *it, const assay_record *record) {
  return put_text(it, record, module);
}

static void close_fixture(fixture *it, const assay_record *record) {
  assay_out_forget(it->arena, &it->out, record->key);
  rmdir(join(it, it->out.folder, "repro"));
  assert_int_equal(rmdir(it->out.folder), 0); // nothing that a run writes is left
  assay_arena_destroy(it->arena);
}

static volatile sig_atomic_t stop;

static void names_the_pass_and_saves_the_bundle(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it);
  assay_record record = make_record(&it, ASSAY_FAIL);
  const char *folder = put_module(&it, &record);
  size_t left;
  assay_error err;
  assert_int_equal(
      assay_blame_find(&it.session, &it.out, &it.cases, &record, 1, &stop, &left, &err), ASSAY_OK);
  assert_int_equal(left, 0);
  assert_true(record.first_bad.n > 0);
  assert_string_equal(record.first_bad.name, "canonicalize");
  assert_string_equal(record.first_bad.fault, "miscompile");
  assert_non_null(record.first_bad.before_excerpt);
  assert_non_null(record.first_bad.after_excerpt);
  assert_string_not_equal(record.first_bad.before_excerpt, record.first_bad.after_excerpt);
  const char *const files[] = {"before.mlir",   "after.mlir",        "pass",
                               "README",        "inputs/real-1.npy", "expected/real-0.npy",
                               "got/real-0.npy"};
  for (size_t i = 0; i < sizeof files / sizeof files[0]; i++)
    assert_int_equal(access(join(&it, join(&it, folder, "bundle"), files[i]), R_OK), 0);
  close_fixture(&it, &record);
}

// Its other elements are NaN, too, and by another operation that comes first.
static const char dividing[] =
    "func.func @main(%x: tensor<3x5xf32>, %y: tensor<5x7xf32>) -> tensor<3x7xf32> {\n"
    "  %c0 = arith.constant 0.0 : f32\n"
    "  %c1 = arith.constant -1.0 : f32\n"
    "  %s = math.sqrt %c1 : f32\n"
    "  %f = arith.divf %c0, %c0 : f32\n"
    "  %e = tensor.empty() : tensor<3x7xf32>\n"
    "  %r = linalg.fill ins(%s : f32) outs(%e : tensor<3x7xf32>) -> tensor<3x7xf32>\n"
    "  %i = arith.constant 2 : index\n"
    "  %p = tensor.insert %f into %r[%i, %i] : tensor<3x7xf32>\n"
    "  return %p : tensor<3x7xf32>\n"
    "}\n";

static void tells_where_a_nan_comes_from(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it);
  assay_record record = make_record(&it, ASSAY_FAIL);
  record.worst = (assay_worst){
      .present = true, .part = "element", .rank = 2, .index = {2, 2}, .got = NAN, .want = 1};
  put_text(&it, &record, dividing);
  size_t left;
  assay_error err;
  assert_int_equal(
      assay_blame_find(&it.session, &it.out, &it.cases, &record, 1, &stop, &left, &err), ASSAY_OK);
  assert_non_null(record.nan_origin);
  assert_non_null(strstr(record.nan_origin, "{\"op\":\"arith.divf\""));
  assert_non_null(
      strstr(record.nan_origin, "\"location\":\"module.mlir:5:8\",\"file\":\"module.mlir\""));
  assert_non_null(strstr(record.nan_origin, "\"operands\":[\"0\",\"0\"]"));
  close_fixture(&it, &record);
}

static void looks_only_into_what_failed(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it);
  assay_record record = make_record(&it, ASSAY_PASS);
  put_module(&it, &record);
  size_t left;
  assay_error err;
  assert_int_equal(
      assay_blame_find(&it.session, &it.out, &it.cases, &record, 1, &stop, &left, &err), ASSAY_OK);
  assert_int_equal(record.first_bad.n, 0);
  close_fixture(&it, &record);
}

static void looks_into_some_of_a_kind(void **state) {
  (void)state;
  fixture it;
  open_fixture(&it);
  assay_record records[5];
  for (int i = 0; i < 5; i++)
    records[i] = make_record(&it, ASSAY_FAIL);
  put_module(&it, &records[0]); // all have one key
  size_t left;
  assay_error err;
  assert_int_equal(
      assay_blame_find(&it.session, &it.out, &it.cases, records, 5, &stop, &left, &err), ASSAY_OK);
  assert_int_equal(left, 2);
  assert_true(records[2].first_bad.n > 0);
  assert_int_equal(records[3].first_bad.n, 0);
  close_fixture(&it, &records[0]);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_the_pass_and_saves_the_bundle),
      cmocka_unit_test(tells_where_a_nan_comes_from),
      cmocka_unit_test(looks_only_into_what_failed),
      cmocka_unit_test(looks_into_some_of_a_kind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
