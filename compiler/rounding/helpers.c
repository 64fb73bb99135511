// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/helpers.h"

#include "compiler/rounding/compute.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdio.h>
#include <string.h>

enum { MAX_NAME = 128, MAX_ARGUMENTS = ASSAY_ROUNDED_OPERANDS + 3 };

static MlirAttribute parse(MlirContext context, const char *text) {
  return mlirAttributeParseGet(context, mlirStringRefCreateFromCString(text));
}

static MlirNamedAttribute text_attribute(const assay_builder *at, const char *name,
                                         const char *text) {
  MlirStringRef string = mlirStringRefCreateFromCString(text);
  return assay_builder_attribute(at, name, mlirStringAttrGet(at->context, string));
}

// A function of the module that reads and writes nothing but its arguments and result, its body
// still empty; a declaration where body is null.
static MlirOperation add_function(const assay_helpers *helpers, const assay_builder *at,
                                  const char *name, MlirType type, MlirBlock body) {
  MlirContext context = at->context;
  bool declared = mlirBlockIsNull(body);
  MlirAttribute unit = mlirUnitAttrGet(context);
  MlirNamedAttribute attributes[] = {
      text_attribute(at, "sym_name", name),
      assay_builder_attribute(at, "function_type", mlirTypeAttrGet(type)),
      assay_builder_attribute(at, "no_unwind", unit),
      assay_builder_attribute(at, "will_return", unit),
      assay_builder_attribute(
          at, "memory_effects",
          parse(context, "#llvm.memory_effects<other = none, argMem = none, inaccessibleMem = "
                         "none, errnoMem = none, targetMem0 = none, targetMem1 = none>")),
      assay_builder_attribute(
          at, "linkage",
          parse(context, declared ? "#llvm.linkage<external>" : "#llvm.linkage<internal>")),
      // Last: not of a declaration.
      assay_builder_attribute(at, helpers->called ? "no_inline" : "always_inline", unit),
  };
  int count = (int)(sizeof attributes / sizeof attributes[0]) - declared;
  MlirOperationState state =
      mlirOperationStateGet(mlirStringRefCreateFromCString("llvm.func"), at->location);
  mlirOperationStateAddAttributes(&state, count, attributes);
  MlirRegion region = mlirRegionCreate();
  if (!declared)
    mlirRegionAppendOwnedBlock(region, body);
  mlirOperationStateAddOwnedRegions(&state, 1, &region);
  MlirOperation function = mlirOperationCreate(&state);
  mlirSymbolTableInsert(helpers->symbols, function);
  return function;
}

static bool is_known(const assay_helpers *helpers, const char *name) {
  MlirStringRef text = mlirStringRefCreateFromCString(name);
  return !mlirOperationIsNull(mlirSymbolTableLookup(helpers->symbols, text));
}

MlirValue assay_helpers_call_symbol(assay_helpers *helpers, const assay_builder *at,
                                    const char *name, MlirType result, int count,
                                    const MlirValue arguments[]) {
  if (!is_known(helpers, name)) {
    MlirType types[MAX_ARGUMENTS];
    for (int i = 0; i < count; i++)
      types[i] = mlirValueGetType(arguments[i]);
    MlirType type = mlirLLVMFunctionTypeGet(result, count, types, false);
    add_function(helpers, at, name, type, (MlirBlock){NULL});
  }
  return assay_builder_call(at, name, result, count, arguments);
}

// "f32", "i64x8".
static void append_code(char name[MAX_NAME], MlirType type) {
  size_t length = strlen(name);
  MlirType element = assay_lanes_element(type);
  bool brain = mlirTypeIsABF16(element), integer = mlirTypeIsAInteger(element);
  unsigned width = integer ? mlirIntegerTypeGetWidth(element) : mlirFloatTypeGetWidth(element);
  const char *kind = integer ? "i" : brain ? "bf" : "f";
  length += (size_t)snprintf(name + length, MAX_NAME - length, "_%s%u", kind, width);
  if (mlirTypeIsAVector(type))
    snprintf(name + length, MAX_NAME - length, "x%lld", (long long)assay_lanes_of(type));
}

// One name for each operation and types.
static void name_helper(const assay_rounded *operation, MlirType result, const MlirValue operands[],
                        char out_name[MAX_NAME]) {
  snprintf(out_name, MAX_NAME, "assay_round_%s", operation->name);
  append_code(out_name, result);
  MlirType first = mlirValueGetType(operands[0]);
  if (!mlirTypeEqual(first, result))
    append_code(out_name, first);
}

bool assay_helpers_want_plain(const assay_rounded *operation, MlirType result) {
  MlirType element = assay_lanes_element(result);
  // No bf16 operation: not every processor has one, and LLVM would call what libgcc may lack.
  if (mlirTypeIsABF16(element))
    return false;
  return operation->kind > ASSAY_ROUNDED_SQRT &&
         !(operation->kind == ASSAY_ROUNDED_TRUNCATE && !mlirTypeIsAF16(element));
}

static void build_body(assay_helpers *helpers, const assay_builder *call_site, MlirBlock body,
                       const assay_rounded *operation, MlirType result) {
  bool plain = assay_helpers_want_plain(operation, result);
  int count = operation->operand_count;
  MlirValue operands[ASSAY_ROUNDED_OPERANDS];
  for (int i = 0; i < count; i++)
    operands[i] = mlirBlockGetArgument(body, i + plain);
  assay_compute it = {
      .round = {.lanes = {.builder = {.context = call_site->context,
                                      .block = body,
                                      .location = call_site->location},
                          .count = assay_lanes_of(result)},
                .element = assay_lanes_element(result),
                .seed = mlirBlockGetArgument(body, count + plain),
                .spread = mlirBlockGetArgument(body, count + plain + 1)},
      .helpers = helpers,
  };
  MlirValue value = assay_compute_build(&it, operation, operands);
  const assay_lanes scalar = {.builder = it.round.lanes.builder};
  if (plain) {
    MlirValue sampling = assay_lanes_compare(&scalar, "icmp", ASSAY_ICMP_NE, it.round.seed,
                                             assay_lanes_whole(&scalar, 0));
    value = assay_lanes_select(&scalar, sampling, value, mlirBlockGetArgument(body, 0));
  }
  assay_builder_add(&scalar.builder,
                    &(assay_recipe){.name = "llvm.return", .operand_count = 1, .operands = &value});
}

MlirValue assay_helpers_call(assay_helpers *helpers, const assay_builder *builder,
                             const assay_rounded *operation, MlirType result, MlirValue plain,
                             const MlirValue operands[], MlirValue seed, MlirValue spread) {
  MlirValue arguments[MAX_ARGUMENTS];
  MlirType types[MAX_ARGUMENTS];
  MlirLocation locations[MAX_ARGUMENTS];
  int count = 0;
  if (!mlirValueIsNull(plain))
    arguments[count++] = plain;
  for (int i = 0; i < operation->operand_count; i++)
    arguments[count++] = operands[i];
  arguments[count++] = seed;
  arguments[count++] = spread;
  char name[MAX_NAME];
  name_helper(operation, result, operands, name);
  if (!is_known(helpers, name)) {
    for (int i = 0; i < count; i++) {
      types[i] = mlirValueGetType(arguments[i]);
      locations[i] = builder->location;
    }
    MlirBlock body = mlirBlockCreate(count, types, locations);
    build_body(helpers, builder, body, operation, result);
    add_function(helpers, builder, name, mlirLLVMFunctionTypeGet(result, count, types, false),
                 body);
  }
  return assay_builder_call(builder, name, result, count, arguments);
}
