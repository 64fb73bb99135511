// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a bad record leaves behind for the one who looks into it: repro/SLUG-HASH/ with repro.sh,
// record.json and module.mlir.
#ifndef ASSAY_HARNESS_CLI_REPRO_H
#define ASSAY_HARNESS_CLI_REPRO_H

#include "harness/cli/out.h"
#include "harness/cli/agenda.h"

// Writes a folder for each bad record. The modules are emitted in isolated children: the emitter
// may be what is broken. ASSAY_FAILED where a file cannot be written.
ASSAY_MUST_USE assay_code assay_repro_write(const assay_session *session, const assay_out *out,
                                            const assay_context *context, const assay_cases *cases,
                                            const assay_record records[], size_t count,
                                            assay_error *err);
// Writes record.json again for those bad records for which a pass has been named since.
ASSAY_MUST_USE assay_code assay_repro_rewrite(const assay_out *out, const assay_record records[],
                                              size_t count, assay_error *err);

#endif
