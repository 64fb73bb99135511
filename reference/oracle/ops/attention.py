# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""attention: causal self-attention with packed projections, heads side by side in the width"""

from oracle import compositions
from oracle.caseline import FLOATING_DTYPE, SIZE

KEYS = {"t": SIZE, "c": SIZE, "heads": SIZE, "dtype": FLOATING_DTYPE,
        "scores": {"f64": None, "f32": None}, "mask": {"causal": None, "none": None}}


def arguments(case):
    return [("x", (case["t"], case["c"]), case["dtype"]),
            *compositions.attention_arguments(case["c"], case["dtype"])]


def results(case, *arguments):
    return [compositions.attention(*arguments, case["heads"], case["scores"],
                                   case["mask"] == "causal")]
