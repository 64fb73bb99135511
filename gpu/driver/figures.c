// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `ptxas -v` prints, one group of lines for each function:
//
//   ptxas info    : Compiling entry function 'matmul_0' for 'sm_90'
//   ptxas info    : Function properties for matmul_0
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 64 registers, used 1 barriers, 8192 bytes smem
#include "gpu/driver/cubin.h"

#include <stdlib.h>
#include <string.h>

// What no kernel has more of, in registers of a thread and in bytes: what is beyond is no figure.
enum { MOST_REGISTERS = 255, MOST_SHARED = 1 << 20, MOST_STACK = 1 << 20, MOST_SPILLS = 1 << 30 };

static const char entry[] = "Compiling entry function '", properties[] = "Function properties for ";

static int compare_names(const void *a, const void *b) {
  return strcmp(((const assay_kernel_figures *)a)->name, ((const assay_kernel_figures *)b)->name);
}

// The number in front of a word ("8192 bytes smem"); -1 where there is none, or a larger one.
static int64_t number_before(const char *line, const char *word, int64_t most) {
  const char *end = strstr(line, word);
  if (end == NULL || end == line || end[-1] != ' ')
    return -1;
  const char *at = --end;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  if (at == end || at == line || at[-1] != ' ' || end - at > 18)
    return -1;
  int64_t number = strtoll(at, NULL, 10);
  return number <= most ? number : -1;
}

static void read_line(const char *line, assay_kernel_figures *kernel) {
  if (strstr(line, "bytes stack frame") != NULL) {
    kernel->stack = number_before(line, "bytes stack frame", MOST_STACK);
    kernel->spill_stores = number_before(line, "bytes spill stores", MOST_SPILLS);
    kernel->spill_loads = number_before(line, "bytes spill loads", MOST_SPILLS);
  } else if (strstr(line, ": Used ") != NULL) {
    kernel->registers = (int)number_before(line, "registers", MOST_REGISTERS);
    bool shares = strstr(line, "bytes smem") != NULL; // it does not say 0
    kernel->shared = shares ? number_before(line, "bytes smem", MOST_SHARED) : 0;
  }
}

static size_t count_words(const char *text, const char *word) {
  size_t count = 0;
  while ((text = strstr(text, word)) != NULL) {
    count++;
    text += strlen(word);
  }
  return count;
}

// The kernels that a log tells of, in its order; -1: what it does not tell.
static assay_kernel_figures *read_log(assay_arena *arena, const char *log, size_t *out_count) {
  size_t count = 0;
  assay_kernel_figures *kernels =
      assay_arena_take(arena, count_words(log, entry) + 1, sizeof *kernels);
  bool inside = false; // lines are the last entry's: functions that are called have some as well
  while (*log != '\0') {
    size_t length = strcspn(log, "\n");
    const char *line = assay_arena_bytes(arena, log, length);
    const char *at = strstr(line, entry), *of = strstr(line, properties);
    if (at != NULL) {
      at += strlen(entry);
      kernels[count++] = (assay_kernel_figures){
          assay_arena_bytes(arena, at, strcspn(at, "'")), -1, -1, -1, -1, -1};
      inside = true;
    } else if (of != NULL) {
      inside = count > 0 && strcmp(of + strlen(properties), kernels[count - 1].name) == 0;
    } else if (inside || (count > 0 && strstr(line, ": Used ") != NULL)) {
      read_line(line, &kernels[count - 1]);
    }
    log += length + (log[length] == '\n');
  }
  *out_count = count;
  return kernels;
}

// The names of the kernels in PTX: what follows .entry.
static const char **read_entries(assay_arena *arena, const char *ptx, size_t *out_count) {
  static const char word[] = ".entry";
  const char **names = assay_arena_take(arena, count_words(ptx, word) + 1, sizeof *names);
  size_t count = 0;
  for (const char *at = ptx; (at = strstr(at, word)) != NULL;) {
    at += strlen(word);
    size_t blanks = strspn(at, " \t\r\n"), length = strcspn(at + blanks, " \t\r\n({;");
    if (blanks > 0 && length > 0)
      names[count++] = assay_arena_bytes(arena, at + blanks, length);
  }
  *out_count = count;
  return names;
}

static assay_code check(const assay_kernel_figures *kernel, const char *name, assay_error *err) {
  if (kernel == NULL)
    return assay_fail(err, ASSAY_FAILED, "ptxas says nothing of kernel '%.60s'", name);
  const char *what = kernel->registers < 1      ? "registers"
                     : kernel->shared < 0       ? "shared memory"
                     : kernel->stack < 0        ? "stack frame"
                     : kernel->spill_stores < 0 ? "spill stores"
                     : kernel->spill_loads < 0  ? "spill loads"
                                                : NULL;
  if (what != NULL)
    return assay_fail(err, ASSAY_FAILED, "ptxas tells no %s of kernel '%.60s' that can be", what,
                      name);
  return ASSAY_OK;
}

assay_code assay_ptxas_figures(assay_arena *arena, const char *log, const char *ptx,
                               const assay_kernel_figures **out_kernels, size_t *out_count,
                               assay_error *err) {
  size_t count, expected;
  const char **names = read_entries(arena, ptx, &expected);
  assay_kernel_figures *kernels = read_log(arena, log, &count);
  *out_kernels = NULL;
  *out_count = 0;
  qsort(kernels, count, sizeof *kernels, compare_names);
  for (size_t i = 0; i < expected; i++) {
    const assay_kernel_figures wanted = {.name = names[i]};
    TRY(check(bsearch(&wanted, kernels, count, sizeof *kernels, compare_names), names[i], err));
  }
  if (count != expected)
    return assay_fail(err, ASSAY_FAILED, "ptxas tells of %zu kernels, expected the PTX's %zu",
                      count, expected);
  *out_kernels = kernels;
  *out_count = count;
  return ASSAY_OK;
}
