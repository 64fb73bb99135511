# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cmake --install into a prefix of its own, and ci/outside, which finds it with find_package: its backend,
its cases, a wrong answer of it; the manual page, completion, and data that are found wherever the prefix is.

The environment gives ASSAY_BUILD and ASSAY_SOURCE, the build and the source folder.
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

BUILD = os.environ["ASSAY_BUILD"]
SOURCE = os.environ["ASSAY_SOURCE"]
PYTHON = os.path.join(SOURCE, ".venv/bin/python")


def environment(**variables):
    ours = ("ASSAY_ROOT", "ASSAY_PYTHON", "ASSAY_REVISION", "DESTDIR", "NO_COLOR")
    return {**{name: value for name, value in os.environ.items() if name not in ours}, **variables}


def call(*command, cwd=None, **variables):
    return subprocess.run(command, cwd=cwd, env=environment(**variables), text=True, capture_output=True,
                          timeout=500)


def built():
    """What a build starts from and ends with, with its times."""
    return {name: os.stat(os.path.join(BUILD, name)).st_mtime_ns
            for name in ("assay", "build.ninja", "CMakeCache.txt", "harness/cli/libassay_cli.a")}


class Installed(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.mkdtemp(prefix="assay install, ")  # a path that wants to be quoted
        cls.addClassCleanup(shutil.rmtree, cls.base)
        cls.prefix = os.path.join(cls.base, "prefix")
        before = built()
        # Without what debuggers need, which is most of it.
        cls.succeed("cmake", "--install", BUILD, "--prefix", cls.prefix, "--strip")
        if built() != before:
            raise AssertionError("installing changes the build")
        cls.assay = os.path.join(cls.prefix, "bin/assay")

    @classmethod
    def succeed(cls, *command, cwd=None, **variables):
        done = call(*command, cwd=cwd or cls.base, **variables)
        if done.returncode != 0:
            raise AssertionError(f"{command} ends with {done.returncode}: {done.stdout}{done.stderr}")
        return done.stdout

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.base)

    def test_the_program_finds_its_data(self):
        run = [self.assay, "run", "--filter", "matmul m=3 k=5 n=7", "--data=int", "--quiet"]
        self.succeed(*run, cwd=self.folder)
        moved = os.path.join(self.base, "elsewhere")
        os.rename(self.prefix, moved)
        try:
            doctor = self.succeed(os.path.join(moved, "bin/assay"), "doctor")
        finally:
            os.rename(moved, self.prefix)
        self.assertIn(f"{moved}/share/assay\n", doctor)

    def test_the_oracle(self):
        live = [self.assay, "run", "--case", "matmul m=3 k=5 n=9", "--data=int", "--quiet"]
        self.succeed(*live, cwd=self.folder, ASSAY_PYTHON=PYTHON)
        done = call(*live, cwd=self.folder, ASSAY_PYTHON="/nowhere/python")
        self.assertEqual((done.returncode, done.stderr),
                         (2, "assay: /nowhere/python: error: no Python for the oracle; set ASSAY_PYTHON to a "
                             "Python that has NumPy >= 2\n"))
        with open(os.path.join(self.prefix, "share/assay/python")) as file:
            self.assertEqual(file.read().count("\n"), 1)

    def test_revision(self):
        listed = self.succeed(self.assay, "doctor")
        given = self.succeed(self.assay, "doctor", ASSAY_REVISION="mine-7")
        self.assertRegex(listed, r"(?m)^revision +(\S+|unknown.*)$")
        self.assertRegex(given, r"(?m)^revision +mine-7$")

    def test_the_manual_page(self):
        with open(os.path.join(self.prefix, "share/man/man1/assay.1")) as file:
            page = file.read().replace("\\-", "-").replace("\\e", "\\").replace("\\&", "")
        verbs = re.findall(r"^  (\w+) ", self.succeed(self.assay, "--help").split("verbs:")[1], re.MULTILINE)
        self.assertIn("ledger", verbs)
        for verb in verbs:
            if verb != "assay":
                self.assertIn(f".SS assay {verb}\n", page)
        for verb in ("run", "compare"):
            self.assertIn(self.succeed(self.assay, verb, "--help"), page)
        for name in ("ASSAY_PYTHON", "ASSAY_PTXAS"):
            self.assertIn(f".B {name}\n", page)

    def complete(self, *words, **variables):
        """The words that bash offers for the last of the words."""
        script = os.path.join(self.prefix, "share/bash-completion/completions/assay")
        parts = [part for word in words for part in re.split("(=)", word) if part] + ([""] if words[-1] == "" else [])
        if words[-1].endswith("="):
            previous, current = parts[-2], "="
        else:
            previous, current = parts[-2] if len(parts) > 1 else "", parts[-1]
        done = call("bash", "-c", 'compopt() { :; }; . "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); '
                    '_assay "$1" "$current" "$previous"; printf "%s\\n" "${COMPREPLY[@]}"', "bash", script,
                    *parts, **variables, current=current, previous=previous, PATH=f"{self.prefix}/bin:{os.environ['PATH']}")
        self.assertEqual(done.stderr, "")
        return done.stdout.split()

    def test_completion(self):
        self.assertEqual(self.complete("assay", "re"), ["reduce", "report", "references"])
        self.assertEqual(self.complete("assay", "run", "--sh"), ["--shard"])
        options = set(re.findall(r"^  (--[a-z-]+)", self.succeed(self.assay, "bench", "--help"), re.MULTILINE))
        self.assertEqual(set(self.complete("assay", "bench", "--")), options)
        self.assertEqual(self.complete("assay", "run", "--backend", ""), ["blas", "cublas", "cuda", "gpu-sim", "loop"])
        self.assertEqual(self.complete("assay", "run", "--backend="), ["blas", "cublas", "cuda", "gpu-sim", "loop"])
        self.assertEqual(self.complete("assay", "run", "--backend=blas,l"), ["blas,loop"])
        self.assertEqual(self.complete("assay", "run", "--suite", "sm"), ["smoke"])
        self.assertEqual(self.complete("assay", "report", "--format", "ju"), ["junit="])
        self.assertEqual(self.complete("assay", "run", "--data", ""), ["int", "real"])
        self.assertEqual(self.complete("assay", "references", "c"), ["check"])

    def test_completion_of_a_program_by_its_path(self):
        home = os.path.join(self.folder, "my home")
        os.mkdir(home)
        os.symlink(self.assay, os.path.join(home, "assay"))
        for typed in ("~/assay", os.path.join(self.folder, "my\\ home/assay"), f"'{home}/assay'", f'"{home}/assay"'):
            self.assertEqual(self.complete(typed, "re", HOME=home), ["reduce", "report", "references"], typed)
            self.assertEqual(self.complete(typed, "run", "--backend", "", HOME=home), ["blas", "cublas", "cuda", "gpu-sim", "loop"], typed)

    def test_the_gate_is_there(self):
        gate = os.path.join(self.prefix, "share/assay/ci/gate")
        self.succeed(gate, "--suite=smoke", "--", "--filter=matmul", "--backend=loop", "--data=int",
                     cwd=self.folder, ASSAY=self.assay)
        self.succeed(gate, "--suite=smoke", "--", "--filter=matmul", "--backend=loop", "--data=int",
                     cwd=self.folder, ASSAY=self.assay)


