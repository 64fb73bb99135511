// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue of suite ops: one file each in suite/ops/, its keys and its program.
//
// A suite op is a formula whose shapes and dtypes the keys of a case line choose:
// "matmul m=3 k=5 n=7 dtype=f32". It knows nothing of backends, data or verdicts.
#ifndef ASSAY_SUITE_OP_H
#define ASSAY_SUITE_OP_H

#include "compiler/language/graph.h"

enum { ASSAY_MAX_KEYS = 12 };

typedef enum assay_key_kind {
  ASSAY_KEY_SIZE,   // a whole number from 1 to 2^20
  ASSAY_KEY_DTYPE,  // f16, f32, f64, i32, i64, bool; where there are choices, one of them
  ASSAY_KEY_CHOICE, // one of the words in choices
  ASSAY_KEY_DIMS,   // up to ASSAY_MAX_RANK whole numbers below 2^31 in magnitude joined by 'x', any
                    // sign: "3x5", "0x-1"; for programs to be rejected
} assay_key_kind;

typedef struct assay_key {
  const char *name;
  assay_key_kind kind;
  bool implied; // (CHOICE) the canonical line has it only where its value is not the preset, so
                // that lines from before there was such a key stay as they are
  const char *preset;  // the default's text; NULL: the key must be given; "=NAME": the value of
                       // NAME, an earlier key of the same kind
  const char *choices; // "plain|sliced|transposed"; of a DTYPE, what the formula is defined for,
                       // NULL for every dtype
  const char *help;    // half a line
} assay_key;

typedef struct assay_param {
  int64_t size;       // SIZE
  assay_dtype dtype;  // DTYPE
  const char *choice; // CHOICE: points into a string with static storage or the case's arena
  assay_shape dims;   // DIMS
} assay_param;

// The values of a case's keys, in the op's declared order.
typedef struct assay_params {
  const struct assay_suite_op *op;
  assay_param value[ASSAY_MAX_KEYS];
} assay_params;

enum { ASSAY_MAX_RESULTS = 4 };

typedef struct assay_suite_op {
  const char *name;
  const char *formula; // NumPy, one line: "lhs @ rhs"
  bool rejected; // its programs break a rule of the language: a negative case (check: diagnostic)
  const assay_key *keys; // in canonical order; the array ends with a NULL name
  // Builds the formula's program in the graph and names its results; returns how many there are (at
  // most ASSAY_MAX_RESULTS). Violations stay in the graph.
  int (*build)(const assay_params *params, assay_graph *graph, assay_value results[]);
} assay_suite_op;

// All of them, sorted by name; the array ends with NULL.
const assay_suite_op *const *assay_suite_ops_get(void);
// NULL where there is none of that name.
const assay_suite_op *assay_suite_op_find(const char *name);
// The name nearest to one that no op has, for messages; NULL where none is near enough to be meant.
const char *assay_suite_op_nearest(assay_arena *arena, const char *name);

// The value of a key the op declares (asserted).
int64_t assay_params_size(const assay_params *params, const char *key);
assay_dtype assay_params_dtype(const assay_params *params, const char *key);
const char *assay_params_choice(const assay_params *params, const char *key);
assay_shape assay_params_dims(const assay_params *params, const char *key);

// The key of ops whose contractions may be told to use tf32, in an array of keys; and its value.
// clang-format off
#define ASSAY_PRECISION_KEY                                                                        \
  {"precision", ASSAY_KEY_CHOICE, .preset = "exact", .choices = "exact|tf32", .implied = true,     \
   .help = "tf32: operands of f32 may be rounded to it"}
// clang-format on
assay_precision assay_params_precision(const assay_params *params);

#endif
