// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/differ.h"

#include "compiler/base/text.h"

static const char *show(const char *word) {
  return word != NULL ? word : "none";
}

static const char *differ(assay_arena *arena, const char *what, const char *base, const char *new) {
  if (assay_text_equal(base, new))
    return NULL;
  return assay_arena_format(arena, "another %s: %s, then %s", what, show(base), show(new));
}

static const char *differ_in_threads(assay_arena *arena, int base, int new) {
  if (base == new)
    return NULL;
  return assay_arena_format(arena, "other threads: %d, then %d", base, new);
}

static const char *differ_in_peak(assay_arena *arena, const char *whose, const char *what,
                                  double base, double new, double limit) {
  if (assay_peak_alike(base, new, limit))
    return NULL;
  return assay_arena_format(arena, "the %s itself differed: %s at its peak, then %s", whose,
                            assay_arena_format(arena, "%.4g %s", base, what),
                            assay_arena_format(arena, "%.4g", new));
}

static const assay_environment *environment_of(const assay_record *record) {
  static const assay_environment unknown = {0};
  return record->environment != NULL ? record->environment : &unknown;
}

// Records of a device say so by its clock. Its driver may compile what ptxas did not; of pairs,
// which share a machine, a build that does not tell its ptxas has the same.
static const char *differ_in_device(assay_arena *arena, const assay_record *base,
                                    const assay_record *new, bool paired) {
  const assay_environment *old = environment_of(base), *now = environment_of(new);
  if (base->clock == NULL && new->clock == NULL)
    return NULL;
  const char *found = differ(arena, "clock", base->clock != NULL ? base->clock : "wall",
                             new->clock != NULL ? new->clock : "wall");
  if (found == NULL)
    found = differ(arena, "GPU or driver", old->cuda, now->cuda);
  if (found != NULL || (paired && (old->ptxas == NULL || now->ptxas == NULL)))
    return found;
  return differ(arena, "ptxas", old->ptxas, now->ptxas);
}

static const char *differ_in_peaks(assay_arena *arena, const assay_record *base,
                                   const assay_record *new, double limit) {
  const assay_environment *old = environment_of(base), *now = environment_of(new);
  const struct {
    const char *what;
    double old, now;
  } peaks[] = {{"GFLOP/s f32", old->peak_gflops_f32, now->peak_gflops_f32},
               {"GFLOP/s f64", old->peak_gflops_f64, now->peak_gflops_f64},
               {"GB/s", old->peak_gbs, now->peak_gbs}};
  const char *whose = base->clock != NULL ? "device" : "machine", *found = NULL;
  for (size_t i = 0; i < sizeof peaks / sizeof *peaks && found == NULL; i++)
    found = differ_in_peak(arena, whose, peaks[i].what, peaks[i].old, peaks[i].now, limit);
  return found;
}

// Peaks are those of what timed the runs: where that is a device, nothing is known of the
// processor's, which compiles.
static bool have_peaks(const assay_comparison_row *row) {
  return row->kind == ASSAY_METRIC_RUN || (row->base->clock == NULL && row->new->clock == NULL);
}

const char *assay_differ_in_setting(assay_arena *arena, const assay_comparison_row *row,
                                    bool paired, double peak_difference) {
  const assay_record *base = row->base, *new = row->new;
  const assay_environment *old = environment_of(base), *now = environment_of(new);
  const char *found = differ(arena, "CPU", old->cpu, now->cpu);
  if (found == NULL)
    found = differ(arena, "BLAS core", old->blas_core, now->blas_core);
  if (found == NULL)
    found = differ(arena, "BLAS", old->blas, now->blas);
  if (found == NULL)
    found = differ(arena, "LLVM", old->llvm, now->llvm);
  if (found == NULL)
    found = differ_in_device(arena, base, new, paired);
  if (found == NULL)
    found = differ_in_threads(arena, base->threads, new->threads);
  if (found == NULL && base->cold != new->cold)
    found = base->cold ? "cold caches, then warm ones" : "warm caches, then cold ones";
  if (found == NULL && !paired && have_peaks(row))
    found = differ_in_peaks(arena, base, new, peak_difference);
  return found;
}

const char *assay_differ_in_counting(assay_arena *arena, const assay_record *base,
                                     const assay_record *new, const char *counter) {
  if (!assay_counter_is_of_ptxas(counter))
    return NULL;
  return differ(arena, "ptxas", environment_of(base)->ptxas, environment_of(new)->ptxas);
}
