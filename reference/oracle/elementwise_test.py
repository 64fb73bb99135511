# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operations and reductions: NumPy's dtypes and values, and the scale of their errors."""

import itertools
import unittest

import numpy as np

from oracle import elementwise, generator
from oracle.errors import OracleError
from oracle.tensor import Tensor, cast, leaf

F32, F64, F16, I32 = (generator.DTYPES[name] for name in ("f32", "f64", "f16", "i32"))


def example(name, which):
    return generator.argument("test", "real", which, generator.DTYPES[name], (3, 4))


def inexact(values, scale, dtype=F64):
    values = np.array(values, np.float64)
    return Tensor(dtype, values, np.zeros(values.shape), np.full(values.shape, scale))


class Elementwise(unittest.TestCase):
    def assert_as_numpy(self, made, wanted):
        """The dtype, and the values within the scale (exactly, where it is 0)."""
        self.assertEqual(made.dtype, wanted.dtype)
        if made.whole:
            np.testing.assert_array_equal(made.value, wanted)
            return
        finite = np.isfinite(made.value)
        np.testing.assert_array_equal(made.value[~finite], wanted[~finite])
        off = np.abs(wanted[finite].astype(np.longdouble) - made.value[finite])
        self.assertTrue((off <= 2 * made.scale[finite]).all())

    def test_every_pair_of_dtypes_is_numpys(self):
        functions = dict(zip(("add", "subtract", "multiply", "divide", "less", "maximum"),
                             (np.add, np.subtract, np.multiply, np.divide, np.less, np.maximum)))
        for (name, function), a, b in itertools.product(functions.items(), generator.DTYPES,
                                                        generator.DTYPES):
            x, y = example(a, "x"), example(b, "y")
            with self.subTest(name=name, a=a, b=b):
                try:
                    with np.errstate(all="ignore"):
                        wanted = function(x, y)
                except TypeError:
                    with self.assertRaises(OracleError):
                        elementwise.binary(name, leaf(x), leaf(y))
                    continue
                self.assert_as_numpy(elementwise.binary(name, leaf(x), leaf(y)), wanted)

    def test_scalars_are_weak_or_strong(self):
        for dtype, scalar in itertools.product(generator.DTYPES, (
                True, 3, 0.5, np.True_, np.int32(3), np.int64(3), np.float16(0.5),
                np.float32(0.5), np.float64(0.5))):
            x = example(dtype, "x")
            with self.subTest(dtype=dtype, scalar=scalar):
                self.assert_as_numpy(elementwise.binary("multiply", leaf(x), scalar), x * scalar)

    def test_every_unary_function_is_numpys(self):
        functions = {"exp": np.exp, "tanh": np.tanh, "sqrt": np.sqrt, "log": np.log,
                     "absolute": np.absolute, "negative": np.negative,
                     "rsqrt": lambda x: np.divide(1, np.sqrt(x))}
        for (name, function), dtype in itertools.product(functions.items(), ("f16", "f32", "f64")):
            x = example(dtype, "x")
            with self.subTest(name=name, dtype=dtype), np.errstate(all="ignore"):
                self.assert_as_numpy(elementwise.unary(name, leaf(x)), function(x))
        for name, function in functions.items():
            x = np.array([-7, 0, 1, 5], np.int32)
            with np.errstate(all="ignore"):
                self.assert_as_numpy(elementwise.unary(name, leaf(x)), function(x))

    def test_exact_results_have_scale_0(self):
        x, y = leaf(np.array([3, -5], np.float32)), leaf(np.array([4, 3], np.float32))
        for name in ("add", "subtract", "multiply", "maximum"):
            self.assertFalse(elementwise.binary(name, x, y).scale.any(), name)
        self.assertEqual((elementwise.binary("divide", x, y).scale > 0).tolist(), [False, True])
        # 0.7 is no f32: the constant's own rounding counts.
        self.assertTrue((elementwise.binary("multiply", x, 0.7).scale > 0).all())
        self.assertFalse(elementwise.binary("multiply", x, 0.75).scale.any())

    def test_errors_are_carried(self):
        x, y = inexact([2.0], 1e-3), inexact([5.0], 1e-4)
        for name, wanted in (("add", np.hypot(1e-3, 1e-4)), ("multiply", np.hypot(5e-3, 2e-4)),
                             ("divide", np.hypot(1e-3 / 5, 2e-4 / 25)),
                             ("power", np.hypot(5 * 16 * 1e-3, 32 * np.log(2) * 1e-4))):
            np.testing.assert_allclose(elementwise.binary(name, x, y).scale, [wanted], rtol=1e-6)
        for name, slope in (("exp", np.exp(2)), ("log", 0.5), ("tanh", 1 / np.cosh(2)**2),
                            ("sqrt", 0.5 / np.sqrt(2)), ("rsqrt", 0.5 * 2**-1.5),
                            ("erf", 2 / np.sqrt(np.pi) * np.exp(-4))):
            np.testing.assert_allclose(elementwise.unary(name, x).scale, [slope * 1e-3], rtol=1e-6)

    def test_powers_of_zero_have_a_scale(self):
        made = elementwise.binary("power", leaf(np.array([0.0, 2.0], np.float32)), 0.7)
        self.assertTrue(np.isfinite(made.scale).all())

    def test_casts(self):
        x = np.array([1 / 3, 1e-9, 70000.0, 0.5, -2.75])
        made = cast(leaf(x), F16)
        self.assertEqual(made.value.tolist(), [1 / 3, 1e-9, np.inf, 0.5, -2.75])
        self.assertEqual((made.scale > 0).tolist(), [True, True, False, False, False])
        self.assertAlmostEqual(made.scale[0], 2.0**-11 / 3)
        self.assertEqual(made.scale[1], 2.0**-24)  # as far as two subnormal numbers are apart
        self.assertEqual(cast(leaf(np.array([-2.75, 7.9])), I32).value.tolist(), [-2, 7])
        self.assertEqual(cast(leaf(x), np.dtype(bool)).value.tolist(), [True] * 5)
        with self.assertRaises(OracleError):
            cast(inexact([2.5], 1e-9), I32)

    def test_comparisons_need_to_be_sure(self):
        near, far = inexact([1.0], 1e-3), leaf(np.array([1.1]))
        self.assertEqual(elementwise.binary("less", near, far).value.tolist(), [True])
        with self.assertRaises(OracleError):
            elementwise.binary("less", near, leaf(np.array([1.01])))

    def test_a_weak_float_is_compared_as_a_number_of_the_dtype(self):
        x = np.array([0.7, 0.699, 0.7001], np.float16)
        for name in ("equal", "less", "greater_equal"):
            made = elementwise.binary(name, 0.7, leaf(x))
            np.testing.assert_array_equal(made.value, getattr(np, name)(0.7, x))

    def test_negative_powers_of_integers_are_the_power_0(self):
        made = elementwise.binary("power", leaf(np.array([3, -2, 0], np.int32)),
                                  leaf(np.array([-2, 3, -1], np.int32)))
        self.assertEqual(made.value.tolist(), [1, -8, 1])

    def test_casts_that_nothing_defines_are_refused(self):
        for value in (2.0**31, -2.0**31 - 1, np.inf, np.nan):
            with self.assertRaises(OracleError):
                cast(leaf(np.array([value])), I32)
        self.assertEqual(cast(leaf(np.array([2.0**31 - 0.5, -2.0**31 - 0.5])), I32).value.tolist(),
                         [2**31 - 1, -2**31])

    def test_where(self):
        made = elementwise.where(leaf(np.array([True, False])), leaf(np.array([1, 2], np.int32)),
                                 leaf(np.array([[0.5], [0.25]], np.float32)))
        self.assertEqual(made.dtype, F64)
        self.assertEqual(made.value.tolist(), [[1, 0.5], [1, 0.25]])


