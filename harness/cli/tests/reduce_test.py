# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay reduce: bundles and files made smaller, and what cannot be."""

import json
import os
import re
import resource
import shutil
import signal
import subprocess
import time
import unittest

from asking import DIFFERENCE, FAULTS, LedgerTest
from support import PROGRAM

MESSAGE = "scale attribute must be a finite, positive value"
INVALID_SQUARE = """func.func @main(%a: f32) -> f32 {
  %b = arith.mulf %a, %a : f64
  return %b : f32
}
"""


def twins_program():
    """40 operations around 0 * infinity on the way into a scale."""
    kind = "tensor<4x6xf32>"
    lines = [f"func.func @main(%x: {kind}, %y: {kind}) -> ({kind}, {kind}) {{"]
    lines += [f"  %{name} = arith.constant dense<{value}> : {kind}"
              for name, value in (("zero", "0.0"), ("inf", "0x7F800000"), ("half", "0.5"))]
    last = "%x"
    for i in range(12):
        lines += [f"  %a{i} = math.{('tanh', 'exp', 'absf')[i % 3]} {last} : {kind}",
                  f"  %b{i} = arith.addf %a{i}, %y : {kind}"]
        last = f"%b{i}"
    lines += [f"  %m = arith.mulf {last}, %zero : {kind}", f"  %n = arith.mulf %m, %inf : {kind}",
              f"  %r = quant.rescale_fuse %n {{scale = 0.5 : f32}} : {kind}",
              f"  %s = quant.rescale_fuse %y {{scale = 0.25 : f32}} : {kind}"]
    last = "%r"
    for i in range(8):
        lines += [f"  %c{i} = arith.mulf {last}, %half : {kind}"]
        last = f"%c{i}"
    lines += [f"  %t = arith.addf {last}, %s : {kind}", f"  return %t, %s : {kind}, {kind}", "}"]
    return "\n".join(lines) + "\n"


def operations(text):
    """Those of a module without functions, modules and terminators."""
    found = re.findall(r"(?m)^ +(?:%\S+(?:, %\S+)* = )?\"?([a-z_]+\.[a-z_.0-9]+)", text)
    return [name for name in found if name not in ("func.func", "linalg.yield", "scf.yield")]


class Reducing(LedgerTest):

    def reduce(self, *arguments, **variables):
        return self.assay("reduce", *arguments, **variables)

    def bundle(self, file, *passes, save="out"):
        answer = self.ask(file, *FAULTS, *passes, f"--save={save}")
        self.assertEqual(answer.status, 1, answer.raw + answer.stderr)

    def read(self, *names):
        with open(self.path(*names)) as file:
            return file.read()


