// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The whole program, for a main of your own: every verb of `assay`, with backends and case files of
// yours beside the built-in ones.
//
//     static const assay_backend *const backends[] = {&my_backend, NULL};
//     static const char *const folders[] = {"/where/my/cases/are", NULL};
//     static const assay_extension mine = {.backends = backends, .case_folders = folders};
//
//     int main(int argc, char *argv[]) { return assay_main(argc, argv, &mine); }
#ifndef ASSAY_HARNESS_CLI_ASSAY_H
#define ASSAY_HARNESS_CLI_ASSAY_H

#include "compiler/backends/backend.h"

#ifdef __cplusplus
extern "C" {
#endif

// What a program brings. It stays the caller's, and must stay as it is while assay_main runs.
typedef struct assay_extension {
  // Ended with NULL; NULL: none. Each needs a name of its own (letters, digits, '_', '-', '.') and
  // every method that is not optional.
  const assay_backend *const *backends;
  // Folders of case files (NAME.cases) and suite lists (NAME.suite), ended with NULL; NULL: none.
  // `--suite NAME` looks into them before it looks into Assay's own, so that a standard.suite there
  // is what `run` runs by default. What these cases should give is computed by NumPy on the spot.
  const char *const *case_folders;
} assay_extension;

// Runs the command line and returns the exit code. extension: NULL for none. data_folder: that of
// an installed Assay (share/assay), NULL for the one beside the program, or the source folder that
// Assay was built from; the environment's ASSAY_ROOT goes before either. To be called once, first
// thing in main: it sets up standard streams and signals, and verbs fork.
int assay_main_in(const char *data_folder, int argc, char *argv[],
                  const assay_extension *extension);

// The same with the data of the Assay that is linked: find_package(assay) defines
// ASSAY_DATA_FOLDER.
static inline int assay_main(int argc, char *argv[], const assay_extension *extension) {
#ifdef ASSAY_DATA_FOLDER
  return assay_main_in(ASSAY_DATA_FOLDER, argc, argv, extension);
#else
  return assay_main_in(NULL, argc, argv, extension);
#endif
}

#ifdef __cplusplus
}
#endif

#endif
