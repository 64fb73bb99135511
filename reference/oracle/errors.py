# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The one exception that is the user's to mend: its text is the message, the exit code is 2."""


class OracleError(Exception):
    pass
