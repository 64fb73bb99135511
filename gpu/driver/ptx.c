// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/ptx.h"

#include "compiler/base/text.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/ir/walk.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/Dialect/GPU.h>
#include <mlir-c/Pass.h>
#include <stdlib.h>
#include <string.h>

static MlirStringRef string(const char *text) {
  return mlirStringRefCreateFromCString(text);
}

// A module that holds a copy of the gpu.module, without targets of its own.
static MlirModule copy_of(MlirOperation gpu_module) {
  MlirModule module = mlirModuleCreateEmpty(mlirOperationGetLocation(gpu_module));
  MlirOperation copy = mlirOperationClone(gpu_module);
  mlirOperationRemoveAttributeByName(copy, string("targets"));
  mlirBlockAppendOwnedOperation(mlirModuleGetBody(module), copy);
  mlirOperationSetAttributeByName(mlirModuleGetOperation(module), string("gpu.container_module"),
                                  mlirUnitAttrGet(mlirModuleGetContext(module)));
  return module;
}

// Whether a function of libdevice is declared there.
static bool needs_libdevice(MlirOperation gpu_module) {
  assay_operations all = assay_operations_collect(gpu_module, NULL);
  bool needs = false;
  for (int i = 0; i < all.count && !needs; i++) {
    MlirAttribute name = mlirOperationGetAttributeByName(all.items[i], string("sym_name"));
    if (mlirAttributeIsNull(name) || !mlirAttributeIsAString(name))
      continue;
    MlirStringRef text = mlirStringAttrGetValue(name);
    needs = text.length > 5 && memcmp(text.data, "__nv_", 5) == 0;
  }
  assay_operations_release(&all);
  return needs;
}

static assay_code run_passes(assay_arena *arena, MlirModule module, const char *toolkit,
                             assay_error *err) {
  MlirContext context = mlirModuleGetContext(module);
  // No features: LLVM takes the oldest PTX that knows the architecture, and ends the process where
  // they do not fit it.
  const char *passes =
      assay_arena_format(arena,
                         "builtin.module(nvvm-attach-target{chip=sm_80 O=3 features=},"
                         "gpu-module-to-binary{format=isa%s%s%s})",
                         toolkit != NULL ? " toolkit=\"" : "", toolkit != NULL ? toolkit : "",
                         toolkit != NULL ? "\"" : "");
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  MlirPassManager manager = mlirPassManagerCreate(context);
  assay_excerpt complaint = {.length = 0};
  assay_code code = ASSAY_OK;
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                       string(passes), assay_excerpt_append,
                                                       &complaint)))
    code = assay_fail(err, ASSAY_FAILED, "the passes that make PTX: %s", complaint.text);
  else if (mlirLogicalResultIsFailure(
               mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))))
    code = assay_diagnostics_fail(&diagnostics, "making PTX", err);
  mlirPassManagerDestroy(manager);
  assay_diagnostics_close(&diagnostics);
  return code;
}

// The one object of the one gpu.binary.
static assay_code take_object(assay_arena *arena, MlirModule module, const char **out_ptx,
                              assay_error *err) {
  MlirOperation binary = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  MlirAttribute objects = assay_operation_is(binary, "gpu.binary")
                              ? mlirOperationGetAttributeByName(binary, string("objects"))
                              : mlirAttributeGetNull();
  if (mlirAttributeIsNull(objects) || mlirArrayAttrGetNumElements(objects) != 1)
    return assay_fail(err, ASSAY_FAILED, "making PTX: MLIR made no gpu.binary of one object");
  MlirStringRef text = mlirGPUObjectAttrGetObject(mlirArrayAttrGetElement(objects, 0));
  *out_ptx = assay_arena_bytes(arena, text.data, text.length);
  return ASSAY_OK;
}

// Collects what is only declared: "__nv_logf, __nv_powf"; *out_other: one is not libdevice's.
static const char *find_unresolved(assay_arena *arena, const char *ptx, bool *out_other) {
  static const char declaration[] = ".extern .func";
  assay_text names = {.arena = arena};
  *out_other = false;
  while ((ptx = strstr(ptx, declaration)) != NULL) {
    ptx += strlen(declaration);
    const char *name = ptx + strspn(ptx, " \t\n");
    if (*name == '(') { // the result: "(.param .b32 func_retval0)"
      name += strcspn(name, ")");
      name += *name == ')';
      name += strspn(name, " \t\n");
    }
    int length = (int)strcspn(name, " \t\n(;");
    assay_text_print(&names, "%s%.*s", names.length > 0 ? ", " : "", length, name);
    *out_other |= strncmp(name, "__nv_", 5) != 0;
  }
  return names.length > 0 ? names.data : NULL;
}

static assay_code check_resolved(assay_arena *arena, const char *ptx, bool has_libdevice,
                                 assay_error *err) {
  bool other;
  const char *names = find_unresolved(arena, ptx, &other);
  if (names == NULL)
    return ASSAY_OK;
  if (other || has_libdevice)
    return assay_fail(err, ASSAY_UNSUPPORTED, "the PTX calls what is not in it: %s", names);
  return assay_fail(err, ASSAY_UNSUPPORTED,
                    "the kernels call %s of CUDA's libdevice, and no nvvm/libdevice/"
                    "libdevice.10.bc is there (below CUDA_HOME, /usr/local/cuda or beside ptxas)",
                    names);
}

static assay_code make(assay_arena *arena, MlirModule module, const char *folder,
                       const char **out_ptx, assay_error *err) {
  TRY(run_passes(arena, module, folder, err));
  TRY(take_object(arena, module, out_ptx, err));
  return check_resolved(arena, *out_ptx, folder != NULL, err);
}

assay_code assay_ptx_make(assay_arena *arena, MlirOperation gpu_module, const char **out_ptx,
                          assay_error *err) {
  // Only where it is needed: to read libdevice takes longer than the kernels do.
  const char *folder = needs_libdevice(gpu_module) ? assay_toolkit_find(arena).folder : NULL;
  MlirModule module = copy_of(gpu_module);
  assay_code code = make(arena, module, folder, out_ptx, err);
  mlirModuleDestroy(module);
  return code;
}
