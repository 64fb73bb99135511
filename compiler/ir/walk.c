// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/walk.h"

#include <mlir-c/BuiltinAttributes.h>
#include <stdlib.h>
#include <string.h>

bool assay_operation_is(MlirOperation operation, const char *name) {
  MlirStringRef actual = mlirIdentifierStr(mlirOperationGetName(operation));
  return mlirStringRefEqual(actual, mlirStringRefCreateFromCString(name));
}

MlirAttribute assay_constant_value(MlirValue value) {
  if (!mlirValueIsAOpResult(value))
    return mlirAttributeGetNull();
  MlirOperation constant = mlirOpResultGetOwner(value);
  if (!assay_operation_is(constant, "arith.constant"))
    return mlirAttributeGetNull();
  return mlirOperationGetAttributeByName(constant, mlirStringRefCreateFromCString("value"));
}

bool assay_constant_read(MlirValue value, int64_t *out_number) {
  MlirAttribute number = assay_constant_value(value);
  if (mlirAttributeIsNull(number) || !mlirAttributeIsAInteger(number))
    return false;
  *out_number = mlirIntegerAttrGetValueInt(number);
  return true;
}

void assay_operations_add(assay_operations *to, MlirOperation operation) {
  if (to->count == to->capacity) {
    to->capacity = to->capacity == 0 ? 256 : 2 * to->capacity;
    MlirOperation *items = realloc(to->items, (size_t)to->capacity * sizeof *items);
    if (items == NULL)
      abort();
    to->items = items;
  }
  to->items[to->count++] = operation;
}

typedef struct collection {
  assay_operations operations;
  bool (*predicate)(MlirOperation);
} collection;

static MlirWalkResult collect(MlirOperation operation, void *data) {
  collection *it = data;
  if (it->predicate == NULL || it->predicate(operation))
    assay_operations_add(&it->operations, operation);
  return MlirWalkResultAdvance;
}

assay_operations assay_operations_collect(MlirOperation root, bool (*predicate)(MlirOperation)) {
  collection it = {.predicate = predicate};
  mlirOperationWalk(root, collect, &it, MlirWalkPreOrder);
  return it.operations;
}

void assay_operations_release(assay_operations *operations) {
  free(operations->items);
  *operations = (assay_operations){NULL, 0, 0};
}

assay_code assay_operations_functions(assay_operations *functions, MlirModule module,
                                      assay_error *err) {
  MlirBlock body = mlirModuleGetBody(module);
  for (MlirOperation each = mlirBlockGetFirstOperation(body); !mlirOperationIsNull(each);
       each = mlirOperationGetNextInBlock(each)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(each));
    if (name.length < 5 || strncmp(name.data, "llvm.", 5) != 0)
      return assay_fail(err, ASSAY_INVALID,
                        "only a module of the llvm dialect can be instrumented; it holds %.*s",
                        (int)name.length, name.data);
    if (assay_operation_is(each, "llvm.func") &&
        !mlirBlockIsNull(mlirRegionGetFirstBlock(mlirOperationGetRegion(each, 0))))
      assay_operations_add(functions, each);
  }
  return ASSAY_OK;
}

static bool find_in_fused(MlirLocation fused, assay_place *out_place) {
  size_t count = mlirLocationFusedGetNumLocations(fused);
  MlirLocation *parts = calloc(count + 1, sizeof *parts);
  if (parts == NULL)
    abort();
  mlirLocationFusedGetLocations(fused, parts);
  bool found = false;
  for (size_t i = 0; i < count && !found; i++)
    found = assay_place_find(parts[i], out_place);
  free(parts);
  return found;
}

bool assay_place_find(MlirLocation location, assay_place *out_place) {
  if (mlirLocationIsAName(location))
    return assay_place_find(mlirLocationNameGetChildLoc(location), out_place);
  if (mlirLocationIsACallSite(location))
    return assay_place_find(mlirLocationCallSiteGetCallee(location), out_place) ||
           assay_place_find(mlirLocationCallSiteGetCaller(location), out_place);
  if (mlirLocationIsAFused(location))
    return find_in_fused(location, out_place);
  if (!mlirLocationIsAFileLineColRange(location))
    return false;
  *out_place =
      (assay_place){.file = mlirIdentifierStr(mlirLocationFileLineColRangeGetFilename(location)),
                    .line = mlirLocationFileLineColRangeGetStartLine(location),
                    .column = mlirLocationFileLineColRangeGetStartColumn(location)};
  return true;
}
