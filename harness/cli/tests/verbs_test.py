# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The help texts, and list, show, doctor, references."""

import os
import shutil
import subprocess
import sys
import unittest

import numpy as np

from support import LINE, SOURCE, TINY_CASES, CommandTest

EXPECTED = os.path.join(os.path.dirname(os.path.abspath(__file__)), "expected")


class Help(CommandTest):

    def assert_page(self, name, *arguments):
        answer = self.assay(*arguments, ASSAY_ROOT="/nowhere")
        with open(os.path.join(EXPECTED, name)) as file:
            self.assert_answer(answer, 0, stdout=file.read())
        self.assertLessEqual(max(map(len, answer.raw.splitlines())), 100)

    def test_pages(self):
        self.assert_page("help.txt", "--help")
        for verb in ("run", "ledger", "report", "list", "show", "doctor", "references",
                     "compare", "bench"):
            self.assert_page(f"help-{verb}.txt", verb, "--help")

    def test_other_spellings(self):
        for word in ("-h", "help"):
            self.assert_page("help.txt", word)
        self.assert_page("help-run.txt", "run", "-h")

    def test_options_of_every_verb(self):
        common = ["--quiet", "--verbose", "--color=never"]
        for verb in (["list", "ops"], ["show", LINE], ["doctor"],
                     ["references", "check", "--suite", "tiny", "--filter", "linear"]):
            answer = self.assay(*verb, *common)
            self.assertEqual((answer.status, answer.stderr), (0, ""), verb)

    def test_no_verb(self):
        answer = self.assay()
        with open(os.path.join(EXPECTED, "help.txt")) as file:
            self.assert_answer(answer, 2, stderr=file.read())

    def test_version(self):
        answer = self.assay("--version")
        self.assertRegex(answer.stdout, r"\Aassay \d+\.\d+\.\d+ \(LLVM 22\.\d+\.\d+\)\n\Z")


class List(CommandTest):

    def test_no_list_is_wider_than_a_page(self):
        for kind in "ops", "pipelines", "formats", "properties", "backends":
            answer = self.assay("list", kind, "--verbose")
            self.assertEqual(answer.status, 0)
            self.assertTrue(answer.stdout)
            self.assertEqual([line for line in answer.stdout.splitlines() if len(line) > 100], [])

    def test_cases(self):
        answer = self.assay("list", "cases", "--suite", "tiny")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        lines = answer.stdout.splitlines()
        self.assertEqual((len(lines), lines[0]), (TINY_CASES, LINE))
        answer = self.assay("list", "cases", "--suite", "tiny", "--filter", LINE, "--verbose")
        self.assert_answer(answer, 0, stdout=f"{LINE}  # suite/cases/tiny.cases:1\n")

    def test_shards_are_those_of_run(self):
        whole = self.assay("list", "cases", "--suite", "tiny").stdout.splitlines()
        parts = [self.assay("list", "cases", "--suite", "tiny", f"--shard={i}/3").stdout.splitlines()
                 for i in (1, 2, 3)]
        self.assertEqual(sorted(sum(parts, [])), sorted(whole))
        # A case stays in its part whatever else is selected.
        some = [self.assay("list", "cases", "--suite", "tiny", "--filter", "matmul m=2", f"--shard={i}/3")
                .stdout.splitlines() for i in (1, 2, 3)]
        self.assertEqual(some, [[line for line in part if line.startswith("matmul m=2 ")] for part in parts])
        self.assertEqual(self.assay("run", "--suite", "tiny", "--shard=2/3", "--quiet").status, 0)
        self.assertEqual({record["case"] for record in self.records()}, set(parts[1]))
        empty, = (i for i in (1, 2) if not self.assay("list", "cases", "--case", LINE, f"--shard={i}/2").stdout)
        self.assert_answer(self.assay("list", "cases", "--case", LINE, f"--shard={empty}/2"), 0)

    def test_shards_are_even(self):
        sizes = [self.assay("list", "cases", "--suite", "full", f"--shard={i}/4").stdout.count("\n")
                 for i in (1, 2, 3, 4)]
        mean = sum(sizes) / 4
        for size in sizes:  # five standard deviations
            self.assertLess(abs(size - mean), 5 * (0.75 * mean) ** 0.5, sizes)

    def test_other_things(self):
        self.assert_answer(self.assay("list", "backends"), 0, stdout="blas\ncublas\ncuda\ngpu-sim\nloop\n")
        self.assert_answer(self.assay("list", "pipelines"), 0, stdout="blas\ncublas\ngpu\nloop\n")
        self.assert_answer(self.assay("list", "formats"), 0, stdout="annotations\ncsv\ngbench\nhtml\njson\njunit\nmd\ntext\n")
        self.assertIn("linear\nmatmul\n", self.assay("list", "ops").stdout)
        self.assertIn("causality\ngelu_limits\n", self.assay("list", "properties").stdout)
        self.assert_answer(self.assay("list", "mutants"), 0,
                           stderr="assay: note: this version has no mutants\n")

    def test_verbose_describes_each(self):
        for name in ("ops", "backends", "pipelines", "formats", "properties"):
            bare = self.assay("list", name).stdout.splitlines()
            described = self.assay("list", name, "--verbose").stdout.splitlines()
            heads = [line.split() for line in described if not line.startswith(" ")]
            self.assertEqual([words[0] for words in heads], bare)
            self.assertTrue(all(len(words) > 1 for words in heads))


