# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The input generator: reference/GENERATOR.md in NumPy."""

import numpy as np

DATA = ("int", "real")  # data sets; a table's column "data" holds their number
DTYPES = {"f32": np.dtype("<f4"), "f64": np.dtype("<f8"),
          "i32": np.dtype("<i4"), "i64": np.dtype("<i8")}


def fnv1a(text):
    """The 64-bit FNV-1a hash of the text's UTF-8 bytes (draft-eastlake-fnv)."""
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
    return value


def raw(stream, count):
    """The first count 64-bit words of a stream, by its name."""
    return np.random.Philox(key=fnv1a(stream)).random_raw(count)


def argument(line, data, name, dtype, shape):
    """The argument's array: what the compiled program gets, in its own dtype and shape."""
    words = raw(f"{line} data={data} arg={name}", int(np.prod(shape, dtype=np.int64)))
    if data == "int":
        elements = (words % 17).astype(np.int64) - 8
    elif dtype == DTYPES["f32"]:
        elements = (words >> 40) * 2.0**-23 - 1.0
    elif dtype == DTYPES["f64"]:
        elements = (words >> 11) * 2.0**-52 - 1.0
    else:
        elements = words.view(np.int64)
    return elements.astype(dtype).reshape(shape)  # i32 keeps the low 32 bits


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
