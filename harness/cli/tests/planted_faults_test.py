# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Each planted fault of a value or of the module is named, wherever it stands in a pipeline of ten passes."""

import unittest

from planting import END, FRONT, MIDDLE, PlantingTest

FAULTS = {
    "dropped-fill": {"miscompile"},
    "swapped-operands": {"miscompile"},
    "loop-bound": {"miscompile"},
    "slice-offset": {"miscompile"},
    "dropped-mask": {"miscompile"},
    "bf16-truncation": {"precision-loss"},
    "address": {"nondeterministic"},
    "nan-constant": {"nan-attribute"},
    "nan-attribute": {"nan-attribute"},
    "invalid-op": {"invalid-ir"},
}


class PlantedFaults(PlantingTest):

    def assert_all_named(self, place):
        for word, classes in FAULTS.items():
            with self.subTest(word):
                self.assert_named(word, place, classes)

    def test_at_the_front(self):
        self.assert_all_named(FRONT)

    def test_in_the_middle(self):
        self.assert_all_named(MIDDLE)

    def test_at_the_end(self):
        self.assert_all_named(END)

    def test_a_program_without_its_entry(self):
        for word in ("gone-entry", "renamed-entry"):
            answer = self.assert_named(word, MIDDLE, {"miscompile"})
            self.assertEqual(answer.json["first_bad"]["reason"], "@main is gone")
            self.assertIsNone(answer.json["passes"][MIDDLE - 1]["not_run"])

    def test_a_program_that_never_ends(self):
        answer = self.assert_named("endless-program", END, {"miscompile"}, "--data=real", "--timeout=2")
        self.assertIn("the program does not end: ", answer.json["first_bad"]["reason"])

    def test_what_is_shown_besides_says_nothing_of_memory(self):
        for word in ("print-added", "address-printed", "garbage-printed"):
            answer = self.assert_named(word, END, {"miscompile"})
            self.assertEqual(answer.json["first_bad"]["reason"], "print 0 is one too many")

    def test_what_is_read_and_was_never_written(self):
        answer = self.assert_named("dropped-fill", END, {"miscompile"})
        self.assertRegex(answer.json["first_bad"]["reason"],
                         r"^result 0.*; the program reads memory that nobody wrote$")

    def test_the_first_of_two_is_named(self):
        answer = self.assay("ledger", "x.mlir", *self.plugin(), "--cse", "--assay-fault-slice-offset",
                            "--canonicalize", "--assay-fault-swapped-operands")
        self.assertIn("first bad pass: 2 assay-fault-slice-offset (miscompile)\n", answer.raw)

    def test_another_pass_inside(self):
        """What a pass does wrong before or after one that it runs inside itself is its own fault."""
        for option, n in (("before", 2), ("after", 2)):
            answer = self.plant(f"nested={option}", FRONT)
            bad = answer.json["first_bad"]
            self.assertEqual((bad["n"], bad["name"], bad["class"]),
                             (n, "assay-fault-nested", "miscompile"), answer.raw)
        answer = self.plant("nested", MIDDLE)
        self.assertEqual((answer.status, answer.json["first_bad"]), (0, None))

    def test_a_nan_that_nothing_depends_on_may_be_allowed(self):
        for contract in ("report", "off"):
            answer = self.plant("nan-attribute", MIDDLE, "--nan-contract", contract)
            self.assertEqual((answer.status, answer.json["first_bad"]), (0, None), contract)
            self.assertEqual(len(answer.json["passes"][MIDDLE - 1]["nan_added"]), 1)


if __name__ == "__main__":
    unittest.main()
