# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""cast: x in another dtype, as astype does it"""

from oracle import generator, tensor
from oracle.caseline import DTYPE, SHAPE

KEYS = {"shape": SHAPE, "dtype": DTYPE, "to": DTYPE, "values": generator.VALUES}


def arguments(case):
    return [("x", case["shape"], case["dtype"])]


def results(case, x):
    return [tensor.cast(x, generator.DTYPES[case["to"]])]
