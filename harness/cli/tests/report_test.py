# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay report: every format as an independent reader sees it, merging, and what it refuses."""

import csv
import html.parser
import json
import os
import random
import re
import shutil
import statistics
import subprocess
import unittest
import xml.etree.ElementTree

from support import PROGRAM, SOURCE, CommandTest

NASTY = "<b>&amp;\"'`|,;:%\n\t\x1b[31mred\x07 ]]> --> </script></style> = \\ é∞😀 \ufffe #x"
SEEN = NASTY.replace("\x1b", "?").replace("\x07", "?").replace("\ufffe", "???")  # U+FFFE has 3 bytes
LONG = NASTY + "x" * 10_000
ENVIRONMENT = {"cpu": "a <cpu>", "llvm": "22.1.8", "blas": NASTY, "blas_core": "Zen", "cuda": None,
               "revision": "0123456", "assay": "0.1.0", "peak_gflops_f32": 100.0,
               "peak_gflops_f64": 50.0, "peak_gbs": 20.0}
VOID = {"meta", "br", "img", "input", "hr", "link"}


def record(line, verdict="PASS", op="matmul", backend="loop", data="int", **fields):
    made = {"schema": 1, "kind": "run", "key": f"{line} data={data} backend={backend}", "case": line,
            "op": op, "backend": backend, "data": data, "verdict": verdict, "checks": ["compare"],
            "reference": "stored", "first_bad": None, "margin": 0.25, "seconds_compile": 0.5,
            "seconds_run": 0.25, "reason": None if verdict == "PASS" else "why", "repro": f"assay '{line}'",
            "counters": {"blas_calls": 0, "compiles": 1, "launches": 0}, "env": ENVIRONMENT,
            "started": "2020-01-02T03:04:05.678Z"}
    return {**made, **fields}


def bench(line, backend, seconds, **fields):
    samples = [seconds * (1 + 0.01 * i) for i in range(9)]
    passes = [{"n": n + 1, "name": f"pass-{n}", "seconds": 0.001 * (n + 1), "ops_before": 5,
               "ops_after": 6, "changed": True, "margin": None, "nan_added": 0, "class": None}
              for n in range(12)]
    return record(line, kind="bench", backend=backend, data="real", op=line.split()[0],
                  samples_run=samples, samples_compile=[0.1, 0.2], threads=1, cold=False,
                  flop=2e9, bytes=1e8, passes=passes, **fields)


def hostile():
    bad = {"n": 3, "name": NASTY, "class": "miscompile", "step": NASTY, "pattern": None,
           "before_excerpt": "before " + NASTY, "after_excerpt": "after " + NASTY}
    return [record("matmul m=1"),
            record(LONG, "FAIL", op=NASTY, backend=NASTY, reason=LONG, repro=LONG, first_bad=bad,
                   origin="suite/cases/a%b,c:d.cases:12"),
            record("=1+1", "CRASH", reason="@SUM(A1)"),
            record("linear m=2", "WARN", op="linear", reason=NASTY),
            record("linear m=3", "XFAIL", op="linear"),
            record("linear m=4", "SKIP", op="linear", started=NASTY, margin=None)]


class Page(html.parser.HTMLParser):
    """The tree of a page as nested lists: [tag, attributes, children]."""

    def __init__(self, text):
        super().__init__()
        self.top = ["", {}, []]
        self.open = [self.top]
        self.feed(text)
        self.close()
        assert len(self.open) == 1, f"not closed: {[each[0] for each in self.open]}"

    def handle_starttag(self, tag, attrs):
        node = [tag, dict(attrs), []]
        self.open[-1][2].append(node)
        if tag not in VOID:
            self.open.append(node)

    def handle_endtag(self, tag):
        assert self.open[-1][0] == tag, f"</{tag}> closes <{self.open[-1][0]}>"
        self.open.pop()

    def handle_data(self, data):
        self.open[-1][2].append(data)

    def all(self, tag=None, node=None, **wanted):
        for child in (node or self.top)[2]:
            if isinstance(child, list):
                if tag in (None, child[0]) and all(child[1].get(name.rstrip("_")) == value
                                                   for name, value in wanted.items()):
                    yield child
                yield from self.all(tag, child, **wanted)

    def one(self, tag, node=None, **wanted):
        found, = self.all(tag, node, **wanted)
        return found


def text(node):
    return "".join(child if isinstance(child, str) else text(child) for child in node[2])


