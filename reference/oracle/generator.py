# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The input generator: reference/GENERATOR.md in NumPy."""

import re

import numpy as np

from oracle.errors import OracleError

DATA = ("int", "real")  # data sets; a table's column "data" holds their number
DTYPES = {"f32": np.dtype("<f4"), "f64": np.dtype("<f8"), "f16": np.dtype("<f2"),
          "i32": np.dtype("<i4"), "i64": np.dtype("<i8"), "bool": np.dtype("?")}


def fnv1a(text):
    """The 64-bit FNV-1a hash of the text's UTF-8 bytes (draft-eastlake-fnv)."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def raw(stream, count):
    """The first count 64-bit words of a stream, by its name."""
    return np.random.Philox(key=fnv1a(stream)).random_raw(count)


def _elements(words, data, dtype):
    """One element from each word."""
    if dtype == DTYPES["bool"]:
        return words >> 63
    if data == "int":
        return (words % 17).astype(np.int64) - 8
    if dtype == DTYPES["f32"]:
        return (words >> 40) * 2.0**-23 - 1.0
    if dtype == DTYPES["f64"]:
        return (words >> 11) * 2.0**-52 - 1.0
    if dtype == DTYPES["f16"]:
        return (words >> 53) * 2.0**-10 - 1.0
    return words.view(np.int64)


def _lanes(x):
    number = np.arange(x.size).reshape(x.shape) % 8
    return np.select([number == 1, number == 3, number == 5], [np.nan, np.inf, -np.inf], x)


# The transformations that the key `values` names, of arrays with rows along the last axis.
VALUES = {
    "plain": None,
    "positive": np.abs,
    "constant": lambda x: np.broadcast_to(x[..., :1], x.shape),
    "masked": lambda x: np.full(x.shape, -1e10),
    "lanes": _lanes,
    "negative": lambda x: np.where(x < 0, x, -1 - x),
    "wide": lambda x: x * 2.0**4,
    "large": lambda x: x * 2.0**14,
    "huge": lambda x: x * 2.0**100,
    "small": lambda x: x * 2.0**-40,
    "offset": lambda x: np.rint(x * 8) * 2.0**-4 + 10000,
}


def _halvings(rows, data):
    """The s of the factor 2^-s that keeps what a weight matrix of so many rows makes of order 1."""
    return ((rows - 1).bit_length() + 1) // 2 + (3 if data == "int" else 0)


def argument(line, data, name, dtype, shape):
    """The argument's array: what the compiled program gets, in its own dtype and shape."""
    words = raw(f"{line} data={data} arg={name}", int(np.prod(shape, dtype=np.int64)))
    elements = _elements(words, data, dtype).astype(dtype).reshape(shape)  # i32: the low 32 bits
    values = re.search(" values=([^ ]*)", line)
    if name == "x" and values and values[1] != "plain":
        return _transformed(VALUES[values[1]], elements)
    if name.endswith("_weight") and dtype.kind == "f":
        return elements * np.float64(2.0**-_halvings(shape[0], data)).astype(dtype)
    return elements


def _transformed(transformation, elements):
    """In float64, where none of them rounds; what the dtype cannot hold is no input."""
    if elements.dtype.kind == "i" and transformation is VALUES["negative"]:
        return transformation(elements)
    if elements.dtype.kind != "f":
        raise OracleError("values=... is for floating dtypes, and negative for integers")
    made = transformation(elements.astype(np.float64))
    with np.errstate(over="ignore"):
        narrow = made.astype(elements.dtype)
    if not np.array_equal(narrow.astype(np.float64), made, equal_nan=True):
        raise OracleError(f"values that {elements.dtype} cannot hold")
    return narrow


def probe(line, data, name, result, whole, count):
    """The weights of a probe ("columns" or "rows") of result number `result`: int64 where `whole`,
    which is an integer result; else float64."""
    words = raw(f"{line} data={data} probe={name} result={result}", count)
    negative = (words & 1).astype(bool)
    if whole or data == "int":
        magnitude = ((words >> 1) % 15).astype(np.int64) + 1
    else:
        magnitude = 0.5 + (words >> 12) * 2.0**-53
    weights = np.where(negative, -magnitude, magnitude)
    return weights if whole else weights.astype(np.float64)
