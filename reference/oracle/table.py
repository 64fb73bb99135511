# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Tables of expected values, as reference/reference.h describes them."""

import numpy as np

from oracle import exact, generator, scale as scales, tf32
from oracle.errors import OracleError, about

WHOLE_LIMIT = 128  # results of at most so many elements are stored whole
SAMPLE = 56        # of larger ones so many elements, besides the probes
WHOLE_MOST = 1 << 22  # elements of a result that is stored whole since some are not finite
TILES = (4, 8, 16, 32, 64, 128)
ELEMENT, COLUMNS, ROWS, TYPE = range(4)  # column "part"
TYPES = ("bool", "i32", "i64", "f16", "f32", "f64")  # the number of a dtype, in a row of part TYPE

FLOATING = np.dtype([("data", "|u1"), ("result", "|u1"), ("part", "|u1"), ("index", "<u4"),
                     ("expected", "<f8"), ("scale", "<f8")])
WHOLE = np.dtype(FLOATING.descr[:4] + [("expected", "<i8")])


def _edges(size):
    """Both sides of the first and the last edge of every plausible tile, and the ends."""
    edges = {0, size - 1}
    for tile in TILES:
        for edge in (tile, (size - 1) // tile * tile):
            edges |= {edge - 1, edge}
    return sorted(edge for edge in edges if 0 <= edge < size)


def sample(rows, columns):
    """The row-major numbers of the elements that are stored of a rows x columns result, ascending.

    Every edge row meets some edge column and the other way round; the four corners; and points that
    step through the rest by the golden section, until there are SAMPLE."""
    count = rows * columns
    if count <= WHOLE_LIMIT:
        return np.arange(count)
    row_edges, column_edges = _edges(rows), _edges(columns)
    longer = max(len(row_edges), len(column_edges))
    chosen = {0, columns - 1, count - columns, count - 1}
    for i in range(longer):
        row, column = row_edges[i % len(row_edges)], column_edges[i % len(column_edges)]
        chosen.add(row * columns + column)
        chosen.add(row * columns + column_edges[-1 - i % len(column_edges)])
    point = 0
    while len(chosen) < SAMPLE:
        point += 1
        chosen.add(int(count * (point * 0.6180339887498949 % 1.0)))
    return np.array(sorted(chosen))


def _entries(dtype, data, result, part, index, expected, scale=None):
    entries = np.zeros(len(index), dtype)
    entries["data"], entries["result"], entries["part"] = data, result, part
    entries["index"], entries["expected"] = index, expected
    if scale is not None:
        entries["scale"] = scale
    return entries


def probe(matrix, weights):
    """(expected, scale) of matrix @ weights; a Tensor of rank 2, its elements finite."""
    if matrix.whole:
        return matrix.value.astype(np.int64) @ weights, None  # wraps modulo 2^64
    value, rest = exact.matmul(matrix.value, weights)
    low, _ = exact.matmul(matrix.rest, weights)
    total = value + (rest + low)
    scale = np.hypot(scales.of_probe(weights, matrix.scale),
                     scales.of_probe_sum(weights, matrix.value, total))
    if matrix.deviations:
        scale = np.hypot(scale, tf32.largest([each @ weights for each in matrix.deviations]))
    return total, scale


def _probes(case, data, number, matrix):
    """[(part, expected, scale)] of both probes, or None where they could not see every element: one
    that is not finite hides the others of its row and its column."""
    if matrix.value.size <= WHOLE_LIMIT or not np.isfinite(matrix.value).all():
        return None
    made = []
    for part, name, side in ((COLUMNS, "columns", matrix),
                             (ROWS, "rows", matrix.view(np.transpose))):
        weights = generator.probe(case.line, data, name, number, matrix.whole, side.value.shape[1])
        made.append((part, *probe(side, weights)))
    finite = matrix.whole or all(np.isfinite(x).all() for _, *parts in made for x in parts)
    return made if finite else None


def _of_result(case, data, number, tensor):
    dtype = WHOLE if tensor.whole else FLOATING
    matrix = tensor.view(lambda x: np.atleast_1d(x).reshape(-1, *x.shape[-1:] or (1,)))
    probes = _probes(case, data, number, matrix)
    if probes is None and matrix.value.size > WHOLE_MOST:
        raise OracleError(f"{matrix.value.size} elements, of which some are not finite, expected at "
                          f"most {WHOLE_MOST}")
    index = np.arange(matrix.value.size) if probes is None else sample(*matrix.value.shape)
    flat = matrix.view(lambda x: x.ravel()[index])
    name = next(name for name in TYPES if generator.DTYPES[name] == tensor.dtype)
    type_of = np.array([TYPES.index(name), *tensor.value.shape])

    def entries(part, index, expected, scale):
        return _entries(dtype, generator.DATA.index(data), number, part, index, expected, scale)

    return np.concatenate([
        entries(ELEMENT, index, flat.value, flat.scale),
        *(entries(part, np.arange(len(expected)), expected, scale)
          for part, expected, scale in probes or ()),
        entries(TYPE, np.arange(len(type_of)), type_of, None)])


def compute(case):
    """The case's whole table, both data sets. OracleError, which names the case, where it has no
    answer."""
    with about(case.line):
        made = np.concatenate([_of_result(case, data, number, tensor) for data in generator.DATA
                               for number, tensor in enumerate(case.results(data))])
        if "scale" in made.dtype.names and not np.isfinite(made["scale"]).all():
            raise OracleError("an error scale that is not finite")
        return made
