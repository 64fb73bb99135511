// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// mlir-opt itself, to compare with.
#ifndef ASSAY_COMPILER_BRIDGE_PASSES_MLIR_OPT_TESTING_H
#define ASSAY_COMPILER_BRIDGE_PASSES_MLIR_OPT_TESTING_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

// Runs mlir-opt with the words (ended by NULL) and the source as its input; what it prints, on both
// streams, is returned as a file to read. NULL where the system fails.
static FILE *run_mlir_opt(const char *const words[], const char *source) {
  const char *argv[32] = {ASSAY_MLIR_OPT};
  for (int i = 0; words[i] != NULL && i < 30; i++)
    argv[i + 1] = words[i];
  FILE *input = tmpfile(), *output = tmpfile();
  if (input == NULL || output == NULL || fputs(source, input) == EOF ||
      fseek(input, 0, SEEK_SET) != 0)
    return NULL;
  pid_t child = fork();
  if (child == 0) {
    dup2(fileno(input), STDIN_FILENO);
    dup2(fileno(output), STDOUT_FILENO);
    dup2(fileno(output), STDERR_FILENO);
    execv(argv[0], (char *const *)argv);
    _exit(127);
  }
  fclose(input);
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child) {
    fclose(output);
    return NULL;
  }
  return fseek(output, 0, SEEK_SET) == 0 ? output : NULL;
}

#endif
