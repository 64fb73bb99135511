// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/options.h"
#include "compiler/base/text.h"
#include "harness/cli/option_table.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Taken by every verb: scripts give them to all alike.
static const char *const common[] = {"quiet", "verbose", "color", "help"};

enum { COMMON_COUNT = sizeof common / sizeof common[0] };

const char *assay_hint(assay_arena *arena, const char *word, const char *const names[],
                       size_t count) {
  const char *nearest = assay_nearest(word, names, count);
  if (nearest != NULL)
    return assay_arena_format(arena, "; did you mean '%s'?", nearest);
  assay_text known = {.arena = arena};
  for (size_t i = 0; i < count; i++)
    assay_text_print(&known, "%s%s", i == 0 ? "; known: " : ", ", names[i]);
  return assay_text_get(&known);
}

static const assay_option_row *find(const char *name) {
  const assay_option_row *row = assay_option_table;
  while (row->name != NULL && strcmp(row->name, name) != 0)
    row++;
  return row->name != NULL ? row : NULL;
}

static size_t count_names(const char *const names[]) {
  size_t count = 0;
  while (names[count] != NULL)
    count++;
  return count;
}

static bool accepts(const char *const accepted[], const char *name) {
  for (; *accepted != NULL; accepted++)
    if (strcmp(*accepted, name) == 0)
      return true;
  for (size_t i = 0; i < COMMON_COUNT; i++)
    if (strcmp(common[i], name) == 0)
      return true;
  return false;
}

const char *assay_options_nearest(assay_arena *arena, const char *word,
                                  const char *const accepted[]) {
  size_t count = count_names(accepted);
  const char **names = assay_arena_take(arena, count + COMMON_COUNT, sizeof *names);
  memcpy(names, accepted, count * sizeof *names);
  memcpy(names + count, common, sizeof common);
  return assay_nearest(word, names, count + COMMON_COUNT);
}

static assay_code fail_unknown(assay_arena *arena, const char *verb, const char *given,
                               const char *name, const char *const accepted[], assay_error *err) {
  const char *nearest = assay_options_nearest(arena, name, accepted);
  if (nearest != NULL)
    return assay_fail(err, ASSAY_INVALID, "unknown option '%s' of %s; did you mean '--%s'?", given,
                      verb, nearest);
  return assay_fail(err, ASSAY_INVALID, "unknown option '%s' of %s; see `assay %s --help`", given,
                    verb, verb);
}

void assay_names_add(assay_arena *arena, assay_names *names, const char *item) {
  const char **items = assay_arena_take(arena, names->count + 1, sizeof *items);
  if (names->count > 0)
    memcpy(items, names->items, names->count * sizeof *items);
  items[names->count++] = item;
  names->items = items;
}

static assay_code append_list(assay_arena *arena, assay_names *names, const char *option_name,
                              const char *value, assay_error *err) {
  for (const char *start = value, *comma = value; comma != NULL; start = comma + 1) {
    comma = strchr(start, ',');
    size_t length = comma != NULL ? (size_t)(comma - start) : strlen(start);
    if (length == 0)
      return assay_fail(err, ASSAY_INVALID, "--%s: empty name in '%s'", option_name, value);
    assay_names_add(arena, names, assay_arena_bytes(arena, start, length));
    if (comma == NULL)
      break;
  }
  return ASSAY_OK;
}

// A whole number of decimal digits only, from 1; the end of it in *out_end.
static bool parse_count(const char *text, int *out_count, const char **out_end) {
  char *end;
  if (!isdigit((unsigned char)*text))
    return false;
  errno = 0;
  long count = strtol(text, &end, 10);
  *out_end = end;
  *out_count = (int)count;
  return errno == 0 && count >= 1 && count <= INT_MAX;
}

static assay_code parse_seconds(const char *name, const char *value, double *out_seconds,
                                assay_error *err) {
  char *end;
  double seconds = strtod(value, &end);
  if (end == value || *end != '\0' || !isfinite(seconds) || seconds <= 0)
    return assay_fail(err, ASSAY_INVALID, "--%s: '%s' is no number of seconds above 0", name,
                      value);
  *out_seconds = seconds;
  return ASSAY_OK;
}

static assay_code parse_shard(const char *value, assay_options *options, assay_error *err) {
  int index, count;
  const char *end;
  if (parse_count(value, &index, &end) && *end == '/' && parse_count(end + 1, &count, &end) &&
      *end == '\0' && index <= count) {
    options->shard.index = index;
    options->shard.count = count;
    return ASSAY_OK;
  }
  return assay_fail(err, ASSAY_INVALID,
                    "--shard: '%s' is not I/N with whole numbers 1 <= I <= N, as in 1/4", value);
}

static assay_code parse_word(assay_arena *arena, const assay_option_row *option, const char *value,
                             const char **out_word, assay_error *err) {
  assay_names words = {0};
  for (const char *word = option->words;; word++) {
    size_t length = strcspn(word, "|");
    assay_names_add(arena, &words, assay_arena_bytes(arena, word, length));
    word += length;
    if (*word == '\0')
      break;
  }
  for (size_t i = 0; i < words.count; i++)
    if (strcmp(words.items[i], value) == 0) {
      *out_word = words.items[i];
      return ASSAY_OK;
    }
  return assay_fail(err, ASSAY_INVALID, "--%s: unknown word '%s'%s", option->name, value,
                    assay_hint(arena, value, words.items, words.count));
}

