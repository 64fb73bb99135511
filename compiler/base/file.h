// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Files: read whole into an arena, written whole, and walked line by line with places for messages.
#ifndef ASSAY_COMPILER_BASE_FILE_H
#define ASSAY_COMPILER_BASE_FILE_H

#include "compiler/base/arena.h"

#include <stdbool.h>

typedef struct assay_file {
  const char *path;  // as given; "<stdin>" for "-"
  const char *bytes; // size bytes and a '\0' after them
  size_t size;
} assay_file;

// Reads the file at path ("-": standard input) into the arena. ASSAY_MISSING where it cannot be
// opened or is no regular file, ASSAY_FAILED where reading fails.
ASSAY_MUST_USE assay_code assay_file_read(assay_arena *arena, const char *path,
                                          assay_file *out_file, assay_error *err);

// Whether there is a folder of that name, a link to one included.
bool assay_path_is_folder(const char *path);

// Writes a whole file. ASSAY_FAILED with the path.
ASSAY_MUST_USE assay_code assay_file_write(const char *path, const char *text, assay_error *err);

// Start with {.file = &file}.
typedef struct assay_lines {
  const assay_file *file;
  size_t offset;     // of the next line
  int number;        // of the current line, from 1
  const char *start; // of the current line
  size_t length;     // of the current line, without "\n" or "\r\n"
} assay_lines;

// Moves to the next line; false at the end of the file.
bool assay_lines_next(assay_lines *lines);

#endif
