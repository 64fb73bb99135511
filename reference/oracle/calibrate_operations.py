# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calibration of lambda on the language's operations: what margins correct variants of the ops that
are no compositions reach, by function."""

import itertools
import math
import sys
import time

import numpy as np

from oracle import caseline, elementwise, generator, table, variants
from oracle.calibrate_programs import ULPS, margin, nudged
from oracle.errors import OracleError
from oracle.ops.scalar import SCALARS
from oracle.ops.views import STEPS
from oracle.tensor import Tensor

_FLOATING = ("f16", "f32", "f64")
_INEXACT = ("exp", "log", "tanh", "erf", "rsqrt", "power")  # charged more than a rounding
_ARITHMETIC = ("add", "subtract", "multiply", "divide", "power", "minimum", "maximum")
_PAIRS = (("f16", "f16"), ("f32", "f32"), ("f64", "f64"), ("f32", "f64"), ("i64", "f64"),
          ("f16", "i32"))


def _erf(x):
    dtype = np.exp.resolve_dtypes((x.dtype, None))[-1]
    return np.vectorize(math.erf, [np.float64])(x).astype(dtype)


_FUNCTIONS = {"erf": _erf, "rsqrt": lambda x: 1 / np.sqrt(x), "divide": np.true_divide}


def _function(case):
    return _FUNCTIONS.get(case["f"]) or getattr(np, case["f"])


def _operands(case, arrays):
    if case.op_name != "scalar":
        return arrays
    both = (*arrays, SCALARS[case["scalar"]])
    return both if case["side"] == "right" else both[::-1]


def _apply(case, arrays):
    return [_function(case)(*_operands(case, arrays))]


def _apply_nudged(case, arrays):
    function = _function(case)
    return [(nudged(function, ULPS) if case["f"] in _INEXACT else function)(
        *_operands(case, arrays))]


# Of this one the elements count. It is off by up to 4 ulp everywhere, which no function is: the
# probes, whose scale is the deviation of what their elements sum up to, would see that.
_NUDGED = f"functions off by {ULPS} ulp"
_ELEMENTWISE = {"NumPy": _apply, _NUDGED: _apply_nudged}


def _forwards(x):
    return np.cumsum(x, axis=-1, dtype=x.dtype)[..., -1]


def _lanes(x):
    return _forwards(np.stack([_forwards(x[..., lane::variants.LANES])
                               for lane in range(min(variants.LANES, x.shape[-1]))], axis=-1))


def _pairwise(x):
    if x.shape[-1] == 1:
        return x[..., 0]
    middle = x.shape[-1] // 2
    return _pairwise(x[..., :middle]) + _pairwise(x[..., middle:])


def _summing(total):
    """reduce with sums taken so."""
    def compute(case, arrays):
        made = np.moveaxis(arrays[0], case["axis"], -1)
        if case["f"] == "max":
            return [made.max(axis=-1)]
        return [total(made) if case["f"] == "sum" else total(made) / made.shape[-1]]
    return compute


def _reduce(case, arrays):
    return [getattr(np, case["f"])(arrays[0], axis=case["axis"])]


_SUMS = {"NumPy": _reduce, "forwards": _summing(_forwards),
         "backwards": _summing(lambda x: _forwards(x[..., ::-1])),
         "16 partial sums": _summing(_lanes), "pairwise": _summing(_pairwise)}


def _product(compute):
    """A matrix product or several, plain views, in one of the ways of variants.CORRECT."""
    def made(case, arrays):
        a, b = arrays[:2] if case.op_name != "gram" else (arrays[0], arrays[0].T)
        dtype = np.result_type(a, b)
        a, b, added = a.astype(dtype), b.astype(dtype), arrays[2] if len(arrays) > 2 else None
        if a.ndim == 2:
            return [compute(a, b, added)]
        return [np.stack([compute(one, other, None) for one, other in zip(a, b)])]
    return made


_PRODUCTS = {name: _product(compute) for name, compute in variants.CORRECT.items()}


def _cast(case, arrays):
    return [arrays[0].astype(generator.DTYPES[case["to"]])]


def _cast_by_f32(case, arrays):
    return [arrays[0].astype(np.float32).astype(generator.DTYPES[case["to"]])]


def _where(case, arrays):
    return [np.where(*arrays)]


def _masked(case, arrays):
    mask = np.where(np.tri(case["t"], dtype=bool), 0, -1e10).astype(arrays[0].dtype)
    return [arrays[0] + mask, mask]


def _viewed(case, arrays):
    x, = arrays
    for step in case["chain"].split("_"):
        x = STEPS[step](x)
    return [x]


def _unary_lines():
    for f in elementwise.UNARY:
        values = ("plain", "positive" if f in ("log", "sqrt", "rsqrt") else "wide")
        for dtype, kind in itertools.product(_FLOATING, values):
            yield f"unary f={f} shape=16x257 dtype={dtype} values={kind}"
        yield f"unary f={f} shape=16x257 dtype=i32 values=plain"


def _binary_lines():
    for f, (x, y) in itertools.product(elementwise.BINARY, _PAIRS):
        values = "wide" if x in _FLOATING and f != "power" else "plain"
        yield f"binary f={f} x=16x257 y=257 dtype={x} y_dtype={y} values={values}"


def _scalar_lines():
    for f, dtype, scalar, side in itertools.product(
            _ARITHMETIC, _FLOATING, ("weak_int", "weak_float", "i64", "f64"), ("right", "left")):
        yield f"scalar f={f} shape=257 dtype={dtype} scalar={scalar} side={side}"


def _cast_lines():
    for dtype, to in itertools.product((*_FLOATING, "i32", "i64", "bool"), repeat=2):
        values = "wide" if dtype in _FLOATING else "plain"
        yield f"cast shape=16x257 dtype={dtype} to={to} values={values}"


def _reduce_lines():
    shapes = (("64x7", -1), ("16x257", 1), ("8x1024", -1), ("257x16", 0), ("5x33x7", 1))
    for f, dtype, (shape, axis) in itertools.product(elementwise.REDUCTIONS, _FLOATING, shapes):
        for values in ("plain", "constant"):
            yield f"reduce f={f} shape={shape} axis={axis} keepdims=no dtype={dtype} values={values}"


def _sizes():
    return ((33, 64, 33), (1, 768, 129), (16, 1024, 17), (31, 7, 129))


# The cases of each op, and the correct ways to compute them.
OPS = {
    "matmul": (lambda: (f"matmul m={m} k={k} n={n} dtype={x} rhs_dtype={y} lhs=plain rhs=plain "
                        "result=plain" for m, k, n in _sizes() for x, y in _PAIRS[1:5]), _PRODUCTS),
    "batch_matmul": (lambda: (f"batch_matmul b=3 m={m} k={k} n={n} dtype={x} rhs_dtype={y} "
                              "lhs=plain rhs=plain result=plain"
                              for m, k, n in _sizes() for x, y in _PAIRS[1:5]), _PRODUCTS),
    "linear": (lambda: (f"linear m={m} k={k} n={n} dtype={dtype}"
                        for m, k, n in _sizes() for dtype in _FLOATING[1:]), _PRODUCTS),
    "gram": (lambda: (f"gram m={m} k={k} dtype={dtype}"
                      for m, k, _ in _sizes() for dtype in _FLOATING[1:]), _PRODUCTS),
    "unary": (_unary_lines, _ELEMENTWISE),
    "binary": (_binary_lines, _ELEMENTWISE),
    "scalar": (_scalar_lines, _ELEMENTWISE),
    "where": (lambda: (f"where condition=257 x=16x257 y=257 dtype={x} y_dtype={y}"
                       for x, y in _PAIRS), {"NumPy": _where}),
    "cast": (_cast_lines, {"NumPy": _cast}),
    "reduce": (_reduce_lines, _SUMS),
    "views": (lambda: (f"views chain={chain} shape=4x6x10 dtype=f32"
                       for chain in ("slice_transpose_reshape", "reshape_slice_transpose")),
              {"NumPy": _viewed}),
    "causal_mask": (lambda: (f"causal_mask t={t} dtype={dtype}" for t in (16, 33)
                             for dtype in _FLOATING),
                    {"NumPy": _masked}),
}


class Wanted:
    """A result as it is judged: its elements, and the probes of one that is stored as a sample."""

    def __init__(self, case, data, number, result):
        self.result, self.probes = result, []
        if result.whole or result.value.size <= table.WHOLE_LIMIT or not np.isfinite(
                result.value).all():
            return
        for name, turn in (("columns", _as_matrix), ("rows", lambda x: _as_matrix(x).T)):
            side = result.view(turn)
            weights = generator.probe(case.line, data, name, number, False, side.value.shape[1])
            expected, scale = table.probe(side, weights)
            self.probes.append((turn, weights.astype(np.longdouble),
                                Tensor(np.dtype(np.longdouble), expected, None, scale)))

    def margin(self, got, probed):
        """The largest of the elements and, where probed, the probes."""
        return max(margin(self.result, got),
                   *(margin(wanted, turn(got).astype(np.longdouble) @ weights)
                     for turn, weights, wanted in self.probes if probed), 0.0)


def _as_matrix(x):
    return x.reshape(-1, x.shape[-1])


def _instances(elements):
    """(op, case, arguments, what is wanted of each result) round after round until so many elements
    were given."""
    given, told = 0, time.monotonic()
    for round_number in itertools.count():
        for (op, (lines, _)), data in itertools.product(OPS.items(), generator.DATA):
            for line in lines():
                case = caseline.parse(line)
                case.line += f" round={round_number}"  # other inputs
                try:
                    results = case.results(data)
                except OracleError as error:
                    print(f"calibrate: left out: {line} data={data}: {error}", file=sys.stderr)
                    continue
                given += sum(result.value.size for result in results)
                yield (op, case, [array for _, array in case.inputs(data)],
                       [Wanted(case, data, number, result) for number, result in enumerate(results)])
                if time.monotonic() - told > 2:
                    print(f"calibrate: {given} elements of operations", file=sys.stderr, flush=True)
                    told = time.monotonic()
        if given >= elements:
            return


def main(elements):
    """{op: {function: the largest margin of a correct variant}}; the function of an op that has none
    is ''."""
    worst = {op: {} for op in OPS}
    for op, case, arrays, wanted in _instances(elements):
        function = case["f"] if "f=" in case.line else ""
        for name, compute in OPS[op][1].items():
            with np.errstate(all="ignore"):
                got = compute(case, arrays)
            largest = max(result.margin(array, name != _NUDGED)
                          for result, array in zip(wanted, got, strict=True))
            worst[op][function] = max(worst[op].get(function, 0.0), largest)
    return worst
