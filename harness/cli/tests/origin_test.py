# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""assay ledger --nan-origin, --inf-origin, --loss-origin: the operation, in the user's file."""

import os
import unittest

import numpy as np

from asking import FAULTS, LedgerTest

SOFTMAX = """func.func @main(%a: tensor<2x4xf32>) -> tensor<2x4xf32> {
  %big = arith.constant dense<1.0e38> : tensor<2x4xf32>
  %b = arith.mulf %a, %big : tensor<2x4xf32>
  %e = math.exp %b : tensor<2x4xf32>
  %init = tensor.empty() : tensor<2x4xf32>
  %r = linalg.softmax dimension(1) ins(%e : tensor<2x4xf32>) outs(%init : tensor<2x4xf32>) -> tensor<2x4xf32>
  return %r : tensor<2x4xf32>
}
"""
DIVISION = """func.func @main() -> f32 {
  %0 = arith.constant 0.0 : f32
  %1 = arith.divf %0, %0 : f32
  return %1 : f32
}
"""
HARMLESS = """func.func @main() -> f32 {
  %b = arith.constant 3.0e38 : f32
  %h = arith.constant 88.8 : f32
  %one = arith.constant 1.0 : f32
  %a = math.exp %h : f32
  %q = arith.divf %one, %a : f32
  %c = arith.mulf %b, %b : f32
  %r = arith.addf %c, %q : f32
  return %r : f32
}
"""
UNRELATED = """func.func @main() -> f32 {
  %b = arith.constant 3.0e38 : f32
  %m = arith.constant -1.0 : f32
  %a = arith.mulf %b, %b : f32
  %q = arith.divf %m, %a : f32
  %s = math.sqrt %m : f32
  %r = arith.addf %q, %s : f32
  return %r : f32
}
"""
ROUNDS = """func.func @main() -> f32 {
  %l = arith.constant 0 : index
  %s = arith.constant 1 : index
  %h = arith.constant 3 : index
  %z = arith.constant 0.0 : f32
  %t = arith.constant dense<[0.0, 3.0, 0x7F800000]> : tensor<3xf32>
  %r = scf.for %i = %l to %h step %s iter_args(%a = %z) -> f32 {
    %x = tensor.extract %t[%i] : tensor<3xf32>
    %q = arith.divf %x, %x : f32
    %p = arith.cmpf oeq, %x, %z : f32
    %g = arith.select %p, %z, %q : f32
    %n = arith.addf %a, %g : f32
    scf.yield %n : f32
  }
  return %r : f32
}
"""
CANCELLED = """func.func @main() -> f32 {
  %big = arith.constant 1.0e8 : f32
  %one = arith.constant 1.0 : f32
  %a = arith.addf %big, %one : f32
  %b = arith.subf %a, %big : f32
  return %b : f32
}
"""
WHOLE = """func.func @main(%a: memref<4xi32>, %b: memref<4xi32>) {
  %c = arith.constant 0 : index
  %v = memref.load %a[%c] : memref<4xi32>
  memref.copy %a, %b : memref<4xi32> to memref<4xi32>
  memref.store %v, %b[%c] : memref<4xi32>
  return
}
"""
GUARDED = """func.func @main() -> f32 {
  %0 = arith.constant 0.0 : f32
  %1 = arith.divf %0, %0 : f32
  %2 = arith.cmpf uno, %1, %1 : f32
  %3 = arith.select %2, %0, %1 : f32
  return %3 : f32
}
"""
SEVERAL = """func.func @f(%m: memref<4xf32>) {
  %i = arith.constant 1 : index
  %x = memref.load %m[%i] : memref<4xf32>
  %y = arith.subf %x, %x : f32
  %z = arith.divf %y, %y : f32
  memref.store %z, %m[%i] : memref<4xf32>
  return
}
func.func @g(%a: f32) -> f32 {
  return %a : f32
}
"""
LOWERED = """llvm.func @main() -> f32 {
  %0 = llvm.mlir.constant(0.0 : f32) : f32
  %1 = llvm.fdiv %0, %0 : f32
  llvm.return %1 : f32
}
"""
ELSEWHERE = """func.func @main() -> f32 {
  %0 = arith.constant 0.0 : f32
  %1 = arith.divf %0, %0 : f32 loc(fused["step", callsite("layer" at "model.py":7:3)])
  return %1 : f32
}
"""
# One place for all of a layer's operations, as frontends write it; {} is that place.
LAYER = """func.func @main() -> f32 {{
  %0 = arith.constant 0.0 : f32 loc({0})
  %1 = math.exp %0 : f32 loc({0})
  %2 = arith.subf %1, %1 : f32 loc({0})
  %3 = arith.divf %2, %2 : f32 loc({0})
  return %3 : f32 loc({0})
}} loc({0})
"""
UNTOUCHED = """func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %d = arith.subf %a, %b : tensor<3xf32>
  %r = math.sqrt %d : tensor<3xf32>
  %m = arith.mulf %a, %b : tensor<3xf32>
  %n = arith.negf %m : tensor<3xf32>
  %q = math.log %n : tensor<3xf32>
  return %q, %r : tensor<3xf32>, tensor<3xf32>
}
"""
# A NaN that bits make which nobody watches.
UNSEEN = """func.func @main() -> f32 {
  %i = arith.constant 0 : index
  %b = memref.alloc() : memref<8xi8>
  %v = memref.view %b[%i][] : memref<8xi8> to memref<2xi32>
  %w = memref.view %b[%i][] : memref<8xi8> to memref<2xf32>
  %n = arith.constant 0x7fc00000 : i32
  memref.store %n, %v[%i] : memref<2xi32>
  %f = memref.load %w[%i] : memref<2xf32>
  return %f : f32
}
"""
HELD = """func.func @main() -> f32 {
  %z = arith.constant 0.0 : f32
  %i = arith.constant 0x7F800000 : f32
  %m = arith.mulf %i, %z : f32
  return %m : f32
}
"""
ROOT = """func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> tensor<3xf32> {
  %d = arith.subf %a, %b : tensor<3xf32>
  %r = math.sqrt %d : tensor<3xf32>
  return %r : tensor<3xf32>
}
"""


