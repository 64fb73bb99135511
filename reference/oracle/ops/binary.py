# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""binary: f(x, y), elementwise, shapes broadcast and dtypes promoted"""

from oracle import elementwise
from oracle.caseline import DTYPE, SHAPE
from oracle.generator import VALUES

KEYS = {"f": elementwise.BINARY, "x": SHAPE, "y": SHAPE, "dtype": DTYPE, "y_dtype": DTYPE,
        "values": VALUES}


def arguments(case):
    return [("x", case["x"], case["dtype"]), ("y", case["y"], case["y_dtype"])]


def results(case, x, y):
    return [elementwise.binary(case["f"], x, y)]
