// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/make.h"

#include "compiler/ir/builder.h"
#include "compiler/ir/diagnostics.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

static const char module_name[] = "kernels";

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

const char *assay_kernel_name(assay_kernel_maker *maker, const char *kind) {
  return assay_arena_format(maker->arena, "%s_%d", kind, maker->count++);
}

// The module's symbols end with @kernels, so that the host code stays on top where it is read.
MlirBlock assay_kernel_block(assay_kernel_maker *maker) {
  if (!mlirOperationIsNull(maker->kernels))
    return mlirRegionGetFirstBlock(mlirOperationGetRegion(maker->kernels, 0));
  MlirContext context = mlirOperationGetContext(maker->module);
  assay_builder builder = {
      .context = context,
      .block = mlirRegionGetFirstBlock(mlirOperationGetRegion(maker->module, 0)),
      .location = mlirOperationGetLocation(maker->module),
  };
  MlirNamedAttribute name =
      assay_builder_attribute(&builder, "sym_name", mlirStringAttrGet(context, ref(module_name)));
  maker->kernels = assay_builder_add(&builder, &(assay_recipe){.name = "gpu.module",
                                                               .attribute_count = 1,
                                                               .attributes = &name,
                                                               .region_count = 1});
  MlirBlock block = mlirBlockCreate(0, NULL, NULL);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(maker->kernels, 0), block);
  mlirOperationSetDiscardableAttributeByName(maker->module, ref("gpu.container_module"),
                                             mlirUnitAttrGet(context));
  return block;
}

// The one function of the one gpu.module that was parsed.
static MlirOperation find_function(MlirModule parsed) {
  MlirOperation outer = mlirBlockGetFirstOperation(mlirModuleGetBody(parsed));
  return mlirBlockGetFirstOperation(mlirRegionGetFirstBlock(mlirOperationGetRegion(outer, 0)));
}

assay_code assay_kernel_parse(assay_kernel_maker *maker, const char *text, assay_error *err) {
  MlirContext context = mlirOperationGetContext(maker->module);
  const char *whole =
      assay_arena_format(maker->arena, "gpu.module @%s {\n%s\n}\n", module_name, text);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  MlirModule parsed = mlirModuleCreateParse(context, ref(whole));
  assay_diagnostics_close(&diagnostics);
  if (mlirModuleIsNull(parsed))
    return assay_diagnostics_fail(&diagnostics, "a kernel's text", err);
  MlirOperation function = find_function(parsed);
  mlirOperationRemoveFromParent(function);
  mlirBlockAppendOwnedOperation(assay_kernel_block(maker), function);
  mlirModuleDestroy(parsed);
  return ASSAY_OK;
}

void assay_kernel_launch(assay_kernel_maker *maker, MlirOperation before, const char *name,
                         assay_kernel_grid grid, int count, const MlirValue arguments[]) {
  assay_builder builder = assay_builder_aside(before);
  MlirContext context = builder.context;
  MlirType index = mlirIndexTypeGet(context);
  MlirValue one = assay_builder_constant(&builder, mlirIntegerAttrGet(index, 1));
  MlirValue blocks = assay_builder_constant(&builder, mlirIntegerAttrGet(index, grid.blocks));
  MlirValue threads = assay_builder_constant(&builder, mlirIntegerAttrGet(index, grid.threads));
  const MlirValue sizes[] = {blocks, one, one, threads, one, one};
  const int size_count = sizeof sizes / sizeof *sizes;
  MlirValue *operands =
      assay_arena_take(maker->arena, (size_t)size_count + (size_t)count, sizeof *operands);
  memcpy(operands, sizes, sizeof sizes);
  for (int i = 0; i < count; i++)
    operands[size_count + i] = arguments[i];
  MlirAttribute function = mlirFlatSymbolRefAttrGet(context, ref(name));
  // Dependencies, then each size, then a cluster's, shared memory, the arguments and a stream.
  const int32_t segments[] = {0, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, count, 0};
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(&builder, "kernel",
                              mlirSymbolRefAttrGet(context, ref(module_name), 1, &function)),
      assay_builder_attribute(
          &builder, "operandSegmentSizes",
          mlirDenseI32ArrayGet(context, sizeof segments / sizeof *segments, segments)),
  };
  assay_builder_add(&builder, &(assay_recipe){.name = "gpu.launch_func",
                                              .operand_count = size_count + count,
                                              .operands = operands,
                                              .attribute_count = 2,
                                              .attributes = attributes});
  assay_builder_place(&builder, before);
}
