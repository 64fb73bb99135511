// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/pipeline_parse.h"

#include "compiler/base/text.h"

#include <assert.h>
#include <string.h>

static const char blanks[] = " \t";

typedef struct pipeline_parser {
  assay_arena *arena;
  const assay_file *file;
  assay_pipeline *pipeline;
  assay_text passes; // of the stage being read
  assay_error *err;
} pipeline_parser;

static const char *name_of(assay_arena *arena, const char *path) {
  static const char ending[] = ".pipeline";
  const char *slash = strrchr(path, '/');
  const char *name = slash != NULL ? slash + 1 : path;
  size_t length = strlen(name), cut = sizeof ending - 1;
  if (length > cut && strcmp(name + length - cut, ending) == 0)
    length -= cut;
  return assay_arena_bytes(arena, name, length);
}

static assay_code end_stage(pipeline_parser *parser) {
  if (parser->pipeline->stage_count == 0)
    return ASSAY_OK;
  int last = parser->pipeline->stage_count - 1;
  assert(last >= 0 && last < ASSAY_MAX_STAGES);
  const char *text = assay_text_get(&parser->passes);
  if (text[strspn(text, " \t\n")] == '\0')
    return assay_fail_at(parser->err, ASSAY_INVALID, parser->file->path,
                         parser->pipeline->stage[last].line, 0, "stage '%s' has no passes",
                         parser->pipeline->stage[last].name);
  parser->pipeline->stage[last].passes =
      assay_arena_format(parser->arena, "builtin.module(%s)", text);
  return ASSAY_OK;
}

static assay_code start_stage(pipeline_parser *parser, int line, const char *name) {
  TRY(end_stage(parser));
  assay_pipeline *pipeline = parser->pipeline;
  if (name[0] == '\0' || strpbrk(name, blanks) != NULL)
    return assay_fail_at(parser->err, ASSAY_INVALID, parser->file->path, line, 0,
                         "expected 'stage NAME'");
  for (int i = 0; i < pipeline->stage_count; i++)
    if (strcmp(pipeline->stage[i].name, name) == 0)
      return assay_fail_at(parser->err, ASSAY_INVALID, parser->file->path, line, 0,
                           "stage '%s' is there already, on line %d", name,
                           pipeline->stage[i].line);
  if (pipeline->stage_count == ASSAY_MAX_STAGES)
    return assay_fail_at(parser->err, ASSAY_INVALID, parser->file->path, line, 0,
                         "more than %d stages", ASSAY_MAX_STAGES);
  pipeline->stage[pipeline->stage_count].name = name;
  pipeline->stage[pipeline->stage_count].line = line;
  pipeline->stage_count++;
  parser->passes = (assay_text){.arena = parser->arena};
  return ASSAY_OK;
}

// The line without comment and surrounding blanks.
static const char *content(assay_arena *arena, const assay_lines *lines) {
  const char *comment = memchr(lines->start, '#', lines->length);
  size_t length = comment != NULL ? (size_t)(comment - lines->start) : lines->length;
  char *text = assay_arena_bytes(arena, lines->start, length);
  text += strspn(text, blanks);
  length = strlen(text);
  while (length > 0 && strchr(blanks, text[length - 1]) != NULL)
    text[--length] = '\0';
  return text;
}

// "nan-contract PASS = WORD", of which the rest behind the keyword is given.
static assay_code add_contract(pipeline_parser *parser, int line, const char *rest) {
  assay_pipeline *pipeline = parser->pipeline;
  size_t length = strcspn(rest, " \t=");
  const char *word = rest + length + strspn(rest + length, blanks);
  assay_nan_contract contract;
  if (length == 0 || *word != '=' ||
      !assay_nan_contract_parse(word + 1 + strspn(word + 1, blanks), &contract))
    return assay_fail_at(parser->err, ASSAY_INVALID, parser->file->path, line, 0,
                         "expected 'nan-contract PASS = error|planted|report|off'");
  if (pipeline->contract_count == ASSAY_MAX_CONTRACTS)
    return assay_fail_at(parser->err, ASSAY_INVALID, parser->file->path, line, 0,
                         "more than %d contracts", ASSAY_MAX_CONTRACTS);
  pipeline->contract[pipeline->contract_count++] = (assay_pass_contract){
      .pass = assay_arena_bytes(parser->arena, rest, length), .contract = contract};
  return ASSAY_OK;
}

// What stands behind the keyword at the start of the line; NULL where it starts otherwise.
static const char *behind(const char *text, const char *keyword) {
  size_t length = strlen(keyword);
  if (strncmp(text, keyword, length) != 0 ||
      (text[length] != '\0' && strchr(blanks, text[length]) == NULL))
    return NULL;
  return text + length + strspn(text + length, blanks);
}

static assay_code parse_line(pipeline_parser *parser, int number, const char *text) {
  const char *stage = behind(text, "stage"), *contract = behind(text, "nan-contract");
  if (stage != NULL)
    return start_stage(parser, number, stage);
  if (parser->pipeline->stage_count > 0) {
    // A line stays a line, so that MLIR's messages lead back to the file's.
    assay_text_print(&parser->passes, "\n%s", text);
    return ASSAY_OK;
  }
  if (text[0] == '\0')
    return ASSAY_OK;
  if (contract != NULL)
    return add_contract(parser, number, contract);
  return assay_fail_at(parser->err, ASSAY_INVALID, parser->file->path, number, 0,
                       "passes before the first 'stage NAME'");
}

assay_code assay_pipeline_parse(assay_arena *arena, const assay_file *file,
                                assay_pipeline *out_pipeline, assay_error *err) {
  *out_pipeline = (assay_pipeline){.name = name_of(arena, file->path)};
  pipeline_parser parser = {.arena = arena, .file = file, .pipeline = out_pipeline, .err = err};
  assay_lines lines = {.file = file};
  while (assay_lines_next(&lines))
    TRY(parse_line(&parser, lines.number, content(arena, &lines)));
  TRY(end_stage(&parser));
  if (out_pipeline->stage_count == 0)
    return assay_fail_at(err, ASSAY_INVALID, file->path, 0, 0, "no 'stage NAME'");
  return ASSAY_OK;
}
