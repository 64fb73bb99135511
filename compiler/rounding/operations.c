// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/rounding/operations.h"

#include "compiler/bridge/tail_rewrite.h"
#include "compiler/rounding/libm.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdio.h>
#include <string.h>

// By the name behind "llvm.".
static const struct {
  const char *name;
  assay_rounded rounded;
} arithmetic[] = {
    {"fadd", {ASSAY_ROUNDED_ADD, "add", 2, false}},
    {"fsub", {ASSAY_ROUNDED_SUBTRACT, "subtract", 2, false}},
    {"fmul", {ASSAY_ROUNDED_MULTIPLY, "multiply", 2, false}},
    {"fdiv", {ASSAY_ROUNDED_DIVIDE, "divide", 2, false}},
    {"fptrunc", {ASSAY_ROUNDED_TRUNCATE, "truncate", 1, false}},
    {"sitofp", {ASSAY_ROUNDED_FROM_SIGNED, "from_signed", 1, false}},
    {"uitofp", {ASSAY_ROUNDED_FROM_UNSIGNED, "from_unsigned", 1, false}},
    {"intr.sqrt", {ASSAY_ROUNDED_SQRT, "sqrt", 1, false}},
    {"intr.fma", {ASSAY_ROUNDED_FMA, "fma", 3, false}},
    {"intr.fmuladd", {ASSAY_ROUNDED_MULTIPLY_ADD, "multiply_add", 3, false}},
    {"intr.powi", {ASSAY_ROUNDED_POWI, "powi", 2, false}},
    {"intr.vector.reduce.fadd", {ASSAY_ROUNDED_ADD, "add", 2, false}},
    {"intr.vector.reduce.fmul", {ASSAY_ROUNDED_MULTIPLY, "multiply", 2, false}},
};

// The functions of libm, intrinsic ("intr.exp") or called ("exp", "expf").
#define ROW_OF_ONE(NAME, HARD) {ASSAY_ROUNDED_LIBM, #NAME, 1, HARD},
#define ROW_OF_TWO(NAME, HARD) {ASSAY_ROUNDED_LIBM, #NAME, 2, HARD},
static const assay_rounded libm[] = {
    ASSAY_LIBM(ROW_OF_ONE, ROW_OF_TWO){ASSAY_ROUNDED_SQRT, "sqrt", 1, false},
    {ASSAY_ROUNDED_FMA, "fma", 3, false},
};

// Floating results that are moved, chosen or exact by what they are. A remainder, a scaling by a
// power of two and rounding to a whole number have a result that is a number of the type.
static const char *const exact[] = {
    "fneg",
    "fpext",
    "frem",
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
    "intr.fabs",
    "intr.copysign",
    "intr.maximum",
    "intr.minimum",
    "intr.maxnum",
    "intr.minnum",
    "intr.maximumnum",
    "intr.minimumnum",
    "intr.floor",
    "intr.ceil",
    "intr.trunc",
    "intr.rint",
    "intr.round",
    "intr.roundeven",
    "intr.nearbyint",
    "intr.ldexp",
    "intr.frexp",
    "intr.ssa.copy",
    "intr.vector.reduce.fmax",
    "intr.vector.reduce.fmin",
    "intr.vector.reduce.fmaximum",
    "intr.vector.reduce.fminimum",
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
    "intr.vp.fpext",
    "intr.vp.select",
    "intr.vp.merge",
    "intr.vp.reduce.fmax",
    "intr.vp.reduce.fmin",
    "intr.experimental.vp.reverse",
    "intr.experimental.constrained.fpext",
};

static const char *const exact_libm[] = {
    "floor", "ceil",   "trunc", "round", "roundeven", "rint",      "nearbyint",
    "fabs",  "fmax",   "fmin",  "fmod",  "copysign",  "remainder", "nextafter",
    "ldexp", "scalbn", "frexp", "logb",  "fmaximum",  "fminimum",  "rtclock",
};

static bool is_among(const char *name, const char *const names[], size_t count) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return false;
}

static bool holds_floats(MlirType type) {
  MlirType element = assay_lanes_element(type);
  if (mlirTypeIsAFloat(element))
    return true;
  if (mlirTypeIsALLVMStructType(element)) {
    if (mlirLLVMStructTypeIsOpaque(element))
      return false;
    for (intptr_t i = 0; i < mlirLLVMStructTypeGetNumElementTypes(element); i++)
      if (holds_floats(mlirLLVMStructTypeGetElementType(element, i)))
        return true;
  }
  // Arrays come out of calls and asm only inside structs, or of operations that move them.
  return false;
}

// The name of a direct callee, "" of an indirect one.
static void callee_of(MlirOperation call, size_t size, char out_name[]) {
  MlirStringRef key = mlirStringRefCreateFromCString("callee");
  MlirAttribute callee = mlirOperationGetInherentAttributeByName(call, key);
  out_name[0] = '\0';
  if (mlirAttributeIsNull(callee) || !mlirAttributeIsAFlatSymbolRef(callee))
    return;
  MlirStringRef name = mlirFlatSymbolRefAttrGetValue(callee);
  snprintf(out_name, size, "%.*s", (int)name.length, name.data);
}

void assay_operation_name(MlirOperation operation, size_t size, char out_name[]) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  char callee[128] = "";
  if (mlirStringRefEqual(name, mlirStringRefCreateFromCString("llvm.call")))
    callee_of(operation, sizeof callee, callee);
  snprintf(out_name, size, "%.*s%s%s", (int)name.length, name.data, callee[0] != '\0' ? " @" : "",
           callee);
}

