# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the formulas compute with: arrays of numbers that know their dtype and their error scale."""

import math
from dataclasses import dataclass

import numpy as np

from oracle import doubled, exact, scale as scales
from oracle.errors import OracleError

ELEMENTS_LIMIT = 1 << 26  # of one array: half a gigabyte in float64; a product needs about ten


def check_size(shape):
    """Refuses what would drive the machine into its limits instead of failing."""
    count = math.prod(shape)
    if count > ELEMENTS_LIMIT:
        raise OracleError(f"too large for the oracle: {'x'.join(map(str, shape))} is {count} "
                          f"elements, expected at most {ELEMENTS_LIMIT}")


@dataclass(frozen=True)
class Tensor:
    """Integer dtypes and bool: value holds the numbers in that dtype, wrapped as NumPy wraps them;
    rest and scale are None. Floating dtypes: the number wanted is value + rest (float64, some 100
    bits), scale its error scale (float64)."""

    dtype: np.dtype
    value: np.ndarray
    rest: np.ndarray = None
    scale: np.ndarray = None

    @property
    def whole(self):
        return self.dtype.kind in "ib"

    @property
    def pair(self):
        """The numbers wanted, for oracle.doubled."""
        return (self.value, self.rest) if not self.whole else doubled.pair(self.value)

    def view(self, select):
        """select applied to every part: slicing, transposing and reshaping round nothing."""
        if self.whole:
            return Tensor(self.dtype, select(self.value))
        return Tensor(self.dtype, select(self.value), select(self.rest), select(self.scale))


def leaf(array):
    """An argument of the program: exact, whatever its dtype."""
    if array.dtype.kind in "ib":
        return Tensor(array.dtype, array)
    value = array.astype(np.float64)
    return Tensor(array.dtype, value, np.zeros(value.shape), np.zeros(value.shape))


def roundings(dtype, made, units=1.0):
    """The scale of a rounding of the numbers `made` (a pair) to the dtype, u |x| times units; where
    numbers are subnormal the distance of two of them. units other than 1 say that the operation is
    not correctly rounded; else numbers of the dtype itself are not changed: 0."""
    value, rest = made
    with np.errstate(over="ignore", invalid="ignore"):
        itself = (rest == 0) & (value.astype(dtype).astype(np.float64) == value)
    tiny = float(np.finfo(dtype).smallest_subnormal)
    own = units * np.maximum(scales.unit_roundoff(dtype) * np.abs(value), tiny)
    return np.where(itself, 0.0, own) if units == 1.0 else own


def rounded(dtype, made, carried, units=1.0):
    """The Tensor of an operation's result: the numbers wanted (a pair), the scale that its operands'
    errors have there (an array, or 0), and how many roundings of its own it has (see roundings).
    Numbers beyond the dtype's range become infinite as the dtype's do."""
    value, rest = (np.asarray(part, np.float64) for part in made)
    info = np.finfo(dtype)
    carried = np.broadcast_to(np.asarray(carried, np.float64), value.shape)
    with np.errstate(invalid="ignore", over="ignore"):
        own = roundings(dtype, (value, rest), units)
        if units == 1.0:  # of inexact operands: the numbers computed are others, and are rounded
            own = np.where(carried > 0, np.maximum(own, scales.unit_roundoff(dtype) * np.abs(value)),
                           own)
        beyond = np.abs(value) >= float(info.max) * (1 + scales.unit_roundoff(dtype) / 2)
        value = np.where(beyond, np.copysign(np.inf, value), value)
        finite = np.isfinite(value)
        return Tensor(dtype, value, np.where(finite, rest, 0.0),
                      np.where(finite, np.hypot(carried, own), 0.0))


def cast(x, dtype):
    """x in another dtype, as astype does it."""
    if x.dtype == dtype:
        return x
    if dtype.kind == "b":
        return Tensor(dtype, x.value != 0)
    if dtype.kind == "i":
        if not x.whole and (x.scale.any() or not np.isfinite(x.value).all()):
            raise OracleError("a cast to integers of numbers that are not exact")
        return Tensor(dtype, x.value.astype(dtype))
    if not x.whole:
        return rounded(dtype, x.pair, x.scale)
    high = (x.value.astype(np.int64) >> 32).astype(np.float64) * 2.0**32
    low = (x.value.astype(np.int64) & 0xFFFFFFFF).astype(np.float64)
    value, lost = exact.two_sum(high, low)
    if dtype != np.float64:
        return rounded(dtype, (value, lost), 0.0)
    # i64 to f64: the correctly rounded number is what is wanted; what it lost shows whether it was
    # rounded at all.
    scale = np.where(lost != 0, scales.unit_roundoff(dtype) * np.abs(value), 0.0)
    return Tensor(dtype, value, np.zeros(value.shape), scale)


def matmul(a, b, added=None):
    """a @ b, or a @ b + added (which broadcasts over rows), promoted and wrapped as NumPy does."""
    parts = [a, b] if added is None else [a, b, added]
    dtype = np.result_type(*(part.dtype for part in parts))
    check_size((*a.value.shape[:-1], b.value.shape[-1]))
    a, b, *rest = (cast(part, dtype) for part in parts)
    added = rest[0] if rest else None
    if dtype.kind in "ib":
        product = a.value @ b.value
        return Tensor(dtype, product if added is None else product + added.value)
    value, low = exact.matmul(a.value, b.value)
    if a.rest.any() or b.rest.any():
        value, low = exact.two_sum(value, low + (a.rest @ b.value + a.value @ b.rest))
    if added is None:
        scale = scales.of_dot(a.value, b.value, dtype, a.scale, b.scale)
        return Tensor(dtype, value, low, scale)
    value, error = exact.two_sum(value, added.value)
    value, low = exact.two_sum(value, error + (low + added.rest))
    scale = scales.of_dot(a.value, b.value, dtype, a.scale, b.scale, added.value, added.scale)
    return Tensor(dtype, value, low, scale)
