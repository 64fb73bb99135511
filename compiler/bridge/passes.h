// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Everything that mlir-opt 22 knows, its test passes included, and pipelines as it takes them.
#ifndef ASSAY_COMPILER_BRIDGE_PASSES_H
#define ASSAY_COMPILER_BRIDGE_PASSES_H

#include "compiler/base/arena.h"
#include "compiler/base/error.h"

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

// A context without threads, with all dialects, extensions and translations to LLVM IR; registers
// all passes (Assay's own are the caller's to register) once per process.
MlirContext assay_passes_context(void);

// Loads plug-ins into the process and the context: ASSAY_INVALID with the file and the reason. A
// library that crashes as it is loaded takes the process with it: try it in a child first.
ASSAY_MUST_USE assay_code assay_passes_load_plugin(const char *file, assay_error *err);
ASSAY_MUST_USE assay_code assay_dialects_load_plugin(const char *file, MlirContext context,
                                                     assay_error *err);

// A pipeline that is ready to run; children inherit it.
typedef struct assay_pass_pipeline assay_pass_pipeline;

// From words as on mlir-opt's command line, in order: --pass-pipeline=TEXT, or passes as single
// flags with one dash or two and their options (--canonicalize -affine-loop-fusion=mode=greedy).
// ASSAY_INVALID names what is unknown and the nearest known pass, and says what MLIR says of a pass
// that cannot stand where it is. Passes are initialized, none is run. Where a registered pipeline
// is named a child tries it first, since its builder may end the process. No words: an empty one.
ASSAY_MUST_USE assay_code assay_pass_pipeline_parse(MlirContext context, int count,
                                                    const char *const words[],
                                                    assay_pass_pipeline **out_pipeline,
                                                    assay_error *err);
void assay_pass_pipeline_destroy(assay_pass_pipeline *pipeline); // NULL is allowed
// "builtin.module(canonicalize{...},func.func(cse))"; in the arena.
const char *assay_pass_pipeline_text(const assay_pass_pipeline *pipeline, assay_arena *arena);
// Whether a word on the command line is a pass's flag ("--cse", "-affine-loop-fusion=mode=greedy").
bool assay_pass_is_known(const char *flag);
// The known pass or pipeline nearest to a name; NULL where none is near. Valid for the process.
const char *assay_pass_nearest(const char *name);

#ifdef __cplusplus
}
#endif

#endif
