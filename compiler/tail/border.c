// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/border.h"

#include "compiler/base/text.h"
#include "compiler/ir/diagnostics.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>

// Whether a value that the user knows as one type can be held by the other.
static bool fits(const assay_value_type *user, const assay_value_type *state) {
  if (user->element != state->element || user->bits != state->bits ||
      user->is_complex != state->is_complex)
    return false;
  if (!user->has_rank || !state->has_rank)
    return true;
  if (user->rank != state->rank)
    return false;
  for (int i = 0; i < user->rank; i++)
    if (user->dim[i] >= 0 && state->dim[i] >= 0 && user->dim[i] != state->dim[i])
      return false;
  return true;
}

static bool same_form(const assay_value_type *user, const assay_value_type *state) {
  return user->form == state->form ||
         (assay_value_has_memory(user) && assay_value_has_memory(state));
}

static assay_code changed(const char *what, int i, const assay_value_type *user, MlirType state,
                          assay_error *err) {
  assay_excerpt from = {.length = 0}, to = {.length = 0};
  mlirTypePrint(user->type, assay_excerpt_append, &from);
  mlirTypePrint(state, assay_excerpt_append, &to);
  return assay_fail(err, ASSAY_UNSUPPORTED, "%s %d of the entry was %s and is now %s", what, i,
                    from.text, to.text);
}

static assay_code match_arguments(const assay_border *border, assay_error *err) {
  if (border->state.input_count < border->user_count)
    return assay_fail(err, ASSAY_UNSUPPORTED, "the entry had %d parameters and has %d now",
                      border->user_count, border->state.input_count);
  for (int i = 0; i < border->user_count; i++) {
    assay_value_type state;
    const assay_value_type *user = &border->arguments[i].type;
    MlirType type = border->state.inputs[i];
    TRY(assay_value_type_read(type, &state, err));
    if (!same_form(user, &state) || !fits(user, &state))
      return changed("parameter", i, user, type, err);
  }
  return ASSAY_OK;
}

// The sizes that a baseline showed for result i.
static const int64_t *baseline_sizes(const assay_tail_request *request, int result, int rank) {
  const assay_observation *seen = request->baseline;
  for (int i = 0; seen != NULL && i < seen->count; i++)
    if (seen->items[i].kind == ASSAY_OBSERVED_RESULT && seen->items[i].index == result &&
        seen->items[i].rank >= rank)
      return seen->items[i].dim;
  return NULL;
}

// Finds the only argument whose memory could be that of a result that has gone.
static assay_code match_dropped(assay_border *border, int i, const assay_value_type *user,
                                assay_error *err) {
  int found = -1, count = 0;
  border->is_lossy = !assay_value_has_memory(user);
  for (int k = 0; k < border->user_count; k++)
    if (assay_value_has_memory(&border->arguments[k].type) &&
        fits(user, &border->arguments[k].type)) {
      found = k;
      count++;
    }
  if (count != 1)
    return assay_fail(err, ASSAY_UNSUPPORTED, "result %d of the entry is gone", i);
  border->results[i] = (assay_result){.type = border->arguments[found].type, .argument = found};
  return ASSAY_OK;
}

typedef struct progress {
  int returned; // results of the state that are taken
  int added;    // added arguments that are taken
} progress;

static assay_code match_result(const assay_tail_request *request, const assay_signature *user,
                               int i, progress *at, assay_border *border, assay_error *err) {
  assay_value_type type, state;
  TRY(assay_value_type_read(user->results[i], &type, err));
  int left = border->state.result_count - at->returned;
  int added = border->state.input_count - border->user_count - at->added;
  bool must_return = !assay_value_has_memory(&type) || added == 0;
  if (left > 0 && (must_return || left >= user->result_count - i)) {
    MlirType now = border->state.results[at->returned];
    TRY(assay_value_type_read(now, &state, err));
    if (same_form(&type, &state) && fits(&type, &state)) {
      border->results[i] =
          (assay_result){.type = state, .argument = -1, .returned = at->returned++};
      return ASSAY_OK;
    }
    if (left >= user->result_count - i)
      return changed("result", i, &type, now, err);
  }
  if (assay_value_has_memory(&type) && added > 0) {
    int number = border->user_count + at->added++;
    MlirType now = border->state.inputs[number];
    assay_argument *argument = &border->arguments[number];
    TRY(assay_argument_plan_output(now, baseline_sizes(request, i, type.rank), argument, err));
    if (!fits(&type, &argument->type))
      return changed("result", i, &type, now, err);
    border->results[i] = (assay_result){.type = argument->type, .argument = number};
    return ASSAY_OK;
  }
  return match_dropped(border, i, &type, err);
}

assay_code assay_border_match(const assay_tail_request *request, const assay_signature *user,
                              const assay_signature *state, assay_arena *arena,
                              assay_border *out_border, assay_error *err) {
  assay_argument *arguments;
  TRY(assay_arguments_plan(request, user, arena, &arguments, err));
  *out_border = (assay_border){
      .user_count = user->input_count,
      .argument_count = state->input_count,
      .result_count = user->result_count,
      .state = *state,
      .arguments = assay_arena_take(arena, (size_t)state->input_count + 1, sizeof *arguments),
      .results =
          assay_arena_take(arena, (size_t)user->result_count + 1, sizeof *out_border->results),
  };
  for (int i = 0; i < user->input_count && i < state->input_count; i++)
    out_border->arguments[i] = arguments[i];
  TRY(match_arguments(out_border, err));
  progress at = {0};
  for (int i = 0; i < user->result_count; i++)
    TRY(match_result(request, user, i, &at, out_border, err));
  if (at.added < state->input_count - user->input_count || at.returned < state->result_count)
    return assay_fail(err, ASSAY_UNSUPPORTED, "the entry has parameters or results that are new");
  return ASSAY_OK;
}

static void append_piece(MlirStringRef piece, void *text) {
  assay_text_append(text, piece.data, piece.length);
}

const char *assay_border_type_text(MlirType type, assay_arena *arena) {
  assay_text text = {.arena = arena};
  mlirTypePrint(type, append_piece, &text);
  return assay_text_get(&text);
}

static bool is_named(MlirOperation operation, const char *name) {
  MlirAttribute symbol =
      mlirOperationGetAttributeByName(operation, mlirSymbolTableGetSymbolAttributeName());
  return mlirStringRefEqual(mlirStringAttrGetValue(symbol), mlirStringRefCreateFromCString(name));
}

assay_code assay_border_append(MlirModule module, const char *text, const char *entry,
                               assay_error *err) {
  MlirContext context = mlirOperationGetContext(mlirModuleGetOperation(module));
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  MlirModule added = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assay_diagnostics_close(&diagnostics);
  if (mlirModuleIsNull(added))
    return assay_diagnostics_fail(&diagnostics, "the call of the entry", err);
  MlirBlock from = mlirModuleGetBody(added), to = mlirModuleGetBody(module);
  MlirOperation next, at = mlirBlockGetFirstOperation(from);
  for (; !mlirOperationIsNull(at); at = next) {
    next = mlirOperationGetNextInBlock(at);
    if (is_named(at, entry))
      continue;
    mlirOperationRemoveFromParent(at);
    mlirBlockAppendOwnedOperation(to, at);
  }
  mlirModuleDestroy(added);
  return ASSAY_OK;
}
