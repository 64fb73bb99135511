// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay compare BASE NEW.
#include "harness/cli/color.h"
#include "harness/cli/comparison.h"

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  const assay_names *arguments = &session->options->arguments;
  assay_comparison_output output;
  assay_comparison_request request = {.paired = false};
  if (arguments->count != 2)
    return assay_fail(err, ASSAY_INVALID, "compare takes two arguments, BASE and NEW, found %zu",
                      arguments->count);
  const char *base = arguments->items[0], *new = arguments->items[1];
  TRY(assay_comparison_plan(session, &output, err));
  TRY(assay_comparison_thresholds(session, &request.thresholds, err));
  assay_record *base_records, *new_records;
  TRY(assay_comparison_read(session->arena, session, base, session->options->every_pass,
                            &base_records, &request.base_count, err));
  TRY(assay_comparison_read(session->arena, session, new, session->options->every_pass,
                            &new_records, &request.new_count, err));
  request.base = base_records;
  request.new = new_records;
  return assay_comparison_answer(session, &request, &output, out_status, err);
}

static const char *const accepted[] = {"gate", "thresholds", "passes", "format", "store", NULL};

const assay_verb assay_verb_compare = {
    .name = "compare",
    .summary = "two sets of records: verdicts, margins, counters, timings, vanished cases",
    .arguments = "BASE NEW",
    .about =
        "Compares records by their key: verdicts; margins that grew by a factor; counters "
        "exactly;\n"
        "timings by rank statistics with intervals, at a false-alarm rate that all rows share. A\n"
        "case, a timing or a counter that vanished is a finding, and so is a new case that is "
        "bad.\n"
        "BASE and NEW are a FILE.jsonl, a folder with run.jsonl, a store, STORE@TAG or\n"
        "STORE@REVISION, or a tag or revision of --store (by default assay-out/assay.db). Another\n"
        "CPU, BLAS, LLVM, GPU or driver makes timings UNSURE, never SLOWER, and another ptxas what "
        "it\n"
        "counts. --format json=FILE writes the rows, in the place of nothing that is read.\n",
    .example = "  assay compare baseline/run.jsonl assay-out/latest --gate\n",
    .exits = "  0  compared; with --gate: and no row fails it\n"
             "  1  with --gate: a row fails it\n"
             "  2  no case is in both, or the question cannot be answered as asked\n",
    .options = accepted,
    .run = run,
};
