// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The text of a pipeline file, parsed. The build embeds the built-in ones with it.
#ifndef ASSAY_COMPILER_LOWER_PIPELINE_PARSE_H
#define ASSAY_COMPILER_LOWER_PIPELINE_PARSE_H

#include "compiler/base/file.h"
#include "compiler/lower/pipeline.h"

// In the arena. The pipeline's name is the file's without folder and ".pipeline". ASSAY_INVALID
// with file and line for passes before the first stage, a malformed contract, a stage without name
// or passes, a name that is there already, no stage or too many. Whether MLIR knows the passes is
// not looked at.
ASSAY_MUST_USE assay_code assay_pipeline_parse(assay_arena *arena, const assay_file *file,
                                               assay_pipeline *out_pipeline, assay_error *err);

#endif
