# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Bad input: each kind is answered by one message with its place and remedy, and exit code 2."""

import os
import shutil
import unittest

import numpy as np

from support import LINE, CommandTest


class BadInput(CommandTest):

    def assert_rejected(self, arguments, message):
        self.assert_answer(self.assay(*arguments), 2, stderr=f"assay: {message}\n")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "assay-out")))

    def test_verbs(self):
        self.assert_rejected(["rum"], "error: unknown verb 'rum'; did you mean 'run'?")
        self.assert_rejected(["xyzzy"], "error: unknown verb 'xyzzy'; known: run, ledger, reduce, bench, compare, "
                             "report, opt, list, show, doctor, references")
        self.assert_rejected(["mutants"], "error: 'mutants' comes with a later version of assay")
        for word in ("--help", "--version", "-h", "help"):
            self.assert_rejected([word, "x"], f"error: {word} takes no argument, found 'x'")

    def test_options(self):
        self.assert_rejected(["run", "--fliter", "x"],
                             "error: unknown option '--fliter' of run; did you mean '--filter'?")
        self.assert_rejected(["run", "--xyzzy"],
                             "error: unknown option '--xyzzy' of run; see `assay run --help`")
        self.assert_rejected(["run", "--jobs", "many"],
                             "error: --jobs: 'many' is no whole number from 1 to 2147483647")
        self.assert_rejected(["run", "--shard=3/2"], "error: --shard: '3/2' is not I/N with whole "
                             "numbers 1 <= I <= N, as in 1/4")
        self.assert_rejected(["run", "--filter"], "error: --filter needs a value: --filter PATTERN")
        self.assert_rejected(["run", "smoke"], "error: run takes no argument, found 'smoke'")

    def test_ops_and_keys(self):
        self.assert_rejected(["run", "--case", "matmull m=1 k=1 n=1"],
                             "--case:1:1: error: unknown op 'matmull'; did you mean 'matmul'?")
        self.assert_rejected(["run", "--case", "matmul m=1 k=1 n=1 dtyp=f32"],
                             "--case:1:20: error: matmul has no key 'dtyp'; did you mean 'dtype'?")
        self.assert_rejected(["run", "--suite", "tiny", "--filter", "matmull m=1"],
                             "error: --filter 'matmull m=1' selects no case: unknown op "
                             "'matmull'; did you mean 'matmul'?")
        self.assert_rejected(["run", "--suite", "tiny", "--filter", "matmul mm=1"],
                             "error: --filter 'matmul mm=1' selects no case: matmul has no key 'mm'; "
                             "did you mean 'm'?")

    def test_dtypes_that_an_op_is_not_defined_for(self):
        for verb in (["run"], ["show"], ["references", "check"]):
            self.assert_rejected([*verb, "--case", "softmax m=3 n=5 dtype=i32"],
                                 "--case:1:23: error: dtype=i32: softmax is defined for f16, f32, "
                                 "f64 only")

    def test_tf32_is_for_f32(self):
        for keys, operands in (("dtype=f64", "3x5xf64 @ 5x7xf64"), ("dtype=f16", "3x5xf16 @ 5x7xf16"),
                               ("rhs_dtype=i32", "3x5xf32 @ 5x7xi32")):
            found = "f16" if "f16" in keys else "f64"
            self.assert_rejected(["run", "--case", f"matmul m=3 k=5 n=7 {keys} precision=tf32"],
                                 f"--case: error: matmul: {operands}: precision=tf32 is for "
                                 f"operands of f32, found {found}")
        self.assert_rejected(["run", "--case", "linear m=3 k=5 n=7 precision=tf23"],
                             "--case:1:30: error: precision=tf23: no such value; did you mean "
                             "'tf32'?")

    def test_cases_that_have_no_expected_values(self):
        """Each is named, and the others run."""
        refused = ("softmax m=1 n=2 dtype=f16 values=huge", "gelu m=1 n=2 dtype=f16 values=masked")
        messages = "".join(f"assay: error: the oracle cannot answer: {line}: values that float16 "
                           "cannot hold\n" for line in refused)
        cases = [option for line in refused for option in ("--case", line)]
        self.assert_answer(self.assay("run", *cases), 2, stderr=messages +
                           "assay: error: no selected case has expected values\n")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "assay-out")))
        answer = self.assay("run", *cases, "--case", "softmax m=1 n=2", "--backend", "loop",
                            "--quiet")
        self.assertEqual(answer.status, 2)
        self.assertEqual(answer.stderr, messages +
                         "assay: note: 2 cases without expected values were not run\n")
        self.assertIn("2 verdicts in N s: 2 PASS", answer.stdout)

    def test_backends_and_data(self):
        self.assert_rejected(["run", "--backend", "lop"],
                             "error: --backend: unknown backend 'lop'; did you mean 'loop'?")
        self.assert_rejected(["run", "--backend", "rocm"],
                             "error: --backend: unknown backend 'rocm'; known: blas, cublas, cuda, "
                             "gpu-sim, loop")
        self.assert_rejected(["run", "--data", "int,reel"],
                             "error: --data: unknown data set 'reel'; did you mean 'real'?")

    def test_names_in_filters(self):
        for verb in (["run", "--suite", "tiny"], ["list", "cases", "--suite", "tiny"],
                     ["references", "check", "--suite", "tiny"], ["show"]):
            self.assert_rejected([*verb, "--filter", LINE + " backend=rocm"],
                                 f"error: --filter '{LINE} backend=rocm': unknown backend 'rocm'; "
                                 "known: blas, cublas, cuda, gpu-sim, loop")
            self.assert_rejected([*verb, "--filter", LINE + " data=int,reel"],
                                 f"error: --filter '{LINE} data=int,reel': unknown data set 'reel'; "
                                 "did you mean 'real'?")
            for pattern, why in (("", "selects no case: it is empty"),
                                 (" ", "selects no case: it is empty"),
                                 ("!", "excludes no case: it is empty"),
                                 ("! ", "excludes no case: it is empty"),
                                 ("!matmull", "excludes no case: unknown op 'matmull'; did you mean "
                                  "'matmul'?")):
                self.assert_rejected([*verb, "--filter", pattern],
                                     f"error: --filter '{pattern}' {why}")

    def test_long_words_are_cut(self):
        word = "x" * 3000
        answer = self.assay("run", "--backend", word)
        self.assertRegex(answer.stderr, r"\Aassay: error: --backend: unknown backend 'x+\.\.\.x+'; "
                         r"known: blas, cublas, cuda, gpu-sim, loop\n\Z")
        self.assertLess(len(answer.stderr), 400)

    def test_suites_and_formats(self):
        self.assert_rejected(["run", "--suite", "tinny"],
                             "error: unknown suite 'tinny'; did you mean 'tiny'?")
        self.assert_rejected(["run", "--format", "junnit=x.xml"],
                             "error: --format: unknown format 'junnit'; did you mean 'junit'?")
        self.assert_rejected(["run", "--format", "junit"],
                             "error: --format: 'junit' is not NAME=FILE, as in junit=out.xml")
        self.assert_rejected(["run", "--format", "junit=-", "--format", "md=-"],
                             "error: --format: two reports on standard output")
        self.assert_rejected(["run", "--suite", "tiny", "--format", "junit=x", "--format", "md=x"],
                             "error: --format: two reports to 'x'")
        for other in (["--suite", "smoke"], ["--case", LINE]):
            self.assert_rejected(["run", "--suite", "faults", *other],
                                 "error: the suite 'faults' is run by itself")
        self.assert_rejected(["run", "--suite", "faults", "--data=int"], "error: the suite 'faults' has no "
                             "backends, no data sets and nothing to resume")
        for suite in ("", "no/such", "no.cases", "./no.suite"):
            self.assert_rejected(["run", "--suite", suite],
                                 f"error: suite '{suite}': no such file or folder")

    def test_files_that_are_none(self):
        os.mkfifo(os.path.join(self.folder, "pipe.cases"))
        self.assert_rejected(["run", "--suite", "pipe.cases"],
                             "pipe.cases: error: expected a file, found a pipe or device")
        self.assert_rejected(["run", "--suite", "/dev/zero"],
                             "/dev/zero: error: expected a file, found a pipe or device")

    def test_malformed_case_lines(self):
        for line, message in (
                ("matmul m=3 k=5 n=7x", "1:18: error: n=7x: expected a whole number from 1 to 1048576"),
                ("matmul m=0 k=5 n=7", "1:10: error: m=0: expected a whole number from 1 to 1048576"),
                ("matmul m=-3 k=5 n=7", "1:10: error: m=-3: expected a whole number from 1 to 1048576"),
                ("matmul m=3 k=99999999999999999999 n=7",
                 "1:14: error: k=99999999999999999999: expected a whole number from 1 to 1048576"),
                ("\n matmul m=3 k=5", "2:2: error: matmul needs the key 'n'"),
                ("matmul m=3 m=4 k=5 n=7", "1:12: error: key 'm' is given twice"),
                ("matmul m k=5 n=7", "1:8: error: expected KEY=VALUE, found 'm'")):
            self.write("bad.cases", line + "\n")
            self.assert_rejected(["run", "--suite", "bad.cases"], f"bad.cases:{message}")

    def test_filters_that_select_nothing(self):
        self.assert_rejected(["run", "--suite", "tiny", "--filter", "matmul m=99"],
                             "error: --filter 'matmul m=99' selects no case")
        # One that selects nothing is a mistake even beside one that selects something.
        self.assert_rejected(["run", "--suite", "tiny", "--filter", "linear", "--filter", "*m=99*"],
                             "error: --filter '*m=99*' selects no case")
        self.assert_rejected(["run", "--suite", "tiny", "--filter", "!*"],
                             "error: no case is selected: the filters exclude them all")
        self.assert_rejected(["run", "--suite", "tiny", "--filter", "!reject_matmul", "--filter",
                              "!* data=*"],
                             "error: nothing is selected: the filters exclude each data set and "
                             "backend")
        self.assert_rejected(["run", "--suite", "tiny", "--backend", "loop", "--filter",
                              LINE + " data=int backend=blas"],
                             f"error: --filter '{LINE} data=int backend=blas' selects no data set "
                             "and backend of the cases it names")

    def test_places_that_cannot_be_written(self):
        self.write("file", "")
        run = ["run", "--suite", "tiny", "--filter", LINE]
        self.assert_rejected([*run, "--out", "file/a"], "file/a: error: cannot write: Not a directory")
        self.assert_rejected([*run, "--out", "file"], "file: error: cannot write: this is no folder")
        self.assert_rejected([*run, "--format", "md=none/x.md"],
                             "none/x.md: error: cannot write: No such file or directory")
        self.assert_rejected([*run, "--format", "md=x.md", "--format", "json=./x.md"],
                             "./x.md: error: --format: two reports to one file")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "x.md")))
        for name in ("run.jsonl", "summary.txt"):
            self.assert_rejected([*run, "--format", f"md=assay-out/../assay-out/latest/{name}"],
                                 f"assay-out/../assay-out/latest/{name}: error: --format: this file "
                                 "is the run's own")

    def test_a_root_that_is_none(self):
        answer = self.assay("list", "cases", ASSAY_ROOT=self.folder)
        self.assert_answer(answer, 2, stderr="assay: FOLDER: error: no suite/cases here; set "
                           "ASSAY_ROOT to Assay's source folder or share/assay\n")

    def test_nothing_to_show(self):
        self.assert_rejected(["show"], "error: show takes one case, in quotes: "
                             "assay show 'matmul m=3 k=5 n=7'")
        self.assert_rejected(["show", LINE, "--stage", "tensr"],
                             "error: --stage: unknown word 'tensr'; did you mean 'tensor'?")
        self.assert_rejected(["show", LINE, "--case", LINE], "error: show takes one case, found 2")
        self.assert_rejected(["show", "--case", "matmul m=1"],
                             "--case:1:1: error: matmul needs the key 'k'")
        self.assert_rejected(["list", "ops", "--shard", "1/2"], "error: --suite, --case, --filter "
                             "and --shard are for `assay list cases`")
        self.assert_rejected(["list", "case"], "error: unknown list 'case'; did you mean 'cases'?")
        self.assert_rejected(["references", "chek"],
                             "error: unknown action 'chek' of references; did you mean 'check'?")


