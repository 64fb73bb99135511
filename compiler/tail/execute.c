// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/sizes.h"
#include "compiler/bridge/tail_rewrite.h"
#include "compiler/bridge/tail_work.h"
#include "compiler/rounding/rounding.h"
#include "compiler/tail/call.h"
#include "compiler/tail/conversions.h"
#include "compiler/tail/lower.h"
#include "compiler/tail/own_calls.h"
#include "compiler/tail/reuse.h"
#include "compiler/tail/run.h"
#include "compiler/tail/stand_in.h"
#include "compiler/tail/watch.h"

#include <stdio.h>
#include <string.h>
#include <time.h>

typedef struct tail_job {
  const assay_tail_request *request;
  assay_shared *shared;
  assay_tail_answer *answer;
  assay_arena *arena;
  MlirModule module;
  assay_border border;
  assay_code_image *image;
  int32_t amplitude;
} tail_job;

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

static assay_code share_text(tail_job *execution, const char *text, const char **out_text,
                             assay_error *err) {
  *out_text = assay_shared_string(execution->shared, text);
  return *out_text != NULL ? ASSAY_OK : assay_fail(err, ASSAY_FAILED, "the shared memory is full");
}

static assay_code instrument(tail_job *execution, assay_error *err) {
  if (execution->request->instrument == ASSAY_INSTRUMENT_NONE)
    return ASSAY_OK;
  if (execution->request->instrument != ASSAY_INSTRUMENT_ROUNDING)
    return assay_watch_instrument(execution->request, execution->shared, execution->answer,
                                  execution->module, err);
  assay_rounding_report report = {0};
  TRY(assay_rounding_instrument(execution->module, execution->arena, &report, err));
  execution->amplitude = report.amplitude;
  if (report.missing == NULL)
    return ASSAY_OK;
  return share_text(execution, report.missing, &execution->answer->uninstrumented, err);
}

static bool is_sampled(const assay_tail_request *request) {
  return request->instrument == ASSAY_INSTRUMENT_ROUNDING;
}

static const assay_record_symbol *rounding_symbols(assay_arena *arena) {
  const assay_rounding_symbol *from = assay_rounding_symbols();
  size_t count = 0;
  while (from[count].name != NULL)
    count++;
  assay_record_symbol *symbols = assay_arena_take(arena, count + 1, sizeof *symbols);
  for (size_t i = 0; i < count; i++)
    symbols[i] = (assay_record_symbol){from[i].name, from[i].address};
  return symbols;
}

static assay_code link_program(tail_job *execution, assay_error *err) {
  const assay_tail_request *request = execution->request;
  const assay_record_symbol *symbols[] = {
      assay_watch_symbols(request, execution->arena),
      assay_run_symbols(&execution->border, execution->arena),
      assay_record_symbols(),
      assay_conversion_symbols(),
      assay_own_call_symbols(),
      assay_stand_in_symbols(),
      is_sampled(request) ? rounding_symbols(execution->arena) : NULL,
      NULL,
  };
  assay_excerpt stand_ins = {.length = 0};
  assay_link_options options = {
      .optimise = request->optimise || is_sampled(request) ||
                  (request->tail != ASSAY_TAIL_FIRST && !request->literal),
      .poison_allocas = !is_sampled(request),
      .poison = assay_run_poison,
      .symbols = symbols,
      .declared = request->declared,
      .given = request->given,
      .declared_count = request->declared_count,
      .stand_ins = &stand_ins,
  };
  TRY(assay_code_link(execution->module, &options, &execution->image, err));
  return share_text(execution, stand_ins.text, &execution->answer->stand_ins, err);
}

static bool is_guarded(const assay_tail_request *request) {
  for (int i = 0; i < request->run_count; i++)
    if (request->runs[i].guarded)
      return true;
  return false;
}

// A program that computes for long at -O0 is better compiled by -O2: that costs some tenths of a
// second.
static const double LONG_RUN = 1;    // seconds
static const double LONG_WORK = 1e8; // scalar operations, of some nanoseconds each at -O0

static void optimise(tail_job *execution) {
  assay_tail_request *request = assay_arena_take(execution->arena, 1, sizeof *request);
  *request = *execution->request;
  request->optimise = execution->answer->optimised = true;
  execution->request = request;
}

static bool is_unoptimised(const assay_tail_request *request) {
  return request->tail == ASSAY_TAIL_FIRST && !request->optimise && !is_sampled(request);
}

