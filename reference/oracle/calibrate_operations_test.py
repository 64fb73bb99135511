# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""No op of the suite is left out of the calibration."""

import pkgutil
import unittest

from oracle import calibrate_operations, calibrate_programs, caseline, ops


class Calibrated(unittest.TestCase):

    def test_every_op(self):
        names = {module.name for module in pkgutil.iter_modules(ops.__path__)}
        self.assertEqual(names, {*calibrate_operations.OPS, *calibrate_programs.OPS})

    def test_every_function(self):
        for op in ("unary", "binary", "reduce"):
            lines, _ = calibrate_operations.OPS[op]
            cases = [caseline.parse(line) for line in lines()]
            self.assertEqual({case["f"] for case in cases}, set(cases[0].op.KEYS["f"]), op)


if __name__ == "__main__":
    unittest.main()
