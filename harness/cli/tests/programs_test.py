# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay run --random and --passes: ledgers of programs, as records."""

import os
import unittest

from support import LINE, CommandTest


class Programs(CommandTest):

    def test_random_programs(self):
        answer = self.assay("run", "--random", "2", "--seed", "3", "--quiet", "--backend", "loop")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        records = {record["key"]: record for record in self.records()}
        self.assertEqual(sorted(records), [f"random seed=3 n={n} data=none backend=loop"
                                           for n in (1, 2)])
        for key, record in records.items():
            self.assertEqual((record["op"], record["checks"], record["verdict"]),
                             ("random", ["ledger"], "PASS"))
            self.assertTrue(0 <= record["margin"] <= 1)
            self.assertIsNone(record["first_bad"])
            self.assertIn(f"--filter '{key}'", record["repro"])

    def test_one_of_them_again(self):
        key = "random seed=3 n=2 data=none backend=loop"
        self.assertEqual(self.assay("run", "--random", "2", "--seed", "3", "--filter", key).status, 0)
        self.assertEqual([record["key"] for record in self.records()], [key])

    def test_ledgers_besides_verdicts(self):
        answer = self.assay("run", "--suite", "tiny", "--filter", LINE, "--filter", "reject_matmul",
                            "--backend", "loop", "--passes")
        self.assertEqual(answer.status, 0)
        self.assertEqual(sorted(record["key"] for record in self.records()
                                if record["checks"] == ["ledger"]),
                         [f"{LINE} data=none backend=loop"])
        self.assertEqual(len(self.records()), 4)

    def test_bad_questions(self):
        for words, message in [
                (["--random", "0"], "--random: '0' is no whole number from 1 to 2147483647"),
                (["--random", "1", "--case", LINE],
                 "--random makes programs of its own: it goes with neither --suite nor --case"),
                (["--random", "1", "--resume"], "--random has nothing to resume: take --shard"),
                (["--seed", "3"], "--seed is that of --random, which is not given"),
                (["--random", "2", "--filter", "random seed=1 n=3"],
                 "no random program is selected: the filters exclude each of 'random seed=1 n=1' "
                 "to 'n=2'")]:
            self.assert_answer(self.assay("run", *words), 2, stderr=f"assay: error: {message}\n")
            self.assertFalse(os.path.exists(os.path.join(self.folder, "assay-out")))


if __name__ == "__main__":
    unittest.main()
