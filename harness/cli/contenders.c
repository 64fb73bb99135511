// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/contenders.h"

#include "harness/bench/bench.h"
#include "harness/bench/pairs.h"
#include "harness/cli/message.h"
#include "results/record/printable.h"

#include <string.h>

assay_names assay_contenders_peers(assay_arena *arena) {
  assay_names names = {0};
  for (const assay_peer *const *at = assay_peers_get(); *at != NULL; at++)
    assay_names_add(arena, &names, (*at)->name);
  return names;
}

static bool is_among(const assay_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return false;
}

static assay_code fail_unknown(const assay_session *session, const char *name, assay_names peers,
                               assay_error *err) {
  for (const assay_backend *const *at = session->backends; *at != NULL; at++)
    assay_names_add(session->arena, &peers, (*at)->name);
  return assay_fail(err, ASSAY_INVALID, "--backend: unknown backend or peer '%s'%s", name,
                    assay_hint(session->arena, name, peers.items, peers.count));
}

// The backends among the names of --backend; each of the others must be a peer.
static assay_code find_backends(const assay_session *session, bool with_peers,
                                assay_names *out_backends, assay_error *err) {
  const assay_names *given = &session->options->backends;
  assay_names peers = assay_contenders_peers(session->arena);
  *out_backends = (assay_names){0};
  for (size_t i = 0; i < given->count; i++) {
    const char *name = given->items[i];
    if (assay_backend_find(session, name) != NULL)
      assay_names_add(session->arena, out_backends, name);
    else if (!is_among(&peers, name))
      return fail_unknown(session, name, peers, err);
    else if (!with_peers)
      return assay_fail(err, ASSAY_INVALID,
                        "--backend: '%s' is a peer, which is the same for any build: only backends "
                        "are compared",
                        name);
  }
  return ASSAY_OK;
}

// A peer's state is the contenders' own to close.
static void close_nothing(assay_device *device) {
  (void)device;
}

static assay_code open_peer(const assay_session *session, const assay_peer *peer, bool named,
                            assay_contenders *contenders, assay_error *err) {
  int threads = session->options->threads > 0 ? session->options->threads : 1;
  assay_open_peer *opened = &contenders->peers[contenders->peer_count++];
  assay_machine *machine = &contenders->machine;
  assay_station *station = &machine->stations[machine->count++];
  assay_error why;
  *opened =
      (assay_open_peer){.backend = {.name = peer->name, .close = close_nothing}, .peer = peer};
  *station = (assay_station){.opened = {.backend = &opened->backend}};
  if (peer->open(session->root, threads, &opened->state, &why) == ASSAY_OK)
    return ASSAY_OK;
  opened->state = NULL;
  if (named)
    return assay_fail(err, ASSAY_MISSING, "--backend: '%s' is not usable here: %s", peer->name,
                      assay_printable(session->arena, why.text));
  station->reason = assay_printable(session->arena, why.text);
  return ASSAY_OK;
}

static assay_code add_peers(const assay_session *session, assay_contenders *contenders,
                            assay_error *err) {
  const assay_names *given = &session->options->backends;
  assay_machine *machine = &contenders->machine;
  assay_station *stations = machine->stations;
  machine->stations =
      assay_arena_take(session->arena, machine->count + ASSAY_PEERS, sizeof *stations);
  memcpy(machine->stations, stations, machine->count * sizeof *stations);
  for (const assay_peer *const *at = assay_peers_get(); *at != NULL; at++)
    if (given->count == 0 || is_among(given, (*at)->name))
      TRY(open_peer(session, *at, given->count > 0, contenders, err));
  return ASSAY_OK;
}

static void note_unusable(const assay_machine *machine) {
  for (size_t i = 0; i < machine->count; i++)
    if (machine->stations[i].reason != NULL)
      assay_message_note("'%s' is left out: %s", machine->stations[i].opened.backend->name,
                         machine->stations[i].reason);
}

// A simulator's compilations are timed for who asks for them.
static void leave_out_simulators(assay_machine *machine) {
  for (size_t i = 0; i < machine->count; i++)
    if (machine->stations[i].opened.backend->simulated && machine->stations[i].reason == NULL)
      machine->stations[i].reason =
          "it only simulates a device: name it by --backend to time what compiling takes";
}

// Pairs are of runs, and those of a simulator are not timed.
static assay_code refuse_simulators(const assay_session *session, assay_machine *machine,
                                    assay_error *err) {
  if (session->options->backends.count == 0)
    return ASSAY_OK;
  for (size_t i = 0; i < machine->count; i++)
    if (machine->stations[i].opened.backend->simulated)
      return assay_fail(err, ASSAY_UNSUPPORTED,
                        "--backend: '%s' only simulates a device: its runs are not timed, and "
                        "--against times runs",
                        machine->stations[i].opened.backend->name);
  return ASSAY_OK;
}

static assay_code check_count(const assay_machine *machine, bool with_peers, assay_error *err) {
  size_t most = with_peers ? ASSAY_BENCH_CONTENDERS : ASSAY_PAIR_BACKENDS;
  if (machine->count <= most)
    return ASSAY_OK;
  return assay_fail(
      err, ASSAY_UNSUPPORTED,
      "%zu backends and peers, at most %zu are timed together: name some by --backend",
      machine->count, most);
}

static void leave_out_backends(assay_contenders *contenders) {
  size_t backends = contenders->machine.count - contenders->peer_count;
  for (size_t i = 0; i < backends; i++)
    contenders->machine.stations[i].reason = "only peers are named";
}

assay_code assay_contenders_open(const assay_session *session, bool with_peers,
                                 assay_contenders *out_contenders, assay_error *err) {
  assay_names backends;
  *out_contenders = (assay_contenders){.peer_count = 0};
  TRY(find_backends(session, with_peers, &backends, err));
  TRY(assay_machine_open(session, &backends, &out_contenders->machine, err));
  assay_code code = with_peers ? add_peers(session, out_contenders, err)
                               : refuse_simulators(session, &out_contenders->machine, err);
  if (code == ASSAY_OK)
    code = check_count(&out_contenders->machine, with_peers, err);
  if (code != ASSAY_OK) {
    assay_contenders_close(out_contenders);
    return code;
  }
  if (session->options->backends.count == 0) {
    leave_out_simulators(&out_contenders->machine);
    note_unusable(&out_contenders->machine);
  } else if (backends.count == 0) // without names all backends were opened
    leave_out_backends(out_contenders);
  return ASSAY_OK;
}

void assay_contenders_close(assay_contenders *contenders) {
  for (size_t i = 0; i < contenders->peer_count; i++)
    if (contenders->peers[i].state != NULL)
      contenders->peers[i].peer->close(contenders->peers[i].state);
  contenders->peer_count = 0;
  assay_machine_close(&contenders->machine);
}

assay_contender assay_contenders_of(const assay_contenders *contenders, const assay_job *job) {
  const assay_backend *backend = job->opened->backend;
  for (size_t i = 0; i < contenders->peer_count; i++)
    if (backend == &contenders->peers[i].backend)
      return (assay_contender){.name = backend->name,
                               .peer = contenders->peers[i].peer,
                               .state = contenders->peers[i].state};
  return (assay_contender){.name = backend->name, .opened = job->opened};
}
