# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The views of suite/OPS.md: which argument stands for an operand, and what a result shows."""

from typing import Callable, NamedTuple


class View(NamedTuple):
    argument: Callable  # the operand's dimensions -> the argument's shape
    operand: Callable   # the argument's array, the operand's dimensions -> the operand


def smallest_prime_factor(n):
    """1 for 1."""
    return next((p for p in range(2, int(n**0.5) + 1) if n % p == 0), n)


def _split_rows(r, c):
    p = smallest_prime_factor(r)
    return (p, r // p, c)


# An operand of r rows and c columns.
MATRIX = {
    "plain": View(lambda r, c: (r, c), lambda x, r, c: x),
    "sliced": View(lambda r, c: (r + 3, c + 5), lambda x, r, c: x[1:1 + r, 2:2 + c]),
    "transposed": View(lambda r, c: (c, r), lambda x, r, c: x.T),
    "sliced_transposed": View(lambda r, c: (c + 5, r + 3),
                              lambda x, r, c: x[2:2 + c, 1:1 + r].T),
    "reshaped": View(_split_rows, lambda x, r, c: x.reshape(r, c)),
}

# An operand of b matrices.
BATCH = {
    "plain": View(lambda b, r, c: (b, r, c), lambda x, b, r, c: x),
    "sliced": View(lambda b, r, c: (b + 1, r + 3, c + 5),
                   lambda x, b, r, c: x[1:1 + b, 1:1 + r, 2:2 + c]),
    "transposed": View(lambda b, r, c: (b, c, r), lambda x, b, r, c: x.transpose(0, 2, 1)),
    "sliced_transposed": View(lambda b, r, c: (b + 1, c + 5, r + 3),
                              lambda x, b, r, c: x[1:1 + b, 2:2 + c, 1:1 + r].transpose(0, 2, 1)),
    "reshaped": View(lambda b, r, c: (b * r, c), lambda x, b, r, c: x.reshape(b, r, c)),
    "heads": View(lambda b, r, c: (r, b, c), lambda x, b, r, c: x.transpose(1, 0, 2)),
}


def _sliced(c):
    """Off by up to 1 on each axis and by up to 2 on the last, but never empty."""
    starts = [1] * (c.ndim - 1) + [2]
    return c[tuple(slice(min(start, size - 1), None) for start, size in zip(starts, c.shape))]


def _split_columns(c):
    q = smallest_prime_factor(c.shape[1])
    return c.reshape(c.shape[0], q, c.shape[1] // q)


# What a result shows of the contraction c.
MATRIX_RESULT = {
    "plain": lambda c: c,
    "sliced": _sliced,
    "transposed": lambda c: c.T,
    "sliced_transposed": lambda c: _sliced(c).T,
    "reshaped": _split_columns,
}
BATCH_RESULT = {
    "plain": lambda c: c,
    "sliced": _sliced,
    "transposed": lambda c: c.transpose(0, 2, 1),
    "sliced_transposed": lambda c: _sliced(c).transpose(0, 2, 1),
    "reshaped": lambda c: c.reshape(-1, c.shape[2]),
    "heads": lambda c: c.transpose(1, 0, 2),
}
