# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay run: exit codes, streams, what is kept, reports."""

import json
import os
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

import numpy as np

from support import LINE, PROGRAM, TINY_CASES, CommandTest

SUMMARY = """\
op      backend  verdicts  passed  failed  known gap  skipped  largest margin  seconds
matmul  blas            1       1       0          0        0           0.000  N
matmul  loop            1       1       0          0        0           0.000  N
total                   2       2       0          0        0           0.000  N

2 verdicts in N s: 2 PASS; peak memory N MB; records in assay-out/latest/run.jsonl
"""

ONE = ["run", "--suite", "tiny", "--filter", LINE, "--data", "int"]


class Run(CommandTest):

    def test_what_passes(self):
        answer = self.assay(*ONE)
        self.assert_answer(answer, 0, stdout=SUMMARY)
        with open(os.path.join(self.folder, "assay-out/latest/summary.txt")) as file:
            self.assertEqual(file.read(), answer.raw)
        self.assertEqual(sorted(record["key"] for record in self.records()),
                         [f"{LINE} data=int backend={name}" for name in ("blas", "loop")])
        for record in self.records():
            self.assertEqual((record["verdict"], record["reference"]), ("PASS", "stored"))
            self.assertEqual(record["counters"]["blas_calls"], int(record["backend"] == "blas"))

    def test_the_whole_suite_fits_100_columns(self):
        answer = self.assay("run", "--suite", "tiny", "--quiet")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        self.assertEqual(len(self.records()), 4 * (TINY_CASES - 1) + 1)
        self.assertLessEqual(max(map(len, answer.raw.splitlines())), 100)

    def test_a_key_is_a_filter(self):
        key = f"{LINE} data=real backend=loop"
        self.assertEqual(self.assay("run", "--suite", "tiny", "--filter", key).status, 0)
        self.assertEqual([record["key"] for record in self.records()], [key])

    def test_a_negative_case(self):
        self.assertEqual(self.assay("run", "--suite", "tiny", "--filter", "reject_matmul").status, 0)
        record, = self.records()
        self.assertEqual((record["verdict"], record["checks"]), ("PASS", ["diagnostic"]))
        self.assertEqual((record["data"], record["backend"]), ("none", "none"))

    def test_a_case_in_no_file_is_computed_live(self):
        answer = self.assay("run", "--case", "matmul m=9 k=8 n=7 dtype=f64", "--backend", "loop")
        self.assertEqual(answer.status, 0)
        self.assertEqual([record["reference"] for record in self.records()], ["live", "live"])

    def test_verbose_goes_to_stderr(self):
        answer = self.assay(*ONE, "--backend", "loop", "--verbose")
        self.assertEqual(answer.stderr,
                         f"PASS {LINE} data=int backend=loop margin=0.000\n")

    def test_color_on_demand(self):
        self.assertIn("\033[", self.assay(*ONE, "--color", "always").raw)
        self.assertNotIn("\033[", self.assay(*ONE).raw)

    def test_color_on_a_terminal(self):
        self.assertEqual(self.terminal(*ONE).count(b"\033[32m"), 3)
        self.assertNotIn(b"\033[32m", self.terminal(*ONE, NO_COLOR="1"))
        self.assertNotIn(b"\033[32m", self.terminal(*ONE, "--color=never"))

    def terminal(self, *arguments, **variables):
        """What a command prints on a terminal."""
        try:
            leader, follower = os.openpty()
        except OSError as error:  # a bare root without /dev/pts
            self.skipTest(f"no pseudo-terminals here: {error}")
        with subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdout=follower,
                              stderr=subprocess.DEVNULL, stdin=follower,
                              env=self.environment(TERM="xterm", **variables)):
            os.close(follower)
            printed = b""
            while True:
                try:
                    printed += os.read(leader, 65536)
                except OSError:  # the other end was closed
                    break
        os.close(leader)
        return printed

    def test_shards_part_the_suite(self):
        keys = []
        for index in (1, 2, 3):
            out = f"out{index}"
            answer = self.assay("run", "--suite", "tiny", "--data=int", "--backend=loop",
                                f"--shard={index}/3", "--out", out)
            self.assertEqual(answer.status, 0)
            keys.append({record["key"] for record in self.records(out)})
        self.assertEqual([len(part) for part in keys], [10, 10, 10])
        self.assertEqual(len(set.union(*keys)), TINY_CASES)

    def test_an_empty_shard_is_no_failure(self):
        answer = self.assay(*ONE, "--shard=2/2")
        self.assertEqual(answer.status, 0)
        self.assertEqual(self.records(), [])


