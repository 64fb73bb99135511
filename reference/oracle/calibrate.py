# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Calibration of lambda: what margins correct and faulty variants reach, printed as Markdown
tables."""

import math
import statistics
import sys
import time

import numpy as np

from oracle import (calibrate_operations, calibrate_programs, calibrate_tf32, generator, table,
                    tensor, variants)

LAMBDA = 6.0  # ASSAY_LAMBDA, harness/judge/judge.h
LIMIT = 0.5   # correct variants stay below

DTYPES = [("f32", "f32"), ("f64", "f64"), ("f32", "f64"), ("i64", "f64")]
SHAPES = [(128, 128), (1, 4096), (4096, 1), (31, 129)]
COUNTS = [1, 2, 3, 5, 7, 16, 17, 31, 33, 64, 65, 127, 768, 3072]

FAULT_SHAPES = [(3, 5, 7), (16, 16, 16), (1, 127, 65), (17, 33, 31), (65, 64, 33), (64, 768, 768),
                (64, 3072, 768)]


class Instance:
    """Operands of one product in the dtype it is computed in, what is wanted, and its scale."""

    def __init__(self, name, data, shape, dtypes, biased):
        m, k, n = shape
        self.name, self.data = name, data
        self.a, self.b = (generator.argument(name, data, argument, generator.DTYPES[dtype], size)
                          for argument, dtype, size in (("lhs", dtypes[0], (m, k)),
                                                        ("rhs", dtypes[1], (k, n))))
        leaves = [tensor.leaf(self.a), tensor.leaf(self.b)]
        self.bias = None
        if biased:
            self.bias = generator.argument(name, data, "bias", generator.DTYPES[dtypes[1]], (n,))
            leaves.append(tensor.leaf(self.bias))
        self.wanted = tensor.matmul(*leaves)
        self.scale = self.wanted.scale
        self.a, self.b = (x.astype(self.wanted.dtype) for x in (self.a, self.b))
        self.probes = [self._probe("columns", self.wanted),
                       self._probe("rows", self.wanted.view(np.transpose))]

    def _probe(self, name, side):
        weights = generator.probe(self.name, self.data, name, 0, False, side.value.shape[1])
        expected, scale = table.probe(side, weights)
        return weights.astype(np.longdouble), expected, scale

    def element_margins(self, got):
        return _margins(got, self.wanted.value, self.scale)

    def probe_margins(self, got):
        wide = got.astype(np.longdouble)
        return np.concatenate([
            _margins(side @ weights, expected, scale)
            for side, (weights, expected, scale) in zip((wide, wide.T), self.probes)])


def _margins(got, want, scale):
    """|got - want| / (lambda scale); where the scale is 0, 0 for the same number and else
    infinity."""
    off = np.abs(got.astype(np.longdouble) - want)
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.where(scale > 0, off / (LAMBDA * scale), np.where(off == 0, 0.0, np.inf))


def _correct_instances(elements):
    """Round after round over all dtypes, shapes and K, until so many elements were given."""
    given, number = 0, 0
    while given < elements:
        for dtypes in DTYPES:
            for m, n in SHAPES:
                for k in COUNTS:
                    if k > 1000 and m * n > 4096:
                        continue  # nothing that smaller ones do not show, at most of the time
                    number += 1
                    given += m * n
                    yield dtypes, Instance(f"calibrate {number}", "real", (m, k, n), dtypes,
                                           biased=number % 4 == 0 and dtypes[0] == dtypes[1])


def _correct_table(elements):
    columns = [" @ ".join(dtypes) for dtypes in DTYPES] + ["probes"]
    worst = {variant: dict.fromkeys(columns, 0.0) for variant in variants.CORRECT}
    given, told = 0, time.monotonic()
    for dtypes, instance in _correct_instances(elements):
        given += instance.wanted.value.size
        for variant, compute in variants.CORRECT.items():
            got = compute(instance.a, instance.b, instance.bias)
            column = " @ ".join(dtypes)
            worst[variant][column] = max(worst[variant][column],
                                         instance.element_margins(got).max())
            worst[variant]["probes"] = max(worst[variant]["probes"],
                                           instance.probe_margins(got).max())
        if time.monotonic() - told > 2:
            print(f"calibrate: {given} of {elements} elements", file=sys.stderr, flush=True)
            told = time.monotonic()
    print(f"Largest margins of correct variants, lambda = {LAMBDA:g}, {given} elements "
          f"(K = {COUNTS[0]} to {COUNTS[-1]}, data real):\n")
    print("| variant | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for variant, margins in worst.items():
        print(f"| {variant} | " + " | ".join(f"{margins[column]:.3f}" for column in columns) + " |")
    return max(margin for margins in worst.values() for margin in margins.values())


def _case_margin(instance, got):
    """The largest margin a case's judgement meets: stored elements and, where sampled, probes."""
    stored = table.sample(*got.shape)
    largest = instance.element_margins(got).ravel()[stored].max()
    if got.size > table.WHOLE_LIMIT:
        largest = max(largest, instance.probe_margins(got).max())
    return float(largest)


