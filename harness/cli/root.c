// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/root.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool is_root(assay_arena *arena, const char *folder) {
  struct stat status;
  return stat(assay_arena_format(arena, "%s/suite/cases", folder), &status) == 0 &&
         S_ISDIR(status.st_mode);
}

// PREFIX/share/assay of PREFIX/bin/PROGRAM; NULL where there is no such folder.
static const char *find_installed(assay_arena *arena) {
  char program[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
  for (int i = 0; i < 2 && length > 0; i++) { // the program's name, and its folder's
    program[length] = '\0';
    const char *slash = strrchr(program, '/');
    length = slash != NULL ? slash - program : 0;
  }
  if (length <= 0)
    return NULL;
  program[length] = '\0';
  const char *folder = assay_arena_format(arena, "%s/share/assay", program);
  return is_root(arena, folder) ? folder : NULL;
}

assay_code assay_root_find(assay_arena *arena, const char *data_folder, const char **out_root,
                           assay_error *err) {
  const char *root = getenv("ASSAY_ROOT");
  if (root == NULL || *root == '\0')
    root = data_folder != NULL ? data_folder : find_installed(arena);
  if (root == NULL)
    root = ASSAY_SOURCE_DIR;
  if (!is_root(arena, root))
    return assay_fail_at(
        err, ASSAY_MISSING, root, 0, 0,
        "no suite/cases here; set ASSAY_ROOT to Assay's source folder or share/assay");
  *out_root = root;
  return ASSAY_OK;
}
