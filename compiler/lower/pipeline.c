// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/pipeline.h"

#include "compiler/ir/diagnostics.h"

#include <mlir-c/Pass.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Generated from compiler/pipelines/.
extern const assay_pipeline *const assay_pipeline_table[];

const assay_pipeline *const *assay_pipelines_get(void) {
  return assay_pipeline_table;
}

const assay_pipeline *assay_pipeline_find(const char *name) {
  for (const assay_pipeline *const *at = assay_pipeline_table; *at != NULL; at++)
    if (strcmp((*at)->name, name) == 0)
      return *at;
  return NULL;
}

// MLIR's parser of pipelines says "...:LINE:COLUMN: error: MESSAGE", then the line and a caret.
static assay_code fail_to_parse(const assay_pipeline *pipeline, int stage, assay_excerpt *complaint,
                                assay_error *err) {
  char file[128];
  snprintf(file, sizeof file, "compiler/pipelines/%s.pipeline", pipeline->name);
  int line = 1, column = 0;
  const char *message = complaint->text;
  const char *error = strstr(complaint->text, ": error: ");
  const char *place = strstr(complaint->text, "Parser:");
  if (error != NULL && place != NULL) {
    char *end;
    line = (int)strtol(place + strlen("Parser:"), &end, 10);
    column = *end == ':' ? (int)strtol(end + 1, NULL, 10) : 0;
    message = error + strlen(": error: ");
  }
  // The first line says it; the others quote the pipeline.
  complaint->text[strcspn(complaint->text, "\n")] = '\0';
  return assay_fail_at(err, ASSAY_INVALID, file, pipeline->stage[stage].line + line - 1, column,
                       "stage '%s': %s", pipeline->stage[stage].name, message);
}

// The caller destroys the manager, whatever is returned.
static assay_code fill_manager(MlirPassManager manager, const assay_pipeline *pipeline, int stage,
                               assay_error *err) {
  assay_excerpt complaint = {.length = 0};
  MlirStringRef passes = mlirStringRefCreateFromCString(pipeline->stage[stage].passes);
  MlirOpPassManager passes_of = mlirPassManagerGetAsOpPassManager(manager);
  if (mlirLogicalResultIsFailure(
          mlirParsePassPipeline(passes_of, passes, assay_excerpt_append, &complaint)))
    return fail_to_parse(pipeline, stage, &complaint, err);
  return ASSAY_OK;
}

assay_code assay_pipeline_check(const assay_context *context, const assay_pipeline *pipeline,
                                assay_error *err) {
  for (int stage = 0; stage < pipeline->stage_count; stage++) {
    MlirPassManager manager = mlirPassManagerCreate(assay_context_get(context));
    assay_code code = fill_manager(manager, pipeline, stage, err);
    mlirPassManagerDestroy(manager);
    TRY(code);
  }
  return ASSAY_OK;
}

assay_code assay_pipeline_run_stage(const assay_context *context, const assay_pipeline *pipeline,
                                    int stage, MlirModule module, assay_costs *costs,
                                    assay_error *err) {
  MlirContext mlir = assay_context_get(context);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlir);
  MlirPassManager manager = mlirPassManagerCreate(mlir);
  assay_code code = fill_manager(manager, pipeline, stage, err);
  if (costs != NULL)
    assay_costs_watch(manager, costs);
  if (code == ASSAY_OK &&
      mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module)))) {
    char what[128];
    snprintf(what, sizeof what, "pipeline '%s', stage '%s'", pipeline->name,
             pipeline->stage[stage].name);
    code = assay_diagnostics_fail(&diagnostics, what, err);
  }
  mlirPassManagerDestroy(manager);
  assay_diagnostics_close(&diagnostics);
  return code;
}
