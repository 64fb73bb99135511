// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/subject.h"
#include "compiler/base/text.h"
#include "harness/cli/machine.h"

#include <string.h>

// A key taken apart: "LINE data=int backend=blas".
typedef struct key_parts {
  const char *line, *data, *backend; // data, backend: NULL where there is none
} key_parts;

static key_parts take_apart(assay_arena *arena, const char *text) {
  assay_text line = {.arena = arena};
  key_parts parts = {0};
  while (*(text += strspn(text, " ")) != '\0') {
    size_t length = strcspn(text, " ");
    const char *word = assay_arena_bytes(arena, text, length);
    if (strncmp(word, "data=", 5) == 0)
      parts.data = word + 5;
    else if (strncmp(word, "backend=", 8) == 0)
      parts.backend = word + 8;
    else
      assay_text_print(&line, "%s%s", line.length > 0 ? " " : "", word);
    text += length;
  }
  parts.line = assay_text_get(&line);
  return parts;
}

static assay_code fail_several(const assay_session *session, const char *text,
                               const assay_cases *cases, assay_error *err) {
  enum { SHOWN = 3 };
  assay_text names = {.arena = session->arena};
  for (size_t i = 0; i < cases->count && i < SHOWN; i++)
    assay_text_print(&names, "%s'%s'", i > 0 ? ", " : "", cases->items[i].line);
  return assay_fail(err, ASSAY_INVALID, "'%s' selects %zu cases, show takes one: %s%s", text,
                    cases->count, assay_text_get(&names), cases->count > SHOWN ? ", ..." : "");
}

// A line that parses is a case, in a file or not; anything else is a filter over the default suite.
static assay_code find_case(const assay_session *session, const char *text, assay_case *out_case,
                            assay_error *err) {
  assay_cases standard = {0}, selected = {0}, parsed = {0};
  assay_error why;
  TRY(assay_suite_load(session->arena, session->root, "standard", &standard, err));
  assay_code code = assay_cases_parse_line(session->arena, "CASE", 0, text, &parsed, &why);
  if (code == ASSAY_OK && parsed.count == 1) {
    const assay_case *stored = assay_cases_find(&standard, parsed.items[0].line);
    *out_case = stored != NULL ? *stored : parsed.items[0];
    return ASSAY_OK;
  }
  assay_filter filter = {.patterns = &text, .count = 1};
  for (size_t i = 0; i < standard.count; i++)
    if (assay_filter_selects(&filter, standard.items[i].line, NULL, NULL))
      assay_cases_add(session->arena, &selected, &standard.items[i]);
  if (selected.count == 1) {
    *out_case = selected.items[0];
    return ASSAY_OK;
  }
  if (selected.count == 0 && code != ASSAY_OK) {
    *err = why;
    return code;
  }
  return fail_several(session, text, selected.count > 0 ? &selected : &parsed, err);
}

static assay_code choose_data(const assay_session *session, const key_parts *parts,
                              const char **out_data, assay_error *err) {
  assay_options options = *session->options;
  if (options.data.count > 1)
    return assay_fail(err, ASSAY_INVALID, "--data: show takes one data set");
  *out_data = "int";
  if (options.data.count == 0 && (parts->data == NULL || strcmp(parts->data, "none") == 0))
    return ASSAY_OK;
  const char *of_key = parts->data;
  if (options.data.count == 0)
    options.data = (assay_names){.items = &of_key, .count = 1};
  assay_session narrowed = *session;
  assay_names data;
  narrowed.options = &options;
  TRY(assay_selection_data(&narrowed, &data, err));
  *out_data = data.items[0];
  return ASSAY_OK;
}

static assay_code choose_backend(const assay_session *session, const key_parts *parts,
                                 const assay_backend **out_backend, assay_error *err) {
  const assay_names *given = &session->options->backends;
  *out_backend = NULL;
  if (given->count > 1)
    return assay_fail(err, ASSAY_INVALID, "--backend: show takes one backend");
  if (given->count == 1)
    return assay_backend_need(session->arena, given->items[0], out_backend, err);
  if (parts->backend != NULL && strcmp(parts->backend, "none") != 0)
    return assay_backend_need(session->arena, parts->backend, out_backend, err);
  return ASSAY_OK;
}

assay_code assay_subject_find(const assay_session *session, const char *text,
                              assay_subject *out_subject, assay_error *err) {
  key_parts parts = take_apart(session->arena, text);
  const assay_case *a_case = &out_subject->a_case;
  TRY(find_case(session, parts.line, &out_subject->a_case, err));
  TRY(choose_data(session, &parts, &out_subject->data, err));
  TRY(choose_backend(session, &parts, &out_subject->backend, err));
  assay_error why;
  out_subject->rejection = NULL;
  assay_code code = assay_case_build(session->arena, a_case, &out_subject->program, &why);
  if (code == ASSAY_OK)
    return ASSAY_OK;
  if (!a_case->op->rejected) {
    *err = why;
    return code;
  }
  out_subject->program = NULL;
  out_subject->rejection = assay_arena_string(session->arena, why.text);
  return ASSAY_OK;
}
