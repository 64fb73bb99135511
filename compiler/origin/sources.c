// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/sources.h"

#include "compiler/ir/linalg.h"
#include "compiler/origin/constants.h"
#include "compiler/origin/watched.h"
#include "compiler/rounding/lanes.h"

#include <mlir-c/AffineMap.h>
#include <mlir-c/BuiltinTypes.h>
#include <string.h>

bool assay_origin_is_narrow(MlirOperation operation) {
  return !mlirOperationIsNull(operation) && !assay_operation_is(operation, "builtin.module") &&
         !assay_operation_is(operation, "func.func") && !assay_operation_is(operation, "llvm.func");
}

assay_code assay_sources_mark(const assay_operations *all, assay_origin_kind kind,
                              assay_shared *shared, assay_origin_report *report, assay_error *err) {
  if (kind == ASSAY_ORIGIN_LOSS)
    return ASSAY_OK;
  const int first = ASSAY_ORIGIN_EVENTS + ASSAY_ORIGIN_ARGUMENTS + 1;
  for (int i = 0; i < all->count; i++) {
    int count = report->constant_count;
    if (!assay_constant_mark(all->items[i], kind, first + count) || count == ASSAY_ORIGIN_CONSTANTS)
      continue;
    MlirValue unused[ASSAY_ORIGIN_OPERANDS];
    report->constant_count++;
    if (!assay_watched_describe(all->items[i], shared, &report->constants[count], unused))
      return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
  }
  return ASSAY_OK;
}

static bool has_end(MlirStringRef name, const char *end) {
  size_t length = strlen(end);
  return name.length > length && memcmp(name.data + name.length - length, end, length) == 0;
}

static bool is_constant(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return false;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(mlirOpResultGetOwner(value)));
  return has_end(name, ".constant") || has_end(name, ".const");
}

static MlirType element_of(MlirType type) {
  return mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
}

static bool is_float_arithmetic(MlirOperation operation) {
  static const char *const names[] = {"arith.",     "math.",          "tosa.add", "tosa.sub",
                                      "tosa.mul",   "tosa.pow",       "tosa.exp", "tosa.log",
                                      "tosa.rsqrt", "tosa.reciprocal"};
  if (mlirOperationGetNumResults(operation) != 1 ||
      !mlirTypeIsAFloat(element_of(mlirValueGetType(mlirOperationGetResult(operation, 0)))))
    return false;
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    size_t length = strlen(names[i]);
    if (name.length >= length && memcmp(name.data, names[i], length) == 0)
      return mlirOperationGetNumOperands(operation) > 0;
  }
  return false;
}

static MlirValue freeze(const assay_builder *at, MlirValue value) {
  return assay_builder_apply(at, "llvm.freeze", mlirValueGetType(value), 1, &value);
}

static MlirValue freeze_element(const assay_builder *body, const MlirValue elements[],
                                const void *data) {
  (void)data;
  return freeze(body, elements[0]);
}

static MlirValue freeze_tensor(const assay_builder *at, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  MlirAffineMap map = mlirAffineMapMultiDimIdentityGet(at->context, mlirShapedTypeGetRank(type));
  const MlirAffineMap maps[] = {map, map};
  return assay_linalg_loops(at, &(assay_loops){.input_count = 1,
                                               .inputs = &value,
                                               .maps = maps,
                                               .reduction = -1,
                                               .init = assay_builder_empty(at, type),
                                               .body = freeze_element});
}

static MlirValue freeze_flat(const assay_builder *at, MlirValue value) {
  MlirType type = mlirValueGetType(value);
  int64_t count = 1;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(type); i++)
    count *= mlirShapedTypeGetDimSize(type, i);
  MlirType flat = mlirVectorTypeGet(1, &count, mlirShapedTypeGetElementType(type));
  MlirValue line = assay_builder_apply(at, "vector.shape_cast", flat, 1, &value);
  line = freeze(at, line);
  return assay_builder_apply(at, "vector.shape_cast", type, 1, &line);
}

// A value that is the constant's, and that nobody sees to be one; null where there is no way.
static MlirValue hide(const assay_builder *at, MlirValue value) {
  MlirType type = mlirValueGetType(value), element = element_of(type);
  MlirValue none = {NULL};
  if (!mlirTypeIsAFloat(element) && !mlirTypeIsAInteger(element))
    return none;
  if (mlirTypeIsARankedTensor(type))
    return freeze_tensor(at, value); // constants have static shapes
  if (mlirTypeIsAVector(type) && mlirVectorTypeIsScalable(type))
    return none;
  bool is_flat = !mlirTypeIsAVector(type) || mlirShapedTypeGetRank(type) == 1;
  return is_flat ? freeze(at, value) : freeze_flat(at, value);
}

void assay_sources_hide(const assay_operations *all) {
  for (int i = 0; i < all->count; i++) {
    if (!is_float_arithmetic(all->items[i]))
      continue;
    // What tosa wants behind the first two must stay a constant.
    intptr_t count = mlirOperationGetNumOperands(all->items[i]);
    assay_builder at = assay_builder_aside(all->items[i]);
    for (intptr_t k = 0; k < count && k < ASSAY_ORIGIN_OPERANDS; k++) {
      MlirValue operand = mlirOperationGetOperand(all->items[i], k);
      bool is_shift = k == 2 && assay_operation_is(all->items[i], "tosa.mul");
      MlirValue hidden = is_constant(operand) && !is_shift ? hide(&at, operand) : (MlirValue){NULL};
      if (!mlirValueIsNull(hidden))
        mlirOperationSetOperand(all->items[i], k, hidden);
    }
    assay_builder_place(&at, all->items[i]);
  }
}

static void locate(const assay_operations *all) {
  for (int i = 1; i < all->count; i++) { // outer ones first
    MlirOperation parent = mlirOperationGetParentOperation(all->items[i]);
    assay_place place;
    if (assay_origin_is_narrow(parent) &&
        !assay_place_find(mlirOperationGetLocation(all->items[i]), &place))
      mlirOperationSetLocation(all->items[i], mlirOperationGetLocation(parent));
  }
}

static void load_dialect(MlirModule module, const char *name) {
  MlirContext context = mlirOperationGetContext(mlirModuleGetOperation(module));
  mlirContextGetOrLoadDialect(context, mlirStringRefCreateFromCString(name));
}

assay_code assay_origin_prepare(MlirModule module, assay_origin_kind kind, assay_shared *shared,
                                assay_origin_report *out_report, assay_error *err) {
  static const char *const needed[] = {"llvm", "linalg", "tensor", "vector"};
  for (size_t i = 0; i < sizeof needed / sizeof *needed; i++)
    load_dialect(module, needed[i]);
  *out_report = (assay_origin_report){0};
  assay_operations all = assay_operations_collect(mlirModuleGetOperation(module), NULL);
  locate(&all);
  assay_code code = assay_sources_mark(&all, kind, shared, out_report, err);
  assay_sources_hide(&all);
  assay_operations_release(&all);
  return code;
}
