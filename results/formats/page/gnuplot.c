// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/formats/page/plot.h"
#include "compiler/base/clock.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

// Starts it between two files, so that neither side waits for the other, in a process group of its
// own.
static bool start(FILE *script, FILE *drawing, pid_t *out_child) {
  char *words[] = {(char[]){"gnuplot"}, (char[]){"-d"}, NULL};
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  if (posix_spawn_file_actions_init(&actions) != 0)
    return false;
  if (posix_spawnattr_init(&attributes) != 0) {
    posix_spawn_file_actions_destroy(&actions);
    return false;
  }
  bool started =
      posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO) == 0 &&
      posix_spawn_file_actions_adddup2(&actions, fileno(drawing), STDOUT_FILENO) == 0 &&
      posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, "/dev/null", O_WRONLY, 0) == 0 &&
      posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP) == 0 &&
      posix_spawnattr_setpgroup(&attributes, 0) == 0 &&
      posix_spawnp(out_child, words[0], &actions, &attributes, words, environ) == 0;
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&actions);
  return started;
}

// Whether it ended, and well.
static bool wait_for(assay_arena *arena, pid_t child, double seconds, const char **out_reason) {
  int status = 0;
  const struct timespec moment = {.tv_nsec = 2000000};
  for (double began = assay_clock_now(); assay_clock_now() - began < seconds;) {
    pid_t ended = waitpid(child, &status, WNOHANG);
    if (ended < 0)
      break;
    if (ended == child) {
      bool well = WIFEXITED(status) && WEXITSTATUS(status) == 0;
      *out_reason = WIFEXITED(status) && WEXITSTATUS(status) == 127 ? "gnuplot is not installed"
                    : well                                          ? NULL
                                                                    : "gnuplot failed";
      return well;
    }
    nanosleep(&moment, NULL);
  }
  kill(-child, SIGKILL); // with what a script of that name started
  waitpid(child, &status, 0);
  *out_reason = assay_arena_format(arena, "gnuplot did not end within %g s", seconds);
  return false;
}

static const char *read_all(assay_arena *arena, FILE *file) {
  long size = fseek(file, 0, SEEK_END) == 0 ? ftell(file) : -1;
  if (size < 0 || fseek(file, 0, SEEK_SET) != 0)
    return NULL;
  char *text = assay_arena_take(arena, (size_t)size + 1, 1);
  return fread(text, 1, (size_t)size, file) == (size_t)size ? text : NULL;
}

static const char *run(assay_arena *arena, const char *script, double seconds, FILE *input,
                       FILE *output, const char **out_reason) {
  pid_t child;
  *out_reason = "there is no room for gnuplot's files";
  if (fputs(script, input) < 0 || fflush(input) != 0 || fseek(input, 0, SEEK_SET) != 0)
    return NULL;
  *out_reason = "gnuplot is not installed";
  if (!start(input, output, &child) || !wait_for(arena, child, seconds, out_reason))
    return NULL;
  *out_reason = NULL;
  return read_all(arena, output);
}

const char *assay_gnuplot_run(assay_arena *arena, const char *script, double seconds,
                              const char **out_reason) {
  FILE *input = tmpfile(), *output = tmpfile();
  const char *drawing = NULL;
  *out_reason = "there is no folder for gnuplot's files";
  if (input != NULL && output != NULL)
    drawing = run(arena, script, seconds, input, output, out_reason);
  if (input != NULL)
    fclose(input);
  if (output != NULL)
    fclose(output);
  return drawing;
}
