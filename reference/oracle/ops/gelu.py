# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gelu: 0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))"""

from oracle import compositions
from oracle.caseline import FLOATING_DTYPE, SIZE
from oracle.generator import VALUES

KEYS = {"m": SIZE, "n": SIZE, "dtype": FLOATING_DTYPE, "values": VALUES}


def arguments(case):
    return [("x", (case["m"], case["n"]), case["dtype"])]


def results(case, x):
    return [compositions.gelu(x)]
