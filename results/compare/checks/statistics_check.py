# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The statistics against SciPy: tests by its wilcoxon and mannwhitneyu, intervals by sorting all averages
or differences and counting in by SciPy's exact distributions. `statistics_check.py PROGRAM`."""

import subprocess
import sys
import unittest

import numpy as np
from scipy import stats

EXACT = {"pairs": 100, "samples": 50, "signs": 1000}


def signed_rank_critical(n, alpha):
    """The largest k with P(T+ <= k - 1) <= alpha / 2, T+ by convolution of its n ranks."""
    if n > EXACT["pairs"]:
        mean, deviation = n * (n + 1) / 4, np.sqrt(n * (n + 1) * (2 * n + 1) / 24)
        tail = stats.norm.cdf((np.arange(int(mean)) + 0.5 - mean) / deviation)
    else:
        mass = np.ones(1)
        for rank in range(1, n + 1):
            mass = np.convolve(mass, np.r_[0.5, np.zeros(rank - 1), 0.5])
        tail = np.cumsum(mass)
    return int(np.sum(tail <= alpha / 2 * (1 + 1e-12)))


def sign_critical(n, alpha):
    tail = stats.binom.cdf(np.arange(n), n, 0.5)
    if n > EXACT["signs"]:
        tail = stats.norm.cdf((np.arange(n) + 0.5 - n / 2) / (np.sqrt(n) / 2))
    return int(np.sum(tail <= alpha / 2 * (1 + 1e-12)))


def rank_sum_critical(m, n, alpha):
    if max(m, n) > EXACT["samples"]:
        mean, deviation = m * n / 2, np.sqrt(m * n * (m + n + 1) / 12)
        tail = stats.norm.cdf((np.arange(int(mean)) + 0.5 - mean) / deviation)
        return int(np.sum(tail <= alpha / 2 * (1 + 1e-12)))
    counts = np.zeros((m + 1, m * n + 1))  # of subsets of 1 .. m + n, by size and by U
    counts[0, 0] = 1
    for rank in range(1, m + n + 1):
        for size in range(min(rank, m), 0, -1):
            step = rank - size  # what this value adds to U as the size-th of x
            counts[size, step:] += counts[size - 1, :m * n + 1 - step]
            if step > m * n:
                break
    tail = np.cumsum(counts[m]) / counts[m].sum()
    return int(np.sum(tail <= alpha / 2 * (1 + 1e-12)))


def bounds(sums, critical):
    sums = np.sort(sums)
    if critical == 0:
        return -np.inf, np.inf
    return sums[critical - 1], sums[-critical]


def expect_pairs(d, alpha):
    ranked = d[d != 0]
    exact = len(set(abs(ranked))) == len(ranked) == len(d) and len(d) <= EXACT["pairs"]
    if len(ranked) == 0:
        statistic, p = 0.0, 1.0
    else:
        ranks = stats.rankdata(abs(ranked))
        statistic = ranks[ranked > 0].sum()
        p = stats.wilcoxon(d, method="exact" if exact else "asymptotic", correction=not exact).pvalue
    i, j = np.triu_indices(len(d))
    averages = d[i] / 2 + d[j] / 2
    above = int(np.sum(ranked > 0))
    signs = stats.binomtest(above, len(ranked)).pvalue if len(ranked) > 0 else 1.0
    if len(ranked) > EXACT["signs"]:
        signs = 2 * stats.norm.cdf((min(above, len(ranked) - above) + 0.5 - len(ranked) / 2) /
                                   (np.sqrt(len(ranked)) / 2))
    half = (bounds(averages, signed_rank_critical(len(d), alpha / 2)),
            bounds(d, sign_critical(len(d), alpha / 2)))
    low, high = max(half[0][0], half[1][0]), min(half[0][1], half[1][1])
    if low > high:
        low, high = min(half[0][0], half[1][0]), max(half[0][1], half[1][1])
    return (statistic, p, np.median(averages), *bounds(averages, signed_rank_critical(len(d), alpha)),
            above, signs, np.median(d), *bounds(d, sign_critical(len(d), alpha)), low, high)


def expect_samples(x, y, alpha):
    both = np.r_[x, y]
    exact = len(set(both)) == len(both) and max(len(x), len(y)) <= EXACT["samples"]
    found = stats.mannwhitneyu(y, x, method="exact" if exact else "asymptotic")
    p = found.pvalue if len(set(both)) > 1 else 1.0
    differences = (y[None, :] - x[:, None]).ravel()
    return (found.statistic, p, np.median(differences),
            *bounds(differences, rank_sum_critical(len(x), len(y), alpha)))


def questions():
    source = np.random.default_rng(20260)
    for round in range(240):
        alpha = [0.05, 0.01, 0.002, 2e-4][round % 4]
        m = int(source.integers(1, 40)) if round < 200 else int(source.integers(40, 130))
        n = int(source.integers(1, 40)) if round < 200 else int(source.integers(40, 70))
        x, y = source.lognormal(size=m), source.lognormal(0.3, size=n)
        if round % 3 == 1:  # ties and zeros
            x, y = np.round(x, 1) - 0.5, np.round(y, 1) - 0.5
        yield alpha, x, None
        yield alpha, np.log(x - x.min() + 1) - 0.4, None
        yield alpha, x, y
    yield 0.01, np.zeros(5), None
    yield 0.01, np.ones(5), np.ones(7)
    yield 0.0005, source.normal(size=2000), None
    yield 0.0005, source.normal(size=1500), source.normal(size=900)


class Statistics(unittest.TestCase):

    def test_against_scipy(self):
        asked = list(questions())
        lines = []
        for alpha, x, y in asked:
            values = " ".join(repr(float(value)) for value in (x if y is None else np.r_[x, y]))
            lines.append(f"{alpha} {len(x)} {0 if y is None else len(y)} {values}\n")
        done = subprocess.run([PROGRAM], input="".join(lines), text=True, capture_output=True, check=True)
        answers = [[float(word) for word in line.split()] for line in done.stdout.splitlines()]
        self.assertEqual(len(answers), len(asked))
        for (alpha, x, y), answer in zip(asked, answers):
            expected = expect_pairs(x, alpha) if y is None else expect_samples(x, y, alpha)
            np.testing.assert_allclose(answer, expected, rtol=1e-9, atol=1e-12,
                                       err_msg=f"alpha={alpha} x={x} y={y}")


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
