// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The border between a program in some state of compilation and the world: which of its parameters
// take the user's arguments, and where the user's results come out.
#ifndef ASSAY_COMPILER_TAIL_BORDER_H
#define ASSAY_COMPILER_TAIL_BORDER_H

#include "compiler/tail/argument.h"

#define ASSAY_TAIL_ENTRY "__assay_entry" // void (void): calls the program's entry once
#define ASSAY_TAIL_IN "__assay_in"       // hands argument n to it: gives its descriptor
#define ASSAY_TAIL_OUT "__assay_out"     // takes result n from it

// How a result reaches us.
typedef enum assay_result_form {
  ASSAY_RESULT_DENSE,      // a pointer to its elements, row-major
  ASSAY_RESULT_RANKED,     // a pointer to a memref's descriptor
  ASSAY_RESULT_UNRANKED,   // a pointer to a rank and a pointer to a descriptor
  ASSAY_RESULT_ALLOCATION, // a pointer to the address of its allocation, its elements aligned in it
} assay_result_form;

typedef struct assay_result {
  assay_value_type type; // in the state
  int argument;          // it stands in the memory of this argument after the run; -1: returned
  int returned;          // which of the state's results
  assay_result_form form;
} assay_result;

typedef struct assay_border {
  int argument_count; // the user's, then those that the compiler added for results
  int user_count;
  assay_argument *arguments;
  int result_count;
  assay_result *results;
  bool is_lossy;         // it returns fewer values than the user's: what is no memory is gone
  assay_signature state; // as the program's functions have it now, in func.func's terms
} assay_border;

// Matches the state's signature with the user's: results become trailing arguments or are dropped
// where they are an argument's own memory. ASSAY_UNSUPPORTED says what cannot be followed.
ASSAY_MUST_USE assay_code assay_border_match(const assay_tail_request *request,
                                             const assay_signature *user,
                                             const assay_signature *state, assay_arena *arena,
                                             assay_border *out_border, assay_error *err);

// Adds ASSAY_TAIL_ENTRY to the module for an entry that is a func.func, in that dialect's terms.
ASSAY_MUST_USE assay_code assay_border_wrap(MlirModule module, const char *entry,
                                            assay_border *border, assay_arena *arena,
                                            assay_error *err);
// The same for an llvm.func.
ASSAY_MUST_USE assay_code assay_border_wrap_llvm(MlirModule module, MlirOperation entry,
                                                 assay_border *border, assay_arena *arena,
                                                 assay_error *err);

// For both: a type as text, and text appended to a module. The text declares the entry, which is
// left out then.
const char *assay_border_type_text(MlirType type, assay_arena *arena);
ASSAY_MUST_USE assay_code assay_border_append(MlirModule module, const char *text,
                                              const char *entry, assay_error *err);

#endif
