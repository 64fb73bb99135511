// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Mistakes planted in the kernels of programs, each of which gpu-sim must find: by a fault of the
// simulator, by bits that differ between schedules, or by results that are not those of plain
// loops. Those that change nothing are listed with the reason, and must not be found.
#include "compiler/backends/backends_testing.h"
#include "gpu/backends/checks/apart.h"
#include "gpu/backends/checks/equivalent.h"
#include "gpu/backends/checks/programs.h"
#include "gpu/backends/planted_testing.h"
#include "gpu/backends/support/compile.h"
#include "gpu/backends/support/instance.h"
#include "gpu/backends/support/simulated.h"
#include "gpu/kernels/kernels.h"

#include <stdio.h>

typedef struct tally {
  int planted, found, same, equivalent; // same: nothing differs by it
} tally;

enum {
  PROGRAMS = sizeof mutated_programs / sizeof *mutated_programs,
  LISTED = sizeof equivalent_mutants / sizeof *equivalent_mutants
};

typedef struct score {
  tally of[MUTATION_COUNT];
  bool met[LISTED]; // there was a mistake that the list has
} score;

// ---- running ----

typedef struct laboratory {
  assay_context *context;
  assay_target *target;
  assay_pipeline pipeline;
  assay_gpu_kind kind;
  assay_gpu *gpu;
} laboratory;

// A program with what it is run on and what is right, on each data set.
typedef struct subject {
  const char *name;
  const assay_program *program;
  plain expected[3];
} subject;

enum { DATA_SETS = sizeof((subject){0}.expected) / sizeof(plain) };

// Of integers over a wider range, so that maxima are anywhere; e to the power of it stays finite.
static assay_scalar whole(assay_dtype dtype, int number, int64_t i) {
  int64_t period = assay_dtype_get(dtype)->floating ? 17 : 97;
  int64_t value = (i * 7 + i / 5 + (int64_t)number * 5) % period - period / 2;
  return assay_scalar_cast(&(assay_scalar){.integer = value == 0 ? 9 : value}, ASSAY_I64, dtype);
}

// Some are NaN, so that no product with 0 hides what should not have been read.
static assay_scalar holed(assay_dtype dtype, int argument, int number, int64_t i) {
  if (number == argument && i % 41 == 0 && assay_dtype_get(dtype)->floating)
    return plain_real(NAN, dtype);
  return whole(dtype, number, i);
}

static assay_scalar first_holed(assay_dtype dtype, int number, int64_t i) {
  return holed(dtype, 0, number, i);
}

static assay_scalar second_holed(assay_dtype dtype, int number, int64_t i) {
  return holed(dtype, 1, number, i);
}

static plain_input *const inputs_of[DATA_SETS] = {whole, first_holed, second_holed};

// Sums in another order and exp, which are off by some units of the last place.
static double allowed(const assay_node *node) {
  return assay_dtype_get(node->dtype)->floating && !plain_is(node, "matmul") ? 32 : 0;
}

static bool is_right(const assay_node *node, const assay_buffer *buffer, const assay_scalar *want) {
  bool floating = assay_dtype_get(buffer->dtype)->floating;
  for (int64_t i = 0; i < assay_shape_count(&buffer->shape); i++) {
    assay_scalar got = plain_get(buffer->data, buffer->dtype, i);
    if (floating ? !(distance(buffer->dtype, got.real, want[i].real) <= allowed(node))
                 : got.integer != want[i].integer)
      return false;
  }
  return true;
}

// Whether anything is wrong with a run on one data set; what is said of it.
static bool is_found_on(assay_gpu_instance *instance, const subject *of, const plain *expected,
                        assay_error *err) {
  const assay_program *program = of->program;
  const assay_node *result = &program->nodes[program->results[0]];
  assay_buffer inputs[ASSAY_MAX_ARGUMENTS], results[1] = {take_buffer(result, NULL)};
  for (int i = 0; i < program->input_count; i++)
    inputs[i] =
        take_buffer(&program->nodes[program->inputs[i]], expected->node[program->inputs[i]]);
  assay_counters counters;
  assay_code code = assay_gpu_instance_run(instance, inputs, results, &counters, err);
  bool found = code != ASSAY_OK;
  if (!found && !is_right(result, &results[0], expected->node[program->results[0]])) {
    snprintf(err->text, sizeof err->text, "wrong results");
    found = true;
  }
  for (int i = 0; i < program->input_count; i++)
    free(inputs[i].data);
  free(results[0].data);
  return found;
}

