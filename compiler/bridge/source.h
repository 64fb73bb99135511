// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an .mlir file says besides its module: the pieces it is split into, the pipeline of a crash
// reproducer, the commands of its first RUN line.
#ifndef ASSAY_COMPILER_BRIDGE_SOURCE_H
#define ASSAY_COMPILER_BRIDGE_SOURCE_H

#include "compiler/base/arena.h"
#include "compiler/base/file.h"

#include <stdbool.h>

// A piece between lines of "// -----". Its text begins with as many empty lines as stand before it
// in the file, so that places in messages are the file's.
typedef struct assay_source_piece {
  const char *text; // size bytes and a '\0'
  size_t size;
  int line; // of its first line in the file, from 1
} assay_source_piece;

// All pieces, empty ones too, in the arena; one, the file itself, where no line splits it.
const assay_source_piece *assay_source_split(const assay_file *file, assay_arena *arena,
                                             int *out_count);

// The pipeline of an embedded reproducer ({-# external_resources: { mlir_reproducer: { pipeline:
// "builtin.module(...)" } } #-}), as text in the arena; NULL where there is none.
const char *assay_source_reproducer(const char *text, size_t size, assay_arena *arena);

// A command of a RUN line, without redirections, %s, and what stands before the tool ("not").
typedef struct assay_source_command {
  const char *tool; // "mlir-opt", without its folder
  int word_count;
  const char *const *words; // after the tool, unquoted
} assay_source_command;

// The commands of the first RUN line that calls mlir-opt, in their order, all in the arena.
// Continuation lines and substitutions that the file itself DEFINEs are followed; of the others %s
// is left out and the rest stays as it is. *out_count is 0 where there is no such line.
const assay_source_command *assay_source_run_line(const assay_file *file, assay_arena *arena,
                                                  int *out_count);

#endif
