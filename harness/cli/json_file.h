// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// JSON as a file, or on standard output.
#ifndef ASSAY_HARNESS_CLI_JSON_FILE_H
#define ASSAY_HARNESS_CLI_JSON_FILE_H

#include "compiler/base/error.h"

#include <jansson.h>

// Writes the value, indented, and releases it; path "-": to standard output. ASSAY_FAILED with the
// path.
ASSAY_MUST_USE assay_code assay_json_file_write(json_t *json, const char *path, assay_error *err);

#endif
