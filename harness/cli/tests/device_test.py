# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ci/device`, and timings by a device's clock, on the fake driver: it launches nothing, so that our
kernels are wrong there, and has a cuBLAS that computes. Its clock is no clock: no test looks at how
long anything takes.

The environment gives besides ASSAY_FAKES (the folder of the fake libraries)."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

from support import LINE, PROGRAM, SOURCE, CommandTest

FAKES = os.environ["ASSAY_FAKES"]
SCRIPT = os.path.join(SOURCE, "ci/device")
SLOW = "matmul m=1023 k=1024 n=1024"  # for a cuBLAS of three loops


class Device(CommandTest):

    def settings(self, **variables):
        few = {"DEVICE_SECONDS": "120", "DEVICE_SHARD": "1/1", "DEVICE_ROUNDS": "1",
               "DEVICE_SUITE": self.write("conformance.cases", "matmul m=3 k=5 n=7\n"),
               "DEVICE_TIMINGS": self.write("timings.cases", "matmul m=2 k=3 n=4\n"),
               "DEVICE_BACKENDS": "cublas", "LD_LIBRARY_PATH": FAKES, "CUDA_VISIBLE_DEVICES": "0", "ASSAY": PROGRAM}
        return self.environment(**{**few, **variables})

    def device(self, *arguments, **variables):
        return subprocess.run([SCRIPT, *arguments], cwd=self.folder, text=True, capture_output=True,
                              stdin=subprocess.DEVNULL, env=self.settings(**variables), timeout=300)

    def read(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read()


class Script(Device):

    def test_everything_is_in_one_folder(self):
        done = self.device("--out", "a,b")  # a comma would part the files of --format
        self.assertEqual(done.returncode, 0, done.stderr)
        # What docs/gpu.md lists, and no more.
        there = set(os.listdir(os.path.join(self.folder, "a,b")))
        steps = {"step-first-cublas", "step-run", "step-time-1"}
        files = {"run.jsonl", "assay.db", "report.html", "report.md", "timings.csv", "summary.txt", "doctor.txt"}
        self.assertEqual(files - there, set())
        rest = {name for name in there - files - steps if not name.startswith(("sanitizer-", "step-memcheck", "step-racecheck"))}
        self.assertEqual(rest - {"nvidia-smi.txt"}, set())
        for step in steps:
            self.assertTrue(os.path.getsize(os.path.join(self.folder, "a,b", step, "stdout.txt")) > 0)
            self.assertTrue(os.path.exists(os.path.join(self.folder, "a,b", step, "run.jsonl")))
        records = self.records("a,b")
        self.assertEqual({record["kind"] for record in records}, {"run", "bench"})
        self.assertEqual({record["verdict"] for record in records}, {"PASS"})
        bench, = (record for record in records if record["kind"] == "bench")
        self.assertEqual(bench["clock"], "device")
        summary = self.read("a,b/summary.txt")
        self.assertEqual(done.stdout, summary)
        self.assertIn("timings: 1 of 1 cases", summary)
        self.assertEqual(summary.count("not measured"), 6)  # no figure without a measurement

    def test_a_wrong_answer_is_1(self):
        done = self.device("--out", "out", DEVICE_BACKENDS="cuda,cublas")
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertIn("2 FAIL", self.read("out/summary.txt"))
        verdicts = {record["verdict"] for record in self.records("out")
                    if record["backend"] == "cublas"}
        self.assertEqual(verdicts, {"PASS"})

    def test_what_does_not_end_in_its_time_is_2(self):
        slow = self.write("slow.cases", f"matmul m=2 k=3 n=4\n{SLOW}\n")
        done = self.device("--out", "out", DEVICE_TIMINGS=slow, DEVICE_SECONDS="16")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn("its time was over", done.stdout)
        self.assertIn("timings: 1 of 2 cases", done.stdout)
        self.assertEqual(sum(record["kind"] == "bench" for record in self.records("out")), 1)

    def test_what_was_finished_is_kept_when_it_is_stopped(self):
        slow = self.write("slow.cases", f"{SLOW}\n")
        process = subprocess.Popen([SCRIPT, "--out", "out"], cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.settings(DEVICE_TIMINGS=slow))
        begun = os.path.join(self.folder, "out/step-time-1/stdout.txt")
        for _ in range(1200):
            if os.path.exists(begun):
                break
            time.sleep(0.1)
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 143, stderr)
        self.assertIn("stopped by a signal", stdout)
        self.assertEqual(stdout, self.read("out/summary.txt"))
        self.assertIn("PASS", {record["verdict"] for record in self.records("out")})

    def test_results_of_an_earlier_run_are_gone(self):
        os.makedirs(os.path.join(self.folder, "out/step-old"))
        self.write("out/step-old/run.jsonl", "no record\n")
        self.write("out/mine.txt", "kept")
        done = self.device("--out", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.read("out/mine.txt"), "kept")

    def test_without_a_driver(self):
        done = self.device("--out", "out", LD_LIBRARY_PATH="", FAKE_CUDA_DEVICES="0")
        self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
        self.assertIn("device: error: --backend: 'cublas' is not usable here: ", done.stderr)
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))

    def test_bad_words(self):
        for arguments, variables, said in (
                (["--nonsense"], {}, "'--nonsense' is no option (device --help)"),
                (["--out"], {}, "--out: expected a folder"),
                ([], {"DEVICE_ROUNDS": "few"},
                 "DEVICE_ROUNDS: expected a whole number from 1 to 999999, found 'few'"),
                ([], {"DEVICE_SECONDS": "99999999999999999999"},
                 "DEVICE_SECONDS: expected a whole number from 1 to 999999, found '99999999999999999999'"),
                ([], {"DEVICE_JOBS": "0"}, "DEVICE_JOBS: expected a whole number from 1 to 999999, found '0'"),
                ([], {"DEVICE_SHARD": "3/2"}, "DEVICE_SHARD: --shard: '3/2' is not I/N"),
                ([], {"DEVICE_SHARD": "half"}, "DEVICE_SHARD: --shard: 'half' is not I/N"),
                ([], {"DEVICE_SUITE": "nosuch"}, "DEVICE_SUITE: unknown suite 'nosuch'; known: "),
                ([], {"DEVICE_TIMINGS": self.write("bad.cases", "matmul m=x\n")}, "DEVICE_TIMINGS: "),
                ([], {"DEVICE_BACKENDS": "cuda,cublass"},
                 "DEVICE_BACKENDS: 'cublass' is no backend; known: blas cublas cuda gpu-sim loop\n"),
                ([], {"DEVICE_BACKENDS": ", "},
                 "DEVICE_BACKENDS: expected names of backends joined by commas, found ', '"),
                ([], {"ASSAY": "/nowhere/assay"}, "there is no /nowhere/assay: build it")):
            done = self.device(*arguments, **variables)
            self.assertEqual((done.returncode, done.stdout), (2, ""), variables)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "assay-device")))
            self.assertIn(f"device: error: {said}", done.stderr)
        self.assertIn("usage: device", self.device("--help").stdout)


