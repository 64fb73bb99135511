# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The ledger's answers: its table and sentences, JSON, colours, progress."""

import json
import os
import pty
import re
import subprocess
import unittest

from asking import FAULTS, SWAP, LedgerTest
from support import PROGRAM


class Answers(LedgerTest):

    def test_a_bad_pass(self):
        answer = self.ask("x.mlir", *FAULTS, *SWAP)
        lines = answer.raw.splitlines()
        self.assertEqual(answer.status, 1)
        self.assertRegex(lines[0], r"\A   n  pass +on +int +real  state\Z")
        self.assertRegex(lines[1], r"\A   2  assay-fault-swapped-operands +builtin\.module +\S+ +\S+  result 0")
        self.assertRegex(lines[2], r"\A   4  one-shot-bufferize +builtin\.module +\S+ +\S+  result 0")
        self.assertEqual(lines[3:], ["first bad pass: 2 assay-fault-swapped-operands (miscompile)",
                                     "first changing pass: 2 assay-fault-swapped-operands"])
        self.assertLessEqual(max(map(len, lines)), 100)
        notes = "".join(line for line in answer.stderr.splitlines(True) if ", 1 of 1, " not in line)
        self.assertRegex(notes, r"\Aassay: note: result 0\[\d\]: got \S+, want \S+, scale \S+; "
                         r"4 of 4 elements are wrong\n\Z")

    def test_no_bad_pass(self):
        self.assert_answer(self.ask("x.mlir", "--cse"), 0, "no bad pass\n")
        answer = self.ask("x.mlir", "--cse", "--convert-linalg-to-affine-loops", "--one-shot-bufferize="
                          "bufferize-function-boundaries", "--convert-linalg-to-loops")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        self.assertRegex(answer.raw, r"\n   4  convert-linalg-to-loops +builtin\.module +0\.\d+ +0\.\d+  right, "
                         r"same bits\nno bad pass\n\Z")

    def test_all_executions(self):
        text = "builtin.module(func.func(cse,canonicalize),cse)"
        answer = self.ask("x.mlir", f"--pass-pipeline={text}", "--all")
        self.assertEqual([line.split()[:3] for line in answer.raw.splitlines()[1:4]],
                         [["1", "cse", "main"], ["2", "canonicalize", "main"], ["3", "cse", "builtin.module"]])
        self.assertEqual(answer.raw.count("unchanged"), 3)

    def test_a_message_of_many_lines(self):
        """What MLIR says of an operation with a region is still one line of the answer."""
        self.write("foreign.mlir", 'func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n'
                   '  %y = "foo.bar"(%x) ({\n    "foo.yield"() : () -> ()\n  }) : (tensor<4xf32>) -> tensor<4xf32>\n'
                   '  return %y : tensor<4xf32>\n}\n')
        answer = self.ask("foreign.mlir", "--cse", "--allow-unregistered-dialect")
        self.assertEqual((answer.status, answer.stdout.count("\n")), (2, 1), answer.stdout)
        self.assertRegex(answer.stdout, r"\Ainconclusive: .*foo\.bar")

    def test_other_bits(self):
        """A legitimate change of the results' bits is told, and accuses nobody."""
        self.write("fma.mlir", """func.func @main(%a: tensor<64xf32>, %b: tensor<64xf32>) -> tensor<64xf32> {
  %p = arith.mulf %a, %b fastmath<contract> : tensor<64xf32>
  %s = arith.addf %p, %a fastmath<contract> : tensor<64xf32>
  return %s : tensor<64xf32>
}
""")
        answer = self.ask("fma.mlir", "--cse", "--math-uplift-to-fma")
        self.assertEqual((answer.status, answer.raw.splitlines()[-2:]),
                         (0, ["no bad pass", "first changing pass: 2 math-uplift-to-fma"]))
        self.assertRegex(answer.raw, r"\n   2  math-uplift-to-fma +builtin\.module +0 +0\.\d+  right, other bits\n")

    def test_colour(self):
        bare = self.ask("x.mlir", *FAULTS, *SWAP).raw
        self.assertNotIn("\033", bare)
        coloured = self.ask("x.mlir", *FAULTS, *SWAP, "--color=always").raw
        self.assertRegex(coloured, r"\n\033\[31m   2  assay-fault-swapped-operands [^\n]*\033\[0m\n")
        self.assertEqual(re.sub(r"\033\[\d*m", "", coloured), bare)
        self.assertIn("\033[31m", self.on_a_terminal())
        self.assertNotIn("\033[31m", self.on_a_terminal(NO_COLOR="1"))

    def on_a_terminal(self, **variables):
        try:
            ours, theirs = pty.openpty()
        except OSError as problem:  # no devpts in a bare root
            self.skipTest(f"no pseudo-terminal: {problem}")
        command = [PROGRAM, "ledger", "x.mlir", *FAULTS, *SWAP]
        environment = self.environment(TERM="xterm", **variables)
        with subprocess.Popen(command, cwd=self.folder, stdout=theirs, stderr=subprocess.DEVNULL,
                              env=environment) as process:
            os.close(theirs)
            seen = b""
            try:
                while more := os.read(ours, 65536):
                    seen += more
            except OSError:
                pass  # the terminal's other end is closed
            os.close(ours)
        self.assertEqual(process.returncode, 1)
        return seen.decode()

    def test_progress_is_on_stderr_only(self):
        slow = ["x.mlir", *FAULTS, "--assay-fault-endless-loop"]
        told = self.ask(*slow, "--timeout=2.5")  # what is not a terminal is told each two seconds
        quiet = self.ask(*slow, "--timeout=1", "--quiet")
        self.assertIn("assay: stepping the pipeline, 1 of 1, N s\n", told.stderr)
        self.assertNotIn("stepping", told.stdout + quiet.stdout + quiet.stderr)
        self.assertEqual((told.status, told.stdout.splitlines()[-1]),
                         (1, "first bad pass: 1 assay-fault-endless-loop (timeout)"))

    def test_help(self):
        answer = self.ask("--help", ASSAY_ROOT="/nowhere")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        self.assertTrue(answer.raw.startswith("usage: assay ledger [OPTION...] FILE.mlir\n"))
        self.assertLessEqual(max(map(len, answer.raw.splitlines())), 100)
        for option in ("pass-pipeline", "pipeline", "run-line", "load-pass-plugin", "load-dialect-plugin",
                       "split-input-file", "allow-unregistered-dialect", "entry", "input", "dims", "seed",
                       "data", "expect", "expect-values", "tail", "nan-contract", "all", "json", "save",
                       "jobs", "timeout", "memory", "quiet"):
            self.assertRegex(answer.raw, rf"\n  --{option}\b")
        for code in ("0", "1", "2"):
            self.assertRegex(answer.raw, rf"\n  {code}  ")


