# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The suite's ops, one module each, named after the op.

Each has KEYS, its keys in canonical order with their kinds (oracle.caseline); arguments(case), the
name, shape and dtype of each argument in order; and results(case, *arguments), the formula on
Tensors.
"""
