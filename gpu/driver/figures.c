// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What `ptxas -v` prints, one group of lines for each function:
//
//   ptxas info    : Compiling entry function 'matmul_0' for 'sm_90'
//   ptxas info    : Function properties for matmul_0
//       0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
//   ptxas info    : Used 64 registers, used 1 barriers, 8192 bytes smem
#include "gpu/driver/cubin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int compare_names(const void *a, const void *b) {
  return strcmp(((const assay_kernel_figures *)a)->name, ((const assay_kernel_figures *)b)->name);
}

// The number in front of a word ("8192 bytes smem"), 0 where the line does not have it.
static int64_t number_before(const char *line, const char *word) {
  const char *at = strstr(line, word);
  if (at == NULL)
    return 0;
  while (at > line && at[-1] == ' ')
    at--;
  while (at > line && at[-1] >= '0' && at[-1] <= '9')
    at--;
  return strtoll(at, NULL, 10);
}

static void read_line(const char *line, assay_kernel_figures *kernel) {
  if (strstr(line, "bytes stack frame") != NULL) {
    kernel->stack = number_before(line, "bytes stack frame");
    kernel->spill_stores = number_before(line, "bytes spill stores");
    kernel->spill_loads = number_before(line, "bytes spill loads");
  } else if (strstr(line, ": Used ") != NULL) {
    kernel->registers = (int)number_before(line, "registers");
    kernel->shared = number_before(line, "bytes smem");
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

const assay_kernel_figures *assay_ptxas_figures(assay_arena *arena, const char *log,
                                                size_t *out_count) {
  static const char entry[] = "Compiling entry function '",
                    properties[] = "Function properties for ";
  size_t most = count_words(log, entry), count = 0;
  assay_kernel_figures *kernels = assay_arena_take(arena, most + 1, sizeof *kernels);
  bool inside = false; // lines are the last entry's: functions that are called have some as well
  while (*log != '\0') {
    size_t length = strcspn(log, "\n");
    const char *line = assay_arena_bytes(arena, log, length);
    const char *at = strstr(line, entry), *of = strstr(line, properties);
    if (at != NULL) {
      at += strlen(entry);
      kernels[count++].name = assay_arena_bytes(arena, at, strcspn(at, "'"));
      inside = true;
    } else if (of != NULL) {
      inside = count > 0 && strcmp(of + strlen(properties), kernels[count - 1].name) == 0;
    } else if (inside || (count > 0 && strstr(line, ": Used ") != NULL)) {
      read_line(line, &kernels[count - 1]);
    }
    log += length + (log[length] == '\n');
  }
  qsort(kernels, count, sizeof *kernels, compare_names);
  *out_count = count;
  return kernels;
}
