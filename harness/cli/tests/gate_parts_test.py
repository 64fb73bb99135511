# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ci/gate: four parts as one run, and parts that are missing, there twice or all skipped."""

import os
import re
import unittest

from gating import GateTest


class Parts(GateTest):
    def verdicts(self, path):
        return sorted((record["key"], record["verdict"], record["margin"]) for record in self.lines(path))

    def test_four_parts_are_one_run(self):
        self.assertEqual(self.run_gate("--out=whole", "--baseline=base/b.jsonl")[0], 0)
        parts = []
        for i in range(1, 5):
            status, last, _ = self.run_gate(f"--shard={i}/4", f"--out=part{i}")
            self.assertEqual((status, last), (0, f"gate: part {i}/4 has run; its records are in part{i}, to "
                                                 "be judged with --merge"))
            parts.append(f"--merge=part{i}")
        self.assertEqual(self.gate(*parts, "--shards=4", "--out=all", "--baseline=base/b.jsonl")[0], 0)
        self.assertEqual(self.verdicts("all/run.jsonl"), self.verdicts("whole/run.jsonl"))
        self.parts_that_do_not_say_which(parts)

        def say(path):  # the sentence and the tables of the summary
            with open(os.path.join(self.folder, path)) as file:
                return re.sub(r"\d+\.\d+", "N", file.read()).split("# Assay\n\n")[1].split(" No regression")[0].split("\n")[0]

        self.assertEqual(say("all/summary.md"), say("whole/summary.md"))
        # Each part says which it is: one that is missing or there twice is told, without a baseline too.
        for given, count, told in ((parts[1:], [], "part 1/4 is missing"),
                                   (parts[:3] + parts[:1], ["--shards=4"], "part 1/4 is there twice (part1)"),
                                   (parts[:3], ["--shards=3"], "the parts are of 4, and --shards says 3"),
                                   (parts + ["--out=part1"], [], "the part part1/run.jsonl is in part1, where "
                                    "the result goes: give another --out")):
            status, last, _ = self.gate(*given, *count, "--baseline=none.jsonl")
            self.assertEqual((status, last), (2, "gate: cannot tell: " + told))
        self.assertFalse(self.exists("none.jsonl"))
        # Parts that do not say it are missed by their cases, which vanished.
        for i in range(1, 5):
            os.remove(os.path.join(self.folder, f"part{i}/shard"))
        filled = [part for i, part in enumerate(parts, 1) if self.lines(f"part{i}/run.jsonl")]
        status, last, _ = self.gate(*filled[1:], "--out=some", "--baseline=base/b.jsonl")
        self.assertEqual(status, 1, last)
        self.assertEqual(self.gate(*parts, "--shards=4", "--out=some", "--baseline=base/b.jsonl")[0], 2)
        status, last, _ = self.gate(*filled[1:], "--out=some", "--baseline=none.jsonl")
        self.assertEqual((status, self.exists("none.jsonl")), (2, False), last)
        self.assertIn("what may be incomplete becomes the first baseline with --accept only", last)

    def parts_that_do_not_say_which(self, parts):
        os.rename(os.path.join(self.folder, "part2/shard"), os.path.join(self.folder, "kept"))
        status, last, _ = self.gate(*parts, "--out=some", "--baseline=base/b.jsonl")
        os.rename(os.path.join(self.folder, "kept"), os.path.join(self.folder, "part2/shard"))
        self.assertEqual((status, last), (2, "gate: cannot tell: part2 has no file 'shard' that says which "
                                             "part it is, as part4 has"))

    def test_a_part_in_which_everything_is_skipped(self):
        gaps = os.path.join(self.root, "suite/known_gaps")  # what is skipped: a lasting gap
        with open(gaps) as file:
            self.addCleanup(self.write, gaps, file.read())
        with open(gaps, "a") as file:
            file.write('matmul m=2 k=77 lasting "of this test"\n')
        self.write("mine.cases", "matmul m=2 k=77 n=4,5,6,7,8\nmatmul m=2 k=3 n=4\n")
        parts = []
        for i in range(1, 5):
            status, last, _ = self.run_gate(f"--shard={i}/4", f"--out=part{i}", "--", "--backend=blas")
            self.assertEqual((status, self.exists(f"part{i}/shard")), (0, True), last)
            parts.append(f"--merge=part{i}")
        self.assertTrue(any({record["verdict"] for record in self.lines(f"part{i}/run.jsonl")} == {"SKIP"}
                            for i in range(1, 5)))
        status, last, _ = self.gate(*parts, "--shards=4")
        self.assertEqual(status, 0, last)
        self.write("mine.cases", "matmul m=2 k=77 n=4,5,6,7,8\n")  # all of the whole
        for i in range(1, 5):
            self.assertEqual(self.run_gate(f"--shard={i}/4", f"--out=part{i}", "--", "--backend=blas")[0], 0)
        status, last, _ = self.gate(*parts, "--shards=4", "--out=all")
        self.assertEqual(status, 2, last)
        self.assertIn("everything selected was skipped", self.read("all/summary.md").splitlines()[0])


if __name__ == "__main__":
    unittest.main()
