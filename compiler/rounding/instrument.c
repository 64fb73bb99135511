// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/rounding.h"

#include "compiler/ir/diagnostics.h"
#include "compiler/ir/walk.h"
#include "compiler/rounding/operations.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>

typedef struct instrumentation {
  assay_arena *arena;
  assay_helpers helpers;
  assay_rounding_report report;
  MlirOperation function; // whose body is being changed
  MlirValue seed, spread; // loaded at its entry; null while nothing there needed them
} instrumentation;

// The value of a global of the module.
static MlirValue load(const assay_builder *at, const char *name, MlirType type) {
  MlirType pointer = mlirLLVMPointerTypeGet(at->context, 0);
  MlirStringRef symbol = mlirStringRefCreateFromCString(name);
  MlirNamedAttribute global =
      assay_builder_attribute(at, "global_name", mlirFlatSymbolRefAttrGet(at->context, symbol));
  MlirValue address = assay_builder_add_value(at, &(assay_recipe){.name = "llvm.mlir.addressof",
                                                                  .attribute_count = 1,
                                                                  .attributes = &global,
                                                                  .result_count = 1,
                                                                  .results = &pointer});
  return assay_builder_apply(at, "llvm.load", type, 1, &address);
}

// Seeds are small numbers: mixed, they differ in half of their bits. 0 stays 0. (The finalizer of
// MurmurHash3.)
static MlirValue mix(const assay_lanes *lanes, MlirValue bits) {
  static const uint64_t factors[] = {UINT64_C(0xff51afd7ed558ccd), UINT64_C(0xc4ceb9fe1a85ec53)};
  for (int i = 0; i <= 2; i++) {
    MlirValue high = assay_lanes_binary(lanes, "lshr", bits, assay_lanes_whole(lanes, 33));
    bits = assay_lanes_binary(lanes, "xor", bits, high);
    if (i < 2)
      bits = assay_lanes_binary(lanes, "mul", bits, assay_lanes_whole(lanes, factors[i]));
  }
  return bits;
}

// log2 of twice the amplitude, which is a power of two; 0 for none.
static MlirValue measure(const assay_lanes *lanes, MlirValue amplitude) {
  MlirType i64 = mlirValueGetType(amplitude);
  MlirValue one = assay_lanes_whole(lanes, 1);
  MlirValue twice = assay_lanes_binary(lanes, "add", amplitude, amplitude);
  MlirValue none =
      assay_lanes_compare(lanes, "icmp", ASSAY_ICMP_EQ, amplitude, assay_lanes_whole(lanes, 0));
  MlirValue width = assay_lanes_select(lanes, none, one, twice);
  MlirType i1 = mlirIntegerTypeGet(lanes->builder.context, 1);
  MlirNamedAttribute never_zero =
      assay_builder_attribute(&lanes->builder, "is_zero_poison", mlirIntegerAttrGet(i1, 1));
  return assay_builder_add_value(&lanes->builder, &(assay_recipe){.name = "llvm.intr.cttz",
                                                                  .operand_count = 1,
                                                                  .operands = &width,
                                                                  .attribute_count = 1,
                                                                  .attributes = &never_zero,
                                                                  .result_count = 1,
                                                                  .results = &i64});
}

// Loads seed and amplitude at the function's entry, once.
static void enter(instrumentation *it) {
  if (!mlirValueIsNull(it->seed))
    return;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(it->function, 0));
  MlirOperation first = mlirBlockGetFirstOperation(entry);
  const assay_lanes lanes = {.builder = assay_builder_aside(first)};
  MlirContext context = lanes.builder.context;
  MlirType i64 = mlirIntegerTypeGet(context, 64), i32 = mlirIntegerTypeGet(context, 32);
  it->seed = mix(&lanes, load(&lanes.builder, ASSAY_ROUNDING_SEED, i64));
  MlirValue amplitude = load(&lanes.builder, ASSAY_ROUNDING_AMPLITUDE, i32);
  it->spread = measure(&lanes, assay_lanes_unary(&lanes, "zext", i64, amplitude));
  assay_builder_place(&lanes.builder, first);
}

// One call after the other for the elements of a vector, in order.
static MlirValue reduce(instrumentation *it, const assay_builder *at, const assay_rounded *rounded,
                        MlirOperation operation) {
  MlirValue sum = mlirOperationGetOperand(operation, 0);
  MlirValue vector = mlirOperationGetOperand(operation, 1);
  const assay_lanes lanes = {.builder = *at};
  int64_t count = assay_lanes_of(mlirValueGetType(vector));
  for (int64_t i = 0; i < count; i++) {
    MlirValue operands[] = {sum, assay_lanes_take(&lanes, vector, i)};
    sum = assay_helpers_call(&it->helpers, at, rounded, mlirValueGetType(sum), (MlirValue){NULL},
                             operands, it->seed, it->spread);
  }
  return sum;
}

static void instrument_operation(instrumentation *it, MlirOperation operation,
                                 const assay_rounded *rounded, bool reduces) {
  enter(it);
  MlirValue result = mlirOperationGetResult(operation, 0);
  MlirType type = mlirValueGetType(result);
  assay_builder at = assay_builder_aside(operation);
  MlirValue operands[ASSAY_ROUNDED_OPERANDS], replacement;
  bool plain = !reduces && assay_helpers_want_plain(rounded, type);
  for (int i = 0; i < rounded->operand_count; i++)
    operands[i] = mlirOperationGetOperand(operation, i);
  if (reduces)
    replacement = reduce(it, &at, rounded, operation);
  else
    replacement =
        assay_helpers_call(&it->helpers, &at, rounded, type, plain ? result : (MlirValue){NULL},
                           operands, it->seed, it->spread);
  MlirOperation call = mlirOpResultGetOwner(replacement);
  assay_builder_place(&at, mlirOperationGetNextInBlock(operation));
  mlirValueReplaceAllUsesExcept(result, replacement, 1, &call);
  if (!plain)
    mlirOperationDestroy(operation);
  MlirType element = assay_lanes_element(type);
  if (mlirTypeIsAF16(element) || mlirTypeIsABF16(element))
    it->report.amplitude = 4;
  it->report.instrumented++;
}

