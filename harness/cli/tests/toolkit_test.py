# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What another ptxas, GPU or driver changes in records, and what a comparison says of it.

The ptxas are scripts that know as many registers as a test wants; cuBLAS is a fake that computes.
"""

import concurrent.futures
import json
import os
import sqlite3
import time
import unittest

from gpus import MATMUL, GpuTest
from support import FAKES, PROGRAM

PTXAS = r"""#!/bin/sh
if [ "$1" = --version ]; then echo; echo 'Build %(build)s'; exit 0; fi
case ${1#-arch=} in %(unknown)s) echo "ptxas fatal: Value '${1#-arch=}' is not defined" >&2; exit 1;; esac
for name in $(sed -n 's/.*[.]entry \([A-Za-z0-9_]*\).*/\1/p' "$6"); do
  echo "ptxas info    : Compiling entry function '$name' for '${1#-arch=}'"
  echo "ptxas info    : Function properties for $name"
  echo '    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads'
  echo 'ptxas info    : Used %(registers)d registers, used 1 barriers, 1024 bytes smem'
done >&2
echo "fake cubin ${1#-arch=}" >"$5"
"""


class ToolkitTest(GpuTest):
    def ptxas(self, build, registers, unknown="none"):
        path = self.write(f"ptxas-{build}", PTXAS % {"build": build, "registers": registers, "unknown": unknown})
        os.chmod(path, 0o755)
        return path

    def bench(self, out, *options, backend="gpu-sim", **variables):
        answer = self.assay("bench", "--case", MATMUL, "--backend", backend, "--repetitions", "2", "--min-time", "0.001",
                            "--out", out, *options, XDG_CACHE_HOME=self.folder, **variables)
        self.assertEqual(answer.status, 0, answer.stderr)
        return answer, self.records(out)[0]

    def unsure(self, base, new, *options):
        """Rows that are UNSURE, by metric, of a comparison whose gate passes."""
        answer = self.assay("compare", base, new, "--gate", "--format", "json=rows.json", *options)
        self.assertEqual(answer.status, 0, answer.stdout)
        with open(os.path.join(self.folder, "rows.json")) as file:
            rows = json.load(file)["rows"]
        self.assertEqual({row["verdict"] for row in rows} - {"SAME", "UNSURE"}, set())
        return {row["metric"]: row["reason"] for row in rows if row["verdict"] == "UNSURE"}


class PtxasTest(ToolkitTest):
    def test_counters_of_another_are_unsure(self):
        named = {"old": self.ptxas("12.4", 200, unknown="sm_100|sm_120"), "new": self.ptxas("13.0", 40), "none": ""}
        made = {name: self.bench(name, "--store", "all.db", "--tag", name, ASSAY_PTXAS=path)
                for name, path in named.items()}
        self.assertEqual([record["env"]["ptxas"] for _, record in made.values()], ["Build 12.4", "Build 13.0", None])
        registers = {name: {key: value for key, value in record["counters"].items() if key.endswith("_registers")}
                     for name, (_, record) in made.items()}
        self.assertEqual(registers, {"old": {"sm_80_registers": 200, "sm_90_registers": 200}, "none": {}, "new": {
            f"sm_{number}_registers": 40 for number in (80, 90, 100, 120)}})
        self.assertEqual([record["counters"]["kernels"] for _, record in made.values()], 3 * [1])
        self.assertIn("not counted for each architecture: sm_100: ", made["old"][0].stderr)
        for base, new in (("old", "new"), ("new", "old"), ("new", "none"), ("none", "new")):
            for options in ([], ["--store", "all.db"]):
                with self.subTest(base=base, new=new, options=options):
                    builds = [made[name][1]["env"]["ptxas"] or "none" for name in (base, new)]
                    found = self.unsure(base, new, *options)
                    found.pop("compile", None)  # two samples are few
                    self.assertEqual(set(found.values()), {f"another ptxas: {builds[0]}, then {builds[1]}"})
                    self.assertEqual({name for name in found if name.endswith("_registers")},
                                     set(registers[base]) | set(registers[new]))
        # Of one ptxas another number is a change.
        self.ptxas("13.0", 41)
        self.bench("again", ASSAY_PTXAS=named["new"])
        answer = self.assay("compare", "new", "again", "--gate")
        self.assertEqual(answer.status, 1)
        self.assertIn("CHANGED   sm_80_registers", answer.stdout)

    def test_nothing_else_asks_for_it(self):
        path = self.write("ptxas", "#!/bin/sh\necho called >>$0.log\nexit 1\n")
        os.chmod(path, 0o755)
        self.assertEqual(self.assay("run", "--case", MATMUL, "--backend", "loop", "--out", "out",
                                    ASSAY_PTXAS=path).status, 0)
        self.assertFalse(os.path.exists(path + ".log"))
        self.assertIsNone(self.records("out")[0]["env"]["ptxas"])

    def test_one_that_does_not_work_is_none(self):
        path = self.write("ptxas", "#!/bin/sh\nexit 3\n")
        os.chmod(path, 0o755)
        answer, record = self.bench("out", ASSAY_PTXAS=path)
        self.assertIsNone(record["env"]["ptxas"])
        self.assertEqual(record["counters"]["kernels"], 1)
        self.assertIn("note: registers and spills of kernels are not counted: ", answer.stderr)


class DoctorTest(ToolkitTest):
    def test_doctor_says_what_ptxas_lacks(self):
        ptxas = os.path.join(self.folder, "ptxas")
        for given, script, said in (
                ("", "", "ASSAY_PTXAS is empty"),
                (ptxas, "", "what ASSAY_PTXAS names is no executable file: FOLDER/ptxas"),
                (ptxas, "echo broken; exit 3", "FOLDER/ptxas does not work: exit status 3: broken; ASSAY_PTXAS=FILE names another"),
                (ptxas, "echo", "FOLDER/ptxas does not work: it tells no version; ASSAY_PTXAS=FILE names another"),
                (ptxas, r"printf '\033[31mBuild\a 1'", "FOLDER/ptxas (Build? 1)")):
            with self.subTest(script=script):
                self.write("ptxas", f"#!/bin/sh\n{script}\n")
                os.chmod(ptxas, 0o755 if script else 0o644)
                answer = self.cuda("doctor", ASSAY_PTXAS=given)
                self.assert_narrow(answer.raw)
                self.assertIn(f" ptxas {said} numpy ", " ".join(answer.stdout.split()))

    def test_doctor_without_ptxas(self):
        said = self.assay("doctor", PATH="/nowhere").stdout
        if "none on PATH" in said:  # no toolkit is installed
            self.assertIn("installed; ASSAY_PTXAS=FILE names one", " ".join(said.split()))


class FaultsTest(ToolkitTest):
    """A ptxas that hangs has started a process of its own, which is to end with it."""

    def setUp(self):
        super().setUp()
        self.place = os.path.join(self.folder, "place")
        os.mkdir(self.place)

    def hanging(self, name, script):
        path = self.write(name, f"#!/bin/sh\n{script}\nsleep 600 &\necho $! >>$0.log\nwait\n")
        os.chmod(path, 0o755)
        return path

    def left(self, path):
        """What is still there of it: its processes and its folders."""
        with open(f"{path}.log") as file:
            numbers = file.read().split()
        running = []
        for number in numbers:
            try:
                with open(f"/proc/{number}/stat") as file:
                    running += [number] if file.read().rpartition(")")[2].split()[0] not in "ZX" else []
            except FileNotFoundError:
                pass
        return running + os.listdir(self.place)

    def assert_gone(self, path):
        deadline = time.monotonic() + 20
        while self.left(path) and time.monotonic() < deadline:
            time.sleep(0.02)
        self.assertEqual(self.left(path), [])

    def test_what_was_not_told_is_not_counted(self):
        for silent in ("", "echo '\001 noise'", "echo \"ptxas info    : Compiling entry function 'matmul_0' for 'sm_80'\""):
            with self.subTest(silent=silent):
                path = self.write("ptxas-1", f"#!/bin/sh\n[ $1 = --version ] && exec echo Build 1\n{silent}\necho cubin >$5\n")
                os.chmod(path, 0o755)
                answer, record = self.bench("silent", ASSAY_PTXAS=path)
                self.assertRegex(answer.stderr, "not counted: sm_80: ptxas (says nothing|tells no registers) of kernel 'matmul_0'")
                self.assertEqual([name for name in record["counters"] if name.startswith("sm_")], [])
                self.assertEqual(record["env"]["ptxas"], "Build 1")
                # One that tells is not held to what the other has left.
                _, record = self.bench("good", ASSAY_PTXAS=self.ptxas("1", 40))
                self.assertEqual(record["counters"]["sm_80_registers"], 40)
                self.assertEqual(record["counters"]["sm_80_spill_bytes"], 0)
        answer = self.assay("compare", "good", "silent", "--gate")
        self.assertEqual(answer.status, 1, answer.stdout)
        self.assertIn("it is not counted any more", answer.stdout)

    def test_one_that_hangs_is_waited_for_a_while(self):
        version, code = self.hanging("version", ""), self.hanging("code", '[ "$1" = --version ] && exec echo Build 1')
        with concurrent.futures.ThreadPoolExecutor() as pool:
            doctor = pool.submit(self.assay, "doctor", ASSAY_PTXAS=version, TMPDIR=self.place)
            made = pool.submit(self.bench, "out", ASSAY_PTXAS=code, TMPDIR=self.place)
            said = " ".join(doctor.result().stdout.split())
            answer, record = made.result()
        self.assertIn("FOLDER/version does not work: not done within 10 s; ASSAY_PTXAS=FILE names another", said)
        self.assertEqual(record["verdict"], "PASS")
        self.assertIn("not counted: sm_80: not done within 20 s", answer.stderr)
        with open(f"{code}.log") as file:
            self.assertEqual(file.read().count("\n"), 1)  # not for each architecture
        for path in (version, code):
            self.assert_gone(path)

    def test_one_that_hangs_ends_with_its_case(self):
        path = self.hanging("code", '[ "$1" = --version ] && exec echo Build 1')
        self.assay("bench", "--case", MATMUL, "--backend", "gpu-sim", "--repetitions", "1", "--timeout", "2", "--out", "out",
                   XDG_CACHE_HOME=self.folder, ASSAY_PTXAS=path, TMPDIR=self.place)
        self.assertEqual([record["verdict"] for record in self.records("out")], ["TIMEOUT"])
        self.assert_gone(path)


class DeviceTest(ToolkitTest):
    there = {"LD_LIBRARY_PATH": FAKES, "CUDA_VISIBLE_DEVICES": "0", "ASSAY_PTXAS": ""}

    def bench(self, out, *options, **variables):
        return super().bench(out, *options, "--quiet", backend="cublas", **{**self.there, **variables})

    def test_timings_of_another_are_unsure(self):
        for name, variables in (("one", {}), ("driver", {"FAKE_CUDA_DRIVER": "12080"}),
                                ("gpu", {"FAKE_CUDA_ARCHITECTURE": "80"})):
            self.bench(name, "--store", "all.db", "--tag", name, "--format", f"csv={name}.csv", **variables)
        names = {name: self.records(name)[0]["env"]["cuda"] for name in ("one", "driver", "gpu")}
        for other in ("driver", "gpu"):
            for options in ([], ["--store", "all.db"]):
                found = self.unsure("one", other, *options)
                self.assertEqual(found["run"], f"another GPU or driver: {names['one']}, then {names[other]}")
                self.assertEqual(found["compile"], found["run"])
        found = self.unsure("one", "one")
        self.assertNotIn("GPU", found.get("run") or "")
        for name, text in names.items():
            with open(os.path.join(self.folder, f"{name}.csv")) as file:
                self.assertIn(f'"{text}",,device', file.read())

    def test_a_store_of_before(self):
        self.bench("one", "--store", "old.db", "--tag", "one")
        database = sqlite3.connect(os.path.join(self.folder, "old.db"))
        database.executescript("DROP VIEW runs; ALTER TABLE environments DROP COLUMN ptxas; ALTER TABLE records"
                               " DROP COLUMN clock; CREATE VIEW runs AS SELECT 1; PRAGMA user_version = 2")
        database.close()
        answer = self.assay("compare", "one", "one", "--store", "old.db")
        self.assertEqual((answer.status, answer.stderr), (0, ""))
        self.bench("two", "--store", "old.db", "--tag", "two")
        self.assertEqual(self.assay("compare", "one", "two", "--store", "old.db").status, 0)


class SimulatorTest(ToolkitTest):
    def test_no_seconds_of_it_are_told(self):
        self.assertEqual(self.assay("run", "--case", MATMUL, "--backend", "gpu-sim", "--data", "int,real", "--out", "out",
                                    "--store", "all.db", "--format", "csv=out.csv", "--quiet").status, 0)
        records = self.records("out")
        self.assertEqual([record["seconds_run"] for record in records], [None, None])
        self.assertGreater(records[0]["seconds_compile"], 0)
        self.assertEqual([record["counters"]["launches"] for record in records], [1, 1])
        with open(os.path.join(self.folder, "out.csv")) as file:
            head, *rows = (line.split(",") for line in file.read().splitlines())
        self.assertEqual([(row[head.index("seconds_run")], row[head.index("launches")]) for row in rows], 2 * [("", "1")])
        database = sqlite3.connect(os.path.join(self.folder, "all.db"))
        self.assertEqual(database.execute("SELECT seconds_run, threads, cold FROM records").fetchall(),
                         2 * [(None, None, None)])
        database.close()

    def test_what_was_only_compiled_is_no_timing(self):
        for data, told in ("real", "1 compilation timed alone in "), ("int,real", "2 compilations timed alone in "):
            answer = self.assay("bench", "--case", MATMUL, "--backend", "gpu-sim", "--data", data, "--out", data)
            self.assertEqual(answer.status, 0)
            self.assertIn(f"\n{told}", answer.stdout)
            self.assertNotIn("timings", answer.stdout)

    def test_its_runs_are_no_pairs(self):
        answer = self.assay("bench", "--case", MATMUL, "--backend", "gpu-sim", "--against", PROGRAM, "--out", "out")
        self.assert_answer(answer, 2, stderr="assay: error: --backend: 'gpu-sim' only simulates a device: its runs are "
                                             "not timed, and --against times runs\n")
        self.assertFalse(os.path.exists(os.path.join(self.folder, "out")))

    def test_what_no_tail_runs_is_not_judged(self):
        answer = self.assay("run", "--random", "2", "--backend", "gpu-sim,loop", "--data", "int", "--out", "out", "--quiet")
        self.assertEqual(answer.status, 0, answer.stderr)
        found = {(record["backend"], record["verdict"]) for record in self.records("out")}
        self.assertEqual(found, {("gpu-sim", "SKIP"), ("loop", "PASS")})
        for record in self.records("out"):
            if record["backend"] == "gpu-sim":
                self.assertRegex(record["reason"], r"^not all passes are judged: what \d+ \S+ left was not run")
        row, = (line.split() for line in answer.raw.splitlines() if line.startswith("random  gpu-sim"))
        self.assertEqual(row[2:7], ["2", "0", "0", "0", "2"])  # none passed, all skipped
        alone = self.assay("run", "--random", "1", "--backend", "gpu-sim", "--data", "int", "--out", "out", "--quiet")
        self.assertEqual(alone.status, 2)
        self.assertIn("everything selected was skipped: not all passes are judged", alone.stderr)
        besides = self.assay("run", "--case", MATMUL, "--passes", "--backend", "gpu-sim", "--data", "int", "--out", "out")
        self.assertEqual(besides.status, 0, besides.stderr)
        self.assertEqual([(record["kind"], record["verdict"]) for record in self.records("out")],
                         [("run", "PASS"), ("ledger", "SKIP")])


if __name__ == "__main__":
    unittest.main()
