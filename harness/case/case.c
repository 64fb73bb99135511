// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/case.h"

#include "compiler/base/text.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

// The slot of the case with that line, or the free one where it belongs. At least half of them are
// free.
static uint32_t *slot_of(const assay_cases *cases, const char *line) {
  size_t slot = assay_hash_string(line) % cases->slot_count;
  while (cases->slots[slot] != 0 && strcmp(cases->items[cases->slots[slot] - 1].line, line) != 0)
    slot = (slot + 1) % cases->slot_count;
  return &cases->slots[slot];
}

static void grow(assay_arena *arena, assay_cases *cases) {
  size_t capacity = cases->capacity > 0 ? 2 * cases->capacity : 64;
  assay_case *items = assay_arena_take(arena, capacity, sizeof *items);
  if (cases->count > 0)
    memcpy(items, cases->items, cases->count * sizeof *items);
  cases->items = items;
  cases->capacity = capacity;
  cases->slot_count = 2 * capacity;
  cases->slots = assay_arena_take(arena, cases->slot_count, sizeof *cases->slots);
  for (size_t i = 0; i < cases->count; i++)
    *slot_of(cases, items[i].line) = (uint32_t)i + 1;
}

void assay_cases_add(assay_arena *arena, assay_cases *cases, const assay_case *a_case) {
  if (cases->count == cases->capacity)
    grow(arena, cases);
  uint32_t *slot = slot_of(cases, a_case->line);
  if (*slot != 0)
    return;
  cases->items[cases->count++] = *a_case;
  *slot = (uint32_t)cases->count;
}

const assay_case *assay_cases_find(const assay_cases *cases, const char *line) {
  if (cases->count == 0)
    return NULL;
  uint32_t number = *slot_of(cases, line);
  return number != 0 ? &cases->items[number - 1] : NULL;
}

// The elements that running the program takes memory for: its arguments and results.
static int64_t count_elements(const assay_program *program) {
  int64_t count = 0;
  for (int i = 0; i < program->input_count; i++)
    count += assay_shape_count(&program->nodes[program->inputs[i]].shape);
  for (int i = 0; i < program->result_count; i++)
    count += assay_shape_count(&program->nodes[program->results[i]].shape);
  return count;
}

static assay_code build(assay_arena *arena, const assay_case *a_case,
                        const assay_program **out_program, assay_error *err) {
  assay_graph *graph = assay_graph_create(arena);
  assay_value results[ASSAY_MAX_RESULTS];
  int result_count = a_case->op->build(&a_case->params, graph, results);
  TRY(assay_graph_finish(graph, result_count, results, out_program, err));
  int64_t count = count_elements(*out_program);
  if (count > ASSAY_MAX_CASE_ELEMENTS)
    return assay_fail(err, ASSAY_INVALID,
                      "%s: arguments and results have %" PRId64 " elements; at most %d",
                      a_case->line, count, ASSAY_MAX_CASE_ELEMENTS);
  return ASSAY_OK;
}

assay_code assay_case_build(assay_arena *arena, const assay_case *a_case,
                            const assay_program **out_program, assay_error *err) {
  assay_code code = build(arena, a_case, out_program, err);
  if (code != ASSAY_OK)
    snprintf(err->where, sizeof err->where, "%s", a_case->origin);
  return code;
}

static bool is_same_text(const char *a, const char *b) {
  return a == NULL || b == NULL ? a == b : strcmp(a, b) == 0;
}

bool assay_case_expects_same(const assay_case *a, const assay_case *b) {
  return is_same_text(a->xfail, b->xfail) && is_same_text(a->rejects, b->rejects);
}

// NAME="TEXT" as the parser of case lines reads it.
static void print_annotation(assay_text *text, const char *name, const char *value) {
  if (value == NULL)
    return;
  assay_text_print(text, " %s=\"", name);
  for (; *value != '\0'; value++) {
    if (*value == '"' || *value == '\\')
      assay_text_print(text, "\\");
    assay_text_append(text, value, 1);
  }
  assay_text_print(text, "\"");
}

const char *assay_case_annotated(assay_arena *arena, const assay_case *a_case) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%s", a_case->line);
  print_annotation(&text, "rejects", a_case->rejects);
  print_annotation(&text, "xfail", a_case->xfail);
  return assay_text_get(&text);
}

const char *assay_case_key(assay_arena *arena, const assay_case *a_case, const char *data,
                           const char *backend) {
  return assay_arena_format(arena, "%s data=%s backend=%s", a_case->line, data, backend);
}
