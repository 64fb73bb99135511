# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""matmul: R(L(lhs) @ V(rhs))"""

from oracle.caseline import DTYPE, PRECISION, SIZE
from oracle.tensor import matmul
from oracle.views import MATRIX, MATRIX_RESULT

KEYS = {"m": SIZE, "k": SIZE, "n": SIZE, "dtype": DTYPE, "rhs_dtype": DTYPE,
        "lhs": MATRIX, "rhs": MATRIX, "result": MATRIX_RESULT, "precision": PRECISION}


def arguments(case):
    return [("lhs", MATRIX[case["lhs"]].argument(case["m"], case["k"]), case["dtype"]),
            ("rhs", MATRIX[case["rhs"]].argument(case["k"], case["n"]), case["rhs_dtype"])]


def results(case, lhs, rhs):
    a = lhs.view(lambda x: MATRIX[case["lhs"]].operand(x, case["m"], case["k"]))
    b = rhs.view(lambda x: MATRIX[case["rhs"]].operand(x, case["k"], case["n"]))
    return [matmul(a, b, precision=case["precision"]).view(MATRIX_RESULT[case["result"]])]
