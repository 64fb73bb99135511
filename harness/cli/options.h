// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of all verbs: one table says what each takes, what it means and where its value goes;
// a verb lists the names of those it accepts.
#ifndef ASSAY_HARNESS_CLI_OPTIONS_H
#define ASSAY_HARNESS_CLI_OPTIONS_H

#include "compiler/base/arena.h"

#include <stdbool.h>
#include <stdio.h>

// Strings in the order given; items are those of argv or copies in the arena.
typedef struct assay_names {
  const char **items;
  size_t count;
} assay_names;

// Seconds a case, seconds a pass or state of a ledger, MB.
enum { ASSAY_DEFAULT_TIMEOUT = 60, ASSAY_STATE_TIMEOUT = 10, ASSAY_DEFAULT_MEMORY = 4096 };

// "assay-out/latest", "assay-out/assay.db"
extern const char ASSAY_DEFAULT_OUT[], ASSAY_DEFAULT_STORE[];

// Among the names of a verb's options: it takes passes as mlir-opt does, so that words with dashes
// which are no option of its own are kept for it, in their order, and one dash does for options.
#define ASSAY_OPTION_PASSES "PASS[=OPTIONS]"

typedef struct assay_options {
  assay_names suites, cases, filters, backends, data, formats; // empty: not given
  assay_names failures;
  assay_names passes, pass_plugins, dialect_plugins, inputs, expected, dims;
  int jobs;       // 0: not given
  int seed;       // 0: not given
  int random;     // programs; 0: not given
  double timeout; // seconds
  int memory;     // MB (10^6 bytes)
  struct {
    int index, count; // index from 1
  } shard;
  bool resume, quiet, verbose, no_ledger, every_pass, help, all, run_line, split_input;
  bool allow_unregistered, nan_origin, inf_origin, loss_origin, gate;
  const char *color;                                          // "auto", "always", "never"
  const char *out;                                            // ASSAY_DEFAULT_OUT: not given
  const char *store, *tag;                                    // NULL: not given
  const char *baseline;                                       // NULL: not given
  const char *known;                                          // NULL: not given
  const char *stage;                                          // NULL: not given
  const char *save;                                           // NULL: not given
  const char *dot;                                            // NULL: not given
  const char *thresholds;                                     // NULL: not given
  const char *entry, *expect_values, *tail, *json, *pipeline; // NULL: not given
  assay_names nan_contracts;                                  // "planted", "cse:error"
  const char *message, *check;                                // NULL: not given
  const char *against;                                        // NULL: not given
  int repetitions, threads;                                   // 0: not given
  double min_time;                                            // seconds; 0: not given
  bool pin, cold, serve;
  double time_limit; // seconds; 0: not given
  assay_names arguments;
} assay_options;

void assay_names_add(assay_arena *arena, assay_names *names, const char *item);

// Parses argv[0 .. argc-1] (what follows the verb). accepted: the names of the options that the
// verb takes, ended with NULL; "quiet", "verbose", "color" and "help" are always taken, and "-h"
// for the last. "--" ends the options. ASSAY_INVALID, naming the nearest accepted option or word,
// for an unknown option, a missing or superfluous value, a value that is no number or word of those
// allowed, and what is given twice but stands for one thing.
ASSAY_MUST_USE assay_code assay_options_parse(assay_arena *arena, const char *verb, int argc,
                                              char *const argv[], const char *const accepted[],
                                              assay_options *out_options, assay_error *err);

// The name of the option nearest to a word among those accepted and those of every verb; NULL where
// none is near.
const char *assay_options_nearest(assay_arena *arena, const char *word,
                                  const char *const accepted[]);

// Processes at a time: --jobs, by default one for each processor.
int assay_options_jobs(const assay_options *options);

// One line or two for each accepted option, as help shows them; at most 100 columns.
void assay_options_print(FILE *stream, const char *const accepted[]);

// "; did you mean 'NEAREST'?", or "; known: NAME, NAME" where no name is near enough. In the arena.
const char *assay_hint(assay_arena *arena, const char *word, const char *const names[],
                       size_t count);

#endif
