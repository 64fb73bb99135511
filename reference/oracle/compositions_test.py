# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compositions: plain NumPy's values, scales that correct float32 stays within and faults do
not."""

import unittest

import numpy as np

from oracle import caseline, compositions, formulas
from oracle.tensor import leaf, matmul

LAMBDA = 6.0
LINES = [
    "softmax m=7 n=13 dtype=f32 values=plain",
    "softmax m=5 n=9 dtype=f32 values=large",
    "softmax m=5 n=9 dtype=f32 values=masked",
    "softmax m=5 n=1 dtype=f32 values=plain",
    "layer_norm m=7 n=13 dtype=f32 values=plain",
    "layer_norm m=7 n=16 dtype=f32 values=constant",
    "layer_norm m=7 n=16 dtype=f32 values=offset",
    "gelu m=7 n=13 dtype=f32 values=wide",
    "gelu m=7 n=13 dtype=f32 values=huge",
    "attention t=7 c=12 heads=3 dtype=f32 scores=f64 mask=causal",
    "attention t=7 c=12 heads=3 dtype=f32 scores=f32 mask=none",
    "attend t=5 c=10 heads=2 dtype=f32 scores=f64",
    "feedforward t=5 c=10 dtype=f32",
    "gpt2_block t=5 c=12 heads=2 dtype=f32 scores=f32",
    "gpt2_block t=5 c=12 heads=2 dtype=f32 scores=f64",
]


def margins(result, got):
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(got.astype(np.longdouble) - result.value)
        return np.where(off == 0, 0, off / (LAMBDA * result.scale))


class Compositions(unittest.TestCase):
    def test_dtypes_and_margins_of_numpy(self):
        for line in LINES:
            case = caseline.parse(line)
            for data in ("int", "real"):
                with self.subTest(line=line, data=data):
                    arrays = [array for _, array in case.inputs(data)]
                    (result,), got = case.results(data), formulas.compute(case, arrays)
                    self.assertEqual(got.dtype, result.dtype)
                    self.assertLess(margins(result, got).max(), 0.5)

    def test_expected_values_are_those_of_more_precision(self):
        for line in LINES:
            case = caseline.parse(line)
            wide = [array.astype(np.longdouble) for _, array in case.inputs("real")]
            result, = case.results("real")
            np.testing.assert_allclose(result.value, formulas.compute(case, wide).astype(float),
                                       rtol=1e-11, atol=1e-13)

    def test_faults_are_seen(self):
        """x truncated to bf16 is far outside."""
        for line in LINES:
            if "constant" in line or "masked" in line or "large" in line or "n=1 " in line or "huge" in line:
                continue
            case = caseline.parse(line)
            with self.subTest(line=line):
                arrays = [array for _, array in case.inputs("real")]
                result, = case.results("real")
                cut = (arrays[0].view(np.uint32) & 0xFFFF0000).view(np.float32)
                got = formulas.compute(case, [cut, *arrays[1:]])
                self.assertGreater(margins(result, got).max(), 10 if "offset" not in line else 0.5)

    def test_f64_scores_are_judged_more_strictly_than_f32(self):
        scales = []
        for scores in ("f64", "f32"):
            case = caseline.parse(f"attention t=7 c=12 heads=3 dtype=f32 scores={scores} "
                                  "mask=causal")
            scales.append(np.median(case.results("real")[0].scale))
        self.assertLess(2 * scales[0], scales[1])

    def test_softmax_of_equal_logits(self):
        for values in ("masked", "constant"):
            case = caseline.parse(f"softmax m=3 n=5 dtype=f32 values={values}")
            result, = case.results("real")
            np.testing.assert_allclose(result.value, 0.2, rtol=1e-15)
            self.assertLess(result.scale.max(), 1e-7)

    def test_what_overflows_on_the_way_does_so_in_its_dtype(self):
        for line in ("layer_norm m=3 n=5 dtype=f32 values=huge", "softmax m=3 n=5 dtype=f32 values=huge",
                     "gelu m=3 n=5 dtype=f16 values=large", "gelu m=3 n=5 dtype=f32 values=huge",
                     "layer_norm m=3 n=5 dtype=f16 values=large", "softmax m=3 n=5 dtype=f16 values=large"):
            case = caseline.parse(line)
            with self.subTest(line=line), np.errstate(over="ignore"):
                arrays = [array for _, array in case.inputs("real")]
                (result,), got = case.results("real"), formulas.compute(case, arrays)
                self.assertEqual(got.dtype, result.dtype)
                self.assertLess(margins(result, got).max(), 0.5)

    def test_tiny_probabilities_keep_their_scale(self):
        x = leaf(np.array([[0.0, -500.0, -700.0, -744.0]]))
        result = compositions.softmax(x)
        self.assertTrue((result.scale[0, :3] >= 2.0**-53 * result.value[0, :3]).all())
        self.assertTrue((result.scale[0, :3] < 2.0**-48 * result.value[0, :3]).all())
        self.assertLess(0, result.scale[0, 3])

    def test_products_of_what_is_not_finite_are_ieee_754s(self):
        a = np.array([[1, np.inf, 2], [np.nan, 1, 0], [0, 1, 2], [np.inf, -np.inf, 0]])
        b = np.array([[1.0, 2], [0, -1], [3, 4]])
        with np.errstate(invalid="ignore"):
            np.testing.assert_array_equal(matmul(leaf(a), leaf(b)).value, a @ b)
            bias = np.array([1.0, -np.inf])
            made = matmul(leaf(a), leaf(b), leaf(bias))
            np.testing.assert_array_equal(made.value, a @ b + bias)
        self.assertEqual(made.scale[~np.isfinite(made.value)].tolist(), [0.0] * 7)

    def test_what_is_not_finite(self):
        case = caseline.parse("softmax m=3 n=8 dtype=f32 values=lanes")
        self.assertTrue(np.isnan(case.results("real")[0].value).all())
        case = caseline.parse("gelu m=3 n=8 dtype=f32 values=lanes")
        value = case.results("real")[0].value
        np.testing.assert_array_equal(value[:, [1, 3, 5]], [[np.nan, np.inf, np.nan]] * 3)
        self.assertTrue(np.isfinite(value[:, ::2]).all())


if __name__ == "__main__":
    unittest.main()
