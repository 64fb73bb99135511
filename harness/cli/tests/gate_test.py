# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ci/gate: a first run, the same again, a regression, what cannot be told, four parts as one run, timings;
and the snippets of docs/ci.md."""

import json
import os
import re
import shutil
import subprocess
import unittest

import yaml

from support import CommandTest, PROGRAM, SOURCE

GATE = os.path.join(SOURCE, "ci/gate")
# Two cases have one program, which is compiled once, unless a shard parts them.
SUITE = ("matmul m=1,2 k=3 n=2,4\nlinear m=2 k=3 n=4 dtype=f64\n"
         "softmax m=3 n=5,6\nsoftmax m=3 n=5,6 values=large\n")
CASES = 9
RECORDS = 4 * CASES


class Gate(CommandTest):
    def setUp(self):
        super().setUp()
        self.write("mine.cases", SUITE)

    def gate(self, *arguments, **variables):
        done = subprocess.run([GATE, *arguments], cwd=self.folder, text=True, capture_output=True,
                              env=self.environment(ASSAY=PROGRAM, ASSAY_REVISION="r1", **variables),
                              timeout=300)
        return done.returncode, done.stderr.splitlines()[-1] if done.stderr else "", done.stdout

    def run_gate(self, *arguments, **variables):
        return self.gate("--suite=./mine.cases", *arguments, **variables)

    def lines(self, path):
        with open(os.path.join(self.folder, path)) as file:
            return [json.loads(line) for line in file]

    def verdicts(self, path):
        return sorted((record["key"], record["verdict"], record["margin"]) for record in self.lines(path))

    def rewrite(self, path, change):
        records = self.lines(path)
        self.write(path, "".join(json.dumps(record) + "\n" for record in change(records)))

    def exists(self, path):
        return os.path.exists(os.path.join(self.folder, path))

    def test_first_run_becomes_the_baseline(self):
        status, last, _ = self.run_gate()
        self.assertEqual((status, last), (0, "gate: passed; there was no baseline: these records are it "
                                             "now (assay-baseline/run.jsonl)"))
        self.assertEqual(len(self.lines("assay-baseline/run.jsonl")), RECORDS)
        for name in ("run.jsonl", "report.html", "junit.xml", "summary.md"):
            self.assertTrue(self.exists(f"assay-gate/{name}"), name)
        before = self.lines("assay-baseline/run.jsonl")
        status, last, _ = self.run_gate()
        self.assertEqual((status, last), (0, "gate: passed, compared with assay-baseline/run.jsonl"))
        self.assertEqual(self.lines("assay-baseline/run.jsonl"), before)  # nobody asked for an update
        self.assertEqual(self.run_gate("--update")[0], 0)
        self.assertNotEqual(self.lines("assay-baseline/run.jsonl"), before)

    def test_a_vanished_case_is_a_regression_until_it_is_accepted(self):
        self.assertEqual(self.run_gate()[0], 0)
        self.write("mine.cases", SUITE.replace("softmax", "# softmax"))
        summary = os.path.join(self.folder, "job.md")
        status, last, _ = self.run_gate("--update", GITHUB_STEP_SUMMARY=summary)
        self.assertEqual(status, 1)
        self.assertIn("gate: regression: ", last)
        with open(summary) as file:
            self.assertIn("softmax m=3 n=5", file.read())
        self.assertEqual(len(self.lines("assay-baseline/run.jsonl")), RECORDS)  # kept
        self.assertEqual(self.run_gate("--accept")[0], 0)
        self.assertEqual(len(self.lines("assay-baseline/run.jsonl")), RECORDS - 16)
        self.assertEqual(self.run_gate()[0], 0)

    def test_timings_of_the_baseline_are_not_missed(self):
        self.assertEqual(self.run_gate()[0], 0)
        self.rewrite("assay-baseline/run.jsonl",
                     lambda records: records + [{**record, "kind": "bench"} for record in records])
        self.assertEqual(self.run_gate()[0], 0)
        self.write("ours", "[matmul]\nmargin.gate = no")
        self.assertEqual(self.run_gate("--thresholds", "ours")[0], 0)
        self.write("ours", "vanished.kind.gate = yes\n")
        self.assertEqual(self.run_gate("--thresholds", "ours")[0], 1)
        with open(os.path.join(self.folder, "assay-gate/summary.md")) as file:
            self.assertIn(f"{RECORDS} records of kind bench vanished: NEW has none", file.read())
        self.write("ours", "\nrun.gaet = no\n")
        status, _, _ = self.run_gate("--thresholds", "ours")
        self.assertEqual(status, 2)

    def test_a_margin_that_grew_is_a_regression(self):
        self.assertEqual(self.run_gate()[0], 0)

        def shrink(records):  # what is near 0.5 now was near nothing
            for record in records:
                if record["data"] == "real":
                    record["margin"] = 0.001
            return records

        self.rewrite("assay-baseline/run.jsonl", shrink)
        self.write("strict", "margin.floor = 0.002\nmargin.gate-above = 0.002\n")
        self.assertEqual(self.run_gate("--thresholds", "strict")[0], 1)
        self.assertEqual(self.run_gate()[0], 0)  # below the usual floor

    def test_a_bad_verdict_fails_unless_the_baseline_has_it(self):
        bad = SUITE.replace("large\n", 'large xfail="planted"\n')  # XPASS
        self.write("mine.cases", bad)
        status, last, _ = self.run_gate()
        self.assertEqual((status, last), (1, "gate: regression: a verdict is bad; see assay-gate/summary.md "
                                             "and assay-gate/report.html"))
        self.assertFalse(self.exists("assay-baseline"))
        self.write("mine.cases", SUITE)
        self.assertEqual(self.run_gate()[0], 0)
        self.write("mine.cases", bad)
        status, _, printed = self.run_gate("--known-failures", GITHUB_ACTIONS="true")
        self.assertEqual(status, 1)
        self.assertIn("::error file=", printed)
        self.assertEqual(self.run_gate("--accept")[0], 0)
        self.assertEqual(self.run_gate("--known-failures")[0], 0)
        self.assertEqual(self.run_gate()[0], 1)

    def test_what_cannot_be_told(self):
        os.mkdir(os.path.join(self.folder, "assay-baseline"))
        self.write("assay-baseline/run.jsonl", '{"schema": 1, "key')
        self.assertEqual(self.run_gate()[0], 2)
        with open(os.path.join(self.folder, "assay-baseline/run.jsonl")) as file:
            self.assertEqual(file.read(), '{"schema": 1, "key')
        for arguments in (["--suite=./none.cases"], ["--sweet=x"], ["--suite"], ["what"],
                          ["--merge=a", "--suite=x"], ["--merge=a", "--merge=b", "--shards=3"],
                          ["--merge=nowhere"]):
            status, last, _ = self.gate(*arguments)
            self.assertEqual((status, last.startswith("gate: cannot tell: ")), (2, True), (arguments, last))
        # A baseline that cannot be kept is not there the next time either.
        self.write("file", "")
        status, last, _ = self.run_gate("--baseline=file/run.jsonl")
        self.assertEqual((status, last), (2, "gate: cannot tell: the baseline file/run.jsonl cannot be written"))
        self.assertEqual(self.gate("--help")[0], 0)

    def test_four_parts_are_one_run(self):
        self.assertEqual(self.run_gate("--out=whole", "--baseline=base/b.jsonl")[0], 0)
        parts = []
        for i in range(1, 5):
            status, last, _ = self.run_gate(f"--shard={i}/4", f"--out=part{i}", "--baseline=none")
            self.assertEqual((status, last), (0, f"gate: part {i}/4 has run; its records are in part{i}, to "
                                                 "be judged with --merge"))
            parts.append(f"--merge=part{i}")
        self.assertEqual(self.gate(*parts, "--shards=4", "--out=all", "--baseline=base/b.jsonl")[0], 0)
        self.assertEqual(self.verdicts("all/run.jsonl"), self.verdicts("whole/run.jsonl"))

        def say(path):  # the sentence and the tables of the summary
            with open(os.path.join(self.folder, path)) as file:
                return re.sub(r"\d+\.\d+", "N", file.read()).splitlines()[0]

        self.assertEqual(say("all/summary.md"), say("whole/summary.md"))
        # A part that is missing is missed: its cases vanished.
        filled = [part for i, part in enumerate(parts, 1) if self.lines(f"part{i}/run.jsonl")]
        status, last, _ = self.gate(*filled[1:], "--out=some", "--baseline=base/b.jsonl")
        self.assertEqual(status, 1, last)

    def test_a_store_as_the_baseline(self):
        self.assertEqual(self.run_gate("--baseline=base.db")[0], 0)
        self.assertEqual(self.run_gate("--baseline=base.db", "--update")[0], 0)
        self.write("mine.cases", SUITE.replace("softmax", "# softmax"))
        self.assertEqual(self.run_gate("--baseline=base.db")[0], 1)
        self.write("base.db", "no store at all")
        self.assertEqual(self.run_gate("--baseline=base.db")[0], 2)

    def test_timings_against_another_build(self):
        self.write("mine.cases", "matmul m=2 k=3 n=4\n")
        fast = ["--bench=--suite=./mine.cases", "--bench=--backend=loop", "--bench=--repetitions=2",
                "--bench=--min-time=0.001"]
        status, last, printed = self.run_gate("--against", PROGRAM, *fast)
        self.assertEqual(status, 0, last)
        self.assertIn("matmul", printed)
        with open(os.path.join(self.folder, "assay-gate/summary.md")) as file:
            self.assertIn("## Timings", file.read())
        self.assertEqual(self.run_gate("--against", "./nothing", *fast)[0], 2)


class Snippets(unittest.TestCase):
    """docs/ci.md: its YAML is YAML, its jobs do what the page says, and its options are the script's."""

    def setUp(self):
        with open(os.path.join(SOURCE, "docs/ci.md")) as file:
            self.page = file.read()
        self.blocks = re.findall(r"^```yaml\n(.*?)^```$", self.page, re.MULTILINE | re.DOTALL)

    def test_yaml(self):
        github, gitlab = (yaml.safe_load(block) for block in self.blocks)
        self.assertEqual(github["jobs"]["part"]["strategy"]["matrix"]["part"], [1, 2, 3, 4])
        self.assertEqual(github["jobs"]["gate"]["needs"], "part")
        self.assertEqual(gitlab["part"]["parallel"], 4)
        self.assertEqual(gitlab["gate"]["needs"], ["part"])
        self.assertIn("assay-gate/junit.xml", gitlab["gate"]["artifacts"]["reports"]["junit"])

    def test_options(self):
        usage = subprocess.run([GATE, "--help"], text=True, capture_output=True, check=True).stdout
        known = set(re.findall(r"^  (--[a-z-]+)", usage, re.MULTILINE))
        calls = re.sub(r"\\\n", " ", self.page)
        used = {option for line in re.findall(r"(?<!`)ci/gate(?: .*)?$", calls, re.MULTILINE)
                for option in re.findall(r"(--[a-z-]+)", re.sub(r"--bench=\S+", "--bench", line.split(" -- ")[0]))}
        self.assertTrue(used and used <= known, used - known)
        for line in usage.splitlines():
            self.assertLessEqual(len(line), 100)


if __name__ == "__main__":
    unittest.main()
