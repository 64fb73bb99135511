// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Steps of the tails for which MLIR has no pass, or none that leaves the program as it is.
#ifndef ASSAY_COMPILER_BRIDGE_TAIL_REWRITE_H
#define ASSAY_COMPILER_BRIDGE_TAIL_REWRITE_H

#include <mlir-c/IR.h>

#ifdef __cplusplus
extern "C" {
#endif

// Takes transform scripts out: they are steps of a pipeline, no part of the program.
void assay_rewrite_drop_scripts(MlirModule module);
// Takes out the functions that neither `entry` nor what is no function may call.
void assay_rewrite_drop_unreached(MlirModule module, const char *entry);
// Operations that no dialect knows, as calls of functions that are declared under their names
// behind this word. What holds regions, ends a block or returns memory stays.
#define ASSAY_UNKNOWN_OPERATION "__assay_unknown_"
void assay_rewrite_unknown(MlirModule module);
// async.execute and its like run at once, gpu.alloc and its like on the host, and the threads of a
// gpu.launch that do not wait for each other one after the other; switches that pass tensors on
// become comparisons.
void assay_rewrite_control(MlirModule module);
// Memory of other spaces than the default one as memory of that, where nothing is lowered yet.
void assay_rewrite_spaces(MlirModule module);
// Integer types without their signs, and without the casts between them.
void assay_rewrite_signless(MlirModule module);
// linalg.softmax, linalg.pack and linalg.unpack in simpler terms; promises of bufferization that a
// half bufferized program has lost.
void assay_rewrite_front(MlirModule module);
// A linalg.pack or linalg.unpack of tensors, element by element.
void assay_rewrite_pack(MlirOperation operation);
void assay_rewrite_unpack(MlirOperation operation);
// vector.gather and vector.scatter of tensors, and of memory whose elements lie apart, lane by
// lane.
void assay_rewrite_gathers(MlirModule module);
// Loops over sums outside those over elements that lie together, where linalg leaves the choice:
// what is instrumented then runs in vectors. Each sum keeps its order, and its bits.
void assay_rewrite_interchange(MlirModule module);
// Integer and floating operations whose lowering by MLIR is wrong at the ends of their range.
void assay_rewrite_corners(MlirModule module);
// Calls of libm for math operations that it has, without folding anything; the rest stays.
void assay_rewrite_libm(MlirModule module);
// Conversions from and to a float of a byte as calls of these names, the format's number of
// small_floats.h behind: f64 (i8), i8 (f64).
#define ASSAY_WIDEN_FLOAT "__assay_widen_f8_"
#define ASSAY_NARROW_FLOAT "__assay_narrow_f8_"
void assay_rewrite_small_floats(MlirModule module);
// quant.rescale_fuse of scalars and vectors as arithmetic; on tensors it is elementwise, and
// becomes a linalg.generic around one of scalars.
void assay_rewrite_quant(MlirModule module);
// vector.scan as arithmetic on slices.
void assay_rewrite_scans(MlirModule module);
// Memory from memref.alloc begins where the allocator puts it, so that none is left behind its end.
void assay_rewrite_drop_alignment(MlirModule module);

#ifdef __cplusplus
}
#endif

#endif
