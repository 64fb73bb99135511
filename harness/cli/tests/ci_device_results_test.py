# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ci/device-results`: what becomes of the steps' records, and the goals that are told of them."""

import os
import unittest

from ci_devices import Device
from support import LINE

# Reports the timings of $CSV.
REPORTER = """#!/bin/sh
[ "$1" != report ] || [ "${3-}" != --store ] || cp "$CSV" timings.csv
"""


class Results(Device):
    """What becomes of the steps' records."""

    def setUp(self):
        super().setUp()
        answer = self.assay("run", "--case", LINE, "--backend", "loop", "--data", "int,real", "--out", "steps")
        self.assertEqual(answer.status, 0, answer.stderr)
        self.good = self.read("steps/run.jsonl")
        self.write("out/steps", "conformance: done\n")
        self.write("out/step-run/run.jsonl", self.good)

    def test_what_it_leaves(self):
        done = self.results("out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.read("out/run.jsonl"), self.good)
        self.assertEqual(set(os.listdir(os.path.join(self.folder, "out"))),
                         {"run.jsonl", "assay.db", "report.html", "report.md", "timings.csv", "summary.txt", "step-run"})

    def test_alone_after_a_run_that_ended(self):
        first = self.results("out")
        done = self.results("out", DEVICE_ENDED="")
        self.assertEqual((done.returncode, done.stdout), (0, first.stdout))
        os.remove(os.path.join(self.folder, "out/summary.txt"))
        done = self.results("out", DEVICE_ENDED="")
        self.assertEqual((done.returncode, done.stdout.splitlines()[0]), (2, "what became of the steps is not known"))
        self.assertEqual(len(self.records("out")), 2)

    def test_alone_after_a_run_that_was_killed(self):
        self.write("out/step-time-1/run.jsonl", self.good[:-40])
        for _ in range(2):
            done = self.results("out", DEVICE_ENDED="")
            self.assertEqual(done.returncode, 2)
            self.assertEqual(done.stdout.splitlines()[:4],
                             ["conformance: done", "the run was killed: what it had not finished is missing",
                              "step-time-1: its last record was cut off, and is left out", ""])
        self.assertEqual(len(self.records("out")), 3)

    def test_what_is_not_of_a_run_stays(self):
        others = ("mine/run.jsonl", "step-mine/run.jsonl", "step-time-mine/run.jsonl", "mine.part", "assay.db.mine")
        for name in others:
            self.write("out/" + name, "no record\n")
        done = self.results("out")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(self.read("out/run.jsonl"), self.good)
        for name in others:
            self.assertEqual(self.read("out/" + name), "no record\n")

    def test_a_record_that_was_cut_off(self):
        self.write("out/step-time-1/run.jsonl", self.good[:-40])
        self.write("out/step-time-2/run.jsonl", self.good[:40])
        done = self.results("out")
        self.assertEqual(done.returncode, 2)
        for step in "step-time-1", "step-time-2":
            self.assertIn(f"{step}: its last record was cut off, and is left out\n", done.stdout)
        self.assertEqual(self.read("out/run.jsonl"), self.good + self.good.splitlines(True)[0])
        self.assertIn("2 PASS", done.stdout)

    def test_a_file_that_is_bad(self):
        self.write("out/step-time-1/run.jsonl", self.good + "no record\n" + self.good)
        done = self.results("out")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout, r"step-time-1: its records are left out: step-time-1/run.jsonl:3: ")
        self.assertEqual(self.read("out/run.jsonl"), self.good)
        self.assertIn("2 PASS", done.stdout)

    def test_reports_that_cannot_be_made(self):
        os.makedirs(os.path.join(self.folder, "out/report.md/x"))
        done = self.results("out")
        self.assertEqual(done.returncode, 2)
        self.assertRegex(done.stdout, "the reports were not made: .*report.md")
        self.assertEqual(self.read("out/run.jsonl"), self.good)

    def test_bad_words(self):
        for arguments, said in (((), "expected a folder"), (("a", "b"), "expected a folder"), (("-x",), "expected a folder"),
                                (("nowhere",), "nowhere is no folder")):
            done = self.results(*arguments)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn(f"device-results: error: {said}", done.stderr)
        self.assertIn("usage: device-results", self.results("--help").stdout)


