# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attend: x + attention(layer_norm(x))"""

from oracle import compositions
from oracle.caseline import FLOATING_DTYPE, SIZE

KEYS = {"t": SIZE, "c": SIZE, "heads": SIZE, "dtype": FLOATING_DTYPE, "scores": {"f64": None, "f32": None}}


def arguments(case):
    c, dtype = case["c"], case["dtype"]
    return [("x", (case["t"], c), dtype), *compositions.attend_arguments(c, dtype)]


def results(case, *arguments):
    return [compositions.attend(*arguments, heads=case["heads"], scores=case["scores"])]
