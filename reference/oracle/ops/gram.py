# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""gram: x @ x^T, both operands one tensor"""

import numpy as np

from oracle.caseline import DTYPE, SIZE
from oracle.tensor import matmul

KEYS = {"m": SIZE, "k": SIZE, "dtype": DTYPE}


def arguments(case):
    return [("x", (case["m"], case["k"]), case["dtype"])]


def results(case, x):
    return [matmul(x, x.view(np.transpose))]
