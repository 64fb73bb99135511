# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compositions in plain NumPy, in whatever dtype the arguments have: what a user would write, and
what the error scale is calibrated on."""

import math
from typing import Callable, NamedTuple

import numpy as np


class Arithmetic(NamedTuple):
    """How a variant computes what has more than one correct way."""

    exp: Callable = np.exp
    tanh: Callable = np.tanh
    total: Callable = lambda x: x.sum(axis=-1, keepdims=True)
    product: Callable = lambda a, b: a @ b


def softmax(x, use=Arithmetic()):
    e = use.exp(x - x.max(axis=-1, keepdims=True))
    return e / use.total(e)


def layer_norm(x, gain, bias, use=Arithmetic()):
    count = x.shape[-1]
    centered = x - use.total(x) / count
    variance = use.total(centered * centered) / count
    return centered / np.sqrt(variance + 1e-5) * gain + bias


def gelu(x, use=Arithmetic()):
    with np.errstate(over="ignore", invalid="ignore"):
        return 0.5 * x * (1 + use.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3)))


def linear(x, weight, bias, use=Arithmetic()):
    return use.product(x, weight) + bias


def attention(x, qkv_weight, qkv_bias, out_weight, out_bias, heads, scores, masked,
              use=Arithmetic()):
    length, width = x.shape
    depth = width // heads
    q, k, v = (part.reshape(length, heads, depth).transpose(1, 0, 2)
               for part in np.split(linear(x, qkv_weight, qkv_bias, use), 3, axis=-1))
    root = np.sqrt(depth) if scores == "f64" else math.sqrt(depth)
    logits = use.product(q, k.transpose(0, 2, 1)) / root
    if masked:
        logits = logits + np.where(np.tri(length, dtype=bool), 0.0, -1e10).astype(logits.dtype)
    merged = use.product(softmax(logits, use), v).transpose(1, 0, 2).reshape(length, width)
    return linear(merged, out_weight, out_bias, use)


def attend(x, gain, bias, *weights, heads, scores, use=Arithmetic()):
    return x + attention(layer_norm(x, gain, bias, use), *weights, heads, scores, True, use)


def feedforward(x, gain, bias, up_weight, up_bias, down_weight, down_bias, use=Arithmetic()):
    up = gelu(linear(layer_norm(x, gain, bias, use), up_weight, up_bias, use), use)
    return x + linear(up, down_weight, down_bias, use)


def compute(case, arrays, use=Arithmetic()):
    """The result of a case of one of these ops on its arguments."""
    name = case.op_name
    if name == "softmax":
        return softmax(*arrays, use=use)
    if name == "layer_norm":
        return layer_norm(*arrays, use=use)
    if name == "gelu":
        return gelu(*arrays, use=use)
    if name == "feedforward":
        return feedforward(*arrays, use=use)
    if name == "attention":
        return attention(*arrays, case["heads"], case["scores"], case["mask"] == "causal", use)
    keys = {"heads": case["heads"], "scores": case["scores"], "use": use}
    if name == "attend":
        return attend(*arrays, **keys)
    return feedforward(attend(*arrays[:7], **keys), *arrays[7:], use=use)
