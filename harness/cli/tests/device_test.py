# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Timings by a device's clock, on the fake driver. Its clock is no clock: no test looks at how long
anything takes."""

import json
import os
import re
import unittest

from support import FAKES, LINE, PROGRAM, CommandTest


class Clock(CommandTest):

    def bench(self, *arguments, case=LINE, **variables):
        return self.assay("bench", "--case", case, "--repetitions", "3", "--min-time", "0.001",
                          *arguments, LD_LIBRARY_PATH=FAKES, CUDA_VISIBLE_DEVICES="0", **variables)

    def test_a_device_is_timed_by_its_own_clock(self):
        answer = self.bench("--backend", "cublas,loop", "--format", "md=out.md,gbench=out.json,html=out.html")
        self.assertEqual(answer.status, 0, answer.stderr)
        records = {record["backend"]: record for record in self.records()}
        device, host = records["cublas"], records["loop"]
        self.assertEqual((device["clock"], host.get("clock")), ("device", None))
        self.assertEqual(len(device["samples_run"]), 3)
        # Half a millisecond passes on the fake with each thing that is done.
        self.assertEqual(device["seconds_upload"] % 5e-4, 0)
        self.assertGreater(device["seconds_upload"], device["seconds_download"])
        self.assertGreater(device["seconds_download"], 0)
        self.assertNotIn("seconds_upload", host)
        # What this processor reaches is no roof of a device.
        self.assertNotEqual(device["env"]["peak_gflops_f32"], host["env"]["peak_gflops_f32"])
        # Whatever shows a time says whose it is.
        self.assertEqual(re.findall(r"(?m)^  (\w+) .* (\w+)$", answer.raw),
                         [("backend", "clock"), ("cublas", "device"), ("loop", "wall")])
        self.assertLessEqual(max(map(len, answer.raw.splitlines())), 100)
        self.assertRegex(self.read("out.md"), r"`cublas` \| \S+ \S+ \(device\) \|")
        self.assertRegex(self.read("out.md"), r"`loop` \| \S+ \S+ \|")
        self.assertIn("(device): by the device's own clock", self.read("out.md"))
        self.assertRegex(self.read("out.html"), r">\S+ \S+ \(device\)<")
        labels = {entry.get("label") for entry in json.loads(self.read("out.json"))["benchmarks"]}
        self.assertEqual(labels, {"device clock", None})

    def test_each_has_the_roof_of_what_timed_it(self):
        answer = self.bench("--backend", "cublas,loop", FAKE_CUDA_MEMORY="1700000000")
        self.assertEqual(answer.status, 0, answer.stderr)
        records = {record["backend"]: record for record in self.records()}
        for peak in ("peak_gflops_f32", "peak_gflops_f64", "peak_gbs"):
            # The fake's clock makes them such as no GPU has.
            self.assertGreater(records["loop"]["env"][peak], 0)
            self.assertGreater(records["cublas"]["env"][peak], records["loop"]["env"][peak])
        self.assertRegex(answer.stdout,
                         r"(?m)^Fake GPU 0: \S+ GFLOP/s f32, \S+ f64, \S+ GB/s of memory$")
        row, = (line for line in answer.raw.splitlines() if line.startswith("  cublas"))
        self.assertEqual(row.split()[7:9], ["0", "%"])
        self.assertEqual(self.assay("report", "--format", "html=page.html").status, 0)
        page = self.read("page.html")
        self.assertIn("How near each case on the device", page)
        self.assertIn("Fake GPU 0", page)

    def test_too_little_memory_is_no_roof(self):
        answer = self.bench("--backend", "cublas", FAKE_CUDA_MEMORY="1000000000")
        self.assertIn(", - GB/s of memory", answer.stdout)
        record, = self.records()
        self.assertGreater(record["env"]["peak_gflops_f32"], 0)
        self.assertNotIn("peak_gbs", record["env"])

    def test_tensor_cores_have_no_roof(self):
        answer = self.bench("--backend", "cublas", case="matmul m=16 k=16 n=16 precision=tf32")
        self.assertEqual(answer.status, 0, answer.stderr)
        row, = (line for line in answer.raw.splitlines() if line.startswith("  cublas"))
        self.assertEqual(row.split()[7], "-")

    def test_a_device_that_cannot_be_measured_is_told(self):
        for fault, said in (("719", "cuLaunchKernel: CUDA_ERROR_LAUNCH_FAILED"), ("crash", "SIG")):
            answer = self.bench("--backend", "cublas", FAKE_CUDA_FAIL=f"cuLaunchKernel:1:{fault}")
            self.assertEqual(answer.status, 0, answer.stderr)
            self.assertIn("what the device of 'cublas' reaches was not measured: ", answer.stderr)
            self.assertIn(said, answer.stderr)
            record, = self.records()
            self.assertNotIn("peak_gflops_f32", record["env"])

    def test_no_device_has_cold_caches(self):
        answer = self.bench("--backend", "cublas", "--cold")
        self.assertIn("SKIP: a device's caches cannot be emptied", answer.stdout)

    def test_two_builds(self):
        answer = self.bench("--backend", "cublas", "--against", PROGRAM, "--format", "json=rows.json")
        self.assertEqual(answer.status, 0, answer.stderr)
        with open(os.path.join(self.folder, "rows.json")) as file:
            rows = json.load(file)["rows"]
        run, = (row for row in rows if row["metric"] == "run")
        self.assertGreater(run["base"], 0)
        new, = self.records()
        self.assertGreater(new["env"]["peak_gflops_f32"], 0)

if __name__ == "__main__":
    unittest.main()
