# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Matrix products without rounding errors, from ordinary float64 ones.

Both operands are cut into slices of so few bits that every product of two slices, and every partial
sum of K of them in any order, fits the 53 bits of a float64. NumPy may then use whatever BLAS,
threads and FMA it has: nothing is ever rounded, and the bits are the same on every processor. (The
idea is that of Ozaki, Ogita, Oishi, Rump: Error-free transformations of matrix multiplication,
Numer. Algorithms 59, 2012.) The slices' products are added up by error-free additions (Knuth's
TwoSum) to an unevaluated sum of two float64, some 106 bits.
"""

import numpy as np

from oracle.errors import OracleError

MANTISSA = 53
REACH = 200  # bits below the largest element that count


def two_sum(a, b):
    """a + b exactly, as the rounded sum and its rounding error (Knuth, TAOCP 2, 4.2.2)."""
    total = a + b
    b_part = total - a
    return total, (a - (total - b_part)) + (b - b_part)


def _slices(x, bits, axis):
    """x as a sum of arrays, each of them whole multiples of at most 2^bits of one power of two for
    each vector along the axis; what is below 2^-REACH of a vector's largest element is left out."""
    x = np.where(np.abs(x) < 2.0**-700, 0.0, x)  # far below REACH: products must not underflow
    top = np.max(np.abs(x), axis=axis, keepdims=True, initial=0.0)
    quantum = np.ldexp(1.0, np.frexp(np.where(top > 0, top, 1.0))[1] - bits)
    slices = []
    while x.any() and len(slices) * bits < REACH:
        part = np.rint(x / quantum) * quantum
        slices.append(part)
        x = x - part
        quantum = quantum * 2.0**-bits
    return slices


def _scaled(x, axis):
    """(x / 2^e, e), each vector along the axis with an e of its own, by which its largest element comes
    to lie in [0.5, 1): no product then underflows or overflows on the way."""
    exponent = np.frexp(np.max(np.abs(x), axis=axis, keepdims=True, initial=0.0))[1]
    return np.ldexp(x, -exponent), exponent


def _rescaled(value, rest, exponent):
    """Both times 2^exponent; beyond float64 infinite."""
    with np.errstate(over="ignore", under="ignore"):
        value, rest = np.ldexp(value, exponent), np.ldexp(rest, exponent)
    return value, np.where(np.isfinite(value), rest, 0.0)


def matmul(a, b):
    """a @ b of finite float64 arrays (K: the last axis of a) as (value, rest): value + rest is the
    product to about 106 bits relative to |a| @ |b|, value its nearest float64 (unless elements more
    than 2^REACH apart meet in one sum)."""
    if not (np.isfinite(a).all() and np.isfinite(b).all()):
        raise OracleError("a product of numbers that are not finite")
    (a, a_exponent), (b, b_exponent) = _scaled(a, -1), _scaled(b, -2 if b.ndim > 1 else -1)
    exponent = a_exponent + b_exponent if b.ndim > 1 else a_exponent[..., 0] + b_exponent[0]
    bits = (MANTISSA - (a.shape[-1] - 1).bit_length()) // 2  # K * 2^(2 bits) <= 2^53
    a_slices, b_slices = _slices(a, bits, -1), _slices(b, bits, -2 if b.ndim > 1 else -1)
    pairs = sorted((i + j, i, j) for i in range(len(a_slices)) for j in range(len(b_slices))
                   if (i + j) * bits < REACH)
    shape = (*a.shape[:-1], *b.shape[-1:]) if b.ndim > 1 else a.shape[:-1]
    value, rest = np.zeros(shape), np.zeros(shape)
    for _, i, j in pairs:  # from the largest to the smallest
        value, error = two_sum(value, a_slices[i] @ b_slices[j])
        rest += error
    return _rescaled(*two_sum(value, rest), exponent)
