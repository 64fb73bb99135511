# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay run: exit codes, streams, what is kept, reports."""

import fcntl
import json
import os
import resource
import shutil
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
        for options in ([], ["--stage", "program"], ["--stage", "tensor"], ["--stage", "llvm"],
                        ["--save", "saved"]):
            answer = self.assay("show", LINE, "--backend", "blas", *options, LD_PRELOAD=library)
            self.assert_answer(answer, 2, stderr="assay: error: --backend: 'blas' is not usable "
                               f"here: {why}\n")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "saved")))

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


class Interrupted(CommandTest):

    def interrupt(self, number):
        path = os.path.join(self.folder, "assay-out/latest/run.jsonl")
        process = subprocess.Popen([PROGRAM, "run", "--suite", "tiny", *CPU, "--jobs=1", "--quiet"],
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
        answer = self.assay("run", "--suite", "tiny", *CPU, "--resume", "--quiet")
        self.assertEqual(answer.status, 0)
        records = self.records()
        self.assertEqual(records[:len(kept)], kept)
        self.assertEqual(len({record["key"] for record in records}), total)
        self.assertEqual(len(records), total)
        self.assertIn(f"\n{total} verdicts in ", answer.stdout)
        # Nothing is left: the answer is the same, from the records alone.
        again = self.assay("run", "--suite", "tiny", *CPU, "--resume", "--quiet")
        self.assertEqual((again.status, self.records()), (0, records))

    def test_sigterm(self):
        self.assertEqual(self.interrupt(signal.SIGTERM)[0], 143)

    def test_sighup(self):
        status, _, stderr = self.interrupt(signal.SIGHUP)
        self.assertEqual((status, stderr),
                         (129, "assay: note: stopped by SIGHUP; go on with --resume\n"))

    def test_nohup(self):
        """Where the caller ignores SIGHUP the run goes on."""
        done = subprocess.run(["sh", "-c", 'trap "" HUP; "$@" & sleep 0.05; kill -HUP $!; wait $!',
                               "sh", PROGRAM, "run", "--suite", "tiny", "--quiet"],
                              cwd=self.folder, env=self.environment(), capture_output=True)
        self.assertEqual(done.returncode, 0)


class Kept(CommandTest):
    """What stands in run.jsonl is never lost to, or mixed with, another run."""

    def path(self):
        return os.path.join(self.folder, "assay-out/latest/run.jsonl")

    def text(self):
        with open(self.path()) as file:
            return file.read()

    def test_one_run_at_a_time_writes_to_a_folder(self):
        self.assertEqual(self.assay(*ONE).status, 0)
        before = self.text()
        self.write("report.md", "kept")
        with open(self.path()) as file:
            fcntl.flock(file, fcntl.LOCK_EX)  # as a run in progress
            for options in ([], ["--resume"]):
                self.assert_answer(self.assay(*ONE, "--format", "md=report.md", *options), 2,
                                   stderr="assay: assay-out/latest: error: another run writes to "
                                   "this folder\n")
        self.assertEqual(self.text(), before)
        with open(os.path.join(self.folder, "report.md")) as file:
            self.assertEqual(file.read(), "kept")
        self.assertEqual(self.assay(*ONE).status, 0)

    def test_two_runs_at_once(self):
        command = [PROGRAM, "run", "--suite", "tiny", *CPU, "--quiet"]
        first, second = (subprocess.Popen(command, cwd=self.folder, env=self.environment(), text=True,
                                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
                         for _ in range(2))
        answers = sorted((each.communicate(timeout=120)[1], each.returncode)
                         for each in (first, second))
        self.assertEqual(answers, [("", 0), ("assay: assay-out/latest: error: another run writes to "
                                            "this folder\n", 2)])
        self.assertEqual(len(self.records()), 4 * (TINY_CASES - 1) + 1)

    def change(self, **fields):
        """Rewrites the records as another environment would have made them."""
        records = self.records()
        with open(self.path(), "w") as file:
            for record in records:
                record["env"].update(fields)
                file.write(json.dumps({**record, "future": 1}, separators=(",", ":")) + "\n")

    def test_resume_runs_again_what_another_build_found(self):
        both = [*ONE, *CPU, "--filter", "linear"]
        for field in ("revision", "llvm", "blas", "assay"):
            self.assertEqual(self.assay(*both).status, 0)
            self.change(**{field: "another"})
            others = [record for record in self.records() if record["op"] == "linear"]
            answer = self.assay(*ONE, *CPU, "--resume", "--quiet")
            self.assertEqual((answer.status, answer.stderr),
                             (0, "assay: note: 2 records in assay-out/latest/run.jsonl are of another "
                              "revision, LLVM, BLAS or assay; their cases run again\n"))
            records = self.records()
            self.assertEqual(records[:2], others)  # not of this run: kept as they are
            self.assertEqual([record["env"][field] == "another" for record in records],
                             [True, True, False, False])
            self.assertIn("\n2 verdicts in ", answer.stdout)
            again = self.assay(*ONE, *CPU, "--resume", "--quiet")
            self.assertEqual((again.status, again.stderr, self.records()), (0, "", records))

    def test_resume_keeps_what_differs_in_other_ways(self):
        self.assertEqual(self.assay(*ONE).status, 0)
        self.change(cpu="another", cuda="99.9")
        before = self.text()
        answer = self.assay(*ONE, "--resume", "--quiet")
        self.assertEqual((answer.status, answer.stderr, self.text()), (0, "", before))

    def test_the_newest_of_several_records_counts(self):
        self.assertEqual(self.assay(*ONE, "--backend=loop").status, 0)
        record, = self.records()
        for verdict, status in (("FAIL", 1), ("PASS", 0)):
            with open(self.path(), "w") as file:
                for each in ("FAIL", "PASS", "FAIL", "PASS", verdict):
                    file.write(json.dumps({**record, "verdict": each}) + "\n")
            answer = self.assay(*ONE, "--backend=loop", "--resume")
            self.assertEqual(answer.status, status)
            self.assertEqual([each["verdict"] for each in self.records()], [verdict])

    def test_a_case_that_runs_again_loses_its_old_repro(self):
        self.assertEqual(self.assay(*ONE, "--backend=loop", "--timeout=0.0001").status, 1)
        self.change(revision="another")
        self.assertEqual(self.assay(*ONE, "--backend=loop", "--resume").status, 0)
        repro = os.path.join(self.folder, "assay-out/latest/repro")
        self.assertFalse(os.path.exists(repro) and os.listdir(repro))

    def test_a_full_disk_leaves_whole_lines(self):
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
            resource.setrlimit(resource.RLIMIT_FSIZE, (2000, 2000))

        done = subprocess.run([PROGRAM, "run", "--suite", "tiny", *CPU, "--jobs=1", "--quiet",
                               "--out", "assay-out/latest"],
                              cwd=self.folder, env=self.environment(), text=True,
                              capture_output=True, preexec_fn=limit)
        self.assertEqual((done.returncode, done.stderr),
                         (2, "assay: assay-out/latest/run.jsonl: error: cannot write: File too "
                          "large\n"))
        self.assertTrue(self.text().endswith("}\n"))
        self.assertTrue(0 < len(self.records()) < 4)

    def test_records_that_are_no_file(self):
        os.makedirs(os.path.dirname(self.path()))
        os.mkfifo(self.path())
        for options in ([], ["--resume"]):
            self.assert_answer(self.assay(*ONE, *options), 2, stderr="assay: "
                               "assay-out/latest/run.jsonl: error: cannot write: this is no regular "
                               "file\n")


class Reports(CommandTest):

    def test_junit_on_stdout_is_all_there_is(self):
        answer = self.assay(*ONE, "--format", "junit=-", "--format", "md=report.md")
        self.assertEqual(answer.status, 0)
        suites = xml.etree.ElementTree.fromstring(answer.raw)
        self.assertEqual([suite.get("name") for suite in suites], ["matmul blas", "matmul gpu-sim", "matmul loop"])
        self.assertEqual(suites[0][1].get("name"), f"{LINE} data=int backend=blas")
        with open(os.path.join(self.folder, "report.md")) as file:
            self.assertEqual(file.readline(), "# Assay\n")

    def test_a_report_in_the_folder_of_records(self):
        self.assertEqual(self.assay(*ONE, "--out", "new", "--format", "md=new/report.md").status, 0)
        with open(os.path.join(self.folder, "new/report.md")) as file:
            self.assertEqual(file.readline(), "# Assay\n")

    def test_reports_to_one_file(self):
        self.write("a.md", "kept")
        os.link(os.path.join(self.folder, "a.md"), os.path.join(self.folder, "b.md"))
        self.assert_answer(self.assay(*ONE, "--format", "md=a.md", "--format", "json=b.md"), 2,
                           stderr="assay: b.md: error: --format: two reports to one file\n")
        with open(os.path.join(self.folder, "a.md")) as file:
            self.assertEqual(file.read(), "kept")
        with open(os.path.join(self.folder, "own"), "w") as own:
            done = subprocess.run([PROGRAM, *ONE, *CPU, "--format", "md=own"], cwd=self.folder, stdout=own,
                                  stderr=subprocess.PIPE, text=True, env=self.environment())
        self.assertEqual((done.returncode, done.stderr), (2, "assay: own: error: --format: this is "
                         "standard output; give it as '-'\n"))

    def test_json_equals_the_records(self):
        answer = self.assay(*ONE, "--format=json=-")
        self.assertEqual(json.loads(answer.raw), self.records())


if __name__ == "__main__":
    unittest.main()
