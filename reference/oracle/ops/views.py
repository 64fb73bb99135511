# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""views: a chain of slices, transposes and reshapes of x"""

import itertools

import numpy as np

from oracle.caseline import DTYPE, SHAPE
from oracle.views import smallest_prime_factor


def _slice(x):
    """Without the first index of each axis and the last of the last, where others are left."""
    ranges = [slice(min(1, size - 1), None) for size in x.shape]
    ranges[-1] = slice(min(1, x.shape[-1] - 1), max(x.shape[-1] - 1, min(2, x.shape[-1])))
    return x[tuple(ranges)]


def _transpose(x):
    """The first axis becomes the last."""
    return np.moveaxis(x, 0, -1)


def _reshape(x):
    """The first two axes become one; a single axis is split by its smallest prime factor."""
    if x.ndim > 1:
        return x.reshape(-1, *x.shape[2:])
    factor = smallest_prime_factor(x.shape[0])
    return x.reshape(factor, x.shape[0] // factor)


STEPS = {"slice": _slice, "transpose": _transpose, "reshape": _reshape}
CHAINS = ["_".join(steps) for count in (1, 2, 3)
          for steps in itertools.product(STEPS, repeat=count)]

KEYS = {"chain": CHAINS, "shape": SHAPE, "dtype": DTYPE}


def arguments(case):
    return [("x", case["shape"], case["dtype"])]


def results(case, x):
    for step in case["chain"].split("_"):
        x = x.view(STEPS[step])
    return [x]
