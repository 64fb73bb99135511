// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/device_peaks.h"

#include "harness/cli/message.h"
#include "results/formats/common/measure.h"

#include <string.h>

static const assay_opened *find_device(const assay_agenda *agenda) {
  for (size_t j = 0; j < agenda->count; j++) {
    const assay_opened *opened = agenda->jobs[j].opened;
    if (opened != NULL && assay_device_peaks_known(opened))
      return opened;
  }
  return NULL;
}

assay_known_peaks assay_device_peaks_find(const assay_agenda *agenda,
                                          const assay_bench_options *options) {
  assay_known_peaks known = {.of = options->cold ? NULL : find_device(agenda)};
  assay_error err;
  if (known.of == NULL)
    return known;
  if (assay_device_peaks_measure(known.of, options, &known.peaks, &err) != ASSAY_OK) {
    assay_message_note("what the device of '%s' reaches was not measured: %s",
                       known.of->backend->name, err.text);
    return (assay_known_peaks){.of = NULL};
  }
  return known.peaks.gflops_f32 > 0 ? known : (assay_known_peaks){.of = NULL};
}

void assay_device_peaks_give(const assay_known_peaks *known, const assay_opened *opened,
                             assay_environment *environment) {
  if (known->of == NULL || opened == NULL || !assay_device_peaks_shared(known->of, opened))
    return;
  environment->peak_gflops_f32 = known->peaks.gflops_f32;
  environment->peak_gflops_f64 = known->peaks.gflops_f64;
  environment->peak_gbs = known->peaks.gbs;
}

static const assay_opened *find_opened(const assay_agenda *agenda, const char *backend) {
  for (size_t j = 0; j < agenda->count; j++) {
    const assay_opened *opened = agenda->jobs[j].opened;
    if (opened != NULL && strcmp(opened->backend->name, backend) == 0)
      return opened;
  }
  return NULL;
}

void assay_device_peaks_give_all(assay_arena *arena, const assay_agenda *agenda,
                                 const assay_known_peaks *known, assay_record records[],
                                 size_t count) {
  for (size_t i = 0; i < count; i++) {
    if (records[i].environment == NULL || records[i].clock == NULL)
      continue;
    assay_environment *env = assay_arena_take(arena, 1, sizeof *env);
    *env = *records[i].environment;
    assay_device_peaks_give(known, find_opened(agenda, records[i].backend), env);
    records[i].environment = env;
  }
}

const char *assay_device_peaks_print(assay_arena *arena, const assay_known_peaks *known) {
  enum { WIDEST = 44 };
  const char *hardware = known->of->backend->hardware(known->of->device);
  const char *end = strstr(hardware, " ("); // what follows its name
  int length = end != NULL ? (int)(end - hardware) : (int)strlen(hardware);
  return assay_arena_format(arena, "%.*s: %s GFLOP/s f32, %s f64, %s GB/s of memory",
                            length < WIDEST ? length : WIDEST, hardware,
                            assay_print_number(known->peaks.gflops_f32).text,
                            assay_print_number(known->peaks.gflops_f64).text,
                            known->peaks.gbs > 0 ? assay_print_number(known->peaks.gbs).text : "-");
}
