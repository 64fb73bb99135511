// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Whether the ledger accuses innocent passes: it goes over the suite's cases and over random
// programs, through the built-in pipelines with upstream passes inserted wherever they make sense.
//
//     innocence [--suite NAME] [--every N] [--from N] [--case LINE]... [--largest ELEMENTS]
//               [--random N] [--seed S] [--variant plain|all|single|PASS] [--pipeline loop|blas]
//               [--jobs N] [--timeout SECONDS] [--keep DIR]
//
// Prints what was accused, was inconclusive or could not be run, and a table of counts. Exit code 1
// where anything was accused. Without --case, each N-th case of the suite (default: standard, all).
#include "compiler/base/text.h"
#include "compiler/lower/emit.h"
#include "compiler/lower/passes.h"
#include "compiler/lower/pipeline.h"
#include "harness/case/suite.h"
#include "harness/isolate/clock.h"
#include "harness/ledger/inquiry.h"
#include "suite/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// Places in a pipeline at which a pass can stand.
enum {
  ON_TENSORS = 1,  // before everything
  ON_BUFFERS = 2,  // after bufferization
  ON_LOOPS = 4,    // after linalg has become loops
  ON_BLOCKS = 8,   // after loops have become blocks
  ON_LLVM = 16,    // after everything
  ON_AFFINE = 32,  // after linalg has become affine loops, which it otherwise does not
  EVERYWHERE = ON_TENSORS | ON_BUFFERS | ON_LOOPS | ON_BLOCKS,
};

typedef struct inserted {
  const char *name, *text;
  int places;
} inserted;

// Those that name what contractions are taken by stand last.
static const inserted passes[] = {
    {"canonicalize", "canonicalize", EVERYWHERE | ON_LLVM},
    {"cse", "cse", EVERYWHERE | ON_LLVM},
    {"linalg-fuse-elementwise-ops", "linalg-fuse-elementwise-ops", ON_TENSORS},
    {"linalg-fold-unit-extent-dims", "linalg-fold-unit-extent-dims", ON_TENSORS | ON_BUFFERS},
    {"loop-invariant-code-motion", "loop-invariant-code-motion", EVERYWHERE | ON_LLVM},
    {"math-uplift-to-fma", "math-uplift-to-fma", EVERYWHERE},
    {"arith-expand", "arith-expand", EVERYWHERE},
    {"int-range-optimizations", "int-range-optimizations", EVERYWHERE},
    {"affine-loop-tile", "affine-loop-tile{tile-size=4}", ON_AFFINE},
    {"affine-loop-unroll-jam", "affine-loop-unroll-jam", ON_AFFINE},
    {"linalg-generalize-named-ops", "linalg-generalize-named-ops", ON_TENSORS | ON_BUFFERS},
};
enum { PASSES = sizeof passes / sizeof passes[0], MAX_CASES = 64 };

