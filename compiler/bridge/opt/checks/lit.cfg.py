# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit's configuration: each .mlir file here is a check of `assay opt`. CMake says where the tools are.
import lit.formats

config.name = "opt"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_exec_root = lit_config.params["scratch"]
for name in ("opt", "FileCheck", "not", "faults"):
    config.substitutions.append(("%" + name, lit_config.params[name]))
