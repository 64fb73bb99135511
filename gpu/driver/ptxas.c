// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/cubin.h"

#include "compiler/base/file.h"
#include "gpu/driver/keeper.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// It runs in another folder than this process.
static const char *absolute(assay_arena *arena, const char *program) {
  char here[4096];
  if (program[0] == '/' || getcwd(here, sizeof here) == NULL)
    return program;
  return assay_arena_format(arena, "%s/%s", here, program);
}

// The first lines that tell of an error, in one; the first ones where none does.
static const char *complaint(assay_arena *arena, const char *log) {
  enum { LONGEST = 600 };
  const char *error = strstr(log, "error"), *fatal = strstr(log, "fatal");
  const char *at = error != NULL ? error : fatal != NULL ? fatal : log;
  while (at > log && at[-1] != '\n')
    at--;
  char *text = assay_arena_format(arena, "%.*s", LONGEST, at);
  assay_words_clean(text);
  return text[0] != '\0' ? text : "it said nothing";
}

static assay_code judge(assay_arena *arena, const assay_kept_order *order, const assay_kept *kept,
                        const char *log, assay_error *err) {
  const char *program = order->line[0];
  int status = kept->status;
  if (kept->late)
    return assay_fail_at(err, ASSAY_FAILED, program, 0, 0, "not done within %g s", order->seconds);
  if (WIFSIGNALED(status))
    return assay_fail_at(err, ASSAY_FAILED, program, 0, 0, "died by signal %d (%s): %s",
                         WTERMSIG(status), strsignal(WTERMSIG(status)), complaint(arena, log));
  if (WEXITSTATUS(status) != 0)
    return assay_fail_at(err, ASSAY_FAILED, program, 0, 0, "exit status %d: %s",
                         WEXITSTATUS(status), complaint(arena, log));
  return ASSAY_OK;
}

// *out_log: what it printed. *out_cubin: (optional) what it made.
static assay_code read_files(assay_arena *arena, const assay_kept_order *order,
                             const assay_kept *kept, const char **out_log, assay_file *out_cubin,
                             assay_error *err) {
  assay_file log;
  TRY(assay_file_read(arena, assay_arena_format(arena, "%s/log", kept->folder), &log, err));
  *out_log = log.bytes;
  TRY(judge(arena, order, kept, log.bytes, err));
  if (out_cubin == NULL)
    return ASSAY_OK;
  const char *file = assay_arena_format(arena, "%s/kernels.cubin", kept->folder);
  if (assay_file_read(arena, file, out_cubin, err) != ASSAY_OK || out_cubin->size == 0)
    return assay_fail_at(err, ASSAY_FAILED, order->line[0], 0, 0, "it made no cubin: %s",
                         complaint(arena, log.bytes));
  return ASSAY_OK;
}

static assay_code run(assay_arena *arena, const assay_kept_order *order, const char **out_log,
                      assay_file *out_cubin, assay_error *err) {
  assay_kept kept;
  TRY(assay_keeper_run(order, &kept, err));
  assay_code code = read_files(arena, order, &kept, out_log, out_cubin, err);
  assay_keeper_let_go(&kept);
  return code;
}

assay_code assay_ptxas_run(assay_arena *arena, const char *ptxas, const char *ptx, int architecture,
                           assay_ptxas_output *out_output, assay_error *err) {
  const char *line[] = {absolute(arena, ptxas),
                        assay_arena_format(arena, "-arch=sm_%d", architecture),
                        "-O3",
                        "-v",
                        "--output-file",
                        "kernels.cubin",
                        "kernels.ptx",
                        NULL};
  const assay_kept_order order = {
      .line = line, .seconds = ASSAY_PTXAS_SECONDS, .input_name = "kernels.ptx", .input = ptx};
  assay_file cubin;
  TRY(run(arena, &order, &out_output->log, &cubin, err));
  out_output->bytes = cubin.bytes;
  out_output->size = cubin.size;
  return ASSAY_OK;
}

// The last line that is not blank, in the arena, as it is printed.
static const char *last_line(assay_arena *arena, const char *log) {
  enum { LONGEST = 120 };
  size_t end = strlen(log);
  while (end > 0 && strchr(" \t\r\n", log[end - 1]) != NULL)
    end--;
  size_t start = end;
  while (start > 0 && log[start - 1] != '\n')
    start--;
  int length = end - start < LONGEST ? (int)(end - start) : LONGEST;
  char *line = assay_arena_format(arena, "%.*s", length, log + start);
  assay_words_clean(line);
  return line + strspn(line, " ");
}

assay_code assay_ptxas_version(assay_arena *arena, const char *ptxas, const char **out_version,
                               assay_error *err) {
  const char *line[] = {absolute(arena, ptxas), "--version", NULL}, *log = NULL;
  const assay_kept_order order = {.line = line, .seconds = ASSAY_PTXAS_VERSION_SECONDS};
  TRY(run(arena, &order, &log, NULL, err));
  *out_version = last_line(arena, log);
  if (*out_version[0] == '\0')
    return assay_fail_at(err, ASSAY_FAILED, line[0], 0, 0, "it tells no version");
  return ASSAY_OK;
}
