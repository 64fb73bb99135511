// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The options of a ledger as words for a shell, which the commands of its bundle need besides the
// accused pass.
#ifndef ASSAY_HARNESS_CLI_WORDS_H
#define ASSAY_HARNESS_CLI_WORDS_H

#include "compiler/base/text.h"
#include "harness/cli/session.h"
#include "harness/ledger/ledger.h"

// Fills the request's plugin_words and option_words, in the session's arena: each word quoted where
// it must be, plug-ins with their whole path. The request's context is made.
void assay_words_of_options(const assay_session *session, assay_ledger_request *request);

#endif
