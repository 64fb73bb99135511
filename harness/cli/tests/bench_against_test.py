# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`assay bench`: two builds against each other, and what each answers.

No test looks at how long anything takes: only at what is told of it."""

import json
import os
import signal
import subprocess
import time
import unittest

from benching import SMALL, Bench
from support import LINE, PROGRAM, SOURCE


class Against(Bench):

    def script(self, text):
        path = self.write("other", "#!/bin/sh\n" + text)
        os.chmod(path, 0o755)
        return path

    def test_itself(self):
        answer = self.bench("--case", LINE, "--backend", "loop,blas", "--against", PROGRAM,
                            "--format", "json=rows.json", "--out", "out")
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertLessEqual(max(map(len, answer.raw.splitlines())), 100)
        sides = []
        for name in ("base", "run"):
            with open(os.path.join(self.folder, "out", f"{name}.jsonl")) as file:
                sides.append([json.loads(line) for line in file])
        for base, new in zip(*sides):
            self.assertEqual((base["kind"], base["key"]), ("bench", new["key"]))
            for samples in ("samples_run", "samples_compile"):
                self.assertEqual((len(base[samples]), len(new[samples])), (3, 3))
            self.assertEqual(base["counters"], new["counters"])
        self.assertEqual(len(sides[0]), 2)
        with open(os.path.join(self.folder, "rows.json")) as file:
            rows = json.load(file)["rows"]
        runs = [row for row in rows if row["metric"] == "run"]
        self.assertEqual({row["key"] for row in runs}, {record["key"] for record in sides[0]})
        for row in runs:  # three pairs are too few for an interval
            self.assertEqual(row["verdict"], "UNSURE")
            self.assertGreater(row["ratio"], 0)
        self.assertFalse([row for row in rows if row["verdict"] in ("CHANGED", "NEW", "VANISHED")])
        # The other build's records go with the comparison that they are of.
        self.assertEqual(self.bench("--case", LINE, "--backend", "loop", "--out", "out").status, 0)
        self.assertEqual(sorted(os.listdir(os.path.join(self.folder, "out"))), ["run.jsonl", "summary.txt"])

    def test_the_store_mixes_no_builds(self):
        words = ["--case", LINE, "--backend", "loop", "--against", PROGRAM, "--store", "s.db", "--out", "out"]
        answer = self.bench(*words)
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertIn("assay: note: both builds are of one revision: the store gets NEW's records only; "
                      "BASE's are in out/base.jsonl\n", answer.stderr)
        new, = self.records("out")
        stored, = json.loads(self.assay("report", "s.db", "--format", "json=-").stdout)
        self.assertEqual(stored["samples_run"], new["samples_run"])
        for peak in ("peak_gflops_f32", "peak_gflops_f64", "peak_gbs"):
            self.assertGreater(new["env"][peak], 0)

    def test_a_script_that_starts_one(self):
        other = self.script(f"exec {PROGRAM} \"$@\"\n")
        answer = self.bench("--case", LINE, "--backend", "loop", "--against", other, "--gate")
        self.assertEqual(answer.status, 0, answer.stderr)

    def test_pairs_before_an_interrupt_are_kept(self):
        other = self.script(f"echo started >>starts; exec {PROGRAM} \"$@\"\n")
        process = subprocess.Popen([PROGRAM, "bench", "--case", LINE, "--backend", "loop", "--against", other,
                                    "--quiet", "--min-time", "0.005"], cwd=self.folder,
                                   env=self.environment(), text=True, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        starts = os.path.join(self.folder, "starts")
        while process.poll() is None:
            if os.path.exists(starts) and os.path.getsize(starts) >= 3 * len("started\n"):
                break
            time.sleep(0.01)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual((process.returncode, stdout), (130, ""))
        self.assertEqual(stderr, "assay: note: stopped by SIGINT; what was timed is kept\n")
        record, = self.records()
        self.assertEqual((record["verdict"], record["backend"]), ("PASS", "loop"))
        self.assertGreaterEqual(len(record["samples_run"]), 2)

    def test_what_is_no_assay(self):
        for text, part in (("exit 0", "has ended"),
                           ("echo 'no such option' >&2; exit 2", "has ended: no such option"),
                           ("echo hello; cat >/dev/null", "it said 'hello', expected 'assay bench 1'"),
                           ("printf '\\033[2J\\n'; cat >/dev/null", "it said '?[2J'"),
                           ("echo 'assay bench 1'; yes", "answered 'y' to 'check loop'"),
                           ("exec sleep 600", "does not answer")):
            other = self.script(text + "\n")
            answer = self.bench("--case", LINE, "--backend", "loop", "--against", other, "--out", "out",
                                "--timeout", "2", "--quiet")
            self.assertEqual((answer.status, answer.stdout), (2, ""), text)
            self.assertIn(part, answer.stderr)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "out")), text)
        for other, why in (("/nowhere/assay", "No such file or directory"), (self.folder, "Permission denied")):
            answer = self.bench("--case", LINE, "--backend", "loop", "--against", other, "--quiet")
            self.assertEqual((answer.status, answer.stdout), (2, ""))
            self.assertIn(f": {why}; ", answer.stderr)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "assay-out")))

    def test_a_side_that_is_wrong_is_not_timed(self):
        # The other side's root has a reference that nobody's answer is right by.
        self.doctor(SMALL, 1)
        other = self.script(f"ASSAY_ROOT={SOURCE} exec {PROGRAM} \"$@\"\n")
        try:
            answer = self.bench("--case", SMALL, "--backend", "loop", "--against", other, "--out", "out",
                                "--format", "json=rows.json", "--gate")
        finally:
            self.doctor(SMALL, -1)
        self.assertEqual(answer.status, 1, answer.stderr)
        self.assertIn("FAIL, and is not timed", answer.stderr)
        with open(os.path.join(self.folder, "rows.json")) as file:
            rows = json.load(file)["rows"]
        self.assertEqual([row["verdict"] for row in rows if row["metric"] == "verdict"], ["CHANGED"])
        self.assertFalse([row for row in rows if row["metric"] in ("run", "compile")])

    def assert_untimed(self, answer, sentence):
        self.assertEqual(answer.status, 1, answer.stderr)
        self.assertNotIn("the gate passes", answer.stdout)
        self.assertIn(sentence, answer.stdout)

    def test_what_nobody_timed_passes_no_gate(self):
        self.doctor(SMALL, 1)  # both sides are wrong by it, so that no verdict changes
        try:
            for gate in ([], ["--gate"]):
                answer = self.bench("--case", SMALL, "--case", LINE, "--backend", "loop", "--against", PROGRAM,
                                    "--format", "json=rows.json", *gate)
                self.assert_untimed(answer, "; the gate fails; 1 case was not timed\n")
        finally:
            self.doctor(SMALL, -1)
        with open(os.path.join(self.folder, "rows.json")) as file:
            summary = json.load(file)["summary"]
        self.assertEqual((summary["gate"], summary["gate_rows"], summary["untimed"], summary["wrong"]),
                         ("fail", 0, 1, 1))

    def test_a_build_that_dies_half_way_passes_no_gate(self):
        # Right by its check, it ends behind four answers: then its record is an ERROR.
        other = self.script("echo 'assay bench 1'\nfor i in 1 2 3 4; do read -r word rest; case $word in\n"
                            f"check | describe) echo 'check loop' | {PROGRAM} \"$@\" | tail -n 1 ;;\n"
                            "*) echo '{\"seconds\": 0.001}' ;; esac; done\n")
        for gate in ([], ["--gate"]):
            answer = self.bench("--case", LINE, "--backend", "loop", "--against", other, *gate)
            self.assert_untimed(answer, "; the gate fails; 1 case was not timed\n")
        # Where it never says anything there is nothing to compare, and that is what is said.
        answer = self.bench("--case", LINE, "--backend", "loop", "--quiet", "--gate",
                            "--against", self.script("echo 'assay bench 1'; read -r line\n"))
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertIn("error: nothing could be compared: loop of ", answer.stderr)
        self.assertIn("has ended", answer.stderr)

    def test_a_known_gap_is_no_wrong_answer(self):
        self.write("mine.cases", SMALL + ' xfail="planted"\n' + LINE + "\n")
        self.doctor(SMALL, 1)
        try:
            answer = self.bench("--suite", "./mine.cases", "--backend", "loop", "--against", PROGRAM, "--gate",
                                "--out", "out")
        finally:
            self.doctor(SMALL, -1)
        self.assertEqual(answer.status, 0, answer.stderr)
        self.assertIn("; no row fails it; 1 case was not timed\n", answer.stdout)
        self.assertEqual(sorted(record["verdict"] for record in self.records("out")), ["PASS", "XFAIL"])


class Serve(Bench):

    def serve(self, *questions):
        answer = self.assay("bench", "--serve", "--case", LINE, "--backend", "loop",
                            stdin="".join(f"{line}\n" for line in questions))
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        greeting, *answers = answer.raw.splitlines()
        self.assertEqual(greeting, "assay bench 1")
        return [json.loads(line) for line in answers]

    def test_questions(self):
        check, description, loaded, timed, counted = self.serve(
            "check loop", "describe loop", "load loop", "time loop 0 0.001", "time loop 7 1")
        self.assertEqual((check["kind"], check["verdict"]), ("run", "PASS"))
        self.assertEqual((description["kind"], description["key"]), ("bench", check["key"]))
        self.assertGreater(loaded["seconds"], 0)
        self.assertGreater(timed["iterations"], 0)
        self.assertEqual(counted["iterations"], 7)

    def test_bad_questions(self):
        questions = ["", "hello", "check", "check blas", "check loop twice", "time loop 1 1",
                     "load loop", "time loop", "time loop x 1", "time loop 0 0", "time loop -1 1",
                     "time loop 0 inf", "x" * 5000, "check \x1b[31m\"", "time loop 1 1"]
        answers = self.serve(*questions)
        self.assertEqual(len(answers), len(questions))
        good = [i for i, answer in enumerate(answers) if "error" not in answer]
        self.assertEqual([questions[i] for i in good], ["load loop", "time loop 1 1"])
        self.assertEqual(good[-1], len(questions) - 1)  # before it was loaded, it could not be timed

    def test_one_case_at_a_time(self):
        answer = self.assay("bench", "--serve", "--case", LINE, "--case", SMALL)
        self.assert_answer(answer, 2,
                           stderr="assay: error: --serve takes one case and one data set\n")

if __name__ == "__main__":
    unittest.main()
