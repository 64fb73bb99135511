# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Real trials of `assay bench --against`: what it calls where nothing changed, and whether it finds
what was planted.

Each trial is one command as a user gives it, in a folder of its own. The planted slowdown is a busy
wait in one backend's run (harness/cli/tests/slowed.c). Nobody looks at a result before it counts:
each trial is printed as it comes, and none is repeated or left out.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time

BUILD = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "build")
CASE = "matmul m=256 k=256 n=256"  # a third of a millisecond; --case and --backend take another
BACKEND = "blas"

# Name, percent planted, options, seconds that each trial may take, trials of 20 that may go wrong.
EXPERIMENTS = [
    ("nothing changed", 0, [], None, 0),
    ("3 % slower", 3, [], 60, 1),
    ("10 % slower", 10, ["--repetitions", "13", "--min-time", "0.02"], 10, 1),
]


def trial(case, backend, percent, options):
    """The timing rows of one comparison, and the seconds that it took."""
    program = os.path.join(BUILD, "assay_slowed" if percent else "assay")
    environment = dict(os.environ, ASSAY_SLOWED_PERCENT=str(percent), ASSAY_SLOWED_BACKEND=backend)
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        done = subprocess.run([program, "bench", "--case", case, "--backend", backend, "--quiet",
                               "--against", os.path.join(BUILD, "assay"), "--out", folder,
                               "--format", "json=-", *options],
                              text=True, capture_output=True, env=environment)
        seconds = time.monotonic() - start
    if done.returncode != 0:
        sys.exit(f"prove_gate_real: a trial failed: {done.stderr}")
    rows = json.loads(done.stdout)["rows"]
    return {row["metric"]: row for row in rows if row["metric"] in ("run", "compile")}, seconds


def is_right(percent, rows):
    run, compiling = rows["run"]["verdict"], rows["compile"]["verdict"]
    called = ("SLOWER", "FASTER")
    return run == "SLOWER" if percent else run not in called and compiling not in called


def describe(row):
    if isinstance(row["low"], (int, float)) and isinstance(row["high"], (int, float)):
        return f"{row['ratio']:.4f} [{row['low']:.4f}, {row['high']:.4f}] {row['verdict']:6}"
    return f"{row['ratio']:.4f} [no interval] {row['verdict']:6}"


def experiment(given, name, percent, options, most_seconds):
    right = late = 0
    spent = []
    print(f"\n{name}: assay bench --against, {given.case}, {given.backend} {' '.join(options)}"
          .rstrip())
    for number in range(1, given.trials + 1):
        rows, seconds = trial(given.case, given.backend, percent, options)
        found = is_right(percent, rows)
        right += found and (most_seconds is None or seconds <= most_seconds)
        late += most_seconds is not None and seconds > most_seconds
        spent.append(seconds)
        print(f"  {number:2}  run {describe(rows['run'])}  compile {describe(rows['compile'])} "
              f"{seconds:5.1f} s", flush=True)
    words = "SLOWER" if percent else "not called"
    limit = f", {late} of them too late (at most {most_seconds} s)" if most_seconds else ""
    print(f"  {right} of {given.trials} {words}{limit}; {min(spent):.1f} to {max(spent):.1f} s each")
    return right


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--trials", type=int, default=20)
    parser.add_argument("--case", default=CASE)
    parser.add_argument("--backend", default=BACKEND)
    given = parser.parse_args()
    kept = True
    for name, percent, options, seconds, wrong in EXPERIMENTS:
        right = experiment(given, name, percent, options, seconds)
        kept &= right >= given.trials * (1 - wrong / 20)
    print("\nall bounds are kept" if kept else "\na bound is not kept")
    return 0 if kept else 1


if __name__ == "__main__":
    sys.exit(main())
