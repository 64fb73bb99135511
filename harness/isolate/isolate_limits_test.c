// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Limits of time and memory: whose time counts, and from when.
#include "harness/isolate/isolate_testing.h"

#include "compiler/base/shared.h"

#include <sched.h>
#include <stdlib.h>
#include <unistd.h>

static void loop(const assay_channel *channel) {
  (void)channel;
  sigset_t all;
  sigfillset(&all);
  sigprocmask(SIG_BLOCK, &all, NULL);
  for (volatile int i = 0;; i++)
    continue;
}

static void ends_a_child_that_loops(void **state) {
  (void)state;
  run_one(loop, 0.2, ASSAY_ENDED_LATE, "exceeded the time limit of 0.2 s");
}

// In all longer than its limit, but never so long without a message.
static void make_progress(const assay_channel *channel) {
  for (int i = 0; i < 24; i++) {
    sleep_seconds(0.05);
    assay_channel_send(channel, &i);
  }
}

static void counts_time_from_the_last_message(void **state) {
  (void)state;
  task one = run_one(make_progress, 1, ASSAY_ENDED_WELL, "");
  assert_int_equal(one.messages, 24);
}

static _Atomic int64_t *heart; // shared with the children

static int64_t feel_heart(void *user, void *the_task) {
  (void)user;
  (void)the_task;
  return *heart;
}

// Says nothing on its channel, and lives.
static void beat(const assay_channel *channel) {
  (void)channel;
  for (int i = 0; i < 24; i++) {
    sleep_seconds(0.05);
    ++*heart;
  }
}

static void counts_time_from_the_last_pulse(void **state) {
  (void)state;
  assay_shared *shared;
  assay_error err;
  assert_int_equal(assay_shared_create(4096, &shared, &err), ASSAY_OK);
  heart = assay_shared_take(shared, sizeof *heart);
  bench it = {.tasks = {{.body = beat}, {.body = loop}}, .count = 2};
  assay_isolated_work work = hooks;
  work.user = &it;
  work.pulse = feel_heart;
  const assay_isolation isolation = {
      .parallel = 1, .seconds = 0.6, .memory_bytes = 64000000, .message_size = sizeof(int)};
  assert_int_equal(assay_isolate(&isolation, &work, &err), ASSAY_OK);
  assert_int_equal(it.tasks[0].ending, ASSAY_ENDED_WELL);
  assert_int_equal(it.tasks[1].ending, ASSAY_ENDED_LATE);
  assay_shared_destroy(shared);
}

// Works for 0.3 seconds of the processor that it shares with its likes.
static void share_a_processor(const assay_channel *channel) {
  (void)channel;
  cpu_set_t one;
  CPU_ZERO(&one);
  CPU_SET(0, &one);
  sched_setaffinity(0, sizeof one, &one);
  struct timespec used;
  do
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &used);
  while ((double)used.tv_sec + 1e-9 * (double)used.tv_nsec < 0.3);
}

static void does_not_count_time_that_others_take(void **state) {
  (void)state;
  if (access("/proc/self/schedstat", R_OK) != 0)
    skip(); // the system does not tell
  bench it = {.count = MAX_TASKS};
  for (int i = 0; i < MAX_TASKS; i++)
    it.tasks[i].body = share_a_processor;
  assert_int_equal(run_bench(&it, MAX_TASKS, 0.6, NULL), ASSAY_OK);
  for (int i = 0; i < MAX_TASKS; i++)
    assert_string_equal(it.tasks[i].reason, "");
}

static void eat(const assay_channel *channel) {
  (void)channel;
  enum { BITE = 1 << 20, BITES = 1024 };
  for (int i = 0; i < BITES; i++) {
    void *bite = malloc(BITE);
    if (bite == NULL)
      abort();
    memset(bite, 1, BITE);
    sleep_seconds(0.0005);
  }
}

static void ends_a_child_that_eats_memory(void **state) {
  (void)state;
  run_one(eat, PLENTY, ASSAY_ENDED_DEAD, "exceeded the memory limit of 64 MB");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(ends_a_child_that_loops),
      cmocka_unit_test(counts_time_from_the_last_message),
      cmocka_unit_test(counts_time_from_the_last_pulse),
      cmocka_unit_test(does_not_count_time_that_others_take),
      cmocka_unit_test(ends_a_child_that_eats_memory),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
