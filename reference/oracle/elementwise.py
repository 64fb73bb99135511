# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Elementwise operations and reductions on Tensors, with NumPy's dtypes and the error scale.

An operand is a Tensor, a Python number (a weak scalar) or a NumPy one (a strong scalar); NumPy itself
says which dtypes its functions take and give for them (NEP 50).

The scale of f(x, y) is that of x's and y's errors, taken as independent, to first order,

    sqrt((df/dx)^2 sx^2 + (df/dy)^2 sy^2),

and that of the roundings of f itself, `units` times u |f|: 1 for what IEEE 754 rounds correctly, and
FUNCTION for exp, log, tanh, erf and powers, so that one of at most 4 ulp (8 u) stays below half of
what is allowed; none where tanh or erf is so near to 1 or -1 (u^2) that every implementation has
saturated. Where every operand is exact and the result a number of the dtype, nothing is rounded.
"""

import numpy as np

from oracle import doubled, scale as scales
from oracle.errors import OracleError
from oracle.tensor import DISTINCT, Tensor, cast, need_order_free, rounded

FUNCTION = 4.0  # u: what exp and the like are charged


def _kind(x):
    """What stands for an operand when NumPy is asked for dtypes."""
    if isinstance(x, Tensor):
        return x.dtype
    if isinstance(x, np.generic):
        return x.dtype
    return type(x) if not isinstance(x, bool) else np.dtype(bool)


def _tensor(x, dtype):
    """An operand in the dtype that the operation takes it in."""
    if isinstance(x, Tensor):
        return cast(x, dtype)
    if dtype.kind in "ib":
        return Tensor(dtype, np.asarray(x, dtype))
    return rounded(dtype, doubled.pair(float(x)), 0.0)


def _held(x, operands):
    """A weak float as the number that it is in the dtype it bends to, which is what is compared."""
    arrays = [each for each in operands if isinstance(each, Tensor) and not each.whole]
    return float(arrays[0].dtype.type(x)) if type(x) is float and arrays else x


def _resolved(function, *operands):
    """The operands in the dtypes that NumPy's function takes, and the dtype of its result."""
    try:
        *taken, given = function.resolve_dtypes((*(_kind(x) for x in operands), None))
    except TypeError as error:
        raise OracleError(f"NumPy refuses {function.__name__}: {error}") from None
    return [_tensor(x, dtype) for x, dtype in zip(operands, taken)], given


def _carried(*contributions):
    """The scale of independent errors: (derivative, scale) each."""
    with np.errstate(all="ignore"):
        total = 0.0
        for derivative, scale in contributions:
            total = np.hypot(total, np.where(scale > 0, derivative * scale, 0.0))
        return total


def _slope_of_power(a, b):
    with np.errstate(all="ignore"):
        size = np.abs(a)**b
        return b * np.abs(a)**(b - 1), np.where(size == 0, 0.0, size * np.log(np.abs(a)))


# NumPy's function, the same on pairs, the derivatives by both operands (of the operands and the
# result), units.
_BINARY = {
    "add": (np.add, doubled.add, lambda a, b, f: (1.0, 1.0), 1.0),
    "subtract": (np.subtract, doubled.subtract, lambda a, b, f: (1.0, 1.0), 1.0),
    "multiply": (np.multiply, doubled.multiply, lambda a, b, f: (b, a), 1.0),
    "divide": (np.true_divide, doubled.divide, lambda a, b, f: (1 / b, f / b), 1.0),
    "power": (np.power, doubled.power, lambda a, b, f: _slope_of_power(a, b), FUNCTION),
}

_COMPARISONS = {"equal": np.equal, "not_equal": np.not_equal, "less": np.less,
                "less_equal": np.less_equal, "greater": np.greater,
                "greater_equal": np.greater_equal}

_EXTREMA = {"minimum": np.minimum, "maximum": np.maximum}

BINARY = (*_BINARY, *_EXTREMA, *_COMPARISONS)


def _need_distinct(x, y):
    """Refuses to say which of two numbers is larger where their errors could decide it."""
    with np.errstate(invalid="ignore"):
        unsure = np.hypot(x.scale, y.scale) * DISTINCT > np.abs(x.value - y.value)
    if unsure.any():
        raise OracleError("a comparison of numbers that are not exact and too near to each other")


def _compare(function, a, b):
    (x, y), dtype = _resolved(function, *(_held(x, (a, b)) for x in (a, b)))
    if not x.whole:
        _need_distinct(x, y)
    return Tensor(dtype, function(x.value, y.value))


def _extremum(function, a, b):
    (x, y), dtype = _resolved(function, a, b)
    if x.whole:
        return Tensor(dtype, function(x.value, y.value))
    wanted = function(x.value, y.value)
    first = np.isnan(x.value) | (wanted == x.value)
    return Tensor(dtype, wanted, np.where(first, x.rest, y.rest), np.maximum(x.scale, y.scale)
                  if (x.scale + y.scale).any() else np.zeros(wanted.shape))


