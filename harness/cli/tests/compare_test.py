# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay compare: the table, JSON, exit codes, and what is no question."""

import json
import os
import unittest

from support import CommandTest

PASSES = ("canonicalize", "cse", "one-shot-bufferize", "lower-affine")


def key(m, backend="blas"):
    return f"matmul m={m} k=5 n=7 dtype=f32 data=real backend={backend}"


def record(m, kind="run", backend="blas", **fields):
    made = {"schema": 1, "kind": kind, "key": key(m, backend), "case": f"matmul m={m} k=5 n=7 dtype=f32",
            "op": "matmul", "backend": backend, "data": "real", "verdict": "PASS", "margin": 0.2,
            "counters": {"blas_calls": 1, "compiles": 1, "launches": 0, "object_bytes": 1000},
            "env": {"cpu": "CPU", "llvm": "22.1.8", "blas": "b", "blas_core": "Zen"}}
    if kind == "bench":
        made.update(samples_run=samples(1), samples_compile=[], threads=1, cold=False)
    made.update(fields)
    return made


def samples(factor, phase=0):
    """Twenty times of about factor ms, within 1 %."""
    return [factor * 1e-3 * (1 + 0.001 * ((i * 7 + phase * 3) % 11) + 1e-6 * i) for i in range(20)]


def passes(names, **changes):
    return [{"n": i + 1, "name": name, "seconds": 0.001, "ops_before": 20, "ops_after": 20,
             "changed": False, "margin": None, "nan_added": 0, "class": None, **changes.get(name, {})}
            for i, name in enumerate(names)]


