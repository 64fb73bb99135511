// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-contractions-to-loops: a contraction of memrefs becomes loops in the order (m, k, n), with
// blocks of rows and of k unrolled into the innermost loop:
//
//     for i in blocks of rows, for k in blocks:
//       take the block of A
//       for j: for each row of the block: C[row, j] += sum over the block of A[row, k] B[k, j]
//
// The inner loop runs along rows of B and C, so LLVM vectorises it, and it loads and stores an
// element of C once for a whole block of k. With 4 x 4 each vector of B serves four rows, each of C
// four k, and the 16 elements of A still fit the vector registers. Sums are taken in ascending k;
// products and sums may be contracted to FMAs.
#include "compiler/bridge/memory.h"
#include "compiler/ir/builder.h"
#include "compiler/lower/contraction.h"
#include "compiler/lower/passes.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

enum { UNROLL = 4 };

// A size of the iteration space, or a bound inside it.
typedef struct bound {
  int64_t number; // -1 where it is known at run time only
  MlirValue value;
} bound;

typedef struct loop_nest {
  const assay_contraction *contraction;
  MlirType index;
  MlirAttribute contract; // fastmath<contract>
  bool floating;
  MlirValue batch; // of rank 3: the batch's index
  bound m, n, k;
} loop_nest;

// A stretch of one loop, taken in steps of `step` elements.
typedef struct stretch {
  bound from, to;
  int step; // 0 where the stretch is empty
} stretch;

static assay_builder within(const assay_builder *builder, MlirBlock block) {
  return (assay_builder){builder->context, block, builder->location};
}

static MlirValue constant(const assay_builder *builder, const loop_nest *nest, int64_t number) {
  return assay_builder_constant(builder, mlirIntegerAttrGet(nest->index, number));
}

static MlirValue binary(const assay_builder *builder, const loop_nest *nest, const char *name,
                        MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  MlirType type = mlirValueGetType(a);
  bool floating = mlirTypeIsAFloat(type);
  MlirNamedAttribute fast = assay_builder_attribute(builder, "fastmath", nest->contract);
  return assay_builder_add_value(builder, &(assay_recipe){.name = name,
                                                          .operand_count = 2,
                                                          .operands = operands,
                                                          .attribute_count = floating ? 1 : 0,
                                                          .attributes = &fast,
                                                          .result_count = 1,
                                                          .results = &type});
}

static bound known(const assay_builder *builder, const loop_nest *nest, int64_t number) {
  return (bound){number, constant(builder, nest, number)};
}

// The size of an axis of a buffer.
static bound size_of(const assay_builder *builder, const loop_nest *nest, MlirValue buffer,
                     int axis) {
  int64_t size = mlirShapedTypeGetDimSize(mlirValueGetType(buffer), axis);
  if (!mlirShapedTypeIsDynamicSize(size))
    return known(builder, nest, size);
  MlirValue operands[] = {buffer, constant(builder, nest, axis)};
  MlirValue value = assay_builder_add_value(builder, &(assay_recipe){.name = "memref.dim",
                                                                     .operand_count = 2,
                                                                     .operands = operands,
                                                                     .result_count = 1,
                                                                     .results = &nest->index});
  return (bound){-1, value};
}

// Splits [0, size) into whole blocks and a rest: of one smaller block where the size is known, else
// of single elements.
static void split(const assay_builder *builder, const loop_nest *nest, bound size, stretch out[2]) {
  bound zero = known(builder, nest, 0), middle;
  int rest = 1;
  if (size.number >= 0) {
    rest = (int)(size.number % UNROLL);
    middle = known(builder, nest, size.number - rest);
  } else {
    MlirValue over =
        binary(builder, nest, "arith.remsi", size.value, constant(builder, nest, UNROLL));
    middle = (bound){-1, binary(builder, nest, "arith.subi", size.value, over)};
  }
  out[0] = (stretch){zero, middle, middle.number == 0 ? 0 : UNROLL};
  out[1] = (stretch){middle, size, rest};
}

// Opens a loop; the builder that is returned appends to its body, which close_loop ends.
static assay_builder open_loop(const assay_builder *builder, const loop_nest *nest, stretch range,
                               MlirValue *out_index) {
  MlirValue operands[] = {range.from.value, range.to.value, constant(builder, nest, range.step)};
  MlirOperation loop = assay_builder_add(
      builder, &(assay_recipe){
                   .name = "scf.for", .operand_count = 3, .operands = operands, .region_count = 1});
  MlirBlock body = mlirBlockCreate(1, &nest->index, &builder->location);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(loop, 0), body);
  *out_index = mlirBlockGetArgument(body, 0);
  return within(builder, body);
}

static void close_loop(const assay_builder *body) {
  assay_builder_add(body, &(assay_recipe){.name = "scf.yield"});
}

// The operands of a load or store of buffer[batch, row, column] after the first `offset` ones.
static int address(const loop_nest *nest, MlirValue buffer, MlirValue row, MlirValue column,
                   MlirValue out[4]) {
  int count = 0;
  out[count++] = buffer;
  if (nest->contraction->rank == 3)
    out[count++] = nest->batch;
  out[count++] = row;
  out[count++] = column;
  return count;
}

static MlirValue load(const assay_builder *builder, const loop_nest *nest, MlirValue buffer,
                      bool transposed, MlirValue row, MlirValue column) {
  MlirValue operands[4];
  int count = transposed ? address(nest, buffer, column, row, operands)
                         : address(nest, buffer, row, column, operands);
  return assay_builder_add_value(builder, &(assay_recipe){.name = "memref.load",
                                                          .operand_count = count,
                                                          .operands = operands,
                                                          .result_count = 1,
                                                          .results = &nest->contraction->element});
}

