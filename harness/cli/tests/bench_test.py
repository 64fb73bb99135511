# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""`assay bench`: what it leaves and prints, and whom it times.

No test looks at how long anything takes: only at what is told of it."""

import json
import os
import signal
import subprocess
import time
import unittest

from benching import LINEAR, PEERS, SMALL, Bench
from support import LINE, PROGRAM


class Records(Bench):

    def test_fields(self):
        answer = self.bench("--case", LINE)
        self.assertEqual(answer.status, 0, answer.stderr)
        records = {record["backend"]: record for record in self.records()}
        self.assertEqual(sorted(records), ["blas", "cblas", "loop", "numpy"])
        for backend, record in records.items():
            self.assertEqual(record["kind"], "bench")
            self.assertEqual(record["key"], f"{LINE} data=real backend={backend}")
            self.assertEqual((record["verdict"], record["reason"]), ("PASS", None))
            self.assertEqual(len(record["samples_run"]), 3)
            self.assertTrue(all(sample > 0 for sample in record["samples_run"]))
            self.assertEqual(record["seconds_run"], sorted(record["samples_run"])[1])
            self.assertEqual((record["threads"], record["cold"]), (1, False))
            self.assertEqual((record["flop"], record["bytes"]), (2 * 3 * 5 * 7, 4 * (15 + 35 + 21)))
            self.assertLess(record["margin"], 1)
            for peak in ("peak_gflops_f32", "peak_gflops_f64", "peak_gbs"):
                self.assertGreater(record["env"][peak], 0)
            self.assertEqual(record["repro"].split(" --data ")[0], f"assay bench --case '{LINE}'")
        for peer in PEERS:
            self.assertEqual(records[peer].get("samples_compile", []), [])
        for backend in ("blas", "loop"):
            self.check_costs(records[backend])
        self.assertEqual(records["blas"]["counters"]["blas_calls"], 1)
        self.assertEqual(records["loop"]["counters"]["blas_calls"], 0)

    def check_costs(self, record):
        self.assertEqual(len(record["samples_compile"]), 3)
        counters = record["counters"]
        for name in ("ir_operations", "llvm_instructions", "object_bytes"):
            self.assertGreater(counters[name], 0, name)
        for name in ("heap_allocations", "heap_bytes", "heap_peak_bytes"):
            self.assertGreaterEqual(counters[name], 0, name)
        passes = [each for each in record["passes"] if each["n"] > 0]
        self.assertEqual([each["n"] for each in passes], list(range(1, len(passes) + 1)))
        self.assertIn("one-shot-bufferize", [each["name"] for each in passes])
        for before, after in zip(passes, passes[1:]):
            self.assertEqual(before["ops_after"], after["ops_before"])
        self.assertEqual(counters["ir_operations"], passes[-1]["ops_after"])
        self.assertEqual([each["name"] for each in record["passes"] if each["n"] == 0],
                         ["llvm-translate", "llvm-optimise", "llvm-generate"])

    def test_counters_have_no_noise(self):
        counters = []
        for _ in range(2):
            self.assertEqual(self.bench("--case", LINE, "--backend", "loop,blas").status, 0)
            counters.append([(record["counters"], [(row["name"], row["ops_before"], row["ops_after"])
                                                   for row in record["passes"]])
                             for record in self.records()])
        self.assertEqual(*counters)

    def test_options_are_in_the_records(self):
        self.assertEqual(self.bench("--case", LINE, "--backend", "loop", "--cold", "--threads", "2",
                                    "--pin", "--data", "int").status, 0)
        record, = self.records()
        self.assertEqual((record["threads"], record["cold"], record["data"]), (2, True, "int"))
        self.assertTrue(record["repro"].endswith(" --threads 2 --cold --pin"), record["repro"])
        self.assertEqual(len(record["samples_run"]), 3)

    def test_numpys_own_loop_is_never_cold(self):
        self.assertEqual(self.bench("--case", LINE, "--cold").status, 0)
        self.assertEqual(sorted(self.backends()), ["blas", "cblas", "loop"])

    def test_formats(self):
        answer = self.bench("--case", LINE, "--backend", "loop", "--format", "json=-")
        self.assertEqual([record["key"] for record in json.loads(answer.stdout)],
                         [f"{LINE} data=real backend=loop"])
        answer = self.bench("--case", LINE, "--backend", "loop,cblas", "--format", "gbench=gb.json")
        self.assertEqual(answer.status, 0)
        with open(os.path.join(self.folder, "gb.json")) as file:
            runs = json.load(file)["benchmarks"]
        iterations = [run for run in runs if run["run_type"] == "iteration"]
        self.assertEqual(len(iterations), 2 * 3)
        self.assertIn("1 timing in ", self.bench("--case", LINE, "--backend", "loop").stdout)


class Selection(Bench):

    def test_table(self):
        answer = self.bench("--case", LINE, "--case", LINEAR, "--case", "batch_matmul b=2 m=3 k=5 n=7")
        self.assertEqual(answer.status, 0)
        lines = answer.raw.splitlines()
        self.assertLessEqual(max(map(len, lines)), 100)
        self.assertIn(f"{LINE} data=real", lines)
        rows = [line.split()[0] for line in lines if line.startswith("  ")]
        self.assertEqual(rows, 3 * ["backend", "blas", "loop", "cblas", "numpy"])

    def test_backends_and_peers(self):
        for names in (["loop", "cblas"], ["numpy"]):
            answer = self.bench("--case", LINE, "--backend", ",".join(names))
            self.assertEqual((answer.status, sorted(self.backends())), (0, sorted(names)))

    def test_a_record_is_taken_again_by_its_key_and_its_repro(self):
        self.assertEqual(self.bench("--case", LINE).status, 0)
        for record in self.records():
            if record["backend"] not in ("loop", "cblas"):
                continue
            self.assertEqual(self.bench("--case", LINE, "--filter", record["key"]).status, 0)
            self.assertEqual([each["key"] for each in self.records()], [record["key"]])
            words = record["repro"].replace("'", "").split(" --")
            self.assertEqual(words[1], f"case {LINE}")
            arguments = [word for each in words[2:] for word in f"--{each}".split()]
            self.assertEqual(self.bench("--case", LINE, *arguments).status, 0)
            self.assertEqual([each["key"] for each in self.records()], [record["key"]])

    def test_unknown_names(self):
        self.assert_answer(self.bench("--backend", "cbals"), 2,
                           stderr="assay: error: --backend: unknown backend or peer 'cbals'; did you "
                           "mean 'cblas'?\n")
        answer = self.bench("--case", LINE, "--filter", "matmul data=real backend=nunpy")
        self.assert_answer(answer, 2, stderr="assay: error: --filter 'matmul data=real backend=nunpy': "
                           "unknown backend 'nunpy'; did you mean 'numpy'?\n")
        # A run has no peers.
        answer = self.assay("run", "--suite", "tiny", "--filter", "matmul data=real backend=numpy")
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertIn("unknown backend 'numpy'", answer.stderr)
        answer = self.assay("run", "--suite", "tiny", "--backend", "cblas")
        self.assertEqual(answer.status, 2)
        self.assertIn("unknown backend 'cblas'", answer.stderr)

    def test_arguments_are_filters_or_cases(self):
        update = self.assay("references", "update", "--suite", "bench", "--filter", "matmul m=17")
        self.assertEqual(update.status, 0, update.stderr)
        line = "matmul m=17 k=33 n=31 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain"
        for words, backends in ((["matmul m=17*"], ["blas", "cblas", "loop", "numpy"]),
                                ([f"{line} data=real backend=cblas"], ["cblas"])):
            answer = self.bench(*words)
            self.assertEqual(answer.status, 0, answer.stderr)
            self.assertEqual({record["case"] for record in self.records()}, {line})
            self.assertEqual(sorted(self.backends()), backends)
        self.assertEqual(self.bench("matmul m=17 k=33 n=31", "matmul n=9 m=2 k=3", "--backend", "loop").status, 0)
        self.assertEqual(len(self.records()), 2)
        answer = self.bench("matmul n=9 m=2 k=3", "--backend", "loop")
        self.assertEqual(answer.status, 0, answer.stderr)
        record, = self.records()
        self.assertEqual((record["case"].split(" dtype")[0], record["reference"]),
                         ("matmul m=2 k=3 n=9", "live"))
        answer = self.bench("matmul m=2 kk=3 n=9")
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertIn("matmul has no key 'kk'", answer.stderr)

    def test_what_has_no_time(self):
        self.assert_answer(self.bench("--case", "reject_matmul x=3x5 y=6x7"), 2,
                           stderr="assay: error: only programs to be rejected are selected: no time "
                           "can be taken of them\n")
        answer = self.bench("--suite", "tiny", "--filter", "reject_matmul", "--filter", LINE,
                            "--backend", "loop")
        self.assertEqual((answer.status, len(self.records())), (0, 1))
        answer = self.bench("--case", "softmax m=3 n=5", "--backend", "cblas")
        self.assertEqual(answer.status, 2)
        self.assertIn("everything selected was skipped: no single call of a BLAS", answer.stderr)

    def test_an_empty_shard(self):
        parts = []
        for i in (1, 2):
            self.assertEqual(self.bench("--case", LINE, "--backend", "loop", f"--shard={i}/2").status, 0)
            parts += self.records()
        self.assertEqual(len(parts), 1)

    def test_usage(self):
        for arguments, part in ((["--threads", "5000"], "--threads: found 5000, expected at most the "
                                 f"{len(os.sched_getaffinity(0))} processors"),
                                (["--threads", "5000", "--pin"], "--threads: found 5000"),
                                (["--gate"], "--gate and --thresholds are of --against"),
                                (["--repetitions", "5000"], "at most 1000"),
                                (["--serve", "--against", PROGRAM], "--serve and --against"),
                                (["--repetitions", "0"], "--repetitions"),
                                (["--min-time", "-1"], "--min-time"),
                                (["--against", PROGRAM, "--backend", "numpy"], "'numpy' is a peer")):
            answer = self.assay("bench", "--case", LINE, *arguments)
            self.assertEqual((answer.status, answer.stdout), (2, ""), arguments)
            self.assertIn(part, answer.stderr)
            self.assertFalse(os.path.exists(os.path.join(self.folder, "assay-out")), arguments)


class Wrong(Bench):

    def test_a_wrong_answer_is_never_timed(self):
        # Everybody's answer is wrong by this reference.
        self.doctor(LINEAR, 1)
        answer = self.bench("--case", LINEAR, "--case", LINE)
        self.assertEqual(answer.status, 1, answer.stderr)
        records = self.records()
        self.assertEqual(len(records), 8)
        for record in records:
            if record["case"] == LINE:
                self.assertEqual((record["verdict"], len(record["samples_run"])), ("PASS", 3))
            else:
                self.assertEqual(record["verdict"], "FAIL", record["backend"])
                self.assertEqual(record.get("samples_run", []), [])
                self.assertEqual(record["margin"] if isinstance(record["margin"], str)
                                 else record["margin"] > 1, True if record["margin"] != "inf" else "inf")
                self.assertIn("want", record["reason"])
        self.assertLessEqual(max(map(len, answer.raw.splitlines())), 100)
        for backend in ("blas", "loop", "cblas", "numpy"):
            self.assertRegex(answer.raw, rf"(?m)^  {backend} +FAIL: ")

    def test_a_known_gap_is_not_timed(self):
        answer = self.bench("--case", LINE + ' xfail="not yet"', "--backend", "loop")
        record, = self.records()
        self.assertEqual((answer.status, record["verdict"]), (1, "XPASS"))
        self.assertEqual(record.get("samples_run", []), [])
        self.assertIn("\nnothing was timed in ", answer.stdout)
        answer = self.bench("--case", LINE + ' xfail="not yet"', "--case", SMALL, "--backend", "loop")
        self.assertIn("\n1 timing in ", answer.stdout)

    def test_where_nothing_can_be_written(self):
        self.write("file", "")
        answer = self.bench("--case", LINE, "--out", "file/x")
        self.assertEqual((answer.status, answer.stdout), (2, ""))
        self.assertIn("file/x", answer.stderr)

    def test_what_was_timed_before_an_interrupt_is_kept(self):
        process = subprocess.Popen([PROGRAM, "bench", "--case", LINE, "--case", SMALL, "--quiet",
                                    "--backend", "loop", "--repetitions", "20", "--min-time", "0.05"],
                                   cwd=self.folder, env=self.environment(), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for line in process.stdout:
            if line.startswith("  loop"):
                break
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(stderr, "assay: note: stopped by SIGINT; what was timed is kept\n")
        self.assertIn("1 timing in", stdout)
        record, = self.records()
        self.assertEqual((record["case"], len(record["samples_run"])), (LINE, 20))

    def interrupt(self, seconds, *arguments):
        """A bench that is sent SIGINT so long after it began to time."""
        process = subprocess.Popen([PROGRAM, "bench", "--case", LINE, "--backend", "loop,blas", "--quiet",
                                    *arguments], cwd=self.folder, env=self.environment(), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.assertIn("GFLOP/s", process.stdout.readline())  # the peak is measured
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        stdout, stderr = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        return stdout, stderr

    def test_the_samples_of_a_case_at_work_are_kept(self):
        stdout, stderr = self.interrupt(3, "--repetitions", "1000", "--min-time", "0.05")
        self.assertEqual(stderr, "assay: note: stopped by SIGINT; what was timed is kept\n")
        records = self.records()
        self.assertIn(f"\n{len(records)} timing{'s' * (len(records) != 1)} in ", stdout)
        self.assertTrue(records)
        for record in records:
            self.assertEqual(record["verdict"], "PASS")
            self.assertTrue(0 < len(record["samples_run"]) < 1000)

    def test_nothing_was_timed_before_an_interrupt(self):
        stdout, stderr = self.interrupt(0, "--min-time", "30")
        self.assertEqual(stderr, "assay: note: stopped by SIGINT; nothing was timed\n")
        self.assertIn("nothing was timed in ", stdout)
        self.assertEqual(self.records(), [])

if __name__ == "__main__":
    unittest.main()
