// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/pass_facts.h"

#include <ctime>
#include <mlir/IR/SymbolTable.h>

double assay::processor_seconds() {
  timespec now;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + static_cast<double>(now.tv_nsec) * 1e-9;
}

// Its class is private.
bool assay::is_adaptor(mlir::Pass *pass) {
  return pass->getName().contains("OpToOpPassAdaptor");
}

llvm::StringRef assay::name_of(mlir::Pass *pass) {
  return pass->getArgument().empty() ? pass->getName() : pass->getArgument();
}

llvm::StringRef assay::symbol_of(mlir::Operation *op) {
  auto name = op->getAttrOfType<mlir::StringAttr>(mlir::SymbolTable::getSymbolAttrName());
  return name ? name.getValue() : "";
}

std::string assay::text_of(mlir::Pass *pass) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (!pass->getArgument().empty())
    pass->printAsTextualPipeline(stream);
  return text;
}

std::string assay::text_of(mlir::Location location) {
  auto file = location->findInstanceOf<mlir::FileLineColLoc>();
  if (!file)
    return "unknown";
  std::string text = file.getFilename().str();
  if (file.getLine() != 0) // a module that the text leaves out has no line
    text += ":" + std::to_string(file.getLine()) + ":" + std::to_string(file.getColumn());
  return text;
}

std::string assay::text_of(mlir::Type type) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  type.print(stream);
  return text;
}