def _wrong_elements(instance):
    """Results with one element, any of a dozen, replaced by another one of the result."""
    right = instance.a @ instance.b
    step = max(1, right.size // 12) | 1
    for place in range(0, right.size, step):
        got = right.copy()
        got.flat[place] = right.flat[(place + 1) % right.size]
        if got.flat[place] != right.flat[place]:
            yield got


def _faulty_table():
    """Prints the table; the faults that no data set sees in every case."""
    columns = ["int f32", "int f64", "real f32", "real f64"]
    rows = {name: {column: [] for column in columns}
            for name in ("one element is its neighbour's", *variants.FAULTY)}
    for column in columns:
        data, dtype = column.split()
        for m, k, n in FAULT_SHAPES:
            instance = Instance(f"faults {m}x{k}x{n} {dtype}", data, (m, k, n), (dtype, dtype),
                                biased=False)
            rows["one element is its neighbour's"][column].extend(
                _case_margin(instance, got) for got in _wrong_elements(instance))
            for name, compute in variants.FAULTY.items():
                got = compute(instance.a, instance.b)
                rows[name][column].append(_case_margin(instance, got))
    print("\nMargins of faulty variants, the largest of each case (least and median over cases):\n")
    print("| fault | " + " | ".join(columns) + " |")
    print("|---" * (len(columns) + 1) + "|")
    for name, margins in rows.items():
        print(f"| {name} | " + " | ".join(
            f"{min(margins[column]):.3g}, {statistics.median(margins[column]):.3g}"
            for column in columns) + " |")
    return [name for name, margins in rows.items()
            if not any(min(margins[column]) > 1 for column in columns)]


def _print_ops(worst):
    """One row per op, and its functions where they differ."""
    print("\nLargest margins of correct variants by op:\n")
    print("| op | largest margin | of which |\n|---|---|---|")
    for op, row in sorted(worst.items()):
        shown = [f"{name} {margin:.3f}" for name, margin in row.items() if name and margin > 0]
        if shown and len(shown) < len(row):
            shown.append("the others 0")
        print(f"| `{op}` | {max(row.values()):.3f} | {', '.join(shown)} |")


def main(elements):
    """Prints the tables; 1 where a correct variant comes near failing or a fault passes on every
    data set."""
    of_products = _correct_table(elements)
    missed = _faulty_table()
    of_programs, missed_in_programs = calibrate_programs.main(elements)
    missed += missed_in_programs
    by_op = calibrate_operations.main(elements)
    by_op["matmul"][""] = max(by_op["matmul"][""], of_products)
    of_tf32, missed_in_tf32 = calibrate_tf32.main()
    missed += missed_in_tf32
    by_op["matmul precision=tf32"] = {"": of_tf32}
    by_op.update({op: {"": margin} for op, margin in of_programs.items()})
    _print_ops(by_op)
    largest = max(margin for row in by_op.values() for margin in row.values())
    if not (math.isfinite(largest) and largest < LIMIT):
        print(f"\ncalibrate: a correct variant reaches {largest:.3f}, expected less than {LIMIT}")
    for name in missed:
        print(f"\ncalibrate: not seen on any data set: {name}")
    return 0 if largest < LIMIT and not missed else 1
