# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Sums over partial sums: by their definition, and large products by blocks as small ones."""

import itertools
import unittest
from fractions import Fraction

import numpy as np

from oracle import generator, partial_sums
from oracle.partial_sums import BLOCK, LARGE, STRETCH, TILE


def of(name, shape):
    return generator.argument("partial_sums_test", "real", name, generator.DTYPES["f32"],
                              shape).astype(np.float64)


def by_definition(row, column):
    sums = list(itertools.accumulate(Fraction(x) * Fraction(y) for x, y in zip(row, column)))
    return float(sum(s * s for s in sums)), float(sum(sums))


class PartialSums(unittest.TestCase):

    def assert_right(self, a, b):
        """By blocks as one after the other; ends, tiles' edges and a few more by the definition."""
        made = partial_sums.moments(a, b)
        plain = partial_sums._one_after_the_other(a, b)
        np.testing.assert_allclose(made[0], plain[0], rtol=1e-11)
        np.testing.assert_allclose(made[1], plain[1], atol=1e-12 * np.max(np.abs(plain[1])))
        rows, columns = ({0, 1, TILE - 1, TILE, size - 1} for size in (a.shape[0], b.shape[1]))
        for i, j in itertools.product(rows, columns):
            if i < a.shape[0] and j < b.shape[1]:
                squares, sums = by_definition(a[i], b[:, j])
                self.assertAlmostEqual(made[0][i, j] / squares, 1, delta=1e-12)
                self.assertAlmostEqual(made[1][i, j], sums, delta=1e-11 * max(1, abs(sums)))

    def test_lengths_around_blocks_and_stretches(self):
        for k in (BLOCK, BLOCK + 1, 2 * BLOCK - 1, 2 * BLOCK, STRETCH - BLOCK, STRETCH - 7,
                  STRETCH, STRETCH + 1):
            self.assert_right(of("a", (LARGE, k)), of("b", (k, LARGE)))

    def test_rows_and_columns_around_tiles(self):
        for m, n in ((LARGE, TILE), (TILE - 1, TILE + 1), (TILE, LARGE), (2 * TILE + 5, TILE + 1)):
            self.assert_right(of("a", (m, 37)), of("b", (37, n)))

    def test_sums_that_cancel_and_sums_that_grow(self):
        a, b = of("a", (LARGE, 203)), of("b", (203, LARGE))
        signs = np.where(np.arange(203) % 2, -1.0, 1.0)
        for changed, other in ((np.ones(a.shape) * signs, np.ones(b.shape)),
                               ((np.abs(a) + 1) * signs, np.abs(b) + 1), (np.abs(a), np.abs(b)),
                               (a * 2.0**np.arange(0, -203, -1), b),
                               (a * 2.0**np.arange(-202, 1), b), (a * 2.0**-70, b * 2.0**-80)):
            self.assert_right(changed, other)

    def test_one_number_among_zeros_counts_from_where_it_stands(self):
        for k in (0, 1, 7, 8, 9, 57, 58):
            a, b = np.zeros((LARGE, 59)), np.zeros((59, LARGE))
            a[:, k], b[k] = 3.0, 0.5
            squares, sums = partial_sums.moments(a, b)
            np.testing.assert_allclose(squares, 2.25 * (59 - k), rtol=1e-14)
            np.testing.assert_allclose(sums, 1.5 * (59 - k), rtol=1e-14)

    def test_batches_each_with_an_operand_or_all_with_one(self):
        a, b = of("a", (2, LARGE, 20)), of("b", (2, 20, LARGE + 1))
        each, one = partial_sums.moments(a, b), partial_sums.moments(a, b[0])
        for which in range(2):
            for got, wanted in ((each, b[which]), (one, b[0])):
                alone = partial_sums.moments(a[which], wanted)
                self.assertTrue(all(np.array_equal(x[which], y) for x, y in zip(got, alone)))


if __name__ == "__main__":
    unittest.main()
