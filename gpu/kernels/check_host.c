// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay-gpu-check-host: the host allocates, makes views and launches; it touches no data.
//
// What the host may do is listed, so that an operation that nobody thought of is refused. Device
// memory is beyond its reach: a load there would end the process.
#include "compiler/ir/walk.h"
#include "gpu/kernels/kernels.h"
#include "gpu/kernels/make.h"

#include <inttypes.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>
#include <string.h>

// Whole dialects ("arith.") and single operations, and those that are refused all the same.
static const char *const allowed[] = {
    "arith.",
    "cf.",
    "func.",
    "gpu.launch_func",
    "gpu.wait",
    "scf.",
    "ub.",
    "affine.apply",
    "affine.max",
    "affine.min",
    "affine.delinearize_index",
    "affine.linearize_index",
    "memref.alloc",
    "memref.assume_alignment",
    "memref.cast",
    "memref.collapse_shape",
    "memref.dealloc",
    "memref.dim",
    "memref.expand_shape",
    "memref.extract_strided_metadata",
    "memref.reinterpret_cast",
    "memref.subview",
    "memref.transpose",
};
static const char *const refused[] = {"scf.parallel", "scf.forall", "scf.reduce"};

static bool is_among(MlirOperation operation, const char *const names[], size_t count) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  for (size_t i = 0; i < count; i++) {
    size_t length = strlen(names[i]);
    bool dialect = names[i][length - 1] == '.';
    if ((dialect ? name.length > length : name.length == length) &&
        memcmp(name.data, names[i], length) == 0)
      return true;
  }
  return false;
}

static bool is_allowed(MlirOperation operation) {
  return is_among(operation, allowed, sizeof allowed / sizeof *allowed) &&
         !is_among(operation, refused, sizeof refused / sizeof *refused);
}

// "'linalg.fill' at x.mlir:3:5 WHAT"
static assay_code refuse(assay_error *err, MlirOperation operation, const char *what) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  assay_place place;
  if (!assay_place_find(mlirOperationGetLocation(operation), &place))
    return assay_fail(err, ASSAY_FAILED, "'%.*s' %s", (int)name.length, name.data, what);
  return assay_fail(err, ASSAY_FAILED, "'%.*s' at %.*s:%d:%d %s", (int)name.length, name.data,
                    (int)place.file.length, place.file.data, place.line, place.column, what);
}

static int64_t size_in_bytes(MlirType memref) {
  MlirType element = mlirShapedTypeGetElementType(memref);
  int64_t bits = mlirTypeIsAInteger(element) ? mlirIntegerTypeGetWidth(element)
                 : mlirTypeIsAFloat(element) ? mlirFloatTypeGetWidth(element)
                                             : 64;
  int64_t bytes = (bits + 7) / 8;
  for (intptr_t i = 0; i < mlirShapedTypeGetRank(memref); i++)
    bytes *= mlirShapedTypeGetDimSize(memref, i);
  return bytes;
}

static bool is_shared(MlirType memref) {
  MlirAttribute space = mlirMemRefTypeGetMemorySpace(memref);
  if (mlirAttributeIsNull(space))
    return false;
  if (mlirAttributeIsAInteger(space))
    return mlirIntegerAttrGetValueInt(space) == 3;
  MlirStringRef workgroup = mlirStringRefCreateFromCString("#gpu.address_space<workgroup>");
  return mlirAttributeEqual(space,
                            mlirAttributeParseGet(mlirAttributeGetContext(space), workgroup));
}

static bool is_get_global(MlirOperation operation) {
  return assay_operation_is(operation, "memref.get_global");
}

// Bytes of shared memory that the kernel says it has: its attributions and the globals it names.
static int64_t shared_bytes(MlirOperation kernel) {
  int64_t bytes = 0;
  MlirBlock entry = mlirRegionGetFirstBlock(mlirOperationGetRegion(kernel, 0));
  MlirAttribute type =
      mlirOperationGetAttributeByName(kernel, mlirStringRefCreateFromCString("function_type"));
  intptr_t inputs = mlirFunctionTypeGetNumInputs(mlirTypeAttrGetValue(type));
  for (intptr_t i = inputs; i < mlirBlockGetNumArguments(entry); i++) {
    MlirType memref = mlirValueGetType(mlirBlockGetArgument(entry, i));
    if (is_shared(memref))
      bytes += size_in_bytes(memref);
  }
  assay_operations globals = assay_operations_collect(kernel, is_get_global);
  for (int i = 0; i < globals.count; i++) {
    MlirAttribute name =
        mlirOperationGetAttributeByName(globals.items[i], mlirStringRefCreateFromCString("name"));
    MlirType memref = mlirValueGetType(mlirOperationGetResult(globals.items[i], 0));
    bool again = false;
    for (int j = 0; j < i; j++)
      again =
          again || mlirAttributeEqual(mlirOperationGetAttributeByName(
                                          globals.items[j], mlirStringRefCreateFromCString("name")),
                                      name);
    if (!again && is_shared(memref))
      bytes += size_in_bytes(memref);
  }
  assay_operations_release(&globals);
  return bytes;
}

