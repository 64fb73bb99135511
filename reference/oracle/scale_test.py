# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The error scale against its formula, written out one number at a time."""

import itertools
import math
import unittest

import numpy as np

from oracle import generator, scale, tensor

F32, F64 = generator.DTYPES["f32"], generator.DTYPES["f64"]


def argument(name, data, dtype, shape):
    return generator.argument("scale_test", data, name, dtype, shape)


def squares(numbers):
    return sum(number**2 for number in numbers)


def one_scale(a, b, u, added=None):
    """The scale of sum a_k b_k (+ added), from the text in scale.py."""
    products = [float(x) * float(y) for x, y in zip(a, b)]
    prefixes, suffixes = np.cumsum(products), np.cumsum(products[::-1])
    terms = products if added is None else [*products, added]
    if added is None:
        orders = [prefixes, suffixes]
    else:
        end = [prefixes[-1] + added]
        orders = [[*prefixes, *end], [*suffixes, *end], prefixes + added, suffixes + added]
    total, v2 = sum(terms), squares(terms)
    other = (len(terms) + 1) * (v2 / 6 + total**2 / 3 + math.sqrt(v2 * (v2 + 4 * total**2) / 45))
    return u * math.sqrt(squares(products) + max(other, *map(squares, orders)))


class Scale(unittest.TestCase):
    def assert_formula(self, a, b, dtype, added=None):
        x = tensor.matmul(*(tensor.leaf(part) for part in (a, b, added) if part is not None))
        self.assertEqual(x.dtype, dtype)
        u = scale.unit_roundoff(dtype)
        for i in range(a.shape[0]):
            for j in range(b.shape[1]):
                wanted = one_scale(a[i], b[:, j], u, None if added is None else float(added[j]))
                self.assertAlmostEqual(x.scale[i, j] / wanted, 1.0, delta=1e-9)

    def test_mean_over_all_orders(self):
        terms = [0.5, -2.0, 3.0, 0.125, -0.75]
        sums = [squares(np.cumsum(order)) for order in itertools.permutations(terms)]
        mean = 6 * (squares(terms) / 6 + sum(terms)**2 / 3)
        self.assertAlmostEqual(sum(sums) / len(sums), mean, delta=1e-12)

    def test_deviation_over_random_orders(self):
        terms = argument("a", "real", F64, (200,)) + 0.1
        shuffled = np.random.default_rng(1).permuted(np.tile(terms, (20000, 1)), axis=1)
        sums = np.sum(np.cumsum(shuffled, axis=1)**2, axis=1)
        v2, total = squares(terms), sum(terms)
        self.assertAlmostEqual(np.std(sums) / (201 * math.sqrt(v2 * (v2 + 4 * total**2) / 45)), 1.0,
                               delta=0.03)

    def test_running_error(self):
        for dtype in (F32, F64):
            for k in (1, 2, 7, 100):
                a, b = argument("a", "real", dtype, (3, k)), argument("b", "real", dtype, (k, 4))
                self.assert_formula(a, b, dtype)
                self.assert_formula(a, b, dtype, argument("c", "real", dtype, (4,)))

    def test_blocks_of_rows_do_not_matter(self):
        a = argument("a", "real", F32, (2, 50, 9)).astype(np.float64)
        b = argument("b", "real", F32, (2, 9, 700)).astype(np.float64)
        zeros = [np.zeros(x.shape) for x in (a, b)]
        whole = scale.of_dot(a, b, F32, *zeros)
        row = scale.of_dot(a[1, 49:], b[1], F32, zeros[0][1, 49:], zeros[1][1])
        np.testing.assert_allclose(whole[1, 49:], row, rtol=1e-12)

    def test_whole_numbers_are_exact(self):
        for dtype in (F32, F64):
            a, b = argument("a", "int", dtype, (5, 300)), argument("b", "int", dtype, (300, 6))
            c = argument("c", "int", dtype, (6,))
            self.assertFalse(tensor.matmul(tensor.leaf(a), tensor.leaf(b)).scale.any())
            self.assertFalse(tensor.matmul(*map(tensor.leaf, (a, b, c))).scale.any())

    def test_exactness_ends_at_the_mantissa(self):
        # G = 2^24 is exact in f32, one more is not; each element is judged for itself.
        a = np.array([[4096.0, 0.0], [4096.0, 1.0]], F32)
        b = np.array([[4096.0], [1.0]], F32)
        x = tensor.matmul(tensor.leaf(a), tensor.leaf(b))
        self.assertEqual(x.scale[0, 0], 0)
        self.assertGreater(x.scale[1, 0], 0)
        half = tensor.matmul(tensor.leaf(a / 2 + np.float32(0.5)), tensor.leaf(b))
        self.assertTrue((half.scale > 0).all())

    def test_casts_of_i64_bring_their_rounding(self):
        odd = np.array([[2**53 + 1, 3]], np.int64)
        cast = tensor.cast(tensor.leaf(odd), F64)
        self.assertEqual(cast.value.tolist(), [[2.0**53, 3.0]])
        self.assertEqual(cast.scale.tolist(), [[1.0, 0.0]])
        b = np.array([[0.25], [0.0]])
        x = tensor.matmul(tensor.leaf(odd), tensor.leaf(b))
        own = one_scale(cast.value[0], b[:, 0], 2.0**-53)
        self.assertAlmostEqual(x.scale[0, 0], math.hypot(own, 0.25), delta=1e-12)

    def test_casts_at_the_ends_of_the_range(self):
        ends = np.array([-2**63, 2**63 - 1, -1, 2**62 + 1], np.int64)
        self.assertEqual(tensor.cast(tensor.leaf(ends), F64).value.tolist(),
                         [float(int(end)) for end in ends])

    def test_probes_add_variances(self):
        s = np.array([[3.0, 4.0], [0.0, 0.0]])
        self.assertEqual(scale.of_probe(np.array([-1, 1]), s).tolist(), [5.0, 0.0])

    def test_probes_of_tiny_scales(self):
        for size in (1e-300, 1e300, 2.0**-1074):
            s = np.array([[3.0, 4.0], [0.0, 0.0]]) * size
            self.assertEqual(scale.of_probe(np.array([-1, 1]), s).tolist(), [5 * size, 0.0])

    def test_probes_show_the_rounding_of_their_own_sums(self):
        weights = np.array([0.1, -0.7, 0.3])
        elements = np.array([[0.7, 1e-30, 12.5], [0.0, 0.0, 0.0], [2.0**-1074, 0.0, 0.0]])
        total = elements @ weights
        own = scale.of_probe_sum(weights, elements, total)
        self.assertTrue(0 <= own[0] / (2.0**-53 * abs(total[0])) - 1 < 2.0**-10)
        self.assertEqual(own[1:].tolist(), [0.0, scale.SMALLEST])

    def test_probes_that_round_nothing_say_so(self):
        weights = np.array([-15.0, 3.0, 1.0])
        elements = np.array([[8.0, -3.0, 7.0], [2.0**-40, 5.0, 0.0], [2.0**100, 3 * 2.0**100, 0.0],
                             [2.0**49, 1.0, 0.0], [2.0**50, 1.0, 0.0], [0.7, 0.0, 0.0]])
        own = scale.of_probe_sum(weights, elements, elements @ weights)
        self.assertEqual((own > 0).tolist(), [False, False, False, False, True, True])


if __name__ == "__main__":
    unittest.main()
