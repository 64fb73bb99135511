# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""tf32 by its definition, and what its scale allows: every correct rounding, and no more than that."""

import fractions
import itertools
import math
import unittest

import numpy as np

from oracle import calibrate_tf32, caseline, generator, tensor, tf32
from oracle.errors import OracleError

F32, F64 = generator.DTYPES["f32"], generator.DTYPES["f64"]
PLAIN = "lhs=plain rhs=plain result=plain"


def of(name, data, shape, dtype=F32):
    return generator.argument("tf32_test", data, name, dtype, shape)


def neighbours(x):
    """The numbers of tf32 below and above a positive x, which may be one, and their distance."""
    x = fractions.Fraction(float(x))
    unit = fractions.Fraction(2) ** (math.frexp(float(x))[1] - 11)
    below = x // unit * unit
    return x, below, below if below == x else below + unit, unit


class Roundings(unittest.TestCase):

    def assert_rounded(self, x):
        exact, below, above, unit = neighbours(x)
        low = exact - below
        if low * 2 == unit:
            even = below if below / unit % 2 == 0 else above
            nearest = {"away": above, "to even": even}
        else:
            nearest = dict.fromkeys(("away", "to even"), below if low * 2 < unit else above)
        wanted = {"not at all": exact, "truncated": below,
                  "to nearest, ties away": nearest["away"],
                  "to nearest, ties to even": nearest["to even"]}
        for name, rounded in tf32.ROUNDINGS.items():
            for sign in (1, -1):
                got = rounded(np.array([sign * float(x)]))[0]
                self.assertEqual(fractions.Fraction(float(got)), sign * wanted[name], (name, x))

    def test_numbers_of_the_data(self):
        for x in np.abs(of("x", "real", (300,))):
            self.assert_rounded(x if x else 1.0)

    def test_ties_and_borders(self):
        for x in (1.0, 1 + 2.0**-10, 1 + 2.0**-11, 1 + 3 * 2.0**-11, 1 + 2.0**-11 + 2.0**-23,
                  1 + 2.0**-11 - 2.0**-23, 2 - 2.0**-23, 3.0 * 2.0**-100, 2047.0, 2049.0):
            self.assert_rounded(x)


class Scale(unittest.TestCase):

    def test_formula(self):
        a, b = of("a", "real", (4, 9)), of("b", "real", (9, 6))
        got = tensor.matmul(tensor.leaf(a), tensor.leaf(b), precision="tf32")
        plain = tensor.matmul(tensor.leaf(a), tensor.leaf(b))
        self.assertTrue(np.array_equal(got.value, plain.value))
        for i, j in itertools.product(range(4), range(6)):
            row, column = a[i].astype(float), b[:, j].astype(float)
            exact = math.fsum(row * column)
            largest = max(abs(math.fsum(of_a(row) * of_b(column)) - exact)
                          for of_a in tf32.ROUNDINGS.values() for of_b in tf32.ROUNDINGS.values())
            wanted = math.hypot(plain.scale[i, j] * math.sqrt(9 + 2), largest / 2)
            self.assertAlmostEqual(got.scale[i, j] / wanted, 1, 9)

    def test_every_correct_variant_passes(self):
        for shape, biased in (((5, 12, 9), False), ((33, 40, 21), True), ((1, 70, 65), False)):
            instance = calibrate_tf32.Instance("tf32_test", shape, biased)
            for name, got in calibrate_tf32.correct(instance):
                self.assertLess(max(instance.margins(got)), 0.5, (name, shape))

    def test_fewer_bits_fail(self):
        for shape in ((3, 5, 7), (16, 16, 16), (37, 1, 43), (1, 127, 65), (20, 700, 16)):
            instance = calibrate_tf32.Instance("tf32_test", shape)
            for name, (of_a, of_b) in calibrate_tf32.FAULTY.items():
                if "bf16" in name:
                    got = of_a(instance.a) @ of_b(instance.b)
                    self.assertGreater(instance.margins(got)[0], 1.5, (name, shape))

    def test_small_whole_numbers_are_exact(self):
        a, b = of("a", "int", (9, 64)), of("b", "int", (64, 5))
        got = tensor.matmul(tensor.leaf(a), tensor.leaf(b), precision="tf32")
        self.assertFalse(got.scale.any())
        larger = a * np.float32(1001)  # exact in f32, beyond 11 bits
        got = tensor.matmul(tensor.leaf(larger), tensor.leaf(b), precision="tf32")
        self.assertTrue(got.scale.any())
        self.assertFalse(tensor.matmul(tensor.leaf(larger), tensor.leaf(b)).scale.any())

    def test_views_of_the_result(self):
        a, b = of("a", "real", (6, 7)), of("b", "real", (7, 8))
        whole = tensor.matmul(tensor.leaf(a), tensor.leaf(b), precision="tf32")
        part = whole.view(lambda x: x[1:, 2:].T)
        self.assertTrue(np.array_equal(part.deviations[3], whole.deviations[3][1:, 2:].T))

    def test_what_is_refused(self):
        a = tensor.leaf(of("a", "real", (3, 3)))
        wide = tensor.leaf(of("a", "real", (3, 3), F64))
        for x, y in ((a, wide), (wide, wide), (tensor.matmul(a, a), a)):
            with self.assertRaises(OracleError):
                tensor.matmul(x, y, precision="tf32")
        with self.assertRaises(OracleError):
            tensor.matmul(tensor.leaf(np.full((1, 1), np.finfo(F32).max)), a.view(lambda x: x[:1]),
                          precision="tf32")


class Line(unittest.TestCase):

    def test_the_key_is_there_only_where_it_says_something(self):
        line = f"matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 {PLAIN}"
        self.assertEqual(caseline.parse(line)["precision"], "exact")
        self.assertEqual(caseline.parse(f"{line} precision=tf32")["precision"], "tf32")
        for bad in (f"{line} precision=exact", f"{line} precision=", f"{line} precision",
                    f"matmul precision=tf32 m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 {PLAIN}",
                    f"{line} precision=tf32 precision=tf32", f"{line} precision=bf16"):
            with self.assertRaises(OracleError):
                caseline.parse(bad)


if __name__ == "__main__":
    unittest.main()
