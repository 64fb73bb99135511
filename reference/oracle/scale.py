# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The error scale: the standard deviation, to be multiplied by lambda = 6 (harness/judge/judge.h),
of the rounding error that a correct implementation may show, element by element.

One rounding to p bits changes x by at most u |x|, u = 2^-p; errors of different roundings are taken
as independent with mean 0, so that their variances add (Higham, Mary: A new approach to
probabilistic rounding error analysis, SIAM J. Sci. Comput. 41, 2019). Charging u |x| as each one's
deviation overstates a uniform error by about 1.7; lambda need not cover that.

A dot product t = p_1 + ... + p_K rounds its K products (not with FMA) and the partial sums that it
passes. Summed in order these are s_k = p_1 + ... + p_k, backwards t - s_(k-1); other orders (tiles,
vector lanes, split and pairwise sums) pass other partial sums, which may all be larger than both.
Over all orders taken as equally likely, the partial sums are those of a walk with K steps p_k in
random order, which ends in t; for large K it is t x + v B(x), 0 <= x <= 1, v^2 = sum p_k^2, B the
Brownian bridge. With the moments of the integral of B^2, mean 1/6 and variance 1/45 (Anderson,
Darling: Asymptotic theory of certain "goodness of fit" criteria, Ann. Math. Statist. 23, 1952), and
cov(B(x), B(y)) = min(x,y) - xy for the mixed term, the sum of the squared partial sums has

    mean                (K+1) (v^2 / 6 + t^2 / 3)                 (exact for every K)
    standard deviation  (K+1) sqrt(v^2 (v^2 + 4 t^2) / 45)        (in the limit)

and "some other order" is taken to stand one standard deviation above the mean. In all:

    scale^2 = u^2 (v^2 + max(forwards, backwards, some other order))

An added term b (a bias) is one more term of the sum: added last it rounds t + b, and a compiler
that starts the accumulator with it passes b + s_k. Both are among the orders, forwards and
backwards.

Errors of the operands are carried through: variance (A^2)(sB^2) + (sA^2)(B^2), those of b as they
are.

