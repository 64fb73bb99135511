// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/functions.h"
#include "suite/pair.h"

static const assay_key keys[] = {
    {"f", ASSAY_KEY_CHOICE, .choices = ASSAY_BINARY, .help = "function"},
    ASSAY_MIXED_KEYS,
    {.name = NULL},
};

// For the generated table.
extern const assay_suite_op assay_suite_op_reject_binary;
const assay_suite_op assay_suite_op_reject_binary = {
    .name = "reject_binary",
    .formula = "f(x, y)",
    .rejected = true,
    .keys = keys,
    .build = assay_mixed_build,
};
