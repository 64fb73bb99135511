# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Exact products against Python's fractions."""

import unittest
from fractions import Fraction

import numpy as np

from oracle import exact, generator


def fractions(a, b):
    return [[sum(Fraction(float(x)) * Fraction(float(y)) for x, y in zip(row, column))
             for column in b.T] for row in a]


class Exact(unittest.TestCase):
    def assert_exact(self, a, b):
        value, rest = exact.matmul(a, b)
        size = np.abs(a) @ np.abs(b)
        for i, row in enumerate(fractions(a, b)):
            for j, wanted in enumerate(row):
                self.assertEqual(value[i, j], float(wanted))  # correctly rounded
                error = abs(Fraction(value[i, j]) + Fraction(rest[i, j]) - wanted)
                self.assertLessEqual(error, Fraction(size[i, j]) / 2**100)

    def test_full_mantissas(self):
        for k in (1, 2, 33, 1000):
            self.assert_exact(*(generator.argument(f"k={k}", "real", name,
                                                   generator.DTYPES["f64"], shape)
                                for name, shape in (("a", (3, k)), ("b", (k, 4)))))

    def test_cancellation(self):
        a = np.array([[1.0, 2.0**-60, -1.0, 1e10, -1e10]])
        self.assert_exact(a, np.ones((5, 1)))
        self.assert_exact(a * (1 / 3), np.full((5, 1), 1 / 7))

    def test_magnitudes_far_apart(self):
        self.assert_exact(np.array([[2.0**62 - 2.0**10, 3.0], [1e-9, 1 / 3]]),
                          np.array([[1 / 3, 5.0], [7.0, 1e-12]]))

    def test_magnitudes_near_the_ends_of_the_range(self):
        b = generator.argument("b", "real", "b", generator.DTYPES["f64"], (5, 4))
        a = generator.argument("a", "real", "a", generator.DTYPES["f64"], (3, 5))
        value, rest = exact.matmul(a, b)
        for power in (-900, 900, 1020):
            found, _ = exact.matmul(np.ldexp(a, power), b)
            self.assertTrue((found == np.ldexp(value, power)).all())
        tiny, _ = exact.matmul(np.ldexp(a, -1060), b)
        self.assertTrue((np.abs(tiny - np.ldexp(value, -1060)) <= 2.0**-1074).all())
        self.assertTrue(tiny.any())
        beyond, rest = exact.matmul(np.array([[1e200, -1e200]]), np.array([[1e200], [1e100]]))
        self.assertEqual((beyond.tolist(), rest.tolist()), ([[np.inf]], [[0.0]]))

    def test_zeros_vectors_and_batches(self):
        self.assert_exact(np.zeros((2, 3)), np.ones((3, 2)))
        a = generator.argument("x", "real", "a", generator.DTYPES["f64"], (2, 3, 5))
        b = generator.argument("x", "real", "b", generator.DTYPES["f64"], (2, 5, 4))
        value, rest = exact.matmul(a, b)
        vector, _ = exact.matmul(a[0], b[0, :, 1])
        for n in range(2):
            one, one_rest = exact.matmul(a[n], b[n])
            self.assertTrue((value[n] == one).all() and (rest[n] == one_rest).all())
        self.assertTrue((vector == value[0, :, 1]).all())


if __name__ == "__main__":
    unittest.main()
