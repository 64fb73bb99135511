# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Arithmetic on pairs of float64 arrays (value, rest), which stand for the number value + rest.

A pair carries some 100 bits, twice what any dtype here has, so that expected values are right to the
last bit they are stored with and have no error of their own that a judgement could feel. Everything
is made of float64 additions, multiplications, divisions and square roots, which IEEE 754 defines to
the bit: all processors give the same. (Dekker: A floating-point technique for extending the available
precision, Numer. Math. 18, 1971.)

Where a result is not finite its rest is 0 and its value is what IEEE 754 says of the values alone.
"""

import numpy as np

from oracle.exact import two_sum

LN2 = (0.6931471805599453, 2.3190468138462996e-17)
TWO_OVER_ROOT_PI = (1.1283791670955126, 1.533545961316588e-17)

_HALVINGS = 8      # of exp's argument, below 0.35, so that _TERMS of its series reach 2^-106
_TERMS = 10
_ERF_TERMS = 320   # for |x| <= _ERF_LIMIT
_ERF_LIMIT = 9.0   # beyond, erf is 1 to 120 bits
_TANH_LIMIT = 40.0  # beyond, tanh is 1 to 114 bits
_EXP_LIMIT = 800.0  # beyond, exp is 0 or infinity in float64


def pair(x):
    """x as a pair."""
    x = np.asarray(x, np.float64)
    return x, np.zeros(x.shape)


def _normal(value, rest):
    total = value + rest
    return total, rest - (total - value)


def _settled(plain, result):
    """The result, or plain where that is not finite."""
    finite = np.isfinite(plain) & np.isfinite(result[0])
    return np.where(finite, result[0], plain), np.where(finite, result[1], 0.0)


def _split(x):
    scaled = x * (2.0**27 + 1)
    high = scaled - (scaled - x)
    return high, x - high


def two_product(a, b):
    """a * b exactly, as the rounded product and its rounding error (Dekker, Veltkamp)."""
    product = a * b
    (a_high, a_low), (b_high, b_low) = _split(a), _split(b)
    return product, a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low)


def negative(a):
    return -a[0], -a[1]


def add(a, b):
    with np.errstate(all="ignore"):
        total, error = two_sum(a[0], b[0])
        low, low_error = two_sum(a[1], b[1])
        total, error = _normal(total, error + low)
        return _settled(a[0] + b[0], _normal(total, error + low_error))


def subtract(a, b):
    return add(a, negative(b))


def multiply(a, b):
    with np.errstate(all="ignore"):
        product, error = two_product(a[0], b[0])
        return _settled(a[0] * b[0], _normal(product, error + (a[0] * b[1] + a[1] * b[0])))


def divide(a, b):
    with np.errstate(all="ignore"):
        plain = a[0] / b[0]
        quotient = step = pair(plain)
        remainder = a
        for _ in range(2):
            remainder = subtract(remainder, multiply(step, b))
            step = pair(remainder[0] / b[0])
            quotient = add(quotient, step)
        return _settled(plain, quotient)


def sqrt(a):
    with np.errstate(all="ignore"):
        root = np.sqrt(a[0])
        remainder = subtract(a, multiply(pair(root), pair(root)))
        refined = _normal(root, remainder[0] / (2 * root))
        return _settled(np.where(a[0] == 0, a[0], root), np.where(a[0] == 0, 0.0, refined))


def _reduced(a):
    """(exp(a - k ln 2) - 1, k)."""
    k = np.rint(a[0] / LN2[0])
    r = subtract(a, multiply(pair(k), LN2))
    r = r[0] * 2.0**-_HALVINGS, r[1] * 2.0**-_HALVINGS
    total = divide(r, pair(np.full(k.shape, float(_TERMS))))
    for term in range(_TERMS - 1, 0, -1):  # r/1 (1 + r/2 (1 + r/3 (...)))
        total = multiply(divide(r, pair(np.full(k.shape, float(term)))),
                         add(total, pair(np.ones(k.shape))))
    for _ in range(_HALVINGS):  # e^2r - 1 = 2 (e^r - 1) + (e^r - 1)^2
        total = add((2 * total[0], 2 * total[1]), multiply(total, total))
    return total, k


def _clipped(a, limit):
    inside = np.abs(a[0]) <= limit
    value = np.where(np.isnan(a[0]), 0.0, np.clip(a[0], -limit, limit))
    return value, np.where(inside, a[1], 0.0)


def _one(a):
    return pair(np.ones(np.shape(a[0])))


def exp(a):
    with np.errstate(all="ignore"):
        reduced, k = _reduced(_clipped(a, _EXP_LIMIT))
        value, rest = add(reduced, _one(a))
        half = np.trunc(k / 2).astype(int)  # in two steps: 2^k alone may overflow
        other = k.astype(int) - half
        scaled = tuple(np.ldexp(np.ldexp(part, half), other) for part in (value, rest))
        return _settled(np.where(np.isnan(a[0]), a[0], scaled[0]), scaled)


def _expm1(a):
    reduced, k = _reduced(a)
    whole = subtract(exp(a), _one(a))
    return np.where(k == 0, reduced[0], whole[0]), np.where(k == 0, reduced[1], whole[1])


def log(a):
    with np.errstate(all="ignore"):
        plain = np.log(a[0])
        usual = np.isfinite(plain)
        start = pair(np.where(usual, plain, 0.0))
        # One step of Newton's method doubles the bits.
        correction = subtract(multiply(a, exp(negative(start))), _one(a))
        return _settled(plain, add(start, correction))


def tanh(a):
    with np.errstate(all="ignore"):
        x = _clipped(a, _TANH_LIMIT)
        grown = _expm1((2 * x[0], 2 * x[1]))
        quotient = divide(grown, add(grown, pair(np.full(np.shape(a[0]), 2.0))))
        tiny = np.abs(a[0]) < 2.0**-500  # where the square of a would vanish
        value, rest = (np.where(tiny, given, made) for given, made in zip(a, quotient))
        beyond = np.abs(a[0]) > _TANH_LIMIT
        value, rest = np.where(beyond, np.sign(a[0]), value), np.where(beyond, 0.0, rest)
        return _settled(np.where(np.isnan(a[0]), a[0], value), (value, rest))


def erf(a):
    """2/sqrt(pi) exp(-x^2) (x + 2x^3/3 + 4x^5/15 + ...): all terms have one sign, nothing cancels
    (Abramowitz, Stegun: 7.1.6)."""
    with np.errstate(all="ignore"):
        x = _clipped(a, _ERF_LIMIT)
        square = multiply(x, x)
        twice = 2 * square[0], 2 * square[1]
        term = total = x
        for n in range(1, _ERF_TERMS):
            term = divide(multiply(term, twice), pair(np.full(np.shape(a[0]), 2.0 * n + 1)))
            total = add(total, term)
        made = multiply(multiply(total, exp(negative(square))), TWO_OVER_ROOT_PI)
        beyond = np.abs(a[0]) > _ERF_LIMIT
        value, rest = np.where(beyond, np.sign(a[0]), made[0]), np.where(beyond, 0.0, made[1])
        value = np.where(a[0] == 0, a[0], value)
        return _settled(np.where(np.isnan(a[0]), a[0], value), (value, rest))


def whole_power(a, exponent):
    """a to the power of one whole number from 1."""
    result = a
    for _ in range(exponent - 1):
        result = multiply(result, a)
    return result


def power(a, b):
    """By exp(b log |a|) with the sign of a whole power; what IEEE 754 fixes as it says."""
    with np.errstate(all="ignore"):
        plain = np.power(a[0], b[0])
        size = exp(multiply(b, log((np.abs(a[0]), np.where(a[0] < 0, -a[1], a[1])))))
        made = np.copysign(size[0], plain), np.where(plain < 0, -size[1], size[1])
        fixed = ~np.isfinite(plain) | (plain == 0) | (b[0] == 0) | (np.abs(a[0]) == 1)
        return _settled(plain, (np.where(fixed, plain, made[0]), np.where(fixed, 0.0, made[1])))


def total(a):
    """The sum over the last axis, two halves at a time."""
    value, rest = a
    while value.shape[-1] > 1:
        half = value.shape[-1] // 2
        odd = value[..., 2 * half:], rest[..., 2 * half:]
        value, rest = add((value[..., :half], rest[..., :half]),
                          (value[..., half:2 * half], rest[..., half:2 * half]))
        value = np.concatenate([value, odd[0]], axis=-1)
        rest = np.concatenate([rest, odd[1]], axis=-1)
    return value[..., 0], rest[..., 0]
