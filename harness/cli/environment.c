// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/environment.h"
#include "compiler/base/file.h"
#include "compiler/runtime/blas.h"
#include "harness/cli/process.h"
#include "reference/oracle.h"

#include <llvm-c/Core.h>

#include <dlfcn.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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

// The CUDA driver's version. Asking needs no initialisation, so it is safe before a fork.
static const char *find_cuda(assay_arena *arena) {
  void *library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (library == NULL)
    return NULL;
  int (*get_version)(int *);
  *(void **)&get_version = dlsym(library, "cuDriverGetVersion");
  int version;
  const char *text = NULL;
  if (get_version != NULL && get_version(&version) == 0)
    text = assay_arena_format(arena, "%d.%d", version / 1000, version % 1000 / 10);
  dlclose(library);
  return text;
}

// ASSAY_REVISION where whoever calls knows better what is tested; else that of the source folder,
// which an installation has in a file: a repository around its prefix is somebody else's.
static const char *find_revision(assay_arena *arena, const char *root) {
  const char *given = getenv("ASSAY_REVISION"), *revision = NULL;
  assay_error ignored;
  if (given != NULL && *given != '\0')
    return given;
  const char *path = assay_arena_format(arena, "%s/revision", root);
  if (access(path, F_OK) == 0) {
    assay_file file;
    if (assay_file_read(arena, path, &file, &ignored) != ASSAY_OK)
      return NULL;
    const char *line = assay_arena_bytes(arena, file.bytes, strcspn(file.bytes, "\n"));
    return *line != '\0' ? line : NULL;
  }
  const char *const git[] = {"git",      "-C",      root,          "describe",
                             "--always", "--dirty", "--abbrev=12", NULL};
  (void)!assay_process_ask(arena, git, PATIENCE, &revision, &ignored);
  return revision;
}

const assay_environment *assay_environment_get(assay_arena *arena, const char *root) {
  assay_environment *environment = assay_arena_take(arena, 1, sizeof *environment);
  assay_error ignored;
  assay_blas blas;
  environment->cpu = find_cpu(arena);
  environment->llvm = assay_llvm_version(arena);
  if (assay_blas_describe(&blas, &ignored) == ASSAY_OK) {
    environment->blas = assay_arena_string(arena, blas.library);
    environment->blas_core = assay_arena_string(arena, blas.core);
  }
  environment->cuda = find_cuda(arena);
  environment->revision = find_revision(arena, root);
  environment->assay = ASSAY_VERSION;
  return environment;
}

assay_code assay_numpy_version(assay_arena *arena, const char *root, const char **out_version,
                               assay_error *err) {
  const char *python = assay_oracle_python(arena, root);
  const char *const ask[] = {python, "-c", "import numpy; print(numpy.__version__)", NULL};
  return assay_process_ask(arena, ask, PATIENCE, out_version, err);
}
