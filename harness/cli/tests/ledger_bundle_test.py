# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The repro bundle of a bad pass, and that its commands show it."""

import json
import os
import resource
import shutil
import subprocess
import unittest

import numpy as np

from asking import DIFFERENCE, FAULTS, SWAP, LedgerTest
from support import PLUGINS, PROGRAM


class Bundle(LedgerTest):

    def commands(self, folder):
        with open(os.path.join(folder, "README")) as file:
            return [line.strip() for line in file if line.startswith("    ")]

    def run_command(self, command, folder):
        if command.startswith("mlir-opt"):
            tool = command.split()[0]
            found = shutil.which(tool) or shutil.which(tool, path="/usr/lib/llvm-22/bin") or \
                shutil.which("mlir-opt", path="/usr/lib/llvm-22/bin")
            if found is None:
                self.skipTest("no mlir-opt here")
            command = command.replace(tool, found, 1)
        else:
            self.assertTrue(command.startswith("assay "), command)
            command = f"'{PROGRAM}'" + command[len("assay"):]
        return subprocess.run(["sh", "-c", command], cwd=folder, text=True, capture_output=True,
                              env=self.environment())

    def test_what_is_in_it(self):
        self.ask("x.mlir", *FAULTS, *SWAP, "--save=out")
        found = {os.path.relpath(os.path.join(folder, name), self.path("out"))
                 for folder, _, names in os.walk(self.path("out")) for name in names}
        self.assertEqual(found, {"input.mlir", "before.mlir", "after.mlir", "pass", "README",
                                 "bundle.json"} | {
            f"{kind}/{data}-{i}.npy" for data in ("int", "real")
            for kind, count in (("inputs", 2), ("expected", 1), ("got", 1)) for i in range(count)})
        x, m = (np.load(self.path("out/inputs", f"real-{i}.npy")) for i in (0, 1))
        self.assertEqual((x.shape, x.dtype, m.shape), ((6, 8), np.dtype("<f4"), (4,)))

        def program(sign):
            d = sign * (x[1:5] - m[:, None])
            return np.where(d > 0, d, np.float32(0.3)).sum(axis=1) * np.float32(0.3)

        np.testing.assert_allclose(np.load(self.path("out/expected/real-0.npy")), program(1), rtol=1e-5)
        np.testing.assert_allclose(np.load(self.path("out/got/real-0.npy")), program(-1), rtol=1e-5)
        with open(self.path("out/pass")) as file:
            self.assertEqual(file.read(), "builtin.module(assay-fault-swapped-operands{nth=0})\n")

    def test_its_commands_show_the_fault(self):
        """With a plug-in, a seed and a data set: all that the fault hangs on is in them."""
        os.symlink(os.path.join(PLUGINS, "assay_faults.so"), self.path("faults.so"))
        self.ask("x.mlir", "--load-pass-plugin=faults.so", *SWAP, "--seed=3", "--data=real", "--save=out")
        opt, ledger = self.commands(self.path("out"))
        seen = self.run_command(opt, self.path("out"))
        self.assertEqual(seen.returncode, 0, seen.stderr)
        with open(self.path("out/after.mlir")) as file:
            self.assertEqual(seen.stdout.strip(), file.read().strip())
        seen = self.run_command(ledger, self.path("out"))
        self.assertEqual(seen.returncode, 1, seen.stderr)
        self.assertIn("first bad pass: 1 assay-fault-swapped-operands (miscompile)\n", seen.stdout)
        self.assertIn("--seed=3", ledger)

    def test_commands_of_other_classes(self):
        for fault, kind, signs in (("invalid-op", "invalid-ir", 1), ("abort", "crash", -6)):
            self.ask("x.mlir", *FAULTS, "--cse", f"--assay-fault-{fault}", f"--save={fault}")
            opt, ledger = self.commands(self.path(fault))
            seen = self.run_command(opt, self.path(fault))
            self.assertIn(seen.returncode, (signs, 128 - signs), seen.stderr)
            seen = self.run_command(ledger, self.path(fault))
            self.assertEqual((seen.returncode, seen.stdout.splitlines()[-1]),
                             (1, f"first bad pass: 1 assay-fault-{fault} ({kind})"))
        self.assertFalse(os.path.exists(self.path("abort/after.mlir")))

    def test_with_given_arguments(self):
        self.write("d.mlir", DIFFERENCE)
        for name, array in (("a", np.arange(5)), ("b", np.ones(5))):
            np.save(self.path(name + ".npy"), array.astype(np.float32))
        self.ask("d.mlir", *FAULTS, "--assay-fault-swapped-operands", "--input=a.npy", "--input=b.npy",
                 "--save=out")
        _, ledger = self.commands(self.path("out"))
        self.assertIn("--input=inputs/real-0.npy --input=inputs/real-1.npy", ledger)
        self.assertEqual(self.run_command(ledger, self.path("out")).returncode, 1)

    def test_after_the_entry_is_lowered(self):
        self.write("d.mlir", "func.func @main(%a: f32, %b: f32) -> f32 {\n  %c = arith.constant 2.5 : f32\n"
                   "  %d = arith.subf %a, %b : f32\n  %e = arith.mulf %d, %c : f32\n  return %e : f32\n}\n")
        self.ask("d.mlir", *FAULTS, "--convert-func-to-llvm", "--assay-fault-swapped-operands", "--save=out")
        _, ledger = self.commands(self.path("out"))
        self.assertTrue(ledger.startswith("assay ledger input.mlir "), ledger)
        seen = self.run_command(ledger, self.path("out"))
        self.assertIn("first bad pass: 2 assay-fault-swapped-operands (miscompile)\n", seen.stdout)

    def test_where_the_disk_is_full(self):
        """A file that cannot be written leaves no half a bundle; the answer is given, with JSON."""
        os.mkdir(self.path("kept"))
        self.write("kept/notes", "mine")
        for folder in ("new/deep", "kept"):
            answer = self.ask_with_small_files("x.mlir", *FAULTS, *SWAP, f"--save={folder}", "--json=-")
            self.assertEqual(answer.returncode, 2, answer.stderr)
            self.assertIn(f"assay: {folder}/.draft/input.mlir: error: ", answer.stderr)
            bad = json.loads(answer.stdout)["first_bad"]
            self.assertEqual((bad["class"], bad["before"], bad["after"]), ("miscompile", None, None))
        self.assertFalse(os.path.exists(self.path("new")))
        self.assertEqual(os.listdir(self.path("kept")), ["notes"])

    def ask_with_small_files(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (1000, 1000))
        return subprocess.run([PROGRAM, "ledger", *arguments], cwd=self.folder, env=self.environment(),
                              text=True, capture_output=True, preexec_fn=limit, restore_signals=False)

    def test_an_earlier_bundle_gives_way(self):
        self.ask("x.mlir", *FAULTS, *SWAP, "--save=out")
        self.write("out/notes", "mine")
        self.ask("x.mlir", *FAULTS, "--assay-fault-abort", "--save=out")
        self.assertEqual(sorted(os.listdir(self.path("out"))), [
            "README", "before.mlir", "bundle.json", "expected", "input.mlir", "inputs", "notes", "pass"])

    def test_nobody_to_blame(self):
        self.assertEqual(self.ask("x.mlir", "--cse", "--save=out").status, 0)
        self.assertFalse(os.path.exists(self.path("out")))


if __name__ == "__main__":
    unittest.main()
