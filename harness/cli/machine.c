// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/machine.h"

#include "compiler/lower/pipeline.h"
#include "gpu/backends/backends.h"

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
  static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
  static const char *const reserved[] = {"none", "cblas", "numpy"};
  if (name == NULL || *name == '\0' || name[strspn(name, letters)] != '\0')
    return false;
  for (size_t i = 0; i < sizeof reserved / sizeof reserved[0]; i++)
    if (strcmp(name, reserved[i]) == 0)
      return false;
  return true;
}

static assay_code check_added(const assay_backend *backend, assay_error *err) {
  if (!is_name(backend->name))
    return assay_fail(err, ASSAY_INVALID,
                      "extension: '%s' cannot name a backend: letters, digits, '_', '-' and '.' "
                      "can, but none, cblas and numpy",
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

static assay_code open_stations(const assay_session *session, const assay_names *names,
                                assay_machine *machine, assay_error *err) {
  for (const assay_backend *const *backend = session->backends; *backend != NULL; backend++) {
    if (!is_named(names, (*backend)->name))
      continue;
    assay_station *station = &machine->stations[machine->count];
    station->opened.backend = *backend;
    assay_error why;
    if ((*backend)->open(machine->context, &station->opened.device, &why) != ASSAY_OK) {
      station->opened.device = NULL;
      station->reason = assay_arena_string(session->arena, why.text);
      if (names->count > 0)
        return assay_fail(err, ASSAY_MISSING, "--backend: '%s' is not usable here: %s",
                          (*backend)->name, why.text);
    }
    machine->count++;
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

void assay_machine_close(assay_machine *machine) {
  for (size_t i = 0; i < machine->count; i++)
    machine->stations[i].opened.backend->close(machine->stations[i].opened.device);
  assay_context_destroy(machine->context);
  *machine = (assay_machine){0};
}
