# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ci/gate: a first run, the same again, a regression, what cannot be told; and the snippets of docs/ci.md."""

import os
import re
import subprocess
import unittest

import yaml

from gating import GATE, RECORDS, SUITE, GateTest
from support import PROGRAM, SOURCE


class Gate(GateTest):
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
        self.assertEqual(len(self.lines("assay-baseline/run.jsonl")), RECORDS - 24)
        self.assertEqual(self.run_gate()[0], 0)

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
        count = len(re.findall(r'"metric":"margin".*"gate":true', self.comparison("strict")))
        self.assert_published("\u274c", f"{count} regressions against the baseline.", "error", count)
        self.assertEqual(self.run_gate()[0], 0)  # below the usual floor
        # Worse, but not so that the gate fails: a warning everywhere.
        self.write("lenient", "margin.floor = 0.002\nmargin.gate-above = 1e6\n")
        self.assertEqual(self.run_gate("--thresholds", "lenient")[0], 0)
        self.assert_published("\u26a0\ufe0f", "No regression against the baseline. "
                              f"{count} rows are worse, within what the thresholds allow.", "warning", count)

    def comparison(self, thresholds):
        self.assay("compare", "assay-baseline/run.jsonl", "assay-gate", "--thresholds", thresholds,
                   "--format=json=rows.json")
        return self.read("rows.json")

    def assert_published(self, sign, sentence, level, count):
        """The summary's sign and sentence, and so many annotations and failed tests."""
        summary = self.read("assay-gate/summary.md").split("# Assay\n\n")[1].splitlines()[0]
        self.assertTrue(summary.startswith(sign) and sentence in summary, summary)
        self.assertIn(sentence, self.read("assay-gate/report.html"))
        levels = re.findall(r"^::(\w+) ", self.read("assay-gate/annotations.txt"), re.MULTILINE)
        self.assertEqual(levels, [level] * count)
        self.assertEqual(self.read("assay-gate/junit.xml").count("<failure "),
                         count if level == "error" else 0)

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

    def test_known_failures_are_those_of_the_same_word(self):
        bad = SUITE.replace("large\n", 'large xfail="planted"\n')
        self.write("mine.cases", bad)
        for _ in range(2):
            self.assertEqual(self.run_gate("--known-failures")[0], 0)
            self.assert_published("\u26a0\ufe0f", "12 fail as the baseline does: known.", "notice", 12)
            self.assertEqual(self.read("assay-gate/junit.xml").count("known failure: XPASS: "), 12)
        self.write("mine.cases", bad + 'matmul m=5 k=3 n=2 xfail="planted"\n')  # the baseline has it not
        status, last, _ = self.run_gate("--known-failures")
        self.assertEqual((status, last), (1, "gate: regression: bad verdicts that "
                                             "assay-baseline/run.jsonl does not have: 6; see assay-gate/summary.md and "
                                             "assay-gate/report.html"))
        self.write("mine.cases", bad)

        def other(records):  # bad, too, but by another word
            for record in records:
                if record["verdict"] == "XPASS":
                    record["verdict"] = "ERROR"
            return records

        self.rewrite("assay-baseline/run.jsonl", other)
        self.assertEqual(self.run_gate("--known-failures")[0], 1)

    def test_an_at_sign_in_a_name(self):
        for name in ("job@2/base.jsonl", "job@2/base.db", "job@2/more.db@main", "x@y.jsonl"):
            with self.subTest(name):
                self.assertEqual(self.run_gate("--baseline", name)[0], 0)
                self.assertTrue(self.exists(name.removesuffix("@main")))
                status, last, _ = self.run_gate("--baseline", name)
                self.assertEqual((status, last.split(",")[0]), (0, "gate: passed"))
        self.assertEqual(set(os.listdir(os.path.join(self.folder, "job@2"))),
                         {"base.jsonl", "base.db", "base.db.gate", "more.db", "more.db.gate"})

    def test_what_is_accepted_lasts_in_a_store(self):
        for name in ("base.db", "more.db@main"):
            with self.subTest(name):
                self.write("mine.cases", SUITE)
                self.assertEqual(self.run_gate("--baseline", name, "--accept")[0], 0)
                # The same revision and tag, and fewer cases; then none in common.
                for suite in ("matmul m=1 k=3 n=2\n", "gelu m=3 n=4\n"):
                    self.write("mine.cases", suite)
                    self.assertNotEqual(self.run_gate("--baseline", name)[0], 0)
                    self.assertEqual(self.run_gate("--baseline", name, "--accept")[0], 0)
                    status, last, _ = self.run_gate("--baseline", name)
                    self.assertEqual(status, 0, last)

    def test_no_report_of_an_earlier_run_stays(self):
        self.assertEqual(self.run_gate()[0], 0)
        self.write("bad.jsonl", "garbage\n")
        for arguments in (["--baseline=bad.jsonl"], ["--", "--backend=none"]):
            self.assertEqual(self.run_gate(*arguments)[0], 2)
            for name in ("report.html", "junit.xml", "annotations.txt"):
                self.assertFalse(self.exists(f"assay-gate/{name}"), name)
            with open(os.path.join(self.folder, "assay-gate/summary.md")) as file:
                self.assertTrue(file.read().startswith("\u274c **Gate: cannot tell: assay "))
        self.assertFalse(self.exists("assay-gate/run.jsonl"))

    def test_options_that_would_do_nothing_or_harm(self):
        self.assertEqual(self.run_gate()[0], 0)
        before = self.lines("assay-gate/run.jsonl")
        for arguments in (["--bench=matmul"], ["--shards=2"], ["--shard=1/2", "--update"],
                          ["--shard=1/2", "--accept"], ["--shard=1/2", "--against=x"],
                          ["--shard=1/2", "--baseline=x"], ["--out=-x"], ["--out="], ["--out", "--update"],
                          ["--", "--out", "x"], ["--", "--out=x"], ["--", "--store=x.db"],
                          ["--", "--format=json=x"], ["--", "--shard=1/2"], ["--", "--resume"],
                          ["--baseline=assay-gate/run.jsonl"], ["--baseline=assay-gate"],
                          ["--baseline=assay-baseline/../assay-gate/./run.jsonl", "--out=./assay-gate/."],
                          ["--baseline=none.jsonl", "--require-baseline"]):
            status, last, _ = self.run_gate(*arguments)
            self.assertEqual((status, last.startswith("gate: cannot tell: ")), (2, True), (arguments, last))
            self.assertEqual(self.lines("assay-gate/run.jsonl"), before)
        self.assertFalse(self.exists("x") or self.exists("none.jsonl") or self.exists("-x"))
        self.assertEqual(self.run_gate("--require-baseline")[0], 0)
        status, last, _ = self.run_gate("--baseline=none/../assay-gate/run.jsonl")  # found once none is made
        self.assertEqual((status, last.split(": ")[1]), (2, "cannot tell"))

    def test_a_repository_that_git_refuses(self):
        os.mkdir(os.path.join(self.folder, ".git"))  # nothing in it: git fails, and a repository it is
        done = subprocess.run([GATE, "--suite=./mine.cases"], cwd=self.folder, text=True, capture_output=True,
                              env=self.environment(ASSAY=PROGRAM, ASSAY_REVISION=""), timeout=300)
        self.assertEqual((done.returncode, done.stderr.count("records carry 'unknown'")), (0, 1), done.stderr)
        self.assertEqual({record["env"]["revision"] for record in self.lines("assay-gate/run.jsonl")},
                         {"unknown"})

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
        told = "cannot tell: the baseline file/run.jsonl cannot be written"
        self.assertTrue(self.read("assay-gate/summary.md").startswith(f"\u274c **Gate: {told}**\n\n# Assay\n\n\u274c"))
        self.assertIn(f"::error title=assay::the gate {told}\n", self.read("assay-gate/annotations.txt"))
        for name in ("report.html", "junit.xml"):
            self.assertIn(f"the gate {told}", self.read(f"assay-gate/{name}"))
        self.assertEqual(self.gate("--help")[0], 0)

    def test_a_store_as_the_baseline(self):
        self.assertEqual(self.run_gate("--baseline=base.db")[0], 0)
        self.assertEqual(self.run_gate("--baseline=base.db", "--update")[0], 0)
        self.write("mine.cases", SUITE.replace("softmax", "# softmax"))
        self.assertEqual(self.run_gate("--baseline=base.db")[0], 1)
        self.write("base.db", "no store at all")
        self.assertEqual(self.run_gate("--baseline=base.db")[0], 2)


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
        self.assertEqual(gitlab["gate"]["cache"][0]["policy"], "$POLICY")
        self.assertEqual(gitlab["gate"]["variables"]["POLICY"], "pull")
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
