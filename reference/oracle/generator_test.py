# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The generator against Philox4x64-10 and the elements' formulas in whole Python numbers."""

import unittest
import unittest.mock

import numpy as np

from oracle import errors, generator

MASK = (1 << 64) - 1


def encrypt(counter, key):
    """One block, four words: ten rounds as the paper defines them; the key is (key, 0)."""
    block, keys = [counter >> 64 * i & MASK for i in range(4)], [key, 0]
    for _ in range(10):
        first = 0xD2E7470EE14C6C93 * block[0]
        second = 0xCA5A826395121157 * block[2]
        block = [second >> 64 ^ block[1] ^ keys[0], second & MASK,
                 first >> 64 ^ block[3] ^ keys[1], first & MASK]
        keys = [keys[0] + 0x9E3779B97F4A7C15 & MASK, keys[1] + 0xBB67AE8584CAA73B & MASK]
    return block


def philox(key, count):
    """The first count words of a stream: counters 1, 2, ..."""
    blocks = [encrypt(counter, key) for counter in range(1, count // 4 + 2)]
    return [word for block in blocks for word in block][:count]


class Generator(unittest.TestCase):
    def test_hash_has_the_published_values(self):
        self.assertEqual(generator.fnv1a(""), 0xCBF29CE484222325)
        self.assertEqual(generator.fnv1a("a"), 0xAF63DC4C8601EC8C)
        self.assertEqual(generator.fnv1a("foobar"), 0x85944171F73967E8)

    def test_words_are_philox(self):
        for stream in ("", "linear m=1 k=1 n=1 dtype=f32 data=int arg=x"):
            words = generator.raw(stream, 23)
            self.assertEqual([int(word) for word in words], philox(generator.fnv1a(stream), 23))

    def test_philox_has_its_authors_known_answer(self):
        # Random123, kat_vectors: philox4x64 10 rounds, counter 0, key 0.
        self.assertEqual(encrypt(0, 0), [0x16554D9ECA36314C, 0xDB20FE9D672D0FDC,
                                         0xD7E772CEE186176B, 0x7E68B68AEC7BA23B])

    def test_elements_follow_their_formulas(self):
        line, shape = "matmul m=3", (3, 5)
        for data in generator.DATA:
            words = philox(generator.fnv1a(f"{line} data={data} arg=lhs"), 15)
            wanted = {
                "f32": [(word >> 40) / 2**23 - 1 for word in words],
                "f64": [(word >> 11) / 2**52 - 1 for word in words],
                "f16": [(word >> 53) / 2**10 - 1 for word in words],
                "i32": [(word & 0xFFFFFFFF ^ 1 << 31) - (1 << 31) for word in words],
                "i64": [(word ^ 1 << 63) - (1 << 63) for word in words],
            }
            for name, dtype in generator.DTYPES.items():
                made = generator.argument(line, data, "lhs", dtype, shape)
                small = [word % 17 - 8 for word in words]
                self.assertEqual(made.dtype, dtype)
                self.assertEqual(made.shape, shape)
                if name == "bool":
                    small = wanted[name] = [word >> 63 == 1 for word in words]
                self.assertEqual(made.ravel().tolist(), small if data == "int" else wanted[name])

    def test_values_change_x_alone(self):
        for data in generator.DATA:
            for dtype in ("f32", "f64"):
                def made(values, name="x"):
                    line = f"softmax m=3 n=8 dtype={dtype} values={values}"
                    with unittest.mock.patch("oracle.generator.fnv1a", return_value=7):
                        return generator.argument(line, data, name, generator.DTYPES[dtype],
                                                  (3, 8)).astype(np.float64)
                plain = made("plain")
                for values, wanted in (
                        ("positive", abs(plain)), ("constant", plain[:, [0] * 8]),
                        ("masked", np.full((3, 8), -1e10)), ("wide", 16 * plain),
                        ("negative", np.where(plain < 0, plain, -1 - plain)),
                        ("large", 16384 * plain), ("huge", 2.0**100 * plain),
                        ("small", plain / 2.0**40), ("offset", 10000 + np.rint(8 * plain) / 16)):
                    np.testing.assert_array_equal(made(values), wanted, values)
                    np.testing.assert_array_equal(made(values, "gain"), plain)
                lanes = made("lanes")
                for column, number in ((1, np.nan), (3, np.inf), (5, -np.inf)):
                    np.testing.assert_array_equal(lanes[:, column], [number] * 3)
                np.testing.assert_array_equal(lanes[:, ::2], plain[:, ::2])

    def test_negative_integers_are_negative(self):
        for data in generator.DATA:
            for name in ("i32", "i64"):
                dtype = generator.DTYPES[name]
                with unittest.mock.patch("oracle.generator.fnv1a", return_value=7):
                    made, plain = (generator.argument(f"op values={values}", data, "x", dtype, (1000,))
                                   for values in ("negative", "plain"))
                self.assertEqual(made.dtype, dtype)
                np.testing.assert_array_equal(made, np.where(plain < 0, plain, ~plain))
                self.assertTrue((made < 0).all() and (plain >= 0).any())

    def test_weights_keep_products_of_order_1(self):
        for rows, halvings in ((1, 0), (2, 1), (3, 1), (4, 1), (5, 2), (64, 3), (65, 4), (768, 5),
                               (3072, 6)):
            for data, more in (("real", 0), ("int", 3)):
                with unittest.mock.patch("oracle.generator.fnv1a", return_value=7):
                    weight, plain = (
                        generator.argument("line", data, name, generator.DTYPES["f32"], (rows, 2))
                        for name in ("up_weight", "w"))
                np.testing.assert_array_equal(weight * 2.0**(halvings + more), plain)

    def test_values_that_a_dtype_cannot_hold_are_refused(self):
        for values, dtype in (("huge", "f16"), ("masked", "f16"), ("wide", "i32"), ("negative", "bool")):
            with self.assertRaises(errors.OracleError):
                generator.argument(f"op values={values}", "int", "x", generator.DTYPES[dtype], (9,))

    def test_data_int_reaches_both_ends(self):
        made = generator.argument("x", "int", "x", generator.DTYPES["f32"], (1000,))
        self.assertEqual((made.min(), made.max()), (-8, 8))

    def test_probes_follow_their_formulas(self):
        for data, whole in (("int", False), ("int", True), ("real", True), ("real", False)):
            made = generator.probe("x", data, "rows", 1, whole, 40)
            words = philox(generator.fnv1a(f"x data={data} probe=rows result=1"), 40)
            if data == "real" and not whole:
                sizes = [0.5 + (word >> 12) / 2**53 for word in words]
            else:
                sizes = [(word >> 1) % 15 + 1 for word in words]
            signed = [-size if word & 1 else size for size, word in zip(sizes, words)]
            self.assertEqual(made.tolist(), signed)
            self.assertEqual(made.dtype, np.int64 if whole else np.float64)


if __name__ == "__main__":
    unittest.main()
