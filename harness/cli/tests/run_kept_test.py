# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay run: what is kept, of a run that was stopped too, and reports."""

import fcntl
import json
import os
import resource
import signal
import subprocess
import time
import unittest
import xml.etree.ElementTree

from support import LINE, PROGRAM, TINY_CASES, CommandTest

ONE = ["run", "--suite", "tiny", "--filter", LINE, "--data", "int"]
CPU = ["--backend", "blas,loop"]


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