static void store(const assay_builder *builder, const loop_nest *nest, MlirValue value,
                  MlirValue row, MlirValue column) {
  MlirValue operands[5] = {value};
  int count = 1 + address(nest, nest->contraction->out, row, column, operands + 1);
  assay_builder_add(
      builder,
      &(assay_recipe){.name = "memref.store", .operand_count = count, .operands = operands});
}

static void number_block(const assay_builder *builder, const loop_nest *nest, MlirValue first,
                         int count, MlirValue out[UNROLL]) {
  out[0] = first;
  for (int i = 1; i < count; i++)
    out[i] = binary(builder, nest, "arith.addi", first, constant(builder, nest, i));
}

// The loop over n for a block of rows and of k.
static void emit_columns(const assay_builder *builder, const loop_nest *nest, int row_count,
                         const MlirValue rows[], int k_count, MlirValue first_k) {
  const assay_contraction *contraction = nest->contraction;
  MlirValue k[UNROLL], a[UNROLL][UNROLL], b[UNROLL], j;
  number_block(builder, nest, first_k, k_count, k);
  for (int row = 0; row < row_count; row++)
    for (int i = 0; i < k_count; i++)
      a[row][i] =
          load(builder, nest, contraction->lhs, contraction->lhs_transposed, rows[row], k[i]);
  assay_builder body = open_loop(builder, nest, (stretch){known(builder, nest, 0), nest->n, 1}, &j);
  for (int i = 0; i < k_count; i++)
    b[i] = load(&body, nest, contraction->rhs, contraction->rhs_transposed, k[i], j);
  for (int row = 0; row < row_count; row++) {
    MlirValue sum = load(&body, nest, contraction->out, false, rows[row], j);
    for (int i = 0; i < k_count; i++) {
      const char *multiply = nest->floating ? "arith.mulf" : "arith.muli";
      MlirValue product = binary(&body, nest, multiply, a[row][i], b[i]);
      sum = binary(&body, nest, nest->floating ? "arith.addf" : "arith.addi", sum, product);
    }
    store(&body, nest, sum, rows[row], j);
  }
  close_loop(&body);
}

static void emit_matrix(const assay_builder *builder, const loop_nest *nest) {
  stretch m[2], k[2];
  split(builder, nest, nest->m, m);
  split(builder, nest, nest->k, k);
  for (int i = 0; i < 2; i++) {
    if (m[i].step == 0)
      continue;
    MlirValue first_row, rows[UNROLL];
    assay_builder row_body = open_loop(builder, nest, m[i], &first_row);
    number_block(&row_body, nest, first_row, m[i].step, rows);
    for (int l = 0; l < 2; l++) {
      if (k[l].step == 0)
        continue;
      MlirValue first_k;
      assay_builder k_body = open_loop(&row_body, nest, k[l], &first_k);
      emit_columns(&k_body, nest, m[i].step, rows, k[l].step, first_k);
      close_loop(&k_body);
    }
    close_loop(&row_body);
  }
}

static void emit(const assay_builder *builder, const assay_contraction *contraction) {
  MlirStringRef fast = mlirStringRefCreateFromCString("#arith.fastmath<contract>");
  int m_axis = contraction->rank - 2, n_axis = contraction->rank - 1;
  loop_nest nest = {.contraction = contraction,
                    .index = mlirIndexTypeGet(builder->context),
                    .contract = mlirAttributeParseGet(builder->context, fast),
                    .floating = mlirTypeIsAFloat(contraction->element)};
  nest.m = size_of(builder, &nest, contraction->out, m_axis);
  nest.n = size_of(builder, &nest, contraction->out, n_axis);
  nest.k = size_of(builder, &nest, contraction->lhs, contraction->lhs_transposed ? m_axis : n_axis);
  if (contraction->rank == 2) {
    emit_matrix(builder, &nest);
    return;
  }
  bound batches = size_of(builder, &nest, contraction->out, 0);
  assay_builder body =
      open_loop(builder, &nest, (stretch){known(builder, &nest, 0), batches, 1}, &nest.batch);
  emit_matrix(&body, &nest);
  close_loop(&body);
}

// Elements of A are taken before the loop that writes C, which is not what a product into one of
// its own operands means; and the dialect multiplies i1 and complex numbers by other operations.
static bool can_emit(const assay_contraction *contraction) {
  MlirType element = contraction->element;
  bool number = mlirTypeIsAFloat(element) ||
                (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) > 1);
  return number && mlirTypeIsAMemRef(mlirValueGetType(contraction->out)) &&
         !assay_memory_shared(contraction->out, contraction->lhs) &&
         !assay_memory_shared(contraction->out, contraction->rhs);
}

// Replaces the contraction by loops, which are built aside and then moved to its place.
static void replace(const assay_contraction *contraction) {
  MlirOperation operation = contraction->operation;
  assay_builder aside = assay_builder_aside(operation);
  emit(&aside, contraction);
  assay_builder_place(&aside, operation);
  mlirOperationDestroy(operation);
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations contractions = assay_operations_collect(root, assay_contraction_named);
  for (int i = 0; i < contractions.count; i++) {
    assay_contraction contraction;
    if (assay_contraction_read(contractions.items[i], &contraction) && can_emit(&contraction))
      replace(&contraction);
  }
  free(contractions.items);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", "memref", "scf", NULL};

const assay_pass assay_pass_contractions_to_loops = {
    .argument = "assay-contractions-to-loops",
    .description = "Lower matmul and batch_matmul of memrefs to loops in (m, k, n) order",
    .anchor = "func.func",
    .dialects = dialects,
    .run = run,
};
