// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/tool.h"

#include "compiler/base/file.h"
#include "compiler/base/clock.h"
#include "harness/ledger/bundle.h"
#include "harness/ledger/manifest.h"
#include "harness/reduce/command.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

// It tries one variant after the other, each in a process of its own, and seldom finds more: it
// gets half as long as our own search took, within these bounds, and nothing that is as small as
// this.
static const double LEAST_SECONDS = 3, MOST_SECONDS = 15;
enum { SMALL = 2 };

// A bundle of the best so far, and the test beside it: exit code 1 where it is interesting.
static assay_code lay_out(const assay_search *search, const char *folder, const char *self,
                          assay_error *err) {
  const assay_reduction_request *request = search->request;
  assay_arena *arena = search->arena;
  const char *plugins = request->ledger->plugin_words, *others = request->ledger->option_words;
  const assay_manifest manifest = {
      .module = "before.mlir",
      .pipeline = request->pipeline,
      .whole = request->pipeline,
      .pass = search->found->symptom.pass,
      .fault = search->found->symptom.fault,
      .entry = request->entry,
      .reason = search->found->symptom.reason,
      .words = assay_arena_format(arena, "%s%s", plugins != NULL ? plugins : "",
                                  others != NULL ? others : ""),
  };
  const char *const modules[] = {"before.mlir", "input.mlir"};
  for (int i = 0; i < 2; i++)
    TRY(assay_file_write(assay_arena_format(arena, "%s/%s", folder, modules[i]),
                         search->found->text, err));
  TRY(assay_file_write(assay_arena_format(arena, "%s/pass", folder), request->pipeline, err));
  TRY(assay_manifest_write(&manifest, assay_arena_format(arena, "%s/bundle.json", folder), err));
  const char *test = assay_arena_format(arena, "%s/test", folder);
  TRY(assay_file_write(
      test,
      assay_arena_format(arena, "#!/bin/sh\nexec '%s' reduce '%s' --quiet --check=\"$1\"\n", self,
                         folder),
      err));
  if (chmod(test, 0700) != 0)
    return assay_fail_at(err, ASSAY_FAILED, test, 0, 0, "cannot be made executable");
  return ASSAY_OK;
}

static const char *say(assay_search *search, const char *what) {
  search->found->tool = assay_arena_format(search->arena, "mlir-reduce %s", what);
  return search->found->tool;
}

// What it wrote, as one more candidate.
static assay_code take_over(assay_search *search, const char *path, assay_error *err) {
  assay_file file;
  assay_error ignored;
  if (assay_file_read(search->arena, path, &file, &ignored) != ASSAY_OK || file.size == 0) {
    say(search, "gave nothing");
    return ASSAY_OK;
  }
  const assay_candidate candidate = {.text = file.bytes};
  assay_tried tried;
  int shown, before = search->found->size;
  TRY(assay_candidates_try(&search->question, &candidate, 1, false, &tried, &shown, err));
  search->found->tried++;
  if (shown < 0 || tried.size >= before) {
    say(search, "made it no smaller");
    return ASSAY_OK;
  }
  search->found->shown++;
  say(search, assay_arena_format(search->arena, "took away %d more", before - tried.size));
  return assay_search_accept(search, &tried, err);
}

static assay_code run(assay_search *search, const char *tool, const char *folder,
                      assay_error *err) {
  char self[PATH_MAX];
  ssize_t length = readlink("/proc/self/exe", self, sizeof self - 1);
  if (length <= 0)
    return ASSAY_OK;
  self[length] = '\0';
  TRY(lay_out(search, folder, self, err));
  assay_arena *arena = search->arena;
  double left = assay_search_left(search), own = assay_clock_now() - search->started;
  double limit = fmin(left, fmax(LEAST_SECONDS, fmin(own / 2, MOST_SECONDS)));
  const char *out = assay_arena_format(arena, "%s/out.mlir", folder);
  const char *const words[] = {
      tool,
      assay_arena_format(arena, "%s/before.mlir", folder),
      assay_arena_format(arena, "--reduction-tree=traversal-mode=0 test=%s/test", folder),
      "-o",
      out,
      NULL};
  assay_command it = {.words = words, .seconds = limit};
  TRY(assay_command_run(search->request->ledger, arena, "mlir-reduce", &it, err));
  if (!it.ended) {
    say(search, "did not come to an end in time");
    return ASSAY_OK;
  }
  if (it.status == 0)
    return take_over(search, out, err);
  say(search, "cannot read it");
  return ASSAY_OK;
}

assay_code assay_tool_run(assay_search *search, assay_error *err) {
  assay_arena *arena = search->arena;
  const char *tool = assay_llvm_tool(arena, "mlir-reduce");
  if (tool == NULL || search->found->size <= SMALL || search->request->without_tool ||
      assay_search_is_over(search))
    return ASSAY_OK;
  const char *place = getenv("TMPDIR");
  char *folder = assay_arena_string(
      arena, assay_arena_format(arena, "%s/assay-reduce-XXXXXX",
                                place != NULL && place[0] != '\0' ? place : "/tmp"));
  if (mkdtemp(folder) == NULL)
    return ASSAY_OK; // it is only an attempt
  if (search->request->progress != NULL)
    search->request->progress(search->request->user, "mlir-reduce", search->found->size,
                              search->found->tried);
  assay_error reason;
  assay_code code = run(search, tool, folder, &reason);
  unlink(assay_arena_format(arena, "%s/test", folder));
  unlink(assay_arena_format(arena, "%s/out.mlir", folder));
  assay_bundle_remove(arena, folder);
  if (code == ASSAY_OK || search->found->tool[0] == '\0')
    return ASSAY_OK;
  *err = reason;
  return code;
}
