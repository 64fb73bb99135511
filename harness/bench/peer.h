// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Peers: who else computes a case, to be timed beside the backends. One file each.
#ifndef ASSAY_HARNESS_BENCH_PEER_H
#define ASSAY_HARNESS_BENCH_PEER_H

#include "compiler/backends/backend.h"
#include "harness/case/case.h"

typedef struct assay_peer_state assay_peer_state; // an opened peer

typedef struct assay_peer {
  const char *name;
  const char *summary;
  // Once a command. root: the project's. ASSAY_MISSING where this machine does not have it.
  assay_code (*open)(const char *root, int threads, assay_peer_state **out_state, assay_error *err);
  void (*close)(assay_peer_state *state); // NULL is allowed
  // Makes it ready for the case on a data set, before any process is forked for it.
  // ASSAY_UNSUPPORTED where it does not do such cases.
  assay_code (*take)(assay_peer_state *state, const assay_case *a_case, const char *data,
                     assay_error *err);
  // Computes the case that it was made ready for, in whatever process.
  assay_code (*run)(assay_peer_state *state, const assay_buffer inputs[],
                    const assay_buffer results[], assay_error *err);
  // (optional) The same in a process of its own, again and again for so many seconds, at least
  // once; seconds of one run by its clock, NaN where it failed. run then fetches the results.
  double (*run_elsewhere)(assay_peer_state *state, double seconds);
  // (optional) That process may still be busy with something, or be gone: the next take begins
  // anew.
  void (*renew)(assay_peer_state *state);
} assay_peer;

// All of them, sorted by name; the array ends with NULL.
const assay_peer *const *assay_peers_get(void);

extern const assay_peer assay_peer_cblas; // the CBLAS that the backend blas calls, called directly
extern const assay_peer assay_peer_numpy; // NumPy, in the oracle's Python

#endif