typedef struct question {
  const char *suite, *variant, *pipeline, *keep;
  const char *cases[MAX_CASES];
  int case_count, every, from, random, jobs;
  int64_t largest;
  uint64_t seed;
  double timeout;
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
  tally tallies[2 * (PASSES + 2)];
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

// The passes inside "builtin.module(...)".
static const char *inside(assay_arena *arena, const char *text) {
  const char *open = strchr(text, '('), *close = strrchr(text, ')');
  return assay_arena_bytes(arena, open + 1, (size_t)(close - open - 1));
}

static bool has(const inserted *pass, const char *variant) {
  return strcmp(variant, "all") == 0 || strcmp(pass->name, variant) == 0;
}

// What is inserted at a place, each pass with a comma behind it.
static const char *insertion(assay_arena *arena, const char *variant, int place) {
  assay_text text = {.arena = arena};
  bool affine = false;
  for (int i = 0; i < PASSES; i++) {
    affine |= has(&passes[i], variant) && (passes[i].places & ON_AFFINE) != 0;
    if (!has(&passes[i], variant) || (passes[i].places & place) == 0)
      continue;
    // Within func.func already, or of any operation at the end.
    bool nested = place == ON_LOOPS || place == ON_AFFINE || place == ON_LLVM;
    assay_text_print(&text, nested ? "%s," : "func.func(%s),", passes[i].text);
  }
  // So that affine loops are made of contractions too.
  if (affine && place == ON_BUFFERS && strcmp(variant, "all") != 0)
    assay_text_print(&text, "func.func(linalg-generalize-named-ops),");
  if (affine && place == ON_AFFINE)
    assay_text_print(&text, "lower-affine,");
  return assay_text_get(&text);
}

// Copies text up to `at`, which must stand in it; returns what follows.
static const char *copy_until(assay_text *into, const char *text, const char *at) {
  const char *found = strstr(text, at);
  if (found == NULL)
    fail("the pipelines have changed: a place to insert at is gone");
  assay_text_append(into, text, (size_t)(found - text));
  return found;
}

static const char *make_pipeline(assay_arena *arena, const char *name, const char *variant) {
  static const char loops[] = "convert-linalg-to-loops,";
  const assay_pipeline *pipeline = assay_pipeline_find(name);
  assay_text text = {.arena = arena};
  const char *affine = insertion(arena, variant, ON_AFFINE);
  const char *at = inside(arena, pipeline->stage[1].passes);
  assay_text_print(&text, "builtin.module(%s%s,%s", insertion(arena, variant, ON_TENSORS),
                   inside(arena, pipeline->stage[0].passes),
                   insertion(arena, variant, ON_BUFFERS));
  at = copy_until(&text, at, loops) + strlen(loops);
  assay_text_print(&text, "%s%s%s",
                   affine[0] != '\0' ? "convert-linalg-to-affine-loops," : loops, affine,
                   insertion(arena, variant, ON_LOOPS));
  at = copy_until(&text, at, "expand-strided-metadata");
  const char *end = insertion(arena, variant, ON_LLVM);
  size_t length = strlen(end);
  assay_text_print(&text, "%s%s%s%.*s)", insertion(arena, variant, ON_BLOCKS), at,
                   length > 0 ? "," : "", (int)(length > 0 ? length - 1 : 0), end);
  return assay_text_get(&text);
}

static assay_code build(const check *it, const subject *of, assay_arena *arena,
                        const assay_program **out_program, assay_error *err) {
  if (of->a_case != NULL)
    return assay_case_build(arena, of->a_case, out_program, err);
  assay_graph *graph = assay_graph_create(arena);
  assay_value results[ASSAY_MAX_RESULTS];
  int count = assay_random_build(it->asked.seed, of->number, graph, results);
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
  it->tallies[it->tally_count] =
      (tally){.variant = of->variant, .pipeline = of->pipeline};
  return &it->tallies[it->tally_count++];
}

static void report(const assay_inquiry *inquiry, const assay_inquiry_answer *answer) {
  static const char *const words[] = {"", "ACCUSED", "a pass gave up", "inconclusive",
                                      "the ledger died"};
  if (answer->status != ASSAY_INQUIRY_CLEAN)
    printf("%s: %s: %s (%d %s) %s [%s]\n", words[answer->status], inquiry->name, answer->sentence,
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
      .pipeline = make_pipeline(it->arena, what->pipeline, what->variant),
      .user = copy};
}

// All variants and pipelines that are asked for.
static void add_program(check *it, const assay_case *a_case, int number) {
  static const char *const pipelines[] = {"loop", "blas"};
  const char *variant = it->asked.variant;
  bool single = strcmp(variant, "single") == 0;
  const char *name =
      a_case != NULL ? a_case->line : assay_random_line(it->arena, it->asked.seed, number);
  for (int p = 0; p < 2; p++) {
    subject one = {.a_case = a_case, .number = number, .pipeline = pipelines[p]};
    if (it->asked.pipeline != NULL && strcmp(it->asked.pipeline, pipelines[p]) != 0)
      continue;
    for (int i = 0; i < (single ? PASSES : 1); i++) {
      one.variant = single ? passes[i].name : variant;
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
  printf("%d cases of at most %lld elements, %d larger ones left out; each %d-th is taken\n",
         eligible, (long long)it->asked.largest, large, it->asked.every);
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

static question parse(int argc, char **argv) {
  question asked = {.suite = "standard", .variant = "all", .every = 1, .jobs = 2, .seed = 1,
                    .largest = 1 << 15, .timeout = 60};
  for (int i = 1; i < argc; i += 2) {
    const char *name = argv[i], *value = i + 1 < argc ? argv[i + 1] : NULL;
    if (value == NULL)
      fail("an option has no value");
    if (strcmp(name, "--suite") == 0)
      asked.suite = value;
    else if (strcmp(name, "--variant") == 0)
      asked.variant = value;
    else if (strcmp(name, "--pipeline") == 0)
      asked.pipeline = value;
    else if (strcmp(name, "--keep") == 0)
      asked.keep = value;
    else if (strcmp(name, "--case") == 0 && asked.case_count < MAX_CASES)
      asked.cases[asked.case_count++] = value;
    else if (strcmp(name, "--every") == 0)
      asked.every = atoi(value);
    else if (strcmp(name, "--from") == 0)
      asked.from = atoi(value);
    else if (strcmp(name, "--random") == 0)
      asked.random = atoi(value);
    else if (strcmp(name, "--jobs") == 0)
      asked.jobs = atoi(value);
    else if (strcmp(name, "--largest") == 0)
      asked.largest = atoll(value);
    else if (strcmp(name, "--seed") == 0)
      asked.seed = strtoull(value, NULL, 10);
    else if (strcmp(name, "--timeout") == 0)
      asked.timeout = atof(value);
    else
      fail("unknown option");
  }
  return asked;
}

static void load_cases(check *it) {
  assay_error err;
  for (int i = 0; i < it->asked.case_count; i++)
    require(assay_cases_parse_line(it->arena, "--case", 0, it->asked.cases[i], &it->cases, &err),
            &err);
  if (it->asked.case_count == 0 && strcmp(it->asked.suite, "none") != 0)
    require(
        assay_suite_load(it->arena, ASSAY_SOURCE_DIR, it->asked.suite, &it->cases, &err), &err);
}

int main(int argc, char **argv) {
  static check it;
  it = (check){.asked = parse(argc, argv),
               .arena = assay_arena_create(),
               .started = assay_clock_now()};
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
  const assay_inquiry_work work = {
      .user = &it, .source = emit, .accused = keep, .answered = count};
  require(assay_inquiries_make(&request, it.inquiries, it.count, &work, &err), &err);
  print_table(&it);
  printf("%d ledgers in %.0f s\n", it.answered, assay_clock_now() - it.started);
  int accused = 0;
  for (int i = 0; i < it.tally_count; i++)
    accused += it.tallies[i].accused;
  return accused > 0;
}
