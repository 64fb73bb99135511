# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`ci/device` on the fake driver: it launches nothing, so that our kernels are wrong there, and has a
cuBLAS that computes. Its clock is no clock: no test looks at how long anything takes."""

import fcntl
import os
import re
import signal
import subprocess
import time
import unittest

from ci_devices import SCRIPT, Device

SLOW = "matmul m=1023 k=1024 n=1024"  # for a cuBLAS of three loops

# Answers as assay does; $RECORDS: a step's.
STAND_IN = """#!/bin/sh
[ "$1 $2" != 'list backends' ] || printf 'cublas\\ncuda\\n'
[ "$1 $2" != 'list cases' ] || echo 'matmul m=4 k=4 n=4 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain'
verb=$1
while [ $# -gt 1 ]; do
  [ "$1" != --out ] || { mkdir -p "$2" && printf '%s\\n' "$RECORDS" >"$2/run.jsonl"; }
  shift
done
"""


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
        self.assertIn("timings: 1 of 1 cases, 0 in part, 0 not at all (", summary)
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
        self.assertRegex(done.stdout, r"its time \(\d s\) was over; what was finished is kept")
        self.assertIn("timings: 1 of 2 cases, 0 in part, 1 not at all (", done.stdout)
        self.assertEqual(sum(record["kind"] == "bench" for record in self.records("out")), 1)

    def test_what_was_finished_is_kept_when_it_is_stopped(self):
        slow = self.write("slow.cases", f"{SLOW}\n")
        process = subprocess.Popen([SCRIPT, "--out", "out"], cwd=self.folder, text=True,
                                   stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, env=self.settings(DEVICE_TIMINGS=slow))
        self.wait_for("out/step-time-1/stdout.txt")
        process.send_signal(signal.SIGTERM)
        stdout, stderr = process.communicate(timeout=120)
        self.assertEqual(process.returncode, 143, stderr)
        self.assertIn("stopped by a signal", stdout)
        self.assertEqual(stdout, self.read("out/summary.txt"))
        self.assertIn("PASS", {record["verdict"] for record in self.records("out")})

    def test_results_of_an_earlier_run_are_gone(self):
        old = ("step-first-cuda", "step-run", "step-memcheck", "step-racecheck", "step-time-7")
        others = ("mine/run.jsonl", "step-mine/run.jsonl", "mine.txt", "sanitizer-mine.txt", "mine.part")
        for name in *(f"{step}/run.jsonl" for step in old), *others:
            self.write("out/" + name, "no record\n")
        done = self.device("--out", "out")
        self.assertEqual(done.returncode, 0, done.stderr)
        for name in others:
            self.assertEqual(self.read("out/" + name), "no record\n")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out/step-time-7")))
        self.assertEqual(len(self.records("out")), 4)

    def test_without_a_driver(self):
        for earlier in False, True:
            if earlier:
                self.write("out/run.jsonl", "kept")
                self.write("out/step-run/run.jsonl", "kept")
            done = self.device("--out", "out", LD_LIBRARY_PATH="", FAKE_CUDA_DEVICES="0", TMPDIR=self.folder)
            self.assertEqual((done.returncode, done.stdout), (2, ""), done.stderr)
            self.assertIn("device: error: --backend: 'cublas' is not usable here: ", done.stderr)
            self.assertEqual(os.path.exists(os.path.join(self.folder, "out")), earlier)
            self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tmp.")], [])
        self.assertEqual(self.read("out/run.jsonl") + self.read("out/step-run/run.jsonl"), "keptkept")

    def test_one_run_at_a_time_in_a_folder(self):
        self.write("out/run.jsonl", "kept")
        folder = os.open(os.path.join(self.folder, "out"), os.O_RDONLY)
        fcntl.flock(folder, fcntl.LOCK_EX)
        done = self.device("--out", "out")
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("device: error: another run of device is at work in ", done.stderr)
        self.assertEqual(self.results("out", DEVICE_ENDED="").returncode, 2)
        self.assertEqual((self.read("out/run.jsonl"), os.listdir(os.path.join(self.folder, "out"))), ("kept", ["run.jsonl"]))
        os.close(folder)
        self.assertEqual(self.device("--out", "out").returncode, 0)

    def test_what_has_not_begun_leaves_nothing(self):
        run = self.begin("[ $verb != run ] || { touch started; sleep 300; }", "started", TMPDIR=self.folder)
        run.send_signal(signal.SIGTERM)
        self.assertEqual((run.communicate(timeout=60)[0], run.returncode), ("", 143))
        self.assertEqual([name for name in os.listdir(self.folder) if name == "out" or name.startswith("tmp.")], [])

    def test_an_earlier_result_that_cannot_be_removed(self):
        os.makedirs(os.path.join(self.folder, "out/run.jsonl"))
        done = self.device("--out", "out", TMPDIR=self.folder)
        self.assertEqual((done.returncode, done.stdout), (2, ""))
        self.assertIn("out/run.jsonl, of an earlier run, cannot be removed", done.stderr)
        self.assertEqual([name for name in os.listdir(self.folder) if name.startswith("tmp.")], [])

    def test_a_signal_for_a_run_that_has_ended_loses_nothing(self):
        run = self.begin("[ $verb != report ] || { touch started; sleep 2; }", "out/started")
        run.send_signal(signal.SIGTERM)
        stdout, stderr = run.communicate(timeout=60)
        self.assertEqual(run.returncode, 0, stderr)
        self.assertIn("timings: 0 of 1 cases", stdout)
        self.assertEqual(stdout, self.read("out/summary.txt"))

    def test_a_run_that_is_killed_leaves_no_lock(self):
        run = self.begin("[ $verb != bench ] || { echo $$ >pid; touch started; exec sleep 300; }", "started",
                         DEVICE_SECONDS="4000")
        self.addCleanup(lambda: os.kill(int(self.read("pid")), signal.SIGKILL))
        late = self.device("--out", "out")
        self.assertEqual(late.returncode, 2)
        self.assertRegex(late.stderr, rf"another run of device is at work in /.*/out \(process {run.pid}\)\n")
        run.kill()
        run.communicate()
        done = self.device("--out", "out")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_program_that_is_killed_is_not_called_late(self):
        done = self.stand_in("[ $verb != bench ] || kill -9 $$", RECORDS="{}")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertIn(": ended by signal 9; what was finished is kept\n", done.stdout)
        self.assertIn("timings: 0 of 1 cases, 0 in part, 1 not at all (", done.stdout)

    def test_what_is_timed_in_part(self):
        done = self.stand_in(RECORDS='{"samples_run":[1]}', DEVICE_BACKENDS="cublas,cuda")
        self.assertIn("timings: 0 of 1 cases, 1 in part, 0 not at all (", done.stdout)

    def test_what_was_not_started(self):
        done = self.stand_in(RECORDS="{}", DEVICE_SECONDS="3")  # a quarter of it is nothing
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stdout, r"conformance .*: not started, no time was left\n")
        self.assertIn("timings: no time is left for 'matmul m=4 k=4 n=4 ", done.stdout)

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

    def begin(self, more, name, **variables):
        """A run of a stand-in that is now where it makes the file NAME."""
        program = self.write("assay", STAND_IN + more + "\n")
        os.chmod(program, 0o755)
        run = subprocess.Popen([SCRIPT, "--out", "out"], cwd=self.folder, text=True, stdin=subprocess.DEVNULL,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                               env=self.settings(ASSAY=program, RECORDS="{}", **variables))
        self.wait_for(name)
        return run

    def wait_for(self, name):
        for _ in range(1200):
            if os.path.exists(os.path.join(self.folder, name)):
                return
            time.sleep(0.1)
        self.fail(f"no {name}")

    def stand_in(self, more="", **variables):
        program = self.write("assay", STAND_IN + more)
        os.chmod(program, 0o755)
        return self.device("--out", "out", ASSAY=program, **variables)


# $1: its tool, and behind `--log-file LOG` the program.
SANITIZER = """#!/bin/sh
while [ "$1" != --log-file ]; do shift; done
log=$2
shift 2
%s
"""


class Sanitizer(Device):

    def sanitize(self, script):
        self.write("bin/compute-sanitizer", SANITIZER % script)
        os.chmod(os.path.join(self.folder, "bin/compute-sanitizer"), 0o755)
        done = self.device("--out", "out", PATH=f"{self.folder}/bin:{os.environ['PATH']}")
        return done.returncode, re.findall(r"(?m)^compute-sanitizer .*$", done.stdout)

    def test_what_was_looked_at_is_clean(self):
        # On the fake device our kernels do nothing: another backend is right in its place.
        status, lines = self.sanitize("""for folder; do :; done
"$ASSAY" run --backend loop --data real --case 'matmul m=65 k=33 n=129' --case 'softmax m=5 n=300' \\
    --case 'layer_norm m=3 n=65' --no-ledger --quiet --out "$folder" >/dev/null
echo '========= ERROR SUMMARY: 0 errors' >"$log"; echo '3 PASS'""")
        self.assertEqual(status, 0)
        self.assertEqual(lines, ["compute-sanitizer memcheck, no error in 3 cases: 3 PASS",
                                 "compute-sanitizer racecheck, no error in 3 cases: 3 PASS"])

    def test_what_was_not_looked_at_is_not_clean(self):
        for script in ("exit 0", "echo '========= ERROR SUMMARY: 0 errors' >$log", '"$@"; exit 0'):
            status, lines = self.sanitize(script)
            self.assertEqual(status, 2)
            self.assertEqual([line.split(" (")[0] for line in lines],
                             [f"compute-sanitizer {tool}: it has not looked at all 3 cases" for tool in ("memcheck", "racecheck")])

    def test_what_was_skipped_is_not_clean(self):
        status, lines = self.sanitize("""for folder; do :; done
for _ in 1 2 3; do echo '{"verdict":"SKIP"}'; done >"$folder/run.jsonl"
echo '========= ERROR SUMMARY: 0 errors' >$log""")
        self.assertEqual(status, 2)
        self.assertRegex(lines[0], "memcheck: it has not looked at all 3 cases ")

    def test_an_error_is_1(self):
        status, lines = self.sanitize("echo '========= ERROR SUMMARY: 2 errors' >$log; exit 1")
        self.assertEqual((status, lines[0]), (1, "compute-sanitizer memcheck: 1 lines in sanitizer-memcheck.txt"))

if __name__ == "__main__":
    unittest.main()
