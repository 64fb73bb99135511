// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What becomes of a program and its folder, however it ends and whoever dies.
#include "gpu/driver/keeper.h"

#include "compiler/base/clock.h"
#include "compiler/base/file.h"
#include "gpu/driver/cubin_testing.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

// In TMPDIR nothing else is.
static int set_up_place(void **state) {
  set_up(state);
  char *place = assay_arena_format(arena, "%s/place", folder);
  setenv("TMPDIR", place, 1);
  return mkdir(place, 0700);
}

static bool place_is_empty(void) {
  DIR *list = opendir(assay_arena_format(arena, "%s/place", folder));
  int count = 0;
  while (list != NULL && readdir(list) != NULL)
    count++;
  if (list != NULL)
    closedir(list);
  return count == 2; // "." and ".."
}

static int tear_down_place(void **state) {
  bool empty = place_is_empty();
  unsetenv("TMPDIR");
  tear_down(state);
  return empty ? 0 : -1;
}

// A program that has started another, whose number it leaves, and waits for it.
static const char hanging[] = "#!/bin/sh\n"
                              "sleep 600 &\n"
                              "echo $! >\"$0.number\"\n"
                              "wait\n";

static assay_kept_order order_of(const char *text, double seconds) {
  write_program("program", text);
  const char **line = assay_arena_take(arena, 2, sizeof *line);
  line[0] = assay_arena_format(arena, "%s/bin/program", folder);
  return (assay_kept_order){.line = line, .seconds = seconds};
}

// What is 0 until the program has started the other.
static pid_t started_number(void) {
  assay_file file;
  const char *path = assay_arena_format(arena, "%s/bin/program.number", folder);
  bool there = assay_file_read(arena, path, &file, &err) == ASSAY_OK && file.size > 0;
  return there ? (pid_t)strtol(file.bytes, NULL, 10) : 0;
}

// A process that nobody has waited for yet is not alive.
static bool is_alive(pid_t number) {
  assay_file file;
  const char *path = assay_arena_format(arena, "/proc/%d/stat", (int)number);
  if (assay_file_read(arena, path, &file, &err) != ASSAY_OK)
    return false;
  const char *after = strrchr(file.bytes, ')');
  return after != NULL && after[2] != 'Z' && after[2] != 'X';
}

static bool started(void) {
  return started_number() > 0;
}

static bool all_is_gone(void) {
  return !is_alive(started_number()) && place_is_empty();
}

static void wait_until(bool (*holds)(void), const char *what) {
  double deadline = assay_clock_now() + 20;
  while (!holds() && assay_clock_now() < deadline)
    nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
  if (!holds())
    fail_msg("not within 20 s: %s", what);
}

static void files_are_there_until_it_is_let_go(void **state) {
  (void)state;
  assay_kept kept;
  assay_file file;
  assay_kept_order order =
      order_of("#!/bin/sh\ncat input >output\necho said\necho too >&2\nexit 3\n", 20);
  order.input_name = "input";
  order.input = "what it reads\n";
  must(assay_keeper_run(&order, &kept, &err));
  assert_false(kept.late);
  assert_int_equal(WEXITSTATUS(kept.status), 3);
  must(assay_file_read(arena, assay_arena_format(arena, "%s/output", kept.folder), &file, &err));
  assert_string_equal(file.bytes, order.input);
  must(assay_file_read(arena, assay_arena_format(arena, "%s/log", kept.folder), &file, &err));
  assert_string_equal(file.bytes, "said\ntoo\n");
  assay_keeper_let_go(&kept);
  assert_true(place_is_empty());
}

static void what_is_late_ends_with_all_it_started(void **state) {
  (void)state;
  assay_kept kept;
  const assay_kept_order order = order_of(hanging, 1);
  must(assay_keeper_run(&order, &kept, &err));
  assert_true(kept.late);
  assay_keeper_let_go(&kept);
  assert_true(place_is_empty());
  wait_until(all_is_gone, "the program's own program ends");
}

