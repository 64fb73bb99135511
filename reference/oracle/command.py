# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The oracle's command line. Answers go to standard output, progress and messages to standard
error."""

import argparse
import os
import sys

import numpy as np

from oracle import caseline, generator, store, table
from oracle.errors import OracleError, about


def _lines():
    """The case lines on standard input."""
    lines = sys.stdin.read().splitlines()
    if not lines:
        raise OracleError("no case line on standard input")
    return lines


def _cases():
    """The cases of the canonical lines on standard input, and those behind "# ", of which it is only
    said that they are cases too."""
    cases, others = [], []
    for number, line in enumerate(_lines(), 1):
        plain = line.removeprefix("# ")
        try:
            (cases if plain == line else others).append(caseline.parse(plain))
        except OracleError as error:
            raise OracleError(f"<stdin>:{number}: {line}: {error}") from None
    return cases, others


def _answer(line):
    """The table of a case line, or why there is none."""
    try:
        with about(line):
            case = caseline.parse(line)
        return table.compute(case)
    except OracleError as error:
        return np.array([str(error).encode()])


def _compute(_):
    for line in _lines():
        sys.stdout.buffer.write(store.encode(_answer(line)))
    sys.stdout.buffer.flush()
    return 0


def _check(options):
    return store.check(*_cases(), options.store, options.orphans)


def _update(options):
    return store.update(*_cases(), options.store, options.prune)


def _save_array(path, array):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    np.save(path, np.ascontiguousarray(array), allow_pickle=False)


def _save(options):
    case = caseline.parse(options.line)
    with about(case.line):
        inputs, results = case.inputs(options.data), case.results(options.data)
    for number, (name, array) in enumerate(inputs):
        _save_array(os.path.join(options.folder, "inputs", f"{number}-{name}.npy"), array)
    for number, tensor in enumerate(results):
        suffix = f"-{number}" if len(results) > 1 else ""
        value = tensor.value.astype(np.int64 if tensor.whole else np.float64)
        scale = np.zeros(value.shape) if tensor.whole else tensor.scale
        _save_array(os.path.join(options.folder, f"expected{suffix}.npy"), value)
        _save_array(os.path.join(options.folder, f"scale{suffix}.npy"), scale)
    return 0


def _shape(text):
    dims = text.split("x")
    if not all(dim.isdecimal() for dim in dims):
        raise OracleError(f"shape '{text}': expected whole numbers joined by 'x'")
    return tuple(int(dim) for dim in dims)


def _print_bits(array):
    bits = np.ascontiguousarray(array).ravel().view(f"<u{array.dtype.itemsize}")
    print("\n".join(f"{int(word):0{2 * array.dtype.itemsize}x}" for word in bits))
    return 0


def _generate(options):
    dtype = generator.DTYPES[options.dtype]
    return _print_bits(generator.argument(options.line, options.data, options.argument, dtype,
                                          _shape(options.shape)))


def _probe(options):
    whole = generator.DTYPES[options.dtype].kind == "i"
    weights = generator.probe(options.line, options.data, options.probe, options.result, whole,
                              options.count)
    return _print_bits(weights.astype(np.float64))


def _calibrate(options):
    from oracle import calibrate
    return calibrate.main(options.elements)


def _time(_):
    from oracle import timing
    return timing.main()


def _parser():
    parser = argparse.ArgumentParser(
        prog="oracle", allow_abbrev=False, description="Expected values and error scales by NumPy. "
        "Case lines are canonical, one a line on standard input.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")

    def command(name, action, text):
        added = commands.add_parser(name, help=text, description=text, allow_abbrev=False)
        added.set_defaults(action=action)
        return added

    command("compute", _compute, "write the cases' tables to standard output, one after the other; "
            "in place of one that has no answer an array of one string, which says why")
    added = command("check", _check, "recompute, compare with the store, exit 1 on a difference")
    added.add_argument("store", help="the store's folder")
    added.add_argument("--orphans", action="store_true", help="the lines are all the cases there "
                       "are: a stored table of none of them is a difference")
    added = command("update", _update, "write the tables that are missing or differ")
    added.add_argument("store", help="the store's folder")
    added.add_argument("--prune", action="store_true", help="the lines are all the cases there "
                       "are: remove the stored tables of none of them")
    added = command("save", _save, "save one case's inputs, expected values and scale, whole")
    added.add_argument("line", help="canonical case line")
    added.add_argument("data", choices=generator.DATA)
    added.add_argument("folder")
    added = command("generate", _generate, "print the bits of an argument's elements, hexadecimal")
    added.add_argument("line")
    added.add_argument("data", choices=generator.DATA)
    added.add_argument("argument")
    added.add_argument("dtype", choices=generator.DTYPES)
    added.add_argument("shape", help="as 3x5")
    added = command("probe", _probe, "print the bits of a probe's weights as float64, hexadecimal")
    added.add_argument("line")
    added.add_argument("data", choices=generator.DATA)
    added.add_argument("probe", choices=("columns", "rows"))
    added.add_argument("result", type=int, help="the result's number from 0")
    added.add_argument("dtype", choices=generator.DTYPES, help="the result's")
    added.add_argument("count", type=int)
    added = command("calibrate", _calibrate, "measure the margins of correct and faulty variants")
    added.add_argument("--elements", type=int, default=1_000_000, help="at least so many elements")
    command("time", _time, "compute cases in plain NumPy on request, for benchmarks: see timing.py")
    return parser


def main(arguments):
    """The exit code: 0, 1 for a difference found by check, 2 for what cannot be answered as
    asked."""
    options = _parser().parse_args(arguments)
    try:
        return options.action(options)
    except OracleError as error:
        message = str(error)
    except MemoryError:
        message = "out of memory"
    except OSError as error:
        message = f"{error.filename or 'output'}: {error.strerror}"
    except KeyboardInterrupt:
        return 130
    print(f"oracle: error: {message}", file=sys.stderr)
    return 2
