// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How children end, and what becomes of what they say.
#include "harness/isolate/isolate_testing.h"

#include <stdlib.h>
#include <unistd.h>

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
      cmocka_unit_test(captures_what_is_printed),
      cmocka_unit_test(kills_grandchildren),
      cmocka_unit_test(notices_a_child_that_closed_its_channel),
      cmocka_unit_test(goes_on_after_any_ending),
      cmocka_unit_test(stops_when_told_to),
      cmocka_unit_test(passes_on_a_failing_hook),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
