// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Sentences on a terminal.
#ifndef ASSAY_HARNESS_CLI_PARAGRAPH_H
#define ASSAY_HARNESS_CLI_PARAGRAPH_H

#include <stddef.h>

// Prints the text to standard output, where column characters of its first line stand already, in
// lines of at most 100 characters that end at blanks; further lines begin below the first one's
// text, or with column 0 at 2. A word that is longer than a line is not cut. Ends with a newline.
void assay_paragraph_print(const char *text, size_t column);

#endif