static void what_it_leaves_running_ends_with_it(void **state) {
  (void)state;
  assay_kept kept;
  const assay_kept_order order = order_of("#!/bin/sh\nsleep 600 &\necho $! >\"$0.number\"\n", 20);
  must(assay_keeper_run(&order, &kept, &err));
  assert_int_equal(kept.status, 0);
  assay_keeper_let_go(&kept);
  wait_until(all_is_gone, "what it left running ends");
}

// As the process of a case is when its time is over: by its group.
static void kill_parent(pid_t parent) {
  kill(-parent, SIGKILL);
  waitpid(parent, NULL, 0);
  wait_until(all_is_gone, "the program ends with its parent, and its folder goes");
}

static void it_ends_with_the_parent(void **state) {
  (void)state;
  const assay_kept_order order = order_of(hanging, 600);
  pid_t parent = fork();
  if (parent == 0) {
    assay_kept kept;
    setpgid(0, 0);
    _exit(assay_keeper_run(&order, &kept, &err) == ASSAY_OK ? 0 : 1);
  }
  setpgid(parent, parent);
  wait_until(started, "the program starts");
  kill_parent(parent);
}

static void its_files_go_with_the_parent(void **state) {
  (void)state;
  const assay_kept_order order = order_of("#!/bin/sh\necho made >kernels.cubin\n", 20);
  int ends[2];
  char byte = 0;
  assert_int_equal(pipe(ends), 0);
  pid_t parent = fork();
  if (parent == 0) {
    assay_kept kept;
    setpgid(0, 0);
    if (assay_keeper_run(&order, &kept, &err) == ASSAY_OK && write(ends[1], "x", 1) == 1)
      pause();
    _exit(1);
  }
  setpgid(parent, parent);
  assert_int_equal(read(ends[0], &byte, 1), 1);
  close(ends[0]);
  close(ends[1]);
  assert_false(place_is_empty());
  kill(-parent, SIGKILL);
  waitpid(parent, NULL, 0);
  wait_until(place_is_empty, "the folder goes with the parent");
}

static void what_prints_without_end_is_ended(void **state) {
  (void)state;
  assay_kept kept;
  const assay_kept_order order = order_of("#!/bin/sh\nexec cat /dev/zero\n", 60);
  must(assay_keeper_run(&order, &kept, &err));
  assert_false(kept.late);
  assert_true(WIFSIGNALED(kept.status));
  assert_int_equal(WTERMSIG(kept.status), SIGXFSZ);
  assay_keeper_let_go(&kept);
}

static void what_cannot_be_started_is_said(void **state) {
  (void)state;
  assay_kept kept;
  assay_kept_order order = order_of("", 20);
  must_say(assay_keeper_run(&order, &kept, &err), ASSAY_FAILED, "cannot start: Exec format error");
  assert_string_equal(err.where, order.line[0]);
  unlink(order.line[0]);
  must_say(assay_keeper_run(&order, &kept, &err), ASSAY_FAILED,
           "cannot start: No such file or directory");
  assert_true(place_is_empty());
  char *place = assay_arena_string(arena, getenv("TMPDIR"));
  setenv("TMPDIR", "/dev/null", 1);
  must_say(assay_keeper_run(&order, &kept, &err), ASSAY_FAILED,
           "cannot make a folder for ptxas: Not a directory");
  setenv("TMPDIR", assay_arena_format(arena, "/tmp/%01100d", 1), 1);
  must_say(assay_keeper_run(&order, &kept, &err), ASSAY_FAILED,
           "cannot make a folder for ptxas: File name too long");
  setenv("TMPDIR", place, 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up_place, tear_down_place)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(files_are_there_until_it_is_let_go),  TEST(what_is_late_ends_with_all_it_started),
      TEST(what_it_leaves_running_ends_with_it), TEST(it_ends_with_the_parent),
      TEST(its_files_go_with_the_parent),        TEST(what_prints_without_end_is_ended),
      TEST(what_cannot_be_started_is_said),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
