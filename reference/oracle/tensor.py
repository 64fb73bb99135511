# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the formulas compute with: arrays of numbers that know their dtype and their error scale."""

import math
from dataclasses import dataclass

import numpy as np

from oracle import exact, scale as scales
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
    """Integer dtypes: value holds the numbers in that dtype, wrapped as NumPy wraps them; rest and
    scale are None. Floating dtypes: the number wanted is value + rest (float64, about 106 bits
    where it comes from a product), scale its error scale (float64)."""

    dtype: np.dtype
    value: np.ndarray
    rest: np.ndarray = None
    scale: np.ndarray = None

    @property
    def whole(self):
        return self.dtype.kind == "i"

    def view(self, select):
        """select applied to every part: slicing, transposing and reshaping round nothing."""
        if self.whole:
            return Tensor(self.dtype, select(self.value))
        return Tensor(self.dtype, select(self.value), select(self.rest), select(self.scale))


def leaf(array):
    """An argument of the program: exact, whatever its dtype."""
    if array.dtype.kind == "i":
        return Tensor(array.dtype, array)
    value = array.astype(np.float64)
    return Tensor(array.dtype, value, np.zeros(value.shape), np.zeros(value.shape))


def cast(x, dtype):
    """x in a dtype that NumPy's promotion leads to; i64 -> f64 rounds, all others are exact."""
    if x.dtype == dtype:
        return x
    if dtype.kind == "i":
        return Tensor(dtype, x.value.astype(dtype))
    if not x.whole:
        return Tensor(dtype, x.value, x.rest, x.scale)
    # The correctly rounded number is what is wanted; what it lost shows whether it was rounded at
    # all.
    high = (x.value.astype(np.int64) >> 32).astype(np.float64) * 2.0**32
    low = (x.value.astype(np.int64) & 0xFFFFFFFF).astype(np.float64)
    value, lost = exact.two_sum(high, low)
    scale = np.where(lost != 0, scales.unit_roundoff(dtype) * np.abs(value), 0.0)
    return Tensor(dtype, value, np.zeros(value.shape), scale)


def matmul(a, b, added=None):
    """a @ b, or a @ b + added (which broadcasts over rows), promoted and wrapped as NumPy does."""
    parts = [a, b] if added is None else [a, b, added]
    dtype = np.result_type(*(part.dtype for part in parts))
    check_size((*a.value.shape[:-1], b.value.shape[-1]))
    a, b, *rest = (cast(part, dtype) for part in parts)
    added = rest[0] if rest else None
    if dtype.kind == "i":
        product = a.value @ b.value
        return Tensor(dtype, product if added is None else product + added.value)
    value, low = exact.matmul(a.value, b.value)
    if added is None:
        scale = scales.of_dot(a.value, b.value, dtype, a.scale, b.scale)
        return Tensor(dtype, value, low, scale)
    value, error = exact.two_sum(value, added.value)
    value, low = exact.two_sum(value, error + low)
    scale = scales.of_dot(a.value, b.value, dtype, a.scale, b.scale, added.value, added.scale)
    return Tensor(dtype, value, low, scale)
