// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/parent.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

// Has a child that says that it is there, and waits for a signal; waits itself.
static _Noreturn void be_parent(const int ends[2]) {
  pid_t parent = getpid();
  if (fork() == 0) {
    assay_parent_follow(parent, SIGKILL);
    (void)!write(ends[1], "x", 1);
  }
  for (;;)
    pause();
}

static void a_child_ends_with_its_parent(void **state) {
  (void)state;
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  pid_t parent = fork();
  if (parent == 0)
    be_parent(ends);
  close(ends[1]);
  assert_int_equal(read(ends[0], &byte, 1), 1);
  kill(parent, SIGKILL);
  assert_int_equal(waitpid(parent, NULL, 0), parent);
  assert_int_equal(read(ends[0], &byte, 1), 0); // nobody holds the other end any more
  close(ends[0]);
}

static void a_child_whose_parent_is_gone_ends_at_once(void **state) {
  (void)state;
  int status;
  pid_t child = fork();
  if (child == 0) {
    assay_parent_follow(getpid(), SIGKILL); // which is not its parent
    _exit(EXIT_SUCCESS);
  }
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_FAILURE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_child_ends_with_its_parent),
      cmocka_unit_test(a_child_whose_parent_is_gone_ends_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
