# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""linear: x @ w + bias, the bias broadcast over the rows"""

from oracle.caseline import DTYPE, PRECISION, SIZE
from oracle.tensor import matmul

KEYS = {"m": SIZE, "k": SIZE, "n": SIZE, "dtype": DTYPE, "precision": PRECISION}


def arguments(case):
    return [("x", (case["m"], case["k"]), case["dtype"]),
            ("w", (case["k"], case["n"]), case["dtype"]),
            ("bias", (case["n"],), case["dtype"])]


def results(case, x, w, bias):
    return [matmul(x, w, bias, case["precision"])]
