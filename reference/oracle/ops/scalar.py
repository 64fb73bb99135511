# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""scalar: f(x, s), or f(s, x) with side=left, s a constant of some kind"""

import numpy as np

from oracle import elementwise
from oracle.caseline import DTYPE, SHAPE

# Python's numbers are weak, NumPy's strong (NEP 50).
SCALARS = {"weak_bool": True, "weak_int": 3, "weak_float": 0.7, "bool": np.True_, "i32": np.int32(3),
           "i64": np.int64(3), "f16": np.float16(0.7), "f32": np.float32(0.7),
           "f64": np.float64(0.7)}

KEYS = {"f": elementwise.BINARY, "shape": SHAPE, "dtype": DTYPE, "scalar": SCALARS,
        "side": {"right": None, "left": None}}


def arguments(case):
    return [("x", case["shape"], case["dtype"])]


def results(case, x):
    scalar = SCALARS[case["scalar"]]
    operands = (x, scalar) if case["side"] == "right" else (scalar, x)
    return [elementwise.binary(case["f"], *operands)]
