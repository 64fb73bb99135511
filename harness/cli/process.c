// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/process.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

static int wait_for(pid_t pid) {
  int status;
  while (waitpid(pid, &status, 0) < 0)
    if (errno != EINTR)
      return 127;
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

const char *assay_process_ask(assay_arena *arena, const char *const argv[]) {
  int ends[2];
  if (pipe(ends) != 0)
    return NULL;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], STDOUT_FILENO);
  posix_spawn_file_actions_addclose(&actions, ends[0]);
  posix_spawn_file_actions_addclose(&actions, ends[1]);
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
  pid_t pid;
  // argv is not changed: posix_spawnp lacks the const for reasons of C's type rules only.
  bool spawned = posix_spawnp(&pid, argv[0], &actions, NULL, (char *const *)argv, environ) == 0;
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  FILE *answer = fdopen(ends[0], "r");
  char line[512] = "";
  bool answered = spawned && answer != NULL && fgets(line, sizeof line, answer) != NULL;
  char *end = strchr(line, '\n');
  if (end != NULL)
    *end = '\0';
  if (answer != NULL)
    fclose(answer);
  if (!spawned || wait_for(pid) != 0 || !answered || line[0] == '\0')
    return NULL;
  return assay_arena_string(arena, line);
}
