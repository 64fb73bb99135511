// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/jit.h"

#include <llvm-c/Core.h>
#include <llvm-c/LLJIT.h>
#include <stdio.h>
#include <stdlib.h>

// A JIT of its own for each program: unlinking is destroying it.
struct assay_image {
  LLVMOrcLLJITRef jit;
  assay_entry *entry;
  char report[256]; // what ORC reported first while linking; "" while nothing
};

enum { MAX_SYMBOLS = 64 }; // of the runtime

// Consumes the error; ASSAY_OK where there is none.
static assay_code check(LLVMErrorRef error, const char *what, assay_error *err) {
  if (error == NULL)
    return ASSAY_OK;
  char *message = LLVMGetErrorMessage(error);
  assay_code code = assay_fail(err, ASSAY_FAILED, "%s: %s", what, message);
  LLVMDisposeErrorMessage(message);
  return code;
}

// ORC tells causes (a missing symbol) to its session, which would print them, and the caller no
// more than that it failed.
static void keep_report(void *data, LLVMErrorRef error) {
  assay_image *image = data;
  char *message = LLVMGetErrorMessage(error);
  if (image->report[0] == '\0')
    snprintf(image->report, sizeof image->report, "%s", message);
  LLVMDisposeErrorMessage(message);
}

static LLVMOrcCSymbolMapPair symbol(LLVMOrcLLJITRef jit, const char *name, uintptr_t address) {
  return (LLVMOrcCSymbolMapPair){
      .Name = LLVMOrcLLJITMangleAndIntern(jit, name),
      .Sym = {.Address = address, .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}},
  };
}

// The runtime's functions and the address of this very runtime.
static assay_code define_runtime(LLVMOrcLLJITRef jit, assay_linkage linkage, assay_error *err) {
  LLVMOrcCSymbolMapPair symbols[MAX_SYMBOLS];
  size_t count = 0;
  symbols[count++] = symbol(jit, "assay_runtime", (uintptr_t)linkage.runtime);
  for (const assay_runtime_entry *entry = linkage.entries; entry->called != NULL; entry++) {
    if (count == MAX_SYMBOLS)
      abort(); // the table has outgrown this array
    symbols[count++] = symbol(jit, entry->symbol, (uintptr_t)entry->address);
  }
  return check(LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit),
                                     LLVMOrcAbsoluteSymbols(symbols, count)),
               "linking the runtime", err);
}

static assay_code link_object(assay_image *image, const void *bytes, size_t size,
                              assay_linkage linkage, assay_error *err) {
  LLVMOrcLLJITRef jit = image->jit;
  TRY(define_runtime(jit, linkage, err));
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, "program");
  TRY(check(LLVMOrcLLJITAddObjectFile(jit, LLVMOrcLLJITGetMainJITDylib(jit), buffer),
            "loading an object", err));
  LLVMOrcExecutorAddress address;
  TRY(check(LLVMOrcLLJITLookup(jit, &address, ASSAY_ENTRY), "linking an object", err));
  image->entry = (assay_entry *)(uintptr_t)address;
  return ASSAY_OK;
}

assay_code assay_image_link(const void *bytes, size_t size, assay_linkage linkage,
                            assay_image **out_image, assay_error *err) {
  assay_image *image = calloc(1, sizeof *image);
  if (image == NULL)
    abort();
  assay_code code = check(LLVMOrcCreateLLJIT(&image->jit, NULL), "LLVM's JIT", err);
  if (code == ASSAY_OK) {
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(image->jit);
    LLVMOrcExecutionSessionSetErrorReporter(session, keep_report, image);
    code = link_object(image, bytes, size, linkage, err);
  }
  if (code != ASSAY_OK) {
    if (image->report[0] != '\0')
      code = assay_fail(err, code, "linking an object: %s", image->report);
    assay_image_unlink(image);
    return code;
  }
  *out_image = image;
  return ASSAY_OK;
}

void assay_image_unlink(assay_image *image) {
  if (image == NULL)
    return;
  if (image->jit != NULL)
    LLVMConsumeError(LLVMOrcDisposeLLJIT(image->jit));
  free(image);
}

assay_code assay_image_find(const assay_image *image, const char *name,
                            assay_image_function **out_function, assay_error *err) {
  LLVMOrcExecutorAddress address;
  TRY(check(LLVMOrcLLJITLookup(image->jit, &address, name), name, err));
  *out_function = (assay_image_function *)(uintptr_t)address;
  return ASSAY_OK;
}

assay_entry *assay_image_entry(const assay_image *image) {
  return image->entry;
}
