// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/comparison.h"

#include "harness/cli/color.h"
#include "harness/cli/message.h"
#include "harness/cli/places.h"
#include "results/compare/table.h"
#include "results/compare/unmatched.h"
#include "results/store/source.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

assay_code assay_comparison_plan(const assay_session *session, assay_comparison_output *out_output,
                                 assay_error *err) {
  static const char start[] = "json=";
  const assay_names *formats = &session->options->formats;
  *out_output = (assay_comparison_output){.json = NULL};
  for (size_t i = 0; i < formats->count; i++) {
    const char *given = formats->items[i];
    if (strncmp(given, start, strlen(start)) != 0 || given[strlen(start)] == '\0')
      return assay_fail(err, ASSAY_INVALID,
                        "--format: a comparison is written as json=FILE only, found '%s'", given);
    if (out_output->json != NULL)
      return assay_fail(err, ASSAY_INVALID, "--format: json is given twice: '%s' and '%s'",
                        out_output->json, given + strlen(start));
    out_output->json = given + strlen(start);
  }
  return assay_places_check_reports(session, &out_output->json, out_output->json != NULL, err);
}

assay_code assay_comparison_thresholds(const assay_session *session,
                                       const assay_thresholds **out_thresholds, assay_error *err) {
  assay_file file;
  bool given = session->options->thresholds != NULL;
  if (given)
    TRY(assay_file_read(session->arena, session->options->thresholds, &file, err));
  return assay_thresholds_read(session->arena, given ? &file : NULL, out_thresholds, err);
}

assay_code assay_comparison_read(assay_arena *arena, const assay_session *session, const char *word,
                                 bool full, assay_record **out_records, size_t *out_count,
                                 assay_error *err) {
  const char *store =
      session->options->store != NULL ? session->options->store : ASSAY_DEFAULT_STORE;
  TRY(assay_source_read(arena, word, store, full, out_records, out_count, err));
  if (*out_count == 0)
    return assay_fail_at(err, ASSAY_INVALID, word, 0, 0, "expected records, found none");
  return ASSAY_OK;
}

void assay_comparison_note(assay_arena *arena, const assay_comparison_request *request) {
  const char *const *sentences;
  size_t count = assay_thresholds_unmatched(arena, request, &sentences);
  for (size_t i = 0; i < count; i++)
    assay_message_note("%s", sentences[i]);
}

static assay_code fail_write(const char *path, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
}

static bool write_to(FILE *stream, assay_arena *arena, const assay_comparison *comparison,
                     const assay_pass_comparison *passes) {
  assay_comparison_print_json(stream, arena, comparison, passes);
  bool written = fflush(stream) == 0 && !ferror(stream);
  return fclose(stream) == 0 && written;
}

// A whole new file takes the place of an old one; a device or pipe is written as it is.
static assay_code write_json(assay_arena *arena, const char *path,
                             const assay_comparison *comparison,
                             const assay_pass_comparison *passes, assay_error *err) {
  struct stat status;
  bool direct = stat(path, &status) == 0 && !S_ISREG(status.st_mode);
  const char *place =
      direct ? path : assay_arena_format(arena, "%s.%ld.part", path, (long)getpid());
  FILE *stream = fopen(place, "w");
  if (stream == NULL)
    return fail_write(path, err);
  bool written = write_to(stream, arena, comparison, passes);
  if (written && (direct || rename(place, path) == 0))
    return ASSAY_OK;
  (void)!fail_write(path, err);
  if (!direct)
    unlink(place);
  return err->code;
}

assay_code assay_comparison_answer(const assay_session *session,
                                   const assay_comparison_request *request,
                                   const assay_comparison_output *output, int *out_status,
                                   assay_error *err) {
  const assay_options *options = session->options;
  const assay_comparison *comparison;
  TRY(assay_comparison_make(session->arena, request, &comparison, err));
  assay_comparison_note(session->arena, request);
  const assay_pass_comparison *passes =
      options->every_pass ? assay_passes_compare(session->arena, request) : NULL;
  bool own_stdout = output->json != NULL && strcmp(output->json, "-") == 0;
  if (output->json != NULL && !own_stdout)
    TRY(write_json(session->arena, output->json, comparison, passes, err));
  if (own_stdout) {
    assay_comparison_print_json(stdout, session->arena, comparison, passes);
  } else {
    bool color = assay_color_wanted(options->color, stdout);
    if (passes != NULL)
      assay_passes_print(stdout, session->arena, passes, color, options->verbose);
    assay_comparison_print(stdout, session->arena, comparison, color, options->verbose);
  }
  if (comparison->wrong > 0 || (options->gate && comparison->gates > 0))
    *out_status = ASSAY_EXIT_BAD;
  return ASSAY_OK;
}
