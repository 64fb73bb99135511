// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Ways to make a module smaller. Each kind of cut has numbered sites in a module; what is cut may
// be invalid or may compute something else: both are for the caller to see.
#ifndef ASSAY_COMPILER_BRIDGE_CUTS_CUTS_H
#define ASSAY_COMPILER_BRIDGE_CUTS_CUTS_H

#include <mlir-c/IR.h>
#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// In the order in which they are worth trying. Scripts of the transform dialect are part of a
// pipeline, not of the program: they stay as they are.
typedef enum assay_cut {
  ASSAY_CUT_SYMBOLS,      // functions, globals, nested modules; with them what names them
  ASSAY_CUT_AFTER,        // the function returns what lives behind an operation of its body
  ASSAY_CUT_BEFORE,       // what an operation of its body and those before it gave are arguments
  ASSAY_CUT_RESULTS,      // results of the function
  ASSAY_CUT_OPERATIONS,   // operations anywhere; an operand or the like stands in for each result
  ASSAY_CUT_TO_ARGUMENTS, // results of operations in the function's own blocks
  ASSAY_CUT_TO_CONSTANTS, // results of operations, arguments of the function
  ASSAY_CUT_REGIONS,      // control flow gives way to one of its regions, a call to its callee
  ASSAY_CUT_DIMS,         // static sizes, each in all its places in the module at once
  ASSAY_CUT_CONSTANTS,    // constants become splats, numbers become 1 or 0
  ASSAY_CUT_ATTRIBUTES,   // attributes that may be left out, and places in the source
  ASSAY_CUT_COUNT
} assay_cut;

const char *assay_cut_name(assay_cut cut); // "cut after"

// Whether a site stands for all that comes after (AFTER, where a smaller site cuts more) or before
// it (BEFORE, where a larger one does), so that one is applied at a time and they can be bisected.
bool assay_cut_is_positional(assay_cut cut);

// `entry` names the function that is run, a func.func or llvm.func; NULL where nothing is run: then
// every function with a body is treated so, and site numbers run through them.

// How many sites of that kind the module has, in an order that is the same for equal modules.
int assay_cut_count(MlirModule module, const char *entry, assay_cut cut);

// Applies the sites [from, to), of a positional kind only `from`, where each can be applied, and
// removes what is dead by that. false where nothing changed. The module may be invalid afterwards,
// but can be verified, printed and destroyed.
bool assay_cut_apply(MlirModule module, const char *entry, assay_cut cut, int from, int to);

// Removes operations without effect and use, buffers that are only written, private functions and
// globals that nobody names, arguments that nobody reads and results that stand there twice. true
// where anything changed.
bool assay_cut_clean(MlirModule module, const char *entry);

// Operations in the bodies of functions and in their regions; without modules, functions,
// terminators.
int assay_module_size(MlirModule module);

#ifdef __cplusplus
}
#endif

#endif
