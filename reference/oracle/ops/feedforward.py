# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""feedforward: x + linear(gelu(linear(layer_norm(x)))), the width inside 4 c"""

from oracle import compositions
from oracle.caseline import FLOATING_DTYPE, SIZE

KEYS = {"t": SIZE, "c": SIZE, "dtype": FLOATING_DTYPE}


def arguments(case):
    c, dtype = case["c"], case["dtype"]
    return [("x", (case["t"], c), dtype), *compositions.feedforward_arguments(c, dtype)]


def results(case, *arguments):
    return [compositions.feedforward(*arguments)]
