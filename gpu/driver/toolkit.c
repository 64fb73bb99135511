// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/cubin.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MOST_PREFIXES = 32 };

typedef struct prefixes {
  const char *items[MOST_PREFIXES];
  size_t count;
} prefixes;

static void add(prefixes *to, const char *prefix) {
  if (prefix != NULL && prefix[0] != '\0' && to->count < MOST_PREFIXES)
    to->items[to->count++] = prefix;
}

// A folder may be "executed" too.
static bool is_program(const char *file) {
  struct stat facts;
  return access(file, X_OK) == 0 && stat(file, &facts) == 0 && S_ISREG(facts.st_mode);
}

// The program in a folder of PATH; NULL where there is none.
static const char *find_on_path(assay_arena *arena, const char *program) {
  const char *path = getenv("PATH");
  while (path != NULL && *path != '\0') {
    const char *colon = strchr(path, ':');
    int length = colon != NULL ? (int)(colon - path) : (int)strlen(path);
    const char *file = assay_arena_format(arena, "%.*s/%s", length, path, program);
    if (length > 0 && is_program(file))
      return file;
    path = colon != NULL ? colon + 1 : NULL;
  }
  return NULL;
}

// PREFIX of PREFIX/bin/ptxas, links followed.
static const char *prefix_of(assay_arena *arena, const char *program) {
  char *real = program != NULL ? realpath(program, NULL) : NULL;
  if (real == NULL)
    return NULL;
  for (int i = 0; i < 2; i++) {
    char *slash = strrchr(real, '/');
    if (slash != NULL)
      *slash = '\0';
  }
  const char *prefix = assay_arena_string(arena, real);
  free(real);
  return prefix;
}

// The wheels nvidia-cuda-nvcc and its like, each a prefix of its own.
static void add_packages(assay_arena *arena, prefixes *to) {
  static const char pattern[] = ASSAY_SOURCE_DIR "/.venv/lib/python3*/site-packages/nvidia/*";
  glob_t found;
  if (glob(pattern, 0, NULL, &found) != 0)
    return;
  for (size_t i = 0; i < found.gl_pathc; i++) {
    const char *prefix = found.gl_pathv[i];
    if (is_program(assay_arena_format(arena, "%s/bin/ptxas", prefix)) ||
        access(assay_arena_format(arena, "%s/nvvm", prefix), R_OK) == 0 ||
        access(assay_arena_format(arena, "%s/lib", prefix), R_OK) == 0)
      add(to, assay_arena_string(arena, prefix));
  }
  globfree(&found);
}

// The first PREFIX/NAME that is accessible, and its prefix; NULL where there is none.
static const char *find_below(assay_arena *arena, const prefixes *places, const char *name,
                              int mode, const char **out_prefix) {
  for (size_t i = 0; i < places->count; i++) {
    const char *file = assay_arena_format(arena, "%s/%s", places->items[i], name);
    if (mode == X_OK ? is_program(file) : access(file, mode) == 0) {
      *out_prefix = places->items[i];
      return file;
    }
  }
  return NULL;
}

static prefixes list_places(assay_arena *arena, const char *ptxas) {
  prefixes places = {.count = 0};
  add(&places, prefix_of(arena, ptxas));
  add(&places, getenv("CUDA_HOME"));
  add(&places, getenv("CUDA_PATH"));
  add(&places, getenv("CUDA_ROOT"));
  add(&places, "/usr/local/cuda");
  add(&places, "/usr/lib/cuda");
  add_packages(arena, &places);
  return places;
}

// Why there is no ptxas.
static const char *lack(assay_arena *arena, const char *given) {
  if (given == NULL)
    return "none on PATH, below CUDA_HOME or where CUDA's toolkit is installed; ASSAY_PTXAS=FILE "
           "names one";
  if (given[0] == '\0')
    return "ASSAY_PTXAS is empty";
  return assay_arena_format(arena, "what ASSAY_PTXAS names is no executable file: %s", given);
}

assay_toolkit assay_toolkit_find(assay_arena *arena) {
  const char *given = getenv("ASSAY_PTXAS");
  assay_toolkit toolkit = {.ptxas = given != NULL ? given : find_on_path(arena, "ptxas")};
  prefixes places = list_places(arena, toolkit.ptxas);
  const char *unused;
  if (given != NULL && !is_program(given))
    toolkit.ptxas = NULL;
  else if (toolkit.ptxas == NULL)
    toolkit.ptxas = find_below(arena, &places, "bin/ptxas", X_OK, &unused);
  toolkit.misnamed = toolkit.ptxas == NULL && given != NULL && given[0] != '\0';
  toolkit.lack = toolkit.ptxas == NULL ? lack(arena, given) : NULL;
  toolkit.libdevice =
      find_below(arena, &places, "nvvm/libdevice/libdevice.10.bc", R_OK, &toolkit.folder);
  return toolkit;
}

const char *assay_ptxas_identity(assay_arena *arena, const char *ptxas) {
  struct stat facts = {0};
  char *real = realpath(ptxas, NULL);
  (void)stat(ptxas, &facts);
  const char *identity = assay_arena_format(
      arena, "%s\n%lld %lld.%09ld", real != NULL ? real : ptxas, (long long)facts.st_size,
      (long long)facts.st_mtim.tv_sec, (long)facts.st_mtim.tv_nsec);
  free(real);
  return identity;
}

const char *assay_toolkit_library(assay_arena *arena, const char *name) {
  prefixes places = list_places(arena, find_on_path(arena, "ptxas"));
  const char *unused;
  const char *file =
      find_below(arena, &places, assay_arena_format(arena, "lib64/%s", name), R_OK, &unused);
  return file != NULL
             ? file
             : find_below(arena, &places, assay_arena_format(arena, "lib/%s", name), R_OK, &unused);
}