class Origin(LedgerTest):

    def tell(self, source, *arguments):
        self.write("y.mlir", source)
        answer = self.ask("y.mlir", *arguments)
        self.assertEqual(answer.status, 0, answer.raw + answer.stderr)
        return answer.stdout

    def test_without_a_pipeline(self):
        self.assertEqual(self.tell(DIVISION, "--nan-origin"), "no bad pass\n"
                         "nan origin: arith.divf at y.mlir:3:8 of 0, 0: nan, seen in result 0\n")

    def test_what_a_named_operation_became(self):
        self.assertEqual(
            self.tell(SOFTMAX, "--nan-origin", "--inf-origin", "--data=int").splitlines()[1:], [
                "nan origin: linalg.softmax at y.mlir:6:8, in its fsub of inf, inf: nan, seen in result 0[0, 0], "
                "data set int",
                "inf origin: math.exp at y.mlir:4:8 of 2e+38: inf, seen in result 0[0, 0], data set int",
            ])

    def test_besides_passes(self):
        printed = self.tell(SOFTMAX, "--nan-origin", "--canonicalize", "--cse", "--data=int")
        self.assertIn("no bad pass\nnan origin: linalg.softmax at y.mlir:6:8, in its fsub of inf, inf: nan, ", printed)

    def test_results_without_one(self):
        self.assertEqual(self.tell(GUARDED, "--nan-origin", "--inf-origin").splitlines()[1:],
                         ["nan origin: none: no result holds a NaN", "inf origin: none: no result holds an infinity"])

    def test_as_json(self):
        self.write("y.mlir", SOFTMAX)
        answer = self.ask_json("y.mlir", "--nan-origin", "--data=real,int")
        self.assertEqual(
            answer["nan_origin"], {
                "op": "linalg.softmax", "location": "y.mlir:6:8", "file": "y.mlir", "line": 6, "column": 8,
                "lowered": "fsub", "operands": ["inf", "inf"], "result": "nan",
                "element": answer["nan_origin"]["element"], "data": "int", "state": "input", "certain": True
            })
        self.assertNotIn("inf_origin", answer)
        self.assertIsNone(answer["nan_origin_none"])
        self.write("y.mlir", GUARDED)
        answer = self.ask_json("y.mlir", "--nan-origin")
        self.assertEqual((answer["nan_origin"], answer["nan_origin_none"]), (None, None))

    def test_what_cannot_be_told(self):
        self.write("y.mlir", UNSEEN)
        answer = self.ask_json("y.mlir", "--nan-origin", status=2)
        self.assertEqual((answer["nan_origin"], answer["nan_origin_none"]),
                         (None, "result 0 holds a NaN, and no operation that was watched made it"))

        self.write("y.mlir", SEVERAL)
        answer = self.ask_json("y.mlir", "--nan-origin", "--inf-origin", status=2)
        self.assertEqual((answer["nan_origin"], answer["nan_origin_none"]), (None, "nothing was run"))

    def test_an_infinity_that_became_a_nan(self):
        self.assertIn("inf origin: arith.constant at y.mlir:3:8: inf, seen in result 0\n",
                      self.tell(HELD, "--inf-origin"))

    def test_the_state_that_a_pass_left(self):
        answer = self.ask_json("x.mlir", *FAULTS, "--cse", "--assay-fault-nan-constant", "--nan-contract=off",
                               "--nan-origin", status=1)
        origin = answer["nan_origin"]
        self.assertEqual((origin["op"], origin["state"]), ("arith.constant", {"n": 2, "name": "assay-fault-nan-constant"}))

    def test_what_a_bad_pass_led_to(self):
        self.write("y.mlir", ROOT)
        for name, first in (("a", 4), ("b", 1)):
            np.save(os.path.join(self.folder, f"{name}.npy"), np.full(3, first, dtype=np.float32))
        answer = self.ask_json("y.mlir", "--input", "a.npy", "--input", "b.npy", *FAULTS, "--cse",
                               "--assay-fault-swapped-operands", "--canonicalize", "--nan-origin", status=1)
        origin = answer["nan_origin"]
        self.assertEqual((origin["op"], origin["location"], origin["operands"], origin["state"]["n"], origin["data"]),
                         ("math.sqrt", "y.mlir:3:8", ["-3"], 2, None))

    def test_what_a_bad_pass_made_wrong(self):
        self.write("y.mlir", UNTOUCHED)
        for name, first in (("a", 4), ("b", 1)):
            np.save(os.path.join(self.folder, f"{name}.npy"), np.full(3, first, dtype=np.float32))
        answer = self.ask_json("y.mlir", "--input", "a.npy", "--input", "b.npy", *FAULTS, "--cse",
                               "--assay-fault-swapped-operands", "--nan-origin", "--save", "saved", status=1)
        with open(os.path.join(self.folder, "saved", "README"), encoding="utf-8") as file:
            self.assertIn("nan origin: math.sqrt at y.mlir:3:8 of -3: nan, seen in result 1[0], after 2 ", file.read())
        origin = answer["nan_origin"]
        self.assertEqual((origin["op"], origin["location"], origin["operands"], origin["state"]["n"], origin["element"]),
                         ("math.sqrt", "y.mlir:3:8", ["-3"], 2, "result 1[0]"))
        # The operations of a state lead back to the program's, too, where all have one place.
        lines = [f'{line} loc("model.py":9:1)' if " = " in line else line for line in UNTOUCHED.splitlines()]
        self.write("y.mlir", "\n".join(lines))
        answer = self.ask_json("y.mlir", "--input", "a.npy", "--input", "b.npy", *FAULTS, "--cse",
                               "--assay-fault-swapped-operands", "--convert-math-to-llvm", "--nan-origin", status=1)
        origin = answer["nan_origin"]
        self.assertEqual((origin["op"], origin["location"], origin["state"]["n"]), ("math.sqrt", "model.py:9:1", 2))
        self.write("y.mlir", UNTOUCHED)
        # Without one the input's own is told.
        answer = self.ask_json("y.mlir", "--input", "a.npy", "--input", "b.npy", "--cse", "--nan-origin")
        self.assertEqual((answer["nan_origin"]["op"], answer["nan_origin"]["state"]), ("math.log", "input"))

    def test_each_entry(self):
        printed = self.tell(SEVERAL, "--entry", "all", "--nan-origin", "--data=real")
        self.assertIn("y.mlir @f\nno bad pass\nnan origin: arith.divf at y.mlir:5:8 of 0, 0: nan, seen in "
                      "argument 0[1], data set real\n", printed)
        self.assertIn("y.mlir @g\nno bad pass\nnan origin: none: no result holds a NaN\n", printed)

    def test_pieces(self):
        printed = self.tell(GUARDED + "// -----\n" + DIVISION, "--split-input-file", "--nan-origin")
        self.assertIn("nan origin: arith.divf at y.mlir:11:8 of 0, 0: nan", printed)

    def test_places(self):
        self.assertIn("nan origin: llvm.fdiv at y.mlir:3:8 of 0, 0: nan", self.tell(LOWERED, "--nan-origin"))
        self.assertIn("nan origin: arith.divf at model.py:7:3 of 0, 0: nan", self.tell(ELSEWHERE, "--nan-origin"))

    def test_places_that_operations_share(self):
        for place, told in (('"model.py":41:3', "model.py:41:3"),
                            ('fused["a.py":1:1, "a.py":4:1]', "a.py:1:1"),
                            ('callsite("f" at "model.py":7:3)', "model.py:7:3"),
                            ('"layer"', '"layer"'), ("unknown", "an unknown place")):
            source = LAYER.format(place)
            expected = f"nan origin: arith.divf at {told} of 0, 0: nan, seen in result 0"
            self.assertIn(expected, self.tell(source, "--nan-origin"))
            self.assertIn(expected, self.tell(source, "--nan-origin", "--cse"))
        self.write("y.mlir", LAYER.format('"layer"'))
        origin = self.ask_json("y.mlir", "--nan-origin")["nan_origin"]
        self.assertEqual((origin["op"], origin["location"], origin["file"], origin["line"]),
                         ("arith.divf", "layer", None, None))

    def test_numbers(self):
        source = ("func.func @main() -> f32 {\n  %a = arith.constant 100.0 : f32\n  %b = arith.constant -10000.5 : f32\n"
                  "  %c = math.powf %b, %a : f32\n  %d = arith.subf %c, %c : f32\n  return %d : f32\n}\n")
        self.assertIn("inf origin: math.powf at y.mlir:4:8 of -10000.5, 100: inf", self.tell(source, "--inf-origin"))

    def test_what_the_user_hands_in(self):
        values = np.array([1, np.nan, 2], dtype=np.float32)
        np.save(os.path.join(self.folder, "a.npy"), values)
        source = "func.func @main(%a: tensor<3xf32>) -> tensor<3xf32> {\n  return %a : tensor<3xf32>\n}\n"
        self.assertIn("nan origin: argument 0: nan, seen in result 0[1]\n",
                      self.tell(source, "--nan-origin", "--input", "a.npy"))
        np.save(os.path.join(self.folder, "a.npy"), np.array([1, np.inf, 2], dtype=np.float32))
        self.assertIn("inf origin: argument 0: inf, ", self.tell(source, "--inf-origin", "--input", "a.npy"))

    def test_where_no_number_can_be_carried(self):
        narrow = DIVISION.replace("return %1 : f32", "%2 = arith.truncf %1 : f32 to f8E4M3FN\n  return %2 : f8E4M3FN")
        narrow = narrow.replace("-> f32", "-> f8E4M3FN")
        self.assertIn("nan origin: arith.divf at y.mlir:3:8 of 0, 0: nan, seen in result 0\n",
                      self.tell(narrow, "--nan-origin"))
        bits = DIVISION.replace("return %1", "%b = arith.bitcast %1 : f32 to i32\n  %k = arith.constant 22 : i32\n"
                                "  %c = arith.shrsi %b, %k : i32\n  %d = arith.shli %c, %k : i32\n"
                                "  %r = arith.bitcast %d : i32 to f32\n  return %r")
        self.assertIn("nan origin: arith.divf at y.mlir:3:8 of 0, 0: nan, the first that was made; result 0 may have "
                      "another\n", self.tell(bits, "--nan-origin"))
        self.write("y.mlir", bits)
        self.assertFalse(self.ask_json("y.mlir", "--nan-origin")["nan_origin"]["certain"])
        blob = ("func.func @main() -> tensor<2xf32> {\n  %t = arith.constant dense_resource<w> : tensor<2xf32>\n"
                "  return %t : tensor<2xf32>\n}\n"
                '{-# dialect_resources: { builtin: { w: "0x040000000000C07F0000803F" } } #-}\n')
        self.assertIn("nan origin: arith.constant at y.mlir:2:8: nan, the first ", self.tell(blob, "--nan-origin"))

    def test_infinities_that_turn_into_numbers(self):
        self.assertIn("inf origin: arith.mulf at y.mlir:7:8 of 3e+38, 3e+38: inf, seen in result 0\n",
                      self.tell(HARMLESS, "--inf-origin"))
        self.assertIn("inf origin: none: no result holds an infinity, and none was made on the way to a NaN\n",
                      self.tell(UNRELATED, "--inf-origin"))

    def test_of_several_executions_the_one_that_is_seen(self):
        self.assertIn("nan origin: arith.divf at y.mlir:9:10 of inf, inf: nan, seen in result 0\n",
                      self.tell(ROUNDS, "--nan-origin"))

    def test_lost_digits(self):
        self.assertIn("loss origin: arith.subf at y.mlir:5:8 of 1e+08, 1e+08: 0, with more digits 100000001, "
                      "100000000: 1; 24 of 24 bits lost, 24 in all, seen in result 0\n",
                      self.tell(CANCELLED, "--loss-origin"))
        self.write("y.mlir", CANCELLED)
        origin = self.ask_json("y.mlir", "--loss-origin")["loss_origin"]
        self.assertEqual((origin["op"], origin["line"], origin["bits"], origin["bits_lost"], origin["exact_result"]),
                         ("arith.subf", 5, 24, 24.0, "1"))
        self.assertRegex(self.tell(GUARDED, "--loss-origin"), "loss origin: none: no result has lost more than 0 bits")

    def test_digits_that_cannot_be_told(self):
        self.assertIn("loss origin: none: what result 0 lost cannot be told: the 64 bits computed besides cancelled "
                      "too\n", self.tell(CANCELLED.replace("1.0e8", "1.0e20"), "--loss-origin"))
        self.write("y.mlir", CANCELLED.replace("1.0e8", "1.0e20"))
        self.assertIsNone(self.ask_json("y.mlir", "--loss-origin")["loss_origin"])

    def test_programs_without_floats(self):
        self.assertIn("loss origin: none: no result is a float\n", self.tell(WHOLE, "--loss-origin"))

    def test_digits_that_are_printed(self):
        printed = CANCELLED.replace("-> f32", "").replace(
            "return %b : f32", "vector.print %one : f32\n  vector.print %b : f32\n  vector.print %one : f32\n  return")
        self.assertIn("24 in all, seen in print 1\n", self.tell(printed, "--loss-origin"))

    def test_digits_of_several_results(self):
        several = CANCELLED.replace("-> f32", "-> (f32, f32)").replace("return %b : f32", "return %a, %b : f32, f32")
        self.assertIn("24 of 24 bits lost, 24 in all, seen in result 1\n", self.tell(several, "--loss-origin"))

    def test_a_value_where_none_belongs(self):
        self.write("y.mlir", DIVISION)
        for option in ("nan-origin", "inf-origin", "loss-origin"):
            self.assert_answer(self.ask("y.mlir", f"--{option}=3"), 2, stderr=f"assay: error: --{option} takes no value\n")


if __name__ == "__main__":
    unittest.main()
