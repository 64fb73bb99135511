// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes with one planted fault each, for the tests of the ledger itself.
#ifndef ASSAY_HARNESS_LEDGER_PLUGINS_FAULT_H
#define ASSAY_HARNESS_LEDGER_PLUGINS_FAULT_H

#include <mlir/IR/BuiltinOps.h>
#include <mlir/Pass/Pass.h>

namespace assay {

// Changes the module, or the process, at the nth place (from 0) where it can.
using Fault = void (*)(mlir::ModuleOp module, int nth, mlir::Pass *pass);

struct NamedFault {
  const char *argument, *description;
  Fault run;
};

// What is wrong afterwards: values, the module, the process.
void dropped_fill(mlir::ModuleOp, int, mlir::Pass *);
void swapped_operands(mlir::ModuleOp, int, mlir::Pass *);
void loop_bound(mlir::ModuleOp, int, mlir::Pass *);
void slice_offset(mlir::ModuleOp, int, mlir::Pass *);
void dropped_mask(mlir::ModuleOp, int, mlir::Pass *);
void bf16_truncation(mlir::ModuleOp, int, mlir::Pass *);
void narrow_accumulator(mlir::ModuleOp, int, mlir::Pass *);
void polynomial(mlir::ModuleOp, int, mlir::Pass *);
void added_print(mlir::ModuleOp, int, mlir::Pass *);
void added_garbage(mlir::ModuleOp, int, mlir::Pass *);
void added_address(mlir::ModuleOp, int, mlir::Pass *);
void endless_program(mlir::ModuleOp, int, mlir::Pass *);
void gone_entry(mlir::ModuleOp, int, mlir::Pass *);
void renamed_entry(mlir::ModuleOp, int, mlir::Pass *);
void address(mlir::ModuleOp, int, mlir::Pass *);
void flaky(mlir::ModuleOp, int, mlir::Pass *);
void nan_attribute(mlir::ModuleOp, int, mlir::Pass *);
void nan_constant(mlir::ModuleOp, int, mlir::Pass *);
void nan_scale(mlir::ModuleOp, int, mlir::Pass *);
void invalid_op(mlir::ModuleOp, int, mlir::Pass *);
void two_crashes(mlir::ModuleOp, int, mlir::Pass *);
void abort_process(mlir::ModuleOp, int, mlir::Pass *);
void endless_loop(mlir::ModuleOp, int, mlir::Pass *);
void exit_process(mlir::ModuleOp, int, mlir::Pass *);
void print_noise(mlir::ModuleOp, int, mlir::Pass *);
void fork_child(mlir::ModuleOp, int, mlir::Pass *);
void close_descriptors(mlir::ModuleOp, int, mlir::Pass *);
void take_signals(mlir::ModuleOp, int, mlir::Pass *);
void eat_memory(mlir::ModuleOp, int, mlir::Pass *);

void register_patterns(); // the pass that is made of patterns

} // namespace assay

#endif
