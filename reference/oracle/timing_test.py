# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The conversation that benchmarks hold with NumPy: what it computes, and what it says it cannot."""

import os
import subprocess
import sys
import unittest

import numpy as np

from oracle import caseline, formulas, timing

ORACLE = os.path.dirname(os.path.abspath(timing.__file__))

LINES = [
    "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain",
    "matmul m=3 k=5 n=7 dtype=f64 rhs_dtype=f64 lhs=transposed rhs=sliced result=transposed",
    "batch_matmul b=2 m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=transposed result=plain",
    "linear m=3 k=5 n=7 dtype=f32",
    "softmax m=7 n=13 dtype=f32 values=plain",
    "layer_norm m=7 n=13 dtype=f32 values=plain",
    "gelu m=7 n=13 dtype=f32 values=wide",
    "attend t=5 c=10 heads=2 dtype=f32 scores=f64",
    "feedforward t=5 c=10 dtype=f32",
    "gpt2_block t=5 c=12 heads=2 dtype=f32 scores=f32",
]


class Conversation:
    """The process as a peer starts it."""

    def __enter__(self):
        self.process = subprocess.Popen([sys.executable, "-I", "-B", ORACLE, "time"],
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self.version = self.process.stdout.readline().decode().strip()
        return self

    def __exit__(self, *_):
        self.process.stdin.close()
        self.process.stdout.close()
        self.status = self.process.wait()

    def ask(self, line):
        self.process.stdin.write(line.encode() + b"\n")
        self.process.stdin.flush()
        return self.process.stdout.readline().decode().strip()

    def result(self):
        size = int(self.ask("result 0"))
        return self.process.stdout.read(size)


class Timing(unittest.TestCase):

    def test_it_computes_the_suites_formulas(self):
        with Conversation() as numpy:
            self.assertEqual(numpy.version, np.__version__)
            for line in LINES:
                for data in ("int", "real"):
                    self.assertEqual(numpy.ask(f"take {data} {line}"), "1")
                    self.assertGreater(float(numpy.ask("run 0")), 0)
                    self.check(line, data, numpy.result())
        self.assertEqual(numpy.status, 0)

    def check(self, line, data, got):
        case = caseline.parse(line)
        arrays = [array for _, array in case.inputs(data)]
        if case.op_name in timing.PRODUCTS:
            want = timing.PRODUCTS[case.op_name](case, *[a.astype(float) for a in arrays])
        else:
            want = formulas.compute(case, [array.astype(float) for array in arrays])
        dtype = np.float64 if case["dtype"] == "f64" or len(got) == 8 * want.size else np.float32
        got = np.frombuffer(got, dtype).reshape(want.shape)
        np.testing.assert_allclose(got, want, rtol=1e-4, atol=1e-4, err_msg=f"{line} {data}")

    def test_what_has_no_plain_formula_says_so(self):
        with Conversation() as numpy:
            answer = numpy.ask("take real unary f=exp shape=3x5 dtype=f32")
            self.assertRegex(answer, r"\Ano .")
            # And it goes on.
            self.assertEqual(numpy.ask(f"take int {LINES[0]}"), "1")


if __name__ == "__main__":
    unittest.main()
