// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The catalogue of properties: one file each in suite/properties/. A property is what a program's
// results on related inputs must have to do with each other, whatever the values are; it needs no
// reference. Each also makes sure that what should change did change, so that none is held by a
// program that ignores its inputs. A case's own numbers need not show that: a weight may be 0, a
// score saturated, two matrices may commute. Where they do not, inputs of the property's own
// decide.
//
// A property is given a program that was run on a case's data, and runs it again on inputs of its
// own. It knows no backend.
#ifndef ASSAY_SUITE_PROPERTY_H
#define ASSAY_SUITE_PROPERTY_H

#include "compiler/backends/backend.h"
#include "suite/op.h"

enum { ASSAY_EXAMINATION_REASON = 256, ASSAY_MAX_PROPERTIES = 32 };

// A program under examination.
typedef struct assay_examination {
  assay_arena *arena;
  const assay_params *params; // of the case
  const char *data;           // the data set
  int input_count;
  const assay_buffer *inputs; // the case's; const
  const assay_buffer *result; // what the program computed from them (result 0); const
  double slack; // how far two correct results may be apart in one element, where bits may differ
  // Runs the program on other inputs of the same dtypes and shapes into a result like `result`.
  assay_code (*run)(const void *user, const assay_buffer inputs[], const assay_buffer *result,
                    assay_error *err);
  const void *user;
  char reason[ASSAY_EXAMINATION_REASON]; // why the property does not hold; "" where it does
} assay_examination;

typedef struct assay_property {
  const char *name;
  const char *summary; // one line
  // Whether it is checked on that case and data set.
  bool (*applies)(const assay_params *params, const char *data);
  // Fills in reason where it does not hold; fails where the program cannot be run.
  assay_code (*check)(assay_examination *it, assay_error *err);
} assay_property;

// All of them, sorted by name (at most ASSAY_MAX_PROPERTIES); the array ends with NULL.
const assay_property *const *assay_properties_get(void);

// ---- for the properties' files ----

// Copies of the case's inputs, to be changed.
assay_buffer *assay_examine_inputs(assay_examination *it);
// The program's result on these inputs, in the arena.
ASSAY_MUST_USE assay_code assay_examine_run(assay_examination *it, const assay_buffer inputs[],
                                            assay_buffer *out_result, assay_error *err);
// Says why the property does not hold, unless a reason stands already.
ASSAY_PRINTF(2, 3) void assay_examine_object(assay_examination *it, const char *format, ...);

// Elements by row-major number; all dtypes but bool. Numbers that f16 lacks are rounded toward
// zero.
double assay_examine_get(const assay_buffer *buffer, int64_t element);
void assay_examine_set(const assay_buffer *buffer, int64_t element, double value);
// Sets the row's least element to 1 + 2 max |row|: another order, so that no shift, no factor and
// no saturation gives the same result.
void assay_examine_disturb(const assay_buffer *buffer, int64_t row);

// Inputs of floating dtypes whose numbers depend on their shapes and on `set` alone: of either
// sign, magnitudes from 1/2 to 1, divided by the root of the height where they weigh columns
// (matrices but x), so that no part of a formula is zero, equal to another or saturated.
assay_buffer *assay_examine_generic(assay_examination *it, int set);
enum { ASSAY_GENERIC_SETS = 2 }; // results of f16 are equal by chance once in some thousand

// Rows [first, end) of a tensor.
typedef struct assay_rows {
  int64_t first, end;
} assay_rows;

// Whether some of these rows of `changed`, the result after rows of x (input 0) became others, are
// not those of the case's result; or else whether they change on generic inputs when these rows of
// x are negated.
ASSAY_MUST_USE assay_code assay_examine_changed(assay_examination *it, const assay_buffer *changed,
                                                assay_rows rows, assay_rows of_x, bool *out_changed,
                                                assay_error *err);

// A tensor as rows x columns: all axes but the last, and the last.
int64_t assay_examine_columns(const assay_buffer *buffer);
int64_t assay_examine_rows(const assay_buffer *buffer);
// Whether the rows [start, end) have the same bits.
bool assay_examine_same(const assay_buffer *a, const assay_buffer *b, int64_t start, int64_t end);
// The largest |a - b| over all elements.
double assay_examine_distance(const assay_buffer *a, const assay_buffer *b);
// u = 2^-p of the dtype.
double assay_examine_roundoff(const assay_buffer *buffer);

// What `applies` asks: is the case of that op; a choice that the op has and that is that one; a
// size.
bool assay_params_of(const assay_params *params, const char *op);
// Its dtype is a floating one: for what is compared bit for bit.
bool assay_params_floating(const assay_params *params);
// Its dtype is f32 or f64: for what is compared within a bound of first order in u, which in f16
// allows some percent of a result.
bool assay_params_wide(const assay_params *params);
// The case is of that op, of a floating dtype, of rows longer than 1 and plain values.
bool assay_params_rows(const assay_params *params, const char *op);
// matmul of plain views of one dtype and m = k = n, at most 33.
bool assay_params_square(const assay_params *params);

#endif