class BadReference(CommandTest):
    """A stored reference that is missing, truncated or of the wrong kind, each named before the run."""

    def setUp(self):
        super().setUp()
        folder = os.path.join(self.root, "reference/store/matmul")
        name, = (name for name in os.listdir(folder) if name.startswith("m3-k5-n7-f32-"))
        self.path = os.path.join(folder, name)
        self.good = self.path + ".good"
        shutil.copy(self.path, self.good)
        self.addCleanup(os.replace, self.good, self.path)

    def assert_rejected(self, what):
        """The message names the file, says what is wrong and how to make it anew."""
        answer = self.assay("run", "--suite", "tiny", "--filter", LINE)
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        path = self.path.replace(self.root, "ROOT")
        self.assertRegex(answer.stderr, rf"\Aassay: {path}: error: .*{what}.*; make it with: assay "
                         rf"references update --case '{LINE}'\n\Z")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "assay-out")))

    def test_missing(self):
        os.remove(self.path)
        self.assert_rejected("No such file or directory")

    def test_truncated(self):
        os.truncate(self.path, os.path.getsize(self.path) - 1)
        self.assert_rejected("bytes")

    def test_wrong_dtype(self):
        np.save(self.path, np.zeros(42, np.float32))
        self.assert_rejected("<f4")

    def test_wrong_shape(self):
        np.save(self.path, np.load(self.good)[:-1])
        self.assert_rejected("")

    def test_fortran_order(self):
        np.save(self.path, np.asfortranarray(np.zeros((3, 4), np.float32)))
        self.assert_rejected("[Ff]ortran")

    def test_no_npy(self):
        with open(self.path, "w") as file:
            file.write("not an array")
        self.assert_rejected("npy")


if __name__ == "__main__":
    unittest.main()
