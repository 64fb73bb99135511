# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calibration of lambda on whole programs: what margins correct and faulty variants of the
transformer's formulas reach, printed as Markdown tables."""

import itertools
import math
import sys
import time

import numpy as np

from oracle import caseline, formulas, generator, variants
from oracle.formulas import Arithmetic

LAMBDA = 6.0  # ASSAY_LAMBDA, harness/judge/judge.h
ULPS = 4      # that functions of correct variants are off, either way

OPS = ("softmax", "layer_norm", "gelu", "attention", "attend", "feedforward", "gpt2_block")


def _lines(dtype):
    """Cases of every op, small and large, in one dtype; the line names the stream of inputs."""
    for m, n in ((64, 2), (64, 7), (64, 33), (16, 257), (8, 1024)):
        for values in ("plain", "wide", "small"):
            yield f"softmax m={m} n={n} dtype={dtype} values={values}"
            yield f"gelu m={m} n={n} dtype={dtype} values={values}"
        for values in ("plain", "constant", "offset", "large", "small"):
            yield f"layer_norm m={m} n={n} dtype={dtype} values={values}"
    for t, c, heads, scores in ((2, 6, 1, "f64"), (7, 24, 3, "f64"), (7, 24, 12, "f32"),
                                (33, 48, 2, "f32"), (33, 96, 12, "f64")):
        for mask in ("causal", "none"):
            yield f"attention t={t} c={c} heads={heads} dtype={dtype} scores={scores} mask={mask}"
        yield f"attend t={t} c={c} heads={heads} dtype={dtype} scores={scores}"
        yield f"feedforward t={t} c={c} dtype={dtype}"
        yield f"gpt2_block t={t} c={c} heads={heads} dtype={dtype} scores={scores}"
    yield f"gpt2_block t=5 c=768 heads=12 dtype={dtype} scores=f32"


def nudged(function, ulps):
    """The function, off by that many ulp (or fewer, down to as many the other way) at random."""
    def compute(*operands):
        right = function(*operands)
        if right.dtype.kind in "ib":
            return right
        words = generator.raw(f"nudge {right.shape}", right.size).reshape(right.shape)
        steps = (words % (2 * ulps + 1)).astype(np.int64) - ulps
        off = right + steps * np.spacing(right)
        kept = (np.abs(right) == 1) | ~np.isfinite(right)
        return np.where(kept, right, off).astype(right.dtype)  # saturated: exact
    return compute


def _sequential(backward):
    def total(x):
        ordered = x[..., ::-1] if backward else x
        return np.cumsum(ordered, axis=-1, dtype=x.dtype)[..., -1:]
    return total


def _product(step, backward):
    """a @ b of matrices or batches of them, one k after the other."""
    def compute(a, b):
        dtype = np.result_type(a, b)
        a, b = a.astype(dtype), b.astype(dtype)
        result = np.zeros((*a.shape[:-1], b.shape[-1]), dtype)
        order = range(a.shape[-1])
        for k in reversed(order) if backward else order:
            result = step(result, a[..., :, k, None], b[..., None, k, :])
        return result
    return compute


def _plain_step(total, x, y):
    return total + x * y


CORRECT = {
    "NumPy and its BLAS": Arithmetic(),
    f"exp and tanh off by {ULPS} ulp": Arithmetic(exp=nudged(np.exp, ULPS),
                                                  tanh=nudged(np.tanh, ULPS)),
    "sums and products forwards": Arithmetic(total=_sequential(False),
                                             product=_product(_plain_step, False)),
    "backwards": Arithmetic(total=_sequential(True), product=_product(_plain_step, True)),
    "products with FMA": Arithmetic(product=_product(variants.fused_multiply_add, False)),
}


def _by_name(name, **replaced):
    """The formula with another function of the module in place of one of its own."""
    def compute(case, arrays):
        kept = getattr(formulas, name)
        setattr(formulas, name, replaced["by"])
        try:
            return formulas.compute(case, arrays)
        finally:
            setattr(formulas, name, kept)
    return compute


def _unbiased(x, gain, bias, use=Arithmetic()):
    centered = x - use.total(x) / x.shape[-1]
    variance = use.total(centered * centered) / max(1, x.shape[-1] - 1)
    return centered / np.sqrt(variance + 1e-5) * gain + bias


def _epsilon_outside(x, gain, bias, use=Arithmetic()):
    centered = x - use.total(x) / x.shape[-1]
    return centered / (np.sqrt(use.total(centered * centered) / x.shape[-1]) + 1e-5) * gain + bias


