// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Who takes part in a benchmark: the backends and peers of --backend.
#ifndef ASSAY_HARNESS_CLI_CONTENDERS_H
#define ASSAY_HARNESS_CLI_CONTENDERS_H

#include "harness/bench/exercise.h"
#include "harness/cli/machine.h"

enum { ASSAY_PEERS = 4 };

typedef struct assay_open_peer {
  assay_backend backend; // a stand-in with the peer's name, for jobs and keys; it only closes
  const assay_peer *peer;
  assay_peer_state *state; // NULL where it is not usable here
} assay_open_peer;

typedef struct assay_contenders {
  assay_machine machine; // a station for each backend, then one for each peer
  assay_open_peer peers[ASSAY_PEERS];
  size_t peer_count;
} assay_contenders;

// The names of all peers, which --backend and filters may say besides those of backends.
assay_names assay_contenders_peers(assay_arena *arena);

// Opens those that --backend names, which must be usable (ASSAY_MISSING, or for an unknown name
// ASSAY_INVALID with the nearest), or without it all, with a note for each that is not. with_peers:
// false where only backends take part: to name a peer is then ASSAY_INVALID. *out_contenders must
// stay where it is.
ASSAY_MUST_USE assay_code assay_contenders_open(const assay_session *session, bool with_peers,
                                                assay_contenders *out_contenders, assay_error *err);
void assay_contenders_close(assay_contenders *contenders);

// The one that a job of these stations is for.
assay_contender assay_contenders_of(const assay_contenders *contenders, const assay_job *job);

#endif
