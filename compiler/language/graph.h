// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The tensor language: a graph under construction, and the program it becomes.
//
// A program is written as the formula is read: each operation takes values and returns one.
//
//     assay_value x = assay_input(graph, "x", ASSAY_F32, assay_shape_make(2, m, k));
//     assay_value y = assay_add(graph, assay_matmul(graph, x, w), bias);
//
// Each operation checks its rule at once, before any IR exists. The graph keeps the first violation
// and every later operation on it is without effect, so a formula needs no checks between its
// steps; assay_graph_finish reports it. The message names the operation, the shapes and dtypes of
// what it was given, and the rule.
#ifndef ASSAY_COMPILER_LANGUAGE_GRAPH_H
#define ASSAY_COMPILER_LANGUAGE_GRAPH_H

#include "compiler/base/arena.h"
#include "compiler/language/dtype.h"
#include "compiler/language/scalar.h"
#include "compiler/language/shape.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct assay_graph assay_graph;
typedef struct assay_operation assay_operation; // one kind of operation: its rule and its emitter

// A tensor of a graph. Meaningless with any other graph.
typedef struct assay_value {
  int node; // -1 after a violation
} assay_value;

#define ASSAY_NO_VALUE ((assay_value){-1})

// A static slice of one axis: start <= index < stop. step must be 1.
typedef struct assay_range {
  int64_t start, stop, step;
} assay_range;

// How near a contraction must come to its formula: as the dtype's arithmetic does, or as if its
// operands, of f32, were rounded to tf32, 10 bits after the point (NVIDIA's tensor cores do).
typedef enum assay_precision {
  ASSAY_PRECISION_EXACT,
  ASSAY_PRECISION_TF32,
} assay_precision;

enum {
  ASSAY_MAX_OPERANDS = 4,
  ASSAY_MAX_ARGUMENTS = 64, // of a program: inputs at most, and results at most
};

// One operation of a program. Operands are numbers of earlier nodes.
typedef struct assay_node {
  const assay_operation *operation;
  int operand[ASSAY_MAX_OPERANDS];
  int operand_count;
  assay_dtype dtype;                   // of the result
  assay_shape shape;                   // of the result
  union {                              // what the operation needs besides, by its kind
    const char *name;                  // input: its argument's name
    assay_range range[ASSAY_MAX_RANK]; // slice: one per axis
    int permutation[ASSAY_MAX_RANK];   // transpose: axis i of the result is axis permutation[i]
    int axis;                          // sum, max: the axis that is reduced
    assay_scalar scalar;               // constant
    assay_precision precision;         // matmul, batch_matmul
  } attribute;
} assay_node;

// A finished program; const from here on. It lives in the graph's arena. It holds all inputs, in
// the order they were made, and of the other nodes those that a result needs.
typedef struct assay_program {
  const assay_node *nodes; // in an order in which operands come first
  int node_count;
  const int *inputs; // node numbers, in argument order
  int input_count;
  const int *results; // node numbers, in result order
  int result_count;
} assay_program;

// An empty graph; it and all it holds live in the arena.
assay_graph *assay_graph_create(assay_arena *arena);

// Ends construction with the named results (at least one; a value may stand more than once, and may
// be an input). Fails with ASSAY_INVALID and the first violation, if there was one.
ASSAY_MUST_USE assay_code assay_graph_finish(assay_graph *graph, int result_count,
                                             const assay_value results[],
                                             const assay_program **out_program, assay_error *err);

// A formula of several operations under a name of its own, which heads the messages of violations
// inside it: "attention: linear: matmul: ...". name: a literal. Each enter has its leave, which
// returns the value that it is given. At most 16 deep (asserted).
void assay_graph_enter(assay_graph *graph, const char *name);
assay_value assay_graph_leave(assay_graph *graph, assay_value value);
// Records that a rule of the composition itself is broken, unless a violation stands already; every
// later operation is without effect.
ASSAY_PRINTF(2, 3) void assay_graph_object(assay_graph *graph, const char *format, ...);

// The precision that contractions from here on are allowed; exact at first. tf32 is for f32: others
// are then rejected.
void assay_graph_allow(assay_graph *graph, assay_precision precision);

// Shape and dtype of a value, for compositions that derive sizes; rank 0 and f64 after a violation.
assay_shape assay_value_shape(const assay_graph *graph, assay_value value);
assay_dtype assay_value_dtype(const assay_graph *graph, assay_value value);