static assay_code set(assay_arena *arena, const assay_option_row *option, const char *value,
                      assay_options *options, assay_error *err) {
  void *field = (char *)options + option->field;
  const char *end;
  switch (option->kind) {
  case ASSAY_OPTION_FLAG:
    *(bool *)field = true;
    return ASSAY_OK;
  case ASSAY_OPTION_TEXT:
    if (*value == '\0')
      return assay_fail(err, ASSAY_INVALID, "--%s: empty value", option->name);
    *(const char **)field = value;
    return ASSAY_OK;
  case ASSAY_OPTION_WORD:
    return parse_word(arena, option, value, field, err);
  case ASSAY_OPTION_TEXTS:
    assay_names_add(arena, field, value);
    return ASSAY_OK;
  case ASSAY_OPTION_LIST:
    return append_list(arena, field, option->name, value, err);
  case ASSAY_OPTION_COUNT:
    if (!parse_count(value, field, &end) || *end != '\0')
      return assay_fail(err, ASSAY_INVALID, "--%s: '%s' is no whole number from 1 to %d",
                        option->name, value, INT_MAX);
    return ASSAY_OK;
  case ASSAY_OPTION_SECONDS:
    return parse_seconds(option->name, value, field, err);
  case ASSAY_OPTION_SHARD:
    return parse_shard(value, options, err);
  case ASSAY_OPTION_PASS:
    assay_names_add(arena, field, assay_arena_format(arena, "--%s=%s", option->name, value));
    return ASSAY_OK;
  }
  return ASSAY_OK;
}

assay_code assay_options_parse(assay_arena *arena, const char *verb, int argc, char *const argv[],
                               const char *const accepted[], assay_options *out_options,
                               assay_error *err) {
  bool steps = accepts(accepted, ASSAY_OPTION_PASSES);
  *out_options = (assay_options){.timeout = steps ? ASSAY_STATE_TIMEOUT : ASSAY_DEFAULT_TIMEOUT,
                                 .memory = ASSAY_DEFAULT_MEMORY,
                                 .shard = {1, 1},
                                 .color = "auto",
                                 .out = "assay-out/latest"};
  bool options_end = false;
  for (int i = 0; i < argc; i++) {
    const char *given = argv[i];
    if (options_end || given[0] != '-' || given[1] == '\0') {
      assay_names_add(arena, &out_options->arguments, given);
      continue;
    }
    if (strcmp(given, "--") == 0) {
      options_end = true;
      continue;
    }
    if (strcmp(given, "-h") == 0) {
      out_options->help = true;
      continue;
    }
    size_t dashes = strspn(given, "-");
    const char *equals = strchr(given, '=');
    size_t length = equals != NULL ? (size_t)(equals - given) : strlen(given);
    const char *name = assay_arena_bytes(arena, given + dashes, length - dashes);
    bool spelled = dashes == 2 || (steps && dashes == 1);
    const assay_option_row *option = spelled && accepts(accepted, name) ? find(name) : NULL;
    if (option == NULL && steps) {
      assay_names_add(arena, &out_options->passes, given);
      continue;
    }
    if (option == NULL)
      return fail_unknown(arena, verb, assay_arena_bytes(arena, given, length), name, accepted,
                          err);
    if (option->value == NULL && equals != NULL)
      return assay_fail(err, ASSAY_INVALID, "--%s takes no value", name);
    const char *value = equals != NULL ? equals + 1 : "";
    if (option->value != NULL && equals == NULL) {
      if (i + 1 == argc)
        return assay_fail(err, ASSAY_INVALID, "--%s needs a value: --%s %s", name, name,
                          option->value);
      value = argv[++i];
    }
    TRY(set(arena, option, value, out_options, err));
  }
  return ASSAY_OK;
}

int assay_options_jobs(const assay_options *options) {
  long processors = sysconf(_SC_NPROCESSORS_ONLN);
  return options->jobs > 0 ? options->jobs : processors > 0 ? (int)processors : 1;
}

enum { HELP_INDENT = 24, HELP_WIDTH = 100 };

// Words wrapped at HELP_WIDTH, from column HELP_INDENT.
static void print_wrapped(FILE *stream, const char *text) {
  int column = HELP_INDENT;
  while (*text != '\0') {
    int length = (int)strcspn(text, " ");
    if (column > HELP_INDENT && column + 1 + length > HELP_WIDTH) {
      fprintf(stream, "\n%*s", HELP_INDENT, "");
      column = HELP_INDENT;
    } else if (column > HELP_INDENT) {
      fputc(' ', stream);
      column++;
    }
    fprintf(stream, "%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  fputc('\n', stream);
}

void assay_options_print(FILE *stream, const char *const accepted[]) {
  for (const assay_option_row *row = assay_option_table; row->name != NULL; row++) {
    if (!accepts(accepted, row->name))
      continue;
    const char *value = row->value;
    int width = fprintf(stream, "  --%s%s%s", row->name, value != NULL ? " " : "",
                        value != NULL ? value : "");
    if (width < HELP_INDENT)
      fprintf(stream, "%*s", HELP_INDENT - width, "");
    else
      fprintf(stream, "\n%*s", HELP_INDENT, "");
    print_wrapped(stream, row->help);
  }
}
