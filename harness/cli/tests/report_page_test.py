# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay report: the page of `html` as a reader of HTML sees it."""

import os
import random
import re
import unittest

from reporting import ENVIRONMENT, NASTY, SEEN, Page, Report, bench, hostile, record, rows, text


class Html(Report):

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
        self.assertCountEqual([(row[0], *row[8:]) for row in machines[1:]],
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

if __name__ == "__main__":
    unittest.main()
