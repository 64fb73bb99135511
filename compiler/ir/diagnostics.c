// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/ir/diagnostics.h"

static void append_string(const char *string, assay_excerpt *said) {
  assay_excerpt_append(mlirStringRefCreateFromCString(string), said);
}

static MlirLogicalResult collect(MlirDiagnostic diagnostic, void *data) {
  assay_excerpt *said = &((assay_diagnostics *)data)->said;
  MlirDiagnosticSeverity severity = mlirDiagnosticGetSeverity(diagnostic);
  if (severity == MlirDiagnosticWarning || severity == MlirDiagnosticRemark)
    return mlirLogicalResultSuccess();
  if (said->length > 0)
    append_string("; ", said);
  mlirLocationPrint(mlirDiagnosticGetLocation(diagnostic), assay_excerpt_append, said);
  append_string(": ", said);
  mlirDiagnosticPrint(diagnostic, assay_excerpt_append, said);
  for (intptr_t i = 0; i < mlirDiagnosticGetNumNotes(diagnostic); i++)
    (void)collect(mlirDiagnosticGetNote(diagnostic, i), data);
  return mlirLogicalResultSuccess();
}

void assay_diagnostics_open(assay_diagnostics *diagnostics, MlirContext context) {
  diagnostics->context = context;
  diagnostics->said = (assay_excerpt){.length = 0};
  diagnostics->handler = mlirContextAttachDiagnosticHandler(context, collect, diagnostics, NULL);
}

void assay_diagnostics_close(assay_diagnostics *diagnostics) {
  mlirContextDetachDiagnosticHandler(diagnostics->context, diagnostics->handler);
}

assay_code assay_diagnostics_fail(const assay_diagnostics *diagnostics, const char *what,
                                  assay_error *err) {
  const char *text =
      diagnostics->said.length > 0 ? diagnostics->said.text : "MLIR gave no diagnostic";
  return assay_fail(err, ASSAY_FAILED, "%s: %s", what, text);
}
