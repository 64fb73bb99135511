// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/stages.h"
#include "compiler/lower/emit.h"
#include "compiler/lower/pipeline.h"
#include "harness/case/data.h"
#include "harness/cli/machine.h"
#include "harness/cli/sandbox.h"
#include "reference/npy.h"

#include <stdlib.h>
#include <string.h>

typedef struct printing {
  const assay_session *session;
  const assay_subject *subject;
  const assay_pipeline *pipeline;
  const char *stage;
  FILE *stream; // shared with the child, which is why it is a file
} printing;

static void print_module(const printing *job, const char *stage, MlirModule module) {
  bool all = strcmp(job->stage, "all") == 0;
  if (!all && strcmp(job->stage, stage) != 0)
    return;
  assay_arena *arena = job->session->arena;
  if (all)
    fprintf(job->stream, "%s// %s\n", strcmp(stage, "tensor") != 0 ? "// -----\n" : "", stage);
  fputs(all ? assay_module_print_unaliased(arena, module) : assay_module_print(arena, module),
        job->stream);
}

static assay_code print_stages(const printing *job, const assay_context *context, MlirModule module,
                               assay_error *err) {
  print_module(job, "tensor", module);
  for (int i = 0; i < job->pipeline->stage_count && strcmp(job->stage, "tensor") != 0; i++) {
    TRY(assay_pipeline_run_stage(context, job->pipeline, i, module, NULL, err));
    print_module(job, job->pipeline->stage[i].name, module);
    if (strcmp(job->stage, job->pipeline->stage[i].name) == 0)
      break;
  }
  if (fflush(job->stream) != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot write the IR");
  return ASSAY_OK;
}

static assay_code print_in_child(void *user, assay_error *err) {
  const printing *job = user;
  assay_context *context;
  MlirModule module;
  TRY(assay_context_create(&context, err));
  assay_code code = assay_module_emit(context, job->subject->program, &module, err);
  if (code == ASSAY_OK) {
    code = print_stages(job, context, module, err);
    mlirModuleDestroy(module);
  }
  assay_context_destroy(context);
  return code;
}

static assay_code check_stage(const assay_session *session, const assay_pipeline *pipeline,
                              const char *stage, assay_error *err) {
  const char *names[ASSAY_MAX_STAGES + 2] = {"all", "tensor"};
  size_t count = 2;
  for (int i = 0; i < pipeline->stage_count; i++)
    names[count++] = pipeline->stage[i].name;
  for (size_t i = 0; i < count; i++)
    if (strcmp(names[i], stage) == 0)
      return ASSAY_OK;
  return assay_fail(err, ASSAY_INVALID, "--stage: the pipeline '%s' has no stage '%s'%s",
                    pipeline->name, stage, assay_hint(session->arena, stage, names, count));
}

// The backend's. Where it has none, any will do for the stage that all of them start from, and then
// that one is all there is. NULL where there is none.
static const assay_pipeline *choose_pipeline(const assay_backend *backend, const char **stage) {
  if (backend->pipeline != NULL)
    return assay_pipeline_find(backend->pipeline);
  if (strcmp(*stage, "all") != 0 && strcmp(*stage, "tensor") != 0)
    return NULL;
  *stage = "tensor";
  return assay_pipelines_get()[0];
}

assay_code assay_stages_print(const assay_session *session, const assay_subject *subject,
                              const char *stage, FILE *stream, assay_error *err) {
  const assay_backend *backend = subject->backend;
  if (backend == NULL)
    TRY(assay_backend_need(session, "loop", &backend, err));
  const assay_pipeline *pipeline = choose_pipeline(backend, &stage);
  if (pipeline == NULL)
    return assay_fail(err, ASSAY_UNSUPPORTED, "the backend '%s' has no built-in pipeline",
                      backend->name);
  TRY(check_stage(session, pipeline, stage, err));
  FILE *file = tmpfile();
  if (file == NULL)
    return assay_fail(err, ASSAY_FAILED, "cannot make a temporary file");
  printing job = {
      .session = session, .subject = subject, .pipeline = pipeline, .stage = stage, .stream = file};
  assay_code code = assay_sandbox_run(session->options, print_in_child, &job, err);
  if (fseek(file, 0, SEEK_SET) != 0 && code == ASSAY_OK)
    code = assay_fail(err, ASSAY_FAILED, "cannot read the temporary file");
  char chunk[4096];
  for (size_t size; (size = fread(chunk, 1, sizeof chunk, file)) > 0;)
    fwrite(chunk, 1, size, stream);
  fclose(file);
  return code;
}

typedef struct running {
  const assay_session *session;
  const assay_subject *subject;
  const char *folder;
} running;

// Memory for the tensor of a node, zeroed.
static assay_buffer make_buffer(const assay_node *node) {
  size_t size = (size_t)assay_shape_count(&node->shape) * assay_dtype_get(node->dtype)->size;
  size_t rounded = (size + 63) / 64 * 64;
  assay_buffer buffer = {
      .data = aligned_alloc(64, rounded), .dtype = node->dtype, .shape = node->shape};
  if (buffer.data == NULL)
    abort(); // in a child: the parent reports it
  memset(buffer.data, 0, rounded);
  return buffer;
}

static assay_code run_once(const running *job, const assay_station *station,
                           const assay_buffer inputs[], const assay_buffer results[],
                           assay_error *err) {
  const assay_backend *backend = station->opened.backend;
  const assay_program *program = job->subject->program;
  assay_object object = {0};
  assay_loaded *loaded;
  assay_load_report report;
  assay_counters counters;
  TRY(backend->supports(station->opened.device, program, err));
  TRY(backend->load(station->opened.device, program, &object, &loaded, &report, err));
  assay_code code = backend->run(loaded, inputs, results, &counters, err);
  backend->unload(loaded);
  free(object.bytes);
  return code;
}

static assay_code write_results(const running *job, const assay_buffer results[],
                                assay_error *err) {
  assay_arena *arena = job->session->arena;
  int count = job->subject->program->result_count;
  for (int i = 0; i < count; i++) {
    const char *number = count > 1 ? assay_arena_format(arena, "-%d", i) : "";
    const assay_dtype_info *dtype = assay_dtype_get(results[i].dtype);
    TRY(assay_npy_write(assay_arena_format(arena, "%s/got%s.npy", job->folder, number),
                        dtype->numpy, dtype->size, results[i].shape.rank, results[i].shape.dim,
                        results[i].data, err));
  }
  return ASSAY_OK;
}

static assay_code run_in_child(void *user, assay_error *err) {
  const running *job = user;
  const assay_subject *subject = job->subject;
  const assay_program *program = subject->program;
  const char *name = subject->backend->name;
  assay_names names = {.items = &name, .count = 1};
  assay_machine machine;
  assay_buffer inputs[ASSAY_MAX_ARGUMENTS] = {0}, results[ASSAY_MAX_RESULTS] = {0};
  TRY(assay_machine_open(job->session, &names, &machine, err));
  for (int i = 0; i < program->input_count; i++) {
    const assay_node *node = &program->nodes[program->inputs[i]];
    inputs[i] = make_buffer(node);
    assay_data_fill(subject->a_case.line, subject->data, node->attribute.name, &inputs[i]);
  }
  for (int i = 0; i < program->result_count; i++)
    results[i] = make_buffer(&program->nodes[program->results[i]]);
  assay_code code = run_once(job, &machine.stations[0], inputs, results, err);
  if (code == ASSAY_OK)
    code = write_results(job, results, err);
  for (int i = 0; i < program->input_count; i++)
    free(inputs[i].data);
  for (int i = 0; i < program->result_count; i++)
    free(results[i].data);
  assay_machine_close(&machine);
  return code;
}

assay_code assay_stages_save_results(const assay_session *session, const assay_subject *subject,
                                     const char *folder, assay_error *err) {
  running job = {.session = session, .subject = subject, .folder = folder};
  return assay_sandbox_run(session->options, run_in_child, &job, err);
}
