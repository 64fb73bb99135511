# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one error with which the oracle says that it cannot answer as asked."""

import contextlib


class OracleError(Exception):
    """The message is for the user."""


@contextlib.contextmanager
def about(line):
    """Whatever goes wrong inside becomes an OracleError that names the case line: a case without an
    answer takes none from the others."""
    try:
        yield
    except OracleError as error:
        raise OracleError(f"{line}: {error}") from None
    except MemoryError:
        raise OracleError(f"{line}: out of memory") from None
    except Exception as error:  # NumPy's, or a mistake of ours
        raise OracleError(f"{line}: {type(error).__name__}: {error}") from error
