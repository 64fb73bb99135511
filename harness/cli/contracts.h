// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which NaN attributes which pass may make, from pipeline files and options.
#ifndef ASSAY_HARNESS_CLI_CONTRACTS_H
#define ASSAY_HARNESS_CLI_CONTRACTS_H

#include "harness/cli/session.h"
#include "harness/ledger/ledger.h"

// Sets the request's contracts: the table of --pipeline's file, and over it what --nan-contract
// says. ASSAY_INVALID for an unknown word.
ASSAY_MUST_USE assay_code assay_contracts_read(const assay_session *session,
                                               assay_ledger_request *request, assay_error *err);
// That each pass which --nan-contract names is known by now: plug-ins are loaded. ASSAY_INVALID
// with the nearest.
ASSAY_MUST_USE assay_code assay_contracts_check(const assay_session *session, assay_error *err);
// Those of a built-in pipeline alone.
void assay_contracts_of_pipeline(const char *name, assay_ledger_request *request);

#endif
