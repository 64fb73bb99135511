# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The views against what suite/OPS.md says of them, element by element."""

import unittest

import numpy as np

from oracle import views


def numbered(shape):
    return np.arange(int(np.prod(shape))).reshape(shape)


class Views(unittest.TestCase):
    def test_smallest_prime_factor(self):
        self.assertEqual([views.smallest_prime_factor(n) for n in (1, 2, 3, 4, 9, 15, 35, 127)],
                         [1, 2, 3, 2, 3, 3, 5, 127])

    def test_operand_of_a_matrix(self):
        r, c = 6, 5
        wanted = {
            "plain": ((6, 5), lambda x, i, j: x[i, j]),
            "sliced": ((9, 10), lambda x, i, j: x[i + 1, j + 2]),
            "transposed": ((5, 6), lambda x, i, j: x[j, i]),
            "sliced_transposed": ((10, 9), lambda x, i, j: x[j + 2, i + 1]),
            "reshaped": ((2, 3, 5), lambda x, i, j: x[i // 3, i % 3, j]),
        }
        self.assertEqual(wanted.keys(), views.MATRIX.keys())
        for name, (shape, element) in wanted.items():
            view, x = views.MATRIX[name], numbered(shape)
            self.assertEqual(view.argument(r, c), shape)
            operand = view.operand(x, r, c)
            self.assertEqual(operand.tolist(),
                             [[element(x, i, j) for j in range(c)] for i in range(r)], name)

    def test_operand_of_a_batch(self):
        b, r, c = 3, 4, 5
        wanted = {
            "plain": ((3, 4, 5), lambda x, n, i, j: x[n, i, j]),
            "sliced": ((4, 7, 10), lambda x, n, i, j: x[n + 1, i + 1, j + 2]),
            "transposed": ((3, 5, 4), lambda x, n, i, j: x[n, j, i]),
            "sliced_transposed": ((4, 10, 7), lambda x, n, i, j: x[n + 1, j + 2, i + 1]),
            "reshaped": ((12, 5), lambda x, n, i, j: x[4 * n + i, j]),
            "heads": ((4, 3, 5), lambda x, n, i, j: x[i, n, j]),
        }
        self.assertEqual(wanted.keys(), views.BATCH.keys())
        for name, (shape, element) in wanted.items():
            view, x = views.BATCH[name], numbered(shape)
            self.assertEqual(view.argument(b, r, c), shape)
            self.assertEqual(view.operand(x, b, r, c).tolist(),
                             [[[element(x, n, i, j) for j in range(c)] for i in range(r)]
                              for n in range(b)], name)

    def test_result_of_a_matrix(self):
        c = numbered((4, 6))
        for name, wanted in (("plain", c), ("sliced", c[1:, 2:]), ("transposed", c.T),
                             ("sliced_transposed", c[1:, 2:].T),
                             ("reshaped", numbered((4, 2, 3)))):
            self.assertEqual(views.MATRIX_RESULT[name](c).tolist(), wanted.tolist(), name)
        for rows, columns, left in ((1, 1, (1, 1)), (2, 2, (1, 1)), (5, 3, (4, 1)), (1, 9, (1, 7))):
            sliced = views.MATRIX_RESULT["sliced"](numbered((rows, columns)))
            self.assertEqual(sliced.shape, left)
            self.assertEqual(sliced[-1, -1], rows * columns - 1)

    def test_result_of_a_batch(self):
        c = numbered((2, 3, 5))
        for name, wanted in (("plain", c), ("sliced", c[1:, 1:, 2:]),
                             ("transposed", np.swapaxes(c, 1, 2)),
                             ("sliced_transposed", np.swapaxes(c[1:, 1:, 2:], 1, 2)),
                             ("reshaped", numbered((6, 5))), ("heads", np.swapaxes(c, 0, 1))):
            self.assertEqual(views.BATCH_RESULT[name](c).tolist(), wanted.tolist(), name)


if __name__ == "__main__":
    unittest.main()
