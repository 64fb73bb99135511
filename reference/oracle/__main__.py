# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the oracle as `python reference/oracle COMMAND` and as `python -m oracle COMMAND`."""

import ctypes
import os
import signal
import sys

CANNOT_RUN = 3  # the exit code that tells the caller to install NumPy

if not __package__:  # started by its folder's name: make that folder the package "oracle"
    sys.path[0] = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

try:
    import numpy
except ImportError as error:
    print(f"oracle: error: cannot import NumPy: {error}", file=sys.stderr)
    sys.exit(CANNOT_RUN)
if int(numpy.__version__.split(".")[0]) < 2:
    print(f"oracle: error: NumPy {numpy.__version__} is too old, expected 2 or newer (NEP 50)",
          file=sys.stderr)
    sys.exit(CANNOT_RUN)

# Whoever asked may be stopped meanwhile: nobody is left to answer then (prctl(2), PR_SET_PDEATHSIG).
ctypes.CDLL(None).prctl(1, signal.SIGKILL)

from oracle.command import main

sys.exit(main(sys.argv[1:]))