class Outside(unittest.TestCase):
    """A project that knows nothing but the prefix."""

    @classmethod
    def setUpClass(cls):
        Installed.setUpClass.__func__(cls)
        cls.project = os.path.join(cls.base, "mine")
        shutil.copytree(os.path.join(SOURCE, "ci/outside"), cls.project)
        cls.build = os.path.join(cls.project, "build")
        cls.succeed("cmake", "-S", cls.project, "-B", cls.build, "-G", "Ninja", "-DMINE_CROOKED=ON",
                    f"-DCMAKE_PREFIX_PATH={cls.prefix}")
        cls.succeed("cmake", "--build", cls.build)
        cls.mine = os.path.join(cls.build, "mine")

    succeed = classmethod(Installed.succeed.__func__)

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.base)

    def run_mine(self, *arguments):
        done = call(self.mine, "run", "--quiet", "--out=out", *arguments, cwd=self.folder, ASSAY_PYTHON=PYTHON)
        with open(os.path.join(self.folder, "out/run.jsonl")) as file:
            return done, [json.loads(line) for line in file]

    def test_its_backends_are_listed(self):
        self.assertEqual(self.succeed(self.mine, "list", "backends"), "blas\ncrooked\ncublas\ncuda\ngpu-sim\nloop\nnaive\n")
        self.assertIn("backend naive: three loops\n  usable\n", self.succeed(self.mine, "doctor"))
        done = call(self.mine, "run", "--backend=naiv")
        self.assertIn("unknown backend 'naiv'; did you mean 'naive'?", done.stderr)
        done = call(self.mine, "run", "--random=2", "--backend=naive", cwd=self.folder)
        self.assertEqual(done.returncode, 2)
        self.assertIn("no backend that is usable here and named by --backend lowers with a built-in pipeline", done.stderr)
        done = call(self.mine, "run", "--suite=mini")
        self.assertIn("unknown suite 'mini'; did you mean 'mine'?", done.stderr)

    def test_its_cases_pass(self):
        done, records = self.run_mine("--suite=mine", "--backend=naive")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual(len(records), 14)
        self.assertEqual({(record["backend"], record["verdict"]) for record in records}, {("naive", "PASS")})
        self.assertEqual(self.succeed(self.mine, "list", "cases", "--suite=mine").count("\n"), 7)

    def test_its_wrong_answer_fails(self):
        done, records = self.run_mine("--suite=mine", "--backend=crooked,loop", "--data=int")
        self.assertEqual(done.returncode, 1)
        for record in records:
            self.assertEqual(record["verdict"], "FAIL" if record["backend"] == "crooked" else "PASS")
        # The command that shows it again is one of this program, whatever its path needs of quotes.
        repro = next(record["repro"] for record in records if record["verdict"] == "FAIL")
        again = call("sh", "-c", repro + " --out=again", cwd=self.folder, ASSAY_PYTHON=PYTHON)
        self.assertEqual(again.returncode, 1, again.stderr)
        self.assertIn("FAIL", again.stdout)

    def test_what_only_programs_call_is_linked(self):
        # memrefCopy is one of MLIR's runner functions.
        done, records = self.run_mine("--passes", "--backend=loop", "--case=matmul m=9 k=15 n=10 result=sliced")
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        self.assertEqual({record["verdict"] for record in records}, {"PASS"})

    def test_what_it_does_not_know_is_skipped(self):
        done, records = self.run_mine("--suite=smoke", "--backend=naive", "--filter=softmax", "--filter=matmul")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({record["verdict"] for record in records}, {"PASS", "SKIP"})

    def test_other_verbs(self):
        shown = call(self.mine, "show", "matmul m=1 k=5 n=7", "--backend=naive", "--save=saved", cwd=self.folder,
                     ASSAY_PYTHON=PYTHON)
        self.assertEqual(shown.returncode, 0, shown.stderr)
        self.assertTrue(os.path.exists(os.path.join(self.folder, "saved/got.npy")))
        timed = call(self.mine, "bench", "matmul m=4 k=64 n=10", "--backend=naive", "--repetitions=2",
                     "--min-time=0.001", "--out=timed", cwd=self.folder, ASSAY_PYTHON=PYTHON)
        self.assertEqual(timed.returncode, 0, timed.stderr)

    def test_a_main_in_another_language(self):
        with open(os.path.join(self.folder, "main.cpp"), "w") as file:
            file.write('#include "harness/cli/assay.h"\n#include "compiler/language/operation.h"\n'
                       "int main(int argc, char *argv[]) {\n"
                       "  const assay_backend *backends[] = {assay_backends_get()[0], nullptr};\n"
                       "  const assay_extension mine = {backends, nullptr};\n"
                       "  return assay_main(argc, argv, &mine);\n}\n")
        with open(os.path.join(self.folder, "CMakeLists.txt"), "w") as file:
            file.write("cmake_minimum_required(VERSION 3.20)\nproject(mine C CXX)\nfind_package(assay REQUIRED)\n"
                       "add_executable(mine main.cpp)\ntarget_link_libraries(mine assay::assay)\n")
        self.succeed("cmake", "-S", ".", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", cwd=self.folder)
        self.succeed("cmake", "--build", "build", cwd=self.folder)
        done = call(os.path.join(self.folder, "build/mine"), "doctor")
        self.assertEqual((done.returncode, done.stderr),
                         (2, "assay: error: extension: there is already a backend 'blas'\n"))

    def test_versions(self):
        accepted = {"0.1": True, "0.1.0": True, "0.1...0.3": True, "0.0...<0.2": True, "0.2": False, "0.0": False,
                    "0.2...0.3": False, "0.0...<0.1": False, "1": False, "0.1.1": False, "": True}
        for i, (version, wanted) in enumerate(accepted.items()):
            folder = os.path.join(self.folder, str(i))
            os.mkdir(folder)
            with open(os.path.join(folder, "CMakeLists.txt"), "w") as file:
                file.write("cmake_minimum_required(VERSION 3.20)\nproject(mine C CXX)\n"
                           f"find_package(assay {version} QUIET)\nmessage(STATUS \"found: ${{assay_FOUND}}\")\n")
            said = self.succeed("cmake", "-S", folder, "-B", os.path.join(folder, "build"),
                                f"-DCMAKE_PREFIX_PATH={self.prefix}")
            self.assertIn(f"found: {int(wanted)}", said, version)

    def test_its_own_tests(self):
        self.succeed("ctest", "--test-dir", self.build, ASSAY_PYTHON=PYTHON)


if __name__ == "__main__":
    unittest.main()
