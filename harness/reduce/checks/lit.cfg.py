# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit's configuration: each .mlir file here is a check of what `assay reduce` leaves of a program.
import lit.formats

config.name = "reduce"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_exec_root = lit_config.params["scratch"]
for name in ("reduce", "FileCheck", "not", "faults"):
    config.substitutions.append(("%" + name, lit_config.params[name]))
