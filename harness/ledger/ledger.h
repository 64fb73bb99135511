// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The ledger: a module, a pipeline, and the pass execution that broke it.
//
// The pipeline is stepped once in a child; each distinct state is finished by a tail and run in
// children of its own; what a state computes is compared with what the input computes, within the
// rounding error that was measured on the input. This library knows no case and no command line.
#ifndef ASSAY_HARNESS_LEDGER_LEDGER_H
#define ASSAY_HARNESS_LEDGER_LEDGER_H

#include "compiler/base/arena.h"
#include "compiler/bridge/stepping.h"
#include "compiler/tail/tail.h"

#include <signal.h>

enum { ASSAY_DATA_SETS = 2 }; // int, real: as in assay_tail_run

// What a pass did wrong. The names in answers: assay_fault_name.
typedef enum assay_fault {
  ASSAY_FAULT_NONE,
  ASSAY_FAULT_MISCOMPILE,
  ASSAY_FAULT_PRECISION_LOSS,
  ASSAY_FAULT_NAN_ATTRIBUTE,
  ASSAY_FAULT_INVALID_IR,
  ASSAY_FAULT_UNPARSABLE_IR,
  ASSAY_FAULT_UNLOWERED,
  ASSAY_FAULT_CRASH,
  ASSAY_FAULT_TIMEOUT,
  ASSAY_FAULT_NONDETERMINISTIC,
} assay_fault;

const char *assay_fault_name(assay_fault fault); // "precision-loss"; "" for NONE
// Whether the fault shows only where states are finished and run.
bool assay_fault_needs_runs(assay_fault fault);
// Whether it is in what a state shows when it runs: not in what cannot be finished.
bool assay_fault_is_of_values(assay_fault fault);

// An element of the first result.
typedef struct assay_origin_place {
  int rank;
  int64_t index[ASSAY_OBSERVED_MAX_RANK];
} assay_origin_place;

typedef struct assay_ledger_request {
  MlirContext context;
  assay_shared *shared; // holds all states; must outlive the answer
  const char *file;     // for messages
  const char *source;
  size_t size;
  assay_pass_pipeline *pipeline;
  bool data[ASSAY_DATA_SETS];
  uint64_t seed;
  int64_t dims[ASSAY_OBSERVED_MAX_RANK];
  int dim_count;
  const assay_tail_input *inputs; // (optional) as in assay_tail_request
  int input_count;
  const assay_pass_pipeline *user_tail; // (optional)
  // (optional) what is right: numbers in the order in which they are observed.
  const double *expected;
  int expected_count;
  assay_nan_contract nan_contract; // of passes that the table does not name
  int pass_contract_count;
  const assay_pass_contract *pass_contracts;
  // (optional) what a bundle's commands need besides the pass, as words of a shell with a space
  // before each: what loads the plug-ins, and this program's other options.
  const char *plugin_words, *option_words;
  bool brief;        // an accusation is confirmed by less: where the like is asked many times
  bool without_runs; // only what needs no run is looked for
  bool whole_passes; // nothing is looked for inside an accused pass: for many questions of one kind
  // Asked besides: where a NaN, an infinity in the results is made, where digits of them are lost.
  bool nan_origin, inf_origin, loss_origin;
  const assay_origin_place *origin_of; // (optional) of that NaN or infinity alone
  int jobs;
  double timeout;     // seconds a pass, a compilation or a run may take
  double run_timeout; // seconds a run may take, where that is less; 0: it is not
  int64_t memory_bytes;
  volatile sig_atomic_t *stop; // (optional) as in assay_isolation
  // (optional) what is being done, for progress: "running 12 states".
  void (*progress)(void *user, const char *what, int done, int of);
  void *progress_user;
} assay_ledger_request;

// One pass execution as the ledger sees it.
typedef struct assay_ledger_row {
  const assay_execution *execution;
  bool ran;                       // the state after it was run, on all data sets asked for
  const char *not_run;            // why not; "" where it was, or where nothing changed
  bool roundtrips;                // the pretty form parses back
  const char *parse_error;        // why not; ""
  bool right;                     // what was run agrees with the input, within the bound
  bool bitwise_changed;           // results differ from the input's in some bit
  double margin[ASSAY_DATA_SETS]; // NAN where not run
  const char *what;               // the worst difference, in words; "" where there is none
  assay_fault fault;
} assay_ledger_row;

