# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every file of suite/faults is answered as its header says, and a wrong header is found out."""

import os
import shutil
import unittest

from support import SOURCE, CommandTest

FOLDER = os.path.join(SOURCE, "suite/faults")


def header(path):
    """The `// KEY: VALUE` lines at the top of a file."""
    found = {}
    with open(path) as file:
        for line in file:
            if not line.startswith("//"):
                return found
            key, colon, value = line[2:].strip().partition(":")
            if colon:
                found.setdefault(key, value.strip())
    return found


class Faults(CommandTest):
    needs_store = False

    def test_all_are_answered_as_their_headers_say(self):
        names = sorted(name for name in os.listdir(FOLDER) if name.endswith(".mlir"))
        self.assertGreaterEqual(len(names), 22)
        answer = self.assay("run", "--suite", "faults", "--quiet")
        wrong = [record for record in self.records() if record["verdict"] != "PASS"]
        self.assertEqual((answer.status, wrong), (0, []), answer.stdout)
        self.assertEqual(len(self.records()), len(names))

    def test_bad_and_innocent_are_both_there(self):
        headers = [header(os.path.join(FOLDER, name)) for name in os.listdir(FOLDER)]
        bad = [one for one in headers if one["bad-pass"] != "none"]
        self.assertGreaterEqual(len(bad), 16)
        self.assertGreaterEqual(len(headers) - len(bad), 6)
        self.assertTrue(all(one["class"] for one in bad))


class WrongHeaders(CommandTest):
    """A root of its own, whose headers name another pass, another class, or nobody."""

    def setUp(self):
        super().setUp()
        faults = os.path.join(self.root, "suite/faults")
        shutil.rmtree(faults)
        os.makedirs(faults)
        for name, old, new in (
                ("fold_to_nan", "bad-pass: canonicalize", "bad-pass: cse"),
                ("insert_slice_invalid_cast", "class: invalid-ir", "class: miscompile"),
                ("guard_subview_offset", "bad-pass: none", "bad-pass: cse\n// class: miscompile")):
            with open(os.path.join(FOLDER, name + ".mlir")) as file:
                text = file.read()
            self.assertIn("// " + old, text)
            with open(os.path.join(faults, name + ".mlir"), "w") as file:
                file.write(text.replace(old, new, 1))

    def test_each_fails(self):
        answer = self.assay("run", "--suite", "faults", "--quiet")
        self.assertEqual(answer.status, 1)
        self.assertEqual([record["verdict"] for record in self.records()], ["FAIL"] * 3)
        self.assertTrue(all(record["reason"] for record in self.records()))


if __name__ == "__main__":
    unittest.main()