static assay_code check_kernel(MlirOperation kernel, assay_error *err) {
  int64_t bytes = shared_bytes(kernel);
  if (bytes <= ASSAY_GPU_MAX_SHARED)
    return ASSAY_OK;
  char text[128];
  snprintf(text, sizeof text, "needs %" PRId64 " bytes of shared memory, at most %d are allowed",
           bytes, ASSAY_GPU_MAX_SHARED);
  return refuse(err, kernel, text);
}

// The sizes of a launch's grid and block, x, y and z, where they are constants.
static assay_code check_launch(MlirOperation launch, assay_error *err) {
  static const struct {
    const char *what;
    int64_t most;
  } limits[] = {{"blocks in x", ASSAY_GPU_MAX_GRID_X},   {"blocks in y", ASSAY_GPU_MAX_GRID_Y},
                {"blocks in z", ASSAY_GPU_MAX_GRID_Y},   {"threads in x", ASSAY_GPU_MAX_THREADS},
                {"threads in y", ASSAY_GPU_MAX_THREADS}, {"threads in z", 64}};
  MlirAttribute segments = mlirOperationGetAttributeByName(
      launch, mlirStringRefCreateFromCString("operandSegmentSizes"));
  intptr_t first = mlirDenseI32ArrayGetElement(segments, 0); // after what it waits for
  int64_t threads = 1;
  char text[128];
  for (int i = 0; i < 6; i++) {
    int64_t number;
    if (!assay_constant_read(mlirOperationGetOperand(launch, first + i), &number))
      return refuse(err, launch, "has a size that is not a constant");
    if (number < 1 || number > limits[i].most) {
      snprintf(text, sizeof text, "has %" PRId64 " %s, allowed are 1 to %" PRId64, number,
               limits[i].what, limits[i].most);
      return refuse(err, launch, text);
    }
    if (i >= 3)
      threads *= number;
  }
  if (threads <= ASSAY_GPU_MAX_THREADS)
    return ASSAY_OK;
  snprintf(text, sizeof text, "has %" PRId64 " threads in a block, at most %d are allowed", threads,
           ASSAY_GPU_MAX_THREADS);
  return refuse(err, launch, text);
}

static assay_code check_function(MlirOperation function, assay_error *err) {
  assay_operations inside = assay_operations_collect(function, NULL);
  assay_code code = ASSAY_OK;
  for (int i = 1; i < inside.count && code == ASSAY_OK; i++) { // after the function itself
    if (assay_operation_is(inside.items[i], "gpu.launch_func"))
      code = check_launch(inside.items[i], err);
    else if (!is_allowed(inside.items[i]))
      code = refuse(err, inside.items[i], "would run on the host, which has no access to the data");
  }
  assay_operations_release(&inside);
  return code;
}

static bool is_checked(MlirOperation operation) {
  return assay_operation_is(operation, "func.func") || assay_operation_is(operation, "gpu.func") ||
         assay_operation_is(operation, "memref.global");
}

static assay_code check(MlirOperation operation, assay_error *err) {
  if (assay_operation_is(operation, "func.func"))
    return check_function(operation, err);
  if (assay_operation_is(operation, "gpu.func"))
    return check_kernel(operation, err);
  if (assay_operation_is(mlirOperationGetParentOperation(operation), "builtin.module"))
    return refuse(err, operation, "holds data of the host, which no kernel can read");
  return ASSAY_OK;
}

static assay_code run(MlirOperation module, assay_error *err) {
  assay_operations operations = assay_operations_collect(module, is_checked);
  assay_code code = ASSAY_OK;
  for (int i = 0; i < operations.count && code == ASSAY_OK; i++)
    code = check(operations.items[i], err);
  assay_operations_release(&operations);
  return code;
}

const assay_pass assay_pass_gpu_check_host = {
    .argument = "assay-gpu-check-host",
    .description = "Refuse what would run on the host, and launches beyond a device's limits",
    .anchor = "builtin.module",
    .run = run,
};
