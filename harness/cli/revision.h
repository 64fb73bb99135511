// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What this program was built from.
#ifndef ASSAY_HARNESS_CLI_REVISION_H
#define ASSAY_HARNESS_CLI_REVISION_H

// As `git describe --always --dirty` had it when this was built; NULL where no repository told.
extern const char *const assay_revision;

#endif
