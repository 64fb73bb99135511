// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/manifest.h"

#include "compiler/base/file.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

typedef struct folder {
  assay_arena *arena;
  char path[64];
} folder;

static const char *const FILES[] = {"input.mlir", "before.mlir", "after.mlir", "pass"};
enum { FILE_COUNT = sizeof FILES / sizeof FILES[0] };

static const char *in(const folder *it, const char *name) {
  return assay_arena_format(it->arena, "%s/%s", it->path, name);
}

static void put(const folder *it, const char *name, const char *text) {
  assay_error err;
  assert_int_equal(assay_file_write(in(it, name), text, &err), ASSAY_OK);
}

static int set_up(void **state) {
  static folder it;
  it = (folder){.arena = assay_arena_create(), .path = "/tmp/assay-manifest-XXXXXX"};
  if (mkdtemp(it.path) == NULL)
    return -1;
  for (int i = 0; i < FILE_COUNT; i++)
    put(&it, FILES[i], "");
  *state = &it;
  return 0;
}

static int tear_down(void **state) {
  folder *it = *state;
  for (int i = 0; i < FILE_COUNT; i++)
    unlink(in(it, FILES[i]));
  unlink(in(it, "bundle.json"));
  rmdir(it->path);
  assay_arena_destroy(it->arena);
  return 0;
}

static void what_is_written_is_read(void **state) {
  const folder *it = *state;
  const assay_manifest written = {.module = "before.mlir",
                                  .pipeline = "builtin.module(cse)",
                                  .whole = "builtin.module(canonicalize,cse)",
                                  .pass = "cse",
                                  .fault = ASSAY_FAULT_PRECISION_LOSS,
                                  .entry = "main",
                                  .reason = "got \"1\"\n want \xff",
                                  .words = " --seed=3",
                                  .has_after = true};
  assay_manifest read;
  assay_error err;
  assert_int_equal(assay_manifest_write(&written, in(it, "bundle.json"), &err), ASSAY_OK);
  assert_int_equal(assay_manifest_read(it->arena, it->path, &read, &err), ASSAY_OK);
  assert_string_equal(read.module, written.module);
  assert_string_equal(read.pipeline, written.pipeline);
  assert_string_equal(read.whole, written.whole);
  assert_string_equal(read.pass, written.pass);
  assert_string_equal(read.entry, written.entry);
  assert_string_equal(read.words, written.words);
  assert_non_null(strstr(read.reason, "got \"1\"\n want "));
  assert_int_equal(read.fault, written.fault);
  assert_int_equal(read.input_count, 0);
  assert_true(read.has_after);
}

static void refuses(const folder *it, const char *text, const char *place, const char *said) {
  assay_manifest read;
  assay_error err;
  if (text != NULL)
    put(it, "bundle.json", text);
  assert_int_equal(assay_manifest_read(it->arena, it->path, &read, &err), ASSAY_INVALID);
  assert_non_null(strstr(err.where, place));
  assert_non_null(strstr(err.text, said));
}

#define WHOLE                                                                                      \
  "\"module\":\"before.mlir\",\"pipeline\":\"\",\"whole\":\"\",\"pass\":\"cse\",\"entry\":\"\","   \
  "\"reason\":\"\","                                                                               \
  "\"words\":\"\",\"after\":true"

static void says_what_is_wrong(void **state) {
  const folder *it = *state;
  refuses(it, NULL, it->path, "it holds no bundle.json");
  refuses(it, "{", "bundle.json:1:", "expected near end of file");
  refuses(it, "[1]", "bundle.json", "this is no bundle of a ledger");
  refuses(it, "{\"bundle\":7}", "bundle.json", "format 7, this version of assay reads format 1");
  refuses(it, "{\"bundle\":1}", "bundle.json", "no text under \"module\"");
  refuses(it, "{\"bundle\":1," WHOLE "}", "bundle.json", "no text under \"class\"");
  refuses(it, "{\"bundle\":1,\"class\":\"worse\"," WHOLE "}", "bundle.json",
          "\"worse\" is no class of faults");
  refuses(it, "{\"bundle\":1,\"class\":\"crash\",\"inputs\":1," WHOLE "}", "inputs/real-0.npy",
          "is missing");
  unlink(in(it, "after.mlir"));
  refuses(it, "{\"bundle\":1,\"class\":\"crash\"," WHOLE "}", "after.mlir", "is missing");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_is_written_is_read, set_up, tear_down),
      cmocka_unit_test_setup_teardown(says_what_is_wrong, set_up, tear_down),
  };
  return cmocka_run_group_tests_name("manifest", tests, NULL, NULL);
}
