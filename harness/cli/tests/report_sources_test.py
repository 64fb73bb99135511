# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay report: what it reads and merges, and what it refuses."""

import json
import os
import re
import statistics
import unittest

from reporting import Report, bench, hostile, record
from support import CommandTest


class Sources(Report):

    def test_refusals_write_nothing(self):
        self.write_records(hostile())
        whole = json.dumps(record("a")) + "\n"
        self.write("cut.jsonl", whole + whole[:100])
        self.write("foreign.jsonl", whole + '{"a": 1}\n' + whole)
        self.write("newer.jsonl", whole.replace('"schema": 1', '"schema": 2'))
        self.write("empty.jsonl", "")
        self.write("bytes.jsonl", "\x00\x01\n")
        self.write_records([record("a", "SKIP")], "skipped.jsonl")
        for words, message in (
                (["cut.jsonl"], "cut.jsonl:2: error: the last line is cut off, as by a run that was "
                 "killed: not a JSON record"),
                (["foreign.jsonl"], "foreign.jsonl:2: error: expected a record of schema 1"),
                (["newer.jsonl"], "newer.jsonl:1: error: expected a record of schema 1"),
                (["bytes.jsonl"], "bytes.jsonl:1: error: not a JSON record"),
                (["empty.jsonl"], "error: there are no records in empty.jsonl"),
                (["skipped.jsonl"], "error: everything selected was skipped: why"),
                (["none.jsonl"], "none.jsonl: error: cannot open"),
                ([], "assay-out/latest: error: "),
                (["run.jsonl", "--format", "htm=x"], "did you mean 'html'?"),
                (["run.jsonl", "--format", "html=x,md"], "'md' is not NAME=FILE"),
                (["run.jsonl", "--format", "html=x,"], "'' is not NAME=FILE"),
                (["run.jsonl", "--format", "html=x,md=x"], "two reports to 'x'"),
                (["run.jsonl", "--format", "json=run.jsonl"], "this file is a source of records"),
                (["run.jsonl", "--format", "md=/dev/full"], "/dev/full: error: cannot write"),
                (["run.jsonl", "--format", "html=x,md=none/x"], "none/x: error: cannot write")):
            before = sorted(os.listdir(self.folder))
            answer = self.assay("report", *words)
            self.assertEqual((answer.status, answer.stdout), (2, ""), words)
            self.assertIn(message, answer.stderr)
            self.assertEqual(sorted(os.listdir(self.folder)), before, words)

    def test_what_was_there_stays_where_one_fails(self):
        self.write_records([bench("a", "loop", 0.01)])
        self.write("old.md", "old")
        os.chmod(os.path.join(self.folder, "old.md"), 0o640)
        os.symlink("old.md", os.path.join(self.folder, "link.md"))
        self.write("no.db", "no store")
        before = sorted(os.listdir(self.folder))
        for words in (["md=old.md", "--store", "no.db"], ["md=old.md,csv=new.csv,json=/dev/full"],
                      ["csv=new.csv,md=link.md,json=/dev/full"]):
            answer = self.assay("report", "run.jsonl", "--format", *words)
            self.assertEqual((answer.status, answer.stdout), (2, ""), words)
            with open(os.path.join(self.folder, "old.md")) as file:
                self.assertEqual(file.read(), "old")
            self.assertEqual(sorted(os.listdir(self.folder)), before)
        answer = self.assay("report", "run.jsonl", "--format", "md=link.md")
        self.assert_answer(answer, 0, stdout="")
        with open(os.path.join(self.folder, "old.md")) as file:
            self.assertIn("# Assay", file.read())
        self.assertEqual(os.stat(os.path.join(self.folder, "old.md")).st_mode & 0o777, 0o640)
        self.assertTrue(os.path.islink(os.path.join(self.folder, "link.md")))
        self.assertEqual(sorted(os.listdir(self.folder)), before)

    def test_the_store_gets_what_was_read(self):
        starts = [f"2020-01-0{i}T00:00:00.000Z" for i in (1, 2, 3)]
        first, second, third = (bench("a", "loop", 0.01 * (i + 1), started=start)
                                for i, start in enumerate(starts))
        self.write_records([first, second], "s1.jsonl")
        self.write_records([second, third], "s2.jsonl")
        answers = []
        for name, words in (("one", ["s1.jsonl", "s2.jsonl"]), ("two", ["s2.jsonl", "s1.jsonl"])):
            answer = self.assay("report", *words, "--store", f"{name}.db", "--format", "json=-")
            self.assertEqual((answer.status, answer.stderr),
                             (0, f"assay: note: 3 of 4 records are new in {name}.db\n"))
            answers.append(json.loads(answer.stdout))
            stored = self.assay("report", f"{name}.db", "--format", "json=-")
            self.assertEqual(json.loads(stored.stdout), answers[-1])
        self.assertEqual(answers[0], answers[1])
        (merged,) = answers[0]
        self.assertEqual(merged["samples_run"],
                         first["samples_run"] + second["samples_run"] + third["samples_run"])
        self.assertEqual(merged["seconds_run"], statistics.median(merged["samples_run"]))

    def test_the_newest_of_a_case_counts(self):
        old = record("a", "FAIL", started="2020-01-01T00:00:00.000Z")
        new = record("a", "PASS", started="2020-01-02T00:00:00.000Z")
        timed = bench("a", "loop", 0.01)
        os.mkdir(os.path.join(self.folder, "dir"))
        self.write_records([new, timed], "dir/run.jsonl")
        self.write_records([old], "old.jsonl")
        for words in (["dir", "old.jsonl"], ["old.jsonl", "dir"]):
            answer = self.assay("report", *words, "--format", "json=-")
            self.assertEqual(answer.status, 0)
            self.assertEqual([(each["kind"], each["verdict"]) for each in json.loads(answer.stdout)],
                             [("run", "PASS"), ("bench", "PASS")])

    def test_a_last_line_without_its_end_is_read(self):
        self.write("run.jsonl", json.dumps(record("a")) + "\n" + json.dumps(record("b")))
        self.assertEqual(len(json.loads(self.assay("report", "run.jsonl", "--format", "json=-").stdout)), 2)


class Shards(CommandTest):
    def one(self, *words):
        answer = self.assay(*words, "--format", "json=-")
        self.assertEqual(answer.status, 0, answer.stderr)
        kept = json.loads(answer.stdout)
        for each in kept:
            for name in ("seconds_compile", "seconds_run", "started"):
                del each[name]
        return kept

    def test_four_shards_are_one_run(self):
        run = ["run", "--suite", "tiny", "--quiet"]
        whole = self.one(*run, "--out", "whole")
        for i in range(1, 5):
            self.assertEqual(self.assay(*run, "--shard", f"{i}/4", "--out", f"s{i}").status, 0)
        merged = self.one("report", "s1", "s2", "s3", "s4")
        self.assertEqual(merged, sorted(whole, key=lambda each: each["key"]))
        self.assertEqual(merged, self.one("report", "whole"))
        answer = self.assay("report", "s4", "s3", "s2", "s1")
        self.assertEqual(answer.status, 0)
        self.assertIn(f"{len(whole)} verdicts: {len(whole)} PASS", answer.stdout)
        origins = {each["key"]: each.get("origin") for each in merged}
        self.assertTrue(all(re.fullmatch(r".*suite/cases/tiny\.cases:\d", each) for each in origins.values()),
                        origins)

if __name__ == "__main__":
    unittest.main()
