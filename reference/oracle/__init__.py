# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The NumPy oracle: expected values and error scales of every case, from its case line alone."""
