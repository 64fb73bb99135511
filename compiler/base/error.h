// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Errors as values, for every room.
//
// A function that can fail returns an assay_code that must be used, and on failure fills the
// assay_error its caller owns, always the last parameter and never NULL. On success the error is
// left untouched. The message is written where the fault is known and passed on unaltered.
// Assertions are for programming mistakes only; no library function exits or prints.
#ifndef ASSAY_COMPILER_BASE_ERROR_H
#define ASSAY_COMPILER_BASE_ERROR_H

#ifdef __cplusplus
extern "C" {
#endif

#define ASSAY_MUST_USE __attribute__((warn_unused_result))
#define ASSAY_PRINTF(text, first) __attribute__((format(printf, text, first)))

typedef enum assay_code {
  ASSAY_OK = 0,
  ASSAY_INVALID,     // the input breaks a rule: usage, syntax, a shape or dtype rule
  ASSAY_MISSING,     // something that was asked for is not there: a file, a library, a reference
  ASSAY_UNSUPPORTED, // well formed, but this backend or build cannot do it
  ASSAY_FAILED,      // the system or a tool failed: I/O, fork, MLIR, LLVM
} assay_code;

typedef struct assay_error {
  assay_code code;
  char where[256]; // "FILE:LINE:COL", "FILE", or "" where no place can be named
  char text[1536]; // one sentence: what was found, what was expected; no newline at its end
} assay_error;

// Fills *err without a place and returns code. A word of more than 200 bytes is cut in its middle,
// so that what the message says after it is not lost.
ASSAY_MUST_USE ASSAY_PRINTF(3, 4) assay_code
    assay_fail(assay_error *err, assay_code code, const char *format, ...);

// Fills *err with a place in a file (line and column count from 1; 0 leaves them out), returns
// code.
ASSAY_MUST_USE ASSAY_PRINTF(6, 7) assay_code
    assay_fail_at(assay_error *err, assay_code code, const char *file, int line, int column,
                  const char *format, ...);

// Passes a failure on to the caller; the enclosing function returns assay_code.
#define TRY(call)                                                                                  \
  do {                                                                                             \
    assay_code try_code = (call);                                                                  \
    if (try_code != ASSAY_OK)                                                                      \
      return try_code;                                                                             \
  } while (0)

#ifdef __cplusplus
}
#endif

#endif
