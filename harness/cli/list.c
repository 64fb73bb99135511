// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay list: what there is to name in other commands, one name a line.
#include "compiler/lower/pipeline.h"
#include "harness/cli/faults.h"
#include "harness/cli/machine.h"
#include "harness/cli/message.h"
#include "harness/cli/paragraph.h"
#include "harness/cli/selection.h"
#include "results/formats/format.h"
#include "results/record/printable.h"
#include "suite/property.h"

#include <string.h>

// One line: the name, and with --verbose what it is.
static void print_name(const assay_session *session, int width, const char *name,
                       const char *description) {
  if (session->options->verbose)
    printf("%-*s  %s\n", width, name, description);
  else
    printf("%s\n", name);
}

// The same of a sentence, which goes on below its beginning where it is long.
static void print_told(const assay_session *session, int width, const char *name,
                       const char *sentence) {
  if (!session->options->verbose) {
    printf("%s\n", name);
    return;
  }
  int written = printf("%-*s  ", width, name);
  assay_paragraph_print(sentence, written > 0 ? (size_t)written : 0);
}

static assay_code list_faults(const assay_session *session, assay_error *err) {
  assay_fault_list faults;
  TRY(assay_faults_select(session, &faults, err));
  for (size_t i = 0; i < faults.count; i++)
    print_name(session, 44,
               assay_arena_format(session->arena, "fault name=%s", faults.items[i].name),
               faults.items[i].title);
  return ASSAY_OK;
}

static assay_code list_cases(const assay_session *session, assay_error *err) {
  assay_cases cases, selected;
  bool faults;
  TRY(assay_faults_wanted(session, &faults, err));
  if (faults)
    return list_faults(session, err);
  TRY(assay_selection_load(session, "standard", &cases, err));
  TRY(assay_selection_cases(session, &cases, &selected, err));
  assay_selection_shard(session, &selected);
  for (size_t i = 0; i < selected.count; i++)
    print_name(session, 0, selected.items[i].line,
               assay_arena_format(session->arena, "# %s", selected.items[i].origin));
  return ASSAY_OK;
}

static assay_code list_ops(const assay_session *session, assay_error *err) {
  (void)err;
  for (const assay_suite_op *const *op = assay_suite_ops_get(); *op != NULL; op++)
    print_name(session, 20, (*op)->name, (*op)->formula);
  return ASSAY_OK;
}

static assay_code list_backends(const assay_session *session, assay_error *err) {
  assay_names all = {0};
  assay_machine machine = {0};
  if (!session->options->verbose) {
    for (const assay_backend *const *at = session->backends; *at != NULL; at++)
      printf("%s\n", (*at)->name);
    return ASSAY_OK;
  }
  TRY(assay_machine_open(session, &all, &machine, err));
  for (size_t i = 0; i < machine.count; i++) {
    const assay_station *station = &machine.stations[i];
    const assay_backend *backend = station->opened.backend;
    const char *text = assay_printable(session->arena, backend->summary);
    if (station->reason != NULL)
      text = assay_arena_format(session->arena, "%s (not usable: %s)", text, station->reason);
    int written = printf("%-8s  ", backend->name);
    assay_paragraph_print(text, written > 0 ? (size_t)written : 0);
  }
  assay_machine_close(&machine);
  return ASSAY_OK;
}

static assay_code list_pipelines(const assay_session *session, assay_error *err) {
  (void)err;
  for (const assay_pipeline *const *at = assay_pipelines_get(); *at != NULL; at++) {
    const char *stages = "tensor";
    for (int i = 0; i < (*at)->stage_count; i++)
      stages = assay_arena_format(session->arena, "%s -> %s", stages, (*at)->stage[i].name);
    print_name(session, 8, (*at)->name, stages);
  }
  return ASSAY_OK;
}

static assay_code list_formats(const assay_session *session, assay_error *err) {
  (void)err;
  for (const assay_format *const *format = assay_formats_get(); *format != NULL; format++)
    print_told(session, 8, (*format)->name, (*format)->summary);
  return ASSAY_OK;
}

static assay_code list_properties(const assay_session *session, assay_error *err) {
  (void)err;
  const assay_property *const *property = assay_properties_get();
  for (; *property != NULL; property++)
    print_told(session, 24, (*property)->name, (*property)->summary);
  return ASSAY_OK;
}

static assay_code list_none(const assay_session *session, assay_error *err) {
  (void)err;
  assay_message_note("this version has no %s", session->options->arguments.items[0]);
  return ASSAY_OK;
}

static const struct {
  const char *name;
  assay_code (*list)(const assay_session *session, assay_error *err);
} things[] = {
    {"cases", list_cases},           {"ops", list_ops},         {"backends", list_backends},
    {"pipelines", list_pipelines},   {"formats", list_formats}, {"mutants", list_none},
    {"properties", list_properties},
};

enum { THING_COUNT = sizeof things / sizeof things[0] };

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  *out_status = ASSAY_EXIT_OK;
  const assay_options *options = session->options;
  const char *names[THING_COUNT];
  for (int i = 0; i < THING_COUNT; i++)
    names[i] = things[i].name;
  if (options->arguments.count != 1)
    return assay_fail(err, ASSAY_INVALID,
                      "list takes one of: cases, ops, backends, pipelines, "
                      "formats, mutants, properties");
  const char *wanted = options->arguments.items[0];
  bool of_cases = strcmp(wanted, "cases") == 0;
  size_t selecting = options->suites.count + options->cases.count + options->filters.count;
  if (!of_cases && (selecting > 0 || options->shard.count > 1))
    return assay_fail(err, ASSAY_INVALID,
                      "--suite, --case, --filter and --shard are for `assay list cases`");
  for (int i = 0; i < THING_COUNT; i++)
    if (strcmp(things[i].name, wanted) == 0)
      return things[i].list(session, err);
  return assay_fail(err, ASSAY_INVALID, "unknown list '%s'%s", wanted,
                    assay_hint(session->arena, wanted, names, THING_COUNT));
}

static const char *const accepted[] = {"suite", "case", "filter", "shard", NULL};

const assay_verb assay_verb_list = {
    .name = "list",
    .summary = "cases, ops, backends, pipelines, formats, mutants, properties: one name a line",
    .arguments = "cases|ops|backends|pipelines|formats|mutants|properties",
    .about =
        "Lists what can be named in other commands, one name a line. Cases are those of a suite\n"
        "(default: standard) or of --case that the filters select.\n",
    .example = "  assay list cases --filter 'linear dtype=f64' | wc -l\n",
    .exits = "  0  listed\n  2  the question cannot be answered as asked\n",
    .options = accepted,
    .run = run,
};