class Bundles(Reducing):

    def test_a_wrong_result(self):
        """What is left shows the same, by the ledger and by MLIR's tools alone, as README says."""
        self.bundle("x.mlir", "--cse", "--assay-fault-swapped-operands", "--canonicalize")
        answer = self.reduce("out")
        self.assertEqual(answer.status, 0, answer.stderr)
        reduced = self.read("out/reduced.mlir")
        left = operations(reduced)
        self.assertLessEqual(len(left), 4, reduced)
        self.assertIn("arith.subf", left)
        self.assertEqual(answer.raw, "first bad pass: 1 assay-fault-swapped-operands (miscompile)\n"
                         f"reduced: 17 operations to {len(left)}: out/reduced.mlir\n")
        readme = self.read("out/README")
        commands = [line.strip() for line in readme.split("reduced.mlir  ")[1].splitlines()
                    if line.startswith("    ")]
        self.assertTrue(commands[0].startswith("assay ledger reduced.mlir "), commands)
        seen = subprocess.run(["sh", "-c", commands[0].replace("assay", f"'{PROGRAM}'", 1)], text=True,
                              cwd=self.path("out"), capture_output=True, env=self.environment())
        self.assertEqual(seen.stdout.splitlines()[-2:], [
            "first bad pass: 1 assay-fault-swapped-operands (miscompile)",
            "first changing pass: 1 assay-fault-swapped-operands"])
        self.assertIn("by MLIR's own tools alone", readme)
        right, wrong = self.run_shown(commands[1:])
        self.assertEqual(len(right), len(wrong))
        self.assertNotEqual(right, wrong)

    def run_shown(self, commands):
        """The values that the two commands of README print."""
        tools = "".join(f"{name}-22() {{ '/usr/lib/llvm-22/bin/{name}' \"$@\"; }}\n"
                        for name in ("mlir-opt", "mlir-runner") if not shutil.which(f"{name}-22"))
        settings, (first, *second) = commands[:2], commands[2:]
        printed = []
        for command in (first, " ".join(second)):
            done = subprocess.run(["bash", "-c", tools + "\n".join([*settings, command])], text=True,
                                  cwd=self.path("out"), capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr)
            printed.append([line for line in done.stdout.splitlines() if "base@" not in line])
            self.assertTrue(printed[-1])
        return printed

    def test_the_verifier_message(self):
        self.write("twin.mlir", twins_program())
        self.bundle("twin.mlir", "--cse", "--assay-fault-fuse-rescale", "--canonicalize")
        answer = self.reduce("out", "--message", MESSAGE)
        self.assertEqual(answer.status, 0, answer.stderr)
        left = operations(self.read("out/reduced.mlir"))
        self.assertLessEqual(len(left), 4, left)
        self.assertIn("quant.rescale_fuse", left)
        self.assertRegex(answer.raw, r"^first bad pass: 1 assay-fault-fuse-rescale \(invalid-ir\)\n"
                         r"reduced: 40 operations to \d: out/reduced.mlir\n$")
        seen = self.assay("opt", "out/reduced.mlir", *FAULTS, "--pass-pipeline=builtin.module("
                          "assay-fault-fuse-rescale)")
        self.assertEqual(seen.status, 1)
        self.assertIn(MESSAGE, seen.stderr)

    def test_the_nan_stays(self):
        """Unless a message says what counts, the NaN that the ledger saw is part of the fault."""
        self.write("twin.mlir", twins_program())
        self.bundle("twin.mlir", "--assay-fault-fuse-rescale")
        self.assertEqual(self.reduce("out").status, 0)
        reduced = self.read("out/reduced.mlir")
        self.assertLessEqual(len(operations(reduced)), 6)
        self.assertIn("0x7F800000", reduced)
        answer = self.ask("out/reduced.mlir", *FAULTS, "--assay-fault-fuse-rescale")
        self.assertIn("quant.rescale_fuse: a NaN f32 attribute", answer.stderr)

    def test_another_crash_is_another_fault(self):
        self.write("two.mlir", "func.func @main(%a: f32, %b: f32) -> f32 {\n  %d = arith.subf %a, %b : f32\n"
                   "  %e = math.exp %d : f32\n  %q = arith.divf %e, %b : f32\n  return %q : f32\n}\n")
        self.bundle("two.mlir", "--assay-fault-two-crashes")
        answer = self.reduce("out")
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertEqual(operations(self.read("out/reduced.mlir")), ["math.exp", "arith.divf"])

    def test_a_message_that_matches_nothing(self):
        self.bundle("x.mlir", "--assay-fault-invalid-op")
        answer = self.reduce("out", "--message=no such words")
        self.assertEqual((answer.status, answer.raw), (2, ""))
        self.assertIn('out/before.mlir: error: nothing to reduce: the reason does not hold "no such words"',
                      answer.stderr)
        self.assertFalse(os.path.exists(self.path("out/reduced.mlir")))

    def test_other_classes(self):
        for fault, kind, most in (("invalid-op", "invalid-ir", 0), ("abort", "crash", 0),
                                  ("nan-constant", "nan-attribute", 2), ("gone-entry", "miscompile", 0)):
            self.bundle("x.mlir", "--cse", f"--assay-fault-{fault}", save=fault)
            answer = self.reduce(fault)
            self.assertEqual(answer.status, 0, answer.stderr)
            self.assertTrue(answer.raw.startswith(f"first bad pass: 1 assay-fault-{fault} ({kind})\n"),
                            answer.raw)
            self.assertLessEqual(len(operations(self.read(fault, "reduced.mlir"))), most)

    def test_after_the_entry_is_lowered(self):
        """The whole pipeline then, from the input."""
        self.write("d.mlir", "func.func @main(%a: f32, %b: f32) -> f32 {\n  %c = arith.constant 2.5 : f32\n"
                   "  %d = arith.subf %a, %b : f32\n  %e = arith.mulf %d, %c : f32\n  return %e : f32\n}\n")
        self.bundle("d.mlir", "--convert-func-to-llvm", "--assay-fault-swapped-operands")
        answer = self.reduce("out")
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertTrue(answer.raw.startswith("first bad pass: 2 assay-fault-swapped-operands (miscompile)\n"))
        self.assertEqual(operations(self.read("out/reduced.mlir")), ["arith.subf"])

    def test_given_arguments(self):
        import numpy as np
        self.write("d.mlir", DIFFERENCE)
        for name, array in (("a", np.arange(5)), ("b", np.ones(5))):
            np.save(self.path(name + ".npy"), array.astype(np.float32))
        self.bundle("d.mlir", "--assay-fault-swapped-operands", "--input=a.npy", "--input=b.npy")
        self.assertEqual(self.reduce("out").status, 0)
        command = re.search(r"(?m)^    assay (ledger reduced.mlir .*)$", self.read("out/README"))[1]
        seen = subprocess.run(["sh", "-c", f"'{PROGRAM}' {command}"], cwd=self.path("out"), text=True,
                              capture_output=True, env=self.environment())
        self.assertEqual(seen.returncode, 1, seen.stderr)

    def test_again(self):
        """A second time it says the same, and README does not grow."""
        self.bundle("x.mlir", "--assay-fault-swapped-operands")
        first = self.reduce("out")
        readme = self.read("out/README")
        second = self.reduce("out")
        self.assertEqual((first.raw, readme), (second.raw, self.read("out/README")))
        self.assertEqual(sorted(os.listdir(self.path("out"))), [
            "README", "after.mlir", "before.mlir", "bundle.json", "expected", "got", "input.mlir", "inputs",
            "pass", "reduced.mlir", "shown.mlir"])

    def test_json_holds_the_module(self):
        answer = json.loads(self.reduce("x.mlir", *FAULTS, "--assay-fault-invalid-op", "--json=-").raw)
        self.assertIsNone(answer["reduced"])
        self.assertIn("func.func @main", answer["module"])

    def test_json(self):
        self.bundle("x.mlir", "--assay-fault-invalid-op")
        answer = json.loads(self.reduce("out", "--json=-").raw)
        self.assertEqual({key: answer[key] for key in ("pass", "class", "nothing", "reduced", "stopped")}, {
            "pass": "assay-fault-invalid-op", "class": "invalid-ir", "nothing": None,
            "reduced": "out/reduced.mlir", "stopped": False})
        self.assertEqual((answer["operations_before"], answer["operations"]), (17, 0))

    def test_as_a_test_of_mlir_reduce(self):
        self.bundle("x.mlir", "--assay-fault-invalid-op")
        self.write("right.mlir", "func.func @main() {\n  return\n}\n")
        self.write("invalid.mlir", INVALID_SQUARE)
        for file, status, said in (("x.mlir", 1, "it shows the fault\n"),
                                   ("invalid.mlir", 0, "it does not show the fault\n")):
            answer = self.reduce("out", f"--check={file}")
            self.assert_answer(answer, status, said, "")