class Goals(Device):
    operands = "lhs=plain rhs=plain result=plain"

    def goals(self, *rows):
        """The lines of the summary, of timings (size, backend, verdict, seconds, rest of the case)."""
        lines = ["kind,key,case,op,backend,data,verdict,margin,run_median,cuda,clock"]
        for size, backend, verdict, seconds, rest, *clock in rows:
            line = f"matmul m={size} k={size} n={size} dtype=f32 rhs_dtype=f32 {self.operands}{rest}"
            lines.append(f"bench,{line} data=real,{line},matmul,{backend},real,{verdict},0.1,{seconds},"
                         f'"GPU ""0"", CUDA 13.0",{clock[0] if clock else "device"}')
        program = self.write("assay", REPORTER)
        os.chmod(program, 0o755)
        self.write("out/steps", "")
        self.write("out/step-run/run.jsonl", "{}\n")
        done = self.results("out", ASSAY=program, CSV=self.write("made.csv", "\n".join(lines) + "\n"))
        self.assertEqual(done.returncode, 0, done.stderr)
        return [" ".join(line.split()) for line in done.stdout.splitlines() if "over cuBLAS" in line]

    def test_they_are_of_the_records_alone(self):
        self.assertEqual(
            self.goals((1024, "cuda", "PASS", 5e-5, ""), (1024, "cublas", "PASS", 4.5e-5, ""),
                       (2048, "cuda", "PASS", 5e-4, ""), (2048, "cublas", "PASS", 3e-4, ""),
                       (4096, "cuda", "FAIL", 3e-3, ""), (4096, "cublas", "PASS", 3e-3, ""),
                       (1024, "cuda", "PASS", 2e-5, " precision=tf32"),
                       (1024, "cublas", "PASS", 1.2e-5, " precision=tf32"),
                       (2048, "cublas", "PASS", 1e-4, " precision=tf32"),
                       (4096, "cuda", "PASS", "", " precision=tf32"),
                       (4096, "cublas", "PASS", 1e-3, " precision=tf32")),
            ["f32 at 1024, speed over cuBLAS: 0.900 (goal 0.8: met)",
             "f32 at 2048, speed over cuBLAS: 0.600 (goal 0.8: missed)",
             "f32 at 4096, speed over cuBLAS: not measured (goal 0.8)",
             "tf32 at 1024, speed over cuBLAS: 0.600 (goal 0.6: met)",
             "tf32 at 2048, speed over cuBLAS: not measured (goal 0.6)",
             "tf32 at 4096, speed over cuBLAS: not measured (goal 0.6)"])

    def test_only_a_device_is_timed(self):
        told = self.goals((1024, "cuda", "PASS", 1e-5, ""), (1024, "cublas", "PASS", 1e-3, "", ""),
                          (2048, "cuda", "PASS", 1e-5, "", ""), (2048, "cublas", "PASS", 1e-3, ""))
        self.assertEqual([line for line in told if "not measured" not in line], [])

    def test_only_plain_operands_count(self):
        for size, word in (1024, "lhs=sliced"), (2048, "rhs=transposed"), (4096, "result=reshaped"):
            self.operands = " ".join(word if word.startswith(plain.split("=")[0]) else plain
                                     for plain in self.operands.split())
            told = self.goals((size, "cuda", "PASS", 1e-5, ""), (size, "cublas", "PASS", 1e-3, ""))
            self.assertEqual([line for line in told if "not measured" not in line], [])
            self.operands = Goals.operands

    def test_what_is_printed_is_what_is_judged(self):
        told = self.goals((1024, "cuda", "PASS", 1, ""), (1024, "cublas", "PASS", 0.7996, ""),
                          (2048, "cuda", "PASS", 1, ""), (2048, "cublas", "PASS", 0.7994, ""))
        self.assertEqual(told[:2], ["f32 at 1024, speed over cuBLAS: 0.800 (goal 0.8: met)",
                                    "f32 at 2048, speed over cuBLAS: 0.799 (goal 0.8: missed)"])

if __name__ == "__main__":
    unittest.main()
