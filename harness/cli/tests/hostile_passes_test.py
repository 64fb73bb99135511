# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Passes that do to their process what no pass should: those that end it are named, the others are not."""

import os
import unittest

from planting import END, FRONT, MIDDLE, PlantingTest

PLACES = (FRONT, MIDDLE, END)


class HostilePasses(PlantingTest):

    def test_those_that_end_the_process_are_named(self):
        for word in ("abort", "exit"):
            for place in PLACES:
                with self.subTest(word, place=place):
                    self.assert_named(word, place, {"crash"})

    def test_one_that_never_ends_is_named(self):
        for place in PLACES:
            self.assert_named("endless-loop", place, {"timeout"}, "--timeout", "2")

    def test_one_that_eats_all_memory_is_named(self):
        for place in PLACES:
            self.assert_named("memory", place, {"crash"}, "--memory", "600")

    def test_one_that_gives_up_is_not_accused(self):
        for place in PLACES:
            answer = self.plant("failure", place)
            self.assertIn(f"pipeline failed at {place} assay-fault-failure: ", answer.raw)
            self.assertNotIn("bad pass", answer.raw)
            failed = answer.json["failed"]
            self.assertEqual((failed["n"], failed["name"]), (place, "assay-fault-failure"))
            self.assertIn("the planted failure", failed["message"])
            self.assertEqual((answer.status, answer.json["first_bad"]), (2, None))
            self.assertEqual(len(answer.json["passes"]), place)

    def test_a_bad_pass_before_one_that_gives_up_is_named(self):
        answer = self.assay("ledger", "x.mlir", *self.plugin(), "--assay-fault-slice-offset",
                            "--assay-fault-failure")
        self.assertEqual(answer.status, 1)
        self.assertIn("first bad pass: 1 assay-fault-slice-offset (miscompile)\n", answer.raw)
        self.assertIn("pipeline failed at 2 assay-fault-failure: ", answer.raw)

    def test_the_innocent_are_not_accused(self):
        for word in ("none", "print", "fork", "close", "signals", "nested"):
            for place in PLACES:
                with self.subTest(word, place=place):
                    answer = self.plant(word, place)
                    self.assertEqual((answer.status, answer.json["first_bad"]), (0, None), answer.raw)
                    self.assertTrue(answer.raw.endswith("no bad pass\n"), answer.raw)
                    self.assertNotIn("noise", answer.raw + answer.stderr)

    def test_no_process_is_left(self):
        """The children that a pass forks end with it."""
        self.plant("fork", MIDDLE)
        left = [pid for pid in os.listdir("/proc") if pid.isdigit() and self.is_ours(pid)]
        self.assertEqual(left, [])

    def is_ours(self, pid):
        try:
            return os.readlink(f"/proc/{pid}/cwd") == os.path.realpath(self.folder)
        except OSError:
            return False


if __name__ == "__main__":
    unittest.main()
