// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/root.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

assay_code assay_root_find(const char **out_root, assay_error *err) {
  const char *given = getenv("ASSAY_ROOT");
  const char *root = given != NULL && *given != '\0' ? given : ASSAY_SOURCE_DIR;
  char cases[PATH_MAX];
  struct stat status;
  int length = snprintf(cases, sizeof cases, "%s/suite/cases", root);
  if (length >= (int)sizeof cases || stat(cases, &status) != 0 || !S_ISDIR(status.st_mode))
    return assay_fail_at(err, ASSAY_MISSING, root, 0, 0,
                         "no suite/cases here; set ASSAY_ROOT to Assay's source folder");
  *out_root = root;
  return ASSAY_OK;
}