class Show(CommandTest):

    def test_everything(self):
        answer = self.assay("show", LINE, "--data", "real")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        self.assertTrue(answer.stdout.startswith(
            f"case     {LINE}\nfrom     suite/cases/matmul.cases:"))
        self.assertIn("%2 = matmul %0 %1                        f32 3x7\nreturn %2\n", answer.stdout)
        self.assertIn("\ninput 1: rhs f32 5x7\n", answer.stdout)
        self.assertIn("\nresult 0, data real, reference reference/store/matmul/m3-k5-n7-f32-",
                      answer.stdout)

    def test_stages(self):
        tensor = self.assay("show", LINE, "--stage", "tensor").stdout
        self.assertTrue(tensor.startswith("module {\n"))
        self.assertIn("linalg.matmul", tensor)
        bufferized = self.assay("show", LINE, "--stage", "bufferized", "--backend", "blas").stdout
        self.assertIn("memref<", bufferized)
        whole = self.assay("show", LINE, "--stage", "all").stdout
        pieces = whole.split("// -----\n")
        self.assertEqual(len(pieces), 3)
        self.assertTrue(pieces[2].startswith("// llvm\n"))
        self.assertIn("llvm.func", pieces[2])

    def test_mlir_opt_alone_verifies_attention(self):
        """The IR that is tested needs nothing of Assay's to be read."""
        mlir_opt = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
        if mlir_opt is None:
            self.skipTest("no mlir-opt")
        printed = self.assay("show", "attention t=5 c=8 heads=2", "--stage", "tensor").raw
        self.assertEqual(printed.count("linalg.batch_matmul"), 2)
        subprocess.run([mlir_opt, "--verify-each", "--canonicalize", "-o", os.devnull],
                       input=printed, text=True, check=True)

    def test_mlir_opt_reads_each_stage(self):
        mlir_opt = shutil.which("mlir-opt-22") or shutil.which("mlir-opt")
        if mlir_opt is None:
            self.skipTest("no mlir-opt")
        for case in (LINE, "attention t=5 c=8 heads=2", "views chain=slice_transpose_reshape shape=3x5x7"):
            for backend in ("loop", "blas"):
                whole = self.assay("show", case, "--stage", "all", "--backend", backend).raw
                for options in ([], ["--split-input-file"]):
                    subprocess.run([mlir_opt, "--verify-each", *options, "-o", os.devnull], input=whole,
                                   text=True, check=True)

    def test_dot(self):
        graph = self.assay("show", LINE, "--dot", "-")
        self.assertEqual((graph.status, graph.stderr), (0, ""))
        self.assertRegex(graph.stdout, r'(?s)\Adigraph .*matmul.*->.*}\n\Z')
        self.assert_answer(self.assay("show", LINE, "--dot", "graph.dot"), 0)
        with open(os.path.join(self.folder, "graph.dot")) as file:
            self.assertEqual(file.read(), graph.raw)
        self.assert_answer(self.assay("show", LINE, "--dot", "no/graph.dot"), 2,
                           stderr="assay: no/graph.dot: error: cannot write\n")

    def test_save(self):
        key = f"{LINE} data=real backend=loop"
        self.assert_answer(self.assay("show", key, "--save", "a/b"), 0, stdout="saved in a/b\n")
        folder = os.path.join(self.folder, "a/b")
        lhs, rhs = (np.load(os.path.join(folder, "inputs", name))
                    for name in ("0-lhs.npy", "1-rhs.npy"))
        expected, scale, got = (np.load(os.path.join(folder, name))
                                for name in ("expected.npy", "scale.npy", "got.npy"))
        self.assertEqual((got.dtype, expected.dtype, scale.dtype),
                         (np.float32, np.float64, np.float64))
        np.testing.assert_allclose(lhs.astype(float) @ rhs.astype(float), expected, rtol=1e-12)
        self.assertTrue((np.abs(got - expected) <= 6 * scale).all())
        with open(os.path.join(folder, "module.mlir")) as file:
            self.assertEqual(file.read(), self.assay("show", LINE, "--stage", "tensor").raw)

    def test_what_is_a_case(self):
        answer = self.assay("show", "matmul m=3 k=5 n=7*")
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertRegex(answer.stderr, r"\Aassay: error: 'matmul m=3 k=5 n=7\*' selects \d+ cases, "
                         r"show takes one: '.*', \.\.\.\n\Z")
        self.assertEqual(self.assay("show", "matmul n=7 m=3 k=5").stdout.splitlines()[0],
                         f"case     {LINE}")
        self.assert_answer(self.assay("show", "matmul m=3 k=5 dtyp=f64"), 2,
                           stderr="assay: CASE:1:16: error: matmul has no key 'dtyp'; did you mean 'dtype'?\n")

    def test_a_case_by_options(self):
        whole = self.assay("show", LINE).stdout
        for options in (["--case", "matmul n=7 m=3 k=5"], ["--filter", LINE],
                        ["--suite", "tiny", "--filter", "matmul m=3"],
                        ["--suite", "tiny", "--filter", "matmul", "--filter", "!* n=2 *",
                         "--filter", "!* n=3 *", "--filter", "!* n=4 *"],
                        ["--case", "matmul m=3 k=5 n=7,8", "--filter", "*n=7*"]):
            answer = self.assay("show", *options)
            self.assertEqual((answer.status, answer.stderr), (0, ""), options)
            self.assertEqual(answer.stdout.splitlines()[2:], whole.splitlines()[2:], options)
        self.assertEqual(self.assay("show", "--case", "matmul m=9 k=9 n=9 dtype=f64")
                         .stdout.splitlines()[1], "from     --case")
        # A record's key says on what data set and which backend.
        answer = self.assay("show", "--filter", f"{LINE} data=real backend=blas")
        self.assertIn("\nresult 0, data real, ", answer.stdout)
        self.assertIn(" data=real backend=blas' --save DIR\n", answer.stdout)
        answer = self.assay("show", "--suite", "tiny")
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertRegex(answer.stderr, rf"\Aassay: error: {TINY_CASES} cases are selected, show takes "
                         r"one: '.*', \.\.\.\n\Z")
        answer = self.assay("show", LINE, "--filter", "linear")
        self.assert_answer(answer, 2, stderr="assay: error: --filter 'linear' selects no case\n")

    def test_a_rejected_case(self):
        answer = self.assay("show", "reject_matmul x=3x5 y=6x7")
        self.assertEqual(answer.status, 0)
        message = "matmul: 3x5xf32 @ 6x7xf32: the inner sizes must be equal, found 5 and 6"
        self.assertEqual(answer.stdout.splitlines()[-1], f"rejected {message}")
        answer = self.assay("show", "reject_matmul x=3x5 y=6x7", "--stage", "tensor")
        self.assert_answer(answer, 2, stderr="assay: error: the language rejects this case, so there "
                           f"is no IR: {message}\n")


