# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit's configuration: each .mlir file below is a check of what `assay ledger` says besides the pass.
import lit.formats

config.name = "ledger"
config.test_format = lit.formats.ShTest()
config.suffixes = [".mlir"]
config.test_exec_root = lit_config.params["scratch"]
for name in ("ledger", "FileCheck", "not", "faults"):
    config.substitutions.append(("%" + name, lit_config.params[name]))