class Json(LedgerTest):

    def test_every_field(self):
        answer = self.ask_json("x.mlir", *FAULTS, *SWAP, "--save=out", status=1)
        self.assertEqual(set(answer), {"input", "entry", "pipeline", "tail", "observed", "passes", "first_bad",
                                       "first_changing", "failed", "inconclusive", "notes", "stopped"})
        self.assertEqual((answer["input"], answer["entry"], answer["observed"]),
                         ("x.mlir", "main", ["result 0: 4xf32"]))
        self.assertIn("one-shot-bufferize", answer["tail"])
        self.assertEqual([(one["n"], one["name"], one["anchor"], one["changed"]) for one in answer["passes"]],
                         [(1, "canonicalize", "builtin.module", False),
                          (2, "assay-fault-swapped-operands", "builtin.module", True),
                          (3, "cse", "builtin.module", False), (4, "one-shot-bufferize", "builtin.module", True)])
        bad, last = answer["passes"][1], answer["passes"][3]
        self.assertEqual((bad["options"], bad["verifies"], bad["roundtrips"], bad["nan_added"], bad["class"],
                          bad["bitwise_changed"], bad["not_run"]),
                         ("assay-fault-swapped-operands{nth=0}", True, True, [], "miscompile", True, None))
        self.assertEqual(bad["ops_before"], bad["ops_after"])
        self.assertEqual((last["ops_before"]["linalg.fill"], last["ops_before"].get("memref.alloc"),
                          last["ops_after"]["memref.alloc"]), (1, None, 1))
        for one in answer["passes"]:
            self.assertTrue(0 <= one["seconds"] < 60)
            self.assertEqual(set(one["margin"]), {"int", "real"})
        self.assertGreater(bad["margin"]["real"], 1)
        self.assertLess(answer["passes"][0]["margin"]["real"], 1)
        first = answer["first_bad"]
        self.assertEqual({key: first[key] for key in ("n", "name", "class", "step", "pattern", "before", "after",
                                                      "command")},
                         {"n": 2, "name": "assay-fault-swapped-operands", "class": "miscompile", "step": None,
                          "pattern": None, "before": "out/before.mlir", "after": "out/after.mlir",
                          "command": "--pass-pipeline='builtin.module(assay-fault-swapped-operands{nth=0})'"})
        self.assertEqual(answer["first_changing"], {"n": 2, "name": "assay-fault-swapped-operands"})
        self.assertEqual((answer["failed"], answer["inconclusive"], answer["notes"]), (None, None, []))

    def test_other_answers(self):
        clean = self.ask_json("x.mlir", "--cse")
        self.assertEqual((clean["first_bad"], clean["first_changing"], clean["inconclusive"]), (None, None, None))
        failed = self.ask_json("x.mlir", *FAULTS, "--cse", "--assay-fault-failure", "--cse", status=2)
        self.assertEqual((failed["failed"]["n"], failed["failed"]["name"], len(failed["passes"])),
                         (2, "assay-fault-failure", 2))
        self.write("none.mlir", "func.func private @f()\n")
        self.assertEqual(self.ask_json("none.mlir", "--cse", status=2)["inconclusive"],
                         "no public function with a body")

    def test_a_file(self):
        answer = self.ask("x.mlir", *FAULTS, *SWAP, "--json", "answer.json")
        self.assertIn("\nfirst bad pass: 2 ", answer.raw)
        with open(self.path("answer.json")) as file:
            self.assertEqual(json.load(file)["first_bad"]["n"], 2)


if __name__ == "__main__":
    unittest.main()
