// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/option_table.h"

#include <stddef.h>

// What an option is, and where its value goes.
#define AS(kind, name) ASSAY_OPTION_##kind, offsetof(assay_options, name)

const assay_option_row assay_option_table[] = {
    {"suite", "NAME", AS(TEXTS, suites),
     "cases of a suite: standard, smoke, full, bench, or a case file or a folder of them "
     "(repeatable; default: standard; of bench: bench)",
     NULL},
    {"case", "LINE", AS(TEXTS, cases),
     "a case by its line, in a file or not (repeatable); alone it replaces the default suite",
     NULL},
    {"filter", "PATTERN", AS(TEXTS, filters),
     "only what matches: a case line or key, a prefix of one in whole tokens, or a glob; a leading "
     "'!' excludes (repeatable)",
     NULL},
    {"backend", "LIST", AS(LIST, backends), "backends, joined by commas (`assay list backends`)",
     NULL},
    {"data", "LIST", AS(LIST, data), "data sets, joined by commas: int, real", NULL},
    {"jobs", "N", AS(COUNT, jobs), "cases at a time (default: one per processor)", NULL},
    {"timeout", "SECONDS", AS(SECONDS, timeout),
     "limit of each case (default: 60), or of each pass and state of a ledger (default: 10)", NULL},
    {"memory", "MB", AS(COUNT, memory),
     "memory that a case's process may add to what it starts with, in MB of 10^6 bytes (default: "
     "4096)",
     NULL},
    {"shard", "I/N", AS(SHARD, shard),
     "the I-th of N parts of the selected cases, I from 1, parted by a hash of their lines", NULL},
    {"resume", NULL, AS(FLAG, resume),
     "go on from what --out DIR already holds, but for records of another revision or library",
     NULL},
    {"out", "DIR", AS(TEXT, out), "where records go (default: assay-out/latest)", NULL},
    {"store", "FILE", AS(TEXT, store),
     "an SQLite file (docs/store.md): run, bench, ledger and report write their records to it, "
     "compare and report look tags and revisions up there (default: assay-out/assay.db; run and "
     "bench write to that without --out, ledger and report not)",
     NULL},
    {"tag", "NAME", AS(TEXT, tag),
     "a name for these records in the store; given again, it names the new ones as well", NULL},
    {"format", "NAME=FILE", AS(TEXTS, formats),
     "also write a report (`assay list formats`), '-' is standard output; several are joined by "
     "commas, and a comma of a file's name is written as two (repeatable)",
     NULL},
    {"baseline", "SOURCE", AS(TEXT, baseline), "compare with these records, and report it", NULL},
    {"known", "SOURCE", AS(TEXT, known),
     "failures that these records have as well, with the same verdict for the case, are reported "
     "as "
     "known (XFAIL) and are no failure",
     NULL},
    {"failure", "TEXT", AS(TEXTS, failures),
     "something else that failed: the report says it first, and the exit code is 1 (repeatable)",
     NULL},
    {"no-ledger", NULL, AS(FLAG, no_ledger), "do not look for the pass that is to blame", NULL},
    {"passes", NULL, AS(FLAG, every_pass),
     "of run: besides, the ledger of every program, each pass of the backend's pipeline judged, "
     "but "
     "SKIP where what a pass left cannot be run, as a GPU's kernels; of "
     "compare: besides, the passes of both sides, aligned, with what changed between them marked",
     NULL},
    {"gate", NULL, AS(FLAG, gate), "exit with 1 where a row fails the gate", NULL},
    {"thresholds", "FILE", AS(TEXT, thresholds),
     "what counts as a change and what fails the gate, read after the built-in "
     "results/compare/default.thresholds",
     NULL},
    {"random", "N", AS(COUNT, random),
     "instead, the ledgers of N generated programs through each backend's pipeline; of GPUs they "
     "are "
     "SKIP: what makes kernels is not judged",
     NULL},
    {"repetitions", "N", AS(COUNT, repetitions),
     "samples of each contender, each from a process of its own (default: 12, or fewer of what "
     "takes long; with --against 40 pairs)",
     NULL},
    {"min-time", "SECONDS", AS(SECONDS, min_time),
     "that a sample's loop lasts at least (default: 0.05)", NULL},
    {"threads", "N", AS(COUNT, threads), "threads that a run may use (default: 1)", NULL},
    {"pin", NULL, AS(FLAG, pin), "stay on as many processors as there are threads", NULL},
    {"cold", NULL, AS(FLAG, cold), "evict the caches before each run", NULL},
    {"against", "ASSAY", AS(TEXT, against),
     "compare with another build: its binary, or a script that starts it, driven in turn with this "
     "one; rows are paired, ASSAY is the base",
     NULL},
    {"serve", NULL, AS(FLAG, serve),
     "time one case on request, from standard input: what --against asks of a build", NULL},
    {"stage", "STAGE", AS(WORD, stage),
     "print only this: program, tensor, bufferized, kernels and nvvm of a GPU's backend, llvm, or "
     "all",
     "program|tensor|bufferized|kernels|nvvm|llvm|all"},
    {"save", "DIR", AS(TEXT, save),
     "write what shows it into files there: module.mlir, inputs/*.npy, expected.npy, scale.npy "
     "and, "
     "with --backend, got.npy; of a ledger, the repro bundle of the bad pass",
     NULL},
    {"dot", "FILE", AS(TEXT, dot), "write the program's graph for Graphviz's dot; '-' is stdout",
     NULL},
    {ASSAY_OPTION_PASSES, NULL, AS(PASS, passes),
     "a pass or pipeline as mlir-opt takes it, with one dash or two; they run in the order given",
     NULL},
    {"pass-pipeline", "TEXT", AS(PASS, passes), "a pipeline in MLIR's syntax: builtin.module(...)",
     NULL},
    {"pipeline", "NAME", AS(TEXT, pipeline), "a built-in pipeline (`assay list pipelines`)", NULL},
    {"run-line", NULL, AS(FLAG, run_line),
     "the pipeline of the mlir-opt command in the file's first RUN line", NULL},
    {"load-pass-plugin", "LIB", AS(TEXTS, pass_plugins), "passes of a shared library (repeatable)",
     NULL},
    {"load-dialect-plugin", "LIB", AS(TEXTS, dialect_plugins),
     "dialects of a shared library (repeatable)", NULL},
    {"split-input-file", NULL, AS(FLAG, split_input),
     "the file is several pieces, parted by lines \"// -----\"", NULL},
    {"allow-unregistered-dialect", NULL, AS(FLAG, allow_unregistered),
     "operations of dialects that nobody has registered are no error", NULL},
    {"entry", "NAME", AS(TEXT, entry),
     "the function that is run (default: main, else the only public one); all: each public one",
     NULL},
    {"input", "FILE.npy", AS(TEXTS, inputs),
     "the entry's next argument (repeatable; default: generated)", NULL},
    {"dims", "LIST", AS(LIST, dims), "sizes of dynamic dimensions, in order (default: 7)", NULL},
    {"seed", "N", AS(COUNT, seed), "of generated arguments or programs (default: 1)", NULL},
    {"expect", "FILE.npy", AS(TEXTS, expected), "the next observed value must be this (repeatable)",
     NULL},
    {"expect-values", "LIST", AS(TEXT, expect_values),
     "the numbers observed must be these, parted by spaces", NULL},
    {"tail", "PIPELINE", AS(TEXT, tail),
     "passes that lower what our tails do not know, before them", NULL},
    {"nan-contract", "WORD", AS(TEXTS, nan_contracts),
     "which new NaN attributes are findings: error (any; the default), planted (what the program's "
     "own arithmetic does not give), report (none, but they are listed), off; PASS:WORD: of that "
     "pass (repeatable)",
     NULL},
    {"nan-origin", NULL, AS(FLAG, nan_origin),
     "besides, the operation that made a NaN in the results from operands that hold none", NULL},
    {"inf-origin", NULL, AS(FLAG, inf_origin), "the same of an infinity", NULL},
    {"loss-origin", NULL, AS(FLAG, loss_origin),
     "the operation that lost most bits of a result, found by computing with more digits", NULL},
    {"message", "TEXT", AS(TEXT, message),
     "the fault is only the same where its reason holds this, such as a verifier's message", NULL},
    {"time-limit", "SECONDS", AS(SECONDS, time_limit),
     "look no longer for a smaller program (default: 600)", NULL},
    {"check", "FILE.mlir", AS(TEXT, check),
     "do not reduce: exit with 1 where this module shows the bundle's fault, with 0 where it does "
     "not, as mlir-reduce wants it of its tests",
     NULL},
    {"all", NULL, AS(FLAG, all), "also passes that changed nothing", NULL},
    {"json", "FILE", AS(TEXT, json), "write the answer as JSON; '-' is standard output", NULL},
    {"quiet", NULL, AS(FLAG, quiet), "no progress", NULL},
    {"verbose", NULL, AS(FLAG, verbose), "say more: each verdict as it comes, each description",
     NULL},
    {"color", "WHEN", AS(WORD, color), "auto, always or never (default: auto)",
     "auto|always|never"},
    {"help", NULL, AS(FLAG, help), "this text", NULL},
    {0},
};