class Files(Reducing):

    def test_a_file_and_a_pipeline(self):
        answer = self.reduce("x.mlir", *FAULTS, "--cse", "--assay-fault-swapped-operands")
        self.assertEqual(answer.status, 0, answer.stderr)
        lines = answer.raw.splitlines()
        self.assertEqual(lines[0], "// first bad pass: 1 assay-fault-swapped-operands (miscompile)")
        self.assertRegex(lines[1], r"^// \d of 17 operations$")
        self.write("reduced.mlir", answer.raw)
        self.assertEqual(self.ask("reduced.mlir", *FAULTS, "--assay-fault-swapped-operands").status, 1)
        self.assertEqual(os.listdir(self.folder).sort(), ["reduced.mlir", "x.mlir"].sort())

    def test_with_a_bundle(self):
        answer = self.reduce("x.mlir", *FAULTS, "--cse", "--assay-fault-invalid-op", "--save=deep/out")
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertIn("reduced: 17 operations to 0: deep/out/reduced.mlir\n", answer.raw)
        self.assertIn("first bad pass: 2 assay-fault-invalid-op (invalid-ir)", self.read("deep/out/README"))

    def test_transformers_block(self):
        """A swapped division deep in the block, all of whose tensors are small here."""
        with open(self.path("block.mlir"), "w") as file:
            file.write(self.assay("show", "gpt2_block t=5 c=8 heads=2", "--stage", "tensor").raw)
        answer = self.reduce("block.mlir", *FAULTS, "--assay-fault-swapped-operands=nth=2")
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertLessEqual(len(operations(answer.raw)), 12, answer.raw)

    def test_nothing_to_reduce(self):
        for passes, said in ((["--cse"], "no fault shows: no bad pass"),
                             ([*FAULTS, "--assay-fault-failure"],
                              "no fault shows: pipeline failed at 1 assay-fault-failure")):
            answer = self.reduce("x.mlir", *passes)
            self.assertEqual((answer.status, answer.raw), (2, ""))
            self.assertIn(f"assay: x.mlir: error: nothing to reduce: {said}", answer.stderr)

    def test_invalid_before_the_pass(self):
        self.write("invalid.mlir", INVALID_SQUARE)
        answer = self.reduce("invalid.mlir", "--cse")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stderr, r"^assay: invalid.mlir:2:\d+: error: use of value '%a' expects")


