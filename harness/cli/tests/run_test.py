# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay run: exit codes and streams."""

import json
import os
import shutil
import signal
import subprocess
import unittest

import numpy as np

from support import LINE, PROGRAM, TINY_CASES, CommandTest

SUMMARY = """\
op      backend  verdicts  passed  failed  known gap  skipped  largest margin  seconds
matmul  blas            1       1       0          0        0           0.000  N
matmul  gpu-sim         1       1       0          0        0           0.000  N
matmul  loop            1       1       0          0        0           0.000  N
total                   3       3       0          0        0           0.000  N

3 verdicts in N s: 3 PASS; peak memory N MB; records in assay-out/latest/run.jsonl
"""

ONE = ["run", "--suite", "tiny", "--filter", LINE, "--data", "int"]
CPU = ["--backend", "blas,loop"]


class Run(CommandTest):

    def test_what_passes(self):
        answer = self.assay(*ONE)
        self.assert_answer(answer, 0, stdout=SUMMARY)
        with open(os.path.join(self.folder, "assay-out/latest/summary.txt")) as file:
            self.assertEqual(file.read(), answer.raw)
        self.assertEqual(sorted(record["key"] for record in self.records()),
                         [f"{LINE} data=int backend={name}" for name in ("blas", "gpu-sim", "loop")])
        for record in self.records():
            self.assertEqual((record["verdict"], record["reference"]), ("PASS", "stored"))
            self.assertEqual(record["counters"]["blas_calls"], int(record["backend"] == "blas"))

    def test_the_whole_suite_fits_100_columns(self):
        answer = self.assay("run", "--suite", "tiny", "--quiet")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        self.assertEqual(len(self.records()), 6 * (TINY_CASES - 1) + 1)
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

    def test_jobs_beyond_what_there_is_to_do(self):
        self.assert_answer(self.assay(*ONE, "--jobs", "2147483647"), 0, stdout=SUMMARY)

    def test_closed_standard_streams(self):
        """What a run opens must not take the place of a stream that its caller closed."""
        for closed in ((0,), (2,), (0, 2)):
            done = subprocess.run([PROGRAM, *ONE, *CPU, "--quiet"], cwd=self.folder, text=True,
                                  env=self.environment(), stdout=subprocess.PIPE,
                                  preexec_fn=lambda: [os.close(each) for each in closed])
            self.assertEqual(done.returncode, 0, closed)
            self.assertIn("2 verdicts in ", done.stdout)
        for closed in ((1,), (0, 1), (0, 1, 2)):
            done = subprocess.run([PROGRAM, *ONE, *CPU, "--quiet"], cwd=self.folder, text=True,
                                  env=self.environment(), stderr=subprocess.PIPE,
                                  preexec_fn=lambda: [os.close(each) for each in closed])
            self.assertEqual(done.returncode, 2, closed)
            self.assertEqual([record["verdict"] for record in self.records()], ["PASS", "PASS"])
            if 2 not in closed:
                self.assertEqual(done.stderr, "assay: error: cannot write to standard output: "
                                 "Bad file descriptor\n")

    def test_a_parent_that_ignores_its_children(self):
        """SIGCHLD ignored is inherited, and takes the exit status of every child away."""
        done = subprocess.run([PROGRAM, "run", "--case", "matmul m=9 k=8 n=6", *CPU, "--quiet"],
                              cwd=self.folder, text=True, env=self.environment(), timeout=60,
                              capture_output=True,
                              preexec_fn=lambda: signal.signal(signal.SIGCHLD, signal.SIG_IGN))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(len(self.records()), 4)

    def test_a_backend_that_is_not_usable(self):
        compiler = shutil.which("cc")
        if compiler is None:
            self.skipTest("no C compiler")
        # Without dladdr the library of the CBLAS cannot be told.
        source = self.write("nowhere.c", "int dladdr(const void *address, void *info);\n"
                            "int dladdr(const void *address, void *info) {\n"
                            "  (void)address, (void)info;\n  return 0;\n}\n")
        library = os.path.join(self.folder, "nowhere.so")
        subprocess.run([compiler, "-shared", "-fPIC", "-o", library, source], check=True)
        why = "cannot tell which library cblas_sgemm comes from"
        answer = self.assay(*ONE, LD_PRELOAD=library)
        self.assertEqual(answer.status, 0)
        self.assertEqual(answer.stderr, f"assay: note: the backend 'blas' is left out: {why}\n")
        for options in ([], ["--save", "saved"], ["--stage", "llvm", "--save", "saved"]):
            answer = self.assay("show", LINE, "--backend", "blas", *options, LD_PRELOAD=library)
            self.assert_answer(answer, 2, stderr="assay: error: --backend: 'blas' is not usable "
                               f"here: {why}\n")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "saved")))
        # Its pipeline needs no library.
        for stage in ("program", "tensor", "llvm"):
            shown = [self.assay("show", LINE, "--backend", "blas", "--stage", stage, **variables)
                     for variables in ({}, {"LD_PRELOAD": library})]
            self.assertEqual([(answer.status, answer.stderr) for answer in shown], [(0, "")] * 2)
            self.assertEqual(shown[0].raw, shown[1].raw)

    def test_a_dumb_terminal_gets_plain_lines(self):
        arguments = ["run", "--suite", "tiny", "--backend=loop"]
        self.assertIn(b"\033[K", self.terminal(*arguments, errors=True, TERM="xterm"))
        self.assertNotIn(b"\033", self.terminal(*arguments, errors=True, TERM="dumb"))

    def test_color_on_demand(self):
        self.assertIn("\033[", self.assay(*ONE, "--color", "always").raw)
        self.assertNotIn("\033[", self.assay(*ONE).raw)

    def test_color_on_a_terminal(self):
        self.assertEqual(self.terminal(*ONE).count(b"\033[32m"), 4)
        self.assertNotIn(b"\033[32m", self.terminal(*ONE, NO_COLOR="1"))
        self.assertNotIn(b"\033[32m", self.terminal(*ONE, "--color=never"))

    def terminal(self, *arguments, errors=False, **variables):
        """What a command prints on a terminal, or what it says there as progress."""
        try:
            leader, follower = os.openpty()
        except OSError as error:  # a bare root without /dev/pts
            self.skipTest(f"no pseudo-terminals here: {error}")
        with subprocess.Popen([PROGRAM, *arguments], cwd=self.folder, stdin=follower,
                              stdout=subprocess.DEVNULL if errors else follower,
                              stderr=follower if errors else subprocess.DEVNULL,
                              env=self.environment(**{"TERM": "xterm", **variables})):
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
        self.assertEqual(sum(len(part) for part in keys), TINY_CASES)
        self.assertEqual(len(set.union(*keys)), TINY_CASES)
        # What is resumed is the rest of the shard.
        path = os.path.join(self.folder, "out1/run.jsonl")
        with open(path) as file:
            half = file.readlines()[::2]
        with open(path, "w") as file:
            file.writelines(half)
        again = self.assay("run", "--suite", "tiny", "--data=int", "--backend=loop", "--shard=1/3",
                           "--out", "out1", "--resume")
        self.assertEqual(again.status, 0)
        self.assertEqual({record["key"] for record in self.records("out1")}, keys[0])

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
        return lambda: np.save(path, good)

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
        self.assertEqual(sorted(os.listdir(folder)), ["module.mlir", "record.json", "repro.sh"])

    def test_a_clean_run_leaves_no_old_repro(self):
        good = self.corrupt()
        self.assertEqual(self.assay(*ONE, "--backend", "loop").status, 1)
        repro = os.path.join(self.folder, "assay-out/latest/repro")
        folder, = os.listdir(repro)
        # As scripts of earlier versions did, which ran there.
        subprocess.run([PROGRAM, *ONE, "--out", "assay-out/latest"],
                       cwd=os.path.join(repro, folder), env=self.environment(),
                       capture_output=True)
        good()
        self.assertEqual(self.assay(*ONE, "--backend", "loop").status, 0)
        self.assertFalse(os.path.exists(repro))

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
        self.assertEqual([record["verdict"] for record in self.records()], 3 * ["SKIP"])
        self.assertEqual(self.assay("run", "--suite", "tiny", "--filter", LINE, "--filter", "linear",
                                    "--quiet").status, 0)

    def test_limits(self):
        answer = self.assay(*ONE, "--backend", "loop", "--timeout", "0.0001")
        self.assertEqual(answer.status, 1)
        record, = self.records()
        self.assertEqual(record["verdict"], "TIMEOUT")
        self.assertTrue(record["repro"].endswith("' --timeout 0.0001"), record["repro"])
        self.assertEqual((record["seconds_compile"], record["seconds_run"]), (None, None))

    def test_a_limit_is_told_where_it_is_given(self):
        for words in (["--memory", "2000"], ["--timeout", "59", "--memory", "2000"], []):
            self.assertEqual(self.assay(*ONE, "--backend", "loop", *words).status, 0)
            for record in self.records():
                self.assertEqual(record["repro"].partition("' ")[2], " ".join(words) if words else "")

if __name__ == "__main__":
    unittest.main()
