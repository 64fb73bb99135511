# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calibration of products that may be rounded to tf32: correct variants, and faulty ones."""

import itertools
import statistics

import numpy as np

from oracle import generator, table, tensor, tf32, variants

LAMBDA = 6.0  # ASSAY_LAMBDA, harness/judge/judge.h
DEPTH = 8     # of one step of a tensor core

SHAPES = [(3, 5, 7), (16, 16, 16), (1, 127, 65), (37, 1, 43), (17, 33, 31), (65, 64, 33),
          (128, 127, 64), (1, 64, 4096), (33, 3072, 17), (64, 768, 96)]


def _truncated_to_f32(x):
    """Numbers of float64 as f32, towards zero."""
    near = x.astype(np.float32)
    return np.where(np.abs(near.astype(np.float64)) > np.abs(x),
                    np.nextafter(near, np.float32(0)), near)


def _truncating_steps(a, b, added):
    """A tensor core's: 8 products added up exactly, each step's sum truncated."""
    total = np.zeros((a.shape[0], b.shape[1]), np.float32)
    if added is not None:
        total += added
    for k in range(0, a.shape[1], DEPTH):
        step = a[:, k:k + DEPTH].astype(np.float64) @ b[k:k + DEPTH].astype(np.float64)
        total = _truncated_to_f32(total + step)
    return total


SUMS = {"k forwards": variants.CORRECT["k forwards"],
        "k backwards, FMA": variants.CORRECT["k backwards, FMA"],
        "16 partial sums": variants.CORRECT["16 partial sums"],
        "pairwise sums": variants.CORRECT["pairwise sums"],
        "8 k at a time, sums truncated": _truncating_steps}


def keep(bits, nearest):
    """A rounding that keeps so many bits of an f32: to nearest, ties away, or truncation."""
    dropped = np.uint32(24 - bits)

    def rounded(x):
        words = x.view(np.uint32) + np.uint32((1 << int(dropped)) // 2 if nearest else 0)
        return (words >> dropped << dropped).view(np.float32)
    return rounded


FAULTY = {"both inputs truncated to bf16": (keep(8, False), keep(8, False)),
          "both inputs rounded to bf16": (keep(8, True), keep(8, True)),
          "one input rounded to bf16": (keep(8, True), tf32.ROUNDINGS["to nearest, ties away"]),
          "both inputs truncated to 10 bits": (keep(10, False), keep(10, False))}


class Instance:
    """A product of f32 with what is wanted, as a case's judge has it: all elements, and probes."""

    def __init__(self, name, shape, biased=False, data="real"):
        m, k, n = shape
        f32 = generator.DTYPES["f32"]
        sizes = {"lhs": (m, k), "rhs": (k, n), "bias": (n,)}
        self.a, self.b, bias = (generator.argument(name, data, argument, f32, size)
                                for argument, size in sizes.items())
        self.bias = bias if biased else None
        leaves = [tensor.leaf(x) for x in (self.a, self.b, self.bias) if x is not None]
        self.wanted = tensor.matmul(*leaves, precision="tf32")
        self._probes = []
        for side, view in (("columns", np.asarray), ("rows", np.transpose)):
            of = self.wanted.view(view)
            weights = generator.probe(name, data, side, 0, False, of.value.shape[1])
            self._probes.append((view, weights.astype(np.longdouble), *table.probe(of, weights)))

    def margins(self, got):
        """(the largest of an element, that of a probe)"""
        wide = got.astype(np.longdouble)
        return (_margin(wide, self.wanted.value, self.wanted.scale),
                max(_margin(view(wide) @ weights, expected, scale)
                    for view, weights, expected, scale in self._probes))


def _margin(got, want, scale):
    off = np.abs(got - want)
    with np.errstate(divide="ignore", invalid="ignore"):
        return float(np.where(scale > 0, off / (LAMBDA * scale),
                              np.where(off == 0, 0.0, np.inf)).max())


def correct(instance):
    """Yields (name of the sum, results) of all correct variants."""
    roundings = tf32.ROUNDINGS.values()
    for of_a, of_b in itertools.product(roundings, roundings):
        a, b = of_a(instance.a), of_b(instance.b)
        for name, compute in SUMS.items():
            yield name, compute(a, b, instance.bias)


def _instances():
    for number, shape in enumerate(SHAPES):
        yield shape, Instance(f"calibrate tf32 {number}", shape, biased=number % 3 == 0)


def main():
    """Prints both tables; the largest margin of a correct variant, and the faults that pass."""
    worst = {name: [0.0, 0.0] for name in SUMS}
    faults = {name: [] for name in FAULTY}
    for _, instance in _instances():
        for name, got in correct(instance):
            worst[name] = list(map(max, worst[name], instance.margins(got)))
        for name, (of_a, of_b) in FAULTY.items():
            got = SUMS["16 partial sums"](of_a(instance.a), of_b(instance.b), instance.bias)
            faults[name].append(max(instance.margins(got)))
    print("\nprecision=tf32, each operand rounded in 4 ways, largest margins of correct variants, "
          "K = 1 to 3072:\n")
    print("| sums | elements | probes |\n|---|---|---|")
    for name, (element, probe) in worst.items():
        print(f"| {name} | {element:.3f} | {probe:.3f} |")
    print("\nMargins of faulty variants, the largest of each case (least and median over cases):\n")
    print("| fault | real |\n|---|---|")
    for name, margins in faults.items():
        print(f"| {name} | {min(margins):.3g}, {statistics.median(margins):.3g} |")
    missed = [name for name, margins in faults.items() if "bf16" in name and min(margins) <= 1]
    return max(map(max, worst.values())), missed