typedef struct assay_blame {
  assay_fault fault;   // NONE: nobody is accused
  int row;             // of the accused; of the first state seen to be bad, in a range
  int range_from;      // the first row that may be guilty; == row where it is one
  const char *reason;  // one sentence
  const char *command; // shows it: mlir-opt's arguments on the state before; ""
  const char *step;    // inside the pass, as in assay_below; NULL: not isolated
  const char *pattern; // the same
} assay_blame;

// What was observed on one data set, for a bundle; NULL where there is none.
typedef struct assay_ledger_shown {
  int data;                                            // 0 int, 1 real
  const assay_observation *arguments, *expected, *got; // got: of the accused state
} assay_ledger_shown;

// Where a NaN or an infinity in the results was made.
typedef struct assay_origin_answer {
  assay_origin_kind kind;
  const char *none;    // why there is no answer; NULL where there is one
  bool unanswered;     // none, though a result holds it, or may: it could not be told
  const char *name;    // "linalg.softmax"; of an argument "argument 2"
  const char *file;    // "" where the place is not known
  const char *label;   // (optional) the name that the program gives in the place's stead; ""
  int line, column;    // from 1
  const char *lowered; // what the operation had become, "fsub"; "" of an argument or a constant
  int operand_count;   // of what it had become
  const char *operands[ASSAY_ORIGIN_OPERANDS]; // "0", "-inf", "[1, inf]"
  const char *result;                          // "nan"
  const char *element; // that it reaches: "result 0[2, 3]"; of a guess one that is like it
  const char *data;    // "int", "real"; "" where the data are the user's or the program's own
  int row;             // of the state; -1: the input
  bool certain;        // false: the first that was made, whether or not it got to a result
  // LOSS only: the same with more digits, and the bits lost by the operation and in the element.
  const char *exact_operands[ASSAY_ORIGIN_OPERANDS], *exact_result;
  int bits; // of the format
  double lost, element_lost;
} assay_origin_answer;

typedef struct assay_ledger_answer {
  const assay_snapshot *input;
  const char *entry; // "" where there is none
  const char *tail;  // what the states were finished by, as text
  int observed_count;
  const char *const *observed; // "result 0: 3x5xf32"
  int row_count;
  const assay_ledger_row *rows;
  assay_blame blame;
  int first_changing; // row; -1: none
  int shown_count;    // data sets
  const assay_ledger_shown *shown;
  int origin_count; // of the questions asked besides, in order of assay_origin_kind
  const assay_origin_answer *origins;
  const char *inconclusive; // NULL, or why nothing can be said of results
  int failed_row;           // the pass that gave up; -1: none
  const char *failed_message;
  int note_count;
  const char *const *notes; // what the reader should know: unstable results, suspect tails
  bool stopped;             // stop cut it short: rows say what was known by then, nobody is accused
} assay_ledger_answer;

// A module and its pipeline, stepped: what all entries share.
typedef struct assay_ledger assay_ledger;

// Steps the request's pipeline. ASSAY_INVALID where the module does not parse; ASSAY_FAILED where
// the system fails. In the arena, as everything below; the request and its shared memory must live
// as long.
ASSAY_MUST_USE assay_code assay_ledger_open(const assay_ledger_request *request, assay_arena *arena,
                                            const assay_ledger **out_ledger, assay_error *err);
// The names of the functions that --entry all stands for: public ones with a body, in the order of
// the file.
const char *const *assay_ledger_entries(const assay_ledger *of, int *out_count);
// The entry's type, as text, in the input; NULL where there is no such function.
const char *assay_ledger_entry_type(const assay_ledger *of, const char *entry);
// Whether some state shows other bits than the input, or dies, in a run of each: where none does no
// pass is accused of what the program computes. It costs a fraction of an answer.
ASSAY_MUST_USE assay_code assay_ledger_differs(const assay_ledger *of, const char *entry,
                                               bool *out_differs, assay_error *err);
// The answer for one entry; NULL: main, else the only public function.
ASSAY_MUST_USE assay_code assay_ledger_ask(const assay_ledger *of, const char *entry,
                                           const assay_ledger_answer **out_answer,
                                           assay_error *err);

#endif
