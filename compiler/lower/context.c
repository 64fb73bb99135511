// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/context.h"

#include "compiler/lower/passes.h"

#include <mlir-c/RegisterEverything.h>
#include <pthread.h>
#include <stdlib.h>

struct assay_context {
  MlirContext mlir;
};

// MLIR's pass registry is one for the process.
static pthread_once_t passes_registered = PTHREAD_ONCE_INIT;

static void register_passes(void) {
  mlirRegisterAllPasses();
  assay_passes_register();
}

assay_code assay_context_create(assay_context **out_context, assay_error *err) {
  assay_context *context = malloc(sizeof *context);
  if (context == NULL)
    return assay_fail(err, ASSAY_FAILED, "no memory for an MLIR context");
  if (pthread_once(&passes_registered, register_passes) != 0) {
    free(context);
    return assay_fail(err, ASSAY_FAILED, "MLIR's passes could not be registered");
  }
  MlirDialectRegistry registry = mlirDialectRegistryCreate();
  mlirRegisterAllDialects(registry);
  // No threads: a forked child would miss them.
  context->mlir = mlirContextCreateWithRegistry(registry, false);
  mlirDialectRegistryDestroy(registry);
  mlirRegisterAllLLVMTranslations(context->mlir);
  // Loading is paid for once here instead of in each child.
  mlirContextLoadAllAvailableDialects(context->mlir);
  *out_context = context;
  return ASSAY_OK;
}

void assay_context_destroy(assay_context *context) {
  if (context == NULL)
    return;
  mlirContextDestroy(context->mlir);
  free(context);
}

MlirContext assay_context_get(const assay_context *context) {
  return context->mlir;
}
