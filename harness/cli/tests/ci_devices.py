# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of `ci/device` share: the script, few and small cases, the fake driver.

The environment gives besides ASSAY_FAKES (the folder of the fake libraries)."""

import os
import subprocess

from support import FAKES, PROGRAM, SOURCE, CommandTest

SCRIPT = os.path.join(SOURCE, "ci/device")


class Device(CommandTest):

    def settings(self, **variables):
        few = {"DEVICE_SECONDS": "120", "DEVICE_SHARD": "1/1", "DEVICE_ROUNDS": "1",
               "DEVICE_SUITE": self.write("conformance.cases", "matmul m=3 k=5 n=7\n"),
               "DEVICE_TIMINGS": self.write("timings.cases", "matmul m=2 k=3 n=4\n"),
               "DEVICE_BACKENDS": "cublas", "LD_LIBRARY_PATH": FAKES, "CUDA_VISIBLE_DEVICES": "0", "ASSAY": PROGRAM}
        return self.environment(**{**few, **variables})

    def device(self, *arguments, **variables):
        return subprocess.run([SCRIPT, *arguments], cwd=self.folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, env=self.settings(**variables), timeout=300)

    def results(self, *arguments, **variables):
        """`ci/device-results` as `ci/device` calls it; with `DEVICE_ENDED=""`, as a person does."""
        return subprocess.run([SCRIPT + "-results", *arguments], cwd=self.folder, text=True, capture_output=True,
                              env=self.environment(**{"ASSAY": PROGRAM, "DEVICE_ENDED": "yes", **variables}), timeout=300)
