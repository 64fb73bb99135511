// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-gpu-kernels: what a program computes becomes kernels and their launches.
#include "gpu/kernels/kernels.h"

#include "compiler/bridge/memory.h"
#include "compiler/ir/walk.h"
#include "gpu/kernels/draft.h"
#include "gpu/kernels/kinds.h"
#include "gpu/kernels/make.h"
#include "gpu/kernels/structured.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

// An operation of the host code.
typedef struct work {
  assay_structured structured;
  bool understood;
  bool product; // for the tiled kernel
  assay_contraction contraction;
  bool replaced;        // a fill that the kernel of another operation makes superfluous
  MlirOperation *fills; // of its results, which its kernel makes superfluous; null: none
} work;

static bool is_inside(MlirOperation operation, const char *name) {
  for (MlirOperation at = mlirOperationGetParentOperation(operation); !mlirOperationIsNull(at);
       at = mlirOperationGetParentOperation(at))
    if (assay_operation_is(at, name))
      return true;
  return false;
}

static bool is_computation(MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  bool computes = (name.length > 7 && memcmp(name.data, "linalg.", 7) == 0) ||
                  assay_operation_is(operation, "memref.copy");
  return computes && is_inside(operation, "func.func");
}

// The tiled kernel takes buffers of the device: constants are in @kernels, for other ones.
static bool is_product(work *it) {
  assay_contraction *contraction = &it->contraction;
  return assay_contraction_read(it->structured.operation, contraction) &&
         (mlirTypeIsAF32(contraction->element) || mlirTypeIsAF64(contraction->element)) &&
         !assay_draft_constant(contraction->lhs) && !assay_draft_constant(contraction->rhs) &&
         !assay_memory_shared(contraction->out, contraction->lhs) &&
         !assay_memory_shared(contraction->out, contraction->rhs);
}

static int64_t element_count(MlirType memref) {
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(memref); i++)
    count *= mlirShapedTypeGetDimSize(memref, i);
  return count;
}

// The fill that a reduction's result starts from, where the reduction itself can start from its
// number and leaves nothing of it.
static MlirOperation find_fill(const assay_structured *of, int result) {
  int out = of->operand_count - of->out_count + result;
  for (int i = 0; i < of->operand_count; i++)
    if (i != out && mlirTypeIsAMemRef(mlirValueGetType(of->operands[i])) &&
        assay_memory_shared(of->operands[i], of->operands[out]))
      return (MlirOperation){NULL};
  if (element_count(mlirValueGetType(of->operands[out])) != assay_structured_steps(of, false))
    return (MlirOperation){NULL};
  return assay_fill_before(of->operation, of->operands[out]);
}

// Sets the fills and, by them, what the results start from.
static void find_fills(assay_arena *arena, work *it) {
  assay_structured *of = &it->structured;
  it->product = is_product(it);
  MlirValue *starts = assay_arena_take(arena, (size_t)of->out_count + 1, sizeof *starts);
  it->fills = assay_arena_take(arena, (size_t)of->out_count + 1, sizeof *it->fills);
  bool folds =
      assay_structured_any_reduces(of) && assay_structured_apart(of) && assay_structured_steady(of);
  for (int i = 0; i < of->out_count; i++) {
    it->fills[i] = (MlirOperation){NULL};
    if (it->product)
      it->fills[i] = assay_contraction_zeros(&it->contraction);
    else if (folds)
      it->fills[i] = find_fill(of, i);
    starts[i] = mlirOperationIsNull(it->fills[i]) ? (MlirValue){NULL}
                                                  : mlirOperationGetOperand(it->fills[i], 0);
  }
  of->starts = starts;
}

static bool is_empty(const assay_structured *structured) {
  for (int i = 0; i < structured->rank; i++)
    if (structured->extents[i] == 0)
      return true;
  return false;
}

static void mark(const assay_operations *operations, work all[], MlirOperation fill) {
  for (int i = 0; i < operations->count; i++)
    if (mlirOperationEqual(operations->items[i], fill))
      all[i].replaced = true;
}

