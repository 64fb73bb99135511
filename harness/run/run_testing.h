// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of a run share: jobs of backends that are faulty on purpose, and what a listener
// is told of them.
#ifndef ASSAY_HARNESS_RUN_TESTING_H
#define ASSAY_HARNESS_RUN_TESTING_H

#include "harness/run/run.h"

#include "harness/run/hidden/faulty.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { PLENTY = 60 }; // seconds; a limit that nothing here comes near

enum { MAX_RECORDS = 128 };

// Collects what the listener is told.
typedef struct journal {
  assay_arena *arena;
  assay_record records[MAX_RECORDS];
  size_t count;
  size_t fails_at;            // the record that the listener fails on, from 1; or 0
  volatile sig_atomic_t stop; // set with the first record, as an interrupt would
} journal;

static inline assay_code collect(void *user, const assay_record *record, assay_error *err) {
  journal *it = user;
  if (it->count >= MAX_RECORDS)
    return assay_fail(err, ASSAY_FAILED, "more records than jobs");
  // Through the record's text, which is what a reader gets.
  const char *text = assay_record_print(it->arena, record);
  assay_record *copy = &it->records[it->count++];
  it->stop = 1;
  if (assay_record_parse(it->arena, "listener", 0, text, strlen(text), copy, err) != ASSAY_OK)
    return err->code;
  return it->count == it->fails_at ? assay_fail(err, ASSAY_FAILED, "the disk is full") : ASSAY_OK;
}

typedef struct bench {
  assay_arena *arena;
  assay_cases cases;
  const assay_case *a_case; // of the positive jobs
  const assay_reference *reference;
  assay_backend backends[40];
  assay_opened opened[40];
  int opened_count;
  assay_job jobs[MAX_RECORDS];
  size_t job_count;
  journal journal;
} bench;

static const char case_line[] = "matmul m=3 k=5 n=7";
static const char square_line[] = "matmul m=5 k=5 n=5"; // one that has properties

static inline const assay_case *add_case(bench *it, const char *line) {
  assay_error err;
  assert_int_equal(assay_cases_parse_line(it->arena, "--case", 0, line, &it->cases, &err),
                   ASSAY_OK);
  assay_case *copy = assay_arena_take(it->arena, 1, sizeof *copy);
  *copy = it->cases.items[it->cases.count - 1];
  return copy;
}

static inline bench *bench_of(const char *line) {
  assay_arena *arena = assay_arena_create();
  bench *it = assay_arena_take(arena, 1, sizeof *it);
  it->arena = arena;
  it->journal.arena = arena;
  it->a_case = add_case(it, line);
  assay_reference_need need = {.line = it->a_case->line, .op = "matmul", .result_count = 1};
  assay_error err;
  if (assay_reference_load(arena, ASSAY_SOURCE_DIR, &need, &it->reference, &err) != ASSAY_OK)
    fail_msg("%s: %s", err.where, err.text);
  return it;
}

static inline bench *bench_create(void) {
  return bench_of(case_line);
}

static inline void bench_destroy(bench *it) {
  assay_arena_destroy(it->arena);
}

static inline const assay_opened *open_backend(bench *it, const char *name) {
  int i = it->opened_count++;
  it->backends[i] = assay_faulty_backend(name);
  it->opened[i].backend = &it->backends[i];
  assay_error err;
  assert_int_equal(it->backends[i].open(NULL, &it->opened[i].device, &err), ASSAY_OK);
  return &it->opened[i];
}

static inline assay_job *add_job(bench *it, const assay_opened *opened, const char *data) {
  assay_job *job = &it->jobs[it->job_count++];
  *job =
      (assay_job){.a_case = it->a_case, .opened = opened, .data = data, .reference = it->reference};
  return job;
}

static inline void add_both(bench *it, const char *backend) {
  const assay_opened *opened = open_backend(it, backend);
  add_job(it, opened, "int");
  add_job(it, opened, "real");
}

static inline assay_code run_bench(bench *it, int parallel, double seconds,
                                   volatile sig_atomic_t *stop) {
  const assay_run_options options = {
      .parallel = parallel, .seconds = seconds, .memory_bytes = 64000000, .stop = stop};
  const assay_run_listener listener = {.user = &it->journal, .finished = collect};
  assay_error err;
  return assay_run_jobs(it->jobs, it->job_count, &options, &listener, &err);
}

// The one record of that backend and data set.
static inline const assay_record *record_of(const bench *it, const char *backend,
                                            const char *data) {
  const assay_record *found = NULL;
  for (size_t i = 0; i < it->journal.count; i++) {
    const assay_record *each = &it->journal.records[i];
    if (strcmp(each->backend, backend) == 0 && strcmp(each->data, data) == 0) {
      assert_null(found);
      found = each;
    }
  }
  assert_non_null(found);
  return found;
}

static inline void check_record(const bench *it, const char *backend, const char *data,
                                assay_verdict verdict, const char *reason) {
  const assay_record *record = record_of(it, backend, data);
  const char *got = record->reason != NULL ? record->reason : "";
  if (record->verdict != verdict || (reason[0] == '\0') != (got[0] == '\0') ||
      strncmp(got, reason, strlen(reason)) != 0)
    fail_msg("%s, %s: %s '%s', want %s '%s'", backend, data, assay_verdict_name(record->verdict),
             got, assay_verdict_name(verdict), reason);
}

#endif