// "FILE:LINE:COL" of the first place within it; "an unknown place" where none is known.
static const char *place_of(assay_arena *arena, MlirLocation location) {
  assay_place place;
  if (!assay_place_find(location, &place))
    return "an unknown place";
  return assay_arena_format(arena, "%.*s:%d:%d", (int)place.file.length, place.file.data,
                            place.line, place.column);
}

static void note_missing(instrumentation *it, MlirOperation operation) {
  if (it->report.missing != NULL)
    return;
  char name[192];
  assay_operation_name(operation, sizeof name, name);
  it->report.missing = assay_arena_format(it->arena, "%s at %s", name,
                                          place_of(it->arena, mlirOperationGetLocation(operation)));
}

static void instrument_function(instrumentation *it, MlirOperation function) {
  it->function = function;
  it->seed = it->spread = (MlirValue){NULL};
  assay_operations all = assay_operations_collect(function, NULL);
  for (int i = 0; i < all.count; i++) {
    assay_rounded rounded;
    switch (assay_operation_classify(all.items[i], it->helpers.symbols, &rounded)) {
    case ASSAY_ROUNDING_NONE:
      break;
    case ASSAY_ROUNDING_KNOWN:
      instrument_operation(it, all.items[i], &rounded, false);
      break;
    case ASSAY_ROUNDING_REDUCES:
      instrument_operation(it, all.items[i], &rounded, true);
      break;
    case ASSAY_ROUNDING_UNKNOWN:
      note_missing(it, all.items[i]);
      break;
    }
  }
  assay_operations_release(&all);
}

static void add_global(const instrumentation *it, const char *name, MlirType type) {
  MlirOperation module = mlirModuleGetOperation(it->helpers.module);
  MlirContext context = mlirOperationGetContext(module);
  const assay_builder at = {.context = context,
                            .block = mlirModuleGetBody(it->helpers.module),
                            .location = mlirOperationGetLocation(module)};
  MlirStringRef linkage = mlirStringRefCreateFromCString("#llvm.linkage<external>");
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(&at, "sym_name",
                              mlirStringAttrGet(context, mlirStringRefCreateFromCString(name))),
      assay_builder_attribute(&at, "global_type", mlirTypeAttrGet(type)),
      assay_builder_attribute(&at, "linkage", mlirAttributeParseGet(context, linkage)),
      assay_builder_attribute(&at, "value", mlirIntegerAttrGet(type, 0)),
      assay_builder_attribute(&at, "addr_space",
                              mlirIntegerAttrGet(mlirIntegerTypeGet(context, 32), 0)),
  };
  assay_builder_add(&at,
                    &(assay_recipe){.name = "llvm.mlir.global",
                                    .attribute_count = sizeof attributes / sizeof attributes[0],
                                    .attributes = attributes,
                                    .region_count = 1});
}

static int count_largest_block(const assay_operations *functions, MlirSymbolTable symbols) {
  int largest = 0;
  for (int i = 0; i < functions->count; i++)
    for (MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(functions->items[i], 0));
         !mlirBlockIsNull(block); block = mlirBlockGetNextInRegion(block)) {
      int count = 0;
      for (MlirOperation each = mlirBlockGetFirstOperation(block); !mlirOperationIsNull(each);
           each = mlirOperationGetNextInBlock(each)) {
        assay_rounded rounded;
        count += assay_operation_classify(each, symbols, &rounded) == ASSAY_ROUNDING_KNOWN;
      }
      largest = count > largest ? count : largest;
    }
  return largest;
}

// A block of so many operations that round becomes one of fifty times as many when helpers are
// inlined.
enum { LARGE_BLOCK = 200 };

assay_code assay_rounding_instrument(MlirModule module, assay_arena *arena,
                                     assay_rounding_report *out_report, assay_error *err) {
  assay_operations functions = {NULL, 0, 0};
  assay_code code = assay_operations_functions(&functions, module, err);
  if (code != ASSAY_OK) {
    assay_operations_release(&functions);
    return code;
  }
  MlirOperation root = mlirModuleGetOperation(module);
  MlirContext context = mlirOperationGetContext(root);
  instrumentation it = {.arena = arena,
                        .helpers = {.module = module, .symbols = mlirSymbolTableCreate(root)},
                        .report = {.amplitude = 16}};
  it.helpers.called = count_largest_block(&functions, it.helpers.symbols) > LARGE_BLOCK;
  add_global(&it, ASSAY_ROUNDING_SEED, mlirIntegerTypeGet(context, 64));
  add_global(&it, ASSAY_ROUNDING_AMPLITUDE, mlirIntegerTypeGet(context, 32));
  for (int i = 0; i < functions.count; i++)
    instrument_function(&it, functions.items[i]);
  assay_operations_release(&functions);
  mlirSymbolTableDestroy(it.helpers.symbols);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  bool valid = mlirOperationVerify(root);
  assay_diagnostics_close(&diagnostics);
  if (!valid)
    return assay_diagnostics_fail(&diagnostics, "instrumenting for stochastic rounding", err);
  *out_report = it.report;
  return ASSAY_OK;
}
