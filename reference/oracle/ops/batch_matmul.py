# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""batch_matmul: R(L(lhs) @ V(rhs)), one product per batch"""

from oracle.caseline import DTYPE, PRECISION, SIZE
from oracle.tensor import matmul
from oracle.views import BATCH, BATCH_RESULT

KEYS = {"b": SIZE, "m": SIZE, "k": SIZE, "n": SIZE, "dtype": DTYPE, "rhs_dtype": DTYPE,
        "lhs": BATCH, "rhs": BATCH, "result": BATCH_RESULT, "precision": PRECISION}


def arguments(case):
    return [("lhs", BATCH[case["lhs"]].argument(case["b"], case["m"], case["k"]), case["dtype"]),
            ("rhs", BATCH[case["rhs"]].argument(case["b"], case["k"], case["n"]),
             case["rhs_dtype"])]


def results(case, lhs, rhs):
    a = lhs.view(lambda x: BATCH[case["lhs"]].operand(x, case["b"], case["m"], case["k"]))
    b = rhs.view(lambda x: BATCH[case["rhs"]].operand(x, case["b"], case["k"], case["n"]))
    return [matmul(a, b, precision=case["precision"]).view(BATCH_RESULT[case["result"]])]
