// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/isolate/isolate.h"

#include "compiler/base/shared.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

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

static void *next(void *user) {
  bench *it = user;
  return it->given < it->count ? &it->tasks[it->given++] : NULL;
}

static void body(void *user, void *the_task, const assay_channel *channel) {
  (void)user;
  ((task *)the_task)->body(channel);
}

static assay_code message(void *user, void *the_task, const void *bytes, assay_error *err) {
  bench *it = user;
  int value;
  memcpy(&value, bytes, sizeof value);
  ((task *)the_task)->messages++;
  ((task *)the_task)->sum += value;
  return it->answer == ASSAY_OK ? ASSAY_OK : assay_fail(err, it->answer, "the disk is full");
}

static assay_code ended(void *user, void *the_task, assay_ending ending, const char *reason,
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

static assay_code run_bench(bench *it, int parallel, double seconds, volatile sig_atomic_t *stop) {
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
static task run_one(void (*the_body)(const assay_channel *), double seconds, assay_ending ending,
                    const char *reason) {
  bench it = {.tasks = {{.body = the_body}}, .count = 1};
  assert_int_equal(run_bench(&it, 1, seconds, NULL), ASSAY_OK);
  assert_int_equal(it.tasks[0].endings, 1);
  assert_int_equal(it.tasks[0].ending, ending);
  if (strncmp(it.tasks[0].reason, reason, strlen(reason)) != 0)
    assert_string_equal(it.tasks[0].reason, reason);
  return it.tasks[0];
}

static void sleep_seconds(double seconds) {
  struct timespec left = {.tv_sec = (time_t)seconds,
                          .tv_nsec = (long)(1e9 * (seconds - (double)(time_t)seconds))};
  nanosleep(&left, NULL);
}

enum { PLENTY = 60 }; // seconds; a limit that no child here comes near

static void count_to_hundred(const assay_channel *channel) {
  for (int i = 1; i <= 100; i++)
    assay_channel_send(channel, &i);
}

static void hands_on_all_messages(void **state) {
  (void)state;
  task one = run_one(count_to_hundred, PLENTY, ASSAY_ENDED_WELL, "");
  assert_int_equal(one.messages, 100);
  assert_int_equal(one.sum, 5050);
  assert_string_equal(one.reason, "");
}

static void fault(const assay_channel *channel) {
  (void)channel;
  fprintf(stderr, "about to fall\n");
  raise(SIGSEGV);
}

static void abort_now(const assay_channel *channel) {
  int one = 1;
  assay_channel_send(channel, &one);
  abort();
}

static void exit_well(const assay_channel *channel) {
  (void)channel;
  _exit(0);
}

static void exit_badly(const assay_channel *channel) {
  (void)channel;
  _exit(3);
}

static void tells_how_a_child_died(void **state) {
  (void)state;
  task one = run_one(fault, PLENTY, ASSAY_ENDED_DEAD, "killed by SIGSEGV (Segmentation fault)");
  assert_non_null(strstr(one.reason, "; it printed: about to fall"));
  one = run_one(abort_now, PLENTY, ASSAY_ENDED_DEAD, "killed by SIGABRT (Aborted)");
  assert_int_equal(one.messages, 1);
  run_one(exit_well, PLENTY, ASSAY_ENDED_DEAD, "exited with status 0 before finishing");
  run_one(exit_badly, PLENTY, ASSAY_ENDED_DEAD, "exited with status 3 before finishing");
}

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

static void print_much(const assay_channel *channel) {
  (void)channel;
  for (int i = 0; i < 100000; i++)
    printf("line %d\n", i);
  fflush(stdout);
  abort();
}

// What children print never mixes into this process's streams, and only its end is kept.
static void captures_what_is_printed(void **state) {
  (void)state;
  task one = run_one(print_much, PLENTY, ASSAY_ENDED_DEAD,
                     "killed by SIGABRT (Aborted); it printed: ... ");
  const char *end = "\nline 99998\nline 99999";
  assert_true(strlen(one.reason) > strlen(end) && strlen(one.reason) < 4500);
  assert_string_equal(one.reason + strlen(one.reason) - strlen(end), end);
}

static int held_open; // the write end of a pipe that grandchildren inherit

// Leaves a process behind that holds all pipes open and would speak up after a while.
static void leave_grandchild(const assay_channel *channel) {
  (void)channel;
  if (fork() == 0) {
    sleep_seconds(3);
    (void)!write(held_open, "x", 1);
    _exit(0);
  }
}

static void leave_grandchild_and_die(const assay_channel *channel) {
  leave_grandchild(channel);
  abort();
}

static void check_no_grandchild(void (*the_body)(const assay_channel *), assay_ending ending,
                                const char *reason) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  held_open = ends[1];
  run_one(the_body, PLENTY, ending, reason);
  close(ends[1]);
  char byte;
  assert_int_equal(read(ends[0], &byte, 1), 0); // end of file: nobody holds the other end
  close(ends[0]);
}

static void kills_grandchildren(void **state) {
  (void)state;
  check_no_grandchild(leave_grandchild, ASSAY_ENDED_WELL, "");
  check_no_grandchild(leave_grandchild_and_die, ASSAY_ENDED_DEAD, "killed by SIGABRT");
}

static void close_everything(const assay_channel *channel) {
  (void)channel;
  for (int i = 0; i < 256; i++)
    close(i);
  _exit(0);
}

static void notices_a_child_that_closed_its_channel(void **state) {
  (void)state;
  run_one(close_everything, PLENTY, ASSAY_ENDED_DEAD, "exited with status 0 before finishing");
}

static void goes_on_after_any_ending(void **state) {
  (void)state;
  for (int parallel = 1; parallel <= 3; parallel++) {
    bench it = {.tasks = {{.body = fault},
                          {.body = count_to_hundred},
                          {.body = exit_well},
                          {.body = count_to_hundred},
                          {.body = abort_now},
                          {.body = count_to_hundred}},
                .count = 6};
    assert_int_equal(run_bench(&it, parallel, PLENTY, NULL), ASSAY_OK);
    for (int i = 0; i < it.count; i++) {
      assert_int_equal(it.tasks[i].endings, 1);
      assert_int_equal(it.tasks[i].ending, i % 2 == 0 ? ASSAY_ENDED_DEAD : ASSAY_ENDED_WELL);
      assert_int_equal(it.tasks[i].sum, i % 2 == 1 ? 5050 : i == 4);
    }
  }
}

static volatile sig_atomic_t stop_flag;

static void set_stop_flag(int number) {
  (void)number;
  stop_flag = 1;
}

static void interrupt_parent(const assay_channel *channel) {
  (void)channel;
  kill(getppid(), SIGUSR1);
  sleep_seconds(PLENTY);
}

// The flag's child is killed, its ending is not told, and no other child is started.
static void stops_when_told_to(void **state) {
  (void)state;
  signal(SIGUSR1, set_stop_flag);
  stop_flag = 0;
  bench it = {.tasks = {{.body = interrupt_parent}, {.body = count_to_hundred}}, .count = 2};
  assert_int_equal(run_bench(&it, 1, PLENTY, &stop_flag), ASSAY_OK);
  assert_int_equal(stop_flag, 1);
  assert_int_equal(it.tasks[0].endings, 0);
  assert_int_equal(it.given, 1);
  signal(SIGUSR1, SIG_DFL);
}

static void passes_on_a_failing_hook(void **state) {
  (void)state;
  bench it = {.tasks = {{.body = count_to_hundred}, {.body = count_to_hundred}},
              .count = 2,
              .answer = ASSAY_FAILED};
  assert_int_equal(run_bench(&it, 1, PLENTY, NULL), ASSAY_FAILED);
  assert_int_equal(it.tasks[0].messages, 1);
  assert_int_equal(it.given, 1);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hands_on_all_messages),
      cmocka_unit_test(tells_how_a_child_died),
      cmocka_unit_test(ends_a_child_that_loops),
      cmocka_unit_test(counts_time_from_the_last_message),
      cmocka_unit_test(counts_time_from_the_last_pulse),
      cmocka_unit_test(does_not_count_time_that_others_take),
      cmocka_unit_test(ends_a_child_that_eats_memory),
      cmocka_unit_test(captures_what_is_printed),
      cmocka_unit_test(kills_grandchildren),
      cmocka_unit_test(notices_a_child_that_closed_its_channel),
      cmocka_unit_test(goes_on_after_any_ending),
      cmocka_unit_test(stops_when_told_to),
      cmocka_unit_test(passes_on_a_failing_hook),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