static work *read_all(assay_arena *arena, const assay_operations *operations) {
  work *all = assay_arena_take(arena, (size_t)operations->count + 1, sizeof *all);
  for (int i = 0; i < operations->count; i++)
    all[i] = (work){0};
  for (int i = 0; i < operations->count; i++) {
    work *it = &all[i];
    it->understood = assay_structured_read(arena, operations->items[i], &it->structured);
    if (!it->understood || is_empty(&it->structured))
      continue;
    find_fills(arena, it);
    for (int j = 0; j < it->structured.out_count; j++)
      if (!mlirOperationIsNull(it->fills[j]))
        mark(operations, all, it->fills[j]);
  }
  return all;
}

// An operation whose parallel loops meet in one element is computed by one thread, in order.
static assay_code make_in_order(assay_kernel_maker *maker, const assay_structured *of,
                                assay_error *err) {
  assay_structured ordered = *of;
  bool *reduces = assay_arena_take(maker->arena, (size_t)of->rank + 1, sizeof *reduces);
  for (int i = 0; i < of->rank; i++)
    reduces[i] = true;
  ordered.reduces = reduces;
  return assay_kernel_each(maker, &ordered, err);
}

static assay_code make_general(assay_kernel_maker *maker, const assay_structured *of,
                               assay_error *err) {
  if (assay_structured_any_reduces(of) && assay_kernel_rows_fit(of))
    return assay_kernel_rows(maker, of, err);
  if (!assay_structured_apart(of))
    return make_in_order(maker, of, err);
  return assay_kernel_each(maker, of, err);
}

static assay_code make_one(assay_kernel_maker *maker, work *it, assay_error *err) {
  MlirOperation operation = it->structured.operation;
  if (is_empty(&it->structured)) {
    mlirOperationDestroy(operation);
    return ASSAY_OK;
  }
  assay_code code = ASSAY_UNSUPPORTED;
  if (it->product) {
    bool accumulate = mlirOperationIsNull(it->fills[0]);
    code = it->contraction.tf32 ? assay_kernel_matmul_tf32(maker, &it->contraction, accumulate, err)
                                : assay_kernel_matmul(maker, &it->contraction, accumulate, err);
    if (code == ASSAY_OK)
      mlirOperationDestroy(operation);
  }
  if (code == ASSAY_UNSUPPORTED)
    code = make_general(maker, &it->structured, err);
  TRY(code);
  for (int i = 0; i < it->structured.out_count; i++)
    if (!mlirOperationIsNull(it->fills[i]))
      mlirOperationDestroy(it->fills[i]);
  return ASSAY_OK;
}

static assay_code run(MlirOperation module, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  assay_operations operations = assay_operations_collect(module, is_computation);
  work *all = read_all(arena, &operations);
  assay_kernel_maker maker = {.arena = arena, .module = module};
  assay_code code = ASSAY_OK;
  for (int i = 0; i < operations.count && code == ASSAY_OK; i++)
    if (all[i].understood && !all[i].replaced)
      code = make_one(&maker, &all[i], err);
  assay_operations_release(&operations);
  assay_arena_destroy(arena);
  return code;
}

static const char *const dialects[] = {"affine", "arith", "gpu",    "llvm", "memref",
                                       "nvvm",   "scf",   "vector", NULL};

const assay_pass assay_pass_gpu_kernels = {
    .argument = "assay-gpu-kernels",
    .description = "Replace linalg operations and copies of memrefs by GPU kernels",
    .anchor = "builtin.module",
    .dialects = dialects,
    .run = run,
};

void assay_gpu_passes_register(void) {
  assay_pass_register(&assay_pass_gpu_views);
  assay_pass_register(&assay_pass_gpu_pack_operands);
  assay_pass_register(&assay_pass_gpu_kernels);
  assay_pass_register(&assay_pass_gpu_math);
  assay_pass_register(&assay_pass_gpu_all_reduce);
  assay_pass_register(&assay_pass_gpu_check_host);
}
