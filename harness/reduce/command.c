// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/command.h"

#include "harness/ledger/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct calling {
  const assay_command *command;
  int *status; // shared: wait's
} calling;

static void redirect(const char *path, int to) {
  int descriptor = open(path != NULL ? path : "/dev/null", O_WRONLY | O_CREAT | O_TRUNC, 0666);
  if (descriptor >= 0)
    dup2(descriptor, to);
}

static void call_in_child(const assay_job *job) {
  const calling *it = job->user;
  pid_t pid = fork();
  if (pid == 0) {
    redirect(it->command->output, STDOUT_FILENO);
    redirect(it->command->messages, STDERR_FILENO);
    execvp(it->command->words[0], (char *const *)it->command->words);
    _exit(127); // as the shell does
  }
  while (pid > 0 && waitpid(pid, it->status, 0) < 0 && errno == EINTR)
    continue;
}

assay_code assay_command_run(const assay_ledger_request *request, assay_arena *arena,
                             const char *doing, assay_command *command, assay_error *err) {
  calling it = {.command = command, .status = assay_shared_take(request->shared, sizeof(int))};
  if (it.status == NULL)
    return assay_fail(err, ASSAY_FAILED, "no shared memory is left");
  assay_job job = {.body = call_in_child, .user = &it}, *const jobs[] = {&job};
  TRY(assay_pool_run(request, arena, doing, command->seconds, jobs, 1, err));
  command->ended = job.ending == ASSAY_ENDED_WELL && !assay_pool_is_stopped(request);
  command->status = WIFEXITED(*it.status) ? WEXITSTATUS(*it.status) : 128 + WTERMSIG(*it.status);
  return ASSAY_OK;
}

// The file of that name in one of PATH's folders; NULL.
static const char *find(assay_arena *arena, const char *name) {
  const char *path = getenv("PATH");
  char *rest = assay_arena_string(arena, path != NULL ? path : "");
  for (char *folder = strtok_r(rest, ":", &rest); folder != NULL;
       folder = strtok_r(NULL, ":", &rest)) {
    const char *file = assay_arena_format(arena, "%s/%s", folder, name);
    if (access(file, X_OK) == 0)
      return file;
  }
  return NULL;
}

const char *assay_llvm_tool(assay_arena *arena, const char *name) {
  const char *versioned = find(arena, assay_arena_format(arena, "%s-22", name));
  if (versioned != NULL)
    return versioned;
  const char *beside = assay_arena_format(arena, "%s/%s", ASSAY_LLVM_BIN, name);
  return access(beside, X_OK) == 0 ? beside : NULL;
}
