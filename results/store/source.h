// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sources: a word on the command line that names records.
//
//   FILE.jsonl     a run's records
//   FOLDER         the run.jsonl in it
//   STORE          a store's records: of each key the newest
//   STORE@WHAT     those of a tag, of a revision or an unambiguous beginning of one, or of
//   "latest",
//                  the revision that ran last
//   WHAT           the same of the default store
//
// A source may hold several records of one kind and key. The newest of them (by its start, then by
// its place) stands for all, and has the samples of all that were measured alike, in the order of
// their starts, and the medians of these as its seconds: in the same environment, with as many
// threads, as cold, of the same work, by a machine in the same state; where the revision does not
// tell what was measured (none, or "-dirty") in the same batch, too, unless they have the tag that
// was asked for. The state is the same where no measured peak of one is above that of another by
// more than ASSAY_SOURCE_PEAK_DIFFERENCE of it; from the newest back each that fits is taken. The
// same record (environment with peaks, and start) read twice counts once.
#ifndef ASSAY_RESULTS_STORE_SOURCE_H
#define ASSAY_RESULTS_STORE_SOURCE_H

#include "results/record/record.h"

// As "peak-difference" of results/compare/default.thresholds.
#define ASSAY_SOURCE_PEAK_DIFFERENCE 0.1

// Reads what a word names, into the arena. default_store: a path; it need not be there. full: with
// all fields; else of records from a store only the identity (kind, key, case, op, backend, data,
// started, environment, clock), the verdict with margin, reason and first_bad's number, name and
// class, all timings and all counters. Whoever wants 100,000 records quickly asks for no more.
// ASSAY_MISSING where nothing has that name, with what there is; ASSAY_INVALID with file and line
// for what is no record, and for an ambiguous beginning; as assay_store_open_reading besides.
ASSAY_MUST_USE assay_code assay_source_read(assay_arena *arena, const char *word,
                                            const char *default_store, bool full,
                                            assay_record **out_records, size_t *out_count,
                                            assay_error *err);

// The same, full, and each record of its own as it was read, for whoever merges several sources or
// stores them. *out_batches: which of them may be of one invocation where the revision does not
// tell: 0 for those of a file or of a tag, else an invocation of the store.
ASSAY_MUST_USE assay_code assay_source_read_each(assay_arena *arena, const char *word,
                                                 const char *default_store,
                                                 assay_record **out_records, int64_t **out_batches,
                                                 size_t *out_count, assay_error *err);

// What several records of one kind and key come to, as above; the batch of each is its number in
// batches (NULL: all of one). Each is in the place of its first. In the arena.
void assay_records_merge(assay_arena *arena, const assay_record records[], const int64_t batches[],
                         size_t count, assay_record **out_merged, size_t *out_count);

#endif
