# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gpt2_block: feedforward(attend(x))"""

from oracle import compositions
from oracle.caseline import FLOATING_DTYPE, SIZE

KEYS = {"t": SIZE, "c": SIZE, "heads": SIZE, "dtype": FLOATING_DTYPE, "scores": {"f64": None, "f32": None}}


def arguments(case):
    c, dtype = case["c"], case["dtype"]
    # The second layer_norm's gain and bias need names of their own: a name is a stream.
    return [("x", (case["t"], c), dtype), *compositions.attend_arguments(c, dtype),
            *compositions.feedforward_arguments(c, dtype, "gain2", "bias2")]


def results(case, *arguments):
    return [compositions.gpt2_block(*arguments, heads=case["heads"], scores=case["scores"])]