def _gelu_by_sigmoid(x, use=Arithmetic()):
    return x / (1 + use.exp(np.minimum(-1.702 * x, 80)))


def _softmax_of_neighbour(x, use=Arithmetic()):
    """The last logit of each row is its neighbour's."""
    x = x.copy()
    x[..., -1] = x[..., max(0, x.shape[-1] - 2)]
    e = use.exp(x - x.max(axis=-1, keepdims=True))
    return e / use.total(e)


def _truncated(case, arrays):
    return formulas.compute(case, [variants.to_bf16(arrays[0]), *arrays[1:]])


FAULTY = {
    "x truncated to bf16": (_truncated, OPS),
    "variance by n - 1": (_by_name("layer_norm", by=_unbiased),
                          ("layer_norm", "attend", "feedforward", "gpt2_block")),
    "eps outside the root": (_by_name("layer_norm", by=_epsilon_outside), ("layer_norm",)),
    "gelu by a sigmoid": (_by_name("gelu", by=_gelu_by_sigmoid),
                          ("gelu", "feedforward", "gpt2_block")),
    "a logit is its neighbour's": (_by_name("softmax", by=_softmax_of_neighbour),
                                   ("softmax", "attention", "attend", "gpt2_block")),
}


def margin(result, got):
    """The largest of an array; infinite for another dtype, another integer, and a NaN where none is
    wanted."""
    if got.dtype != result.dtype:
        return math.inf
    if result.whole:
        return 0.0 if np.array_equal(got, result.value) else math.inf
    scale = result.scale
    same = (got == result.value) | (np.isnan(got) & np.isnan(result.value))
    with np.errstate(divide="ignore", invalid="ignore"):
        off = np.abs(got.astype(np.longdouble) - result.value)
        margins = np.where(same, 0.0, off / (LAMBDA * scale))
    return float(np.nan_to_num(margins, nan=np.inf).max())


def _instances(elements):
    """(case, data set, arguments, result) round after round until so many elements were given."""
    given, told = 0, time.monotonic()
    for round_number in itertools.count():
        for dtype, data in itertools.product(("f32", "f64"), generator.DATA):
            for line in _lines(dtype):
                if given >= elements and round_number > 0:
                    return
                case = caseline.parse(line)
                case.line += f" round={round_number}"  # other inputs
                result, = case.results(data)
                given += result.value.size
                yield case, data, [array for _, array in case.inputs(data)], result
                if time.monotonic() - told > 2:
                    print(f"calibrate: {given} elements of programs", file=sys.stderr, flush=True)
                    told = time.monotonic()


def _print_table(title, rows, form):
    print(f"\n{title}\n")
    print("| variant | " + " | ".join(OPS) + " |")
    print("|---" * (len(OPS) + 1) + "|")
    for name, row in rows.items():
        print(f"| {name} | " + " | ".join(form(row[op]) if row[op] is not None else ""
                                          for op in OPS) + " |")


def main(elements):
    """Prints both tables; returns the largest margin of a correct variant by op, and the faults that
    no case saw."""
    correct = {name: dict.fromkeys(OPS, 0.0) for name in CORRECT}
    faulty = {name: {op: [] for op in ops} for name, (_, ops) in FAULTY.items()}
    for case, data, arrays, result in _instances(elements):
        op = case.op_name
        for name, use in CORRECT.items():
            largest = margin(result, formulas.compute(case, arrays, use))
            correct[name][op] = max(correct[name][op], largest)
        generic = (data == "real" and "dtype=f32" in case.line
                   and ("values=" not in case.line or "values=plain" in case.line))
        for name, (compute, ops) in FAULTY.items():
            if op in ops and generic:
                faulty[name][op].append(margin(result, compute(case, arrays)))
    _print_table(f"Largest margins of correct variants of whole programs, lambda = {LAMBDA:g}:",
                 correct, lambda largest: f"{largest:.3f}")
    seen = {name: {op: f"{min(row[op]):.3g}, {np.median(row[op]):.3g}" if op in row else None
                   for op in OPS} for name, row in faulty.items()}
    _print_table("Margins of faulty variants, f32, data real, the largest of each case (least and "
                 "median over cases):", seen, str)
    missed = [f"{name} in {op}" for name, row in faulty.items() for op, margins in row.items()
              if not max(margins) > 1]
    return {op: max(row[op] for row in correct.values()) for op in OPS}, missed