static void suggest_dims(tail_job *execution) {
  const assay_tail_request *request = execution->request;
  assay_tail_answer *answer = execution->answer;
  MlirOperation entry = assay_call_find(execution->module, request->entry);
  if (request->dim_count > 0 || request->inputs != NULL || mlirOperationIsNull(entry))
    return;
  int count = assay_sizes_infer(entry, ASSAY_TAIL_DIM, ASSAY_OBSERVED_MAX_RANK, answer->dims);
  for (int i = 0; i < count; i++)
    if (answer->dims[i] != ASSAY_TAIL_DIM)
      answer->dim_count = count;
}

static assay_code lower(tail_job *execution, assay_error *err) {
  const assay_tail_request *request = execution->request;
  const char *left;
  assay_code called =
      assay_call_add(execution->module, request, execution->arena, &execution->border, err);
  // Without a call it still shows whether the tail can lower the rest.
  assay_error ignored;
  assay_code lowered =
      assay_tail_lower(execution->module, request, is_guarded(request), execution->arena, &left,
                       called == ASSAY_OK ? err : &ignored);
  execution->answer->lost = execution->border.is_lossy;
  TRY(share_text(execution, left, &execution->answer->left, err));
  return called != ASSAY_OK ? called : lowered;
}

static assay_code prepare(tail_job *execution, assay_error *err) {
  double start = now();
  TRY(assay_snapshot_read(execution->request->state, execution->request->context,
                          &execution->module, err));
  if (is_unoptimised(execution->request) && assay_module_work(execution->module) > LONG_WORK)
    optimise(execution);
  suggest_dims(execution);
  assay_rewrite_drop_scripts(execution->module);
  TRY(assay_watch_prepare(execution->request, execution->shared, execution->answer,
                          execution->module, err));
  TRY(lower(execution, err));
  execution->answer->pulse++;
  TRY(instrument(execution, err));
  execution->answer->seconds_lower = now() - start;
  start = now();
  TRY(link_program(execution, err));
  execution->answer->seconds_compile = now() - start;
  execution->answer->pulse++;
  return ASSAY_OK;
}

static assay_code run_all(tail_job *execution, assay_error *err);

static assay_code again(tail_job *execution, assay_error *err) {
  assay_code_unlink(execution->image);
  execution->image = NULL;
  assay_error why;
  if (link_program(execution, &why) != ASSAY_OK)
    return assay_fail(err, ASSAY_FAILED, "%s", why.text); // it did link without -O2
  execution->answer->pulse++;
  return run_all(execution, err);
}

static bool may_be_long(const tail_job *execution) {
  return is_unoptimised(execution->request) && execution->request->run_seconds > LONG_RUN;
}

static assay_code run_all(tail_job *execution, assay_error *err) {
  const assay_tail_request *request = execution->request;
  assay_program program = {
      .border = &execution->border,
      .data_seed = request->data_seed,
      .seconds = request->run_seconds,
      .amplitude = execution->amplitude,
      .origin_kind = assay_watch_kind(request),
      .origin = execution->answer->origin,
      .origin_logs = execution->answer->origin_logs,
      .loss_logs = execution->answer->loss_logs,
      .exact_logs = execution->answer->exact_logs,
  };
  program.entry = (void (*)(void))(uintptr_t)assay_code_address(execution->image, ASSAY_TAIL_ENTRY);
  if (is_sampled(request)) {
    program.rounding_seed = assay_code_address(execution->image, ASSAY_ROUNDING_SEED);
    program.rounding_amplitude = assay_code_address(execution->image, ASSAY_ROUNDING_AMPLITUDE);
  }
  execution->answer->amplitude = execution->amplitude;
  assay_tail_answer *answer = execution->answer;
  program.seconds = may_be_long(execution) ? LONG_RUN : request->run_seconds;
  TRY(assay_program_run(&program, request->runs, request->run_count, request->at_once,
                        execution->shared, answer->outcomes, &answer->pulse, err));
  for (int i = 0; i < request->run_count; i++)
    if (answer->outcomes[i].status == ASSAY_TAIL_LATE && may_be_long(execution)) {
      optimise(execution);
      return again(execution, err);
    }
  return ASSAY_OK;
}