class Compare(CommandTest):
    needs_store = False

    def save(self, name, records):
        self.write(name, "".join(json.dumps(each) + "\n" for each in records))

    def compare(self, base, new, *options):
        self.save("base.jsonl", base)
        self.save("new.jsonl", new)
        return self.assay("compare", "base.jsonl", "new.jsonl", *options)

    def rows(self, base, new, *options):
        """The JSON answer's rows that are not SAME, as (key, metric) -> row, and all of it."""
        answer = self.compare(base, new, "--format", "json=-", *options)
        self.assertEqual(answer.stderr, "")
        found = json.loads(answer.raw)
        return {(row["key"], row["metric"]): row for row in found["rows"]
                if row["verdict"] != "SAME"}, found

    def test_nothing_changed(self):
        both = [record(m, kind) for m in (1, 2) for kind in ("run", "bench")]
        answer = self.compare(both, both, "--gate")
        self.assert_answer(answer, 0, "2 unpaired timings, of which any is called SLOWER or FASTER by "
                           "chance with at most 0.1 %\n4 cases: 26 SAME; the gate passes\n")

    def test_every_kind_of_change(self):
        base = [record(m, kind) for m in range(1, 9) for kind in ("run", "bench")]
        new = [record(m, kind) for m in range(2, 10) for kind in ("run", "bench")]
        by_key = {(each["key"], each["kind"]): each for each in new}
        by_key[key(2), "run"].update(verdict="FAIL", reason="[0, 1]: got 1, want 2",
                                     first_bad={"n": 3, "name": "cse", "class": "miscompile"})
        by_key[key(3), "run"].update(margin=0.45)
        by_key[key(4), "run"]["counters"]["object_bytes"] = 1001
        by_key[key(5), "bench"].update(samples_run=samples(1.2, 1))
        by_key[key(6), "bench"].update(samples_run=samples(0.8, 1))
        by_key[key(7), "bench"].update(samples_run=samples(1.2, 1), env={"cpu": "Another"})
        rows, found = self.rows(base, new)
        self.assertEqual({where: (row["verdict"], row["worse"], row["gate"])
                          for where, row in rows.items()},
                         {(key(1), "verdict"): ("VANISHED", True, True),
                          (key(2), "verdict"): ("CHANGED", True, True),
                          (key(3), "margin"): ("CHANGED", True, False),
                          (key(4), "object_bytes"): ("CHANGED", True, True),
                          (key(5), "run"): ("SLOWER", True, True),
                          (key(6), "run"): ("FASTER", False, False),
                          (key(7), "run"): ("UNSURE", False, False),
                          (key(9), "verdict"): ("NEW", False, False)})
        slower = rows[key(5), "run"]
        self.assertLess(slower["low"], slower["ratio"])
        self.assertLess(slower["ratio"], slower["high"])
        self.assertAlmostEqual(slower["ratio"], slower["new"] / slower["base"])
        self.assertAlmostEqual(slower["ratio"], 1.2, delta=0.005)
        self.assertEqual(slower["kind"], "bench")
        self.assertIn("another CPU: CPU, then Another", rows[key(7), "run"]["reason"])
        self.assertEqual(rows[key(2), "verdict"]["base"], "PASS")
        self.assertEqual(rows[key(2), "verdict"]["new"], "FAIL")
        self.assertIn("first bad pass 3 cse (miscompile)", rows[key(2), "verdict"]["reason"])
        self.assertEqual(rows[key(1), "verdict"]["new"], None)
        self.assertEqual(found["summary"]["gate"], "fail")
        self.assertLessEqual(found["false_alarm_rate"], 0.01)
        self.assertGreater(found["false_alarm_rate"], 0)

    def test_exit_codes(self):
        base, new = [record(1), record(2)], [record(1)]
        self.assertEqual(self.compare(base, new).status, 0)
        self.assertEqual(self.compare(base, new, "--gate").status, 1)
        self.assertEqual(self.compare(new, base, "--gate").status, 0)
        self.write("ours.thresholds", "[matmul m=2]\nvanished.gate = no\n")
        answer = self.compare(base, new, "--gate", "--thresholds", "ours.thresholds")
        self.assertEqual(answer.status, 0)
        self.assertIn("VANISHED", answer.stdout)
        self.assertTrue(answer.stdout.endswith("the gate passes\n"))

    def test_a_kind_that_vanished(self):
        base = [record(m, kind) for m in (1, 2, 3) for kind in ("run", "bench")]
        new = [record(m) for m in (1, 2, 3)]
        answer = self.compare(base, new, "--gate")
        self.assert_answer(answer, 1, "3 records of kind bench vanished: NEW has none\n"
                           "3 cases: 3 VANISHED, 18 SAME; the gate fails on 3 rows\n")
        answer = self.assay("compare", "new.jsonl", "base.jsonl", "--gate")
        self.assert_answer(answer, 0, "3 records of kind bench are new: BASE has none\n"
                           "3 cases: 3 NEW, 18 SAME; the gate passes\n")
        self.write("ours", "vanished.kind.gate = no\n")
        self.assertEqual(self.compare(base, new, "--gate", "--thresholds=ours").status, 0)
        rows, found = self.rows(base, new)
        self.assertEqual({row["verdict"] for row in rows.values()}, {"VANISHED"})
        self.assertEqual(found["summary"]["lone_kinds"], {"bench": {"base": 3, "new": 0}})
        # The report says it in one row, too.
        answer = self.assay("report", "new.jsonl", "--baseline", "base.jsonl", "--gate", "--quiet",
                            "--format", "json=report.json,md=report.md")
        self.assertEqual(answer.status, 1)
        with open(os.path.join(self.folder, "report.md")) as file:
            self.assertEqual(file.read().count("3 records of kind bench vanished: NEW has none"), 1)

    def test_what_a_case_lost(self):
        base = [record(1, "bench")]
        lost = record(1, "bench", samples_run=[])
        del lost["counters"]["object_bytes"]
        rows, found = self.rows(base, [lost])
        self.assertEqual({where[1]: (row["verdict"], row["new"], row["worse"], row["gate"])
                          for where, row in rows.items()},
                         {"run": ("VANISHED", None, True, True),
                          "object_bytes": ("CHANGED", None, True, True)})
        self.assertEqual(found["summary"]["gate_rows"], 2)
        text = self.compare(base, [lost]).stdout
        self.assertIn("VANISHED  run ", text)
        self.assertIn("it is not counted any more", text)
        del lost["samples_run"]
        self.assertEqual(self.compare(base, [lost], "--gate").status, 1)
        # Those that every assay counts, too; from a store as well.
        del lost["counters"]["blas_calls"]
        rows, _ = self.rows(base, [lost])
        self.assertEqual((rows[key(1), "blas_calls"]["new"], rows[key(1), "blas_calls"]["gate"]), (None, True))
        for name in ("base", "new"):
            self.assertEqual(self.assay("report", f"{name}.jsonl", "--store", f"{name}.db", "--quiet").status, 0)
        found = json.loads(self.assay("compare", "base.db", "new.db", "--format=json=-").raw)
        self.assertEqual({row["metric"]: row["new"] for row in found["rows"] if row["verdict"] != "SAME"},
                         {"run": None, "blas_calls": None, "object_bytes": None})

    def test_thresholds_that_match_nothing_are_noted(self):
        both = [record(1), record(2)]
        self.write("ours", "counter.object_byte.gate = no\ncounter.object_bytes.gate = no\n"
                           "[matmull]\nrun.gate = no\ncounter.x.gate = no\n"
                           "[matmul m=2]\ncounter.blas_calls.gate = no\ncounter.y.gate = no\n[*]\n")
        answer = self.compare(both, both, "--thresholds=ours", "--quiet")
        self.assertEqual(answer.status, 0)
        self.assertEqual(answer.stderr, (
            "assay: note: ours:1: no case of this comparison has a counter 'object_byte'\n"
            "assay: note: ours:3: [matmull] matches no case of this comparison\n"
            "assay: note: ours:8: no case [matmul m=2] of this comparison has a counter 'y'\n"))

    def test_findings_come_first(self):
        base = [record(m) for m in range(1, 40)]
        new = [record(m) for m in range(2, 80)]
        lines = self.compare(base, new).stdout.splitlines()
        self.assertEqual(lines[0], f"VANISHED  {key(1)}  (run)")
        self.assertEqual(sum("NEW  " in line for line in lines), 20)
        self.assertIn("  ... and 20 more rows that are NEW (--verbose, --format json=FILE)", lines)
        self.assertTrue(all(len(line) <= 100 for line in lines))
        verbose = self.compare(base, new, "--verbose").stdout
        self.assertEqual(verbose.count("NEW  "), 40)
        self.assertIn("SAME", verbose.splitlines()[-3])

    def test_color_of_verdicts(self):
        base, new = [record(1), record(2)], [record(1)]
        self.assertIn("\033[31mVANISHED\033[0m", self.compare(base, new, "--color", "always").raw)
        self.assertNotIn("\033", self.compare(base, new).raw)

    def test_folders(self):
        for name in ("a", "b"):
            os.mkdir(os.path.join(self.folder, name))
            self.save(f"{name}/run.jsonl", [record(1)])
        answer = self.assay("compare", "a", "b")
        self.assert_answer(answer, 0, "1 case: 6 SAME; the gate passes\n")
        self.assert_answer(self.assay("compare", "a", "c"), 2,
                           stderr="assay: error: 'c' is no file or folder of records, and there is no "
                                  "store 'assay-out/assay.db' in which it could be a tag or a revision\n")

    def test_passes(self):
        inserted = [*PASSES[:2], "sink", *PASSES[2:]]
        base = [record(m, "ledger", passes=passes(PASSES)) for m in range(1, 6)]
        new = [record(m, "ledger", passes=passes(inserted)) for m in range(1, 6)]
        new[4]["passes"] = passes(inserted, cse={"changed": True, "ops_after": 10, "margin": "inf",
                                                 "class": "miscompile"})
        new[4]["first_bad"] = {"n": 2, "name": "cse", "class": "miscompile"}
        text = self.compare(base, new, "--passes").stdout
        self.assertIn("blas, ledger, changed in 4 cases", text)
        self.assertIn("blas, ledger, changed in 1 case: " + key(5), text)
        self.assertEqual(text.count("+ sink"), 2)
        self.assertIn("fault: none, miscompile", text)
        self.assertIn("first bad pass: none, 2 cse (miscompile)", text)
        self.assertTrue(all(len(line) <= 100 for line in text.splitlines()))
        _, found = self.rows(base, new, "--passes")
        self.assertEqual([[row["mark"] for row in each["passes"]] for each in found["passes"]],
                         [["kept", "kept", "added", "kept", "kept"]] * 5)
        self.assertEqual(found["passes"][4]["passes"][1]["differs"], ["ops", "changed", "class"])
        self.assertEqual(found["passes"][4]["passes"][1]["new"]["margin"], "inf")
        self.assertEqual(found["passes"][4]["first_bad"]["new"]["name"], "cse")
        self.assertIn("passes: no case has any on both sides",
                      self.compare([record(1)], [record(1)], "--passes").stdout)

    def test_json_takes_the_place_of_a_file_whole(self):
        self.write("answer.json", "old")
        self.assertEqual(self.compare([record(1)], [record(1)], "--format=json=answer.json").status, 0)
        with open(os.path.join(self.folder, "answer.json")) as file:
            self.assertEqual(json.load(file)["summary"]["cases"], 1)
        self.assertEqual(self.compare([record(1)], [record(2)], "--format=json=new.json").status, 2)
        self.assertEqual(sorted(os.listdir(self.folder)), ["answer.json", "base.jsonl", "new.jsonl"])

    def assert_rejected(self, arguments, message):
        self.assert_answer(self.assay("compare", *arguments), 2, stderr=f"assay: {message}\n")

    def test_what_is_no_question(self):
        self.save("a.jsonl", [record(1)])
        self.save("b.jsonl", [record(2)])
        self.assert_rejected(["a.jsonl"], "error: compare takes two arguments, BASE and NEW, found 1")
        self.assert_rejected(["a.jsonl", "b.jsonl"],
                             "error: no case is in both: none of BASE's records (run 1) has the kind and "
                             "key of one of NEW's (run 1)")
        self.save("c.jsonl", [record(1, "bench"), record(2, "bench")])
        self.assert_rejected(["a.jsonl", "c.jsonl"],
                             "error: no case is in both: none of BASE's records (run 1) has the kind and "
                             "key of one of NEW's (bench 2)")
        self.write("none.jsonl", "")
        self.assert_rejected(["a.jsonl", "none.jsonl"],
                             "none.jsonl: error: expected records, found none")
        both = ["a.jsonl", "a.jsonl"]
        self.assert_rejected([*both, "--format", "md=x"],
                             "error: --format: a comparison is written as json=FILE only, found 'md=x'")
        self.assert_rejected([*both, "--format", "json=a.jsonl"],
                             "a.jsonl: error: --format: this file is a source of records")
        self.assert_rejected([*both, "--format", "json=no/x.json"],
                             "no/x.json: error: cannot write: No such file or directory")
        self.assert_rejected([*both, "--thresholds", "no"],
                             "no: error: cannot open: No such file or directory")
        self.write("bad", "\nrum.gate = no\n")
        self.assert_rejected([*both, "--thresholds", "bad"],
                             "bad:2: error: unknown setting 'rum.gate'; did you mean 'run.gate'?")

    def test_answers_take_the_place_of_nothing_that_is_read(self):
        def path(name):
            return os.path.join(self.folder, name)

        def read(name):
            with open(path(name), "rb") as file:
                return file.read()

        self.save("a.jsonl", [record(1)])
        os.mkdir(path("b"))
        self.save("b/run.jsonl", [record(1)])
        self.write("ours", "")
        self.write("mine.cases", "matmul m=1 k=2 n=3\n")
        os.mkdir(path("d"))
        for store in ("s.db", "d/x.db"):
            self.assertEqual(self.assay("report", "a.jsonl", "--store", store, "--tag", "t").status, 0)
        os.link(path("s.db"), path("hard.json"))
        os.symlink("a.jsonl", path("soft.json"))
        os.symlink("s.db-wal", path("dangling.json"))
        before = {name: read(name)
                  for name in ("a.jsonl", "b/run.jsonl", "ours", "mine.cases", "s.db", "d/x.db")}
        files = sorted(os.listdir(self.folder)), sorted(os.listdir(path("d")))
        for command, given, what in (
                ("report s.db@latest", "s.db", "a source of records"),
                ("report s.db@t", "hard.json", "a source of records"),
                ("compare s.db@t a.jsonl", "./d/../s.db", "a source of records"),
                ("compare s.db a.jsonl", "dangling.json", "a part of the store"),
                ("compare s.db@t a.jsonl", "s.db-journal", "a part of the store"),
                ("compare a.jsonl s.db", "soft.json", "a source of records"),
                ("compare t a.jsonl --store d/x.db", "d/x.db", "the store"),
                ("compare t a.jsonl --store d/x.db", "d/x.db-wal", "a part of the store"),
                ("report a.jsonl --store d/x.db", "d/x.db-shm", "a part of the store"),
                ("report a.jsonl --baseline b", "b/run.jsonl", "the baseline"),
                ("report a.jsonl --baseline s.db@t", "s.db", "the baseline"),
                ("report a.jsonl --store no/../new.db", "no/../new.db", "the store"),
                ("compare b a.jsonl", "b/run.jsonl", "a source of records"),
                ("compare a.jsonl b --thresholds ours", "ours", "the thresholds"),
                ("bench --suite ./mine.cases", "mine.cases", "a suite"),
                ("run --suite ./mine.cases", "mine.cases", "a suite"),
                ("run --suite ./mine.cases --out b", "b/run.jsonl", "the run's own"),
                ("run --suite ./mine.cases --store d/x.db", "d/x.db-wal", "a part of the store"),
                ("bench --suite ./mine.cases --against ours", "ours", "the other build"),
                ("bench --suite ./mine.cases --against ours --out b", "b/base.jsonl", "the run's own")):
            answer = self.assay(*command.split(), "--format", f"json={given}", "--color", "never")
            self.assert_answer(answer, 2, stderr=f"assay: {given}: error: --format: this file is {what}\n")
            self.assertEqual((sorted(os.listdir(self.folder)), sorted(os.listdir(path("d")))), files, command)
        os.rename(path("mine.cases"), path("b/summary.txt"))
        answer = self.assay("run", "--suite", "b/summary.txt", "--out", "b")
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertIn("b/summary.txt: error: --out: this file is a suite", answer.stderr)
        os.rename(path("b/summary.txt"), path("mine.cases"))
        for name, bytes_before in before.items():
            self.assertEqual(read(name), bytes_before, name)
        # A device holds nothing, and what is somebody else's may be replaced.
        self.assertEqual(self.assay("compare", "a.jsonl", "b", "--format", "json=/dev/null").status, 0)
        self.assertEqual(self.assay("compare", "a.jsonl", "b", "--format", "json=mine.cases").status, 0)

    def test_values_that_are_none(self):
        self.save("a.jsonl", [record(1)])
        for fields, message in (
                ({"counters": {"heap": "7"}}, 'counter "heap": expected a whole number, found "7"'),
                ({"counters": {"heap": 1.5}}, 'counter "heap": expected a whole number, found 1.5'),
                ({"counters": {"blas_calls": 1.5}},
                 'counter "blas_calls": expected a whole number, found 1.5'),
                ({"counters": [1]}, "counters: expected an object, found [1]"),
                ({"margin": -0.5}, 'margin: expected null, "inf" or a number from 0, found -0.5'),
                ({"margin": "-inf"}, 'margin: expected null, "inf" or a number from 0, found "-inf"'),
                ({"margin": "much"}, 'margin: expected null, "inf" or a number from 0, found "much"')):
            self.save("b.jsonl", [record(1), record(1, **fields)])
            self.assert_rejected(["a.jsonl", "b.jsonl"], f"b.jsonl:2: error: {message}")

    def test_foreign_and_truncated_lines(self):
        self.save("a.jsonl", [record(1)])
        line = json.dumps(record(1))
        for text, where, what in ((f"{line}\nhello\n", 2, "not a JSON record: "),
                                  (f"{line}\n{line[:-9]}", 2, "the last line is cut off, as by a run that "
                                   "was killed: not a JSON record: "),
                                  (line.replace('"schema": 1', '"schema": 2') + "\n", 1,
                                   "expected a record of schema 1")):
            self.write("b.jsonl", text)
            for pair in (("a.jsonl", "b.jsonl"), ("b.jsonl", "a.jsonl")):
                answer = self.assay("compare", *pair)
                self.assertEqual((answer.status, answer.stdout), (2, ""))
                self.assertIn(f"assay: b.jsonl:{where}: error: {what}", answer.stderr)
        self.write("b.jsonl", line)  # whole, but for the end of the line
        self.assertEqual(self.assay("compare", "a.jsonl", "b.jsonl").status, 0)


if __name__ == "__main__":
    unittest.main()
