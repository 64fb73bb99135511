# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a signal leaves of a ledger: what was known, and nothing that runs on."""

import json
import os
import re
import signal
import subprocess
import time
import unittest

from asking import FAULTS, LedgerTest
from support import PROGRAM


class Stopping(LedgerTest):

    def stop(self, command, children, number=signal.SIGINT, after=""):
        """What a command prints that gets a signal once it has printed a line and so many processes run."""
        with open(self.path("stderr"), "w+") as errors, \
                subprocess.Popen([PROGRAM, "ledger", *command, "--timeout=3600"], cwd=self.folder,
                                 env=self.environment(), stdout=subprocess.PIPE, stderr=errors,
                                 text=True) as process:
            line = process.stdout.readline() if after else ""
            self.assertIn(after, line)
            while not self.heeds(process.pid, number) or len(self.running()) < children:
                time.sleep(0.02)
            process.send_signal(number)
            stdout = line + process.stdout.read()
            process.wait(60)
            errors.seek(0)
            stderr = errors.read()
        self.assertEqual(process.returncode, 128 + number, stderr)
        self.assertIn(f"assay: note: stopped by {number.name}\n", stderr)
        self.assertEqual(self.running(), [])
        return stdout

    def test_stopping(self):
        """A signal ends the ledger and all that it has started; what the passes did so far is told."""
        for number in (signal.SIGINT, signal.SIGTERM):
            stdout = self.stop(["x.mlir", *FAULTS, "--canonicalize", "--assay-fault-slice-offset",
                                "--assay-fault-fork", "--assay-fault-endless-loop", "--json=a.json"],
                               3, number)  # the ledger, the stepping, what the pass has forked
            self.assertRegex(stdout, r"(?m)^ +2  assay-fault-slice-offset .* not run: stopped$")
            self.assertEqual(stdout.splitlines()[-1], "inconclusive: stopped, with 0 of 1 states judged, "
                             "and before the end of the pipeline")
            with open(self.path("a.json")) as file:
                answer = json.load(file)
            self.assertEqual((answer["stopped"], answer["first_bad"]), (True, None))
            self.assertTrue(answer["inconclusive"].startswith("stopped, "))
            self.assertEqual([(row["n"], row["changed"]) for row in answer["passes"]][:2],
                             [(1, False), (2, True)])

    def test_what_was_answered_is_kept(self):
        """Of two entries the second never ends: the first one's answer stands."""
        self.write("two.mlir", """func.func @first(%a: f32, %b: f32) -> f32 {
  %d = arith.subf %a, %b : f32
  return %d : f32
}
func.func @second() {
  %true = arith.constant true
  scf.while : () -> () {
    scf.condition(%true)
  } do {
    scf.yield
  }
  return
}
""")
        command = ["two.mlir", *FAULTS, "--assay-fault-swapped-operands", "--entry=all", "--jobs=1"]
        # The ledger, a tail, and a run of the second's program.
        stdout = self.stop([*command, "--json=a.json"], 3, after="two.mlir @first\n")
        self.assertIn("first bad pass: 1 assay-fault-swapped-operands (miscompile)\n", stdout)
        with open(self.path("a.json")) as file:
            answer = json.load(file)
        first, second = answer["pieces"]
        self.assertEqual((first["first_bad"]["class"], first["stopped"]), ("miscompile", False))
        self.assertEqual((second["first_bad"], second["stopped"]), (None, True))
        self.assertEqual((answer["first_bad"]["n"], answer["stopped"]), (1, True))

    def test_a_program_that_runs_on_after_a_kill(self):
        self.write("loop.mlir", """func.func @main() -> i32 {
  %true = arith.constant true
  %one = arith.constant 1 : i32
  %r = scf.while (%a = %one) : (i32) -> i32 {
    scf.condition(%true) %a : i32
  } do {
  ^bb0(%b: i32):
    scf.yield %b : i32
  }
  return %r : i32
}
""")
        command = [PROGRAM, "ledger", "loop.mlir", "--cse", "--timeout=3600", "--jobs=1", "--quiet"]
        with subprocess.Popen(command, cwd=self.folder, env=self.environment()) as process:
            while len(self.running()) < 3:  # the ledger, a tail, and a run of the program
                time.sleep(0.02)
            process.kill()
        deadline = time.monotonic() + 30
        while self.running() and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(self.running(), [])

    @staticmethod
    def heeds(pid, number):
        """Whether the process has a handler for the signal by now."""
        with open(f"/proc/{pid}/status") as file:
            caught = re.search(r"^SigCgt:\s*(\w+)$", file.read(), re.MULTILINE)
        return int(caught.group(1), 16) >> (number - 1) & 1 == 1

    def running(self):
        found = []
        for pid in filter(str.isdigit, os.listdir("/proc")):
            try:
                with open(f"/proc/{pid}/stat") as file:
                    state = file.read().rpartition(")")[2].split()[0]
                if os.readlink(f"/proc/{pid}/cwd") == os.path.realpath(self.folder) and state != "Z":
                    found.append(pid)
            except OSError:
                pass  # it ended meanwhile
        return found


if __name__ == "__main__":
    unittest.main()