// Whether all operands are of the result's type, as many as described.
static bool fits(MlirOperation operation, const assay_rounded *rounded) {
  if (mlirOperationGetNumOperands(operation) != rounded->operand_count)
    return false;
  MlirType type = mlirValueGetType(mlirOperationGetResult(operation, 0));
  for (int i = 0; i < rounded->operand_count; i++)
    if (!mlirTypeEqual(mlirValueGetType(mlirOperationGetOperand(operation, i)), type))
      return false;
  return true;
}

static assay_rounding_class find_libm(const char *name, assay_rounded *out_rounded) {
  for (size_t i = 0; i < sizeof libm / sizeof libm[0]; i++)
    if (strcmp(name, libm[i].name) == 0) {
      *out_rounded = libm[i];
      return ASSAY_ROUNDING_KNOWN;
    }
  return ASSAY_ROUNDING_UNKNOWN;
}

bool assay_operation_calls_defined(MlirOperation call, MlirSymbolTable symbols) {
  char name[128];
  callee_of(call, sizeof name, name);
  MlirOperation function = mlirSymbolTableLookup(symbols, mlirStringRefCreateFromCString(name));
  return !mlirOperationIsNull(function) && mlirOperationGetNumRegions(function) > 0 &&
         !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(function, 0)));
}

// A function that the module only declares: libm's by its name, NAME of f64 and NAMEf of f32.
static assay_rounding_class classify_call(MlirOperation call, MlirSymbolTable symbols,
                                          assay_rounded *out_rounded) {
  char name[128];
  callee_of(call, sizeof name, name);
  if (name[0] == '\0' || assay_operation_calls_defined(call, symbols))
    return ASSAY_ROUNDING_NONE;
  if (strncmp(name, ASSAY_WIDEN_FLOAT, strlen(ASSAY_WIDEN_FLOAT)) == 0)
    return ASSAY_ROUNDING_NONE; // every float of a byte is an f64
  MlirType type = mlirValueGetType(mlirOperationGetResult(call, 0));
  size_t length = strlen(name);
  if (mlirTypeIsAF32(type) && length > 1 && name[length - 1] == 'f')
    name[length - 1] = '\0';
  else if (!mlirTypeIsAF64(type))
    return ASSAY_ROUNDING_UNKNOWN;
  if (is_among(name, exact_libm, sizeof exact_libm / sizeof exact_libm[0]))
    return ASSAY_ROUNDING_NONE;
  assay_rounding_class class = find_libm(name, out_rounded);
  return class == ASSAY_ROUNDING_KNOWN && !fits(call, out_rounded) ? ASSAY_ROUNDING_UNKNOWN : class;
}

static assay_rounding_class classify_name(const char *name, assay_rounded *out_rounded) {
  for (size_t i = 0; i < sizeof arithmetic / sizeof arithmetic[0]; i++)
    if (strcmp(name, arithmetic[i].name) == 0) {
      *out_rounded = arithmetic[i].rounded;
      return strncmp(name, "intr.vector.reduce.", 19) == 0 ? ASSAY_ROUNDING_REDUCES
                                                           : ASSAY_ROUNDING_KNOWN;
    }
  if (strncmp(name, "intr.", 5) != 0)
    return ASSAY_ROUNDING_UNKNOWN;
  return find_libm(name + 5, out_rounded);
}

// Whether the helpers' types cover it.
static bool is_covered(MlirOperation operation, const assay_rounded *rounded) {
  MlirType result = mlirValueGetType(mlirOperationGetResult(operation, 0));
  MlirType first = mlirValueGetType(mlirOperationGetOperand(operation, 0));
  if (!assay_round_knows(assay_lanes_element(result)) || assay_lanes_of(result) < 0)
    return false;
  MlirType element = assay_lanes_element(first);
  return mlirTypeIsAInteger(element)
             ? mlirIntegerTypeGetWidth(element) <= 64
             : assay_round_knows(element) && rounded->operand_count <= ASSAY_ROUNDED_OPERANDS;
}

// f64 holds every integer of 53 bits.
static bool is_exact_conversion(MlirOperation operation, const assay_rounded *rounded) {
  if (rounded->kind != ASSAY_ROUNDED_FROM_SIGNED && rounded->kind != ASSAY_ROUNDED_FROM_UNSIGNED)
    return false;
  MlirType from = mlirValueGetType(mlirOperationGetOperand(operation, 0));
  MlirType to = mlirValueGetType(mlirOperationGetResult(operation, 0));
  return mlirTypeIsAF64(assay_lanes_element(to)) &&
         mlirIntegerTypeGetWidth(assay_lanes_element(from)) <= 32;
}

assay_rounding_class assay_operation_classify(MlirOperation operation, MlirSymbolTable symbols,
                                              assay_rounded *out_rounded) {
  if (mlirOperationGetNumResults(operation) != 1 ||
      !holds_floats(mlirValueGetType(mlirOperationGetResult(operation, 0))))
    return ASSAY_ROUNDING_NONE;
  MlirStringRef full = mlirIdentifierStr(mlirOperationGetName(operation));
  char name[128];
  snprintf(name, sizeof name, "%.*s", (int)full.length, full.data);
  const char *behind = strncmp(name, "llvm.", 5) == 0 ? name + 5 : name;
  if (is_among(behind, exact, sizeof exact / sizeof exact[0]))
    return ASSAY_ROUNDING_NONE;
  assay_rounding_class class = strcmp(behind, "call") == 0
                                   ? classify_call(operation, symbols, out_rounded)
                                   : classify_name(behind, out_rounded);
  if (class != ASSAY_ROUNDING_KNOWN && class != ASSAY_ROUNDING_REDUCES)
    return class;
  if (!is_covered(operation, out_rounded))
    return ASSAY_ROUNDING_UNKNOWN;
  return is_exact_conversion(operation, out_rounded) ? ASSAY_ROUNDING_NONE : class;
}
