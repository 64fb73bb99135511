# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of whole ledger commands share."""

import json
import os

from planting import MODULE
from support import PLUGINS, CommandTest

FAULTS = ["--load-pass-plugin", os.path.join(PLUGINS, "assay_faults.so")]
TOY = [f"--load-{kind}-plugin=" + os.path.join(PLUGINS, "assay_toy.so") for kind in ("dialect", "pass")]
SWAP = ["--canonicalize", "--assay-fault-swapped-operands", "--cse",
        "--one-shot-bufferize=bufferize-function-boundaries"]
DIFFERENCE = """func.func @main(%a: tensor<5xf32>, %b: tensor<5xf32>) -> tensor<5xf32> {
  %c = arith.subf %a, %b : tensor<5xf32>
  return %c : tensor<5xf32>
}
"""


class LedgerTest(CommandTest):
    needs_store = False

    def setUp(self):
        super().setUp()
        self.write("x.mlir", MODULE)

    def ask(self, *arguments, **variables):
        return self.assay("ledger", *arguments, **variables)

    def ask_json(self, *arguments, status=0):
        answer = self.ask(*arguments, "--json=-")
        self.assertEqual(answer.status, status, answer.raw + answer.stderr)
        return json.loads(answer.raw)

    def path(self, *names):
        return os.path.join(self.folder, *names)