def rows(page, node):
    return [[text(cell) for cell in row[2]] for row in page.all("tr", node)]


class Formats(CommandTest):
    needs_store = False

    def write_records(self, records, name="run.jsonl"):
        return self.write(name, "".join(json.dumps(each) + "\n" for each in records))

    def report(self, records, name, status=1, stderr=""):
        self.write_records(records)
        answer = self.assay("report", "run.jsonl", "--format", f"{name}=out")
        self.assert_answer(answer, status, stderr=stderr)
        with open(os.path.join(self.folder, "out"), "rb") as file:
            return file.read().decode()

    def page(self, records, **answer):
        return Page(self.report(records, "html", **answer))

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

    def test_html_shows_what_there_is(self):
        page = self.page(hostile())
        self.assertIn("2 of 6 verdicts are bad: 1 FAIL, 1 CRASH.", text(page.one("p", class_="verdict bad")))
        matrix = rows(page, page.one("table", class_="matrix"))
        self.assertEqual(matrix[0], ["operation", SEEN, "loop"])
        cells = {row[0]: row[1:] for row in matrix[1:]}
        self.assertEqual(cells["linear"], ["–", "✓ 1margin 0.250, 1 known gap, 1 skipped"])
        self.assertEqual(cells[SEEN], ["✗ 1 of 1 badmargin 0.250", "–"])
        failures = list(page.all("details", class_="case bad"))
        self.assertEqual(len(failures), 2)
        bad = next(each for each in failures if text(each).startswith("✗ FAIL"))
        self.assertTrue(text(page.one("code", bad)).startswith(SEEN.replace("\n", " ").replace("\t", " ")))
        self.assertLessEqual(len(text(page.one("code", bad))), 300)
        self.assertEqual(text(page.one("pre", bad, class_="whole")),
                         f"{SEEN}{'x' * 10_000} data=int backend={SEEN}")
        self.assertTrue(text(page.one("pre", bad, class_="said")).startswith(SEEN))
        self.assertEqual(text(page.one("pre", bad, class_="repro")), SEEN + "x" * 10_000)
        self.assertIn(f"First bad pass: 3 {SEEN} (miscompile), step {SEEN}", text(bad))
        modules = [text(each) for each in page.all("pre", bad) if "class" not in each[1]]
        self.assertEqual(modules, ["before " + SEEN, "after " + SEEN])
        remarks = rows(page, page.one("section", id="remarks"))
        self.assertEqual(sorted(row[0] for row in remarks[1:]), ["SKIP", "WARN", "XFAIL"])

    def test_html_stands_alone(self):
        records = hostile() + [bench(f"gpt2_block t={t}", backend, 0.01 * t) for t in (64, 256)
                               for backend in ("loop", "blas", NASTY)]
        page = self.page(records)
        identities = [node[1]["id"] for node in page.all() if "id" in node[1]]
        self.assertEqual(len(identities), len(set(identities)))
        for node in page.all():
            self.assertNotIn(node[0], ("script", "link", "img", "iframe", "object"))
            for name, value in node[1].items():
                self.assertFalse(name.startswith("on"), name)
                if name in ("href", "xlink:href", "src"):
                    self.assertTrue(value.startswith("#") and value[1:] in identities, value)
        style = text(page.one("style"))
        self.assertNotIn("url(", style)
        self.assertIn("prefers-color-scheme:dark", style)
        drawings = list(page.all("svg"))
        self.assertEqual(len(drawings), 4)  # bars, roofline, margins, passes
        for drawing in drawings:
            self.assertEqual(drawing[1]["role"], "img")
            named = drawing[1]["aria-labelledby"].split()
            self.assertEqual([node[1]["id"] for node in drawing[2][:2]], named)
            self.assertTrue(all(map(text, drawing[2][:2])))
            self.assertIsNone(re.search(r"\bL\d+\b", text(drawing)))  # every label found its text
        self.assertIn("gpt2_block t=256", text(drawings[0]))
        self.assertIn("666 ms", text(drawings[0]))  # the median of t=64's samples

    def test_html_has_the_numbers_of_its_plots(self):
        page = self.page([bench("gpt2_block t=64", "loop", 0.01), bench("gpt2_block t=64", "blas", 0.02)],
                         status=0)
        table = rows(page, page.one("section", id="timings"))
        self.assertEqual(table[0][:5], ["case", "backend", "median", "quartiles", "GFLOP/s"])
        cells = {row[1]: row for row in table[1:]}
        self.assertEqual(cells["loop"][2:7], ["10.4 ms", "10.2 ms – 10.6 ms", "192", "192 %", "9.62"])
        points = rows(page, page.one("section", id="roofline"))
        self.assertEqual(sorted(points[1:]), [["gpt2_block t=64", "blas", "20.0", "96.2"],
                                              ["gpt2_block t=64", "loop", "20.0", "192"]])
        passes = [rows(page, each) for each in page.all("details", page.one("section", id="passes"))]
        self.assertEqual([len(each) for each in passes], [13, 13])
        self.assertEqual(passes[0][1], ["1", "pass-0", "1.00 ms", "5", "6", "yes", "-", ""])

    def test_html_holds_each_against_what_timed_it(self):
        gpu = {**ENVIRONMENT, "cuda": "A <GPU>, CUDA 13.0"}
        measured = {**gpu, "peak_gflops_f32": 60000.0, "peak_gflops_f64": 30000.0, "peak_gbs": 4000.0}
        line = "matmul m=64 dtype=f32 precision=tf32"
        page = self.page([bench("matmul m=64", "loop", 0.01, env=gpu),
                          bench("matmul m=64", "cuda", 0.0001, env=measured, clock="device"),
                          bench(line, "cublas", 0.00005, env=measured, clock="device")], status=0)
        section = page.one("section", id="roofline")
        drawings = list(page.all("svg", section))
        self.assertEqual(len(drawings), 2)
        here, device = (text(figure) for figure in page.all("figure", section))
        self.assertIn("f32 100 GFLOP/s", here)
        self.assertNotIn("cuda", here)
        self.assertIn("on the device (A <GPU>, CUDA 13.0)", device)
        self.assertIn("Lines: memory 4000 GB/s, then f32 60000 GFLOP/s, dashed f64 30000 GFLOP/s", device)
        self.assertIn("tensor cores", device)
        self.assertNotIn("loop", device)
        self.assertEqual(len(rows(page, section)), 4)  # the head and the points of both
        cells = {row[1]: row for row in rows(page, page.one("section", id="timings"))[1:]}
        self.assertEqual([cells[each][5] for each in ("loop", "cuda", "cublas")], ["192 %", "32 %", "-"])
        machines = rows(page, page.one("section", id="environment"))
        self.assertCountEqual([(row[0], *row[6:]) for row in machines[1:]],
                              [("a <cpu>", "100", "20.0"), ("A <GPU>, CUDA 13.0", "60000", "4000")])

    def test_html_without_gnuplot_says_so(self):
        os.mkdir(os.path.join(self.folder, "empty"))
        self.write_records([bench("gpt2_block t=64", "loop", 0.01)])
        for content, why in ((None, "gnuplot is not installed"), ("exit 3", "gnuplot failed"),
                             ("echo '<?xml?><svg>'", "gnuplot drew something else")):
            if content is not None:
                path = self.write("empty/gnuplot", f"#!/bin/sh\n{content}\n")
                os.chmod(path, 0o755)
            answer = self.assay("report", "run.jsonl", "--format", "html=out", PATH=f"{self.folder}/empty")
            self.assert_answer(answer, 0, stderr=f"assay: note: the HTML report has no plots: {why}\n")
            with open(os.path.join(self.folder, "out")) as file:
                page = Page(file.read())
            self.assertEqual(len(list(page.all("svg"))), 0)
            self.assertIn(why, text(page.top))
            self.assertIn("10.4 ms", text(page.one("section", id="timings")))

    def test_html_is_small_and_cuts_nothing_silently(self):
        long = {"n": 1, "name": "p", "class": "miscompile", "step": None, "pattern": None,
                "before_excerpt": "y" * 4000, "after_excerpt": "z" * 4000}
        records = [record(f"matmul m={i} " + "<" * 900, random.Random(i).choice(["FAIL", "SKIP", "PASS"]),
                          first_bad=long, op=f"op{i % 300}", backend=f"b{i % 7}") for i in range(3000)]
        found = self.report(records, "html")
        self.assertLess(len(found.encode()), 2_000_000)
        page = Page(found)
        failures = page.one("section", id="failures")
        shown = len(list(page.all("details", failures, class_="case bad")))
        shown += sum(len(rows(page, table)) - 1 for table in page.all("table", failures))
        left = int(re.search(r"and (\d+) more failures", text(failures)).group(1))
        self.assertEqual(shown + left, sum(each["verdict"] == "FAIL" for each in records))

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
