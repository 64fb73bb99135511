# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit's configuration: each .mlir file here is a check of one of our passes. CMake says where the tools are.
import lit.formats

config.name = "passes"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_exec_root = lit_config.params["scratch"]
config.substitutions.append(("%opt", lit_config.params["opt"]))
config.substitutions.append(("%FileCheck", lit_config.params["filecheck"]))
