// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the opaque pipeline of passes.h is to the C++ files of the bridge.
#ifndef ASSAY_COMPILER_BRIDGE_PIPELINE_H
#define ASSAY_COMPILER_BRIDGE_PIPELINE_H

#include "compiler/bridge/passes.h"

#include <mlir/Pass/PassManager.h>

struct assay_pass_pipeline {
  mlir::OpPassManager manager; // copied for each run, so that no run leaves a trace in it
};

#endif