class Bad(CommandTest):
    """Runs that find something: exit 1, the failure first, and what it takes to see it again."""

    def corrupt(self):
        folder = os.path.join(self.root, "reference/store/matmul")
        name, = (name for name in os.listdir(folder) if name.startswith("m3-k5-n7-f32-"))
        path = os.path.join(folder, name)
        good = np.load(path)
        bad = good.copy()
        bad["expected"][4] += 1
        np.save(path, bad)
        self.addCleanup(np.save, path, good)

    def test_a_wrong_answer(self):
        self.corrupt()
        answer = self.assay(*ONE, "--backend", "loop")
        key = f"{LINE} data=int backend=loop"
        self.assertEqual(answer.status, 1)
        verdict, reason, repro = answer.stdout.splitlines()[:3]
        self.assertEqual(verdict, f"FAIL {key}")
        self.assertIn("[0,4]", reason)
        self.assertEqual(repro, f"  assay run --filter '{key}'")
        record, = self.records()
        self.assertEqual((record["verdict"], record["worst"]["index"]), ("FAIL", [0, 4]))
        folder, = os.listdir(os.path.join(self.folder, "assay-out/latest/repro"))
        folder = os.path.join(self.folder, "assay-out/latest/repro", folder)
        self.assertEqual(sorted(os.listdir(folder)), ["module.mlir", "record.json", "repro.sh"])
        with open(os.path.join(folder, "record.json")) as file:
            self.assertEqual(json.load(file), record)
        with open(os.path.join(folder, "module.mlir")) as file:
            self.assertIn("linalg.matmul", file.read())
        again = subprocess.run([os.path.join(folder, "repro.sh"), "--quiet"], capture_output=True,
                               text=True, cwd="/", env=self.environment())
        self.assertEqual(again.returncode, 1)
        self.assertTrue(again.stdout.startswith(f"FAIL {key}\n"))

    def test_known_gaps(self):
        path = self.write("gaps.cases", f'{LINE} xfail="off by one"\nlinear m=2 k=3 n=4 dtype=f64 '
                          'xfail="was wrong once"\n')
        self.corrupt()
        answer = self.assay("run", "--suite", path, "--backend=loop", "--data=int")
        self.assertEqual(answer.status, 1)
        self.assertEqual({record["op"]: record["verdict"] for record in self.records()},
                         {"matmul": "XFAIL", "linear": "XPASS"})
        self.assertEqual(self.assay("run", "--suite", path, "--backend=loop", "--data=int",
                                    "--filter", "matmul").status, 0)

    def test_everything_skipped(self):
        gaps = os.path.join(self.root, "suite/known_gaps")
        with open(gaps) as file:
            self.addCleanup(self.write, gaps, file.read())
        self.write(gaps, 'matmul * lasting "not worth it"\n')
        answer = self.assay(*ONE, "--quiet")
        self.assertEqual(answer.status, 2)
        self.assertEqual(answer.stderr, "assay: error: everything selected was skipped: known gap: "
                         "not worth it\n")
        self.assertEqual([record["verdict"] for record in self.records()], ["SKIP", "SKIP"])
        self.assertEqual(self.assay("run", "--suite", "tiny", "--filter", LINE, "--filter", "linear",
                                    "--quiet").status, 0)

    def test_limits(self):
        answer = self.assay(*ONE, "--backend", "loop", "--timeout", "0.0001")
        self.assertEqual(answer.status, 1)
        self.assertEqual([record["verdict"] for record in self.records()], ["TIMEOUT"])


class Interrupted(CommandTest):

    def interrupt(self, number):
        path = os.path.join(self.folder, "assay-out/latest/run.jsonl")
        process = subprocess.Popen([PROGRAM, "run", "--suite", "tiny", "--jobs=1", "--quiet"],
                                   cwd=self.folder, env=self.environment(), text=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        while not (os.path.exists(path) and os.path.getsize(path) > 0):
            self.assertIsNone(process.poll())
            time.sleep(0.005)
        process.send_signal(number)
        stdout, stderr = process.communicate(timeout=60)
        return process.returncode, stdout, stderr

    def test_what_was_finished_is_kept_and_resumed(self):
        status, stdout, stderr = self.interrupt(signal.SIGINT)
        self.assertEqual((status, stderr),
                         (130, "assay: note: stopped by SIGINT; go on with --resume\n"))
        kept = self.records()
        total = 4 * (TINY_CASES - 1) + 1
        self.assertTrue(0 < len(kept) < total)
        self.assertIn(f"\n{len(kept)} verdicts in ", stdout)
        with open(os.path.join(self.folder, "assay-out/latest/run.jsonl"), "a") as file:
            file.write('{"schema":1,"key":"matmul m=3')  # as a run that was killed leaves it
        answer = self.assay("run", "--suite", "tiny", "--resume", "--quiet")
        self.assertEqual(answer.status, 0)
        records = self.records()
        self.assertEqual(records[:len(kept)], kept)
        self.assertEqual(len({record["key"] for record in records}), total)
        self.assertEqual(len(records), total)
        self.assertIn(f"\n{total} verdicts in ", answer.stdout)
        # Nothing is left: the answer is the same, from the records alone.
        again = self.assay("run", "--suite", "tiny", "--resume", "--quiet")
        self.assertEqual((again.status, self.records()), (0, records))

    def test_sigterm(self):
        self.assertEqual(self.interrupt(signal.SIGTERM)[0], 143)


class Reports(CommandTest):

    def test_junit_on_stdout_is_all_there_is(self):
        answer = self.assay(*ONE, "--format", "junit=-", "--format", "md=report.md")
        self.assertEqual(answer.status, 0)
        suites = xml.etree.ElementTree.fromstring(answer.raw)
        self.assertEqual([suite.get("name") for suite in suites], ["matmul blas", "matmul loop"])
        self.assertEqual(suites[0][1].get("name"), f"{LINE} data=int backend=blas")
        with open(os.path.join(self.folder, "report.md")) as file:
            self.assertEqual(file.readline(), "# Assay\n")

    def test_json_equals_the_records(self):
        answer = self.assay(*ONE, "--format=json=-")
        self.assertEqual(json.loads(answer.raw), self.records())


if __name__ == "__main__":
    unittest.main()
