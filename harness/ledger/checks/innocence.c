// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ledger accuses innocent passes: it goes over the suite's cases and over random
// programs, through the built-in pipelines with upstream passes inserted wherever they make sense.
//
//     innocence [--suite NAME] [--every N] [--from N] [--case LINE]... [--largest ELEMENTS]
//               [--random N] [--seed S] [--variant plain|most|all|single|PASS]
//               [--pipeline loop|blas] [--jobs N] [--timeout SECONDS] [--keep DIR]
//
// Prints what was accused, was inconclusive or could not be run, and a table of counts. Exit code 1
// where anything was accused. Without --case, each N-th case of the suite (default: standard, all).
#include "compiler/lower/emit.h"
#include "compiler/lower/passes.h"
#include "harness/case/suite.h"
#include "compiler/base/clock.h"
#include "harness/ledger/checks/insertion.h"
#include "harness/ledger/inquiry.h"
#include "suite/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_CASES = 64, MAX_TALLIES = 32 };

typedef struct question {
  const char *suite, *variant, *pipeline, *keep;
  const char *cases[MAX_CASES];
  int case_count, every, from, random, jobs, largest, seed, timeout;
} question;

// A program: a case, or for NULL a random one.
typedef struct subject {
  const assay_case *a_case;
  int number;
  const char *variant, *pipeline;
} subject;

typedef struct tally {
  const char *variant, *pipeline;
  int ledgers, accused, inconclusive, failed, died, executions, changed, not_run, moved, unjudged;
  double margin[ASSAY_DATA_SETS], seconds;
} tally;

typedef struct check {
  question asked;
  assay_arena *arena;
  assay_context *context; // to emit in
  assay_cases cases;
  assay_inquiry *inquiries;
  int count, capacity, answered;
  tally tallies[MAX_TALLIES];
  int tally_count;
  double started;
} check;

static void fail(const char *what) {
  fprintf(stderr, "innocence: %s\n", what);
  exit(2);
}

static void require(assay_code code, const assay_error *err) {
  if (code != ASSAY_OK)
    fail(err->text);
}

static assay_code build(const check *it, const subject *of, assay_arena *arena,
                        const assay_program **out_program, assay_error *err) {
  if (of->a_case != NULL)
    return assay_case_build(arena, of->a_case, out_program, err);
  assay_graph *graph = assay_graph_create(arena);
  assay_value results[ASSAY_MAX_RESULTS];
  int count = assay_random_build((uint64_t)it->asked.seed, of->number, graph, results);
  return assay_graph_finish(graph, count, results, out_program, err);
}

static assay_code emit(void *user, const assay_inquiry *inquiry, assay_arena *arena,
                       const char **out_text, assay_error *err) {
  const check *it = user;
  const assay_program *program;
  MlirModule module;
  TRY(build(it, inquiry->user, arena, &program, err));
  TRY(assay_module_emit(it->context, program, &module, err));
  *out_text = assay_module_print(arena, module);
  mlirModuleDestroy(module);
  return ASSAY_OK;
}

// DIR/NAME.mlir, and the command in its first line.
static assay_code keep(void *user, const assay_inquiry *inquiry,
                       const assay_ledger_request *request, assay_arena *arena,
                       const assay_ledger_answer *answer, assay_error *err) {
  const check *it = user;
  (void)answer;
  if (it->asked.keep == NULL)
    return ASSAY_OK;
  char *path = assay_arena_format(arena, "%s/%s.mlir", it->asked.keep, inquiry->name);
  for (char *at = path + strlen(it->asked.keep) + 1; *at != '\0'; at++)
    *at = strchr(" =/,", *at) != NULL ? '_' : *at;
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return assay_fail(err, ASSAY_FAILED, "cannot write %s", path);
  fprintf(file, "// pipeline: %s\n%s", inquiry->pipeline, request->source);
  fclose(file);
  return ASSAY_OK;
}

static tally *tally_of(check *it, const subject *of) {
  for (int i = 0; i < it->tally_count; i++)
    if (strcmp(it->tallies[i].variant, of->variant) == 0 &&
        strcmp(it->tallies[i].pipeline, of->pipeline) == 0)
      return &it->tallies[i];
  it->tallies[it->tally_count] = (tally){.variant = of->variant, .pipeline = of->pipeline};
  return &it->tallies[it->tally_count++];
}

static const char *word_of(assay_inquiry_status status) {
  switch (status) {
  case ASSAY_INQUIRY_CLEAN:
    return "clean";
  case ASSAY_INQUIRY_ACCUSED:
    return "ACCUSED";
  case ASSAY_INQUIRY_FAILED_PASS:
    return "a pass gave up";
  case ASSAY_INQUIRY_INCONCLUSIVE:
    return "inconclusive";
  case ASSAY_INQUIRY_DIED:
    return "the ledger died";
  }
  return "";
}

