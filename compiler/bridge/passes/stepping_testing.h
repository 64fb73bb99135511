// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A pipeline stepped in a child of its own, as the harness does it.
#ifndef ASSAY_COMPILER_BRIDGE_PASSES_STEPPING_TESTING_H
#define ASSAY_COMPILER_BRIDGE_PASSES_STEPPING_TESTING_H

#include "compiler/bridge/stepping.h"

#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

static MlirContext context;
static assay_shared *shared;

typedef struct stepped {
  assay_stepping *stepping;
  bool timed_out; // nothing moved for long
  int status;     // of the child, as waitpid says
  assay_error err;
} stepped;

static int set_up(void **state) {
  (void)state;
  assay_error err;
  context = assay_passes_context();
  return assay_shared_create((size_t)1 << 34, &shared, &err) == ASSAY_OK ? 0 : 1;
}

static int tear_down(void **state) {
  (void)state;
  assay_shared_destroy(shared);
  mlirContextDestroy(context);
  return 0;
}

// What the child leaves besides its states.
typedef struct child_result {
  assay_code code;
  assay_error err;
} child_result;

// Bytes of the process's data as it is: a sanitizer's shadow of all memory is part of them.
static rlim_t data_bytes(void) {
  enum { COLUMN = 5 }; // of statm (proc(5)): data and stack, in pages
  char line[256] = "", *at = line;
  FILE *statm = fopen("/proc/self/statm", "r");
  if (statm == NULL)
    return 0;
  bool found = fgets(line, sizeof line, statm) != NULL;
  (void)fclose(statm);
  unsigned long pages = 0;
  for (int i = 0; found && i <= COLUMN; i++)
    pages = strtoul(at, &at, 10);
  return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

static void run_child(const assay_stepping_request *request, stepped *made, child_result *result) {
  setpgid(0, 0);
  rlim_t most = data_bytes() + ((rlim_t)1 << 30);
  struct rlimit memory = {most, most}, core = {0, 0};
  (void)setrlimit(RLIMIT_DATA, &memory);
  (void)setrlimit(RLIMIT_CORE, &core);
  (void)!freopen("/dev/null", "w", stdout);
  (void)!freopen("/dev/null", "w", stderr);
  result->code = assay_step(context, request, shared, made->stepping, &result->err);
  _exit(0);
}

// Waits until the child ends, or for stall_ms without any pass beginning or ending.
static void watch(pid_t child, int stall_ms, stepped *made) {
  int64_t pulse = -1;
  for (int waited = 0; waitpid(child, &made->status, WNOHANG) == 0; waited += 5) {
    int64_t now = atomic_load(&made->stepping->pulse);
    if (now != pulse)
      waited = 0;
    pulse = now;
    if (waited > stall_ms) {
      made->timed_out = true;
      kill(-child, SIGKILL);
      waitpid(child, &made->status, 0);
      return;
    }
    nanosleep(&(struct timespec){.tv_nsec = 5 * 1000 * 1000}, NULL);
  }
  kill(-child, SIGKILL); // what it has forked
}

static stepped step_request(assay_stepping_request request, int stall_ms) {
  stepped made = {.stepping = assay_shared_take(shared, sizeof *made.stepping)};
  child_result *result = assay_shared_take(shared, sizeof *result);
  assert_non_null(made.stepping);
  assert_non_null(result);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0)
    run_child(&request, &made, result);
  setpgid(child, child);
  watch(child, stall_ms, &made);
  made.err = result->err;
  return made;
}

static assay_pass_pipeline *parse(int count, const char *const words[]) {
  assay_pass_pipeline *pipeline = NULL;
  assay_error err = {0};
  if (assay_pass_pipeline_parse(context, count, words, &pipeline, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  return pipeline;
}

enum { MAX_WORDS = 16, STALL_MS = 20000 };

// Words separated by blanks; the pipeline's options must have none.
static int split_words(const char *line, char copy[1024], const char *words[MAX_WORDS]) {
  int count = 0;
  (void)snprintf(copy, 1024, "%s", line);
  for (char *word = strtok(copy, " "); word != NULL; word = strtok(NULL, " "))
    words[count++] = word;
  return count;
}

static assay_pass_pipeline *parse_line(const char *line) {
  char copy[1024];
  const char *words[MAX_WORDS];
  int count = split_words(line, copy, words);
  return parse(count, words);
}

static stepped step_with(const char *line, const char *source, int stall_ms) {
  assay_pass_pipeline *pipeline = parse_line(line);
  stepped made = step_request((assay_stepping_request){.file = "test.mlir",
                                                       .source = source,
                                                       .size = strlen(source),
                                                       .verify = true,
                                                       .pipeline = pipeline},
                              stall_ms);
  assay_pass_pipeline_destroy(pipeline);
  return made;
}

static stepped step(const char *line, const char *source) {
  stepped made = step_with(line, source, STALL_MS);
  assert_false(made.timed_out);
  return made;
}

// The nth execution, from 1; NULL where there are fewer.
static inline const assay_execution *execution(const stepped *made, int n) {
  const assay_execution *each = atomic_load(&made->stepping->first);
  while (each != NULL && each->n < n)
    each = atomic_load(&each->next);
  return each;
}

static inline int count_executions(const stepped *made) {
  int count = 0;
  for (const assay_execution *each = atomic_load(&made->stepping->first); each != NULL;
       each = atomic_load(&each->next))
    count++;
  return count;
}

// The state in its generic form.
static inline void collect_text(MlirStringRef part, void *text) {
  strncat(text, part.data, part.length);
}

static inline const char *snapshot_text(const assay_snapshot *snapshot) {
  static char text[1 << 20];
  text[0] = '\0';
  MlirModule module;
  assay_error err = {0};
  if (assay_snapshot_read(snapshot, context, &module, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  mlirOperationPrint(mlirModuleGetOperation(module), collect_text, text);
  mlirModuleDestroy(module);
  return text;
}

#endif
