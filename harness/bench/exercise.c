// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/exercise.h"

#include "harness/case/data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static size_t size_of(const assay_buffer *buffer) {
  size_t size = assay_dtype_get(buffer->dtype)->size;
  for (int i = 0; i < buffer->shape.rank; i++)
    size *= (size_t)buffer->shape.dim[i];
  return size;
}

static assay_code take(const assay_node *node, assay_buffer *out_buffer, assay_error *err) {
  enum { ALIGNMENT = 64 };
  *out_buffer = (assay_buffer){.dtype = node->dtype, .shape = node->shape};
  size_t size = (size_of(out_buffer) + ALIGNMENT) / ALIGNMENT * ALIGNMENT;
  out_buffer->data = aligned_alloc(ALIGNMENT, size);
  if (out_buffer->data == NULL)
    return assay_fail(err, ASSAY_FAILED, "no memory for %zu bytes", size);
  return ASSAY_OK;
}

assay_code assay_exercise_open(assay_arena *arena, const assay_case *a_case, const char *data,
                               const assay_reference *reference, assay_exercise *out_exercise,
                               assay_error *err) {
  *out_exercise = (assay_exercise){.a_case = a_case, .data = data, .reference = reference};
  TRY(assay_case_build(arena, a_case, &out_exercise->program, err));
  const assay_program *program = out_exercise->program;
  if (program->input_count > ASSAY_EXERCISE_ARGUMENTS)
    return assay_fail(err, ASSAY_UNSUPPORTED, "a program of %d arguments, at most %d are timed",
                      program->input_count, ASSAY_EXERCISE_ARGUMENTS);
  for (int i = 0; i < program->input_count; i++) {
    const assay_node *node = &program->nodes[program->inputs[i]];
    assay_code code = take(node, &out_exercise->inputs[i], err);
    if (code != ASSAY_OK) {
      assay_exercise_close(out_exercise);
      return code;
    }
    assay_data_fill(a_case->line, data, node->attribute.name, &out_exercise->inputs[i]);
  }
  return ASSAY_OK;
}

void assay_exercise_close(assay_exercise *exercise) {
  for (int i = 0; exercise->program != NULL && i < exercise->program->input_count; i++)
    free(exercise->inputs[i].data);
  *exercise = (assay_exercise){0};
}

static void run(void *user) {
  assay_entrant *it = user;
  const assay_contender *who = it->who;
  assay_error err;
  assay_code code =
      who->opened != NULL
          ? who->opened->backend->run(it->loaded, it->inputs, it->results, &it->counters, &err)
          : who->peer->run(who->state, it->inputs, it->results, &err);
  if (code == ASSAY_OK || it->failed)
    return;
  it->failed = true;
  it->failure = err;
}

static double run_elsewhere(void *user) {
  assay_entrant *it = user;
  double seconds = it->who->peer->run_elsewhere(it->who->state, it->min_seconds);
  if (isnan(seconds) && !it->failed) {
    it->failed = true;
    (void)!assay_fail(&it->failure, ASSAY_FAILED, "%s gave no answer", it->who->name);
  }
  return isnan(seconds) ? 1 : seconds; // a loop that lasts a given time must end
}

static void evict(void *user) {
  assay_evict(((assay_entrant *)user)->evictor);
}

static bool is_elsewhere(const assay_contender *who) {
  return who->opened == NULL && who->peer->run_elsewhere != NULL;
}

// The arguments are on the device since the warm-up.
static double run_on_device(void *user) {
  assay_entrant *it = user;
  double seconds;
  assay_error err;
  assay_code code = it->who->opened->backend->time(it->loaded, it->runs, &seconds, &err);
  if (code == ASSAY_OK)
    return seconds;
  if (!it->failed)
    it->failure = err;
  it->failed = true;
  return 1; // a loop that lasts a given time must end
}

bool assay_contender_is_simulated(const assay_contender *who) {
  return who->opened != NULL && who->opened->backend->simulated;
}

bool assay_contender_is_on_device(const assay_contender *who) {
  return who->opened != NULL && who->opened->backend->time != NULL;
}

