// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/findings.h"

#include <string.h>

static void accuse(assay_ledger_row *row, assay_fault fault, const char *what) {
  if (row->fault != ASSAY_FAULT_NONE)
    return;
  row->fault = fault;
  row->what = what;
}

// The parent of a nested execution may yet repair what it left; a pass that gave up promised
// nothing.
static bool is_whole(const assay_execution *execution) {
  return execution->depth == 0 && !execution->failed;
}

static void find_invalid(const assay_steps *steps, assay_ledger_row rows[]) {
  for (int i = 0; i < steps->count; i++) {
    const assay_execution *execution = steps->executions[i];
    if (is_whole(execution) && !execution->verifies) {
      accuse(&rows[i], ASSAY_FAULT_INVALID_IR, execution->verifier_message);
      return; // what comes after it started from there
    }
  }
}

const assay_new_nan *assay_findings_nan(const assay_ledger_request *request,
                                        const assay_execution *execution, const char *op) {
  assay_nan_contract contract =
      assay_nan_contract_of(execution->name, request->pass_contract_count, request->pass_contracts,
                            request->nan_contract);
  for (int i = 0; i < execution->nan_count; i++)
    if (assay_nan_contract_forbids(contract, execution->nans[i].origin) &&
        (op == NULL || strcmp(op, execution->nans[i].op) == 0))
      return &execution->nans[i];
  return NULL;
}

// Where the verifier has a word on it already, the NaN is why.
static void accuse_of_nan(assay_arena *arena, const assay_new_nan *nan, assay_ledger_row *row) {
  const char *what =
      assay_arena_format(arena, "%s: a NaN %s attribute at %s, %s", nan->op, nan->type,
                         nan->location, assay_nan_origin_clause(nan->origin));
  if (row->fault == ASSAY_FAULT_INVALID_IR)
    row->what = assay_arena_format(arena, "%s; %s", row->what, what);
  else
    accuse(row, ASSAY_FAULT_NAN_ATTRIBUTE, what);
}

static void find_nans(const assay_ledger_request *request, assay_arena *arena,
                      const assay_steps *steps, assay_ledger_row rows[]) {
  for (int i = 0; i < steps->count; i++) {
    const assay_execution *execution = steps->executions[i];
    const assay_new_nan *nan = assay_findings_nan(request, execution, NULL);
    if (nan == NULL || execution->failed)
      continue;
    accuse_of_nan(arena, nan, &rows[i]);
    return;
  }
}

// Printing that cannot be read again harms only where the pipeline ends with it: some upstream
// operations print badly in the middle of every pipeline.
static void find_unparsable(const assay_steps *steps, assay_ledger_row rows[]) {
  if (steps->count == 0 || steps->died || steps->stopped)
    return;
  const assay_snapshot *end = steps->executions[steps->count - 1]->after;
  bool end_parses = true;
  for (int i = 0; i < steps->count; i++)
    if (steps->executions[i]->after == end)
      end_parses = rows[i].roundtrips;
  for (int i = 0; i < steps->count && !end_parses; i++)
    if (is_whole(steps->executions[i]) && steps->executions[i]->changed && !rows[i].roundtrips) {
      accuse(&rows[i], ASSAY_FAULT_UNPARSABLE_IR, rows[i].parse_error);
      return;
    }
}

int64_t assay_findings_count(const assay_snapshot *snapshot, const char *op) {
  for (int i = 0; i < snapshot->op_count; i++)
    if (strcmp(snapshot->ops[i].name, op) == 0)
      return snapshot->ops[i].count;
  return 0;
}

static bool all_functions_lowered(const assay_snapshot *snapshot) {
  for (int i = 0; i < snapshot->function_count; i++)
    if (snapshot->functions[i].kind != ASSAY_FUNCTION_LLVM)
      return false;
  return snapshot->function_count > 0 && assay_findings_count(snapshot, "func.func") == 0;
}

static bool starts_with(const char *text, const char *prefix) {
  return strncmp(text, prefix, strlen(prefix)) == 0;
}

// Whether convert-to-llvm has patterns for the dialect (by its ConvertToLLVMPatternInterface).
static bool has_patterns(const char *dialect, size_t length) {
  static const char *const names[] = {"arith", "cf",   "complex", "func", "gpu",
                                      "index", "math", "memref",  "ub",   "vector"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strlen(names[i]) == length && strncmp(names[i], dialect, length) == 0)
      return true;
  return false;
}

// Whether the pass is the one that takes operations of the dialect ("arith", of the length given)
// to LLVM.
static bool lowers_dialect(const char *pass, const char *dialect, size_t length) {
  if (strcmp(pass, "convert-to-llvm") == 0)
    return has_patterns(dialect, length);
  if (length == strlen("memref") && strncmp(dialect, "memref", length) == 0)
    return strcmp(pass, "finalize-memref-to-llvm") == 0;
  return starts_with(pass, "convert-") &&
         strncmp(pass + strlen("convert-"), dialect, length) == 0 &&
         starts_with(pass + strlen("convert-") + length, "-to-llvm");
}

// Whether the operation becomes LLVM IR as it is, so that no pass has to lower it. (So do those of
// nvvm, which none of the passes above is for.)
static bool is_translated(const char *op) {
  static const char *const names[] = {"gpu.binary", "gpu.launch_func", "gpu.module"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strcmp(names[i], op) == 0)
      return true;
  return false;
}

// The last pass that was to lower the operation and left it; -1 where no pass was.
static int find_leaver(const assay_steps *steps, const char *op) {
  size_t length = strcspn(op, ".");
  if (is_translated(op))
    return -1;
  for (int i = steps->count - 1; i >= 0; i--)
    if (lowers_dialect(steps->executions[i]->name, op, length))
      return assay_findings_count(steps->executions[i]->after, op) > 0 ? i : -1;
  return -1;
}

// The last execution from which on casts stand to the end.
static int find_caster(const assay_steps *steps, const char *cast) {
  for (int i = steps->count - 1; i >= 0; i--)
    if (assay_findings_count(steps->executions[i]->before, cast) == 0)
      return i;
  return -1;
}

// Before the end of its way to LLVM a program may hold casts that later passes take away, and
// operations that they lower.
static void find_unlowered(assay_arena *arena, const assay_steps *steps, const char *left,
                           assay_ledger_row rows[]) {
  if (steps->count == 0 || left[0] == '\0' ||
      !all_functions_lowered(steps->executions[steps->count - 1]->after))
    return;
  bool is_cast = strcmp(left, "builtin.unrealized_conversion_cast") == 0;
  int guilty = is_cast ? find_caster(steps, left) : find_leaver(steps, left);
  if (guilty >= 0)
    accuse(&rows[guilty], ASSAY_FAULT_UNLOWERED, assay_arena_format(arena, "%s is left", left));
}

void assay_findings_mark(const assay_ledger_request *request, assay_arena *arena,
                         const assay_steps *steps, const char *left, assay_ledger_row rows[]) {
  find_invalid(steps, rows);
  find_nans(request, arena, steps, rows);
  find_unparsable(steps, rows);
  if (steps->died)
    accuse(&rows[steps->count - 1], steps->death, steps->reason);
  else if (steps->stepping->succeeded)
    find_unlowered(arena, steps, left, rows);
}
