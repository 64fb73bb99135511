// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/contenders.h"

#include "harness/cli/message.h"

#include <string.h>

static const assay_peer *find_peer(const char *name) {
  for (const assay_peer *const *at = assay_peers_get(); *at != NULL; at++)
    if (strcmp((*at)->name, name) == 0)
      return *at;
  return NULL;
}

static assay_code fail_unknown(const assay_session *session, const char *name, assay_error *err) {
  enum { MOST = 64 };
  const char *names[MOST];
  size_t count = 0;
  for (const assay_backend *const *at = session->backends; *at != NULL && count < MOST; at++)
    names[count++] = (*at)->name;
  for (const assay_peer *const *at = assay_peers_get(); *at != NULL && count < MOST; at++)
    names[count++] = (*at)->name;
  return assay_fail(err, ASSAY_INVALID, "--backend: unknown backend or peer '%s'%s", name,
                    assay_hint(session->arena, name, names, count));
}

assay_code assay_contenders_split(const assay_session *session, assay_names *out_backends,
                                  assay_names *out_peers, bool *out_all, assay_error *err) {
  const assay_names *given = &session->options->backends;
  assay_arena *arena = session->arena;
  *out_all = given->count == 0;
  *out_backends = *out_peers = (assay_names){0};
  out_backends->items = assay_arena_take(arena, given->count, sizeof(char *));
  out_peers->items = assay_arena_take(arena, given->count, sizeof(char *));
  for (size_t i = 0; i < given->count; i++) {
    const char *name = given->items[i];
    if (assay_backend_find(session, name) != NULL)
      out_backends->items[out_backends->count++] = name;
    else if (find_peer(name) != NULL)
      out_peers->items[out_peers->count++] = name;
    else
      return fail_unknown(session, name, err);
  }
  return ASSAY_OK;
}

static bool is_wanted(const assay_names *names, bool all, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return all;
}

assay_code assay_peers_open(const assay_session *session, const assay_names *names, bool all,
                            assay_peer_list *out_peers, assay_error *err) {
  int threads = session->options->threads > 0 ? session->options->threads : 1;
  *out_peers = (assay_peer_list){.count = 0};
  for (const assay_peer *const *at = assay_peers_get(); *at != NULL; at++) {
    if (!is_wanted(names, all, (*at)->name))
      continue;
    assay_open_peer *peer = &out_peers->items[out_peers->count];
    assay_error why;
    *peer = (assay_open_peer){.peer = *at};
    if ((*at)->open(session->root, threads, &peer->state, &why) == ASSAY_OK) {
      out_peers->count++;
    } else if (all) {
      assay_message_note("the peer '%s' is left out: %s", (*at)->name, why.text);
    } else {
      assay_peers_close(out_peers);
      return assay_fail(err, ASSAY_MISSING, "--backend: '%s' is not usable here: %s", (*at)->name,
                        why.text);
    }
  }
  return ASSAY_OK;
}

void assay_peers_close(assay_peer_list *peers) {
  for (size_t i = 0; i < peers->count; i++)
    peers->items[i].peer->close(peers->items[i].state);
  peers->count = 0;
}
