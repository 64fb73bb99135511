# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The store and the command line, run as the processes they are."""

import io
import os
import subprocess
import sys
import tempfile
import unittest

import numpy as np

from oracle import generator, table

ORACLE = os.path.dirname(os.path.abspath(__file__))
LINE = "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain"
OTHER = "linear m=20 k=3 n=20 dtype=f32"
WHOLE = "matmul m=2 k=5 n=1 dtype=i32 rhs_dtype=i64 lhs=plain rhs=plain result=plain"
TABLE = "matmul/m3-k5-n7-f32-996d43286942186b.npy"
REAL = 3 * 7 + 3  # the number of its rows of data "int": elements and type


def oracle(*arguments, lines=()):
    done = subprocess.run([sys.executable, "-I", "-B", ORACLE, *arguments], capture_output=True,
                          input="".join(line + "\n" for line in lines).encode(), check=False)
    return done.returncode, done.stdout, done.stderr.decode()


class Store(unittest.TestCase):
    def setUp(self):
        self._folder = tempfile.TemporaryDirectory()
        self.addCleanup(self._folder.cleanup)
        self.store = self._folder.name
        self.assertEqual(self.run_on_store("update")[0], 0)

    def run_on_store(self, command, *options, lines=(LINE, OTHER, WHOLE)):
        code, output, messages = oracle(command, self.store, *options, lines=lines)
        return code, output.decode().replace(self.store, "STORE"), messages

    def path(self, name=TABLE):
        return os.path.join(self.store, name)

    def change(self, entry, column, change):
        stored = np.load(self.path())
        stored[column][entry] = change(stored[column][entry])
        np.save(self.path(), stored)

    def test_a_fresh_store_is_right_and_stays_as_it_is(self):
        before = os.stat(self.path()).st_mtime_ns
        self.assertEqual(self.run_on_store("check"), (0, "3 checked, 0 differ\n", ""))
        self.assertEqual(self.run_on_store("update"), (0, "3 checked, 0 written, 0 removed\n", ""))
        self.assertEqual(os.stat(self.path()).st_mtime_ns, before)
        self.assertEqual(sorted(os.listdir(self.store)), ["linear", "matmul"])
        self.assertEqual(len(os.listdir(self.path("matmul"))), 2)

    def test_what_follows_the_rows_is_a_difference(self):
        with open(self.path(), "ab") as file:
            file.write(b"\0")
        size = os.path.getsize(self.path())
        self.assertEqual(self.run_on_store("check")[0], 1)
        self.assertIn(f"{size} bytes, expected {size - 1}", self.run_on_store("check")[1])
        self.assertEqual(self.run_on_store("update")[0], 0)
        self.assertEqual(self.run_on_store("check")[0], 0)

    def test_exact_numbers_must_agree_and_others_nearly(self):
        real = REAL  # the first row of data "real"
        scale = np.load(self.path())["scale"][real]
        self.change(real, "expected", lambda x: x + 5e-4 * scale)
        self.assertEqual(self.run_on_store("check")[0], 0)
        self.change(real, "expected", lambda x: x + 6e-4 * scale)
        code, output, _ = self.run_on_store("check")
        self.assertEqual(code, 1)
        self.assertRegex(output, rf"^STORE/{TABLE}: data=1 result=0 part=0 index=0: stored .*, "
                         r"computed .* scale .*\n3 checked, 1 differ\n$")
        self.assertEqual(self.run_on_store("update")[1].splitlines()[-1],
                         "3 checked, 1 written, 0 removed")
        self.change(0, "expected", lambda x: np.nextafter(x, np.inf))
        self.assertEqual(self.run_on_store("check")[0], 1)
        self.assertEqual(self.run_on_store("update")[0], 0)
        self.assertEqual(self.run_on_store("check")[0], 0)

    def test_scales_must_agree_nearly(self):
        self.change(REAL, "scale", lambda x: x * 1.0005)
        self.assertEqual(self.run_on_store("check")[0], 0)
        self.change(REAL, "scale", lambda x: x * 1.001)
        self.assertEqual(self.run_on_store("check")[0], 1)

    def test_files_that_are_no_table_differ(self):
        os.remove(self.path())
        self.assertIn(f"STORE/{TABLE}: missing\n", self.run_on_store("check")[1])
        for content in (b"", b"hello", b"\x93NUMPY\x01\x00"):
            with open(self.path(), "wb") as stream:
                stream.write(content)
            code, output, messages = self.run_on_store("check")
            self.assertEqual((code, messages), (1, ""))
            self.assertIn(f"STORE/{TABLE}: unreadable: ", output)
        np.save(self.path(), np.zeros(3))
        self.assertIn(f"STORE/{TABLE}: dtype ", self.run_on_store("check")[1])

    def test_tables_of_no_case(self):
        self.assertEqual(self.run_on_store("check", lines=[OTHER])[0], 0)
        code, output, _ = self.run_on_store("check", "--orphans", lines=[OTHER, WHOLE])
        self.assertEqual((code, output), (1, f"STORE/{TABLE}: of no case\n2 checked, 1 differ\n"))
        self.run_on_store("update", lines=[OTHER, WHOLE])
        self.assertTrue(os.path.exists(self.path()))
        self.run_on_store("update", "--prune", lines=[OTHER, WHOLE])
        self.assertFalse(os.path.exists(self.path()))

    def test_compute_writes_what_is_stored(self):
        code, output, _ = oracle("compute", lines=[LINE, OTHER])
        self.assertEqual(code, 0)
        stream = io.BytesIO(output)
        first, second = np.load(stream), np.load(stream)
        self.assertEqual(stream.read(), b"")
        self.assertTrue(np.array_equal(first, np.load(self.path())))
        self.assertEqual(len(second), 2 * (table.SAMPLE + 20 + 20 + 3))

    def test_update_begins_a_store_that_is_not_there(self):
        new = os.path.join(self.store, "new", "store")
        self.assertEqual(oracle("update", new, lines=[LINE])[0], 0)
        self.assertEqual(oracle("check", new, lines=[LINE])[0], 0)

    def test_questions_that_cannot_be_answered(self):
        for arguments, lines, message in (
                (["check", self.path("none")], [LINE], f"no store at '{self.path('none')}'"),
                (["check", self.store], [], "no case line on standard input"),
                (["check", self.store], [LINE, "sotfmax m=1"],
                 "<stdin>:2: sotfmax m=1: unknown op 'sotfmax'; did you mean 'softmax'?"),
                (["generate", LINE, "int", "lhs", "f32", "3xx5"],
                 [], "shape '3xx5': expected whole numbers joined by 'x'"),
                (["update", os.devnull], [LINE], f"no store at '{os.devnull}'")):
            self.assertEqual(oracle(*arguments, lines=lines),
                             (2, b"", f"oracle: error: {message}\n"))

    def test_a_case_without_an_answer_takes_none_from_the_others(self):
        refused = {
            "sotfmax m=1": "unknown op 'sotfmax'; did you mean 'softmax'?",
            "linear m=1048576 k=1048576 n=1 dtype=f64": "too large for the oracle: "
            "1048576x1048576 is 1099511627776 elements, expected at most 67108864",
            "linear m=1048576 k=1 n=65 dtype=f64": "too large for the oracle: 1048576x65 is "
            "68157440 elements, expected at most 67108864",
            "softmax m=1 n=2 dtype=f16 values=huge": "values that float16 cannot hold",
            "cast shape=3 dtype=f32 to=i32 values=huge":
            "a cast of numbers that int32 cannot hold, which nothing defines"}
        code, output, messages = oracle("compute", lines=[*refused, LINE])
        self.assertEqual((code, messages), (0, ""))
        stream = io.BytesIO(output)
        for line, reason in refused.items():
            self.assertEqual(np.load(stream).tolist(), [f"{line}: {reason}".encode()])
        self.assertTrue(np.array_equal(np.load(stream), np.load(self.path())))
        os.remove(self.path())
        line, *_, last = refused
        code, output, messages = self.run_on_store("update", lines=[last, LINE])
        self.assertEqual((code, output.splitlines()[-1]), (2, "2 checked, 1 written, 0 removed"))
        self.assertEqual(messages, f"oracle: error: {last}: {refused[last]}\n")
        code, output, messages = self.run_on_store("check", lines=[last, LINE])
        self.assertEqual((code, output), (2, "2 checked, 0 differ\n"))

    def test_a_command_that_is_none_is_refused(self):
        code, _, messages = oracle("chek")
        self.assertEqual(code, 2)
        self.assertIn("invalid choice: 'chek'", messages)


