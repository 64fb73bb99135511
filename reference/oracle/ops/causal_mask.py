# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""causal_mask: x + mask and the mask itself, 0 where column <= row, else -1e10"""

from oracle import compositions, elementwise, generator
from oracle.caseline import DTYPE, SIZE

KEYS = {"t": SIZE, "dtype": DTYPE}


def arguments(case):
    return [("x", (case["t"], case["t"]), case["dtype"])]


def results(case, x):
    mask = compositions.causal_mask(case["t"], generator.DTYPES[case["dtype"]])
    return [elementwise.binary("add", x, mask), mask]
