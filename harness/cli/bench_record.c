// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/bench_record.h"

#include "compiler/base/text.h"
#include "harness/bench/work.h"
#include "results/formats/common/measure.h"

#include <math.h>
#include <string.h>

// The passes of a compilation, and LLVM's steps behind them, as rows of a record; in the arena.
static const assay_pass_row *list_passes(assay_arena *arena, const assay_costs *costs,
                                         size_t *out_count) {
  const struct {
    const char *name;
    double seconds;
  } steps[] = {{"llvm-translate", costs->seconds_translate},
               {"llvm-optimise", costs->seconds_optimise},
               {"llvm-generate", costs->seconds_generate}};
  enum { STEPS = sizeof steps / sizeof steps[0] };
  int known = costs->pass_count < ASSAY_COSTS_PASSES ? costs->pass_count : ASSAY_COSTS_PASSES;
  assay_pass_row *rows = assay_arena_take(arena, (size_t)known + STEPS, sizeof *rows);
  size_t count = 0;
  for (int i = 0; i < known; i++) {
    const assay_pass_cost *cost = &costs->passes[i];
    rows[count++] = (assay_pass_row){.n = i + 1,
                                     .name = assay_arena_string(arena, cost->name),
                                     .seconds = cost->seconds,
                                     .ops_before = cost->ops_before,
                                     .ops_after = cost->ops_after,
                                     .changed = cost->changed,
                                     .margin = NAN};
  }
  for (int i = 0; i < STEPS && known > 0; i++)
    rows[count++] = (assay_pass_row){.name = steps[i].name,
                                     .seconds = steps[i].seconds,
                                     .ops_before = -1,
                                     .ops_after = -1,
                                     .changed = true,
                                     .margin = NAN};
  *out_count = count;
  return rows;
}

// Three counters of each architecture, and one of all kernels.
static size_t list_figures(assay_arena *arena, const assay_device_figures *figures,
                           assay_counter counters[]) {
  size_t count = 0;
  for (int i = 0; i < figures->count; i++) {
    const assay_architecture_figures *of = &figures->of[i];
    const struct {
      const char *what;
      int64_t value;
    } each[] = {{"matmul_spill_bytes", of->own_spills},
                {"registers", of->registers},
                {"shared_bytes", of->shared},
                {"spill_bytes", of->spills}};
    for (size_t k = 0; k < sizeof each / sizeof each[0]; k++)
      counters[count++] = (assay_counter){
          assay_arena_format(arena, "%s_%s", of->architecture, each[k].what), each[k].value};
  }
  if (figures->kernels > 0)
    counters[count++] = (assay_counter){"kernels", figures->kernels};
  return count;
}

// Without what nobody counted.
static const assay_counter *list_counters(assay_arena *arena, const assay_bench_result *result,
                                          bool ran, size_t *out_count) {
  const assay_costs *costs = &result->costs;
  const assay_heap *heap = &result->counters.heap;
  int last = costs->pass_count < ASSAY_COSTS_PASSES ? costs->pass_count : ASSAY_COSTS_PASSES;
  const assay_counter all[] = {
      {"heap_allocations", heap->allocations},
      {"heap_bytes", heap->bytes},
      {"heap_peak_bytes", heap->peak},
      {"ir_operations", last > 0 ? costs->passes[last - 1].ops_after : 0},
      {"llvm_instructions", costs->llvm_instructions},
      {"object_bytes", result->object_bytes},
  };
  enum { COUNT = sizeof all / sizeof all[0] };
  enum { OF_RUNS = 3, MOST = COUNT + 4 * ASSAY_ARCHITECTURES + 1 };
  assay_counter *counters = assay_arena_take(arena, MOST, sizeof *counters);
  size_t first = ran ? 0 : OF_RUNS, count = COUNT - first;
  memcpy(counters, all + first, count * sizeof *counters);
  count += list_figures(arena, &result->figures, counters + count);
  *out_count = result->object_bytes > 0 ? count : 0;
  return counters;
}