class BadBundles(Reducing):

    def setUp(self):
        super().setUp()
        self.bundle("x.mlir", "--assay-fault-invalid-op")

    def refused(self, said, *arguments):
        before = sorted(os.listdir(self.path("out")))
        answer = self.reduce("out", *arguments)
        self.assertEqual((answer.status, answer.raw), (2, ""), answer.stderr)
        self.assertIn(said, answer.stderr)
        self.assertEqual(sorted(os.listdir(self.path("out"))), before)

    def edit(self, name, old, new):
        text = self.read("out", name)
        self.assertIn(old, text)
        self.write(os.path.join("out", name), text.replace(old, new))

    def test_another_version(self):
        self.edit("bundle.json", '"bundle": 1', '"bundle": 2')
        self.refused("assay: out/bundle.json: error: a bundle of format 2, this version of assay reads format 1")

    def test_missing_files(self):
        for name in ("pass", "input.mlir", "after.mlir", "before.mlir"):
            os.rename(self.path("out", name), self.path("kept"))
            self.refused(f"assay: out/{name}: error: this file of the bundle is missing")
            os.rename(self.path("kept"), self.path("out", name))
        os.unlink(self.path("out/bundle.json"))
        self.refused("assay: out: error: no bundle: it holds no bundle.json")

    def test_broken_manifests(self):
        self.edit("bundle.json", '"class": "invalid-ir"', '"class": "bad"')
        self.refused('assay: out/bundle.json: error: "bad" is no class of faults')
        self.edit("bundle.json", '"class": "bad"', '"class": 3')
        self.refused('assay: out/bundle.json: error: no text under "class"')
        self.edit("bundle.json", '"class": 3', '"class": "crash"')
        self.edit("bundle.json", '"words": "', '"words": "--bogus ')
        self.refused("assay: out/bundle.json: error: its words are no options of a ledger: '--bogus'")
        self.write("out/bundle.json", "{\n  junk\n}\n")
        self.refused("assay: out/bundle.json:2:")

    def test_an_unknown_pass(self):
        self.edit("bundle.json", '"words": " --load-pass-plugin=', '"words": "')
        self.refused("assay: out/bundle.json: error: ")

    def test_it_does_not_show_it(self):
        self.edit("bundle.json", "assay-fault-invalid-op", "assay-fault-none")
        self.refused("assay: out/before.mlir: error: nothing to reduce: the fault does not show: no bad pass")

    def test_invalid_before_the_pass(self):
        self.write("out/before.mlir", INVALID_SQUARE)
        self.refused("assay: out/before.mlir: error: invalid before the pass, and reduction starts from a "
                     "valid module: out/before.mlir:2:")

    def test_words_that_make_no_sense(self):
        self.refused("the bundle out has its own pass; found a pipeline", "--cse")
        self.refused("--save is for files: out is a bundle already", "--save=other")
        self.refused("has its own entry, data, plug-ins and contracts; found others", "--entry=main")
        answer = self.reduce("x.mlir", "--cse", "--entry=all")
        self.assert_answer(answer, 2, stderr="assay: error: --entry all: one entry is reduced at a time\n")
        answer = self.reduce("x.mlir", "--cse", "--nan-origin")
        self.assert_answer(answer, 2, stderr="assay: error: --nan-origin is an option of `assay ledger`, "
                           "not of this verb\n")
        answer = self.reduce("x.mlir", "--cse", "--check=x.mlir")
        self.assertEqual(answer.status, 2)
        self.assertIn("--check is asked of a bundle; x.mlir is no folder", answer.stderr)


