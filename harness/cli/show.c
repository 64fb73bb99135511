// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay show: one case, seen from all sides.
#include "compiler/language/listing.h"
#include "harness/case/data.h"
#include "harness/cli/agenda.h"
#include "harness/cli/listing.h"
#include "harness/cli/machine.h"
#include "harness/cli/out.h"
#include "harness/cli/stages.h"
#include "reference/oracle.h"

#include <stdlib.h>
#include <string.h>

static void print_head(const assay_session *session, const assay_subject *subject) {
  const assay_case *a_case = &subject->a_case;
  printf("case     %s\nfrom     %s\nformula  %s\n", a_case->line, a_case->origin,
         a_case->op->formula);
  if (a_case->xfail != NULL)
    printf("xfail    %s\n", a_case->xfail);
  printf("run      assay run --%s '%s'\n", a_case->standard ? "filter" : "case", a_case->line);
  if (subject->program != NULL)
    printf("save     assay show '%s' --save DIR\n",
           assay_case_key(session->arena, a_case, subject->data,
                          subject->backend != NULL ? subject->backend->name : "loop"));
}

static assay_code print_inputs(const assay_session *session, const assay_subject *subject,
                               assay_error *err) {
  const assay_program *program = subject->program;
  for (int i = 0; i < program->input_count; i++) {
    const assay_node *node = &program->nodes[program->inputs[i]];
    size_t size = (size_t)assay_shape_count(&node->shape) * assay_dtype_get(node->dtype)->size;
    assay_buffer buffer = {.data = malloc(size), .dtype = node->dtype, .shape = node->shape};
    if (buffer.data == NULL)
      return assay_fail(err, ASSAY_FAILED, "no memory for the %zu bytes of input %d", size, i);
    assay_data_fill(subject->a_case.line, subject->data, node->attribute.name, &buffer);
    printf("\ninput %d: %s", i, assay_listing_array(session->arena, node->attribute.name, &buffer));
    free(buffer.data);
  }
  return ASSAY_OK;
}

static assay_code print_expected(const assay_session *session, const assay_subject *subject,
                                 assay_error *err) {
  const assay_reference *reference;
  bool live;
  TRY(assay_agenda_reference(session, &subject->a_case, &reference, &live, err));
  for (int i = 0; i < subject->program->result_count; i++) {
    assay_expected expected;
    TRY(assay_reference_get(reference, subject->data, i, &expected, err));
    printf(
        "\nresult %d, data %s, reference %s:\n%s", i, subject->data,
        live ? "live"
             : assay_reference_path(session->arena, subject->a_case.op->name, subject->a_case.line),
        assay_listing_expected(session->arena, &expected));
  }
  return ASSAY_OK;
}

static assay_code print_all(const assay_session *session, const assay_subject *subject,
                            assay_error *err) {
  print_head(session, subject);
  if (subject->program == NULL) {
    printf("rejected %s\n", subject->rejection);
    return ASSAY_OK;
  }
  printf("\nprogram:\n%s\ntensor IR:\n", assay_program_list(session->arena, subject->program));
  TRY(assay_stages_print(session, subject, "tensor", stdout, err));
  TRY(print_inputs(session, subject, err));
  return print_expected(session, subject, err);
}

static assay_code print_stage(const assay_session *session, const assay_subject *subject,
                              assay_error *err) {
  const char *stage = session->options->stage;
  const char *listing = assay_program_list(session->arena, subject->program);
  if (strcmp(stage, "program") == 0) {
    fputs(listing, stdout);
    return ASSAY_OK;
  }
  if (strcmp(stage, "all") == 0) {
    printf("// program\n");
    for (const char *line = listing; *line != '\0'; line += strcspn(line, "\n") + 1)
      printf("//   %.*s\n", (int)strcspn(line, "\n"), line);
  }
  return assay_stages_print(session, subject, stage, stdout, err);
}

