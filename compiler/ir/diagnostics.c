// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/diagnostics.h"

#include <string.h>

static void append(MlirStringRef piece, void *data) {
  assay_diagnostics *diagnostics = data;
  size_t room = sizeof diagnostics->text - 1 - diagnostics->length;
  size_t length = piece.length < room ? piece.length : room;
  memcpy(diagnostics->text + diagnostics->length, piece.data, length);
  diagnostics->length += length;
  diagnostics->text[diagnostics->length] = '\0';
}

static void append_string(const char *string, assay_diagnostics *diagnostics) {
  append(mlirStringRefCreateFromCString(string), diagnostics);
}

static MlirLogicalResult collect(MlirDiagnostic diagnostic, void *data) {
  assay_diagnostics *diagnostics = data;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  if (severity == MlirDiagnosticWarning || severity == MlirDiagnosticRemark)
    return mlirLogicalResultSuccess();
  if (diagnostics->length > 0)
    append_string("; ", diagnostics);
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), append, diagnostics);
  append_string(": ", diagnostics);
  mlirDiagnosticPrint(diagnostic, append, diagnostics);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); i++)
    (void)collect(mlirDiagnosticGetNote(diagnostic, i), data);
  return mlirLogicalResultSuccess();
}

void assay_diagnostics_open(assay_diagnostics *diagnostics, MlirContext context) {
  diagnostics->context = context;
  diagnostics->length = 0;
  diagnostics->text[0] = '\0';
  diagnostics->handler = mlirContextAttachDiagnosticHandler(context, collect, diagnostics, NULL);
}

void assay_diagnostics_close(assay_diagnostics *diagnostics) {
  mlirContextDetachDiagnosticHandler(diagnostics->context, diagnostics->handler);
}

assay_code assay_diagnostics_fail(const assay_diagnostics *diagnostics, const char *what,
                                  assay_error *err) {
  const char *text = diagnostics->length > 0 ? diagnostics->text : "MLIR gave no diagnostic";
  return assay_fail(err, ASSAY_FAILED, "%s: %s", what, text);
}