# Answers as assay does, and reports the timings of $CSV.
STAND_IN = """#!/bin/sh
[ "$1 $2" != 'list backends' ] || echo cublas
[ "$1 $2" != 'list cases' ] || echo 'matmul m=4 k=4 n=4 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain'
[ "$1" != report ] || [ "$3" != --store ] || cp "$CSV" timings.csv
while [ $# -gt 1 ]; do
  [ "$1" != --out ] || { mkdir -p "$2" && echo '{}' >"$2/run.jsonl"; }
  shift
done
"""


class Goals(Device):

    def goals(self, *rows):
        """The lines of the summary, of timings (size, backend, verdict, seconds, rest of the case)."""
        lines = ["kind,key,case,op,backend,data,verdict,margin,run_median"]
        for size, backend, verdict, seconds, rest in rows:
            line = (f"matmul m={size} k={size} n={size} dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain "
                    f"result=plain{rest}")
            lines.append(f"bench,{line} data=real,{line},matmul,{backend},real,{verdict},0.1,{seconds}")
        stand_in = self.write("assay", STAND_IN)
        os.chmod(stand_in, 0o755)
        done = self.device("--out", "out", ASSAY=stand_in,
                           CSV=self.write("made.csv", "\n".join(lines) + "\n"))
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


class Clock(Device):

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