EXACT: where all operands are error-free, all products and b are whole multiples of one power of two q,
and sum |p_k| + |b| <= 2^p q, every partial sum in every order is a multiple of q of at most p bits.
Nothing is rounded, with or without FMA: the scale is 0, which demands equal bits.
"""

import numpy as np

from oracle import partial_sums

SMALLEST = float(np.finfo(np.float64).smallest_subnormal)


def unit_roundoff(dtype):
    return 2.0 ** -precision(dtype)


def precision(dtype):
    return np.finfo(dtype).nmant + 1


def _quantum(x):
    """The largest power of two that all elements are whole multiples of; infinity for zeros."""
    mantissa, exponent = np.frexp(x[x != 0])
    bits = np.ldexp(mantissa, 53).astype(np.int64)
    return np.min(np.ldexp((bits & -bits).astype(np.float64), exponent - 53), initial=np.inf)


def _some_other_order(terms, total, squares):
    """The sum of the squared partial sums of so many terms: mean + standard deviation, as above."""
    return (terms + 1) * (squares / 6 + total**2 / 3
                          + np.sqrt(squares * (squares + 4 * total**2) / 45))


def _largest_order(a, b, squares, added):
    """The largest sum of squared partial sums over the orders in the module's text, squares = v^2.

    From q = sum s_k^2 and r = sum s_k all others follow: the suffix sums t - s_j, j = 0..K-1, have
    the sum (K+1) t - r and the squares (K+1) t^2 - 2 t r + q; a start b turns q into K b^2 + 2 b r
    + q.
    """
    count, total = a.shape[-1], a @ b
    forward, forward_sum = partial_sums.moments(a, b)
    backward = (count + 1) * total**2 - 2 * total * forward_sum + forward
    if added is None:
        return np.maximum.reduce([forward, backward, _some_other_order(count, total, squares)])
    backward_sum = (count + 1) * total - forward_sum
    start = count * added**2
    return np.maximum.reduce([
        forward + (total + added)**2, backward + (total + added)**2,
        start + 2 * added * forward_sum + forward, start + 2 * added * backward_sum + backward,
        _some_other_order(count + 1, total + added, squares + added**2)])


def of_dot(a, b, dtype, a_scale, b_scale, added=None, added_scale=0.0):
    """The scale of a @ b (+ added) accumulated in dtype; a, b and added are float64 arrays of the
    exact operands, and a_scale, b_scale, added_scale of their shapes what they bring along."""
    size = np.abs(a) @ np.abs(b)
    brought = a_scale.any() or b_scale.any() or np.any(added_scale)
    bound = size if added is None else size + np.abs(added)
    exact = np.zeros(size.shape, bool)
    if not brought:
        quantum = _quantum(a) * _quantum(b)
        if added is not None:
            quantum = min(quantum, _quantum(added))
        exact = bound <= 2.0 ** precision(dtype) * quantum
        if exact.all():
            return np.zeros(size.shape)
    squares = (a**2) @ (b**2)
    own = unit_roundoff(dtype)**2 * (squares + _largest_order(a, b, squares, added))
    carried = (a_scale**2) @ (b**2) + (a**2) @ (b_scale**2) + added_scale**2
    return np.where(exact, 0.0, np.sqrt(own + carried))


def of_sum(x, dtype, x_scale):
    """The scale of the sums over the last axis of x, a dot product with ones; the axis is dropped.

    Equal terms have equal errors and are rounded alike: m of them err by up to m times one error, not
    by its root. With n terms of d different values m is n/d on average, and the scale is multiplied
    by its root (1 for generic data, and the root of n where all are equal)."""
    terms = x.shape[-1]
    flat, brought = x.reshape(-1, terms), x_scale.reshape(-1, terms)
    ones = np.ones((terms, 1))
    scale = of_dot(flat, ones, dtype, brought, np.zeros(ones.shape))[:, 0]
    different = 1 + np.count_nonzero(np.diff(np.sort(flat, axis=-1), axis=-1), axis=-1)
    return (scale * np.sqrt(terms / different)).reshape(x.shape[:-1])


def _quanta(x):
    """_quantum of each row."""
    mantissa, exponent = np.frexp(x)
    bits = np.ldexp(mantissa, 53).astype(np.int64)
    each = np.where(x != 0, np.ldexp((bits & -bits).astype(np.float64), exponent - 53), np.inf)
    return np.min(each, axis=-1, initial=np.inf)


def of_probe(weights, scale):
    """The scale that the elements' errors, independent ones, have in their sums over the last axis
    with these weights."""
    largest = np.max(scale, axis=-1, initial=0.0)
    with np.errstate(under="ignore"):
        relative = scale / np.where(largest > 0, largest, 1.0)[..., None]  # or squares would vanish
        return largest * np.sqrt(relative**2 @ weights.astype(np.float64)**2)


def of_probe_sum(weights, elements, total):
    """The scale of summing itself, of finite float64 elements: `total` is stored as a float64, and the
    judge adds up n products of its own in at least 64 bits (harness/judge/judge.c). With S = sum |w c|,
    which bounds every product and partial sum, a variance of

        (2^-53 total)^2 + (n + 1) (2^-64 S)^2,

    and in the subnormals the distance of two of them. 0 where, as above, nothing is rounded."""
    with np.errstate(under="ignore", over="ignore"):
        size = np.abs(elements) @ np.abs(weights)
        quantum = _quantum(weights.astype(np.float64)) * _quanta(elements)
        exact = (quantum > 0) & (size <= 2.0**53 * quantum)
        own = np.hypot(2.0**-53 * np.abs(total), np.sqrt(len(weights) + 1) * 2.0**-64 * size)
    return np.where(exact, 0.0, np.maximum(own, SMALLEST))
