# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""ci/gate: timings against another build, those of the baseline, and a program that is interrupted."""

import os
import subprocess
import time
import unittest

from gating import GATE, RECORDS, GateTest
from support import PROGRAM


class Timings(GateTest):
    def test_timings_of_the_baseline_are_not_missed(self):
        self.assertEqual(self.run_gate()[0], 0)
        self.rewrite("assay-baseline/run.jsonl",
                     lambda records: records + [{**record, "kind": "bench"} for record in records])
        self.assertEqual(self.run_gate()[0], 0)
        self.write("ours", "[matmul]\nmargin.gate = no")
        self.assertEqual(self.run_gate("--thresholds", "ours")[0], 0)
        self.write("ours", "vanished.kind.gate = yes\n")
        self.assertEqual(self.run_gate("--thresholds", "ours")[0], 1)
        with open(os.path.join(self.folder, "assay-gate/summary.md")) as file:
            self.assertIn(f"{RECORDS} records of kind bench vanished: NEW has none", file.read())
        self.write("ours", "\nrun.gaet = no\n")
        status, _, _ = self.run_gate("--thresholds", "ours")
        self.assertEqual(status, 2)

    def test_timings_against_another_build(self):
        self.write("mine.cases", "matmul m=2 k=3 n=4\n")
        fast = ["--bench=--suite=./mine.cases", "--bench=--backend=loop", "--bench=--repetitions=2",
                "--bench=--min-time=0.001"]
        status, last, printed = self.run_gate("--against", PROGRAM, *fast)
        self.assertEqual(status, 0, last)
        self.assertIn("matmul", printed)
        with open(os.path.join(self.folder, "assay-gate/summary.md")) as file:
            text = file.read()
        self.assertIn("## Timings", text)
        self.assertRegex(text, r"no timing can be found slower: 2 pairs; at this false-alarm rate it takes \d+")
        self.assertEqual(self.run_gate("--against", "./nothing", *fast)[0], 2)
        self.assertRegex(self.read("assay-gate/summary.md"), r"\A\u274c \*\*Gate: cannot tell: assay bench ended")
        self.assertIn("assay bench ended with 2", self.read("assay-gate/junit.xml"))

    def test_a_timing_that_fails_is_in_all_that_is_published(self):
        fake = self.write("fake", f"""#!/bin/sh
if [ "$1" = bench ]; then
  while [ $# -gt 0 ]; do
    case $1 in json=*) printf '%s\\n' '{{"kind":"bench","key":"matmul m=2 backend=loop","metric":"run","base":1,"new":2,"ratio":2.0,"low":1.9,"high":2.1,"verdict":"SLOWER","worse":true,"gate":true,"reason":null}}' >"${{1#json=}}" ;; esac
    shift
  done
  echo 'SLOWER  matmul'
  exit 1
fi
exec {PROGRAM} "$@"
""")
        os.chmod(fake, 0o755)
        done = subprocess.run([GATE, "--suite=./mine.cases", "--against=base"], cwd=self.folder, text=True,
                              capture_output=True, env=self.environment(ASSAY=fake, ASSAY_REVISION="r1"))
        self.assertEqual(done.returncode, 1, done.stderr)
        self.assertTrue(self.read("assay-gate/summary.md").startswith(
            "\u274c **Gate: regression: timings against base fail the gate**\n"))
        for name in ("summary.md", "report.html", "junit.xml", "annotations.txt"):
            self.assertIn("SLOWER matmul m=2 backend=loop: run, 2.0 times the base", self.read(f"assay-gate/{name}"))

    def test_the_program_ends_with_the_gate(self):
        fake = self.write("fake", "#!/bin/sh\ntrap 'echo ended >ended; exit 143' TERM\necho $$ >begun\n"
                                  "while :; do sleep 0.05; done\n")
        os.chmod(fake, 0o755)
        gate = subprocess.Popen([GATE, "--suite=./mine.cases"], cwd=self.folder, stderr=subprocess.DEVNULL,
                                env=self.environment(ASSAY=fake, ASSAY_REVISION="r1"))
        while not self.exists("begun"):
            time.sleep(0.02)
        gate.terminate()
        self.assertEqual(gate.wait(timeout=60), 2)
        self.assertTrue(self.exists("ended"))
        self.assertIn("cannot tell: interrupted", self.read("assay-gate/summary.md"))


if __name__ == "__main__":
    unittest.main()
