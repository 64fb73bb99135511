// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every verb is given, and what a verb is.
#ifndef ASSAY_HARNESS_CLI_SESSION_H
#define ASSAY_HARNESS_CLI_SESSION_H

#include "compiler/backends/backend.h"
#include "harness/cli/options.h"

enum { ASSAY_EXIT_OK = 0, ASSAY_EXIT_BAD = 1, ASSAY_EXIT_USAGE = 2 };

typedef struct assay_session {
  assay_arena *arena;  // for the whole command
  const char *root;    // the project's root
  const char *program; // a word of a shell that starts this program: what repro commands begin with
  const assay_options *options;
  assay_names peers; // names that keys may have in place of a backend's, where the verb has such
  // The built-in backends and the extension's, sorted by name; the array ends with NULL.
  const assay_backend *const *backends;
  const char *const *case_folders; // the extension's, ended with NULL; NULL: none
} assay_session;

typedef struct assay_verb {
  const char *name;
  const char *summary;   // one line for `assay --help`
  const char *arguments; // "CASE", or "" where it takes options only
  const char *about;     // paragraphs, at most 100 columns, each line ended by "\n"
  const char *example;   // a command and what it does
  const char *exits;     // its exit codes, where not those of every verb, or NULL
  const char *const *options;
  // The answer goes to stdout; out_status is the exit code. A failure is printed by the caller, and
  // the exit code is then 2.
  assay_code (*run)(const assay_session *session, int *out_status, assay_error *err);
  // Instead of all that but name and summary: takes the words behind the verb, which is argv[0],
  // itself and returns the exit code.
  int (*main)(int argc, char **argv);
} assay_verb;

extern const assay_verb assay_verb_run, assay_verb_list, assay_verb_show, assay_verb_doctor,
    assay_verb_references, assay_verb_ledger, assay_verb_reduce, assay_verb_opt, assay_verb_bench,
    assay_verb_compare, assay_verb_report;

#endif
