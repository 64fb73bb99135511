# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Correct ways to compute a @ b (+ added) in a dtype, and faulty ones: what the scale is calibrated
on.

Each takes two matrices of the same floating dtype, and a row to add or None, and gives the result
in that dtype, rounded wherever a machine with that arithmetic rounds.
"""

import numpy as np

from oracle import exact

TILE = 32   # of k, for tiled sums
LANES = 16  # partial sums, as of vector registers


def _multiply_add(total, x, y):
    return total + x * y


def _split(x):
    """x as a sum of two numbers of at most 26 bits (Veltkamp), so that their products are exact."""
    scaled = x * (2.0**27 + 1)
    high = scaled - (scaled - x)
    return high, x - high


def fused_multiply_add(total, x, y):
    """total + x * y rounded once. f32: the product is exact in f64, the sum is rounded to 53 bits
    before 24. f64: the product's and the sum's rounding errors (Dekker, Knuth) are added last."""
    if total.dtype == np.float32:
        return (total.astype(np.float64) + x.astype(np.float64) * y).astype(np.float32)
    product = x * y
    (x_high, x_low), (y_high, y_low) = _split(x), _split(y)
    error = x_low * y_low - (((product - x_high * y_high) - x_low * y_high) - x_high * y_low)
    value, rest = exact.two_sum(total, product)
    return value + (rest + error)


def _loop(a, b, order, step, start=None):
    total = np.zeros((a.shape[0], b.shape[1]), a.dtype)
    if start is not None:
        total += start
    for k in order:
        total = step(total, a[:, k, None], b[None, k, :])
    return total


def _finish(total, added):
    return total if added is None else total + added


def _in_order(step, backward):
    def compute(a, b, added):
        order = range(a.shape[1])
        return _finish(_loop(a, b, reversed(order) if backward else order, step), added)
    return compute


def _starting_with_added(step):
    return lambda a, b, added: _loop(a, b, range(a.shape[1]), step, added)


def _partial(parts_of):
    """Sums over each set of k that parts_of(K) gives, then the sum of these."""
    def compute(a, b, added):
        total = None
        for part in parts_of(a.shape[1]):
            if len(part) > 0:
                partial = _loop(a, b, part, _multiply_add)
                total = partial if total is None else total + partial
        return _finish(total, added)
    return compute


def _tiles(count):
    return [range(first, min(first + TILE, count)) for first in range(0, count, TILE)]


def _lanes(count):
    return [range(lane, count, LANES) for lane in range(LANES)]


def _pairwise(a, b, added):
    def tree(first, last):
        if last - first == 1:
            return a[:, first, None] * b[None, first, :]
        middle = (first + last) // 2
        return tree(first, middle) + tree(middle, last)
    return _finish(tree(0, a.shape[1]), added)


CORRECT = {
    "k forwards": _in_order(_multiply_add, False),
    "k backwards": _in_order(_multiply_add, True),
    "k in tiles of 32": _partial(_tiles),
    "k forwards, FMA": _in_order(fused_multiply_add, False),
    "k backwards, FMA": _in_order(fused_multiply_add, True),
    "16 partial sums": _partial(_lanes),
    "pairwise sums": _pairwise,
    "accumulator starts with the bias": _starting_with_added(_multiply_add),
    "NumPy and its BLAS": lambda a, b, added: _finish(a @ b, added),
    "NumPy and its BLAS, transposed": lambda a, b, added: _finish(
        (np.ascontiguousarray(b.T) @ np.ascontiguousarray(a.T)).T, added),
}


def to_bf16(x):
    """The upper 8 bits of the mantissa, in x's dtype: what a unit that truncates its inputs
    sees."""
    return (x.astype(np.float32).view(np.uint32) & 0xFFFF0000).view(np.float32).astype(x.dtype)


FAULTY = {
    "last k dropped": lambda a, b: a[:, :-1] @ b[:-1],
    "one k taken twice": lambda a, b: a @ b + a[:, :1] * b[:1],
    "both inputs truncated to bf16": lambda a, b: to_bf16(a) @ to_bf16(b),
    "one input truncated to bf16": lambda a, b: to_bf16(a) @ b,
}
