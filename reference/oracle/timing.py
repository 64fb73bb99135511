# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suite's formulas in plain NumPy, timed on request: what benchmarks are held against.

A conversation of lines on the standard streams, begun with NumPy's version:
    take DATA LINE   makes the case's arguments; answers the number of results, or "no REASON"
    run SECONDS      computes again and again for so long, at least once; answers the seconds of one,
                     the first decile of short loops
    result N         answers the number of bytes of the last run's N-th result, then those
"""

import math
import sys
import time

import numpy as np

from oracle import caseline, formulas
from oracle.errors import OracleError
from oracle.views import BATCH, BATCH_RESULT, MATRIX, MATRIX_RESULT


def _gelu(x, use):
    # x * x * x: NumPy's x**3 calls pow for every element.
    return 0.5 * x * (1 + use.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * (x * x * x))))


def _matmul(case, lhs, rhs):
    a = MATRIX[case["lhs"]].operand(lhs, case["m"], case["k"])
    b = MATRIX[case["rhs"]].operand(rhs, case["k"], case["n"])
    return MATRIX_RESULT[case["result"]](a @ b)


def _batch_matmul(case, lhs, rhs):
    a = BATCH[case["lhs"]].operand(lhs, case["b"], case["m"], case["k"])
    b = BATCH[case["rhs"]].operand(rhs, case["b"], case["k"], case["n"])
    return BATCH_RESULT[case["result"]](a @ b)


LOOP_SECONDS = 0.0025  # as in harness/time/batches.c

PRODUCTS = {"matmul": _matmul, "batch_matmul": _batch_matmul,
            "linear": lambda case, x, w, bias: x @ w + bias,
            "gram": lambda case, x: x @ x.T}
TRANSFORMER = ("softmax", "layer_norm", "gelu", "attention", "attend", "feedforward", "gpt2_block")


def _formula(case):
    if case.op_name in PRODUCTS:
        return lambda arrays: PRODUCTS[case.op_name](case, *arrays)
    if case.op_name in TRANSFORMER:
        return lambda arrays: formulas.compute(case, arrays)
    raise OracleError(f"no plain formula of {case.op_name}")


class _Conversation:
    def __init__(self):
        self.formula = self.arrays = self.outcome = None

    def take(self, data, line):
        case = caseline.parse(line)
        self.formula = _formula(case)
        self.arrays = [array for _, array in case.inputs(data)]
        return b"1\n"

    def run(self, seconds):
        loops, begin = [], time.perf_counter()
        while not loops or time.perf_counter() - begin < seconds:
            count, start = 0, time.perf_counter()
            while count == 0 or time.perf_counter() - start < LOOP_SECONDS:
                self.outcome = self.formula(self.arrays)
                count += 1
            loops.append((time.perf_counter() - start) / count)
        return b"%.9e\n" % sorted(loops)[(len(loops) - 1) // 10]

    def result(self):
        whole = np.ascontiguousarray(self.outcome).tobytes()
        return b"%d\n" % len(whole) + whole

    def answer(self, line):
        word, _, rest = line.rstrip("\n").partition(" ")
        try:
            if word == "take":
                return self.take(*rest.split(" ", 1))
            return self.run(float(rest)) if word == "run" else self.result()
        except OracleError as error:
            return b"no %s\n" % str(error).replace("\n", " ").encode()


def main():
    formulas.gelu = lambda x, use=formulas.Arithmetic(): _gelu(x, use)
    conversation = _Conversation()
    out = sys.stdout.buffer
    out.write(b"%s\n" % np.__version__.encode())
    out.flush()
    with np.errstate(all="ignore"):
        for line in sys.stdin:
            out.write(conversation.answer(line))
            out.flush()
    return 0
