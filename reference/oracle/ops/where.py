# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""where: x where condition holds, else y; all three broadcast, x and y promote"""

from oracle import elementwise
from oracle.caseline import DTYPE, SHAPE

KEYS = {"condition": SHAPE, "x": SHAPE, "y": SHAPE, "dtype": DTYPE, "y_dtype": DTYPE}


def arguments(case):
    return [("condition", case["condition"], "bool"), ("x", case["x"], case["dtype"]),
            ("y", case["y"], case["y_dtype"])]


def results(case, condition, x, y):
    return [elementwise.where(condition, x, y)]
