# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What the tests of `assay bench` share."""

import os

import numpy as np

from support import CommandTest

FEW = ["--repetitions", "3", "--min-time", "0.005"]
SMALL = "matmul m=2 k=3 n=4 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain"
LINEAR = "linear m=2 k=3 n=4 dtype=f64"
PEERS = ["cblas", "numpy"]


class Bench(CommandTest):

    def bench(self, *arguments, **options):
        return self.assay("bench", *arguments, *FEW, **options)

    def doctor(self, line, by):
        """A reference that no right answer has."""
        folder = os.path.join(self.root, "reference/store", line.split()[0])
        path, = (os.path.join(folder, name) for name in os.listdir(folder)
                 if name.startswith("m2-k3-n4"))
        table = np.load(path)
        table["expected"][table["part"] == 0] += by
        np.save(path, table)

    def backends(self):
        return [record["backend"] for record in self.records()]
