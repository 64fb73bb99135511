// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/environment.h"
#include "compiler/base/file.h"
#include "compiler/runtime/blas.h"
#include "harness/cli/process.h"
#include "harness/cli/revision.h"
#include "reference/oracle.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

// Seconds that another program may take to answer: a cold disk is slow, but no answer comes later.
enum { PATIENCE = 30 };

const char *assay_llvm_version(assay_arena *arena) {
  unsigned major, minor, patch;
  LLVMGetVersion(&major, &minor, &patch);
  return assay_arena_format(arena, "%u.%u.%u", major, minor, patch);
}

// The first "model name" of /proc/cpuinfo.
static const char *find_cpu(assay_arena *arena) {
  static const char field[] = "model name";
  assay_file file;
  assay_error ignored;
  if (assay_file_read(arena, "/proc/cpuinfo", &file, &ignored) != ASSAY_OK)
    return NULL;
  assay_lines lines = {.file = &file};
  while (assay_lines_next(&lines)) {
    const char *colon = memchr(lines.start, ':', lines.length);
    if (colon == NULL || strncmp(lines.start, field, strlen(field)) != 0)
      continue;
    const char *start = colon + 1, *end = lines.start + lines.length;
    while (start < end && *start == ' ')
      start++;
    return assay_arena_bytes(arena, start, (size_t)(end - start));
  }
  return NULL;
}

// The first line of an installation's file; NULL where there is none or it is empty.
static const char *read_revision(assay_arena *arena, const char *root) {
  assay_file file;
  assay_error ignored;
  const char *path = assay_arena_format(arena, "%s/revision", root);
  if (assay_file_read(arena, path, &file, &ignored) != ASSAY_OK)
    return NULL;
  const char *line = assay_arena_bytes(arena, file.bytes, strcspn(file.bytes, "\n"));
  return *line != '\0' ? line : NULL;
}

static bool is_set(const char *value) {
  return value != NULL && *value != '\0';
}

// ASSAY_REVISION where whoever calls knows better what is tested; else an installation's file; else
// what this was built from, whatever became of the source folder since. An ASSAY_ROOT may be the
// folder of another build than this one.
static const char *find_revision(assay_arena *arena, const char *root) {
  const char *given = getenv("ASSAY_REVISION");
  if (is_set(given))
    return given;
  if (is_set(getenv("ASSAY_ROOT")) && assay_revision != NULL)
    return assay_revision;
  const char *installed = read_revision(arena, root);
  return installed != NULL ? installed : assay_revision;
}

assay_environment *assay_environment_get(assay_arena *arena, const char *root) {
  assay_environment *environment = assay_arena_take(arena, 1, sizeof *environment);
  assay_error ignored;
  assay_blas blas;
  environment->cpu = find_cpu(arena);
  environment->llvm = assay_llvm_version(arena);
  if (assay_blas_describe(&blas, &ignored) == ASSAY_OK) {
    environment->blas = assay_arena_string(arena, blas.library);
    environment->blas_core = assay_arena_string(arena, blas.core);
  }
  environment->revision = find_revision(arena, root);
  environment->assay = ASSAY_VERSION;
  return environment;
}

assay_code assay_numpy_version(assay_arena *arena, const char *root, const char **out_version,
                               assay_error *err) {
  const char *python = assay_oracle_python(arena, root);
  static const char script[] =
      "try:\n import numpy\n print(numpy.__version__)\n"
      "except ImportError as why:\n print('!' + str(why).split('\\n')[0])\n";
  const char *const ask[] = {python, "-c", script, NULL};
  TRY(assay_process_ask(arena, ask, PATIENCE, out_version, err));
  if ((*out_version)[0] != '!')
    return ASSAY_OK;
  const char *why = *out_version + 1;
  *out_version = NULL;
  return assay_fail(err, ASSAY_MISSING, "cannot import NumPy: %s", why);
}