static assay_code run_or_reuse(tail_job *execution, assay_error *err) {
  const assay_tail_request *request = execution->request;
  assay_tail_outcome *outcomes = execution->answer->outcomes;
  if (request->reuse == NULL)
    return run_all(execution, err);
  const assay_reuse_key key =
      assay_reuse_key_of(assay_code_hash(execution->image), &execution->border, request);
  if (assay_reuse_find(request->reuse, &key, request->run_count, outcomes))
    return ASSAY_OK;
  TRY(run_all(execution, err));
  if (execution->request == request) // else it was compiled again
    assay_reuse_keep(request->reuse, &key, request->run_count, outcomes);
  return ASSAY_OK;
}

// MLIR's messages hold pieces of IR of many lines, and a reason is part of one line.
static const char *in_one_line(char *text) {
  char *end = text;
  for (const char *at = text; *at != '\0'; at++) {
    bool blank = strchr(" \t\r\n", *at) != NULL;
    if (blank && (end == text || end[-1] == ' '))
      continue;
    *end++ = blank ? ' ' : *at;
  }
  *end = '\0';
  return text;
}

static assay_code execute(tail_job *execution, assay_error *err) {
  const assay_tail_request *request = execution->request;
  assay_tail_answer *answer = execution->answer;
  answer->reason = answer->left = answer->uninstrumented = answer->stand_ins = "";
  size_t count = (size_t)request->run_count;
  answer->outcomes = assay_shared_take(execution->shared, count * sizeof *answer->outcomes);
  if (answer->outcomes == NULL)
    return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
  for (size_t i = 0; i < count; i++)
    answer->outcomes[i].reason = answer->outcomes[i].violation = "";
  assay_error why;
  assay_code code = prepare(execution, &why);
  if (code == ASSAY_OK) {
    answer->status = ASSAY_TAIL_RAN;
    TRY(run_or_reuse(execution, err));
  } else {
    answer->status = ASSAY_TAIL_NOT_RUN;
    char text[sizeof why.where + sizeof why.text + 2];
    snprintf(text, sizeof text, "%s%s%s", why.where, why.where[0] != '\0' ? ": " : "", why.text);
    TRY(share_text(execution, in_one_line(text), &answer->reason, err));
  }
  answer->ready = true;
  return ASSAY_OK;
}

assay_code assay_tail_execute(const assay_tail_request *request, assay_shared *shared,
                              assay_tail_answer *answer, assay_error *err) {
  tail_job execution = {
      .request = request, .shared = shared, .answer = answer, .arena = assay_arena_create()};
  assay_code code = execute(&execution, err);
  assay_code_unlink(execution.image);
  if (!mlirModuleIsNull(execution.module))
    mlirModuleDestroy(execution.module);
  assay_arena_destroy(execution.arena);
  return code;
}

static assay_code give_arguments(const assay_tail_request *request, int data, assay_shared *shared,
                                 assay_arena *arena, assay_observation *out_arguments,
                                 assay_error *err) {
  assay_signature user;
  assay_argument *arguments;
  TRY(assay_signature_parse(request->context, request->input_type, arena, &user, err));
  TRY(assay_arguments_plan(request, &user, arena, &arguments, err));
  assay_observed *items = assay_shared_take(shared, (size_t)user.input_count * sizeof *items);
  for (int k = 0; items != NULL && k < user.input_count; k++) {
    const assay_argument *argument = &arguments[k];
    int pitch = assay_value_pitch(&argument->type);
    items[k] = (assay_observed){.kind = ASSAY_OBSERVED_ARGUMENT,
                                .index = k,
                                .element = argument->type.element,
                                .bytes = argument->type.bytes,
                                .rank = argument->type.rank,
                                .count = argument->count};
    memcpy(items[k].dim, argument->dim, sizeof items[k].dim);
    items[k].data = assay_shared_take(shared, (size_t)(argument->count * pitch));
    if (items[k].data == NULL)
      return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
    for (int64_t i = 0; i < argument->count; i++)
      assay_argument_element(argument, k, data, request->data_seed, i,
                             (char *)items[k].data + i * pitch);
    if (argument->type.is_complex) {
      items[k].dim[items[k].rank++] = 2;
      items[k].count *= 2;
    }
  }
  if (items == NULL)
    return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
  *out_arguments = (assay_observation){user.input_count, items};
  return ASSAY_OK;
}

assay_code assay_tail_arguments(const assay_tail_request *request, int data, assay_shared *shared,
                                assay_observation *out_arguments, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  assay_code code = give_arguments(request, data, shared, arena, out_arguments, err);
  assay_arena_destroy(arena);
  return code;
}
