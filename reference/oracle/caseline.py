# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Canonical case lines: read strictly, since inputs and file names hang on their every byte."""

import difflib
import importlib
import os
import pkgutil
import re

from oracle import generator, ops, tensor
from oracle.errors import OracleError

SIZE = "a whole number from 1 to 1048576"
SHAPE = "1 to 8 whole numbers from 1 to 1048576 joined by 'x'"
AXIS = "a whole number from -8 to 7"
DTYPE = generator.DTYPES  # like every other choice of words: a mapping with the words as its keys
FLOATING_DTYPE = {name: dtype for name, dtype in DTYPE.items() if dtype.kind == "f"}
PRECISION = {"exact": None, "tf32": None}
IMPLIED = {"precision": "exact"}  # keys that a line has only where they have another value

_SIZE_LIMIT = 1 << 20
_RANK_LIMIT = 8


class Case:
    """One case: its op's module, its line, and the values of its keys by case[key]."""

    def __init__(self, op, line, values):
        self.op = op
        self.line = line
        self._values = values

    def __getitem__(self, key):
        return self._values[key]

    @property
    def op_name(self):
        return self.line.split(" ", 1)[0]

    def inputs(self, data):
        """[(name, array)] of the arguments, in order."""
        made = []
        for name, shape, dtype in self.op.arguments(self):
            tensor.check_size(shape)
            made.append((name, generator.argument(self.line, data, name, generator.DTYPES[dtype],
                                                  shape)))
        return made

    def results(self, data):
        """The Tensors the formula gives on the data set."""
        return self.op.results(self, *(tensor.leaf(array) for _, array in self.inputs(data)))


def _find_op(name):
    names = [module.name for module in pkgutil.iter_modules(ops.__path__)]
    if name in names:
        return importlib.import_module(f"oracle.ops.{name}")
    near = difflib.get_close_matches(name, names, 1)
    hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(names)}"
    raise OracleError(f"unknown op '{name}'; {hint}")


def _value(key, kind, text):
    if kind is SIZE:
        if not re.fullmatch("[1-9][0-9]{0,6}", text) or int(text) > _SIZE_LIMIT:
            raise OracleError(f"{key}={text}: expected {SIZE}")
        return int(text)
    if kind is SHAPE:
        sizes = text.split("x")
        if len(sizes) > _RANK_LIMIT:
            raise OracleError(f"{key}={text}: expected {SHAPE}")
        return tuple(_value(key, SIZE, size) for size in sizes)
    if kind is AXIS:
        if not re.fullmatch("-[1-8]|[0-7]", text):
            raise OracleError(f"{key}={text}: expected {AXIS}")
        return int(text)
    if text not in kind:
        raise OracleError(f"{key}={text}: expected one of {', '.join(kind)}")
    return text


def parse(line):
    """The case of a canonical line; OracleError where it is not one."""
    name, *tokens = line.split(" ")
    op = _find_op(name)
    given = {token.partition("=")[0]: token.partition("=")[2] for token in tokens}
    keys = [key for key in op.KEYS if key not in IMPLIED or key in given]
    implied = any(given.get(key) == preset for key, preset in IMPLIED.items())
    if [token.partition("=")[:2] for token in tokens] != [(key, "=") for key in keys] or implied:
        expected = " ".join([name, *(f"[{key}=...]" if key in IMPLIED else f"{key}=..."
                                     for key in op.KEYS)])
        raise OracleError(f"not a canonical case line: '{line}'; expected '{expected}'")
    return Case(op, line, {key: _value(key, kind, given.get(key, IMPLIED.get(key)))
                           for key, kind in op.KEYS.items()})


def table_path(line):
    """The table's path in the store, OP/SLUG-HASH.npy. The slug holds the values in order, a number
    with its key before it; 'plain' and a repetition of the value before are left out. The hash is
    the line's FNV-1a in 16 hexadecimal digits."""
    name, *tokens = line.split(" ")
    slug, before = [], None
    for token in tokens:
        key, _, value = token.partition("=")
        if value.isdigit():
            slug.append(key + value)
        elif value not in ("plain", before):
            slug.append(value)
        before = value
    return os.path.join(name, "-".join([*slug, f"{generator.fnv1a(line):016x}"]) + ".npy")
