# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The partial sums s_k = p_1 + ... + p_k of every element of a product a @ b, p_k = a_ik b_kj: what the
error scale (oracle.scale) wants of them are the sums over k of s_k^2 and of s_k.

Summed one after the other they cost some ten passes over m n K numbers. Large products have the same
from matrix products. Sum s_k = sum (K - k + 1) p_k is one. For the squares the terms are cut into
blocks of B, and in each the sums are taken about their mean (Steiner's theorem): with the weights
w_i = B, ..., 1, the number of the block's sums that term i is in, and S the sum before the block,

    sum (S + r_t)^2 = B mean^2 + sum over i, j of (min(w_i, w_j) - w_i w_j / B) p_i p_j,
    mean            = S + sum over i of (w_i / B) p_i.

The second part has no S: over all blocks it is one product of the pairs a_i a_j and b_i b_j. From one
block to the next the mean changes by (1 - w_i/B) p_i of the terms left and (w_i/B) p_i of those
entered, a product of 2B terms. Nothing is left out: both ways agree but for float64's roundings. The
pairs alone may cancel, and never much: their weights add up to B (B^2 - 1) / 12, and no p_i^2 of them
exceeds twice what its block comes to, so that magnitudes add up to at most 84 times the sum (B = 8).
With fewer than 4K pairs the rounding errors are below 84 x 4K x 2^-53 of the result, 2^-32 of it for
K = 4096; store.TOLERANCE is 2^-10.
"""

import math

import numpy as np

CHUNK = 1 << 14  # numbers of a block: its running sums stay in the second-level cache
BLOCK = 8        # terms of a block: pairs cost (B-1)/2 multiplications a term, means 1/B passes
TILE = 96        # rows and columns of the means at a time: in the cache, and one thread's work
STRETCH = 256    # terms whose pairs are made at a time, a multiple of BLOCK
LARGE = 64       # rows and columns from which blocks are worth it


def _one_after_the_other(a, b):
    """Both sums of the products a @ b, a block of rows and k at a time."""
    shape = (*a.shape[:-1], b.shape[-1])
    squares, sums = np.zeros(shape), np.zeros(shape)
    rows = max(1, CHUNK // (math.prod(shape) // shape[-2]))
    for row in range(0, shape[-2], rows):
        block = np.s_[..., row:row + rows, :]
        prefix = np.zeros(squares[block].shape)
        step = max(1, CHUNK // prefix.size)
        for k in range(0, a.shape[-1], step):
            terms = a[block][..., k:k + step, None] * b[..., None, k:k + step, :]
            terms[..., 0, :] += prefix
            np.cumsum(terms, axis=-2, out=terms)
            prefix = terms[..., -1, :].copy()
            sums[block] += terms.sum(axis=-2)
            squares[block] += np.square(terms, out=terms).sum(axis=-2)
    return squares, sums


def _squares_about_means(a, b):
    """The second part above, of matrices with whole blocks of terms."""
    within = np.arange(BLOCK, 0, -1.0)
    i, j = np.triu_indices(BLOCK - 1)
    i, j = i + 1, j + 1  # the first term is in all sums of its block: of it nothing is left
    weights = np.where(i == j, 1, 2) * (within[j] - within[i] * within[j] / BLOCK)
    squares = np.zeros((a.shape[0], b.shape[1]))
    for k in range(0, a.shape[1], STRETCH):
        x = a[:, k:k + STRETCH].reshape(a.shape[0], -1, BLOCK)
        y = b[k:k + STRETCH].reshape(-1, BLOCK, b.shape[1])
        squares += ((x[..., i] * x[..., j] * weights).reshape(a.shape[0], -1)
                    @ (y[:, i] * y[:, j]).reshape(-1, b.shape[1]))
    return squares


def _squares_of_means(a, b):
    """The first part above, of matrices with whole blocks of terms of which the first are zeros."""
    entered = np.arange(BLOCK, 0, -1.0) / BLOCK
    changes = np.concatenate([1 - entered, entered])
    starts = range(0, a.shape[1] - BLOCK, BLOCK)
    squares = np.zeros((a.shape[0], b.shape[1]))
    for row in range(0, a.shape[0], TILE):
        left = np.stack([a[row:row + TILE, k:k + 2 * BLOCK] * changes for k in starts])
        for column in range(0, b.shape[1], TILE):
            right = np.ascontiguousarray(b[:, column:column + TILE])
            total = np.zeros((left.shape[1], right.shape[1]))
            mean, change = np.zeros(total.shape), np.empty(total.shape)
            for part, k in zip(left, starts):
                mean += np.matmul(part, right[k:k + 2 * BLOCK], out=change)
                total += np.square(mean, out=change)
            squares[row:row + TILE, column:column + TILE] = BLOCK * total
    return squares


def _by_blocks(a, b):
    """Both sums of the product of two matrices."""
    terms = a.shape[1]
    sums = (a * np.arange(terms, 0, -1.0)) @ b
    before = BLOCK + -terms % BLOCK  # zeros in front add nothing to any sum
    a, b = np.pad(a, ((0, 0), (before, 0))), np.pad(b, ((before, 0), (0, 0)))
    return _squares_of_means(a, b) + _squares_about_means(a, b), sums


def moments(a, b):
    """(sum over k of s_k^2, sum over k of s_k) of the products a @ b, float64 arrays of which b may
    be one for all of a's."""
    if min(a.shape[-2], b.shape[-1]) < LARGE or a.shape[-1] < BLOCK:
        return _one_after_the_other(a, b)
    batch = a.shape[:-2]
    b = np.broadcast_to(b, (*batch, *b.shape[-2:]))
    squares, sums = (np.empty((*a.shape[:-1], b.shape[-1])) for _ in range(2))
    for which in np.ndindex(batch):
        squares[which], sums[which] = _by_blocks(a[which], b[which])
    return squares, sums
