// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests on the fake driver: it is loaded under its name before anything looks for the real one.
#ifndef ASSAY_GPU_DRIVER_FAKE_FAKE_TESTING_H
#define ASSAY_GPU_DRIVER_FAKE_FAKE_TESTING_H

#include "gpu/driver/driver.h"
#include "gpu/driver/fake/fake.h"

#include <dlfcn.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

static const fake_cuda *fake;
static assay_error err; // what the last call that failed said

static const fake_machine usual_machine = {
    .devices = 1, .driver = 13000, .architecture = 90, .memory = INT64_C(1) << 30, .pools = true};

// A library that stays, under the name that it was built with.
static inline void *load_library(const char *file) {
  void *library = dlopen(file, RTLD_NOW | RTLD_GLOBAL);
  if (library == NULL)
    fail_msg("%s", dlerror());
  return library;
}

static inline int load_fakes(void **state) {
  (void)state;
  fake = dlsym(load_library(ASSAY_FAKE_CUDA), "fake_cuda_control");
  load_library(ASSAY_FAKE_CUBLAS);
  unsetenv("CUDA_VISIBLE_DEVICES");
  return fake == NULL;
}

// Before each test.
static inline int begin(void **state) {
  (void)state;
  fake->reset(&usual_machine);
  return 0;
}

// After each test: no call was wrong, and nothing is left.
static inline int end(void **state) {
  (void)state;
  if (fake->misuse()[0] != '\0' || fake->leaks()[0] != '\0')
    fail_msg("misuse: '%s', left: '%s'", fake->misuse(), fake->leaks());
  return 0;
}

static inline void must(assay_code code) {
  if (code != ASSAY_OK)
    fail_msg("%s", err.text);
}

static inline void must_say(assay_code code, assay_code expected, const char *words) {
  if (code != expected || strstr(err.text, words) == NULL)
    fail_msg("code %d, '%s'; expected code %d, '%s'", (int)code, code != ASSAY_OK ? err.text : "",
             (int)expected, words);
}

static inline assay_gpu *open_gpu(bool with_library) {
  assay_gpu *gpu = NULL;
  must(assay_driver_open(with_library, &gpu, &err));
  return gpu;
}

// A folder of its own for caches and programs; removed by remove_folder.
static char folder[128];

static inline void remove_folder(void) {
  char command[300];
  snprintf(command, sizeof command, "chmod -R u+w '%s' && rm -r '%s'", folder, folder);
  // NOLINTNEXTLINE(bugprone-command-processor): the command is this test's own.
  if (folder[0] != '\0' && system(command) != 0)
    fail_msg("cannot remove %s", folder);
  folder[0] = '\0';
}

static inline void write_program(const char *name, const char *text) {
  char path[256];
  snprintf(path, sizeof path, "%s/bin/%s", folder, name);
  FILE *file = fopen(path, "w");
  if (file == NULL) {
    fail_msg("cannot write %s", path);
    return;
  }
  assert_true(fputs(text, file) >= 0);
  assert_int_equal(fclose(file), 0);
  assert_int_equal(chmod(path, 0700), 0);
}

// A ptxas whose cubins the fake driver reads; it leaves one line in $FOLDER/runs for each.
static const char fake_ptxas[] =
    "#!/bin/sh\n"
    "if [ \"$1\" = --version ]; then echo; echo 'Build fake'; exit 0; fi\n"
    "here=$(dirname \"$0\")\n"
    "echo run >>\"$here/../runs\"\n"
    "names=$(sed -n 's/.*[.]entry \\([A-Za-z0-9_]*\\).*/\\1/p' \"$6\" | tr '\\n' ' ')\n"
    "for name in $names; do\n"
    "  echo \"ptxas info    : Compiling entry function '$name' for '${1#-arch=}'\"\n"
    "  echo \"ptxas info    : Function properties for $name\"\n"
    "  echo '    8 bytes stack frame, 12 bytes spill stores, 16 bytes spill loads'\n"
    "  echo 'ptxas info    : Used 32 registers, used 1 barriers, 1024 bytes smem'\n"
    "done >&2\n"
    "echo \"fake cubin ${1#-arch=} $names\" >\"$5\"\n";

// In a folder where ptxas is that program, and caches are kept.
static inline void enter_folder(const char *ptxas) {
  static char path[4096], outside[4096]; // PATH as it was
  if (outside[0] == '\0')
    snprintf(outside, sizeof outside, "%s",
             getenv("PATH") != NULL ? getenv("PATH") : "/usr/bin:/bin");
  snprintf(folder, sizeof folder, "/tmp/assay-driver-test-XXXXXX");
  assert_non_null(mkdtemp(folder));
  snprintf(path, sizeof path, "%s/bin", folder);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/bin:%.3900s", folder, outside);
  setenv("PATH", path, 1);
  snprintf(path, sizeof path, "%s/cache", folder);
  setenv("XDG_CACHE_HOME", path, 1);
  write_program("ptxas", ptxas);
}

// How many times the fake ptxas has compiled.
static inline int ptxas_runs(void) {
  char path[256], line[16];
  int count = 0;
  snprintf(path, sizeof path, "%s/runs", folder);
  FILE *file = fopen(path, "r");
  while (file != NULL && fgets(line, sizeof line, file) != NULL)
    count++;
  if (file != NULL)
    fclose(file);
  return count;
}

#endif
