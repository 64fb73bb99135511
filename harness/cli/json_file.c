// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/json_file.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

assay_code assay_json_file_write(json_t *json, const char *path, assay_error *err) {
  bool to_stdout = strcmp(path, "-") == 0;
  FILE *stream = to_stdout ? stdout : fopen(path, "w");
  bool written =
      stream != NULL && json_dumpf(json, stream, JSON_INDENT(1)) == 0 && fputc('\n', stream) != EOF;
  json_decref(json);
  if (stream != NULL && !to_stdout && fclose(stream) != 0)
    written = false;
  if (written)
    return ASSAY_OK;
  return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
}
