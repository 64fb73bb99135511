// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/machine.h"

#include "compiler/lower/pipeline.h"
#include "gpu/backends/backends.h"
#include "gpu/driver/ptx.h"
#include "harness/cli/message.h"
#include "harness/isolate/isolate.h"
#include "results/record/printable.h"

#include <stdlib.h>
#include <string.h>

static size_t count_backends(const assay_backend *const *backends) {
  size_t count = 0;
  while (backends != NULL && backends[count] != NULL)
    count++;
  return count;
}

static const assay_backend *find(const assay_backend *const *backends, const char *name) {
  for (const assay_backend *const *backend = backends; *backend != NULL; backend++)
    if (strcmp((*backend)->name, name) == 0)
      return *backend;
  return NULL;
}

// A name stands in keys, filters and lists, and is told from peers and from what has no backend.
static bool is_name(const char *name) {
  enum { LONGEST = 64 };
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  static const char *const reserved[] = {"none", "all", "cblas", "numpy", ".", ".."};
  if (name == NULL || *name == '\0' || *name == '-' || strlen(name) > LONGEST ||
      name[strspn(name, letters)] != '\0')
    return false;
  for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
    if (strcmp(name, reserved[i]) == 0)
      return false;
  return true;
}

static assay_code check_added(const assay_backend *backend, assay_error *err) {
  if (!is_name(backend->name))
    return assay_fail(err, ASSAY_INVALID,
                      "extension: '%.80s' cannot name a backend: at most 64 letters, digits, '_', "
                      "'.' and, but at the start, '-' can, except none, all, cblas, numpy, '.' and "
                      "'..'",
                      backend->name != NULL ? backend->name : "");
  if (backend->summary == NULL || backend->open == NULL || backend->supports == NULL ||
      backend->load == NULL || backend->run == NULL || backend->unload == NULL ||
      backend->close == NULL)
    return assay_fail(err, ASSAY_INVALID,
                      "extension: the backend '%s' lacks its summary or a method that is not "
                      "optional",
                      backend->name);
  if (backend->pipeline != NULL && assay_pipeline_find(backend->pipeline) == NULL)
    return assay_fail(err, ASSAY_INVALID,
                      "extension: the backend '%s' lowers with '%s', which is no built-in pipeline",
                      backend->name, backend->pipeline);
  return ASSAY_OK;
}

static int compare_backends(const void *a, const void *b) {
  const assay_backend *const *left = a, *const *right = b;
  return strcmp((*left)->name, (*right)->name);
}

assay_code assay_backends_join(assay_arena *arena, const assay_backend *const *added,
                               const assay_backend *const **out_backends, assay_error *err) {
  const assay_backend *const *cpu = assay_backends_get(), *const *gpu = assay_gpu_backends_get();
  size_t count = count_backends(cpu), gpus = count_backends(gpu), more = count_backends(added);
  const assay_backend **all =
      assay_arena_take(arena, count + gpus + more + 1, sizeof(assay_backend *));
  memcpy(all, cpu, count * sizeof *all);
  memcpy(all + count, gpu, gpus * sizeof *all);
  count += gpus;
  for (size_t i = 0; i < more; i++) {
    TRY(check_added(added[i], err));
    if (find(all, added[i]->name) != NULL)
      return assay_fail(err, ASSAY_INVALID, "extension: there is already a backend '%s'",
                        added[i]->name);
    all[count++] = added[i];
    all[count] = NULL;
  }
  qsort(all, count, sizeof(assay_backend *), compare_backends);
  *out_backends = all;
  return ASSAY_OK;
}

const assay_backend *assay_backend_find(const assay_session *session, const char *name) {
  return find(session->backends, name);
}

