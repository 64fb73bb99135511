// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/draft.h"

#include "compiler/ir/walk.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

static MlirStringRef ref(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

// Room for one more item in an array of the arena.
static void *grow(assay_arena *arena, void *items, int count, int *capacity, size_t size) {
  if (count < *capacity)
    return items;
  *capacity = *capacity == 0 ? 8 : 2 * *capacity;
  void *larger = assay_arena_take(arena, (size_t)*capacity, size);
  if (count > 0)
    memcpy(larger, items, (size_t)count * size);
  return larger;
}

static MlirValue note(assay_kernel_draft *draft, MlirValue outer, MlirValue inner) {
  draft->brought = grow(draft->maker->arena, draft->brought, draft->count, &draft->capacity,
                        sizeof *draft->brought);
  draft->brought[draft->count].outer = outer;
  draft->brought[draft->count++].inner = inner;
  return inner;
}

static MlirValue add_argument(assay_kernel_draft *draft, MlirValue outer) {
  draft->arguments = grow(draft->maker->arena, draft->arguments, draft->argument_count,
                          &draft->argument_capacity, sizeof *draft->arguments);
  draft->arguments[draft->argument_count++] = outer;
  return note(
      draft, outer,
      mlirBlockAddArgument(draft->head.block, mlirValueGetType(outer), draft->head.location));
}

// Copies the global that the operation names into @kernels, once.
static void bring_global(assay_kernel_draft *draft, MlirOperation get_global) {
  MlirBlock block = assay_kernel_block(draft->maker);
  MlirStringRef name =
      mlirFlatSymbolRefAttrGetValue(mlirOperationGetAttributeByName(get_global, ref("name")));
  MlirSymbolTable kernels = mlirSymbolTableCreate(draft->maker->kernels);
  MlirSymbolTable host = mlirSymbolTableCreate(draft->maker->module);
  MlirOperation global = mlirSymbolTableLookup(host, name);
  if (mlirOperationIsNull(mlirSymbolTableLookup(kernels, name)) && !mlirOperationIsNull(global)) {
    MlirOperation copy = mlirOperationClone(global);
    mlirBlockInsertOwnedOperation(block, 0, copy);
  }
  mlirSymbolTableDestroy(host);
  mlirSymbolTableDestroy(kernels);
}

// Operations that are made anew in a kernel where their operands are: they cost nothing there.
static bool is_view(MlirOperation operation) {
  static const char *const names[] = {"memref.subview",          "memref.expand_shape",
                                      "memref.collapse_shape",   "memref.cast",
                                      "memref.reinterpret_cast", "memref.transpose"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (assay_operation_is(operation, names[i]))
      return true;
  return false;
}

bool assay_draft_constant(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirOperation operation = mlirOpResultGetOwner(value);
  if (assay_operation_is(operation, "arith.constant") ||
      assay_operation_is(operation, "memref.get_global"))
    return true;
  if (!is_view(operation))
    return false;
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++)
    if (!assay_draft_constant(mlirOperationGetOperand(operation, i)))
      return false;
  return true;
}

static MlirValue make_anew(assay_kernel_draft *draft, MlirValue outer) {
  MlirOperation operation = mlirOpResultGetOwner(outer);
  if (assay_operation_is(operation, "memref.get_global"))
    bring_global(draft, operation);
  MlirOperation copy = mlirOperationClone(operation);
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++)
    mlirOperationSetOperand(copy, i,
                            assay_draft_bring(draft, mlirOperationGetOperand(operation, i)));
  mlirBlockAppendOwnedOperation(draft->head.block, copy);
  return note(draft, outer, mlirOperationGetResult(copy, mlirOpResultGetResultNumber(outer)));
}

MlirValue assay_draft_bring(assay_kernel_draft *draft, MlirValue outer) {
  for (int i = 0; i < draft->count; i++)
    if (mlirValueEqual(draft->brought[i].outer, outer))
      return draft->brought[i].inner;
  return assay_draft_constant(outer) ? make_anew(draft, outer) : add_argument(draft, outer);
}

// Whether the kernel touches the operand: a result, or what the body reads.
static bool is_touched(const assay_structured *of, int operand) {
  return operand >= of->operand_count - of->out_count || mlirBlockIsNull(of->body) ||
         !mlirOpOperandIsNull(mlirValueGetFirstUse(mlirBlockGetArgument(of->body, operand)));
}

assay_kernel_draft assay_draft_start(assay_kernel_maker *maker, const assay_structured *of) {
  assay_kernel_draft draft = {.maker = maker,
                              .of = of,
                              .head = assay_builder_aside(of->operation),
                              .body = assay_builder_aside(of->operation)};
  // First, so that arguments are in the order of the operands.
  for (int i = 0; i < of->operand_count; i++)
    if (is_touched(of, i))
      (void)assay_draft_bring(&draft, of->operands[i]);
  return draft;
}

static MlirAttribute function_type(const assay_kernel_draft *draft) {
  MlirType *types =
      assay_arena_take(draft->maker->arena, (size_t)draft->argument_count + 1, sizeof *types);
  for (int i = 0; i < draft->argument_count; i++)
    types[i] = mlirValueGetType(draft->arguments[i]);
  return mlirTypeAttrGet(
      mlirFunctionTypeGet(draft->head.context, draft->argument_count, types, 0, NULL));
}

static void add_function(assay_kernel_draft *draft, const char *name, int64_t threads) {
  MlirContext context = draft->head.context;
  for (MlirOperation next;
       !mlirOperationIsNull(next = mlirBlockGetFirstOperation(draft->body.block));) {
    mlirOperationRemoveFromParent(next);
    mlirBlockAppendOwnedOperation(draft->head.block, next);
  }
  mlirBlockDestroy(draft->body.block);
  assay_builder_add(&draft->head, &(assay_recipe){.name = "gpu.return"});
  const int32_t block_size[] = {(int32_t)threads, 1, 1};
  assay_builder at = {context, assay_kernel_block(draft->maker), draft->head.location};
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(&at, "sym_name", mlirStringAttrGet(context, ref(name))),
      assay_builder_attribute(&at, "function_type", function_type(draft)),
      assay_builder_attribute(&at, "gpu.kernel", mlirUnitAttrGet(context)),
      assay_builder_attribute(&at, "known_block_size",
                              mlirDenseI32ArrayGet(context, 3, block_size)),
      assay_builder_attribute(&at, "workgroup_attributions",
                              mlirIntegerAttrGet(mlirIntegerTypeGet(context, 64), 0)),
  };
  MlirOperation function = assay_builder_add(
      &at, &(assay_recipe){.name = "gpu.func",
                           .attribute_count = sizeof attributes / sizeof *attributes,
                           .attributes = attributes,
                           .region_count = 1});
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(function, 0), draft->head.block);
}

assay_code assay_draft_finish(assay_kernel_draft *draft, const char *kind, assay_kernel_grid grid,
                              assay_error *err) {
  const char *name = assay_kernel_name(draft->maker, kind);
  add_function(draft, name, grid.threads);
  if (grid.blocks > ASSAY_GPU_MAX_GRID_X)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "kernel %s needs %" PRId64 " blocks of %" PRId64
                      " threads; a launch has at most %" PRId64 " blocks",
                      name, grid.blocks, grid.threads, ASSAY_GPU_MAX_GRID_X);
  MlirOperation operation = draft->of->operation;
  assay_kernel_launch(draft->maker, operation, name, grid, draft->argument_count, draft->arguments);
  mlirOperationDestroy(operation);
  return ASSAY_OK;
}