static assay_code save_module(const assay_session *session, const assay_subject *subject,
                              const char *folder, assay_error *err) {
  const char *path = assay_arena_format(session->arena, "%s/module.mlir", folder);
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write");
  assay_code code = assay_stages_print(session, subject, "tensor", file, err);
  if (fclose(file) != 0 && code == ASSAY_OK)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write");
  return code;
}

// The program as a graph, into a file or, for "-", to standard output.
static assay_code draw(const assay_session *session, const assay_subject *subject,
                       assay_error *err) {
  const char *path = session->options->dot;
  const char *graph = assay_program_dot(session->arena, subject->program);
  if (strcmp(path, "-") == 0) {
    fputs(graph, stdout);
    return ASSAY_OK;
  }
  FILE *file = fopen(path, "w");
  if (file == NULL)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write");
  bool written = fputs(graph, file) >= 0;
  if (fclose(file) != 0 || !written)
    return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write");
  return ASSAY_OK;
}

static assay_code save(const assay_session *session, const assay_subject *subject,
                       assay_error *err) {
  const char *folder = session->options->save;
  TRY(assay_folder_make(folder, err));
  TRY(save_module(session, subject, folder, err));
  const char *const arguments[] = {"save", subject->a_case.line, subject->data, folder, NULL};
  assay_oracle_answer answer;
  double seconds = assay_oracle_patience("", 0);
  if (session->options->timeout > seconds)
    seconds = session->options->timeout;
  TRY(assay_oracle_run_within(session->arena, session->root, arguments, "", 0, ASSAY_CAPTURE_ALL,
                              seconds, &answer, err));
  if (subject->backend != NULL)
    TRY(assay_stages_save_results(session, subject, folder, err));
  printf("saved in %s\n", folder);
  return ASSAY_OK;
}

// A backend that is asked for by name must be usable, but for its stages: its pipeline needs no
// device and no library.
static assay_code check_backend(const assay_session *session, const assay_subject *subject,
                                assay_error *err) {
  const assay_options *options = session->options;
  bool runs = options->stage == NULL || options->save != NULL;
  if (subject->backend == NULL || !runs)
    return ASSAY_OK;
  const char *name = subject->backend->name;
  assay_names names = {.items = &name, .count = 1};
  assay_machine machine;
  TRY(assay_machine_open(session, &names, &machine, err));
  assay_machine_close(&machine);
  return ASSAY_OK;
}

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  *out_status = ASSAY_EXIT_OK;
  const assay_options *options = session->options;
  assay_subject subject;
  TRY(assay_subject_find(session, &subject, err));
  TRY(check_backend(session, &subject, err));
  bool chosen = options->stage != NULL || options->save != NULL || options->dot != NULL;
  if (subject.program == NULL && chosen)
    return assay_fail(err, ASSAY_INVALID, "the language rejects this case, so there is no IR: %s",
                      subject.rejection);
  if (options->dot != NULL)
    TRY(draw(session, &subject, err));
  if (options->save != NULL)
    TRY(save(session, &subject, err));
  if (options->stage != NULL)
    return print_stage(session, &subject, err);
  return chosen ? ASSAY_OK : print_all(session, &subject, err);
}

static const char *const accepted[] = {"suite", "case", "filter",  "data",   "backend", "stage",
                                       "save",  "dot",  "timeout", "memory", NULL};

const assay_verb assay_verb_show = {
    .name = "show",
    .summary = "one case: its program, IR, inputs, expected values, error scale, commands",
    .arguments = "[CASE]",
    .about =
        "Shows a case: CASE is a case line, a record's key, or a filter that selects one case of\n"
        "the suite. Without it, the one case that --case, --suite and --filter select is shown.\n"
        "--data is int unless given; stages after tensor are those of --backend's pipeline (loop\n"
        "unless given). With --stage only that is printed, so that mlir-opt can read it; all is a\n"
        "module for each stage. A backend that is not usable here has its stages all the same.\n",
    .example = "  assay show 'matmul m=3 k=5 n=7' --stage tensor | mlir-opt-22\n",
    .exits = "  0  shown\n  2  no such case, or it cannot be shown as asked\n",
    .options = accepted,
    .run = run,
};