assay_timed assay_entrant_timed(assay_entrant *entrant, assay_batches batches) {
  bool elsewhere = is_elsewhere(entrant->who);
  if (assay_contender_is_on_device(entrant->who)) {
    entrant->runs = batches.iterations > 0 ? batches.iterations : 1;
    return (assay_timed){.name = entrant->who->name,
                         .user = entrant,
                         .run_elsewhere = run_on_device,
                         .iterations = batches.iterations > 0, // 0: as many as take the time
                         .repetitions = batches.count};
  }
  return (assay_timed){.name = entrant->who->name,
                       .user = entrant,
                       .run = elsewhere ? NULL : run,
                       .run_elsewhere = elsewhere ? run_elsewhere : NULL,
                       .between = entrant->evictor != NULL ? evict : NULL,
                       .iterations = elsewhere ? 1 : batches.iterations, // its loop is its own
                       .repetitions = elsewhere ? 1 : batches.count};
}

// The arguments, in memory that this process has just been given: where its pages lie differs from
// process to process, and with it the time.
static assay_code copy_arguments(assay_entrant *entrant, assay_error *err) {
  const assay_program *program = entrant->exercise->program;
  for (int i = 0; i < program->input_count; i++) {
    TRY(take(&program->nodes[program->inputs[i]], &entrant->inputs[i], err));
    memcpy(entrant->inputs[i].data, entrant->exercise->inputs[i].data,
           size_of(&entrant->inputs[i]));
  }
  for (int i = 0; i < program->result_count; i++) {
    TRY(take(&program->nodes[program->results[i]], &entrant->results[i], err));
    memset(entrant->results[i].data, 0xff, size_of(&entrant->results[i])); // NaN: poison
  }
  return ASSAY_OK;
}

static assay_code load(assay_entrant *entrant, bool watched, assay_error *err) {
  const assay_opened *opened = entrant->who->opened;
  const assay_backend *backend = opened->backend;
  if (backend->set_loading != NULL)
    backend->set_loading(opened->device, (assay_loading){.unguarded = true, .watched = watched});
  return backend->load(opened->device, entrant->exercise->program, &entrant->object,
                       &entrant->loaded, &entrant->report, err);
}

static assay_code warm_up(assay_entrant *entrant, assay_error *err) {
  if (is_elsewhere(entrant->who))
    run_elsewhere(entrant);
  run(entrant);
  if (!entrant->failed)
    return ASSAY_OK;
  *err = entrant->failure;
  return err->code;
}

// The costs of a compilation are those of the fastest of some: the first of a process is slower by
// half, and others on the machine slow any.
static assay_code watch(assay_entrant *entrant, assay_error *err) {
  enum { MOST = 4 };
  static const double LONG = 0.3; // seconds
  const assay_backend *backend = entrant->who->opened->backend;
  double spent = entrant->report.seconds_compile;
  for (int i = 1; i < MOST && spent < LONG && spent > 0; i++) {
    assay_load_report before = entrant->report;
    backend->unload(entrant->loaded);
    free(entrant->object.bytes);
    entrant->loaded = NULL;
    entrant->object = (assay_object){.bytes = NULL};
    TRY(load(entrant, true, err));
    spent += entrant->report.seconds_compile;
    if (before.seconds_compile < entrant->report.seconds_compile)
      entrant->report = before;
    else if (before.figures.note[0] != '\0') // of what the later ones find mended
      memcpy(entrant->report.figures.note, before.figures.note, sizeof before.figures.note);
  }
  return ASSAY_OK;
}

assay_code assay_entrant_open(const assay_contender *who, const assay_exercise *exercise,
                              const assay_object *object, bool watched, assay_entrant *out_entrant,
                              assay_error *err) {
  *out_entrant = (assay_entrant){.who = who, .exercise = exercise, .object = *object};
  out_entrant->compiled = object->bytes == NULL;
  assay_code code = copy_arguments(out_entrant, err);
  if (code == ASSAY_OK && who->opened != NULL)
    code = load(out_entrant, watched, err);
  if (code == ASSAY_OK && watched && out_entrant->report.costs.pass_count > 0)
    code = watch(out_entrant, err);
  if (code == ASSAY_OK && assay_contender_is_simulated(who))
    out_entrant->counters.compiles = out_entrant->compiled; // no run tells it
  else if (code == ASSAY_OK)
    code = warm_up(out_entrant, err);
  if (code != ASSAY_OK)
    assay_entrant_close(out_entrant);
  return code;
}

void assay_entrant_close(assay_entrant *entrant) {
  if (entrant->loaded != NULL)
    entrant->who->opened->backend->unload(entrant->loaded);
  for (int i = 0; i < entrant->exercise->program->input_count; i++)
    free(entrant->inputs[i].data);
  for (int i = 0; i < entrant->exercise->program->result_count; i++)
    free(entrant->results[i].data);
  if (entrant->compiled)
    free(entrant->object.bytes);
  entrant->loaded = NULL;
}
