// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Faults of the module and of the process.
#include "harness/ledger/plugins/fault.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <llvm/Support/ErrorHandling.h>
#include <mlir/Dialect/Func/IR/FuncOps.h>
#include <string>
#include <sys/file.h>
#include <unistd.h>

// An attribute that no value depends on.
void assay::nan_attribute(mlir::ModuleOp module, int, mlir::Pass *) {
  mlir::Builder builder(module->getContext());
  mlir::FloatType type = builder.getF32Type();
  for (auto function : module.getOps<mlir::func::FuncOp>())
    function->setAttr("assay.planted",
                      mlir::FloatAttr::get(type, llvm::APFloat::getNaN(type.getFloatSemantics())));
}

// A return that gives one value too few, or one too many.
// The number of the process that asks, from 0, among those that have asked: their names stand in
// the file that ASSAY_FLAKY names.
static int number_of_asker(const char *path) {
  const std::string name = std::to_string(getppid()) + "\n";
  int descriptor = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666), number = 0;
  flock(descriptor, LOCK_EX);
  std::string known;
  char bytes[512];
  for (ssize_t got; (got = read(descriptor, bytes, sizeof bytes)) > 0;)
    known.append(bytes, static_cast<size_t>(got));
  for (size_t at = 0; at < known.size(); at = known.find('\n', at) + 1, number++)
    if (known.compare(at, name.size(), name) == 0) {
      close(descriptor);
      return number;
    }
  if (write(descriptor, name.data(), name.size()) < 0)
    abort();
  close(descriptor);
  return number;
}

void assay::flaky(mlir::ModuleOp module, int nth, mlir::Pass *pass) {
  const char *path = getenv("ASSAY_FLAKY");
  if (path != nullptr && number_of_asker(path) % 5 % 2 == 0)
    swapped_operands(module, nth, pass);
}

void assay::invalid_op(mlir::ModuleOp module, int nth, mlir::Pass *) {
  module->walk([&](mlir::func::ReturnOp op) {
    if (nth-- != 0)
      return;
    if (op->getNumOperands() > 0)
      op->eraseOperand(0);
    else if (!op->getBlock()->getArguments().empty())
      op->insertOperands(0, op->getBlock()->getArgument(0));
    else
      op->erase();
  });
}

// Of a quotient of exp, and of any other.
void assay::two_crashes(mlir::ModuleOp module, int, mlir::Pass *) {
  module->walk([](mlir::Operation *op) {
    if (op->getName().getStringRef() != "arith.divf")
      return;
    mlir::Operation *from = op->getOperand(0).getDefiningOp();
    bool of_exp = from != nullptr && from->getName().getStringRef() == "math.exp";
    llvm::report_fatal_error(of_exp ? "a quotient of exp" : "a quotient alone");
  });
}

void assay::abort_process(mlir::ModuleOp, int, mlir::Pass *) {
  abort();
}

void assay::endless_loop(mlir::ModuleOp, int, mlir::Pass *) {
  for (volatile unsigned turns = 0;; turns = turns + 1) {
  }
}

void assay::exit_process(mlir::ModuleOp, int, mlir::Pass *) {
  exit(0);
}

void assay::print_noise(mlir::ModuleOp, int, mlir::Pass *) {
  for (int i = 0; i < 1000; i++) {
    printf("noise %d: first bad pass: 1 none (crash)\n", i);
    fprintf(stderr, "noise %d\n", i);
  }
  fflush(stdout);
}

void assay::fork_child(mlir::ModuleOp, int, mlir::Pass *) {
  if (fork() == 0) {
    sleep(600);
    _exit(0);
  }
}

void assay::close_descriptors(mlir::ModuleOp, int, mlir::Pass *) {
  for (int i = 0; i < 1024; i++)
    close(i);
}

void assay::take_signals(mlir::ModuleOp, int, mlir::Pass *) {
  for (int number : {SIGTERM, SIGINT, SIGALRM, SIGXCPU, SIGCHLD, SIGUSR1, SIGUSR2})
    signal(number, SIG_IGN);
  for (int number : {SIGSEGV, SIGBUS, SIGFPE, SIGABRT})
    signal(number, [](int) { _exit(0); });
}

void assay::eat_memory(mlir::ModuleOp, int, mlir::Pass *) {
  constexpr size_t BYTES = size_t{64} << 20;
  for (;;) {
    void *block = malloc(BYTES);
    if (block == nullptr)
      abort();
    memset(block, 1, BYTES);
  }
}
