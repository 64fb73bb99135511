// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef ASSAY_HARNESS_CLI_COLOR_H
#define ASSAY_HARNESS_CLI_COLOR_H

#include <stdbool.h>
#include <stdio.h>

// Whether the stream is a terminal that understands escapes: not a "dumb" one.
bool assay_terminal_is_live(FILE *stream);

// Whether to color what goes to the stream. when: "always", "never", or "auto": such a
// terminal, and NO_COLOR (no-color.org) unset or empty.
bool assay_color_wanted(const char *when, FILE *stream);

#endif
