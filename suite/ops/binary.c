// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/arguments.h"
#include "suite/functions.h"
#include "suite/pair.h"

static const assay_key keys[] = {
    {"f", ASSAY_KEY_CHOICE, .choices = ASSAY_BINARY, .help = "function"},
    ASSAY_MIXED_KEYS,
    {"values", ASSAY_KEY_CHOICE, .preset = "plain", .choices = ASSAY_VALUES, .help = "of x"},
    {.name = NULL},
};

// For the generated table.
extern const assay_suite_op assay_suite_op_binary;
const assay_suite_op assay_suite_op_binary = {
    .name = "binary",
    .formula = "f(x, y)",
    .keys = keys,
    .build = assay_mixed_build,
};
