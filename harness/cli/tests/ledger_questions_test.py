# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where a ledger's module, pipeline and values come from, and what else its options change."""

import os
import re
import shutil
import unittest

import numpy as np

from asking import DIFFERENCE, FAULTS, SWAP, TOY, LedgerTest
from planting import MODULE


class Questions(LedgerTest):
    """Where the module, the pipeline and the values come from."""

    def test_ways_to_give_a_pipeline(self):
        text = "builtin.module(canonicalize,cse)"
        for given in (["--canonicalize", "--cse"], ["-canonicalize", "-cse"], [f"--pass-pipeline={text}"],
                      ["-pass-pipeline", text]):
            answer = self.ask_json("x.mlir", *given)
            self.assertRegex(answer["pipeline"], r"\Abuiltin\.module\(canonicalize\{[^{}]*\},cse\)\Z")
        answer = self.ask_json("x.mlir", "--pipeline=loop")
        self.assertIn("one-shot-bufferize", [one["name"] for one in answer["passes"]])

    def test_an_embedded_reproducer(self):
        self.write("repro.mlir", MODULE + '{-#\n  external_resources: {\n    mlir_reproducer: {\n      pipeline: '
                   '"builtin.module(func.func(cse))",\n      disable_threading: true,\n      verify_each: true'
                   '\n    }\n  }\n#-}\n')
        self.assertEqual(self.ask_json("repro.mlir")["pipeline"], "builtin.module(func.func(cse))")
        self.assertEqual([one["name"] for one in self.ask_json("repro.mlir", "--canonicalize")["passes"]],
                         ["canonicalize"])

    def test_run_lines(self):
        self.write("run.mlir", "// RUN: mlir-opt %s -canonicalize=\"max-iterations=2\" --cse | FileCheck %s\n"
                   + MODULE)
        answer = self.ask_json("run.mlir", "--run-line")
        self.assertIn("max-iterations=2", answer["pipeline"])
        self.assertEqual([one["name"] for one in answer["passes"]], ["canonicalize", "cse"])
        # The line's own flags hold: how it splits the file, and what it lets through.
        self.write("run.mlir", "// RUN: mlir-opt -split-input-file -allow-unregistered-dialect -cse %s\n"
                   "func.func @f() { return }\n// -----\nfunc.func @f() { \"a.b\"() : () -> () return }\n")
        answer = self.ask("run.mlir", "--run-line")
        self.assertEqual((answer.status, answer.stdout),
                         (0, "run.mlir, piece 1 @f\nno bad pass\n\nrun.mlir, piece 2 @f\nno bad pass\n\n"
                          "all: no bad pass\n"))
        self.assertRegex(answer.stderr, r"\Aassay: note: nothing defines @a\.b: ")

    def test_pieces_and_entries(self):
        functions = MODULE.replace("@main", "@f") + "".join(
            f"func.func @{name}(%x: f32, %y: f32) -> f32 {{\n  %z = arith.{op} %x, %y : f32\n"
            "  return %z : f32\n}\n" for name, op in (("g", "addf"), ("h", "subf")))
        self.write("many.mlir", functions + "func.func private @hidden(f32)\n")
        passes = [*FAULTS, "--cse", "--assay-fault-swapped-operands=nth=1"]
        answer = self.ask("many.mlir", *passes, "--entry=all")
        self.assertEqual(answer.status, 1)
        said = re.findall(r"^(many\.mlir @\w+|first bad pass: .*|no bad pass|all: .*)$", answer.raw, re.MULTILINE)
        bad = "first bad pass: 2 assay-fault-swapped-operands (miscompile)"
        self.assertEqual(said, ["many.mlir @f", "no bad pass", "many.mlir @g", "no bad pass", "many.mlir @h", bad,
                                f"all: {bad}"])
        whole = self.ask_json("many.mlir", *passes, "--entry=all", status=1)
        self.assertEqual([one["entry"] for one in whole["pieces"]], ["f", "g", "h"])
        self.assertEqual((whole["first_bad"]["n"], whole["inconclusive"]), (2, None))
        self.assertEqual([one["first_bad"] is None for one in whole["pieces"]], [True, True, False])
        self.assertEqual(self.ask("many.mlir", *passes, "--entry=g").status, 0)
        self.assertEqual(self.ask("many.mlir", *passes, "--entry", "h").status, 1)

    def test_split_files(self):
        self.write("split.mlir", "// -----\n".join([DIFFERENCE, MODULE, DIFFERENCE]))
        answer = self.ask("split.mlir", *FAULTS, "--assay-fault-dropped-mask", "--split-input-file")
        self.assertEqual(answer.status, 1)
        self.assertEqual(re.findall(r"^split\.mlir, piece (\d) @main$", answer.raw, re.MULTILINE), ["1", "2", "3"])
        self.assertTrue(answer.raw.endswith("\nall: first bad pass: 1 assay-fault-dropped-mask (miscompile)\n"))
        whole = self.ask_json("split.mlir", *FAULTS, "--assay-fault-dropped-mask", "--split-input-file", status=1)
        self.assertEqual([one["input"] for one in whole["pieces"]],
                         [f"split.mlir, piece {i}" for i in (1, 2, 3)])
        # Without the flag it is one file, in which main is defined again.
        answer = self.ask("split.mlir", "--cse")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stderr, r"\Aassay: split\.mlir:\d+:\d+: error: redefinition of symbol")

    def test_arguments(self):
        """A fault that only some arguments show."""
        a, b = np.arange(5, dtype=np.float32), np.ones(5, np.float32)
        np.save(self.path("a.npy"), a)
        np.save(self.path("b.npy"), b)
        swap = ["d.mlir", *FAULTS, "--assay-fault-swapped-operands"]
        self.write("d.mlir", DIFFERENCE)
        self.assertEqual(self.ask(*swap, "--input=a.npy", "--input=a.npy").status, 0)
        answer = self.ask_json(*swap, "--input=a.npy", "--input=b.npy", "--save=out", status=1)
        self.assertIsNone(answer["passes"][0]["margin"]["int"])
        self.assertTrue((np.load(self.path("out/expected/real-0.npy")) == a - b).all())
        self.assertTrue((np.load(self.path("out/got/real-0.npy")) == b - a).all())

    def test_expected_values(self):
        self.write("d.mlir", DIFFERENCE)
        given = []
        for name, array in (("a", np.arange(5)), ("b", np.ones(5))):
            np.save(self.path(name + ".npy"), array.astype(np.float32))
            given.append(f"--input={name}.npy")
        np.save(self.path("right.npy"), np.arange(5.0) - 1)
        np.save(self.path("whole.npy"), np.arange(5) - 1)
        np.save(self.path("wrong.npy"), np.arange(5.0))
        for right in ("--expect=right.npy", "--expect=whole.npy", "--expect-values=-1 0 1 2 3"):
            self.assertEqual(self.ask("d.mlir", "--cse", *given, right).status, 0, right)
        answer = self.ask("d.mlir", "--cse", *given, "--expect=wrong.npy")
        self.assertEqual((answer.status, answer.stdout), (2, "inconclusive: the tail does not give the expected "
                         "values: result 0, element 0: got -1, want 0\n"))

    def test_data_sets_and_seeds(self):
        def inputs(*options):
            shutil.rmtree(self.path("out"), ignore_errors=True)
            self.ask_json("x.mlir", *FAULTS, *SWAP, "--save=out", *options, status=1)
            return {name: np.load(self.path("out/inputs", name)) for name in os.listdir(self.path("out/inputs"))}

        both = inputs()
        self.assertEqual(sorted(both), ["int-0.npy", "int-1.npy", "real-0.npy", "real-1.npy"])
        self.assertTrue(all((both[name] == np.rint(both[name])).all() for name in ("int-0.npy", "int-1.npy")))
        self.assertFalse((both["real-0.npy"] == np.rint(both["real-0.npy"])).all())
        for data in ("int", "real"):
            self.assertEqual(sorted(inputs(f"--data={data}")), [f"{data}-0.npy", f"{data}-1.npy"])
        again, other = inputs("--seed=1"), inputs("--seed=2")
        self.assertTrue(all((both[name] == again[name]).all() for name in both))
        self.assertFalse((both["real-0.npy"] == other["real-0.npy"]).all())

    def test_sizes(self):
        self.write("dynamic.mlir", DIFFERENCE.replace("5xf32", "?x?xf32"))
        swap = ["dynamic.mlir", *FAULTS, "--assay-fault-swapped-operands"]
        for given, shape in (([], "7x7"), (["--dims=3"], "3x3"), (["--dims=2,5,2,5"], None)):
            answer = self.ask_json(*swap, *given, status=1)
            self.assertRegex(answer["observed"][0], rf"\Aresult 0: {shape or '2x5'}xf32\Z")

    def test_nan_contracts(self):
        for fault, contracts in (("nan-attribute", {"error": 1, "planted": 1, "report": 0, "off": 0}),):
            for contract, status in contracts.items():
                answer = self.ask_json("x.mlir", *FAULTS, f"--assay-fault-{fault}", f"--nan-contract={contract}",
                                       status=status)
                nan, = answer["passes"][0]["nan_added"]
                self.assertEqual((nan["op"], nan["bits"], nan["origin"]), ("func.func", "0x7FC00000", "planted"))
        # What the program's own arithmetic gives.
        self.write("folds.mlir", "func.func @main() -> f32 {\n  %i = arith.constant 0x7F800000 : f32\n"
                   "  %n = arith.subf %i, %i : f32\n  return %n : f32\n}\n")
        for contract, status in (("error", 1), ("planted", 0), ("report", 0), ("off", 0)):
            answer = self.ask_json("folds.mlir", "--canonicalize", f"--nan-contract={contract}", status=status)
            self.assertEqual(answer["passes"][0]["nan_added"][0]["origin"], "folded")
        # A pass's own contract goes before that of all.
        for contracts, status in ((["canonicalize:error", "off"], 1), (["canonicalize:off"], 0),
                                  (["error", "canonicalize:planted"], 0), (["cse:off"], 1)):
            given = [f"--nan-contract={each}" for each in contracts]
            self.ask_json("folds.mlir", "--canonicalize", *given, status=status)

    def test_a_dialect_that_no_tail_knows(self):
        self.write("d.mlir", DIFFERENCE)
        around = [*TOY, "--cse", "--assay-toy-raise", "--canonicalize"]
        answer = self.ask("d.mlir", *around, "--assay-toy-lower=swapped", "--cse")
        self.assertEqual(answer.status, 1)
        self.assertIn("\nfirst bad pass: between 2 assay-toy-raise and 4 assay-toy-lower (miscompile)\n", answer.raw)
        answer = self.ask_json("d.mlir", *around, "--assay-toy-lower=swapped", status=1)
        self.assertEqual((answer["first_bad"]["range"], answer["first_bad"]["n"], answer["first_bad"]["name"]),
                         ([2, 4], 4, "assay-toy-lower"))
        self.assertIn("assay_toy.sub", answer["passes"][1]["not_run"])
        answer = self.ask("d.mlir", *around, "--assay-toy-lower=swapped", "--tail=assay-toy-lower")
        self.assertIn("\nfirst bad pass: 4 assay-toy-lower (miscompile)\n", answer.raw)
        answer = self.ask("d.mlir", *around, "--assay-toy-lower")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        self.assertRegex(answer.raw, r"\n   4  assay-toy-lower [^\n]* right, same bits\nno bad pass\n\Z")
        # A state that is seen to be right again frees those before it of suspicion.
        answer = self.ask("d.mlir", *around, "--assay-toy-lower", *FAULTS, "--assay-fault-swapped-operands")
        self.assertIn("\nfirst bad pass: 5 assay-fault-swapped-operands (miscompile)\n", answer.raw)
        answer = self.ask("d.mlir", *around)
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.raw, r"\n   2  assay-toy-raise +builtin\.module +- +-  not run: .*assay_toy\.sub")
        self.assertRegex(answer.raw, r"\ninconclusive: what 2 assay-toy-raise left was not run: .*assay_toy\.sub")

    def test_a_contract_of_an_unknown_pass(self):
        answer = self.ask("x.mlir", "--canonicalize", "--nan-contract=canonicalise:error")
        self.assert_answer(answer, 2, stderr="assay: error: --nan-contract: unknown pass 'canonicalise'; did you "
                           "mean 'canonicalize'?\n")
        self.assertEqual(self.ask("x.mlir", *FAULTS, "--cse", "--nan-contract=assay-fault-none:off").status, 0)


if __name__ == "__main__":
    unittest.main()
