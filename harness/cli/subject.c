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

// text: what was given, or NULL where that was several things.
static assay_code fail_several(const assay_session *session, const char *text,
                               const assay_cases *cases, assay_error *err) {
  enum { SHOWN = 3 };
  assay_text names = {.arena = session->arena};
  for (size_t i = 0; i < cases->count && i < SHOWN; i++)
    assay_text_print(&names, "%s'%s'", i > 0 ? ", " : "", cases->items[i].line);
  const char *more = cases->count > SHOWN ? ", ..." : "";
  if (text == NULL)
    return assay_fail(err, ASSAY_INVALID, "%zu cases are selected, show takes one: %s%s",
                      cases->count, assay_text_get(&names), more);
  return assay_fail(err, ASSAY_INVALID, "'%s' selects %zu cases, show takes one: %s%s", text,
                    cases->count, assay_text_get(&names), more);
}

// What the command line says of the case.
typedef struct request {
  const char *text; // the argument, or the line of --case; NULL where there is neither
  bool of_option;   // it is the line of --case, and so no filter
  const char *key;  // the text, or else the only including filter: it may tell data and backend
} request;

static assay_code make_request(const assay_session *session, request *out_request,
                               assay_error *err) {
  const assay_options *options = session->options;
  size_t given = options->arguments.count + options->cases.count, includes = 0;
  *out_request = (request){0};
  if (given > 1)
    return assay_fail(err, ASSAY_INVALID, "show takes one case, found %zu", given);
  if (given + options->suites.count + options->filters.count == 0)
    return assay_fail(err, ASSAY_INVALID,
                      "show takes one case, in quotes: assay show 'matmul m=3 k=5 n=7'");
  out_request->of_option = options->cases.count == 1;
  if (given == 1)
    out_request->text =
        out_request->of_option ? options->cases.items[0] : options->arguments.items[0];
  out_request->key = out_request->text;
  for (size_t i = 0; i < options->filters.count && given == 0; i++)
    if (options->filters.items[i][0] != '!')
      out_request->key = ++includes == 1 ? options->filters.items[i] : NULL;
  return ASSAY_OK;
}

// The cases that a text names: those of a line that parses, in a file or not; else, but for --case,
// those of the suite that it selects as a filter.
static assay_code name_cases(const assay_session *session, const request *asked, const char *line,
                             const assay_cases *suite, assay_cases *out_named, assay_error *err) {
  assay_cases parsed = {0};
  assay_error why;
  *out_named = (assay_cases){0};
  const char *place = asked->of_option ? "--case" : "CASE";
  assay_code code = assay_cases_parse_line(session->arena, place, 0, line, &parsed, &why);
  for (size_t i = 0; i < parsed.count && code == ASSAY_OK; i++) {
    const assay_case *stored = assay_cases_find(suite, parsed.items[i].line);
    assay_cases_add(session->arena, out_named, stored != NULL ? stored : &parsed.items[i]);
  }
  assay_filter filter = {.patterns = &line, .count = 1};
  for (size_t i = 0; i < suite->count && code != ASSAY_OK && !asked->of_option; i++)
    if (assay_filter_selects(&filter, suite->items[i].line, NULL, NULL))
      assay_cases_add(session->arena, out_named, &suite->items[i]);
  if (out_named->count > 0)
    return ASSAY_OK;
  if (code == ASSAY_OK)
    return assay_fail(err, ASSAY_INVALID, "the case is empty");
  *err = why;
  return code;
}

static assay_code find_case(const assay_session *session, const request *asked, const char *line,
                            assay_case *out_case, assay_error *err) {
  assay_options options = *session->options;
  assay_session narrowed = *session;
  assay_cases suite, named, selected;
  options.cases = (assay_names){0};
  narrowed.options = &options;
  TRY(assay_selection_load(&narrowed, "standard", &suite, err));
  if (asked->text != NULL)
    TRY(name_cases(session, asked, line, &suite, &named, err));
  else
    named = suite;
  TRY(assay_selection_cases(&narrowed, &named, &selected, err));
  if (selected.count > 1)
    return fail_several(session, asked->text, &selected, err);
  *out_case = selected.items[0];
  return ASSAY_OK;
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
    return assay_backend_need(session, given->items[0], out_backend, err);
  if (parts->backend != NULL && strcmp(parts->backend, "none") != 0)
    return assay_backend_need(session, parts->backend, out_backend, err);
  return ASSAY_OK;
}

assay_code assay_subject_find(const assay_session *session, assay_subject *out_subject,
                              assay_error *err) {
  request asked;
  TRY(make_request(session, &asked, err));
  key_parts parts = {0};
  if (asked.key != NULL)
    parts = take_apart(session->arena, asked.key);
  // A filter may stand for several data sets or backends, and then names none.
  if (asked.text == NULL && parts.data != NULL && strpbrk(parts.data, ",*?[") != NULL)
    parts.data = NULL;
  if (asked.text == NULL && parts.backend != NULL && strpbrk(parts.backend, ",*?[") != NULL)
    parts.backend = NULL;
  const assay_case *a_case = &out_subject->a_case;
  TRY(find_case(session, &asked, parts.line, &out_subject->a_case, err));
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
