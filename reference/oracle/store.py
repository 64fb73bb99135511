# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The store: one table per case below a folder, read, compared and rewritten."""

import io
import os
import sys
import time

import numpy as np

from oracle import caseline, table
from oracle.errors import OracleError

TOLERANCE = 1e-3  # of the error scale: how far floats may be apart that two machines computed
PROGRESS_SECONDS = 2.0


def encode(entries):
    """The bytes of the table's .npy file (version 1.0)."""
    stream = io.BytesIO()
    np.lib.format.write_array(stream, entries, version=(1, 0), allow_pickle=False)
    return stream.getvalue()


def write_atomically(path, content):
    """So that a reader, or a kill, never meets half a file."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    temporary = f"{path}.{os.getpid()}"
    try:
        with open(temporary, "wb") as stream:
            stream.write(content)
        os.replace(temporary, path)
    except OSError:
        if os.path.exists(temporary):
            os.remove(temporary)
        raise


def _worst(stored, fresh, entry):
    where = " ".join(f"{name}={fresh[entry][name]}" for name in ("data", "result", "part", "index"))
    scale = f" scale {fresh[entry]['scale']!s}" if "scale" in fresh.dtype.names else ""
    return (f"{where}: stored {stored[entry]['expected'].item()!r}, "
            f"computed {fresh[entry]['expected'].item()!r}{scale}")


def difference(stored, fresh):
    """What tells the stored table from the one just computed, or None."""
    if stored.dtype != fresh.dtype:
        return f"dtype {stored.dtype.descr}, expected {fresh.dtype.descr}"
    if stored.shape != fresh.shape:
        return f"shape {stored.shape}, expected {fresh.shape}"
    keys = ["data", "result", "part", "index"]
    if not np.array_equal(stored[keys], fresh[keys]):
        return "rows for other elements than the sampling rule names"
    if "scale" not in fresh.dtype.names:
        wrong = stored["expected"] != fresh["expected"]
        return _worst(stored, fresh, int(np.argmax(wrong))) if wrong.any() else None
    scale = fresh["scale"].astype(np.float64)
    if not (np.abs(stored["scale"] - scale) <= TOLERANCE * scale).all():
        entry = int(np.argmax(~(np.abs(stored["scale"] - scale) <= TOLERANCE * scale)))
        return f"{_worst(stored, fresh, entry)}; stored scale {stored[entry]['scale']!s}"
    same_bits = stored["expected"].view(np.int64) == fresh["expected"].view(np.int64)
    with np.errstate(invalid="ignore"):
        near = np.abs(stored["expected"] - fresh["expected"]) <= TOLERANCE * scale
    wrong = ~(same_bits | (near & (scale > 0)))
    return _worst(stored, fresh, int(np.argmax(wrong))) if wrong.any() else None


def _stored_difference(path, fresh):
    if not os.path.exists(path):
        return "missing"
    try:
        stored = np.load(path, allow_pickle=False)
    except (ValueError, EOFError, OSError) as error:
        return f"unreadable: {error}"
    size, expected = os.path.getsize(path), len(encode(stored))
    if size != expected:
        return f"{size} bytes, expected {expected}"  # NumPy does not mind what follows the array
    return difference(stored, fresh)


class _Progress:
    """A line on standard error every couple of seconds."""

    def __init__(self, total):
        self._total = total
        self._next = time.monotonic() + PROGRESS_SECONDS

    def tell(self, done):
        if time.monotonic() >= self._next:
            print(f"references: {done} of {self._total}", file=sys.stderr, flush=True)
            self._next = time.monotonic() + PROGRESS_SECONDS


def _differences(cases, folder):
    """Yields (path, what differs, the table's bytes) of the cases whose stored table is not
    right; the bytes are None where the oracle has no answer, and the text says why."""
    progress = _Progress(len(cases))
    for done, case in enumerate(cases):
        progress.tell(done)
        path = os.path.join(folder, caseline.table_path(case.line))
        try:
            fresh = table.compute(case)
        except OracleError as error:
            yield path, str(error), None
            continue
        found = _stored_difference(path, fresh)
        if found is not None:
            yield path, found, encode(fresh)


def _orphans(cases, folder):
    """Tables below the folder that belong to none of the cases, sorted."""
    known = {os.path.join(folder, caseline.table_path(case.line)) for case in cases}
    files = (os.path.join(place, name) for place, _, names in os.walk(folder)
             for name in names if name.endswith(".npy"))
    return sorted(set(files) - known)


def _need_folder(folder):
    if not os.path.isdir(folder):
        raise OracleError(f"no store at '{folder}'")


def _refuse(reason):
    """Says that a case has no answer; the others still have theirs. 1, to be counted."""
    print(f"oracle: error: {reason}", file=sys.stderr, flush=True)
    return 1


def check(cases, others, folder, orphans):
    """Prints every difference; the exit code, 2 where a case has no answer. orphans: the cases and the
    others, which are not recomputed, are all there are, so that a table of no case is a difference
    too."""
    _need_folder(folder)
    count = refused = 0
    for path, found, content in _differences(cases, folder):
        if content is None:
            refused += _refuse(found)
            continue
        count += 1
        print(f"{path}: {found}", flush=True)
    for path in _orphans(cases + others, folder) if orphans else []:
        count += 1
        print(f"{path}: of no case")
    print(f"{len(cases)} checked, {count} differ")
    return 2 if refused else 1 if count else 0


def update(cases, others, folder, prune):
    """Rewrites the tables that differ beyond the tolerance, and prints their names; the exit
    code, 2 where a case has no answer. A store that is not there is begun."""
    if not os.path.exists(folder):
        os.makedirs(folder)
    _need_folder(folder)
    written = removed = refused = 0
    for path, found, content in _differences(cases, folder):
        if content is None:
            refused += _refuse(found)
            continue
        write_atomically(path, content)
        written += 1
        print(f"{path}: written ({found})", flush=True)
    for path in _orphans(cases + others, folder) if prune else []:
        os.remove(path)
        removed += 1
        print(f"{path}: removed")
    print(f"{len(cases)} checked, {written} written, {removed} removed")
    return 2 if refused else 0
