// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/case.h"

#include "compiler/base/text.h"
#include "harness/case/param.h"

#include <inttypes.h>
#include <string.h>

// What one key of the line may be: a list with at least one value, or the value of an earlier key.
typedef struct values {
  assay_param *items;
  size_t count;
  int like; // the earlier key's number, or -1
} values;

// A line on its way to cases.
typedef struct case_parser {
  assay_arena *arena;
  assay_line line;
  const assay_suite_op *op;
  values value[ASSAY_MAX_KEYS];
  const char *xfail, *rejects;
} case_parser;

static char *copy(const case_parser *parser, assay_word word) {
  return assay_arena_bytes(parser->arena, word.start, word.length);
}

static int find_key(const assay_suite_op *op, assay_word name) {
  for (int i = 0; op->keys[i].name != NULL; i++)
    if (assay_word_is(name, op->keys[i].name))
      return i;
  return -1;
}

// A comma list.
static assay_code parse_values(const case_parser *parser, const assay_key *key, assay_word list,
                               values *out_values, assay_error *err) {
  size_t count = 1;
  for (size_t i = 0; i < list.length; i++)
    count += list.start[i] == ',';
  *out_values = (values){.count = count, .like = -1};
  out_values->items = assay_arena_take(parser->arena, count, sizeof *out_values->items);
  const char *at = list.start, *end = list.start + list.length;
  for (size_t i = 0; i < count; i++) {
    const char *comma = memchr(at, ',', (size_t)(end - at));
    assay_word item = {.start = at, .length = (size_t)((comma != NULL ? comma : end) - at)};
    TRY(assay_param_parse(parser->arena, &parser->line, parser->op->name, key, item,
                          &out_values->items[i], err));
    at += item.length + 1;
  }
  return ASSAY_OK;
}

static assay_code fail_unknown_key(const case_parser *parser, assay_word name, assay_error *err) {
  const char *keys[ASSAY_MAX_KEYS];
  size_t count = 0;
  while (parser->op->keys[count].name != NULL) {
    keys[count] = parser->op->keys[count].name;
    count++;
  }
  const char *text = copy(parser, name);
  bool of_record = assay_word_is(name, "data") || assay_word_is(name, "backend");
  if (of_record)
    return assay_line_fail(err, &parser->line, name.start,
                           "'%s' belongs to a record's key, not to a case: choose it with --%s",
                           text, text);
  return assay_line_fail(err, &parser->line, name.start, "%s has no key '%s'; %s", parser->op->name,
                         text, assay_word_suggest(parser->arena, text, keys, count));
}

// xfail="REASON" or rejects="MESSAGE".
static assay_code parse_annotation(const case_parser *parser, assay_word name, assay_word text,
                                   const char **annotation, assay_error *err) {
  const char *shown = copy(parser, name);
  if (*annotation != NULL)
    return assay_line_fail(err, &parser->line, name.start, "'%s' is given twice", shown);
  *annotation = assay_word_unquote(parser->arena, text);
  if (*annotation == NULL)
    return assay_line_fail(err, &parser->line, text.start,
                           "'%s' needs a text in double quotes, and nothing after it", shown);
  return ASSAY_OK;
}

// KEY=VALUES or an annotation.
static assay_code parse_word(case_parser *parser, assay_word word, assay_error *err) {
  const char *equals = memchr(word.start, '=', word.length);
  if (equals == NULL)
    return assay_line_fail(err, &parser->line, word.start, "expected KEY=VALUE, found '%s'",
                           copy(parser, word));
  assay_word name = {.start = word.start, .length = (size_t)(equals - word.start)};
  assay_word value = {.start = equals + 1, .length = word.length - name.length - 1};
  if (assay_word_is(name, "xfail"))
    return parse_annotation(parser, name, value, &parser->xfail, err);
  if (assay_word_is(name, "rejects"))
    return parse_annotation(parser, name, value, &parser->rejects, err);
  if (parser->xfail != NULL || parser->rejects != NULL)
    return assay_line_fail(err, &parser->line, word.start,
                           "'%s' after an annotation: xfail=\"...\" and rejects=\"...\" end a line",
                           copy(parser, word));
  int key = find_key(parser->op, name);
  if (key < 0)
    return fail_unknown_key(parser, name, err);
  if (parser->value[key].count > 0)
    return assay_line_fail(err, &parser->line, word.start, "key '%s' is given twice",
                           parser->op->keys[key].name);
  return parse_values(parser, &parser->op->keys[key], value, &parser->value[key], err);
}

// Fills in what the line leaves out. start: the op's word, where a missing key is reported.
static assay_code complete(case_parser *parser, const char *start, assay_error *err) {
  const assay_suite_op *op = parser->op;
  for (int i = 0; op->keys[i].name != NULL; i++) {
    if (parser->value[i].count > 0)
      continue;
    const char *preset = op->keys[i].preset;
    if (preset == NULL)
      return assay_line_fail(err, &parser->line, start, "%s needs the key '%s'", op->name,
                             op->keys[i].name);
    assay_word word = {.start = preset, .length = strlen(preset)};
    const assay_word other = {.start = preset + 1, .length = word.length - 1};
    int like = preset[0] == '=' ? find_key(op, other) : -1;
    if (like >= 0)
      parser->value[i] = (values){.items = parser->value[like].items, .count = 1, .like = like};
    else
      TRY(parse_values(parser, &op->keys[i], word, &parser->value[i], err));
  }
  if (parser->rejects != NULL && !op->rejected)
    return assay_line_fail(err, &parser->line, start,
                           "rejects=\"...\" is for ops whose programs are rejected; %s is none",
                           op->name);
  if (parser->rejects == NULL && op->rejected && parser->line.number > 0)
    return assay_line_fail(err, &parser->line, start,
                           "%s needs the message it is rejected with: rejects=\"...\"", op->name);
  return ASSAY_OK;
}

