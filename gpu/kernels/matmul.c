// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A contraction of memrefs -> the tiled kernel and its launch.
#include "gpu/kernels/make.h"
#include "gpu/kernels/matmul_kernel.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static void append(MlirStringRef part, void *text) {
  assay_text_append(text, part.data, part.length);
}

// Whether the value is a constant of the host's, or a view of one. Those are not in the device's
// memory, and only kernels that hold the operations themselves can name their copies there.
static bool is_constant(MlirValue value) {
  while (mlirValueIsAOpResult(value)) {
    MlirOperation owner = mlirOpResultGetOwner(value);
    if (assay_operation_is(owner, "memref.get_global"))
      return true;
    if (mlirOperationGetNumOperands(owner) == 0)
      return false;
    value = mlirOperationGetOperand(owner, 0);
    if (!mlirTypeIsAMemRef(mlirValueGetType(value)))
      return false;
  }
  return false;
}

// False where the memref has no static shape or no strides, or lies in another memory space.
static bool read_view(assay_arena *arena, MlirValue value, int rank, assay_matmul_view *out_view) {
  MlirType type = mlirValueGetType(value);
  int64_t strides[3], offset;
  if (!mlirTypeIsAMemRef(type) || !mlirShapedTypeHasStaticShape(type) || is_constant(value) ||
      !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type)) ||
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    return false;
  assay_text text = {.arena = arena};
  mlirTypePrint(type, append, &text);
  *out_view = (assay_matmul_view){
      .type = assay_text_get(&text),
      .offset = offset,
      .batch = rank == 3 ? strides[0] : 0,
      .row_stride = strides[rank - 2],
      .column_stride = strides[rank - 1],
  };
  return true;
}

static int64_t size_at(MlirValue value, int axis) {
  return mlirShapedTypeGetDimSize(mlirValueGetType(value), axis);
}

static bool read_product(assay_arena *arena, const assay_contraction *contraction, bool accumulate,
                         assay_matmul_product *out_product) {
  int rank = contraction->rank;
  bool is_f32 = mlirTypeIsAF32(contraction->element);
  assay_matmul_product product = {
      .batched = rank == 3,
      .bytes = is_f32 ? 4 : 8,
      .a_transposed = contraction->lhs_transposed,
      .b_transposed = contraction->rhs_transposed,
      .accumulate = accumulate,
  };
  if ((!is_f32 && !mlirTypeIsAF64(contraction->element)) ||
      !read_view(arena, contraction->lhs, rank, &product.a) ||
      !read_view(arena, contraction->rhs, rank, &product.b) ||
      !read_view(arena, contraction->out, rank, &product.c))
    return false;
  product.batch = rank == 3 ? size_at(contraction->out, 0) : 1;
  product.m = size_at(contraction->out, rank - 2);
  product.n = size_at(contraction->out, rank - 1);
  product.k = size_at(contraction->lhs, contraction->lhs_transposed ? rank - 2 : rank - 1);
  *out_product = product;
  return true;
}

// Places within one matrix are computed in 32 bits, tiles beyond its edges included.
static bool fits(const assay_matmul_product *product, const assay_matmul_tile *tile) {
  const int64_t limit = INT32_MAX - 4096;
  return product->m <= limit && product->n <= limit && product->k <= limit &&
         assay_matmul_blocks(product, tile) <= ASSAY_GPU_MAX_GRID_X;
}

static assay_code refuse(assay_error *err) {
  return assay_fail(err, ASSAY_UNSUPPORTED,
                    "the tiled matmul kernel takes f32 and f64 memrefs of static shape in the "
                    "device's memory");
}

static assay_code place(assay_kernel_maker *maker, const assay_contraction *contraction,
                        const char *name, const char *text, assay_kernel_grid grid,
                        assay_error *err) {
  TRY(assay_kernel_parse(maker, text, err));
  const MlirValue arguments[] = {contraction->lhs, contraction->rhs, contraction->out};
  assay_kernel_launch(maker, contraction->operation, name, grid, 3, arguments);
  return ASSAY_OK;
}

static assay_kernel_grid grid_of(const assay_matmul_product *product,
                                 const assay_matmul_tile *tile) {
  return (assay_kernel_grid){.blocks = assay_matmul_blocks(product, tile),
                             .threads = assay_matmul_threads(tile)};
}

assay_code assay_kernel_matmul(assay_kernel_maker *maker, const assay_contraction *contraction,
                               bool accumulate, assay_error *err) {
  assay_matmul_product product;
  if (!read_product(maker->arena, contraction, accumulate, &product))
    return refuse(err);
  if (product.batch == 0 || product.m == 0 || product.n == 0)
    return ASSAY_OK; // there is nothing to compute
  const assay_matmul_tile *tile = assay_matmul_choose(&product, false);
  if (!fits(&product, tile))
    return refuse(err);
  const char *name = assay_kernel_name(maker, "matmul");
  const char *text = assay_matmul_text(maker->arena, name, &product, tile);
  return place(maker, contraction, name, text, grid_of(&product, tile), err);
}

assay_code assay_kernel_matmul_tf32(assay_kernel_maker *maker, const assay_contraction *contraction,
                                    bool accumulate, assay_error *err) {
  assay_matmul_product product;
  if (!read_product(maker->arena, contraction, accumulate, &product) || product.bytes != 4)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "the tf32 matmul kernel takes f32 memrefs of static shape");
  if (product.batch == 0 || product.m == 0 || product.n == 0)
    return ASSAY_OK;
  const assay_matmul_tile *tile = assay_matmul_choose(&product, true);
  if (!fits(&product, tile))
    return refuse(err);
  const char *name = assay_kernel_name(maker, "matmul_tf32");
  const char *text = assay_matmul_text_tf32(maker->arena, name, &product, tile);
  return place(maker, contraction, name, text, grid_of(&product, tile), err);
}
