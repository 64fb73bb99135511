# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""layer_norm: (x - mean(x)) / sqrt(variance(x) + 1e-5) * gain + bias over the last axis"""

from oracle import compositions
from oracle.caseline import FLOATING_DTYPE, SIZE
from oracle.generator import VALUES

KEYS = {"m": SIZE, "n": SIZE, "dtype": FLOATING_DTYPE, "values": VALUES}


def arguments(case):
    return [("x", (case["m"], case["n"]), case["dtype"]),
            ("gain", (case["n"],), case["dtype"]), ("bias", (case["n"],), case["dtype"])]


def results(case, x, gain, bias):
    return [compositions.layer_norm(x, gain, bias)]