// Whether the canonical line leaves out a key: a CHOICE that has the default which is implied.
static bool is_left_out(const assay_key *key, const assay_param *value) {
  return key->implied && strcmp(value->choice, key->preset) == 0;
}

// "matmul m=3 k=5 n=7 dtype=f32 ...".
static const char *print_line(assay_arena *arena, const assay_params *params) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "%s", params->op->name);
  for (int i = 0; params->op->keys[i].name != NULL; i++) {
    const assay_param *value = &params->value[i];
    if (is_left_out(&params->op->keys[i], value))
      continue;
    assay_text_print(&text, " %s=", params->op->keys[i].name);
    switch (params->op->keys[i].kind) {
    case ASSAY_KEY_SIZE:
      assay_text_print(&text, "%" PRId64, value->size);
      break;
    case ASSAY_KEY_DTYPE:
      assay_text_print(&text, "%s", assay_dtype_get(value->dtype)->name);
      break;
    case ASSAY_KEY_CHOICE:
      assay_text_print(&text, "%s", value->choice);
      break;
    case ASSAY_KEY_DIMS:
      assay_text_print(&text, "%s", assay_shape_print(&value->dims).text);
      break;
    }
  }
  return assay_text_get(&text);
}

// Multiplies the lists out; the last key changes fastest.
static assay_code expand(const case_parser *parser, const char *start, assay_cases *cases,
                         assay_error *err) {
  const assay_suite_op *op = parser->op;
  int key_count = 0;
  size_t total = 1;
  for (; op->keys[key_count].name != NULL; key_count++) {
    total *= parser->value[key_count].count;
    if (total > ASSAY_MAX_LINE_CASES)
      return assay_line_fail(err, &parser->line, start, "the line stands for more than %d cases",
                             ASSAY_MAX_LINE_CASES);
  }
  assay_case a_case = {
      .op = op, .params.op = op, .xfail = parser->xfail, .rejects = parser->rejects};
  a_case.origin =
      parser->line.number > 0
          ? assay_arena_format(parser->arena, "%s:%d", parser->line.file, parser->line.number)
          : assay_arena_string(parser->arena, parser->line.file);
  for (size_t number = 0; number < total; number++) {
    size_t rest = number;
    for (int i = key_count - 1; i >= 0; i--) {
      a_case.params.value[i] = parser->value[i].items[rest % parser->value[i].count];
      rest /= parser->value[i].count;
    }
    for (int i = 0; i < key_count; i++)
      if (parser->value[i].like >= 0)
        a_case.params.value[i] = a_case.params.value[parser->value[i].like];
    a_case.line = print_line(parser->arena, &a_case.params);
    const assay_case *before = assay_cases_find(cases, a_case.line);
    if (before != NULL && !assay_case_expects_same(before, &a_case))
      return assay_line_fail(err, &parser->line, start,
                             "the case '%s' was given before, at %s, with other annotations",
                             a_case.line, before->origin);
    assay_cases_add(parser->arena, cases, &a_case);
  }
  return ASSAY_OK;
}

// Appends the cases of a line; a line without words has none.
static assay_code parse_line(assay_arena *arena, const char *file, int number, const char *text,
                             size_t length, assay_cases *cases, assay_error *err) {
  case_parser parser = {.arena = arena};
  TRY(assay_line_open(file, number, text, length, &parser.line, err));
  const char *cursor = parser.line.start;
  assay_word op = assay_word_next(&cursor, parser.line.end);
  if (op.length == 0)
    return ASSAY_OK;
  TRY(assay_op_parse(arena, &parser.line, op, &parser.op, err));
  for (;;) {
    assay_word word = assay_word_next(&cursor, parser.line.end);
    if (word.length == 0)
      break;
    TRY(parse_word(&parser, word, err));
  }
  TRY(complete(&parser, op.start, err));
  return expand(&parser, op.start, cases, err);
}

assay_code assay_cases_parse_line(assay_arena *arena, const char *file, int line_number,
                                  const char *line, assay_cases *cases, assay_error *err) {
  const char *cursor = line;
  assay_word op = assay_word_next(&cursor, line + strlen(line));
  if (op.length == 0 || op.start[0] == '#')
    return assay_fail_at(err, ASSAY_INVALID, file, line_number > 0 ? line_number : 1, 1,
                         "expected a case line such as 'matmul m=3 k=5 n=7', found none");
  return parse_line(arena, file, line_number, line, strlen(line), cases, err);
}

assay_code assay_cases_parse_file(assay_arena *arena, const assay_file *file, assay_cases *cases,
                                  assay_error *err) {
  static const char byte_order_mark[] = "\xef\xbb\xbf";
  size_t skipped = sizeof byte_order_mark - 1;
  bool marked = file->size >= skipped && memcmp(file->bytes, byte_order_mark, skipped) == 0;
  assay_lines lines = {.file = file, .offset = marked ? skipped : 0};
  while (assay_lines_next(&lines))
    TRY(parse_line(arena, file->path, lines.number, lines.start, lines.length, cases, err));
  return ASSAY_OK;
}
