# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""unary: f(x), elementwise"""

from oracle import elementwise
from oracle.caseline import DTYPE, SHAPE
from oracle.generator import VALUES

KEYS = {"f": elementwise.UNARY, "shape": SHAPE, "dtype": DTYPE, "values": VALUES}


def arguments(case):
    return [("x", case["shape"], case["dtype"])]


def results(case, x):
    return [elementwise.unary(case["f"], x)]