class Save(unittest.TestCase):
    def test_everything_loads_with_numpy(self):
        with tempfile.TemporaryDirectory() as folder:
            self.assertEqual(oracle("save", LINE, "real", folder), (0, b"", ""))
            lhs = np.load(os.path.join(folder, "inputs", "0-lhs.npy"))
            rhs = np.load(os.path.join(folder, "inputs", "1-rhs.npy"))
            expected = np.load(os.path.join(folder, "expected.npy"))
            scale = np.load(os.path.join(folder, "scale.npy"))
            self.assertEqual((lhs.dtype, lhs.shape), (np.float32, (3, 5)))
            self.assertEqual((expected.dtype, scale.dtype), (np.float64, np.float64))
            np.testing.assert_allclose(expected, lhs.astype(float) @ rhs, rtol=1e-14)
            self.assertTrue((scale > 0).all())
            self.assertEqual(oracle("save", WHOLE, "real", folder)[0], 0)
            lhs = np.load(os.path.join(folder, "inputs", "0-lhs.npy"))
            rhs = np.load(os.path.join(folder, "inputs", "1-rhs.npy"))
            expected = np.load(os.path.join(folder, "expected.npy"))
            self.assertEqual((lhs.dtype, expected.dtype), (np.int32, np.int64))
            self.assertTrue((expected == lhs @ rhs).all())


class Bits(unittest.TestCase):
    def test_generate_and_probe_print_the_generators_bits(self):
        for dtype, numpy_dtype in generator.DTYPES.items():
            code, output, _ = oracle("generate", LINE, "real", "lhs", dtype, "2x3")
            made = generator.argument(LINE, "real", "lhs", numpy_dtype, (2, 3))
            bits = [int(line, 16).to_bytes(numpy_dtype.itemsize, "little")
                    for line in output.split()]
            self.assertEqual((code, b"".join(bits)), (0, made.tobytes()))
        code, output, _ = oracle("probe", LINE, "real", "rows", "0", "f32", "5")
        made = generator.probe(LINE, "real", "rows", 0, False, 5)
        self.assertEqual([int(line, 16) for line in output.split()], made.view(np.uint64).tolist())


if __name__ == "__main__":
    unittest.main()
