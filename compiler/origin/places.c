// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/places.h"

#include "compiler/origin/sources.h"

#include <mlir-c/BuiltinAttributes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char PREFIX[] = "assay: ";

static MlirStringRef name_of(MlirLocation location) {
  return mlirIdentifierStr(mlirLocationNameGetName(location));
}

static bool is_mark(MlirLocation location) {
  MlirStringRef name = name_of(location);
  size_t length = sizeof PREFIX - 1;
  return name.length > length && memcmp(name.data, PREFIX, length) == 0;
}

// The first name within a location that is a mark, or is none; null where there is no such name.
static MlirLocation find_name(MlirLocation location, bool mark) {
  MlirLocation none = {NULL};
  if (mlirLocationIsAName(location))
    return is_mark(location) == mark ? location
                                     : find_name(mlirLocationNameGetChildLoc(location), mark);
  if (mlirLocationIsACallSite(location)) {
    MlirLocation found = find_name(mlirLocationCallSiteGetCallee(location), mark);
    return mlirLocationIsNull(found) ? find_name(mlirLocationCallSiteGetCaller(location), mark)
                                     : found;
  }
  if (!mlirLocationIsAFused(location))
    return none;
  size_t count = mlirLocationFusedGetNumLocations(location);
  MlirLocation *parts = calloc(count + 1, sizeof *parts);
  if (parts == NULL)
    abort();
  mlirLocationFusedGetLocations(location, parts);
  MlirLocation found = none;
  for (size_t i = 0; i < count && mlirLocationIsNull(found); i++)
    found = find_name(parts[i], mark);
  free(parts);
  return found;
}

static MlirLocation unmarked(MlirLocation location) {
  return mlirLocationIsAName(location) && is_mark(location) ? mlirLocationNameGetChildLoc(location)
                                                            : location;
}

static void mark(MlirOperation operation, MlirLocation location) {
  MlirContext context = mlirOperationGetContext(operation);
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  char text[192];
  snprintf(text, sizeof text, "%s%.*s", PREFIX, (int)name.length, name.data);
  if (mlirLocationIsAName(location)) // a name in a name is no location
    location = mlirLocationCallSiteGet(location, mlirLocationUnknownGet(context));
  mlirOperationSetLocation(
      operation, mlirLocationNameGet(context, mlirStringRefCreateFromCString(text), location));
}

static bool is_of_linalg(MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  return name.length > 7 && memcmp(name.data, "linalg.", 7) == 0;
}

static bool has_written_body(MlirOperation operation) {
  return assay_operation_is(operation, "linalg.generic") ||
         assay_operation_is(operation, "linalg.map") ||
         assay_operation_is(operation, "linalg.reduce");
}

static bool is_known(MlirLocation location) {
  return assay_places_source(location).place.line > 0 ||
         !mlirLocationIsNull(find_name(location, false));
}

void assay_places_mark(const assay_operations *all) {
  for (int i = 1; i < all->count; i++) { // outer ones first
    MlirOperation parent = mlirOperationGetParentOperation(all->items[i]);
    MlirLocation own = mlirOperationGetLocation(all->items[i]);
    if (!assay_origin_is_narrow(all->items[i]))
      continue;
    if (is_known(own) || !assay_origin_is_narrow(parent)) {
      mark(all->items[i], own);
      continue;
    }
    MlirLocation outer = mlirOperationGetLocation(parent);
    bool counts_as_parent = is_of_linalg(parent) && (is_known(outer) || !has_written_body(parent));
    if (counts_as_parent)
      mlirOperationSetLocation(all->items[i], outer);
    else
      mark(all->items[i], unmarked(outer));
  }
}

assay_origin_source assay_places_source(MlirLocation location) {
  assay_origin_source made = {.op = "", .label = ""};
  MlirLocation marked = find_name(location, true);
  if (!mlirLocationIsNull(marked)) {
    made.op = name_of(marked).data + sizeof PREFIX - 1;
    location = mlirLocationNameGetChildLoc(marked);
  }
  if (assay_place_find(location, &made.place))
    return made;
  MlirLocation label = find_name(location, false);
  if (!mlirLocationIsNull(label))
    made.label = name_of(label).data;
  return made;
}