// An argument of the program; the name is copied. Each dimension from 1, the count of elements
// below 2^40.
assay_value assay_input(assay_graph *graph, const char *name, assay_dtype dtype, assay_shape shape);
// Scalar constants. A weak one is Python's: its kind (bool, int, float) bends to the dtype of the
// array it meets (NEP 50). A strong one is NumPy's of that dtype: np.sqrt(depth) is a strong f64. A
// weak int that the dtype it meets cannot hold is rejected, as NumPy does.
assay_value assay_weak_bool(assay_graph *graph, bool value);
assay_value assay_weak_int(assay_graph *graph, int64_t value);
assay_value assay_weak_float(assay_graph *graph, double value);
assay_value assay_strong_int(assay_graph *graph, assay_dtype dtype, int64_t value); // any dtype
assay_value assay_strong_float(assay_graph *graph, assay_dtype dtype,
                               double value); // floating dtypes

// Elements converted as NumPy's astype does; no node where the dtype is the same. A float that its
// integer dtype cannot hold converts to an unspecified value, as in NumPy.
assay_value assay_cast(assay_graph *graph, assay_value x, assay_dtype dtype);

// Elementwise, two operands: dtypes promote and shapes broadcast by NumPy's rules. Integers wrap.
// What NumPy 2 refuses is rejected (bool - bool, -bool), and so is a result dtype that the language
// lacks.
assay_value assay_add(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_subtract(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_multiply(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_divide(assay_graph *graph, assay_value a, assay_value b); // true division
// Of integers by repeated multiplication. A negative exponent, at which NumPy raises an exception,
// is rejected where it is a constant; in an array it gives 1.
assay_value assay_power(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_minimum(assay_graph *graph, assay_value a, assay_value b); // NaN if either is
assay_value assay_maximum(assay_graph *graph, assay_value a, assay_value b); // NaN if either is
// Comparisons; the result is bool. A weak int is compared by its value, whatever the other's dtype.
assay_value assay_equal(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_not_equal(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_less(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_less_equal(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_greater(assay_graph *graph, assay_value a, assay_value b);
assay_value assay_greater_equal(assay_graph *graph, assay_value a, assay_value b);
// condition (bool) ? a : b; all three broadcast, a and b promote.
assay_value assay_where(assay_graph *graph, assay_value condition, assay_value a, assay_value b);

// Elementwise, one operand, with the result dtype of NumPy's function of that name: the functions
// of real numbers give f64 for i32 and i64, and f16 for bool. rsqrt is 1 / sqrt(x), erf the error
// function.
assay_value assay_negative(assay_graph *graph, assay_value x);
assay_value assay_absolute(assay_graph *graph, assay_value x);
assay_value assay_exp(assay_graph *graph, assay_value x);
assay_value assay_log(assay_graph *graph, assay_value x);
assay_value assay_tanh(assay_graph *graph, assay_value x);
assay_value assay_sqrt(assay_graph *graph, assay_value x);
assay_value assay_rsqrt(assay_graph *graph, assay_value x);
assay_value assay_erf(assay_graph *graph, assay_value x);

// Reductions over one axis (-rank <= axis < rank), with NumPy's result dtypes: sum of bool and i32
// is i64, mean of integers f64. keepdims keeps the axis with size 1. max is NaN if any element is.
assay_value assay_sum(assay_graph *graph, assay_value x, int axis, bool keepdims);
assay_value assay_mean(assay_graph *graph, assay_value x, int axis, bool keepdims);
assay_value assay_max(assay_graph *graph, assay_value x, int axis, bool keepdims);

// length x length: 0 where column <= row, else -1e10 as the floating dtype has it, which is -inf in
// f16; one linalg.generic over linalg.index, no array on the host. length from 1.
assay_value assay_causal_mask(assay_graph *graph, int64_t length, assay_dtype dtype);

// a: MxK, b: KxN, result MxN; dtypes promote by NumPy's rules. Integers wrap, f16 is multiplied and
// summed in f32, and of bool the sum of products is `or` of `and`.
assay_value assay_matmul(assay_graph *graph, assay_value a, assay_value b);
// a: BxMxK, b: BxKxN, result BxMxN; the batch sizes must be equal (NumPy would broadcast them).
assay_value assay_batch_matmul(assay_graph *graph, assay_value a, assay_value b);
// One range per axis, 0 <= start < stop <= size, step 1. x itself where nothing is taken away.
assay_value assay_slice(assay_graph *graph, assay_value x, int count, const assay_range ranges[]);
// The same elements in row-major order under another shape of the same count.
assay_value assay_reshape(assay_graph *graph, assay_value x, assay_shape shape);
// permutation holds each axis once; axis i of the result is axis permutation[i] of x.
assay_value assay_transpose(assay_graph *graph, assay_value x, int count, const int permutation[]);

// How many nodes of the program are contractions (matmul, batch_matmul), and how many of those have
// a floating result, which is what a BLAS can take.
typedef struct assay_contractions {
  int all, floating;
} assay_contractions;
assay_contractions assay_program_contractions(const assay_program *program);

// A hash over everything that determines the program's IR: equal programs, equal fingerprints.
uint64_t assay_program_fingerprint(const assay_program *program);

#ifdef __cplusplus
}
#endif

#endif
