# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""softmax: exp(x - max(x)) / sum(exp(x - max(x))) over the last axis"""

from oracle import compositions
from oracle.caseline import FLOATING_DTYPE, SIZE
from oracle.generator import VALUES

KEYS = {"m": SIZE, "n": SIZE, "dtype": FLOATING_DTYPE, "values": VALUES}


def arguments(case):
    return [("x", (case["m"], case["n"]), case["dtype"])]


def results(case, x):
    return [compositions.softmax(x)]
