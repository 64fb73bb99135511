# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on pairs against decimal arithmetic with 80 digits."""

import decimal
import unittest
from decimal import Decimal

import numpy as np

from oracle import doubled

POINTS = [1e-30, 1e-5, 0.1, 1 / 3, 0.35, 0.7, 1.5, 3.3, 7.7, -1e-9, -0.2, -5.0, -20.0, 30.0, -300.0]
BITS = 95


def exact(pair, index):
    return Decimal(float(pair[0][index])) + Decimal(float(pair[1][index]))


class Doubled(unittest.TestCase):
    def setUp(self):
        context = decimal.localcontext(decimal.Context(prec=80))
        context.__enter__()
        self.addCleanup(context.__exit__, None, None, None)

    def assert_near(self, made, wanted, what):
        for index, want in enumerate(wanted):
            error = abs(exact(made, index) - want)
            self.assertLessEqual(error, abs(want) / 2**BITS, (what, POINTS[index % len(POINTS)]))

    def test_arithmetic(self):
        a = np.array(POINTS) / 3, np.array(POINTS) * 2.0**-60
        b = np.array(POINTS[::-1]) / 7, np.array(POINTS[::-1]) * 2.0**-59
        numbers = [(exact(a, i), exact(b, i)) for i in range(len(POINTS))]
        self.assert_near(doubled.multiply(a, b), [x * y for x, y in numbers], "multiply")
        self.assert_near(doubled.divide(a, b), [x / y for x, y in numbers], "divide")
        for function, sign in ((doubled.add, 1), (doubled.subtract, -1)):
            made = function(a, b)
            for i, (x, y) in enumerate(numbers):
                self.assertLessEqual(abs(exact(made, i) - (x + sign * y)),
                                     (abs(x) + abs(y)) / 2**102)

    def test_functions(self):
        x = doubled.pair(np.array(POINTS))
        numbers = [Decimal(point) for point in POINTS]

        def tanh(n):
            return (1 - (-2 * abs(n)).exp()) / (1 + (-2 * abs(n)).exp()).copy_sign(n)

        self.assert_near(doubled.exp(x), [n.exp() for n in numbers], "exp")
        self.assert_near(doubled.tanh(x), [tanh(n) for n in numbers], "tanh")
        size = doubled.pair(np.abs(POINTS))
        self.assert_near(doubled.log(size), [abs(n).ln() for n in numbers], "log")
        self.assert_near(doubled.sqrt(size), [abs(n).sqrt() for n in numbers], "sqrt")
        self.assert_near(doubled.power(size, doubled.pair(np.array(POINTS) / 128)),
                         [(abs(n).ln() * n / 128).exp() for n in numbers], "power")
        self.assert_near(doubled.whole_power(x, 3), [n**3 for n in numbers], "whole_power")

    def test_erf(self):
        """Against its alternating series, which 80 digits survive up to 7.7."""
        points = [1e-30, -0.1, 0.5, 1.0, 2.5, -4.0, 6.0, 7.7, 9.5]
        root_pi = Decimal("1.7724538509055160272981674833411451827975494561223871282138077898529113")
        made = doubled.erf(doubled.pair(np.array(points)))
        for index, point in enumerate(points[:-1]):
            x, total, term = Decimal(point), Decimal(0), Decimal(point)
            for n in range(400):
                total += term / (2 * n + 1)
                term *= -x * x / (n + 1)
            wanted = 2 * total / root_pi
            self.assertLessEqual(abs(exact(made, index) - wanted), abs(wanted) / 2**BITS, point)
        self.assertEqual((made[0][-1], made[1][-1]), (1.0, 0.0))

    def test_total(self):
        for count in (1, 2, 3, 7, 64, 65):
            x = np.arange(2 * count).reshape(2, count) / 3 - 5
            made = doubled.total(doubled.pair(x))
            for row in range(2):
                self.assertLessEqual(abs(exact(made, row) - sum(map(Decimal, x[row]))),
                                     Decimal(float(np.abs(x[row]).sum())) / 2**98)

    def test_what_is_not_finite(self):
        nan, inf = np.nan, np.inf
        x = doubled.pair(np.array([nan, inf, -inf, 0.0, -0.0, 1e5, -1e5]))
        for function, wanted in (
                (doubled.exp, [nan, inf, 0, 1, 1, inf, 0]),
                (doubled.tanh, [nan, 1, -1, 0, -0.0, 1, -1]),
                (doubled.erf, [nan, 1, -1, 0, -0.0, 1, -1]),
                (doubled.sqrt, [nan, inf, nan, 0, -0.0, np.sqrt(1e5), nan]),
                (doubled.log, [nan, inf, nan, -inf, -inf, np.log(1e5), nan])):
            value, rest = function(x)
            np.testing.assert_allclose(value, wanted, rtol=1e-15, err_msg=function.__name__)
            self.assertTrue(np.isfinite(rest).all())
        value, rest = doubled.divide(doubled.pair(np.array([1.0, 0.0, -1.0])),
                                     doubled.pair(np.zeros(3)))
        np.testing.assert_array_equal(value, [inf, nan, -inf])
        value, _ = doubled.power(doubled.pair(np.array([-2.0, -2.0, 0.0, 2.0])),
                                 doubled.pair(np.array([3.0, 0.5, -1.0, 0.0])))
        np.testing.assert_allclose(value, [-8, nan, inf, 1])


if __name__ == "__main__":
    unittest.main()
