# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay report: every format but the page as an independent reader sees it."""

import csv
import json
import os
import re
import subprocess
import unittest
import xml.etree.ElementTree

from reporting import LONG, NASTY, SEEN, Report, bench, hostile, record
from support import SOURCE


class Formats(Report):

    def test_csv_has_a_row_for_each_record(self):
        found = self.report(hostile(), "csv")
        self.assertEqual(found.count("\r\n"), 1 + len(hostile()))  # other line ends are inside fields
        table = {row["key"].splitlines()[0]: row for row in csv.DictReader(found.splitlines(True))}
        self.assertEqual(len(table), len(hostile()))
        bad = next(row for row in table.values() if row["verdict"] == "FAIL")
        for name, seen in (("op", SEEN), ("case", SEEN + "x" * 10_000), ("reason", SEEN + "x" * 10_000),
                           ("first_bad_pass", SEEN), ("blas", SEEN), ("margin", "0.25"),
                           ("first_bad_n", "3"), ("seconds_run", "0.25"), ("run_median", "")):
            self.assertEqual(bad[name], seen, name)
        crash = next(row for row in table.values() if row["verdict"] == "CRASH")
        self.assertEqual((crash["case"], crash["reason"]), ("'=1+1", "'@SUM(A1)"))

    def test_csv_has_the_timings(self):
        row, = csv.DictReader(self.report([bench("matmul m=1", "loop", 0.01)], "csv", 0).splitlines(True))
        self.assertAlmostEqual(float(row["run_median"]), 0.0104)
        self.assertAlmostEqual(float(row["gflops"]), 2 / 0.0104)
        self.assertEqual((row["kind"], row["run_samples"], row["threads"]), ("bench", "9", "1"))

    def test_json_is_the_records(self):
        found = json.loads(self.report(hostile(), "json"))
        given = sorted(hostile(), key=lambda each: each["key"])
        for one, other in zip(found, given, strict=True):
            for name in ("key", "op", "reason", "repro", "first_bad", "verdict", "origin"):
                self.assertEqual(one.get(name), other.get(name))

    def validate(self, document):
        path = self.write("junit.xml", document)
        for schema in ("jenkins", "ant"):
            done = subprocess.run(
                ["xmllint", "--noout", "--schema",
                 os.path.join(SOURCE, f"results/formats/checks/junit_{schema}.xsd"), path],
                text=True, capture_output=True)
            self.assertEqual(done.returncode, 0, done.stderr[:2000])

    def test_junit_validates(self):
        found = self.report(hostile(), "junit")
        self.validate(found)
        root = xml.etree.ElementTree.fromstring(found)
        self.assertEqual(len(list(root.iter("testcase"))), len(hostile()))
        self.assertEqual([error.get("type") for error in root.iter("error")], ["CRASH"])
        self.assertEqual([len(list(root.iter(name))) for name in ("failure", "skipped")], [1, 2])
        failure = next(root.iter("failure"))
        self.assertEqual(failure.get("message"), SEEN + "x" * 10_000)
        self.assertIn(f"first bad pass: 3 {SEEN} (miscompile)", failure.text)
        self.assertIn(f"WARN linear m=2 data=int backend=loop: {SEEN}",
                      "".join(out.text or "" for out in root.iter("system-out")))

    def test_junit_validates_whatever_is_missing(self):
        blank = record("  ", op=" ", backend="\n", margin="inf", seconds_run=None, env=None,
                       started="2021-02-30T00:00:00.000Z")
        del blank["repro"], blank["started"]
        strange = [{**blank, "key": f"k{i}", "started": value} for i, value in enumerate(
            ["", "2021-02-29T00:00:00Z", "2020-02-29T23:59:59Z", " 2020-1-1T00:00:00", None, 5])]
        self.validate(self.report([blank, *strange], "junit", 0))

    def test_junit_fails_where_the_gate_does(self):
        self.write_records([record("a"), record(LONG)], "base.jsonl")
        self.write_records([record("a", "FAIL")], "run.jsonl")
        answer = self.assay("report", "run.jsonl", "--baseline", "base.jsonl", "--gate", "--format", "junit=-")
        self.assertEqual(answer.status, 1, answer.stderr)
        self.validate(answer.stdout)
        last = list(xml.etree.ElementTree.fromstring(answer.stdout).iter("testsuite"))[-1]
        self.assertEqual((last.get("name"), last.get("failures")), ("baseline", "2"))
        self.assertEqual(sorted(failure.get("type") for failure in last.iter("failure")),
                         ["CHANGED", "VANISHED"])

    def test_gbench_has_the_shape_of_google_benchmark(self):
        lines = [("gpt2_block t=64", "loop"), (NASTY, "blas")]
        found = json.loads(self.report([bench(*each, 0.01) for each in lines] + [record("a")], "gbench", 0))
        self.assertEqual(found["context"]["executable"], "assay")
        entries = found["benchmarks"]
        self.assertNotIn("num_cpus", found["context"])  # nobody knows the records' machine's
        for line, backend in lines:
            name = f"{line} data=real backend={backend}".replace(NASTY, re.sub(r"\s", " ", SEEN))
            mine = [each for each in entries if each["run_name"] == name]
            samples = [each for each in mine if each["run_type"] == "iteration"]
            self.assertEqual([each["repetition_index"] for each in samples], list(range(9)))
            self.assertEqual({(each["repetitions"], each["threads"], each["time_unit"]) for each in mine},
                             {(9, 1, "ns")})
            self.assertAlmostEqual(samples[0]["real_time"], 1e7)
            summary = {each["aggregate_name"]: each for each in mine if each["run_type"] == "aggregate"}
            self.assertEqual(sorted(summary), ["cv", "mean", "median", "stddev"])
            self.assertAlmostEqual(summary["median"]["real_time"], 1.04e7)
            self.assertEqual(summary["cv"]["aggregate_unit"], "percentage")
        self.assertEqual(len(entries), 2 * 13)

    def test_annotations_are_one_line_each(self):
        lines = self.report(hostile(), "annotations").splitlines()
        self.assertEqual(len(lines), 3)
        place = re.compile(r"::(error|warning) (?:file=([^,:]*),line=(\d+),)?title=([^,:]*)::(.*)")
        found = {}
        for line in lines:
            level, file, number, title, message = place.fullmatch(line).groups()
            for code, byte in (("%0A", "\n"), ("%3A", ":"), ("%2C", ","), ("%25", "%")):
                title, message = title.replace(code, byte), message.replace(code, byte)
                file = file and file.replace(code, byte)
            found[title.split()[0]] = (level, file, number, message)
        self.assertEqual(found["FAIL"][:3], ("error", "suite/cases/a%b,c:d.cases", "12"))
        self.assertTrue(found["FAIL"][3].startswith(SEEN))
        self.assertEqual(found["CRASH"][:3], ("error", None, None))
        self.assertEqual(found["WARN"][0], "warning")

    def test_md_lets_no_text_be_markup(self):
        found = self.report(hostile(), "md")
        self.assertIn("2 of 6 verdicts are bad: 1 FAIL, 1 CRASH.", found)
        outside = re.sub(r"(`+) ?.*? ?\1", "", "\n".join(
            line for line in found.splitlines() if not line.startswith("      ")))
        self.assertNotIn("<b>", outside)
        table = [line for line in found.splitlines() if line.startswith("|")]
        self.assertEqual({len(re.findall(r"(?<!\\)\|", line)) for line in table}, {10})

    def assert_harmless(self, shown):
        self.assertIsNone(re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f]", shown))
        self.assertIn("\\x1b[31mred\\x07 ", shown)

    def test_a_terminal_obeys_nothing_of_a_record(self):
        fault = {"n": 1, "name": NASTY, "seconds": 0.1, "ops_before": 5, "ops_after": 6, "changed": True,
                 "margin": None, "nan_added": 0, "class": NASTY}
        self.write_records(hostile())
        self.write_records([{**each, "verdict": "ERROR", "reason": NASTY, "passes": [fault]}
                            for each in hostile()], "new.jsonl")
        for words in (["report", "run.jsonl"], ["compare", "run.jsonl", "new.jsonl", "--passes"],
                      ["compare", "new.jsonl", "run.jsonl", "--verbose", "--passes"]):
            answer = self.assay(*words)
            self.assertNotEqual(answer.status, 2, answer.stderr)
            self.assert_harmless(answer.raw)

    def test_text_of_merged_records_tells_what_they_tell(self):
        self.write_records([record("a"), bench("matmul m=1", "blas", 0.01)])
        lines = self.assay("report", "run.jsonl").raw.splitlines()
        self.assertRegex(lines[1], r"^matmul  blas .* -$")
        self.assertRegex(lines[2], r"^matmul  loop .* 0\.75$")
        self.assertRegex(lines[3], r"^total .* -$")
        self.assertEqual(lines[-1], "2 verdicts: 2 PASS")

    def test_lists_of_formats(self):
        self.write_records(hostile())
        answer = self.assay("report", "run.jsonl", "--format", "csv=a,,b.csv,json=c", "--format=md=-")
        self.assertEqual(answer.status, 1)
        self.assertTrue(answer.stdout.startswith("# Assay\n"))
        self.assertEqual(sorted(os.listdir(self.folder)), ["a,b.csv", "c", "run.jsonl"])

if __name__ == "__main__":
    unittest.main()
