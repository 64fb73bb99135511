# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables: the sampling rule, both forms, and formulas against plain NumPy."""

import os
import unittest
from fractions import Fraction

import numpy as np

from oracle import caseline, formulas, generator, ops, table, tensor
from oracle.errors import OracleError


def matmul(m, k, n, dtype="f32", rhs="", **views):
    named = {"lhs": "plain", "rhs": "plain", "result": "plain", **views}
    return caseline.parse(f"matmul m={m} k={k} n={n} dtype={dtype} rhs_dtype={rhs or dtype} "
                          + " ".join(f"{key}={value}" for key, value in named.items()))


def elements(made, data):
    """The rows of single elements of a data set."""
    return made[(made["data"] == data) & (made["part"] == table.ELEMENT)]


class Sample(unittest.TestCase):
    def test_small_results_are_whole(self):
        self.assertEqual(table.sample(16, 8).tolist(), list(range(128)))

    def test_large_results_show_corners_and_tile_edges(self):
        for rows, columns in ((64, 768), (257, 1), (1, 257), (127, 65), (17, 17)):
            chosen = table.sample(rows, columns)
            self.assertEqual(len(chosen), table.SAMPLE)
            self.assertEqual(sorted(set(chosen.tolist())), chosen.tolist())
            self.assertLess(chosen[-1], rows * columns)
            seen_rows, seen_columns = set(chosen // columns), set(chosen % columns)
            for corner in (0, columns - 1, (rows - 1) * columns, rows * columns - 1):
                self.assertIn(corner, chosen)
            for tile in (4, 8, 16, 32, 64, 128):
                for size, seen in ((rows, seen_rows), (columns, seen_columns)):
                    last = (size - 1) // tile * tile
                    edges = {tile - 1, tile, last - 1, last, size - 1}
                    self.assertLessEqual({edge for edge in edges if 0 <= edge < size}, seen)


class Table(unittest.TestCase):
    def test_whole_result(self):
        case = matmul(3, 5, 7, lhs="sliced", result="transposed")
        made = table.compute(case)
        self.assertEqual(made.dtype, table.FLOATING)
        self.assertEqual(len(made), 2 * (21 + 3))
        real = elements(made, 1)
        lhs, rhs = (array.astype(np.float64) for _, array in case.inputs("real"))
        np.testing.assert_allclose(real["expected"], (lhs[1:4, 2:7] @ rhs).T.ravel(), rtol=1e-13)
        self.assertTrue((real["scale"] > 0).all())
        self.assertFalse(made[made["data"] == 0]["scale"].any())

    def test_types_are_numpys(self):
        for line, wanted in (
                ("scalar f=add shape=3x5 dtype=bool scalar=weak_int side=right", [2, 3, 5]),
                ("scalar f=less shape=7 dtype=f64 scalar=f16 side=left", [0, 7]),
                ("scalar f=divide shape=2x1x3 dtype=f16 scalar=weak_float side=left", [3, 2, 1, 3]),
                ("reduce f=sum shape=3x5 axis=1 keepdims=yes dtype=i32 values=plain", [2, 3, 1]),
                ("reduce f=max shape=3 axis=0 keepdims=no dtype=f32 values=plain", [4]),
                ("attention t=2 c=4 heads=2 dtype=f32 scores=f64 mask=none", [5, 2, 4])):
            made = table.compute(caseline.parse(line))
            for data in range(2):
                rows = made[(made["data"] == data) & (made["part"] == table.TYPE)]
                self.assertEqual(rows["index"].tolist(), list(range(len(wanted))))
                self.assertEqual(rows["expected"].tolist(), wanted)

    def test_results_with_nan_or_inf_are_stored_whole(self):
        line = "softmax m=3 n=129 dtype=f32 values={}"
        self.assertTrue((table.compute(caseline.parse(line.format("plain")))["part"]
                         == table.ROWS).any())
        made = table.compute(caseline.parse(line.format("lanes")))
        self.assertEqual(sorted(set(made["part"])), [table.ELEMENT, table.TYPE])
        self.assertTrue(np.isnan(elements(made, 1)["expected"]).all())
        self.assertEqual(len(elements(made, 1)), 3 * 129)

    def test_probes_see_every_element(self):
        for dtype in ("f32", "f64", "f16", "i32", "i64"):
            case = matmul(33, 17, 31, dtype)
            made = table.compute(case)
            for number, data in enumerate(generator.DATA):
                rows = made[made["data"] == number]
                inputs = [array.astype(np.int64 if dtype[0] == "i" else np.float64)
                          for _, array in case.inputs(data)]
                c = (inputs[0] @ inputs[1]).astype(generator.DTYPES[dtype] if dtype[0] == "i"
                                                   else np.float64)
                for part, name, side in ((table.COLUMNS, "columns", c), (table.ROWS, "rows", c.T)):
                    weights = generator.probe(case.line, data, name, 0, dtype[0] == "i",
                                              side.shape[1])
                    stored = rows[rows["part"] == part]
                    self.assertEqual(stored["index"].tolist(), list(range(side.shape[0])))
                    wanted = side.astype(weights.dtype) @ weights
                    if dtype[0] == "i":
                        self.assertEqual(stored["expected"].tolist(), wanted.tolist())
                    else:
                        np.testing.assert_allclose(stored["expected"], wanted, rtol=0, atol=1e-12)

    def test_one_wrong_element_is_found_in_its_row_and_its_column(self):
        """Outside the sample: any on data int, on data real one that is off by 18 scales of a probe."""
        case = matmul(70, 40, 130)
        rows, columns = 70, 130
        hidden = sorted(set(range(rows * columns)) - set(table.sample(rows, columns).tolist()))
        for data, where in ((data, hidden[step]) for data in generator.DATA
                            for step in range(0, len(hidden), 1777)):
            row, column = divmod(where, columns)
            lhs, rhs = (array for _, array in case.inputs(data))
            got = (lhs @ rhs).astype(np.longdouble)
            matrix, = case.results(data)
            for name, turn in (("columns", np.asarray), ("rows", np.transpose)):
                side = matrix.view(turn)
                weights = generator.probe(case.line, data, name, 0, False, side.value.shape[1])
                wanted, scale = table.probe(side, weights)
                wrong = got.copy()
                wrong[row, column] += 1 if data == "int" else 18 * scale.max()
                for each, entries in ((got, []), (wrong, [row if name == "columns" else column])):
                    off = np.abs(turn(each) @ weights.astype(np.longdouble) - wanted)
                    found = np.flatnonzero(off > 6 * scale).tolist()
                    self.assertEqual(found, entries, (data, where, name))

    def test_probes_are_of_the_exact_result(self):
        case = matmul(17, 5, 17, "f64")
        rows = table.compute(case)
        lhs, rhs = (array for _, array in case.inputs("real"))
        weights = generator.probe(case.line, "real", "columns", 0, False, 17)
        stored = rows[(rows["data"] == 1) & (rows["part"] == table.COLUMNS)]
        for i, row in enumerate(lhs):
            c = [sum(Fraction(x) * Fraction(y) for x, y in zip(row, column)) for column in rhs.T]
            wanted = sum(x * Fraction(w) for x, w in zip(c, weights))
            self.assertEqual(stored["expected"][i], float(wanted))

    def test_probes_of_saturated_and_of_tiny_columns_accept_numpy(self):
        """Columns that are exact but for elements with scales of 1e-25, or have nothing but such."""
        for line in ("gelu m=5 n=129 dtype=f32 values=wide", "gelu m=5 n=129 dtype=f64 values=wide",
                     "softmax m=5 n=129 dtype=f64 values=large"):
            case = caseline.parse(line)
            for data in generator.DATA:
                got = formulas.compute(case, [x for _, x in case.inputs(data)]).astype(np.longdouble)
                result, = case.results(data)
                for name, turn in (("columns", np.asarray), ("rows", np.transpose)):
                    side = result.view(turn)
                    weights = generator.probe(line, data, name, 0, False, side.value.shape[1])
                    wanted, scale = table.probe(side, weights)
                    off = np.abs(turn(got) @ weights.astype(np.longdouble) - wanted)
                    self.assertTrue((off <= 3 * scale).all(), (line, data, name))

    def test_probes_of_exact_elements_may_be_rounded(self):
        # On data int weights are whole, but 0.7 is not: -0.7 * 7 is no float64.
        weights = np.array([-7.0, 3.0])
        for value, rounded in (([[0.7, 0.0]], True), ([[5.0, -8.0]], False)):
            side = tensor.leaf(np.array(value))
            self.assertEqual((table.probe(side, weights)[1] > 0).tolist(), [rounded])

    def test_integers_wrap(self):
        for dtype, bits in (("i32", 32), ("i64", 64)):
            case = matmul(3, 5, 7, dtype)
            made = table.compute(case)
            lhs, rhs = (array.tolist() for _, array in case.inputs("real"))
            wanted = [sum(lhs[i][k] * rhs[k][j] for k in range(5))
                      for i in range(3) for j in range(7)]
            half = 1 << bits - 1
            self.assertEqual(elements(made, 1)["expected"].tolist(),
                             [(x + half) % (2 * half) - half for x in wanted])

    def test_dtypes_promote(self):
        for lhs, rhs, whole in (("i32", "i64", True), ("i64", "f32", False), ("f32", "f64", False)):
            made = table.compute(matmul(2, 3, 2, lhs, rhs))
            self.assertEqual(made.dtype, table.WHOLE if whole else table.FLOATING)
        # f32 with f64 gives f64: the error scale is that of 53 bits.
        self.assertLess(table.compute(matmul(2, 3, 2, "f32", "f64"))["scale"].max(), 1e-14)

    def test_batch_and_bias(self):
        case = caseline.parse("batch_matmul b=2 m=3 k=4 n=5 dtype=f64 rhs_dtype=f64 lhs=heads "
                              "rhs=plain result=heads")
        lhs, rhs = (array for _, array in case.inputs("real"))
        wanted = np.einsum("mbk,bkn->mbn", lhs, rhs)
        made = table.compute(case)
        np.testing.assert_allclose(elements(made, 1)["expected"], wanted.ravel(), atol=1e-14)
        case = caseline.parse("linear m=3 k=4 n=5 dtype=f32")
        x, w, bias = (array.astype(np.float64) for _, array in case.inputs("real"))
        made = table.compute(case)
        np.testing.assert_allclose(elements(made, 1)["expected"], (x @ w + bias).ravel(), atol=1e-14)


class CaseLine(unittest.TestCase):
    def test_malformed_lines_are_explained(self):
        for line, message in (
                ("", "unknown op ''; known are " + ", ".join(sorted(
                    name[:-3] for name in os.listdir(ops.__path__[0]) if name[0] != "_"))),
                ("unary f=exp shape=3x dtype=f32 values=plain",
                 "shape=: expected a whole number from 1 to 1048576"),
                ("reduce f=sum shape=3x5 axis=8 keepdims=no dtype=f32 values=plain",
                 "axis=8: expected a whole number from -8 to 7"),
                ("linaer m=1", "unknown op 'linaer'; did you mean 'linear'?"),
                ("linear m=1 k=1 n=1", "not a canonical case line: 'linear m=1 k=1 n=1'; expected "
                 "'linear m=... k=... n=... dtype=... [precision=...]'"),
                ("linear k=1 m=1 n=1 dtype=f32", "not a canonical case line: 'linear k=1 m=1 n=1 "
                 "dtype=f32'; expected 'linear m=... k=... n=... dtype=... [precision=...]'"),
                ("linear m=0 k=1 n=1 dtype=f32", "m=0: expected a whole number from 1 to 1048576"),
                ("linear m=1048577 k=1 n=1 dtype=f32",
                 "m=1048577: expected a whole number from 1 to 1048576"),
                ("linear m=-1 k=1 n=1 dtype=f32",
                 "m=-1: expected a whole number from 1 to 1048576"),
                ("linear m=1 k=1 n=1 dtype=f8", "dtype=f8: expected one of f32, f64, f16, i32, i64, "
                 "bool")):
            with self.assertRaises(OracleError) as caught:
                caseline.parse(line)
            self.assertEqual(str(caught.exception), message)

    def test_paths(self):
        self.assertEqual(caseline.table_path(matmul(3, 5, 7).line),
                         "matmul/m3-k5-n7-f32-996d43286942186b.npy")
        self.assertEqual(
            caseline.table_path("batch_matmul b=2 m=3 k=5 n=7 dtype=i32 rhs_dtype=f64 lhs=sliced "
                                "rhs=sliced result=heads"),
            "batch_matmul/b2-m3-k5-n7-i32-f64-sliced-heads-0518cd464ff84b06.npy")


if __name__ == "__main__":
    unittest.main()