def binary(name, a, b):
    """One of BINARY; at least one operand a Tensor."""
    if name in _COMPARISONS:
        return _compare(_COMPARISONS[name], a, b)
    if name in _EXTREMA:
        return _extremum(_EXTREMA[name], a, b)
    function, of_pairs, slopes, units = _BINARY[name]
    (x, y), dtype = _resolved(function, a, b)
    if dtype.kind in "ib":
        # NumPy refuses negative powers of integers; here they are the power 0 (suite/OPS.md).
        exponent = np.maximum(y.value, 0) if name == "power" else y.value
        return Tensor(dtype, function(x.value, exponent))
    if name == "power" and isinstance(b, int) and 1 <= b <= 8:
        made, units = doubled.whole_power(x.pair, b), max(FUNCTION, float(b - 1))
    else:
        made = of_pairs(x.pair, y.pair)
    with np.errstate(all="ignore"):
        by_x, by_y = slopes(x.value, y.value, made[0])
    return rounded(dtype, made, _carried((by_x, x.scale), (by_y, y.scale)), units)


def _rsqrt_of_pair(x):
    return doubled.divide(doubled.pair(np.ones(np.shape(x[0]))), doubled.sqrt(x))


# NumPy's function that has the same dtypes, the function on pairs, its derivative, units.
_UNARY = {
    "exp": (np.exp, doubled.exp, lambda x, f: f, FUNCTION),
    "log": (np.log, doubled.log, lambda x, f: 1 / x, FUNCTION),
    "tanh": (np.tanh, doubled.tanh, lambda x, f: 1 - f * f, FUNCTION),
    "sqrt": (np.sqrt, doubled.sqrt, lambda x, f: 0.5 / f, 1.0),
    "rsqrt": (np.sqrt, _rsqrt_of_pair, lambda x, f: 0.5 * f / x, FUNCTION),
    "erf": (np.exp, doubled.erf, lambda x, f: 2 / np.sqrt(np.pi) * np.exp(-x * x), FUNCTION),
}

UNARY = ("negative", "absolute", *_UNARY)


def unary(name, a):
    """One of UNARY of a Tensor."""
    if name in ("negative", "absolute"):
        function = getattr(np, name)
        (x,), dtype = _resolved(function, a)
        rest = None if x.whole else np.where((name == "negative") | (x.value < 0), -x.rest, x.rest)
        return Tensor(dtype, function(x.value), rest, x.scale)
    function, of_pair, slope, units = _UNARY[name]
    (x,), dtype = _resolved(function, a)
    made = of_pair(x.pair)
    with np.errstate(all="ignore"):
        by_x = slope(x.value, made[0])
    carried = _carried((by_x, x.scale))
    result = rounded(dtype, made, carried, units)
    if name not in ("tanh", "erf"):
        return result
    saturated = (np.abs(made[0]) == 1) & (np.abs(made[1]) < scales.unit_roundoff(dtype)**2)
    own = np.hypot(carried, made[1])  # what the rounding to 1 or -1 loses
    return Tensor(dtype, result.value, result.rest, np.where(saturated, own, result.scale))


def where(condition, a, b):
    """a where the condition (bool) holds, else b, promoted."""
    (x, y), dtype = _resolved(np.add, a, b)
    pick = condition.value
    if dtype.kind in "ib":
        return Tensor(dtype, np.where(pick, x.value, y.value))
    return Tensor(dtype, *(np.where(pick, *parts) for parts in
                           ((x.value, y.value), (x.rest, y.rest), (x.scale, y.scale))))


def _sum_last(x):
    """The sum over the last axis of a floating Tensor, with keepdims."""
    made = tuple(part[..., None] for part in doubled.total(x.pair))
    finite = np.where(np.isfinite(x.value), x.value, 0.0)
    need_order_free(x.dtype, finite.sum(axis=-1), np.abs(finite).sum(axis=-1))
    scale = scales.of_sum(finite, x.dtype, x.scale)
    return rounded(x.dtype, made, scale[..., None], units=0.0)


def _max_last(x):
    largest = x.value.max(axis=-1, keepdims=True)
    with np.errstate(invalid="ignore"):
        is_largest = x.value == largest
        candidate = x.value + DISTINCT / 2 * x.scale >= largest
    rest = np.max(np.where(is_largest, x.rest, -np.inf), axis=-1, keepdims=True)
    return Tensor(x.dtype, largest, np.where(np.isfinite(rest), rest, 0.0),
                  np.max(np.where(candidate, x.scale, 0.0), axis=-1, keepdims=True))


REDUCTIONS = ("sum", "mean", "max")


def reduce(name, x, axis, keepdims):
    """One of REDUCTIONS over one axis."""
    if x.whole and name != "mean":
        made = getattr(np, name)(x.value, axis=axis, keepdims=keepdims)
        return Tensor(made.dtype, made)
    x = cast(x, np.mean(np.ones(1, x.dtype)).dtype) if name == "mean" else x
    count = x.value.shape[axis]
    last = x.view(lambda part: np.moveaxis(part, axis, -1))
    made = _max_last(last) if name == "max" else _sum_last(last)
    if name == "mean":
        made = binary("divide", made, count)
    return made.view(lambda part: np.moveaxis(part, -1, axis) if keepdims else part[..., 0])