static void report(const assay_inquiry *inquiry, const assay_inquiry_answer *answer) {
  if (answer->status != ASSAY_INQUIRY_CLEAN)
    printf("%s: %s: %s (%d %s) %s [%s]\n", word_of(answer->status), inquiry->name, answer->sentence,
           answer->n, answer->pass, answer->reason, answer->notes);
  else if (answer->not_run > 0)
    printf("not run: %s: %d states, first %s\n", inquiry->name, answer->not_run,
           answer->not_run_reason);
  else if (answer->notes[0] != '\0')
    printf("note: %s: %s\n", inquiry->name, answer->notes);
  fflush(stdout);
}

static assay_code count(void *user, const assay_inquiry *inquiry,
                        const assay_inquiry_answer *answer, assay_error *err) {
  (void)err;
  check *it = user;
  tally *into = tally_of(it, inquiry->user);
  into->ledgers++;
  into->accused += answer->status == ASSAY_INQUIRY_ACCUSED;
  into->failed += answer->status == ASSAY_INQUIRY_FAILED_PASS;
  into->inconclusive += answer->status == ASSAY_INQUIRY_INCONCLUSIVE;
  into->died += answer->status == ASSAY_INQUIRY_DIED;
  into->executions += answer->executions;
  into->changed += answer->changed;
  into->not_run += answer->not_run;
  into->moved += answer->changed_bits;
  into->unjudged += strstr(answer->notes, "not judged") != NULL;
  into->seconds += answer->seconds;
  for (int k = 0; k < ASSAY_DATA_SETS; k++)
    into->margin[k] = fmax(into->margin[k], answer->margin[k]);
  report(inquiry, answer);
  if (++it->answered % 50 == 0)
    fprintf(stderr, "innocence: %d of %d, %.0f s\n", it->answered, it->count,
            assay_clock_now() - it->started);
  return ASSAY_OK;
}

static void add(check *it, const subject *what, const char *name) {
  if (it->count == it->capacity) {
    int capacity = it->capacity > 0 ? 2 * it->capacity : 256;
    assay_inquiry *more = assay_arena_take(it->arena, (size_t)capacity, sizeof *more);
    if (it->count > 0)
      memcpy(more, it->inquiries, (size_t)it->count * sizeof *more);
    it->inquiries = more;
    it->capacity = capacity;
  }
  subject *copy = assay_arena_take(it->arena, 1, sizeof *copy);
  *copy = *what;
  it->inquiries[it->count++] = (assay_inquiry){
      .name = assay_arena_format(it->arena, "%s %s +%s", name, what->pipeline, what->variant),
      .pipeline = assay_pipeline_insert(it->arena, what->pipeline, what->variant),
      .user = copy};
}

// All variants and pipelines that are asked for.
static void add_program(check *it, const assay_case *a_case, int number) {
  static const char *const pipelines[] = {"loop", "blas"};
  const char *variant = it->asked.variant;
  bool single = strcmp(variant, "single") == 0;
  const char *name = a_case != NULL
                         ? a_case->line
                         : assay_random_line(it->arena, (uint64_t)it->asked.seed, number);
  for (int p = 0; p < 2; p++) {
    subject one = {.a_case = a_case, .number = number, .pipeline = pipelines[p]};
    if (it->asked.pipeline != NULL && strcmp(it->asked.pipeline, pipelines[p]) != 0)
      continue;
    for (int i = 0; i == 0 || (single && assay_insertable(i) != NULL); i++) {
      one.variant = single ? assay_insertable(i) : variant;
      add(it, &one, name);
    }
  }
}

static int64_t count_elements(assay_arena *arena, const assay_case *a_case) {
  const assay_program *program;
  assay_error err;
  require(assay_case_build(arena, a_case, &program, &err), &err);
  int64_t count = 0;
  for (int i = 0; i < program->node_count; i++)
    count += assay_shape_count(&program->nodes[i].shape);
  return count;
}

static void add_cases(check *it) {
  int eligible = 0, large = 0;
  for (size_t i = 0; i < it->cases.count; i++) {
    const assay_case *a_case = &it->cases.items[i];
    if (a_case->op->rejected)
      continue;
    if (count_elements(it->arena, a_case) > it->asked.largest) {
      large++;
      continue;
    }
    if (eligible++ % it->asked.every == it->asked.from)
      add_program(it, a_case, 0);
  }
  printf("%d cases of at most %d elements, %d larger ones left out; each %d-th is taken\n",
         eligible, it->asked.largest, large, it->asked.every);
}