class Flaky(Reducing):

    def test_a_flaky_fault(self):
        self.bundle("x.mlir", "--assay-fault-swapped-operands")
        text = self.read("out/bundle.json").replace("assay-fault-swapped-operands", "assay-fault-flaky")
        self.write("out/bundle.json", text)
        answer = self.reduce("out", ASSAY_FLAKY=self.path("askers"))
        self.assertEqual((answer.status, answer.raw), (2, ""))
        self.assertIn("assay: out/before.mlir: error: nothing to reduce: the fault is flaky, it shows in "
                      "3 of 5 runs: first bad pass: 1 assay-fault-flaky (miscompile)\n", answer.stderr)
        self.assertFalse(os.path.exists(self.path("out/reduced.mlir")))


class Stopped(Reducing):

    def test_the_best_so_far_is_kept(self):
        self.bundle("x.mlir", "--assay-fault-swapped-operands")
        whole = self.read("out/before.mlir")
        with subprocess.Popen([PROGRAM, "reduce", "out"], cwd=self.folder, env=self.environment(),
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as process:
            while not os.path.exists(self.path("out/reduced.mlir")) or \
                    self.read("out/reduced.mlir") == whole:
                time.sleep(0.01)
            process.send_signal(signal.SIGINT)
            _, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130, stderr)
        self.assertIn("assay: note: stopped by SIGINT; the smallest so far is kept\n", stderr)
        self.assertEqual(self.ask("out/reduced.mlir", *FAULTS, "--assay-fault-swapped-operands").status, 1)
        self.assertEqual([name for name in os.listdir(self.path("out")) if name.startswith(".")], [])

    def test_a_time_limit(self):
        self.bundle("x.mlir", "--assay-fault-swapped-operands")
        answer = self.reduce("out", "--time-limit=0.01")
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertIn("assay: note: the time limit ended the search", answer.stderr)
        self.assertTrue(os.path.exists(self.path("out/reduced.mlir")))

    def test_a_full_disk(self):
        self.bundle("x.mlir", "--assay-fault-swapped-operands")

        def limit():
            resource.setrlimit(resource.RLIMIT_FSIZE, (200, 200))
        before = {name: self.read("out", name) for name in ("README", "before.mlir", "bundle.json")}
        done = subprocess.run([PROGRAM, "reduce", "out"], cwd=self.folder, env=self.environment(), text=True,
                              capture_output=True, preexec_fn=limit, restore_signals=False)
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertRegex(done.stderr, r"(?m)^assay: out/\.?reduced\.mlir: error: cannot write: File too large$")
        self.assertEqual({name: self.read("out", name) for name in before}, before)
        self.assertEqual([name for name in os.listdir(self.path("out")) if "reduced" in name], [])


if __name__ == "__main__":
    unittest.main()
