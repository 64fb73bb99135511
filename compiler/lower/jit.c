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

static assay_code define(LLVMOrcLLJITRef jit, size_t count, const assay_image_symbol symbols[],
                         assay_error *err) {
  LLVMOrcCSymbolMapPair *pairs = calloc(count + 1, sizeof *pairs);
  if (pairs == NULL)
    abort();
  for (size_t i = 0; i < count; i++)
    pairs[i] = (LLVMOrcCSymbolMapPair){
        .Name = LLVMOrcLLJITMangleAndIntern(jit, symbols[i].name),
        .Sym = {.Address = symbols[i].address,
                .Flags = {.GenericFlags = LLVMJITSymbolGenericFlagsExported}},
    };
  LLVMErrorRef error =
      LLVMOrcJITDylibDefine(LLVMOrcLLJITGetMainJITDylib(jit), LLVMOrcAbsoluteSymbols(pairs, count));
  free(pairs);
  return check(error, "linking the runtime", err);
}

static assay_code link_object(const assay_image *image, const void *bytes, size_t size,
                              size_t count, const assay_image_symbol symbols[], assay_error *err) {
  TRY(define(image->jit, count, symbols, err));
  LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, size, "program");
  return check(
      LLVMOrcLLJITAddObjectFile(image->jit, LLVMOrcLLJITGetMainJITDylib(image->jit), buffer),
      "loading an object", err);
}

assay_code assay_image_link_to(const void *bytes, size_t size, size_t count,
                               const assay_image_symbol symbols[], assay_image **out_image,
                               assay_error *err) {
  assay_image *image = calloc(1, sizeof *image);
  if (image == NULL)
    abort();
  assay_code code = check(LLVMOrcCreateLLJIT(&image->jit, NULL), "LLVM's JIT", err);
  if (code == ASSAY_OK) {
    LLVMOrcExecutionSessionRef session = LLVMOrcLLJITGetExecutionSession(image->jit);
    LLVMOrcExecutionSessionSetErrorReporter(session, keep_report, image);
    code = link_object(image, bytes, size, count, symbols, err);
  }
  if (code != ASSAY_OK) {
    assay_image_unlink(image);
    return code;
  }
  *out_image = image;
  return ASSAY_OK;
}

assay_code assay_image_find(assay_image *image, const char *name, void **out_address,
                            assay_error *err) {
  LLVMOrcExecutorAddress address;
  assay_code code = check(LLVMOrcLLJITLookup(image->jit, &address, name), "linking an object", err);
  if (code != ASSAY_OK && image->report[0] != '\0')
    return assay_fail(err, code, "linking an object: %s", image->report);
  *out_address = code == ASSAY_OK ? (void *)(uintptr_t)address : NULL;
  return code;
}

// The runtime's functions and the address of this very runtime.
assay_code assay_image_link(const void *bytes, size_t size, assay_linkage linkage,
                            assay_image **out_image, assay_error *err) {
  assay_image_symbol symbols[MAX_SYMBOLS];
  size_t count = 0;
  symbols[count++] = (assay_image_symbol){"assay_runtime", (uintptr_t)linkage.runtime};
  for (const assay_runtime_entry *entry = linkage.entries; entry->called != NULL; entry++) {
    if (count == MAX_SYMBOLS)
      abort(); // the table has outgrown this array
    symbols[count++] = (assay_image_symbol){entry->symbol, (uintptr_t)entry->address};
  }
  assay_image *image = NULL;
  TRY(assay_image_link_to(bytes, size, count, symbols, &image, err));
  void *entry = NULL;
  assay_code code = assay_image_find(image, ASSAY_ENTRY, &entry, err);
  if (code != ASSAY_OK) {
    assay_image_unlink(image);
    return code;
  }
  image->entry = (assay_entry *)(uintptr_t)entry;
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

assay_entry *assay_image_entry(const assay_image *image) {
  return image->entry;
}
