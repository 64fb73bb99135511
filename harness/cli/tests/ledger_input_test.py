# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad questions to the ledger: each is answered by one message that names what is wrong, exit code 2."""

import os
import unittest

import numpy as np

from support import PLUGINS, CommandTest

SUM = """func.func @main(%a: tensor<2x3xf32>, %b: tensor<2x3xf32>) -> tensor<2x3xf32> {
  %c = arith.addf %a, %b : tensor<2x3xf32>
  return %c : tensor<2x3xf32>
}
"""


class LedgerInput(CommandTest):
    needs_store = False

    def setUp(self):
        super().setUp()
        self.write("x.mlir", SUM)

    def ask(self, *arguments, **variables):
        return self.assay("ledger", *arguments, **variables)

    def assert_rejected(self, arguments, message):
        self.assert_answer(self.ask(*arguments), 2, stderr=f"assay: {message}\n")

    def assert_inconclusive(self, arguments, reason):
        answer = self.ask(*arguments)
        self.assertEqual((answer.status, answer.stdout.splitlines()[-1]), (2, f"inconclusive: {reason}"))

    def test_files(self):
        self.assert_rejected(["--cse"], "error: ledger takes one file, found 0")
        self.assert_rejected(["x.mlir", "x.mlir", "--cse"], "error: ledger takes one file, found 2")
        self.assert_rejected(["no.mlir", "--cse"], "no.mlir: error: cannot open: No such file or directory")
        self.write("bad.mlir", "func.func @main() {\n  %x = arith.constant 1.0 : f32\n  foo bar\n}\n")
        self.assert_rejected(["bad.mlir", "--cse"], "bad.mlir:3:3: error: custom op 'foo' is unknown "
                             "(tried 'func.foo' as well)")
        self.write("invalid.mlir", "func.func @main() -> f32 {\n  return\n}\n")
        self.assert_rejected(["invalid.mlir", "--cse"], "invalid.mlir:2:3: error: 'func.return' op has "
                             "0 operands, but enclosing function (@main) returns 1")
        # A place in a piece is one in the file.
        self.write("pieces.mlir", "func.func @f() { return }\n// -----\n\nfunc.func @f() { retrun }\n")
        answer = self.ask("pieces.mlir", "--cse", "--split-input-file")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stderr, r"\Aassay: pieces\.mlir:4:18: error: [^\n]+\n\Z")

    def test_standard_input(self):
        answer = self.assay("ledger", "-", "--cse", stdin="func.func @main( {\n")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stderr, r"\Aassay: \S+:1:17: error: ")
        self.assertEqual(self.assay("ledger", "-", "--cse", stdin=SUM).stdout, "no bad pass\n")

    def test_dialects_that_nobody_registered(self):
        self.write("x.mlir", 'func.func @main() -> i32 {\n  %x = "foo.bar"() : () -> i32\n'
                   '  return %x : i32\n}\n')
        answer = self.ask("x.mlir", "--cse")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stderr, r"\Aassay: x\.mlir:2:17: error: .*unregistered dialect")
        answer = self.ask("x.mlir", "--cse", "-allow-unregistered-dialect")
        self.assert_answer(answer, 0, "no bad pass\n", "assay: note: nothing defines @foo.bar: what it is given is "
                           "taken down, and it returns an argument or 1\n")

    def test_pipelines(self):
        self.assert_rejected(["x.mlir"], "x.mlir: error: no pipeline: give passes, --pipeline NAME or "
                             "--run-line (the file embeds none)")
        several = "error: passes, --pipeline and --run-line each give a pipeline: say one of them"
        self.assert_rejected(["x.mlir", "--cse", "--pipeline=loop"], several)
        self.assert_rejected(["x.mlir", "--cse", "--run-line"], several)
        self.assert_rejected(["x.mlir", "--run-line", "--pipeline", "loop"], several)
        self.assert_rejected(["x.mlir", "--cse", "--pass-pipeline=builtin.module(cse)"], "error: "
                             "--pass-pipeline and passes as single flags exclude each other")
        self.assert_rejected(["x.mlir", "--run-line"],
                             "x.mlir: error: --run-line: no line '// RUN: mlir-opt ...'")
        self.assert_rejected(["x.mlir", "--pipeline=lop"],
                             "error: --pipeline: unknown pipeline 'lop'; did you mean 'loop'?")

    def test_passes_and_options(self):
        for given, name, nearest in (("--csee", "csee", "cse"), ("-canonicalise", "canonicalise", "canonicalize"),
                                     ("--jsn=x", "jsn", "json"), ("--expect-vals=1", "expect-vals", "expect-values"),
                                     ("--linalg-fuse-elementwise-op", "linalg-fuse-elementwise-op",
                                      "linalg-fuse-elementwise-ops")):
            self.assert_rejected(["x.mlir", given], f"error: unknown pass or option '{name}'; did you "
                                 f"mean '{nearest}'?")
        self.assert_rejected(["x.mlir", "--xyzzy-plugh"], "error: unknown pass or option 'xyzzy-plugh'; "
                             "see `mlir-opt --help` and `assay ledger --help`")
        self.assert_rejected(["x.mlir", "--pass-pipeline=builtin.module(csee)"],
                             "error: --pass-pipeline: unknown pass 'csee'; did you mean 'cse'?")
        for given in (["--canonicalize=max-iteration=3"],
                      ["--pass-pipeline=builtin.module(canonicalize{max-iteration=3})"]):
            answer = self.ask("x.mlir", *given)
            self.assertEqual((answer.status, answer.stdout), (2, ""))
            self.assertRegex(answer.stderr, r"\Aassay: error: --\S+: [^\n]*no such option max-iteration[^\n]*\n\Z")
        answer = self.ask("x.mlir", "--pass-pipeline=func.func(cse")
        self.assertEqual((answer.status, answer.stdout, answer.stderr.count("\n")), (2, "", 1))
        self.assert_rejected(["x.mlir", "--affine-loop-unroll-jam"], "error: unable to schedule pass "
                             "'AffineLoopUnrollAndJam' on a PassManager intended to run on 'builtin.module'!")

    def test_plugins(self):
        def plugin(name):
            return os.path.join(PLUGINS, name)

        self.assert_rejected(["x.mlir", "--cse", "--load-pass-plugin=no.so"], "no.so: error: cannot load "
                             "the plug-in: no.so: cannot open shared object file: No such file or directory")
        self.write("junk.so", "junk\n" * 100)
        self.assert_rejected(["x.mlir", "--cse", "--load-pass-plugin=junk.so"], "./junk.so: error: cannot "
                             "load the plug-in: ./junk.so: invalid ELF header")
        stranger = plugin("assay_stranger.so")
        none = "PLUGINS/assay_stranger.so: error: is no plug-in for this LLVM: "
        self.assert_rejected(["x.mlir", "--cse", "--load-pass-plugin", stranger], none + "Wrong API version "
                             "on plugin 'PLUGINS/assay_stranger.so'. Got version 99, supported version is 1.")
        answer = self.ask("x.mlir", "--cse", "--load-dialect-plugin", stranger)
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertIn(none + "Plugin entry point not found", answer.stderr)
        for option in ("--load-pass-plugin", "--load-dialect-plugin"):
            self.assert_rejected(["x.mlir", "--cse", option, plugin("assay_crash.so")], "PLUGINS/assay_crash.so: "
                                 "error: this plug-in cannot be loaded: killed by SIGABRT (Aborted)")
        self.assert_rejected(["x.mlir", "--load-pass-plugin", plugin("assay_faults.so"), "--assay-fault-non"],
                             "error: unknown pass or option 'assay-fault-non'; did you mean "
                             "'assay-fault-none'?")

    def test_entries(self):
        self.assert_inconclusive(["x.mlir", "--cse", "--entry=man"],
                                 "no function @man with a body; did you mean @main?")
        self.assert_inconclusive(["x.mlir", "--cse", "--entry=nothere"],
                                 "no function @nothere with a body; there is @main")
        self.write("two.mlir", "func.func @f() { return }\nfunc.func @g() { return }\n")
        self.assert_inconclusive(["two.mlir", "--cse"], "@f and @g are both public: say --entry NAME or "
                                 "--entry all")
        self.write("none.mlir", "func.func private @f()\n")
        self.assert_inconclusive(["none.mlir", "--cse"], "no public function with a body")
        self.write("empty.mlir", "")
        self.assert_inconclusive(["empty.mlir", "--cse"], "no public function with a body")
        self.assert_rejected(["none.mlir", "--cse", "--entry=all"],
                             "none.mlir: error: --entry all: no public function with a body")
        # What needs no run is found nevertheless.
        self.write("two.mlir", SUM.replace("@main", "@f") + SUM.replace("@main", "@g"))
        answer = self.ask("two.mlir", "--load-pass-plugin", os.path.join(PLUGINS, "assay_faults.so"),
                          "--assay-fault-invalid-op")
        self.assertEqual(answer.status, 1)
        self.assertIn("first bad pass: 1 assay-fault-invalid-op (invalid-ir)\n", answer.stdout)

    def save(self, name, array):
        np.save(os.path.join(self.folder, name), array)
        return os.path.join(self.folder, name)

    def test_arguments(self):
        good = np.ones((2, 3), np.float32)
        self.save("good.npy", good)
        self.save("shape.npy", np.ones((2, 4), np.float32))
        self.save("rank.npy", np.ones(6, np.float32))
        self.save("dtype.npy", np.ones((2, 3)))
        self.save("fortran.npy", np.asfortranarray(good))
        with open(self.save("cut.npy", good), "r+b") as file:
            file.truncate(os.path.getsize(file.name) - 4)
        self.write("junk.npy", "junk")
        self.assertEqual(self.ask("x.mlir", "--cse", "--input=good.npy", "--input=good.npy").status, 0)
        for name, message in (
                ("shape.npy", "argument 1: found size 4 in dimension 1, expected 3"),
                ("rank.npy", "argument 1: found 1 dimensions, expected 2"),
                ("dtype.npy", "argument 1: found dtype <f8, expected <f4"),
                ("cut.npy", "truncated .npy file: 20 bytes of data, expected 6 elements of 4 bytes"),
                ("junk.npy", "not a .npy file: expected it to start with \\x93NUMPY"),
                ("no.npy", "cannot open: No such file or directory")):
            self.assert_rejected(["x.mlir", "--cse", "--input=good.npy", "--input", name],
                                 f"{name}: error: {message}")
        answer = self.ask("x.mlir", "--cse", "--input=good.npy", "--input=fortran.npy")
        self.assertEqual(answer.status, 2)
        self.assertRegex(answer.stderr, r"\Aassay: fortran\.npy: error: [^\n]*Fortran[^\n]*\n\Z")
        self.assert_rejected(["x.mlir", "--cse", "--input=good.npy"], "error: found 1 inputs, expected 2: one "
                             "for each argument of @main")

    def test_expected_values(self):
        self.assert_rejected(["x.mlir", "--cse", "--expect-values=1 two 3"],
                             "error: --expect-values: 'two' is no number")
        self.assert_rejected(["x.mlir", "--cse", "--expect-values= "], "error: --expect-values: no number in ' '")
        self.write("ones.mlir", "func.func @main() -> (i32, i32, i32) {\n"
                   "  %x = arith.constant 1 : i32\n  return %x, %x, %x : i32, i32, i32\n}\n")
        self.assertEqual(self.ask("ones.mlir", "--cse", "--expect-values=1 1 1").status, 0)
        self.assert_inconclusive(["ones.mlir", "--cse", "--expect-values=1 1"],
                                 "the tail does not give the expected values: 3 numbers, want 2")
        self.assert_inconclusive(["ones.mlir", "--cse", "--expect-values=1 2 1"], "the tail does not give the "
                                 "expected values: result 1, element 0: got 1, want 2")
        self.save("text.npy", np.array(["a"]))
        self.assert_rejected(["x.mlir", "--cse", "--expect=text.npy"], "text.npy: error: found dtype <U1, "
                             "expected one of numbers")
        self.save("complex.npy", np.ones(3, np.complex64))
        self.assert_rejected(["ones.mlir", "--cse", "--expect=complex.npy"], "complex.npy: error: found dtype "
                             "<c8, expected <f8, <f4, whole numbers or bool")
        self.save("one.npy", np.ones(1))
        self.assert_rejected(["x.mlir", "--cse", "--expect=one.npy", "--expect-values=1"], "error: --expect "
                             "and --expect-values each say what is right: give one of them")

    def test_other_values(self):
        for given, message in (
                ("--data=reel", "--data: unknown data set 'reel'; known: int, real"),
                ("--dims=3,x", "--dims: 'x' is no size from 0 to 16777216"),
                ("--dims=-1", "--dims: '-1' is no size from 0 to 16777216"),
                ("--seed=0", "--seed: '0' is no whole number from 1 to 2147483647"),
                ("--timeout=0", "--timeout: '0' is no number of seconds above 0"),
                ("--jobs=no", "--jobs: 'no' is no whole number from 1 to 2147483647"),
                ("--nan-contract=plant", "--nan-contract: unknown word 'plant'; did you mean 'planted'?"),
                ("--tail=csee", "--tail: unknown pass 'csee'; did you mean 'cse'?"),
                ("--quiet=yes", "--quiet takes no value")):
            self.assert_rejected(["x.mlir", "--cse", given], f"error: {message}")

    def test_places_that_cannot_be_written(self):
        """Found before the work, and nothing is left behind."""
        self.write("file", "")
        loop = ["x.mlir", "--load-pass-plugin", os.path.join(PLUGINS, "assay_faults.so"),
                "--assay-fault-endless-loop", "--timeout=3600"]
        self.assert_rejected([*loop, "--json=no/x.json"],
                             "no/x.json: error: cannot write: No such file or directory")
        self.assert_rejected([*loop, "--json=."], ".: error: cannot write: Is a directory")
        self.assert_rejected([*loop, "--save=file/x"], "file/x: error: cannot write: Not a directory")
        self.assert_rejected([*loop, "--save=file"], "file: error: cannot write: this is no folder")
        self.assertEqual(self.ask("x.mlir", "--cse", "--save=a/b").status, 0)
        self.assertEqual(sorted(os.listdir(self.folder)), ["file", "x.mlir"])


if __name__ == "__main__":
    unittest.main()
