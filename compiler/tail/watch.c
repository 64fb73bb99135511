// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/watch.h"

static assay_code no_room(assay_error *err) {
  return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
}

assay_origin_kind assay_watch_kind(const assay_tail_request *request) {
  switch (request->instrument) {
  case ASSAY_INSTRUMENT_NAN:
  case ASSAY_INSTRUMENT_NAN_EXACTLY:
    return ASSAY_ORIGIN_NAN;
  case ASSAY_INSTRUMENT_INF:
  case ASSAY_INSTRUMENT_INF_EXACTLY:
    return ASSAY_ORIGIN_INF;
  case ASSAY_INSTRUMENT_LOSS:
    return ASSAY_ORIGIN_LOSS;
  case ASSAY_INSTRUMENT_NONE:
  case ASSAY_INSTRUMENT_ROUNDING:
    break;
  }
  return ASSAY_ORIGIN_NONE;
}

static bool is_exact(const assay_tail_request *request) {
  return request->instrument >= ASSAY_INSTRUMENT_NAN_EXACTLY;
}

assay_code assay_watch_prepare(const assay_tail_request *request, assay_shared *shared,
                               assay_tail_answer *answer, MlirModule module, assay_error *err) {
  if (assay_watch_kind(request) == ASSAY_ORIGIN_NONE)
    return ASSAY_OK;
  size_t count = (size_t)request->run_count;
  answer->origin = assay_shared_take(shared, sizeof *answer->origin);
  answer->origin_logs = assay_shared_take(shared, count * sizeof *answer->origin_logs);
  answer->exact_logs =
      is_exact(request) ? assay_shared_take(shared, count * sizeof *answer->exact_logs) : NULL;
  if (answer->origin == NULL || answer->origin_logs == NULL ||
      (is_exact(request) && answer->exact_logs == NULL))
    return no_room(err);
  return assay_origin_prepare(module, assay_watch_kind(request), shared, answer->origin, err);
}

static assay_code take_loss_logs(int count, assay_shared *shared, assay_tail_answer *answer,
                                 assay_error *err) {
  answer->loss_logs = assay_shared_take(shared, (size_t)count * sizeof(assay_loss_log *));
  if (answer->loss_logs == NULL)
    return no_room(err);
  for (int i = 0; i < count; i++) {
    answer->loss_logs[i] = assay_shared_take(shared, sizeof *answer->loss_logs[i]);
    if (answer->loss_logs[i] == NULL)
      return no_room(err);
  }
  return ASSAY_OK;
}

// The program whose operations are named is read again: the tail has lowered the other one.
assay_code assay_watch_instrument(const assay_tail_request *request, assay_shared *shared,
                                  assay_tail_answer *answer, MlirModule module, assay_error *err) {
  const assay_snapshot *source = request->source != NULL ? request->source : request->state;
  assay_origin_kind kind = assay_watch_kind(request);
  MlirModule names;
  TRY(assay_snapshot_read(source, request->context, &names, err));
  assay_code code =
      kind == ASSAY_ORIGIN_LOSS ? assay_loss_instrument(module, names, shared, answer->origin, err)
      : is_exact(request) ? assay_exact_instrument(module, kind, names, shared, answer->origin, err)
                          : assay_origin_instrument(module, kind, request->optimise, names, shared,
                                                    answer->origin, err);
  mlirModuleDestroy(names);
  TRY(code);
  return kind == ASSAY_ORIGIN_LOSS ? take_loss_logs(request->run_count, shared, answer, err)
                                   : ASSAY_OK;
}

const assay_record_symbol *assay_watch_symbols(const assay_tail_request *request,
                                               assay_arena *arena) {
  const assay_loss_symbol *from = is_exact(request) ? assay_exact_symbols() : assay_loss_symbols();
  bool shadowed = request->instrument >= ASSAY_INSTRUMENT_LOSS;
  size_t count = 0;
  while (shadowed && from[count].name != NULL)
    count++;
  assay_record_symbol *symbols = assay_arena_take(arena, count + 2, sizeof *symbols);
  for (size_t i = 0; i < count; i++)
    symbols[i] = (assay_record_symbol){from[i].name, from[i].address};
  symbols[count] = (assay_record_symbol){ASSAY_ORIGIN_SYMBOL, (void (*)(void))assay_origin_look};
  symbols[count + 1] = (assay_record_symbol){NULL, NULL};
  return symbols;
}

void assay_watch_begin(const assay_program *program, int run) {
  if (program->origin_kind == ASSAY_ORIGIN_LOSS)
    assay_loss_begin(program->origin, program->loss_logs[run]);
  else if (program->exact_logs != NULL)
    assay_exact_begin(program->origin_kind, program->origin, &program->exact_logs[run]);
  else if (program->origin_kind != ASSAY_ORIGIN_NONE)
    assay_origin_begin(program->origin_kind, program->origin, &program->origin_logs[run]);
}

void assay_watch_argument(const assay_program *program, const assay_argument *argument, int number,
                          unsigned char *memory) {
  assay_origin_kind kind = program->origin_kind;
  int pitch = assay_value_pitch(&argument->type), parts = argument->type.is_complex ? 2 : 1;
  bool is_asked = kind == ASSAY_ORIGIN_NAN || kind == ASSAY_ORIGIN_INF;
  assay_origin_format format = assay_element_format(argument->type.element);
  for (int64_t i = 0; is_asked && i < argument->count && !argument->is_output; i++) {
    unsigned char *at = memory + assay_argument_place(argument, i) * pitch;
    if (program->exact_logs != NULL)
      assay_exact_mark(number, format, at, parts);
    else
      assay_origin_mark(number, format, at, parts);
  }
}
