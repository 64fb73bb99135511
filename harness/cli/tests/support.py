# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the whole-command tests stand on: a project root of their own, and `assay` run in an empty folder.

The environment gives ASSAY_PROGRAM (the binary under test), ASSAY_SOURCE (the source folder),
ASSAY_PLUGINS (the folder of the plug-ins with planted faults) and ASSAY_FAKES (that of the fake CUDA
driver).
"""

import json
import os
import re
import shutil
import subprocess
import tempfile
import unittest

PROGRAM = os.environ["ASSAY_PROGRAM"]
SOURCE = os.environ["ASSAY_SOURCE"]
PLUGINS = os.environ.get("ASSAY_PLUGINS", "")
FAKES = os.environ.get("ASSAY_FAKES", "")

# The test suite's own cases, in the root's suite/cases/tiny.cases.
TINY = """matmul m=3 k=5 n=7
matmul m=1,2,4 k=1,2,3 n=2,3,4   # enough for a run that can be interrupted
linear m=2 k=3 n=4 dtype=f64
reject_matmul x=3x5 y=6x7 rejects="matmul: 3x5xf32 @ 6x7xf32: the inner sizes must be equal, found 5 and 6"
"""
TINY_CASES = 30

LINE = "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain"


def make_root(folder):
    """A project root with the real suites, oracle and Python, and a store for tiny.cases only."""
    os.makedirs(os.path.join(folder, "reference/store"))
    shutil.copytree(os.path.join(SOURCE, "suite"), os.path.join(folder, "suite"))
    for path in (".venv", "reference/oracle"):
        os.symlink(os.path.join(SOURCE, path), os.path.join(folder, path))
    with open(os.path.join(folder, "suite/cases/tiny.cases"), "w") as file:
        file.write(TINY)
    done = subprocess.run([PROGRAM, "references", "update", "--suite", "tiny"], text=True,
                          capture_output=True, env=dict(os.environ, ASSAY_ROOT=folder))
    if done.returncode != 0:
        raise AssertionError(f"no store could be made: {done.stderr}")


def without_gpus(stderr):
    """Without what says that the backends of GPUs are left out, which depends on the machine."""
    return re.sub(r"^assay: note: (the backend )?'(cuda|cublas|gpu-sim)' is left out: .*\n", "", stderr, flags=re.MULTILINE)


class Answer:
    """What a command left: exit code, streams with seconds, sizes and places normalised."""

    def __init__(self, status, stdout, stderr, places):
        self.status = status
        self.raw = stdout
        self.stdout = self.normalise(stdout, places)
        self.raw_stderr = stderr
        self.stderr = self.normalise(without_gpus(stderr), places)

    @staticmethod
    def normalise(text, places):
        for path, name in places:
            text = text.replace(path, name)
        text = re.sub(r"\b\d+\.\d s\b", "N s", text)
        text = re.sub(r"\b\d+ MB\b", "N MB", text)
        return re.sub(r"^(\S.*\S)\s+\d+\.\d\d$", r"\1  N", text, flags=re.MULTILINE)  # a table's seconds


class CommandTest(unittest.TestCase):
    maxDiff = None
    needs_store = True  # else the source folder is the root, and nothing is made

    @classmethod
    def setUpClass(cls):
        cls.base = tempfile.mkdtemp(prefix="assay-cli-")
        cls.addClassCleanup(shutil.rmtree, cls.base)
        cls.root = SOURCE
        if not cls.needs_store:
            return
        cls.root = os.path.join(cls.base, "root")
        make_root(cls.root)

    def setUp(self):
        self.folder = tempfile.mkdtemp(dir=self.base)

    def environment(self, **variables):
        kept = {name: value for name, value in os.environ.items() if name != "NO_COLOR"}
        # A GPU that this machine may have takes no part where a test does not ask for it.
        return {**kept, "ASSAY_ROOT": self.root, "CUDA_VISIBLE_DEVICES": "", **variables}

    def assay(self, *arguments, stdin="", **variables):
        done = subprocess.run([PROGRAM, *arguments], cwd=self.folder, input=stdin, text=True,
                              capture_output=True, env=self.environment(**variables), timeout=300)
        places = [(self.folder, "FOLDER"), (PLUGINS or "PLUGINS", "PLUGINS"), (self.root, "ROOT")]
        return Answer(done.returncode, done.stdout, done.stderr, places)

    def assert_answer(self, answer, status, stdout="", stderr=""):
        self.assertEqual((answer.status, answer.stdout, answer.stderr), (status, stdout, stderr))

    def records(self, out="assay-out/latest"):
        with open(os.path.join(self.folder, out, "run.jsonl")) as file:
            return [json.loads(line) for line in file]

    def read(self, name):
        with open(os.path.join(self.folder, name)) as file:
            return file.read()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w") as file:
            file.write(text)
        return path
