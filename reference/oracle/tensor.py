# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the formulas compute with: arrays of numbers that know their dtype and their error scale."""

import math
from dataclasses import dataclass

import numpy as np

from oracle import doubled, exact, scale as scales, tf32
from oracle.errors import OracleError

DISTINCT = 12.0  # scales that numbers must be apart for a comparison of them to be sure
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
    bits), scale its error scale (float64). deviations: how far off are the results that a machine may
    give instead, which the scale allows for element by element (oracle.tf32; only of products and
    their views)."""

    dtype: np.dtype
    value: np.ndarray
    rest: np.ndarray = None
    scale: np.ndarray = None
    deviations: tuple = ()

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
        return Tensor(self.dtype, select(self.value), select(self.rest), select(self.scale),
                      tuple(select(deviation) for deviation in self.deviations))


def leaf(array):
    """An argument of the program: exact, whatever its dtype."""
    if array.dtype.kind in "ib":
        return Tensor(array.dtype, array)
    value = array.astype(np.float64)
    return Tensor(array.dtype, value, np.zeros(value.shape), np.zeros(value.shape))


def _overflow(dtype):
    """Where the dtype's infinity begins: half a unit beyond its largest number."""
    return float(np.finfo(dtype).max) * (1 + scales.unit_roundoff(dtype) / 2)


def saturated(dtype, made, scale=0.0):
    """The numbers `made` (a pair) with those beyond the dtype's range infinite. OracleError where errors
    of that scale decide which are."""
    value, rest = made
    limit = _overflow(dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        if (np.isfinite(value) & (np.abs(np.abs(value) - limit) < DISTINCT * scale)).any():
            raise OracleError(f"a number so near to the end of {dtype} that errors decide whether "
                              "it overflows")
        value = np.where(np.abs(value) >= limit, np.copysign(np.inf, value), value)
    return value, np.where(np.isfinite(value), rest, 0.0)


def need_order_free(dtype, total, size):
    """OracleError where a sum in the dtype may overflow in one order and not in another. total: what
    finite terms add up to, size: what their magnitudes do. Partial sums lie between those of the
    negative terms, (total - size) / 2, and of the positive ones, (total + size) / 2: neither side may
    overflow, or that to which the total itself does. f16 is summed in f32, as NumPy does."""
    limit = _overflow(np.dtype(np.float32) if dtype == np.float16 else dtype)
    with np.errstate(invalid="ignore", over="ignore"):
        lesser, larger = (size - np.abs(total)) / 2, (size + np.abs(total)) / 2
        if ((larger >= limit) & ((lesser >= limit) | (np.abs(total) < limit))).any():
            raise OracleError("a sum that overflows in some orders of its terms and not in others")


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
    carried = np.broadcast_to(np.asarray(carried, np.float64), value.shape)
    with np.errstate(invalid="ignore", over="ignore"):
        own = roundings(dtype, (value, rest), units)
        if units == 1.0:  # of inexact operands: the numbers computed are others, and are rounded
            own = np.where(carried > 0, np.maximum(own, scales.unit_roundoff(dtype) * np.abs(value)),
                           own)
        # One correct rounding of exact operands overflows where it must; other errors may decide it.
        value, rest = saturated(dtype, (value, rest), np.hypot(carried, own if units != 1.0 else 0.0))
        return Tensor(dtype, value, rest, np.where(np.isfinite(value), np.hypot(carried, own), 0.0))


def cast(x, dtype):
    """x in another dtype, as astype does it."""
    if x.dtype == dtype:
        return x
    if dtype.kind == "b":
        return Tensor(dtype, x.value != 0)
    if dtype.kind == "i":
        if not x.whole and (x.scale.any() or not np.isfinite(x.value).all()):
            raise OracleError("a cast to integers of numbers that are not exact")
        least, beyond = float(np.iinfo(dtype).min), -float(np.iinfo(dtype).min)
        cut = np.trunc(x.value)
        if not x.whole and ((cut < least) | (cut >= beyond)).any():
            raise OracleError(f"a cast of numbers that {dtype} cannot hold, which nothing defines")
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


def matmul(a, b, added=None, precision="exact"):
    """a @ b, or a @ b + added (which broadcasts over rows), promoted and wrapped as NumPy does.
    precision: "tf32" allows a machine to round a and b to it."""
    parts = [a, b] if added is None else [a, b, added]
    dtype = np.result_type(*(part.dtype for part in parts))
    check_size((*a.value.shape[:-1], b.value.shape[-1]))
    a, b, *rest = (cast(part, dtype) for part in parts)
    added = rest[0] if rest else None
    if precision == "tf32":
        _need_tf32(dtype, a, b)
    if dtype.kind in "ib":
        product = a.value @ b.value
        return Tensor(dtype, product if added is None else product + added.value)
    return _matmul_of_floats(dtype, a, b, added, precision)


def _need_tf32(dtype, a, b):
    if dtype != np.float32:
        raise OracleError(f"precision=tf32 is for operands of f32, found {dtype}")
    if a.scale.any() or b.scale.any():
        raise OracleError("precision=tf32 of operands that have errors themselves")
    check_size((4, *a.value.shape[:-1], b.value.shape[-1]))  # its deviations are many


def _finite(x):
    """x with 0 for what is not finite."""
    return np.where(np.isfinite(x), x, 0.0)


def _matmul_of_floats(dtype, a, b, added, precision):
    """matmul of Tensors of one floating dtype. NaN and Inf are as IEEE 754 has them, in every order of
    the terms."""
    with np.errstate(invalid="ignore", over="ignore"):
        plain = a.value @ b.value + (0.0 if added is None else added.value)
        touched = ~(np.isfinite(a.value).all(axis=-1)[..., None]
                    & np.isfinite(b.value).all(axis=-2)[..., None, :])
    if added is not None:
        touched = touched | ~np.isfinite(added.value)
    lhs, rhs, bias = (None if x is None else _finite(x.value) for x in (a, b, added))
    value, low = exact.matmul(lhs, rhs)
    if a.rest.any() or b.rest.any():
        value, low = exact.two_sum(value, low + (a.rest @ rhs + lhs @ b.rest))
    size = np.abs(lhs) @ np.abs(rhs)
    scale = scales.of_dot(lhs, rhs, dtype, a.scale, b.scale, bias,
                          0.0 if added is None else added.scale)
    deviations = tf32.deviations(lhs, rhs) if precision == "tf32" else ()
    if deviations:
        scale = tf32.scale_of(scale, lhs.shape[-1], deviations)
    if added is not None:
        value, error = exact.two_sum(value, bias)
        value, low = exact.two_sum(value, error + (low + added.rest))
        size = size + np.abs(bias)
    value, low, scale = (np.where(touched, 0.0, part) for part in (value, low, scale))
    need_order_free(dtype, value, np.where(touched, 0.0, size))
    value, low = saturated(dtype, (value, low), scale)
    value = np.where(touched, plain, value)
    finite = np.isfinite(value)
    if not finite.all():  # many, and large: no copies without need
        deviations = tuple(np.where(finite, deviation, 0.0) for deviation in deviations)
    return Tensor(dtype, value, low, np.where(finite, scale, 0.0), deviations)
