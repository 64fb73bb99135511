// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/watched.h"

#include "compiler/origin/places.h"
#include "compiler/rounding/lanes.h"
#include "compiler/rounding/operations.h"

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdio.h>
#include <string.h>

// By the name behind "llvm.": what leaves every bit of a NaN as it is, but for its sign.
static const char *const movers[] = {
    "fneg",
    "select",
    "load",
    "bitcast",
    "freeze",
    "extractelement",
    "insertelement",
    "shufflevector",
    "extractvalue",
    "insertvalue",
    "mlir.constant",
    "mlir.undef",
    "mlir.poison",
    "mlir.zero",
    "va_arg",
    "inline_asm",
    "intr.fabs",
    "intr.copysign",
    "intr.ssa.copy",
    "intr.vector.insert",
    "intr.vector.extract",
    "intr.vector.interleave2",
    "intr.vector.deinterleave2",
    "intr.matrix.column.major.load",
    "intr.matrix.transpose",
    "intr.masked.load",
    "intr.masked.gather",
    "intr.masked.expandload",
    "intr.vp.load",
    "intr.vp.fneg",
    "intr.vp.select",
    "intr.vp.merge",
    "intr.experimental.vp.reverse",
};

assay_origin_type assay_watched_type(MlirType type) {
  assay_origin_type made = {.format = ASSAY_ORIGIN_OTHER};
  int64_t lanes = assay_lanes_of(type);
  if (lanes < 0)
    return made;
  MlirType element = assay_lanes_element(type);
  made.lanes = (int)lanes;
  if (mlirTypeIsAF16(element))
    made.format = ASSAY_ORIGIN_F16;
  else if (mlirTypeIsABF16(element))
    made.format = ASSAY_ORIGIN_BF16;
  else if (mlirTypeIsAF32(element))
    made.format = ASSAY_ORIGIN_F32;
  else if (mlirTypeIsAF64(element))
    made.format = ASSAY_ORIGIN_F64;
  else if (mlirTypeIsAInteger(element) && mlirIntegerTypeGetWidth(element) <= 64 &&
           mlirIntegerTypeGetWidth(element) % 8 == 0)
    made.format = ASSAY_ORIGIN_SIGNED;
  if (made.format == ASSAY_ORIGIN_SIGNED)
    made.bytes = (int)mlirIntegerTypeGetWidth(element) / 8;
  else if (made.format != ASSAY_ORIGIN_OTHER)
    made.bytes = (int)mlirFloatTypeGetWidth(element) / 8;
  return made;
}

static bool is_float(assay_origin_type type) {
  return type.format >= ASSAY_ORIGIN_F16 && type.format <= ASSAY_ORIGIN_F64;
}

const char *assay_watched_name(MlirOperation operation, size_t size, char name[]) {
  assay_operation_name(operation, size, name);
  return strncmp(name, "llvm.", 5) == 0 ? name + 5 : name;
}

static bool makes(MlirOperation operation, MlirSymbolTable symbols) {
  char full[192];
  const char *name = assay_watched_name(operation, sizeof full, full);
  if (strcmp(name, "bitcast") == 0)
    return !is_float(assay_watched_type(mlirValueGetType(mlirOperationGetOperand(operation, 0))));
  for (size_t i = 0; i < sizeof movers / sizeof *movers; i++)
    if (strcmp(name, movers[i]) == 0)
      return false;
  return strncmp(name, "call @", 6) != 0 || !assay_operation_calls_defined(operation, symbols);
}

bool assay_watched_is(MlirOperation operation, MlirSymbolTable symbols) {
  return mlirOperationGetNumResults(operation) == 1 &&
         is_float(assay_watched_type(mlirValueGetType(mlirOperationGetResult(operation, 0)))) &&
         makes(operation, symbols);
}

static void add_parts(const assay_watched_part *of, assay_watched_part parts[], int *count) {
  if (*count < ASSAY_WATCHED_PARTS && is_float(assay_watched_type(of->type)))
    parts[(*count)++] = *of;
  if (!mlirTypeIsALLVMStructType(of->type) || of->depth == ASSAY_WATCHED_DEPTH)
    return;
  for (intptr_t i = 0; i < mlirLLVMStructTypeGetNumElementTypes(of->type); i++) {
    assay_watched_part field = *of;
    field.type = mlirLLVMStructTypeGetElementType(of->type, i);
    field.position[field.depth++] = i;
    add_parts(&field, parts, count);
  }
}

int assay_watched_parts(MlirOperation operation, MlirSymbolTable symbols,
                        assay_watched_part out_parts[ASSAY_WATCHED_PARTS]) {
  int count = 0;
  if (mlirOperationGetNumResults(operation) != 1)
    return 0;
  const assay_watched_part whole = {.type = mlirValueGetType(mlirOperationGetResult(operation, 0))};
  add_parts(&whole, out_parts, &count);
  return count > 0 && makes(operation, symbols) ? count : 0;
}

bool assay_watched_describe(MlirOperation operation, assay_shared *shared, assay_origin_op *out_op,
                            MlirValue out_values[ASSAY_ORIGIN_OPERANDS]) {
  char full[192];
  const char *name = assay_watched_name(operation, sizeof full, full);
  *out_op = (assay_origin_op){.lowered = assay_shared_string(shared, name), .file = ""};
  if (mlirOperationGetNumResults(operation) > 0)
    out_op->result = assay_watched_type(mlirValueGetType(mlirOperationGetResult(operation, 0)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++) {
    MlirValue value = mlirOperationGetOperand(operation, i);
    assay_origin_type type = assay_watched_type(mlirValueGetType(value));
    if (type.format == ASSAY_ORIGIN_OTHER || out_op->operand_count == ASSAY_ORIGIN_OPERANDS)
      continue;
    if (type.format == ASSAY_ORIGIN_SIGNED && strcmp(name, "uitofp") == 0)
      type.format = ASSAY_ORIGIN_UNSIGNED;
    out_values[out_op->operand_count] = value;
    out_op->operands[out_op->operand_count++] = type;
  }
  assay_origin_source source = assay_places_source(mlirOperationGetLocation(operation));
  out_op->line = source.place.line;
  out_op->column = source.place.column;
  out_op->name = assay_shared_string(shared, source.op);
  out_op->label = assay_shared_string(shared, source.label);
  if (source.place.line > 0)
    out_op->file = assay_shared_string(shared, source.place.file.data);
  return out_op->lowered != NULL && out_op->name != NULL && out_op->label != NULL &&
         out_op->file != NULL;
}
