// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/cubin.h"

#include "compiler/base/clock.h"
#include "compiler/base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { LIMIT = 60 }; // seconds

// A run of a program in a folder of its own, which its files stand in.
typedef struct workshop {
  assay_arena *arena;
  const char *folder, *ptx, *cubin, *log;
} workshop;

// Its folder is NULL where it cannot be made, and *err says why.
static workshop open_workshop(assay_arena *arena, assay_error *err) {
  const char *place = getenv("TMPDIR");
  if (place == NULL || place[0] == '\0')
    place = "/tmp";
  char *folder = assay_arena_format(arena, "%s/assay-ptxas-XXXXXX", place);
  if (mkdtemp(folder) == NULL) {
    (void)!assay_fail_at(err, ASSAY_FAILED, folder, 0, 0, "cannot make a folder for ptxas: %s",
                         strerror(errno));
    return (workshop){.folder = NULL};
  }
  return (workshop){.arena = arena,
                    .folder = folder,
                    .ptx = assay_arena_format(arena, "%s/kernels.ptx", folder),
                    .cubin = assay_arena_format(arena, "%s/kernels.cubin", folder),
                    .log = assay_arena_format(arena, "%s/log", folder)};
}

static void close_workshop(const workshop *shop) {
  unlink(shop->ptx);
  unlink(shop->cubin);
  unlink(shop->log);
  rmdir(shop->folder);
}

static assay_code start(const workshop *shop, const char *const line[], pid_t *out_id,
                        assay_error *err) {
  posix_spawn_file_actions_t actions;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&actions);
  posix_spawnattr_init(&attributes);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP); // so that its children end with it
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, shop->log,
                                   O_WRONLY | O_CREAT | O_APPEND, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  // The interface predates const; posix_spawn changes neither the strings nor the array.
  int reason = posix_spawn(out_id, line[0], &actions, &attributes, (char *const *)line, environ);
  posix_spawn_file_actions_destroy(&actions);
  posix_spawnattr_destroy(&attributes);
  if (reason != 0)
    return assay_fail_at(err, ASSAY_FAILED, line[0], 0, 0, "cannot start: %s", strerror(reason));
  return ASSAY_OK;
}

static assay_code wait_for(pid_t id, const char *program, int *out_status, assay_error *err) {
  const struct timespec pause = {.tv_nsec = 1000000};
  double deadline = assay_clock_now() + LIMIT;
  bool late = false;
  pid_t ended;
  while ((ended = waitpid(id, out_status, late ? 0 : WNOHANG)) != id) {
    if (ended < 0 && errno != EINTR)
      return assay_fail_at(err, ASSAY_FAILED, program, 0, 0, "cannot wait for it: %s",
                           strerror(errno));
    if (ended == 0 && assay_clock_now() < deadline)
      nanosleep(&pause, NULL);
    else if (ended == 0) {
      late = true;
      kill(-id, SIGKILL);
    }
  }
  if (late)
    return assay_fail_at(err, ASSAY_FAILED, program, 0, 0, "not done within %d s", LIMIT);
  return ASSAY_OK;
}

// Takes the folder out of what the program said: it is gone afterwards.
static char *without_folder(const workshop *shop, const char *said) {
  char *text = assay_arena_string(shop->arena, said);
  size_t length = strlen(shop->folder) + 1;
  char *at = text;
  while ((at = strstr(at, shop->folder)) != NULL)
    memmove(at, at + length, strlen(at + length) + 1);
  return text;
}

// The first lines that tell of an error, in one; the first ones where none does.
static const char *complaint(assay_arena *arena, const char *log) {
  enum { LONGEST = 600 };
  const char *error = strstr(log, "error"), *fatal = strstr(log, "fatal");
  const char *at = error != NULL ? error : fatal != NULL ? fatal : log;
  while (at > log && at[-1] != '\n')
    at--;
  char *text = assay_arena_format(arena, "%.*s", LONGEST, at);
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '\n')
    text[--length] = '\0';
  for (char *line = text; (line = strchr(line, '\n')) != NULL;)
    *line = ';';
  return length > 0 ? text : "it said nothing";
}

// *out_log: what it printed.
static assay_code run(const workshop *shop, const char *const line[], const char **out_log,
                      assay_error *err) {
  pid_t id = -1;
  int status = 0;
  assay_file log;
  TRY(start(shop, line, &id, err));
  TRY(wait_for(id, line[0], &status, err));
  TRY(assay_file_read(shop->arena, shop->log, &log, err));
  *out_log = without_folder(shop, log.bytes);
  if (WIFSIGNALED(status))
    return assay_fail_at(err, ASSAY_FAILED, line[0], 0, 0, "died by signal %d (%s): %s",
                         WTERMSIG(status), strsignal(WTERMSIG(status)),
                         complaint(shop->arena, *out_log));
  if (WEXITSTATUS(status) != 0)
    return assay_fail_at(err, ASSAY_FAILED, line[0], 0, 0, "exit status %d: %s",
                         WEXITSTATUS(status), complaint(shop->arena, *out_log));
  return ASSAY_OK;
}

static assay_code compile(const workshop *shop, const char *ptxas, const char *ptx,
                          int architecture, assay_ptxas_output *out_output, assay_error *err) {
  const char *line[] = {
      ptxas,           assay_arena_format(shop->arena, "-arch=sm_%d", architecture),
      "-O3",           "-v",
      "--output-file", shop->cubin,
      shop->ptx,       NULL};
  assay_file cubin;
  TRY(assay_file_write(shop->ptx, ptx, err));
  TRY(run(shop, line, &out_output->log, err));
  if (assay_file_read(shop->arena, shop->cubin, &cubin, err) != ASSAY_OK || cubin.size == 0)
    return assay_fail_at(err, ASSAY_FAILED, ptxas, 0, 0, "it made no cubin: %s",
                         complaint(shop->arena, out_output->log));
  out_output->bytes = cubin.bytes;
  out_output->size = cubin.size;
  return ASSAY_OK;
}

assay_code assay_ptxas_run(assay_arena *arena, const char *ptxas, const char *ptx, int architecture,
                           assay_ptxas_output *out_output, assay_error *err) {
  workshop shop = open_workshop(arena, err);
  if (shop.folder == NULL)
    return ASSAY_FAILED;
  assay_code code = compile(&shop, ptxas, ptx, architecture, out_output, err);
  close_workshop(&shop);
  return code;
}

assay_code assay_ptxas_version(assay_arena *arena, const char *ptxas, const char **out_version,
                               assay_error *err) {
  const char *line[] = {ptxas, "--version", NULL}, *log = NULL;
  workshop shop = open_workshop(arena, err);
  if (shop.folder == NULL)
    return ASSAY_FAILED;
  assay_code code = run(&shop, line, &log, err);
  close_workshop(&shop);
  TRY(code);
  char *text = assay_arena_string(arena, log);
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '\n')
    text[--length] = '\0';
  const char *last = strrchr(text, '\n');
  *out_version = last != NULL ? last + 1 : text;
  return ASSAY_OK;
}
