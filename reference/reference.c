// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference/reference.h"

#include "compiler/base/text.h"
#include "reference/oracle.h"
#include "reference/table.h"

#include <stdio.h>
#include <string.h>

static bool equal(const char *a, size_t a_length, const char *b, size_t b_length) {
  return a_length == b_length && memcmp(a, b, a_length) == 0;
}

// The slug holds the values in order, a number with its key before it; "plain" and a repetition of
// the value before are left out. reference/oracle/caseline.py has the same rule.
const char *assay_reference_path(assay_arena *arena, const char *op, const char *line) {
  assay_text path = {.arena = arena};
  assay_text_print(&path, "reference/store/%s/", op);
  const char *before = "";
  size_t before_length = 0;
  for (const char *token = strchr(line, ' '); token != NULL; token = strchr(token, ' ')) {
    token++;
    size_t length = strcspn(token, " ");
    const char *equals = memchr(token, '=', length);
    const char *value = equals != NULL ? equals + 1 : token + length;
    size_t value_length = (size_t)(token + length - value);
    if (value_length > 0 && strspn(value, "0123456789") >= value_length)
      assay_text_print(&path, "%.*s%.*s-", (int)(value - 1 - token), token, (int)value_length,
                       value);
    else if (!equal(value, value_length, "plain", 5) &&
             !equal(value, value_length, before, before_length))
      assay_text_print(&path, "%.*s-", (int)value_length, value);
    before = value;
    before_length = value_length;
  }
  assay_text_print(&path, "%016llx.npy", (unsigned long long)assay_hash_string(line));
  return assay_text_get(&path);
}

// Adds to a failure's message how the stored table is made anew.
static assay_code with_remedy(assay_code code, const char *line, assay_error *err) {
  size_t length = strlen(err->text);
  snprintf(err->text + length, sizeof err->text - length,
           "; make it with: assay references update --case '%s'", line);
  return code;
}

assay_code assay_reference_load(assay_arena *arena, const char *root,
                                const assay_reference_need *need,
                                const assay_reference **out_reference, assay_error *err) {
  const char *path =
      assay_arena_format(arena, "%s/%s", root, assay_reference_path(arena, need->op, need->line));
  assay_file file;
  size_t used;
  assay_reference *reference = assay_arena_take(arena, 1, sizeof *reference);
  assay_code code = assay_file_read(arena, path, &file, err);
  if (code == ASSAY_OK)
    code = assay_table_read(arena, &file, true, need, reference, &used, err);
  if (code != ASSAY_OK)
    return with_remedy(code, need->line, err);
  *out_reference = reference;
  return ASSAY_OK;
}

assay_code assay_reference_compute(assay_arena *arena, const char *root, size_t count,
                                   const assay_reference_need needs[],
                                   const assay_reference *out_references[],
                                   const char *out_refusals[], assay_error *err) {
  static const char *const arguments[] = {"compute", NULL};
  assay_text lines = {.arena = arena};
  for (size_t i = 0; i < count; i++)
    assay_text_print(&lines, "%s\n", needs[i].line);
  assay_oracle_answer answer;
  TRY(assay_oracle_run(arena, root, arguments, assay_text_get(&lines), lines.length,
                       ASSAY_CAPTURE_ALL, &answer, err));
  if (answer.status != 0)
    return assay_fail(err, ASSAY_FAILED, "the oracle failed with exit code %d: %s", answer.status,
                      answer.message);
  size_t offset = 0, used;
  for (size_t i = 0; i < count; i++) {
    assay_file table = {.path = assay_arena_format(arena, "oracle: %s", needs[i].line),
                        .bytes = answer.bytes + offset,
                        .size = answer.size - offset};
    out_references[i] = NULL;
    TRY(assay_table_refusal(arena, &table, &out_refusals[i], &used, err));
    if (out_refusals[i] == NULL) {
      assay_reference *reference = assay_arena_take(arena, 1, sizeof *reference);
      TRY(assay_table_read(arena, &table, false, &needs[i], reference, &used, err));
      out_references[i] = reference;
    }
    offset += used;
  }
  if (offset != answer.size)
    return assay_fail(err, ASSAY_FAILED, "the oracle wrote %zu bytes more than %zu tables take",
                      answer.size - offset, count);
  return ASSAY_OK;
}

assay_code assay_reference_get(const assay_reference *reference, const char *data, int result,
                               assay_expected *out_expected, assay_error *err) {
  int number = 0;
  while (number < ASSAY_DATA_SETS && strcmp(data, assay_table_data[number]) != 0)
    number++;
  const assay_table_section *section = NULL;
  if (number < ASSAY_DATA_SETS && result >= 0 && result < reference->need.result_count)
    section = &reference->section[number][result];
  if (section == NULL || section->count == 0)
    return with_remedy(assay_fail_at(err, ASSAY_MISSING, reference->path, 0, 0,
                                     "no expected values of result %d on data set %s", result,
                                     data),
                       reference->need.line, err);
  *out_expected = (assay_expected){.type = section->type,
                                   .whole = reference->whole,
                                   .sampled = section->sampled,
                                   .rows = reference->rows + section->start,
                                   .count = section->count};
  return ASSAY_OK;
}
