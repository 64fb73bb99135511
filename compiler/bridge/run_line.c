// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// RUN lines, as lit reads them.
#include "compiler/base/text.h"
#include "compiler/bridge/source.h"

#include <ctype.h>
#include <string.h>

enum { MAX_DEFINITIONS = 32, MAX_COMMANDS = 16, MAX_EXPANSIONS = 64 };

typedef struct definition {
  const char *name; // "%{compile}"
  const char *value;
} definition;

typedef struct definition_list {
  assay_arena *arena;
  int count;
  definition each[MAX_DEFINITIONS];
} definition_list;

// What stands behind the keyword in a comment's line, without blanks at its ends; NULL where the
// line has no such keyword.
static const char *text_behind(const assay_lines *lines, const char *keyword, assay_arena *arena) {
  const char *line = assay_arena_bytes(arena, lines->start, lines->length);
  const char *at = strstr(line, keyword);
  if (at == NULL || (at != line && (isalnum((unsigned char)at[-1]) || at[-1] == '-')))
    return NULL;
  at += strlen(keyword);
  while (isspace((unsigned char)*at))
    at++;
  size_t length = strlen(at);
  while (length > 0 && isspace((unsigned char)at[length - 1]))
    length--;
  return assay_arena_bytes(arena, at, length);
}

// The directive with its continuation lines.
static const char *read_directive(assay_lines *lines, const char *keyword, assay_arena *arena) {
  const char *part = text_behind(lines, keyword, arena);
  if (part == NULL)
    return NULL;
  assay_text text = {.arena = arena};
  for (;;) {
    size_t length = strlen(part);
    bool more = length > 0 && part[length - 1] == '\\';
    assay_text_append(&text, part, more ? length - 1 : length);
    if (!more || !assay_lines_next(lines))
      return assay_text_get(&text);
    part = text_behind(lines, keyword, arena);
    if (part == NULL)
      return assay_text_get(&text);
  }
}

static void define(definition_list *list, const char *text) {
  const char *close = strchr(text, '}'), *equals = strchr(text, '=');
  if (text[0] != '%' || close == NULL || equals == NULL || equals < close)
    return;
  const char *name = assay_arena_bytes(list->arena, text, (size_t)(close + 1 - text));
  const char *value = equals + 1 + strspn(equals + 1, " \t");
  for (int i = 0; i < list->count; i++)
    if (strcmp(list->each[i].name, name) == 0) {
      list->each[i].value = value;
      return;
    }
  if (list->count < MAX_DEFINITIONS)
    list->each[list->count++] = (definition){name, value};
}

static const char *expand_once(const definition_list *list, const char *text) {
  for (int i = 0; i < list->count; i++) {
    const definition *each = &list->each[i];
    const char *at = strstr(text, each->name);
    if (at != NULL)
      return assay_arena_format(list->arena, "%.*s%s%s", (int)(at - text), text, each->value,
                                at + strlen(each->name));
  }
  return NULL;
}

static const char *expand(const definition_list *list, const char *text) {
  const char *expanded;
  for (int i = 0; i < MAX_EXPANSIONS && (expanded = expand_once(list, text)) != NULL; i++)
    text = expanded;
  return text;
}

// Where a command ends; redirections end words as well.
static bool is_operator(char c) {
  return c == '|' || c == ';' || c == '&' || c == '<' || c == '>';
}

// The next word as a shell reads it, quotes taken away; NULL before an operator or the end.
static const char *next_word(const char **cursor, assay_arena *arena) {
  const char *at = *cursor;
  while (isspace((unsigned char)*at))
    at++;
  *cursor = at;
  if (*at == '\0' || is_operator(*at))
    return NULL;
  assay_text text = {.arena = arena};
  char quote = '\0';
  for (; *at != '\0' && (quote != '\0' || (!isspace((unsigned char)*at) && !is_operator(*at)));
       at++) {
    if (*at == quote)
      quote = '\0';
    else if (quote == '\0' && (*at == '\'' || *at == '"'))
      quote = *at;
    else if (quote != '\'' && *at == '\\' && at[1] != '\0')
      assay_text_append(&text, ++at, 1);
    else
      assay_text_append(&text, at, 1);
  }
  *cursor = at;
  return assay_text_get(&text);
}

// Moves over operators; true where the command is at its end, false after a redirection.
static bool end_command(const char **cursor, assay_arena *arena) {
  const char *at = *cursor;
  if (*at != '<' && *at != '>') {
    *cursor = at + strspn(at, "|;&");
    return true;
  }
  bool merges = at[0] == '>' && at[1] == '&'; // 2>&1
  *cursor = at + strspn(at, merges ? ">&" : "<>");
  (void)next_word(cursor, arena);
  return false;
}

static const char *tool_of(const char *word) {
  const char *slash = strrchr(word, '/');
  return slash == NULL ? word : slash + 1;
}

// Words before the tool: "not", its "--crash", and settings of the environment.
static bool is_prefix(const char *word) {
  const char *equals = strchr(word, '=');
  return strcmp(word, "not") == 0 || strcmp(word, "--crash") == 0 || strcmp(word, "env") == 0 ||
         (equals != NULL && word[0] != '-' && memchr(word, '/', (size_t)(equals - word)) == NULL);
}

static assay_source_command read_command(const char **cursor, assay_arena *arena) {
  size_t room = strlen(*cursor) + 1;
  const char **words = assay_arena_take(arena, room, sizeof *words);
  assay_source_command command = {.words = words};
  for (;;) {
    const char *word = next_word(cursor, arena);
    if (word == NULL) {
      if (**cursor == '\0' || end_command(cursor, arena))
        return command;
      // The number of a redirection's descriptor is no word of the command.
      int last = command.word_count - 1;
      if (last >= 0 && strlen(words[last]) == 1 && isdigit((unsigned char)words[last][0]))
        command.word_count--;
    } else if (command.tool == NULL) {
      command.tool = is_prefix(word) ? NULL : tool_of(word);
    } else if (strcmp(word, "%s") != 0) {
      words[command.word_count++] = word;
    }
  }
}

static bool is_mlir_opt(const char *tool) {
  return tool != NULL && (strcmp(tool, "mlir-opt") == 0 || strcmp(tool, "mlir-opt-22") == 0);
}

static const assay_source_command *read_commands(const char *text, assay_arena *arena,
                                                 int *out_count) {
  assay_source_command *commands = assay_arena_take(arena, MAX_COMMANDS, sizeof *commands);
  bool found = false;
  int count = 0;
  while (*text != '\0' && count < MAX_COMMANDS) {
    assay_source_command command = read_command(&text, arena);
    found = found || is_mlir_opt(command.tool);
    if (command.tool != NULL)
      commands[count++] = command;
  }
  *out_count = found ? count : 0;
  return commands;
}

const assay_source_command *assay_source_run_line(const assay_file *file, assay_arena *arena,
                                                  int *out_count) {
  definition_list list = {.arena = arena};
  assay_lines lines = {.file = file};
  *out_count = 0;
  while (assay_lines_next(&lines)) {
    const char *text = read_directive(&lines, "DEFINE:", arena);
    if (text == NULL)
      text = read_directive(&lines, "REDEFINE:", arena);
    if (text != NULL) {
      define(&list, text);
      continue;
    }
    text = read_directive(&lines, "RUN:", arena);
    if (text == NULL)
      continue;
    const assay_source_command *commands = read_commands(expand(&list, text), arena, out_count);
    if (*out_count > 0)
      return commands;
  }
  return NULL;
}
