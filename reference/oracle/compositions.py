# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The transformer's formulas on Tensors: suite/OPS.md in NumPy's notation.

Most are written with the operations of the other modules, which carry the error scale. Three have
rules of their own, since the parts of their formulas share errors, which cancel or add up:

softmax      p = e / sum e, e_i = exp(x_i - max). An error of the maximum, common to all, cancels. With
             r_i the relative error of e_i (that of x_i, the rounding of x_i - max, exp's own) and q that
             of the sum and the division, to first order
                 var p_i = p_i^2 ((1-p_i)^2 r_i^2 + sum_(j != i) p_j^2 r_j^2 + q^2).
layer_norm   z = (x - mean) / sqrt(variance + eps), of n numbers. Errors s_j of x_j have in z_i
                 sum_j s_j^2 (delta_ij - (1 + z_i z_j) / n)^2 / (variance + eps);
             the rounding of the mean moves all of a row, those of the variance scale it.
gelu         x/2 (1 + tanh(u(x))): an error of x enters twice; it is multiplied by gelu'(x).

Every number on the way overflows in its dtype: in f32 the variance of numbers beyond 2^64 is infinite,
and they are normalized to 0.
"""

import math

import numpy as np

from oracle import doubled, scale as scales
from oracle.elementwise import FUNCTION, binary, reduce, unary
from oracle.errors import OracleError
from oracle.tensor import Tensor, leaf, matmul, need_order_free, rounded, roundings, saturated

EPSILON = 1e-5
MASKED = -1e10
GELU_CUBIC = 0.044715
GELU_FACTOR = math.sqrt(2 / math.pi)


def _need_floating(x):
    if x.whole:
        raise OracleError("the transformer's formulas are for floating dtypes")


def _sum_scale(values, scale, dtype):
    """The scale of the sums over the last axis, which stays with size 1; any number for sums that are
    not finite."""
    values = np.nan_to_num(values, nan=0.0, posinf=0.0, neginf=0.0)
    return scales.of_sum(values, dtype, scale)[..., None]


def _sum(dtype, numbers):
    """The sum of the numbers (a pair) over the last axis, which stays with size 1."""
    finite = np.where(np.isfinite(numbers[0]), numbers[0], 0.0)
    total = finite.sum(axis=-1, keepdims=True)
    need_order_free(dtype, total, np.abs(finite).sum(axis=-1, keepdims=True))
    sums = tuple(part[..., None] for part in doubled.total(numbers))
    # f16 is summed in f32, and rounded to it after a mean's division.
    return saturated(np.dtype(np.float32) if dtype == np.float16 else dtype, sums)


def softmax(x):
    """exp(x - max(x)) / sum(exp(x - max(x))) over the last axis."""
    _need_floating(x)
    unit = scales.unit_roundoff(x.dtype)
    largest = reduce("max", x, -1, True)
    distance = saturated(x.dtype, doubled.subtract(x.pair, largest.pair))
    e = doubled.exp(distance)
    total = saturated(x.dtype, _sum(x.dtype, e))
    p = doubled.divide(e, total)
    weight = np.nan_to_num(p[0])
    with np.errstate(invalid="ignore", over="ignore"):
        relative = x.scale**2 + roundings(x.dtype, distance)**2 + (FUNCTION * unit)**2
        relative = np.where(weight > 0, relative, 0.0)
        finite = np.nan_to_num(e[0])
        common = (_sum_scale(finite, np.zeros(finite.shape), x.dtype) / total[0])**2 + unit**2
        shared = np.sum(weight**2 * relative, axis=-1, keepdims=True)
        variance = relative * (1 - 2 * weight) + shared + common  # of p / weight, lest it vanish
        scale = weight * np.sqrt(np.maximum(variance, 0.0))
    tiny = float(np.finfo(x.dtype).smallest_subnormal)
    return rounded(x.dtype, p, scale + FUNCTION * tiny, units=0.0)


def _normalized(x):
    """(x - mean) / sqrt(variance + eps) over the last axis."""
    dtype, count = x.dtype, x.value.shape[-1]

    def mean(numbers, scale):
        """(the mean, its scale); the scales here only tell where errors decide what overflows."""
        made = doubled.divide(_sum(dtype, numbers), doubled.pair(float(count)))
        scale = np.hypot(_sum_scale(numbers[0], scale, dtype) / count, roundings(dtype, made))
        return saturated(dtype, made, scale), scale

    with np.errstate(invalid="ignore", over="ignore"):
        average, error = mean(x.pair, x.scale)
        centered = doubled.subtract(x.pair, average)
        error = np.hypot(np.hypot(error, x.scale), roundings(dtype, centered))
        centered = saturated(dtype, centered, error)
        squares = doubled.multiply(centered, centered)
        error = np.hypot(2 * np.abs(centered[0]) * error, roundings(dtype, squares))
        squares = saturated(dtype, squares, error)
        spread, error = mean(squares, np.where(np.isfinite(squares[0]), error, 0.0))
        square = saturated(dtype, doubled.add(spread, doubled.pair(EPSILON)), error)
    z = doubled.divide(centered, doubled.sqrt(square))
    with np.errstate(invalid="ignore", over="ignore"):
        variance = _variance_of_normalized(x, average, centered, squares, spread, square, z)
    # Over an infinite root finite numbers are 0, whatever their errors.
    overflown = ~np.isfinite(square[0])
    return rounded(x.dtype, z, np.where(overflown, 0.0, np.sqrt(variance)), units=0.0)


def _variance_of_normalized(x, average, centered, squares, spread, square, z):
    """The square of _normalized's scale, from what it has on its way; any number in rows that are not
    finite."""
    unit, count = scales.unit_roundoff(x.dtype), x.value.shape[-1]
    zeros = np.zeros(x.value.shape)
    shift = np.hypot(_sum_scale(x.value, zeros, x.dtype) / count, roundings(x.dtype, average))
    moved = (shift**2 + roundings(x.dtype, centered)**2) / square[0]
    of_spread = ((_sum_scale(squares[0], unit * squares[0], x.dtype) / count)**2
                 + 4 * unit**2 * np.sum(squares[0]**2, axis=-1, keepdims=True) / count**2
                 + (unit * spread[0])**2 + 2 * (unit * square[0])**2 + shift**4)
    scaled = z[0]**2 * (of_spread / (2 * square[0])**2 + 4 * unit**2)
    s, n = x.scale**2, count
    brought = (s * (1 - 2 * (1 + z[0]**2) / n)
               + (np.sum(s, axis=-1, keepdims=True)
                  + 2 * z[0] * np.sum(s * z[0], axis=-1, keepdims=True)
                  + z[0]**2 * np.sum(s * z[0]**2, axis=-1, keepdims=True)) / n**2) / square[0]
    return moved + scaled + np.maximum(brought, 0.0)


def layer_norm(x, gain, bias):
    """(x - mean(x)) / sqrt(mean((x - mean(x))^2) + eps) * gain + bias over the last axis."""
    _need_floating(x)
    return binary("add", binary("multiply", _normalized(x), gain), bias)


def gelu(x):
    """0.5 * x * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x**3)))"""
    _need_floating(x)
    exact = Tensor(x.dtype, x.value, x.rest, np.zeros(x.value.shape))
    cubic = binary("multiply", binary("power", exact, 3), GELU_CUBIC)
    bent = unary("tanh", binary("multiply", binary("add", exact, cubic), GELU_FACTOR))
    made = binary("multiply", binary("multiply", exact, 0.5), binary("add", bent, 1))
    with np.errstate(all="ignore"):
        t, v = bent.value, x.value
        inner = np.where(np.abs(t) < 1, GELU_FACTOR * (1 + 3 * GELU_CUBIC * v * v) * (1 - t * t), 0.0)
        slope = 0.5 * (1 + t) + 0.5 * v * inner
        carried = np.where(x.scale > 0, slope * x.scale, 0.0)
    return Tensor(made.dtype, made.value, made.rest, np.hypot(made.scale, carried))


def linear(x, weight, bias):
    """x @ weight + bias"""
    return matmul(x, weight, bias)


def causal_mask(length, dtype):
    """0 where column <= row, else -1e10, in that dtype: -inf in f16."""
    with np.errstate(over="ignore"):
        return leaf(np.where(np.tri(length, dtype=bool), 0.0, MASKED).astype(dtype))


def _split(x, heads):
    """(T, H D) -> (H, T, D)"""
    length, width = x.value.shape
    return x.view(lambda a: a.reshape(length, heads, width // heads).transpose(1, 0, 2))


def attention(x, qkv_weight, qkv_bias, out_weight, out_bias, heads, scores, masked):
    """linear(merge(softmax(q @ k^T / sqrt(D) + mask) @ v)), q, k, v the heads of linear(x). scores:
    f64, sqrt(D) is NumPy's strong float64; f32, it is a Python float."""
    length, width = x.value.shape
    if width % heads:
        raise OracleError(f"{heads} heads do not divide the width {width}")
    packed = linear(x, qkv_weight, qkv_bias)
    q, k, v = (_split(packed.view(lambda a, i=i: a[:, i * width:(i + 1) * width]), heads)
               for i in range(3))
    root = np.sqrt(width // heads)
    logits = binary("divide", matmul(q, k.view(lambda a: a.transpose(0, 2, 1))),
                    root if scores == "f64" else float(root))
    if masked:
        logits = binary("add", logits, causal_mask(length, logits.dtype))
    merged = matmul(softmax(logits), v).view(
        lambda a: a.transpose(1, 0, 2).reshape(length, width))
    return linear(merged, out_weight, out_bias)


def attention_arguments(c, dtype):
    """Name, shape and dtype of attention's arguments but x, in order."""
    return [("qkv_weight", (c, 3 * c), dtype), ("qkv_bias", (3 * c,), dtype),
            ("out_weight", (c, c), dtype), ("out_bias", (c,), dtype)]


def attend_arguments(c, dtype):
    """Those of attend."""
    return [("gain", (c,), dtype), ("bias", (c,), dtype), *attention_arguments(c, dtype)]


def feedforward_arguments(c, dtype, gain="gain", bias="bias"):
    """Those of feedforward, the names of the first two as given."""
    return [(gain, (c,), dtype), (bias, (c,), dtype),
            ("up_weight", (c, 4 * c), dtype), ("up_bias", (4 * c,), dtype),
            ("down_weight", (4 * c, c), dtype), ("down_bias", (c,), dtype)]


def attend(x, gain, bias, *weights, heads, scores):
    """x + attention(layer_norm(x, gain, bias), ...)"""
    return binary("add", x, attention(layer_norm(x, gain, bias), *weights, heads, scores, True))


def feedforward(x, gain, bias, up_weight, up_bias, down_weight, down_bias):
    """x + linear(gelu(linear(layer_norm(x, gain, bias), ...)), ...)"""
    up = gelu(linear(layer_norm(x, gain, bias), up_weight, up_bias))
    return binary("add", x, linear(up, down_weight, down_bias))


def gpt2_block(x, *weights, heads, scores):
    """feedforward(attend(x))"""
    return feedforward(attend(x, *weights[:6], heads=heads, scores=scores), *weights[6:])
