// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of isolation share: children of a test, and what was told of them.
#ifndef ASSAY_HARNESS_ISOLATE_TESTING_H
#define ASSAY_HARNESS_ISOLATE_TESTING_H

#include "harness/isolate/isolate.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

enum { MAX_TASKS = 8 };

// One child of a test: what it does, and what was told of it.
typedef struct task {
  void (*body)(const assay_channel *channel);
  int messages, sum;
  int endings;
  assay_ending ending;
  char reason[8192];
} task;

typedef struct bench {
  task tasks[MAX_TASKS];
  int count, given;
  assay_code answer; // of the message hook
} bench;

static inline void *next(void *user) {
  bench *it = user;
  return it->given < it->count ? &it->tasks[it->given++] : NULL;
}

static inline void body(void *user, void *the_task, const assay_channel *channel) {
  (void)user;
  ((task *)the_task)->body(channel);
}

static inline assay_code message(void *user, void *the_task, const void *bytes, assay_error *err) {
  bench *it = user;
  int value;
  memcpy(&value, bytes, sizeof value);
  ((task *)the_task)->messages++;
  ((task *)the_task)->sum += value;
  return it->answer == ASSAY_OK ? ASSAY_OK : assay_fail(err, it->answer, "the disk is full");
}

static inline assay_code ended(void *user, void *the_task, assay_ending ending, const char *reason,
                               assay_error *err) {
  (void)user;
  (void)err;
  task *of = the_task;
  of->endings++;
  of->ending = ending;
  snprintf(of->reason, sizeof of->reason, "%s", reason);
  return ASSAY_OK;
}

static const assay_isolated_work hooks = {
    .next = next, .body = body, .message = message, .ended = ended};

static inline assay_code run_bench(bench *it, int parallel, double seconds,
                                   volatile sig_atomic_t *stop) {
  assay_isolated_work work = hooks;
  work.user = it;
  const assay_isolation isolation = {.parallel = parallel,
                                     .seconds = seconds,
                                     .memory_bytes = 64000000,
                                     .message_size = sizeof(int),
                                     .stop = stop};
  assay_error err;
  return assay_isolate(&isolation, &work, &err);
}

// Runs one child and checks how it ended; the reason must start with the given text.
static inline task run_one(void (*the_body)(const assay_channel *), double seconds,
                           assay_ending ending, const char *reason) {
  bench it = {.tasks = {{.body = the_body}}, .count = 1};
  assert_int_equal(run_bench(&it, 1, seconds, NULL), ASSAY_OK);
  assert_int_equal(it.tasks[0].endings, 1);
  assert_int_equal(it.tasks[0].ending, ending);
  if (strncmp(it.tasks[0].reason, reason, strlen(reason)) != 0)
    assert_string_equal(it.tasks[0].reason, reason);
  return it.tasks[0];
}

static inline void sleep_seconds(double seconds) {
  struct timespec left = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&left, NULL);
}

enum { PLENTY = 60 }; // seconds; a limit that no child here comes near

static inline void count_to_hundred(const assay_channel *channel) {
  for (int i = 1; i <= 100; i++)
    assay_channel_send(channel, &i);
}

#endif
