# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Products of f32 whose operands a machine may round to tf32 (`precision=tf32`), and what that allows.

tf32 has the 8 bits of exponent of f32 and 10 bits after the point: 11 bits of precision, u = 2^-11.
How an operand comes to it is the machine's choice. To nearest, ties away from zero (PTX
cvt.rna.tf32.f32) or to even, changes it by at most u |x|; a unit that reads the upper 19 bits of an f32
truncates, by less than 2 u |x| and always towards zero. Products of two such numbers have 22 bits and
are exact in f32; they are added up in f32.

These roundings are no random errors: operands are known, and so is what each way makes of them. With
A', B' among x itself (a machine without tf32), its truncation and its two nearest numbers, each
operand its own way, there are 15 results besides the exact one, off by

    D = A' B' - A B = (A' - A) B' + A (B' - B),

and a correct machine is off by one of these, and by its sums' rounding. The scale has the largest |D|
by half (SHARE), so that each of them alone has the margin 1/3:

    scale^2 = s^2 + (max |D| / 2)^2.

A probe C w is off by D w, whose largest enters in the same way. (Operand errors are shared by a whole
row or column of C, so that D w must not be taken for a sum of independent ones.)

s is the scale of the sum in f32 (scale.py). A tensor core truncates its sums: each of at most K+1
roundings is then off by up to 2 u |s_k|, u = 2^-24, always towards zero, which is a shift of u |s_k|
and an error of at most as much around it. Shifts of one sign add up to u sum |s_k|, by Cauchy at most
u sqrt((K+1) sum s_k^2), so that the variance is multiplied by K + 2.

Where operands are numbers of tf32 all D are 0, and where sums are exact as well, so is the scale: small
whole numbers must come out to the bit.
"""

import numpy as np

from oracle.errors import OracleError

SHARE = 2.0  # of the scale that a deviation is

_DROPPED = 13  # bits of an f32 that tf32 does not have


def _from_bits(change):
    def rounded(x):
        bits = x.astype(np.float32).view(np.uint32)
        kept = change(bits) >> np.uint32(_DROPPED) << np.uint32(_DROPPED)
        return kept.view(np.float32).astype(x.dtype)
    return rounded


# Each takes an array of numbers of f32 and gives one of its dtype.
ROUNDINGS = {
    "not at all": lambda x: x,
    "truncated": _from_bits(lambda bits: bits),
    "to nearest, ties away": _from_bits(lambda bits: bits + np.uint32(0x1000)),
    "to nearest, ties to even": _from_bits(
        lambda bits: bits + np.uint32(0xFFF) + (bits >> np.uint32(_DROPPED) & np.uint32(1))),
}


def _product(a, b):
    """a @ b; small whole numbers, which no rounding changes, leave zeros."""
    return a @ b if a.any() and b.any() else np.zeros((*a.shape[:-1], b.shape[-1]))


def deviations(a, b):
    """The 15 D of a @ b; float64 arrays of finite numbers of f32."""
    made = []
    ways = [(rounded(a), rounded(b)) for rounded in ROUNDINGS.values()]
    if not all(np.isfinite(x).all() for way in ways for x in way):
        raise OracleError("precision=tf32 of numbers so large that rounding makes them infinite")
    of_b = [[_product(a, b_rounded - b)] if j else [] for j, (_, b_rounded) in enumerate(ways)]
    for i, (a_rounded, _) in enumerate(ways):
        of_a = [a_rounded - a] if i else []
        for j, (_, b_rounded) in enumerate(ways):
            parts = [_product(change, b_rounded) for change in of_a] + of_b[j]
            if parts:
                made.append(sum(parts))
    return tuple(made)


def scale_of(summing, terms, made):
    """The scale of the products: summing is that of adding up so many terms in f32, made the D."""
    return np.hypot(summing * np.sqrt(terms + 2), largest(made))


def largest(made):
    """The scale that the largest of the deviations is, element by element."""
    return np.maximum.reduce([np.abs(deviation) for deviation in made]) / SHARE