static void print_table(const check *it) {
  printf("\n%-30s %-5s %7s %7s %7s %7s %5s %8s %8s %7s %7s %7s %8s %8s %8s\n", "inserted", "into",
         "ledgers", "accused", "inconcl", "gave up", "died", "executed", "changed", "not run",
         "moved", "unjudged", "int", "real", "seconds");
  for (int i = 0; i < it->tally_count; i++) {
    const tally *row = &it->tallies[i];
    printf("%-30s %-5s %7d %7d %7d %7d %5d %8d %8d %7d %7d %7d %8.3g %8.3g %8.1f\n", row->variant,
           row->pipeline, row->ledgers, row->accused, row->inconclusive, row->failed, row->died,
           row->executions, row->changed, row->not_run, row->moved, row->unjudged, row->margin[0],
           row->margin[1], row->seconds);
  }
}

static int64_t number_of(const char *text) {
  char *end;
  long long number = strtoll(text, &end, 10);
  if (end == text || *end != '\0' || number < 0 || number > INT32_MAX)
    fail("an option's value is no number");
  return number;
}

static void set(question *asked, const char *name, const char *value) {
  const struct {
    const char *name, **text;
    int *number;
  } options[] = {{"--suite", &asked->suite, NULL},       {"--variant", &asked->variant, NULL},
                 {"--pipeline", &asked->pipeline, NULL}, {"--keep", &asked->keep, NULL},
                 {"--every", NULL, &asked->every},       {"--from", NULL, &asked->from},
                 {"--random", NULL, &asked->random},     {"--jobs", NULL, &asked->jobs},
                 {"--largest", NULL, &asked->largest},   {"--seed", NULL, &asked->seed},
                 {"--timeout", NULL, &asked->timeout}};
  if (strcmp(name, "--case") == 0 && asked->case_count < MAX_CASES) {
    asked->cases[asked->case_count++] = value;
    return;
  }
  for (size_t i = 0; i < sizeof options / sizeof options[0]; i++)
    if (strcmp(name, options[i].name) == 0) {
      if (options[i].text != NULL)
        *options[i].text = value;
      else
        *options[i].number = (int)number_of(value);
      return;
    }
  fail("unknown option");
}

static bool is_variant(const char *word) {
  static const char *const words[] = {"plain", "most", "all", "single"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
    if (strcmp(words[i], word) == 0)
      return true;
  for (int i = 0; assay_insertable(i) != NULL; i++)
    if (strcmp(assay_insertable(i), word) == 0)
      return true;
  return false;
}

static question parse(int argc, char **argv) {
  question asked = {.suite = "standard",
                    .variant = "all",
                    .every = 1,
                    .jobs = 2,
                    .seed = 1,
                    .largest = 1 << 15,
                    .timeout = 60};
  for (int i = 1; i < argc; i += 2) {
    if (i + 1 == argc)
      fail("an option has no value");
    set(&asked, argv[i], argv[i + 1]);
  }
  if (asked.every == 0 || asked.jobs == 0)
    fail("--every and --jobs are from 1");
  if (!is_variant(asked.variant))
    fail("--variant: no such pass is inserted");
  return asked;
}

static void load_cases(check *it) {
  assay_error err;
  for (int i = 0; i < it->asked.case_count; i++)
    require(assay_cases_parse_line(it->arena, "--case", 0, it->asked.cases[i], &it->cases, &err),
            &err);
  if (it->asked.case_count == 0 && strcmp(it->asked.suite, "none") != 0)
    require(assay_suite_load(it->arena, ASSAY_SOURCE_DIR, it->asked.suite, &it->cases, &err), &err);
}

int main(int argc, char **argv) {
  static check it;
  it = (check){
      .asked = parse(argc, argv), .arena = assay_arena_create(), .started = assay_clock_now()};
  assay_error err;
  load_cases(&it);
  require(assay_context_create(&it.context, &err), &err);
  assay_passes_register();
  add_cases(&it);
  for (int n = 1; n <= it.asked.random; n++)
    add_program(&it, NULL, n);
  fflush(stdout);
  const assay_ledger_request request = {.context = assay_passes_context(),
                                        .data = {true, true},
                                        .seed = 1,
                                        .jobs = it.asked.jobs,
                                        .timeout = it.asked.timeout,
                                        .memory_bytes = INT64_C(4096) * 1000000};
  const assay_inquiry_work work = {.user = &it, .source = emit, .accused = keep, .answered = count};
  require(assay_inquiries_make(&request, it.inquiries, it.count, &work, &err), &err);
  print_table(&it);
  printf("%d ledgers in %.0f s\n", it.answered, assay_clock_now() - it.started);
  int accused = 0;
  for (int i = 0; i < it.tally_count; i++)
    accused += it.tallies[i].accused;
  return accused > 0;
}