assay_code assay_backend_need(const assay_session *session, const char *name,
                              const assay_backend **out_backend, assay_error *err) {
  *out_backend = assay_backend_find(session, name);
  if (*out_backend != NULL)
    return ASSAY_OK;
  size_t count = count_backends(session->backends);
  const char **names = assay_arena_take(session->arena, count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = session->backends[i]->name;
  return assay_fail(err, ASSAY_INVALID, "--backend: unknown backend '%s'%s", name,
                    assay_hint(session->arena, name, names, count));
}

static bool is_named(const assay_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return names->count == 0;
}

static bool is_built_in(const assay_backend *backend) {
  return find(assay_backends_get(), backend->name) == backend ||
         find(assay_gpu_backends_get(), backend->name) == backend;
}

// Backends of others, opened and closed in children.
typedef struct trial {
  const assay_session *session;
  assay_machine *machine;
  double seconds;
  size_t next;
  bool *opened; // of each station
} trial;

static void *next_tried(void *user) {
  trial *it = user;
  while (it->next < it->machine->count &&
         is_built_in(it->machine->stations[it->next].opened.backend))
    it->next++;
  return it->next < it->machine->count ? &it->machine->stations[it->next++] : NULL;
}

static void try_station(void *user, void *task, const assay_channel *channel) {
  const trial *it = user;
  const assay_station *station = task;
  const assay_backend *backend = station->opened.backend;
  assay_device *device = NULL;
  assay_error why;
  if (backend->open(it->machine->context, &device, &why) != ASSAY_OK)
    return; // said when it is opened here
  assay_channel_send(channel, &(char){1});
  backend->close(device);
}

static assay_code note_opened(void *user, void *task, const void *message, assay_error *err) {
  const trial *it = user;
  (void)message;
  (void)err;
  it->opened[(assay_station *)task - it->machine->stations] = true;
  return ASSAY_OK;
}

static assay_code note_ended(void *user, void *task, assay_ending ending, const char *reason,
                             assay_error *err) {
  const trial *it = user;
  assay_station *station = task;
  assay_arena *arena = it->session->arena;
  (void)err;
  if (ending == ASSAY_ENDED_WELL)
    return ASSAY_OK;
  bool opened = it->opened[station - it->machine->stations];
  const char *when = opened ? "closed" : "opened";
  const char *why =
      ending == ASSAY_ENDED_LATE
          ? assay_arena_format(arena, "not %s after %g s", opened ? when : "ready", it->seconds)
          : assay_arena_format(arena, "while it was %s: %s", when, reason);
  *(opened ? &station->lasting : &station->reason) = assay_printable(arena, why);
  return ASSAY_OK;
}

// Seconds that opening may take: --timeout where it is given.
static double patience(const assay_options *options) {
  static const double USUAL = 20;
  bool given = options->timeout > 0 && options->timeout != ASSAY_DEFAULT_TIMEOUT;
  return given ? options->timeout : USUAL;
}

static assay_code try_added(const assay_session *session, assay_machine *machine,
                            assay_error *err) {
  trial it = {.session = session,
              .machine = machine,
              .seconds = patience(session->options),
              .opened = assay_arena_take(session->arena, machine->count + 1, sizeof(bool))};
  const assay_isolation isolation = {.parallel = 2,
                                     .seconds = it.seconds,
                                     .memory_bytes = (int64_t)ASSAY_DEFAULT_MEMORY * 1000000,
                                     .message_size = 1};
  const assay_isolated_work work = {.user = &it,
                                    .next = next_tried,
                                    .body = try_station,
                                    .message = note_opened,
                                    .ended = note_ended};
  if (next_tried(&it) == NULL)
    return ASSAY_OK;
  it.next = 0;
  return assay_isolate(&isolation, &work, err);
}

static void open_station(const assay_session *session, const assay_machine *machine,
                         assay_station *station) {
  assay_error why;
  if (station->reason != NULL ||
      station->opened.backend->open(machine->context, &station->opened.device, &why) == ASSAY_OK)
    return;
  station->opened.device = NULL;
  station->reason = assay_arena_string(session->arena, assay_printable(session->arena, why.text));
}

static assay_code open_stations(const assay_session *session, const assay_names *names,
                                assay_machine *machine, assay_error *err) {
  size_t count = 0;
  for (const assay_backend *const *backend = session->backends; *backend != NULL; backend++) {
    if (!is_named(names, (*backend)->name))
      continue;
    machine->stations[count++].opened.backend = *backend;
  }
  // Of those that are not open yet none is to be closed.
  assay_machine tried = {machine->context, machine->stations, count};
  TRY(try_added(session, &tried, err));
  for (; machine->count < count; machine->count++) {
    assay_station *station = &machine->stations[machine->count];
    open_station(session, machine, station);
    if (station->reason != NULL && names->count > 0)
      return assay_fail(err, ASSAY_MISSING, "--backend: '%s' is not usable here: %s",
                        station->opened.backend->name, station->reason);
  }
  return ASSAY_OK;
}

assay_code assay_machine_open(const assay_session *session, const assay_names *names,
                              assay_machine *out_machine, assay_error *err) {
  const assay_backend *known;
  for (size_t i = 0; i < names->count; i++)
    TRY(assay_backend_need(session, names->items[i], &known, err));
  *out_machine = (assay_machine){.stations = assay_arena_take(session->arena,
                                                              count_backends(session->backends),
                                                              sizeof *out_machine->stations)};
  TRY(assay_context_create(&out_machine->context, err));
  assay_code code = open_stations(session, names, out_machine, err);
  if (code != ASSAY_OK)
    assay_machine_close(out_machine);
  return code;
}

static const char *find_ptxas(assay_arena *arena) {
  assay_toolkit toolkit = assay_toolkit_find(arena);
  const char *version = NULL;
  assay_error ignored;
  if (toolkit.ptxas == NULL ||
      assay_ptxas_version(arena, toolkit.ptxas, &version, &ignored) != ASSAY_OK)
    return NULL;
  return version;
}

void assay_machine_describe(assay_arena *arena, const assay_machine *machine,
                            assay_environment *environment) {
  bool kernels = false;
  for (size_t i = 0; i < machine->count; i++) {
    const assay_opened *opened = &machine->stations[i].opened;
    if (opened->device == NULL)
      continue;
    kernels = kernels || opened->backend->resident;
    if (environment->cuda == NULL && opened->backend->hardware != NULL)
      environment->cuda = assay_arena_string(arena, opened->backend->hardware(opened->device));
  }
  environment->ptxas = kernels ? find_ptxas(arena) : NULL;
}

void assay_machine_close(assay_machine *machine) {
  for (size_t i = 0; i < machine->count; i++) {
    const assay_station *station = &machine->stations[i];
    if (station->lasting == NULL)
      station->opened.backend->close(station->opened.device);
    else if (station->opened.device != NULL)
      assay_message_note("the backend '%s' is not closed; tried before, it ended %s",
                         station->opened.backend->name, station->lasting);
  }
  assay_context_destroy(machine->context);
  *machine = (assay_machine){0};
}
