// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Modules to cut in: from text, from files, copies, and lowered by passes.
#ifndef ASSAY_COMPILER_BRIDGE_CUTS_CUTS_TESTING_H
#define ASSAY_COMPILER_BRIDGE_CUTS_CUTS_TESTING_H

#include "compiler/bridge/cuts/cuts.h"
#include "compiler/bridge/passes.h"

#include <mlir-c/Diagnostics.h>
#include <mlir-c/Pass.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define CUTS_BLOCK ASSAY_SOURCE_DIR "/compiler/bridge/cuts/checks/gpt2_block.mlir"

static MlirContext context;

static inline int set_up(void **state) {
  (void)state;
  context = assay_passes_context();
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  mlirContextDestroy(context);
  return 0;
}

static inline MlirModule parse_text(const char *text) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  if (mlirModuleIsNull(module))
    fail_msg("not parsed: %.200s", text);
  return module;
}

static inline MlirModule parse_file(const char *path) {
  MlirModule module = mlirModuleCreateParseFromFile(context, mlirStringRefCreateFromCString(path));
  if (mlirModuleIsNull(module))
    fail_msg("not parsed: %s", path);
  return module;
}

static inline MlirModule copy_of(MlirModule module) {
  return mlirModuleFromOperation(mlirOperationClone(mlirModuleGetOperation(module)));
}

// Runs passes over the module, in MLIR's textual form.
static inline void run_passes(MlirModule module, const char *passes) {
  MlirPassManager manager = mlirPassManagerCreate(context);
  MlirOpPassManager ops = mlirPassManagerGetAsOpPassManager(manager);
  assert_true(mlirLogicalResultIsSuccess(
      mlirOpPassManagerAddPipeline(ops, mlirStringRefCreateFromCString(passes), NULL, NULL)));
  assert_true(
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(manager);
}

static inline MlirLogicalResult say_nothing(MlirDiagnostic diagnostic, void *data) {
  (void)diagnostic;
  (void)data;
  return mlirLogicalResultSuccess();
}

static inline bool verifies(MlirModule module) {
  MlirDiagnosticHandlerID quiet =
      mlirContextAttachDiagnosticHandler(context, say_nothing, NULL, NULL);
  bool verified = mlirOperationVerify(mlirModuleGetOperation(module));
  mlirContextDetachDiagnosticHandler(context, quiet);
  return verified;
}

typedef struct printed {
  char *text;
  size_t size;
} printed;

static inline void append_text(MlirStringRef part, void *data) {
  printed *to = data;
  char *longer = realloc(to->text, to->size + part.length + 1);
  assert_non_null(longer);
  to->text = longer;
  memcpy(to->text + to->size, part.data, part.length);
  to->size += part.length;
  to->text[to->size] = '\0';
}

// The module's text, to be freed.
static inline char *text_of(MlirModule module) {
  printed text = {0};
  mlirOperationPrint(mlirModuleGetOperation(module), append_text, &text);
  return text.text;
}

// Compares the whole text of what the sites [from, to) leave.
static inline void expect_cut(const char *before, const char *entry, assay_cut cut, int from,
                              int to, const char *after) {
  MlirModule module = parse_text(before);
  assert_true(to <= assay_cut_count(module, entry, cut));
  assert_true(assay_cut_apply(module, entry, cut, from, to));
  assert_true(verifies(module));
  char *text = text_of(module);
  assert_string_equal(text, after);
  free(text);
  mlirModuleDestroy(module);
}

#endif
