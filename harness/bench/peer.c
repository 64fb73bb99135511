// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/peer.h"

#include <stddef.h>

static const assay_peer *const peers[] = {&assay_peer_cblas, &assay_peer_numpy, NULL};

const assay_peer *const *assay_peers_get(void) {
  return peers;
}