class Reductions(unittest.TestCase):
    def test_values_and_dtypes_are_numpys(self):
        for name, dtype, axis, keepdims in itertools.product(
                elementwise.REDUCTIONS, generator.DTYPES, (0, 1, -1), (False, True)):
            x = generator.argument("test", "int", "x", generator.DTYPES[dtype], (4, 5, 3))
            with self.subTest(name=name, dtype=dtype, axis=axis, keepdims=keepdims):
                made = elementwise.reduce(name, leaf(x), axis, keepdims)
                wanted = getattr(np, name)(x, axis=axis, keepdims=keepdims)
                self.assertEqual((made.dtype, made.value.shape), (wanted.dtype, wanted.shape))
                np.testing.assert_allclose(made.value.astype(float), wanted.astype(float),
                                           rtol=1e-3)
                if name != "mean" and not made.whole:
                    self.assertFalse(made.scale.any())

    def test_sums_show_their_roundings(self):
        x = generator.argument("test", "real", "x", F32, (2, 1000))
        made = elementwise.reduce("sum", leaf(x), 1, False)
        off = np.abs(np.cumsum(x, axis=1, dtype=np.float32)[:, -1] - made.value)
        self.assertTrue((off <= 3 * made.scale).all())
        self.assertTrue((made.scale < 1e-4).all())

    def test_sums_overflow_where_every_order_does(self):
        def total(values, dtype=F32):
            return elementwise.reduce("sum", leaf(np.array([values], dtype)), 1, False).value[0]

        big = float(np.finfo(F32).max)
        self.assertEqual(total([big, big]), np.inf)
        self.assertEqual(total([-big, -big, 1.0]), -np.inf)
        self.assertEqual(total([big / 2, -big, big / 4]), -big / 4)
        self.assertEqual(total([60000, 60000], F16), np.inf)
        self.assertEqual(total([60000, 60000, -60000], F16), 60000)  # summed in f32
        with self.assertRaises(OracleError):
            total([big, big, -big])

    def test_max_takes_the_scale_of_what_may_be_largest(self):
        x = Tensor(F64, np.array([[1.0, 2.0, 2.001]]), np.zeros((1, 3)),
                   np.array([[9e-9, 5e-3, 1e-3]]))
        made = elementwise.reduce("max", x, -1, False)
        self.assertEqual((made.value.tolist(), made.scale.tolist()), ([2.001], [5e-3]))

    def test_what_is_not_finite(self):
        x = leaf(np.array([[1, np.nan], [np.inf, 2], [np.inf, -np.inf]], np.float32))
        np.testing.assert_array_equal(elementwise.reduce("sum", x, 1, False).value,
                                      [np.nan, np.inf, np.nan])
        np.testing.assert_array_equal(elementwise.reduce("max", x, 1, False).value,
                                      [np.nan, np.inf, np.inf])


if __name__ == "__main__":
    unittest.main()
