# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Result dtypes of every operation on every pair of kinds of operands: the language's are NumPy's, and
it rejects exactly what NumPy refuses or gives a dtype to that the language lacks."""

import os
import subprocess
import unittest

import numpy as np

DTYPES = {"f64": np.float64, "f32": np.float32, "f16": np.float16, "i64": np.int64,
          "i32": np.int32, "bool": np.bool_}
NAMES = {np.dtype(dtype): name for name, dtype in DTYPES.items()}
WEAK = {"weak_bool": True, "weak_int": 3, "weak_float": 3.0}
RANKS = {"matmul": 2, "batch_matmul": 3}
# Where the language's name is not NumPy's own. SciPy's erf has the dtypes of NumPy's functions of reals.
FUNCTIONS = {
    "batch_matmul": np.matmul,
    "where": lambda a, b: np.where(np.array([True, False]), a, b),
    "rsqrt": lambda x: 1 / np.sqrt(x),
    "erf": np.exp,
    "sum": lambda x: np.sum(x, axis=0),
    "mean": lambda x: np.mean(x, axis=0),
    "max": lambda x: np.max(x, axis=0),
}


def operand(kind, rank):
    if kind in WEAK:
        return WEAK[kind]
    if kind.endswith("[]"):
        return np.ones((2,) * rank, DTYPES[kind[:-2]])
    return DTYPES[kind](3)


def ask_numpy(name, kinds):
    operands = [operand(kind, RANKS.get(name, 1)) for kind in kinds]
    try:
        result = FUNCTIONS.get(name, getattr(np, name, None))(*operands)
    except TypeError:
        return "rejected"
    return NAMES.get(np.asarray(result).dtype, "rejected")


class Promotion(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        output = subprocess.run([os.environ["ASSAY_PROMOTION"]], stdout=subprocess.PIPE, text=True,
                                check=True).stdout
        cls.table = [line.split() for line in output.splitlines()]

    def test_every_result_is_numpys(self):
        differences = []
        for name, *kinds, arrow, ours in self.table:
            self.assertEqual(arrow, "->")
            numpys = ask_numpy(name, kinds)
            if ours != numpys:
                differences.append(f"{name} {' '.join(kinds)}: {ours}, NumPy says {numpys}")
        self.assertEqual(differences, [])

    def test_the_table_is_complete(self):
        kinds = 2 * len(DTYPES) + len(WEAK)
        rows = 14 * kinds**2 + 2 * len(DTYPES)**2 + 8 * kinds + 3 * len(DTYPES)
        self.assertEqual(len(self.table), rows)
        self.assertEqual(len({tuple(row[:-2]) for row in self.table}), rows)
        self.assertEqual({row[-1] for row in self.table}, {*DTYPES, "rejected"})


if __name__ == "__main__":
    unittest.main()