static const char *repro_of(const assay_session *session, const assay_exercise *exercise,
                            const assay_contender *who) {
  const assay_options *options = session->options;
  assay_text text = {.arena = session->arena};
  assay_text_print(&text, "%s bench --case '%s' --data %s --backend %s", session->program,
                   exercise->a_case->line, exercise->data, who->name);
  if (options->threads > 1)
    assay_text_print(&text, " --threads %d", options->threads);
  if (options->cold)
    assay_text_print(&text, " --cold");
  if (options->pin)
    assay_text_print(&text, " --pin");
  return assay_text_get(&text);
}

void assay_bench_add_samples(assay_arena *arena, const double run[], size_t run_count,
                             const double compile[], size_t compile_count, assay_record *record) {
  record->run_samples = run;
  record->run_sample_count = run_count;
  record->compile_samples = compile;
  record->compile_sample_count = compile_count;
  record->seconds_run = run_count > 0 ? assay_measure_make(arena, run, run_count).median : NAN;
  record->seconds_compile =
      compile_count > 0 ? assay_measure_make(arena, compile, compile_count).median : NAN;
}

// What was not timed keeps those of its check, where there was one.
static void add_own_counters(const assay_bench_result *result, assay_record *record) {
  if (result->verdict != ASSAY_PASS && result->object_bytes == 0 && result->run_count == 0)
    return;
  record->blas_calls = result->counters.blas_calls;
  record->compiles = result->counters.compiles;
  record->launches = result->counters.launches;
}

static void add_timings(const assay_session *session, const assay_exercise *exercise,
                        const assay_contender *who, const assay_bench_result *result,
                        assay_record *record) {
  bool ran = !assay_contender_is_simulated(who);
  assay_arena *arena = session->arena;
  assay_work work = assay_work_of(exercise->program);
  assay_bench_add_samples(arena, result->run_samples, result->run_count, result->compile_samples,
                          result->compile_count, record);
  record->flop = work.flop;
  record->bytes = work.bytes;
  record->counters = list_counters(arena, result, ran, &record->counter_count);
  record->passes = list_passes(arena, &result->costs, &record->pass_count);
  add_own_counters(result, record);
  if (assay_contender_is_on_device(who)) {
    record->clock = "device";
    record->seconds_upload = result->counters.seconds_upload;
    record->seconds_download = result->counters.seconds_download;
  }
  if (!ran)
    record->uncounted |= ASSAY_UNCOUNTED_BLAS_CALLS | ASSAY_UNCOUNTED_LAUNCHES;
}

const assay_record *assay_bench_record(const assay_session *session, const assay_exercise *exercise,
                                       const assay_contender *who, const assay_record *check,
                                       const assay_bench_result *result, const char *started,
                                       const assay_environment *environment) {
  assay_arena *arena = session->arena;
  assay_record *record = assay_arena_take(arena, 1, sizeof *record);
  if (check != NULL)
    *record = *check;
  else
    *record = (assay_record){.check_count = 1, .checks = {"compare"}, .margin = result->margin};
  record->kind = ASSAY_RECORD_BENCH;
  record->key = assay_case_key(arena, exercise->a_case, exercise->data, who->name);
  record->line = exercise->a_case->line;
  record->op = exercise->a_case->op->name;
  record->backend = who->name;
  record->data = exercise->data;
  record->threads = session->options->threads > 0 ? session->options->threads : 1;
  record->cold = session->options->cold;
  record->repro = repro_of(session, exercise, who);
  record->started = started;
  record->environment = environment;
  if (result->verdict != ASSAY_PASS) {
    record->verdict = result->verdict;
    record->reason = assay_arena_string(arena, result->reason);
    if (!isnan(result->margin))
      record->margin = result->margin;
  }
  add_timings(session, exercise, who, result, record);
  return record;
}