// Runs what is selected. Which thread does what depends on no data: where nothing differed on one
// data set, nothing does on the others.
static bool is_found(const laboratory *lab, assay_gpu_instance *instance, const subject *of,
                     int number, assay_error *err) {
  if (is_found_on(instance, of, &of->expected[0], err))
    return true;
  if (number > 0 && !apart_differs(lab->gpu, number))
    return false;
  for (int i = 1; i < DATA_SETS; i++)
    if (is_found_on(instance, of, &of->expected[i], err))
      return true;
  return false;
}

// ---- what is to be ----

// The entry of the list; NULL where it has none.
static const equivalent_mutant *find_listed(const char *program, const mutant *it) {
  for (int i = 0; i < LISTED; i++) {
    const equivalent_mutant *of = &equivalent_mutants[i];
    if (strcmp(of->program, program) == 0 && strcmp(of->kernel, it->kernel) == 0 &&
        of->kind == it->kind && strcmp(of->text, it->text) == 0 && of->nth == it->nth)
      return of;
  }
  return NULL;
}

// Counts a mutant; the number of those that are not as they should be.
static int judge(const subject *of, const mutant *it, const char *found, bool same, score *all) {
  const equivalent_mutant *why = find_listed(of->name, it);
  tally *sum = &all->of[it->kind];
  sum->planted++;
  sum->found += found != NULL;
  sum->same += found == NULL && same;
  sum->equivalent += found == NULL && !same && why != NULL;
  if (why != NULL)
    all->met[why - equivalent_mutants] = true;
  if (found != NULL ? why == NULL && !same : same != (why != NULL))
    return 0;
  print_error("%s: %s: %s at %s, %d: %s%s\n", of->name, it->kernel, mutation_name(it->kind),
              it->text, it->nth,
              found != NULL ? "found, though nothing is to be: "
              : same        ? "is listed, though nothing differs"
                            : "not found",
              found != NULL ? found : "");
  return 1;
}

// ---- programs ----

static void compile(laboratory *lab, const subject *of, int launch, assay_object *object) {
  assay_gpu_compiler compiler = {.context = lab->context,
                                 .pipeline = &lab->pipeline,
                                 .kind = &lab->kind,
                                 .target = lab->target};
  assay_load_report report = {.contractions_named = 0};
  assay_error err = {.text = ""};
  mutate_begin(launch);
  if (assay_gpu_compile(&compiler, false, of->program, object, &report, &err) != ASSAY_OK)
    fail_msg("%s: %s", of->name, err.text);
}

static assay_gpu_instance *load_program(laboratory *lab, const subject *of,
                                        const assay_object *object) {
  assay_gpu_instance *instance = NULL;
  assay_error err = {.text = ""};
  if (assay_gpu_instance_create(&lab->kind, lab->gpu, of->program, object, true, &instance, &err) !=
      ASSAY_OK)
    fail_msg("%s: %s", of->name, err.text);
  return instance;
}

// The mistakes of kernels, selected one after another.
static int try_kernels(laboratory *lab, const subject *of, score *all) {
  assay_object object = {.bytes = NULL};
  compile(lab, of, -1, &object);
  assay_gpu_instance *instance = load_program(lab, of, &object);
  assay_error err = {.text = ""};
  if (is_found(lab, instance, of, 0, &err))
    fail_msg("%s without a mistake: %s", of->name, err.text);
  int wrong = 0;
  for (int i = 0; i < mutate_found()->count; i++) {
    apart_select(lab->gpu, i + 1);
    bool found = is_found(lab, instance, of, i + 1, &err), same = !apart_differs(lab->gpu, i + 1);
    wrong += judge(of, &mutate_found()->items[i], found ? err.text : NULL, same, all);
    if (!found)
      continue;
    assay_gpu_instance_destroy(instance); // what it wrote past memory would be found again
    instance = load_program(lab, of, &object);
  }
  assay_gpu_instance_destroy(instance);
  free(object.bytes);
  return wrong;
}

