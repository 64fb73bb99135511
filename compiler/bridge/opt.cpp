// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/opt.h"

#include <mlir-c/RegisterEverything.h>
#include <mlir/CAPI/IR.h>
#include <mlir/Tools/mlir-opt/MlirOptMain.h>

int assay_opt_main(int argc, char **argv) {
  mlir::DialectRegistry registry;
  mlirRegisterAllDialects(wrap(&registry));
  return mlir::asMainReturnCode(mlir::MlirOptMain(argc, argv, "assay", registry));
}
