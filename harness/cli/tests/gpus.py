# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of GPU backends share: commands on a driver that is a fake, or with another ptxas."""

import ctypes

from support import FAKES, CommandTest

MATMUL = "matmul m=3 k=5 n=7"
BLOCK = "gpt2_block t=5 c=24 heads=2"  # many more launches than MATMUL has
LAYER = "feedforward t=1 c=8"


def has_driver():
    try:
        ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    return True


class GpuTest(CommandTest):
    needs_store = False

    def cuda(self, *arguments, **variables):
        """A command on the fake driver, without ptxas unless a variable names it."""
        there = {"LD_LIBRARY_PATH": FAKES, "CUDA_VISIBLE_DEVICES": "0", "ASSAY_PTXAS": "", "XDG_CACHE_HOME": self.folder, **variables}
        return self.assay(*arguments, **there)

    def run_cuda(self, *cases, backend="cuda", data="int", options=(), **variables):
        words = [word for case in cases for word in ("--case", case)]
        return self.cuda("run", "--no-ledger", "--quiet", "--out", "out", "--backend", backend, "--data", data,
                         *options, *words, **variables)

    def verdicts(self):
        """What became of each op, sorted by it: (op, verdict, reason)."""
        return sorted((record["op"], record["verdict"], record.get("reason") or "") for record in self.records("out"))

    def assert_narrow(self, text):
        self.assertEqual([line for line in text.splitlines() if len(line) > 100 and " " in line[14:].strip()], [])
