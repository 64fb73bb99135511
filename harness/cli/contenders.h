// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who takes part in a benchmark: the backends and peers of --backend.
#ifndef ASSAY_HARNESS_CLI_CONTENDERS_H
#define ASSAY_HARNESS_CLI_CONTENDERS_H

#include "harness/bench/peer.h"
#include "harness/cli/machine.h"

typedef struct assay_open_peer {
  const assay_peer *peer;
  assay_peer_state *state;
} assay_open_peer;

typedef struct assay_peer_list {
  assay_open_peer items[4];
  size_t count;
} assay_peer_list;

// Splits the names of --backend into those of backends and those of peers. Without names all are
// meant: *out_backends is empty and *out_all true. ASSAY_INVALID for a name that is neither, with
// the nearest.
ASSAY_MUST_USE assay_code assay_contenders_split(const assay_session *session,
                                                 assay_names *out_backends, assay_names *out_peers,
                                                 bool *out_all, assay_error *err);

// Opens the peers: those named, which must be there (ASSAY_MISSING), or all that are, with a note
// for each that is not.
ASSAY_MUST_USE assay_code assay_peers_open(const assay_session *session, const assay_names *names,
                                           bool all, assay_peer_list *out_peers, assay_error *err);
void assay_peers_close(assay_peer_list *peers);

#endif
