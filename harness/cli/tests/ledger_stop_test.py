# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a signal leaves of a ledger: nothing that runs on."""

import os
import re
import signal
import subprocess
import time
import unittest

from asking import FAULTS, LedgerTest
from support import PROGRAM


class Stopping(LedgerTest):

    def test_stopping(self):
        """A signal ends the ledger and all that it has started."""
        command = [PROGRAM, "ledger", "x.mlir", *FAULTS, "--assay-fault-endless-loop", "--timeout=3600"]
        for number in (signal.SIGINT, signal.SIGTERM):
            with subprocess.Popen(command, cwd=self.folder, env=self.environment(), stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True) as process:
                while not self.heeds(process.pid, number) or len(self.running()) < 2:
                    time.sleep(0.02)
                process.send_signal(number)
                stdout, stderr = process.communicate(timeout=60)
            self.assertEqual((process.returncode, stdout), (128 + number, ""))
            self.assertIn(f"assay: note: stopped by {number.name}\n", stderr)
            self.assertEqual(self.running(), [])

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
