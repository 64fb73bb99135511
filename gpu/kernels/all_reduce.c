// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-gpu-all-reduce: gpu.all_reduce as shuffles within each warp and one exchange of the warps'
// results through shared memory.
//
// What convert-gpu-to-nvvm makes of it is right in lock step only: all lanes of the first warp
// write the sum to the word that one of them has just read, with nothing but a shuffle between,
// which orders no memory. Here each word has one writer, and a barrier before its readers.
#include "compiler/ir/builder.h"
#include "compiler/ir/walk.h"
#include "gpu/kernels/combine.h"
#include "gpu/kernels/draft.h"
#include "gpu/kernels/kernels.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

static MlirAttribute attribute_of(MlirOperation operation, const char *name) {
  return mlirOperationGetAttributeByName(operation, mlirStringRefCreateFromCString(name));
}

static MlirOperation kernel_of(MlirOperation operation) {
  while (!mlirOperationIsNull(operation) && !assay_operation_is(operation, "gpu.func"))
    operation = mlirOperationGetParentOperation(operation);
  return operation;
}

// Threads of the kernel's blocks, which lie along x in whole warps; 0 where that is not known.
static int64_t threads_of(MlirOperation kernel) {
  if (mlirOperationIsNull(kernel))
    return 0;
  MlirAttribute sizes = attribute_of(kernel, "known_block_size");
  if (mlirAttributeIsNull(sizes) || mlirDenseI32ArrayGetElement(sizes, 1) != 1 ||
      mlirDenseI32ArrayGetElement(sizes, 2) != 1)
    return 0;
  int64_t threads = mlirDenseI32ArrayGetElement(sizes, 0);
  return threads % ASSAY_GPU_WARP == 0 ? threads : 0;
}

static bool can_replace(MlirOperation operation) {
  if (!assay_operation_is(operation, "gpu.all_reduce") ||
      mlirAttributeIsNull(attribute_of(operation, "op")))
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  return threads_of(kernel_of(operation)) > 0 && assay_combining_name(operation) != NULL &&
         (mlirTypeIsAF32(type) || mlirTypeIsAF64(type) ||
          (mlirTypeIsAInteger(type) &&
           (mlirIntegerTypeGetWidth(type) == 32 || mlirIntegerTypeGetWidth(type) == 64)));
}

// What the lane whose number differs in those bits has.
static MlirValue exchange(const assay_builder *at, MlirValue value, int bits) {
  MlirContext context = at->context;
  MlirType i32 = mlirIntegerTypeGet(context, 32);
  MlirValue operands[] = {value, assay_builder_constant(at, mlirIntegerAttrGet(i32, bits)),
                          assay_builder_constant(at, mlirIntegerAttrGet(i32, ASSAY_GPU_WARP))};
  MlirType types[] = {mlirValueGetType(value), mlirIntegerTypeGet(context, 1)};
  MlirStringRef mode = mlirStringRefCreateFromCString("#gpu<shuffle_mode xor>");
  MlirNamedAttribute attribute =
      assay_builder_attribute(at, "mode", mlirAttributeParseGet(context, mode));
  return assay_builder_add_value(at, &(assay_recipe){.name = "gpu.shuffle",
                                                     .operand_count = 3,
                                                     .operands = operands,
                                                     .attribute_count = 1,
                                                     .attributes = &attribute,
                                                     .result_count = 2,
                                                     .results = types});
}

static MlirValue combine(const assay_builder *at, const char *name, MlirValue a, MlirValue b) {
  MlirValue operands[] = {a, b};
  return assay_builder_apply(at, name, mlirValueGetType(a), 2, operands);
}

// Shared memory of the kernel for so many elements.
static MlirValue add_shared(MlirOperation kernel, MlirType element, int64_t count) {
  MlirContext context = mlirOperationGetContext(kernel);
  MlirStringRef space = mlirStringRefCreateFromCString("#gpu.address_space<workgroup>");
  MlirType type =
      mlirMemRefTypeContiguousGet(element, 1, &count, mlirAttributeParseGet(context, space));
  MlirAttribute attributions = attribute_of(kernel, "workgroup_attributions");
  int64_t before = mlirAttributeIsNull(attributions) ? 0 : mlirIntegerAttrGetValueInt(attributions);
  mlirOperationSetAttributeByName(kernel, mlirStringRefCreateFromCString("workgroup_attributions"),
                                  mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), before + 1));
  MlirType function = mlirTypeAttrGetValue(attribute_of(kernel, "function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(function);
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  return mlirBlockInsertArgument(entry, inputs + before, type, mlirOperationGetLocation(kernel));
}

static void add_barrier(const assay_builder *at) {
  assay_builder_add(at, &(assay_recipe){.name = "gpu.barrier"});
}

// The first lane of each warp leaves what the warp has; then every thread combines what they left,
// in the same order.
static MlirValue exchange_warps(const assay_builder *at, MlirOperation operation, const char *name,
                                MlirValue value, int64_t warps) {
  MlirOperation kernel = kernel_of(operation);
  MlirValue shared = add_shared(kernel, mlirValueGetType(value), warps);
  // Where it runs again and again, readers of the last time may still be there.
  if (!mlirOperationEqual(mlirOperationGetParentOperation(operation), kernel))
    add_barrier(at);
  MlirValue thread = assay_draft_thread(at), size = assay_draft_index(at, ASSAY_GPU_WARP);
  MlirValue lane = combine(at, "arith.remui", thread, size);
  assay_builder first = assay_draft_if_below(at, lane, assay_draft_index(at, 1));
  MlirValue stored[] = {value, shared, combine(&first, "arith.divui", thread, size)};
  assay_builder_add(
      &first, &(assay_recipe){.name = "memref.store", .operand_count = 3, .operands = stored});
  assay_draft_yield(&first, 0, NULL);
  add_barrier(at);
  for (int64_t i = 0; i < warps; i++) {
    MlirValue place[] = {shared, assay_draft_index(at, i)};
    MlirValue other = assay_builder_apply(at, "memref.load", mlirValueGetType(value), 2, place);
    value = i == 0 ? other : combine(at, name, value, other);
  }
  return value;
}

static void replace(MlirOperation operation) {
  const char *name = assay_combining_name(operation);
  int64_t warps = threads_of(kernel_of(operation)) / ASSAY_GPU_WARP;
  assay_builder at = assay_builder_aside(operation);
  MlirValue value = mlirOperationGetOperand(operation, 0);
  for (int bits = ASSAY_GPU_WARP / 2; bits > 0; bits /= 2)
    value = combine(&at, name, value, exchange(&at, value, bits));
  if (warps > 1)
    value = exchange_warps(&at, operation, name, value, warps);
  assay_builder_replace(&at, operation, value);
}

static assay_code run(MlirOperation root, assay_error *err) {
  (void)err;
  assay_operations found = assay_operations_collect(root, can_replace);
  for (int i = 0; i < found.count; i++)
    replace(found.items[i]);
  assay_operations_release(&found);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", "gpu", "memref", "scf", NULL};

const assay_pass assay_pass_gpu_all_reduce = {
    .argument = "assay-gpu-all-reduce",
    .description = "Expand gpu.all_reduce so that no two threads race",
    .anchor = "gpu.module",
    .dialects = dialects,
    .run = run,
};