class Doctor(CommandTest):

    def test_facts(self):
        answer = self.assay("doctor")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        lines = answer.stdout.split("\n\n")[0].splitlines()
        facts = {line.split()[0]: line for line in lines if line[0] != " "}  # what is long goes on below
        self.assertEqual(list(facts), ["assay", "revision", "root", "cache", "cpu", "llvm", "blas",
                                       "cuda", "ptxas", "numpy"])
        self.assertEqual(facts["root"], "root        ROOT")
        self.assertEqual(facts["numpy"], f"numpy       {np.__version__}")
        self.assertIn("\nbackend loop: ", answer.stdout)
        self.assertTrue(answer.stdout.endswith("\n  usable\n"))

    def test_a_python_without_numpy(self):
        python = self.write("python", f'#!/bin/sh\nexec {os.path.realpath(sys.executable)} -S -I "$@"\n')
        os.chmod(python, 0o755)
        self.assertRegex(self.assay("doctor", ASSAY_PYTHON=python).stdout,
                         r"\nnumpy +not usable: cannot import NumPy: No module named 'numpy'; ")


class References(CommandTest):

    def test_check_and_update(self):
        options = ["--suite", "tiny", "--filter", "linear"]
        answer = self.assay("references", "check", *options)
        self.assertEqual((answer.status, answer.stdout), (0, "1 checked, 0 differ\n"))
        folder = os.path.join(self.root, "reference/store/linear")
        name, = os.listdir(folder)
        path = os.path.join(folder, name)
        table = np.load(path)
        table["expected"][0] += 1
        np.save(path, table)
        answer = self.assay("references", "check", *options)
        self.assertEqual(answer.status, 1)
        self.assertIn(name, answer.stdout)
        self.assertEqual(self.assay("references", "update", *options).status, 0)
        self.assertEqual(self.assay("references", "check", *options).status, 0)

    def test_cases_and_shards(self):
        answer = self.assay("references", "check", "--case", "linear m=2 k=3 n=4 dtype=f64")
        self.assertEqual((answer.status, answer.stdout), (0, "1 checked, 0 differ\n"))
        # One that stands in no file has no stored reference, which is a difference; update makes it.
        live = ["--case", "matmul m=3 k=5 n=9 dtype=f64"]
        self.assertEqual(self.assay("references", "check", *live).status, 1)
        self.assertEqual(self.assay("references", "update", *live).status, 0)
        self.assertEqual(self.assay("references", "check", *live).status, 0)
        counts = [int(self.assay("references", "check", "--suite", "tiny", f"--shard={i}/4")
                      .stdout.split()[0]) for i in (1, 2, 3, 4)]
        self.assertEqual(sum(counts), TINY_CASES - 1)
        self.assert_answer(self.assay("references", "check", *live, "--shard=1/2"), 0)

    def test_what_is_only_timed_has_a_stored_reference(self):
        """The oracle would take longer over the largest than the program waits for it."""
        sys.path.insert(0, os.path.join(SOURCE, "reference"))
        from oracle import caseline
        store = os.path.join(SOURCE, "reference/store")
        for suite in ("bench", "device"):
            lines = self.assay("list", "cases", "--suite", suite, "--quiet").raw.splitlines()
            self.assertGreater(len(lines), 10)
            for line in lines:
                path = os.path.join(store, caseline.table_path(line))
                self.assertTrue(os.path.exists(path), line)
                self.assertLess(os.path.getsize(path), 1 << 20)

    def test_without_python(self):
        root = os.path.join(self.folder, "bare")
        shutil.copytree(os.path.join(SOURCE, "suite"), os.path.join(root, "suite"))
        answer = self.assay("references", "check", "--suite", "smoke", ASSAY_ROOT=root)
        self.assert_answer(answer, 2, stderr="assay: FOLDER/bare/.venv/bin/python: error: no Python "
                           "for the oracle; run ci/setup, which makes .venv\n")


if __name__ == "__main__":
    unittest.main()