// Those of the host, each of which is a program of its own.
static int try_launches(laboratory *lab, const subject *of, score *all) {
  int wrong = 0, launches = mutate_found()->launches;
  for (int i = 0; i < launches; i++) {
    assay_object object = {.bytes = NULL};
    compile(lab, of, i, &object);
    assay_gpu_instance *instance = load_program(lab, of, &object);
    assay_error err = {.text = ""};
    bool found = is_found(lab, instance, of, 0, &err);
    mutant it = {.kind = MUTATE_GRID, .kernel = "main", .nth = i};
    wrong += judge(of, &it, found ? err.text : NULL, false, all);
    assay_gpu_instance_destroy(instance);
    free(object.bytes);
  }
  return wrong;
}

static int try_program(laboratory *lab, const mutated_program *which, score *all) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value value = which->build(graph);
  subject of = {.name = which->name};
  assay_error err = {.text = ""};
  if (assay_graph_finish(graph, 1, &value, &of.program, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  for (int i = 0; i < DATA_SETS; i++)
    plain_evaluate(of.program, inputs_of[i], &of.expected[i]);
  int wrong = try_kernels(lab, &of, all) + try_launches(lab, &of, all);
  for (int i = 0; i < DATA_SETS; i++)
    plain_release(of.program, &of.expected[i]);
  assay_arena_destroy(arena);
  return wrong;
}

static void print_tally(const char *name, const tally *it) {
  print_message("%-12s %8d %8d %14d %12d\n", name, it->planted, it->found, it->same,
                it->equivalent);
}

static void every_mistake_is_found_or_changes_nothing(void **state) {
  laboratory *lab = *state;
  score all = {.of = {{0}}};
  tally sum = {0};
  int wrong = 0;
  for (int i = 0; i < PROGRAMS; i++)
    wrong += try_program(lab, &mutated_programs[i], &all);
  for (int i = 0; i < LISTED; i++)
    if (!all.met[i]) {
      const equivalent_mutant *of = &equivalent_mutants[i];
      print_error("%s: %s: %s at %s, %d: is listed, though there is none\n", of->program,
                  of->kernel, mutation_name(of->kind), of->text, of->nth);
      wrong++;
    }
  print_message("%-12s %8s %8s %14s %12s\n", "mistake", "planted", "found", "never differs",
                "equivalent");
  for (int i = 0; i < MUTATION_COUNT; i++) {
    print_tally(mutation_name((mutation)i), &all.of[i]);
    assert_true(all.of[i].found > 0);
    sum.planted += all.of[i].planted;
    sum.found += all.of[i].found;
    sum.same += all.of[i].same;
    sum.equivalent += all.of[i].equivalent;
  }
  print_tally("all", &sum);
  assert_int_equal(wrong, 0);
  assert_int_equal(sum.planted, sum.found + sum.same + sum.equivalent);
}

static int enter(void **state) {
  static laboratory lab; // of the test program's one process
  assay_error err = {.text = ""};
  assay_pass_register(&mutate_pass);
  assay_gpu_passes_register();
  if (assay_context_create(&lab.context, &err) != ASSAY_OK ||
      assay_target_create(assay_gpu_runtime_entries(), &lab.target, &err) != ASSAY_OK ||
      apart_open(&lab.gpu, &err) != ASSAY_OK) {
    print_error("%s\n", err.text);
    return 1;
  }
  lab.kind = assay_gpu_simulated;
  lab.pipeline = planted_pipeline("builtin.module(gpu.module(assay-gpu-math,assay-gpu-all-reduce,"
                                  "canonicalize),test-mutate)");
  *state = &lab;
  return 0;
}

static int leave(void **state) {
  laboratory *lab = *state;
  lab->gpu->methods->close(lab->gpu);
  assay_target_destroy(lab->target);
  assay_context_destroy(lab->context);
  return 0;
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_mistake_is_found_or_changes_nothing),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
