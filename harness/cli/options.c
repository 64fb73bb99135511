// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/options.h"
#include "compiler/base/text.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum option_kind {
  FLAG,    // bool, takes no value
  TEXT,    // const char *
  WORD,    // const char *, one of words
  TEXTS,   // assay_names: may be repeated
  LIST,    // assay_names: words joined by commas; may be repeated
  COUNT,   // int, from 1
  SECONDS, // double, above 0
  SHARD,   // I/N
  PASS,    // assay_names: the whole word
} option_kind;

typedef struct option_row {
  const char *name;
  const char *value; // what help calls the value; NULL for a flag
  option_kind kind;
  size_t field; // offset in assay_options
  const char *help;
  const char *words; // WORD: "auto|always|never"
} option_row;

#define FIELD(name) offsetof(assay_options, name)

static const option_row table[] = {
    {"suite", "NAME", TEXTS, FIELD(suites),
     "cases of a suite: standard, smoke, full, or a case file or a folder of them (repeatable; "
     "default: standard)",
     NULL},
    {"case", "LINE", TEXTS, FIELD(cases),
     "a case by its line, in a file or not (repeatable); alone it replaces the default suite",
     NULL},
    {"filter", "PATTERN", TEXTS, FIELD(filters),
     "only what matches: a case line or key, a prefix of one in whole tokens, or a glob; a leading "
     "'!' excludes (repeatable)",
     NULL},
    {"backend", "LIST", LIST, FIELD(backends), "backends, joined by commas (`assay list backends`)",
     NULL},
    {"data", "LIST", LIST, FIELD(data), "data sets, joined by commas: int, real", NULL},
    {"jobs", "N", COUNT, FIELD(jobs), "cases at a time (default: one per processor)", NULL},
    {"timeout", "SECONDS", SECONDS, FIELD(timeout),
     "limit of each case (default: 60), or of each pass and state of a ledger (default: 10)", NULL},
    {"memory", "MB", COUNT, FIELD(memory),
     "memory that a case's process may add to what it starts with, in MB of 10^6 bytes (default: "
     "4096)",
     NULL},
    {"shard", "I/N", SHARD, FIELD(shard), "the I-th of N parts of the selected cases, I from 1",
     NULL},
    {"resume", NULL, FLAG, FIELD(resume),
     "go on from what --out DIR already holds, but for records of another revision or library",
     NULL},
    {"out", "DIR", TEXT, FIELD(out), "where records go (default: assay-out/latest)", NULL},
    {"format", "NAME=FILE", TEXTS, FIELD(formats),
     "also write a report (`assay list formats`), '-' is standard output (repeatable)", NULL},
    {"no-ledger", NULL, FLAG, FIELD(no_ledger), "do not look for the pass that is to blame", NULL},
    {"passes", NULL, FLAG, FIELD(every_pass),
     "besides, the ledger of every program: each pass of the backend's pipeline is judged", NULL},
    {"random", "N", COUNT, FIELD(random),
     "instead, the ledgers of N generated programs through each backend's pipeline", NULL},
    {"stage", "STAGE", WORD, FIELD(stage),
     "print only this: program, tensor, bufferized, llvm or all",
     "program|tensor|bufferized|llvm|all"},
    {"save", "DIR", TEXT, FIELD(save),
     "write what shows it into files there: module.mlir, inputs/*.npy, expected.npy, scale.npy "
     "and, "
     "with --backend, got.npy; of a ledger, the repro bundle of the bad pass",
     NULL},
    {"dot", "FILE", TEXT, FIELD(dot), "write the program's graph for Graphviz's dot; '-' is stdout",
     NULL},
    {ASSAY_OPTION_PASSES, NULL, PASS, FIELD(passes),
     "a pass or pipeline as mlir-opt takes it, with one dash or two; they run in the order given",
     NULL},
    {"pass-pipeline", "TEXT", PASS, FIELD(passes),
     "a pipeline in MLIR's syntax: builtin.module(...)", NULL},
    {"pipeline", "NAME", TEXT, FIELD(pipeline), "a built-in pipeline (`assay list pipelines`)",
     NULL},
    {"run-line", NULL, FLAG, FIELD(run_line),
     "the pipeline of the mlir-opt command in the file's first RUN line", NULL},
    {"load-pass-plugin", "LIB", TEXTS, FIELD(pass_plugins),
     "passes of a shared library (repeatable)", NULL},
    {"load-dialect-plugin", "LIB", TEXTS, FIELD(dialect_plugins),
     "dialects of a shared library (repeatable)", NULL},
    {"split-input-file", NULL, FLAG, FIELD(split_input),
     "the file is several pieces, parted by lines \"// -----\"", NULL},
    {"allow-unregistered-dialect", NULL, FLAG, FIELD(allow_unregistered),
     "operations of dialects that nobody has registered are no error", NULL},
    {"entry", "NAME", TEXT, FIELD(entry),
     "the function that is run (default: main, else the only public one); all: each public one",
     NULL},
    {"input", "FILE.npy", TEXTS, FIELD(inputs),
     "the entry's next argument (repeatable; default: generated)", NULL},
    {"dims", "LIST", LIST, FIELD(dims), "sizes of dynamic dimensions, in order (default: 7)", NULL},
    {"seed", "N", COUNT, FIELD(seed), "of generated arguments or programs (default: 1)", NULL},
    {"expect", "FILE.npy", TEXTS, FIELD(expected),
     "the next observed value must be this (repeatable)", NULL},
    {"expect-values", "LIST", TEXT, FIELD(expect_values),
     "the numbers observed must be these, parted by spaces", NULL},
    {"tail", "PIPELINE", TEXT, FIELD(tail),
     "passes that lower what our tails do not know, before them", NULL},
    {"nan-contract", "WORD", WORD, FIELD(nan_contract),
     "which new NaN attributes are findings: error (any; the default), planted (what the program's "
     "own arithmetic does not give), report (none, but they are listed), off",
     "error|planted|report|off"},
    {"all", NULL, FLAG, FIELD(all), "also passes that changed nothing", NULL},
    {"json", "FILE", TEXT, FIELD(json), "write the answer as JSON; '-' is standard output", NULL},
    {"quiet", NULL, FLAG, FIELD(quiet), "no progress", NULL},
    {"verbose", NULL, FLAG, FIELD(verbose), "say more: each verdict as it comes, each description",
     NULL},
    {"color", "WHEN", WORD, FIELD(color), "auto, always or never (default: auto)",
     "auto|always|never"},
    {"help", NULL, FLAG, FIELD(help), "this text", NULL},
};

