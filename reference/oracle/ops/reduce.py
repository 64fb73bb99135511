# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""reduce: f(x) over one axis"""

from oracle import elementwise
from oracle.caseline import AXIS, DTYPE, SHAPE
from oracle.errors import OracleError
from oracle.generator import VALUES

KEYS = {"f": elementwise.REDUCTIONS, "shape": SHAPE, "axis": AXIS,
        "keepdims": {"no": None, "yes": None}, "dtype": DTYPE, "values": VALUES}


def arguments(case):
    return [("x", case["shape"], case["dtype"])]


def results(case, x):
    if not -x.value.ndim <= case["axis"] < x.value.ndim:
        raise OracleError(f"axis={case['axis']}: x has {x.value.ndim} axes")
    return [elementwise.reduce(case["f"], x, case["axis"], case["keepdims"] == "yes")]
