# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ptxas takes every kernel of the benchmarks for each architecture, and no matrix product spills."""

import unittest

from support import CommandTest

ARCHITECTURES = ("sm_80", "sm_90", "sm_100", "sm_120")
SHARDS = 4


class PtxasTest(CommandTest):
    needs_store = False

    def test_all_kernels(self):
        if "none on PATH" in self.assay("doctor").stdout:
            self.skipTest("no ptxas on PATH, below CUDA_HOME or where CUDA's toolkit is installed")
        seen = 0
        for shard in range(1, SHARDS + 1):
            answer = self.assay("bench", "--suite", "bench", "--backend", "gpu-sim", "--repetitions", "1", "--quiet",
                                "--out", "out", f"--shard={shard}/{SHARDS}", XDG_CACHE_HOME=self.folder)
            self.assertIn(answer.status, (0, 2), answer.stderr)  # 2: all too large to be run
            self.assertNotIn("not counted", answer.stderr)
            for record in self.records("out"):
                with self.subTest(case=record["case"]):
                    counters = record["counters"]
                    self.assertGreater(counters["kernels"], 0)
                    self.assertEqual({name: counters[f"{name}_matmul_spill_bytes"] for name in ARCHITECTURES},
                                     dict.fromkeys(ARCHITECTURES, 0))
                seen += 1
        listed = self.assay("list", "cases", "--suite", "bench").stdout.count("\n")
        self.assertEqual(seen, listed)


if __name__ == "__main__":
    unittest.main()