enum { OPTION_COUNT = sizeof table / sizeof table[0] };

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

static const option_row *find(const char *name) {
  for (size_t i = 0; i < OPTION_COUNT; i++)
    if (strcmp(table[i].name, name) == 0)
      return &table[i];
  return NULL;
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

static void append(assay_arena *arena, assay_names *names, const char *item) {
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
    append(arena, names, assay_arena_bytes(arena, start, length));
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

static assay_code parse_word(assay_arena *arena, const option_row *option, const char *value,
                             const char **out_word, assay_error *err) {
  assay_names words = {0};
  for (const char *word = option->words;; word++) {
    size_t length = strcspn(word, "|");
    append(arena, &words, assay_arena_bytes(arena, word, length));
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

static assay_code set(assay_arena *arena, const option_row *option, const char *value,
                      assay_options *options, assay_error *err) {
  void *field = (char *)options + option->field;
  const char *end;
  switch (option->kind) {
  case FLAG:
    *(bool *)field = true;
    return ASSAY_OK;
  case TEXT:
    if (*value == '\0')
      return assay_fail(err, ASSAY_INVALID, "--%s: empty value", option->name);
    *(const char **)field = value;
    return ASSAY_OK;
  case WORD:
    return parse_word(arena, option, value, field, err);
  case TEXTS:
    append(arena, field, value);
    return ASSAY_OK;
  case LIST:
    return append_list(arena, field, option->name, value, err);
  case COUNT:
    if (!parse_count(value, field, &end) || *end != '\0')
      return assay_fail(err, ASSAY_INVALID, "--%s: '%s' is no whole number from 1 to %d",
                        option->name, value, INT_MAX);
    return ASSAY_OK;
  case SECONDS:
    return parse_seconds(option->name, value, field, err);
  case SHARD:
    return parse_shard(value, options, err);
  case PASS:
    append(arena, field, assay_arena_format(arena, "--%s=%s", option->name, value));
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
      append(arena, &out_options->arguments, given);
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
    const option_row *option = spelled && accepts(accepted, name) ? find(name) : NULL;
    if (option == NULL && steps) {
      append(arena, &out_options->passes, given);
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
  for (size_t i = 0; i < OPTION_COUNT; i++) {
    if (!accepts(accepted, table[i].name))
      continue;
    const char *value = table[i].value;
    int width = fprintf(stream, "  --%s%s%s", table[i].name, value != NULL ? " " : "",
                        value != NULL ? value : "");
    if (width < HELP_INDENT)
      fprintf(stream, "%*s", HELP_INDENT - width, "");
    else
      fprintf(stream, "\n%*s", HELP_INDENT, "");
    print_wrapped(stream, table[i].help);
  }
}
