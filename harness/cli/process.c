// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/process.h"
#include "compiler/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// Starts argv[0] in a process group of its own, with its standard output to the descriptor.
static int start(const char *const argv[], int output, pid_t *out_pid) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  // argv is not changed: posix_spawnp lacks the const for reasons of C's type rules only.
  int reason = posix_spawnp(out_pid, argv[0], &actions, &attributes, (char *const *)argv, environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return reason;
}

// Reads up to the end, and keeps what fits. False where that does not come in time.
static bool read_answer(int input, double deadline, char answer[], size_t size) {
  size_t length = 0;
  for (;;) {
    double left = deadline - assay_clock_now();
    struct pollfd ready = {.fd = input, .events = POLLIN};
    int count = left > 0 ? poll(&ready, 1, (int)(left < 3600 ? left * 1000 : 3600e3) + 1) : 0;
    if (count == 0 && left <= 0)
      return false;
    if (count <= 0)
      continue;
    char bytes[512];
    ssize_t got = read(input, bytes, sizeof bytes);
    if (got == 0 || (got < 0 && errno != EINTR))
      break;
    size_t more = got > 0 ? (size_t)got : 0;
    if (more > size - 1 - length)
      more = size - 1 - length;
    memcpy(answer + length, bytes, more);
    length += more;
  }
  answer[length] = '\0';
  return true;
}

// Waits for the end, in time; kills the whole group where that does not come.
static bool wait_for(pid_t pid, double deadline, int *out_status) {
  const struct timespec pause = {.tv_nsec = 2000000};
  pid_t reaped;
  while ((reaped = waitpid(pid, out_status, WNOHANG)) == 0 && assay_clock_now() < deadline)
    nanosleep(&pause, NULL);
  if (reaped == pid)
    return true;
  kill(-pid, SIGKILL);
  while (waitpid(pid, out_status, 0) < 0 && errno == EINTR)
    continue;
  return false;
}

assay_code assay_process_ask(assay_arena *arena, const char *const argv[], double seconds,
                             const char **out_line, assay_error *err) {
  int ends[2];
  pid_t pid = 0;
  char answer[512] = "";
  double deadline = assay_clock_now() + seconds;
  if (pipe(ends) != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot make a pipe: %s", strerror(errno));
  for (int i = 0; i < 2; i++)
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  int reason = start(argv, ends[1], &pid), status = 0;
  close(ends[1]);
  bool in_time = reason == 0 && read_answer(ends[0], deadline, answer, sizeof answer);
  close(ends[0]);
  if (reason != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot start %s: %s", argv[0], strerror(reason));
  in_time = wait_for(pid, in_time ? deadline : 0, &status) && in_time;
  if (!in_time)
    return assay_fail(err, ASSAY_FAILED, "%s did not answer within %g s", argv[0], seconds);
  answer[strcspn(answer, "\n")] = '\0';
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0 || answer[0] == '\0')
    return assay_fail(err, ASSAY_FAILED, "%s failed", argv[0]);
  *out_line = assay_arena_string(arena, answer);
  return ASSAY_OK;
}
