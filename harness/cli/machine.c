// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/machine.h"

#include <string.h>

static size_t count_backends(void) {
  size_t count = 0;
  while (assay_backends_get()[count] != NULL)
    count++;
  return count;
}

const assay_backend *assay_backend_find(const char *name) {
  for (const assay_backend *const *backend = assay_backends_get(); *backend != NULL; backend++)
    if (strcmp((*backend)->name, name) == 0)
      return *backend;
  return NULL;
}

assay_code assay_backend_need(assay_arena *arena, const char *name,
                              const assay_backend **out_backend, assay_error *err) {
  *out_backend = assay_backend_find(name);
  if (*out_backend != NULL)
    return ASSAY_OK;
  size_t count = count_backends();
  const char **names = assay_arena_take(arena, count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = assay_backends_get()[i]->name;
  return assay_fail(err, ASSAY_INVALID, "--backend: unknown backend '%s'%s", name,
                    assay_hint(arena, name, names, count));
}

static bool is_named(const assay_names *names, const char *name) {
  for (size_t i = 0; i < names->count; i++)
    if (strcmp(names->items[i], name) == 0)
      return true;
  return names->count == 0;
}

static assay_code open_stations(assay_arena *arena, const assay_names *names,
                                assay_machine *machine, assay_error *err) {
  for (const assay_backend *const *backend = assay_backends_get(); *backend != NULL; backend++) {
    if (!is_named(names, (*backend)->name))
      continue;
    assay_station *station = &machine->stations[machine->count];
    station->opened.backend = *backend;
    assay_error why;
    if ((*backend)->open(machine->context, &station->opened.device, &why) != ASSAY_OK) {
      station->opened.device = NULL;
      station->reason = assay_arena_string(arena, why.text);
      if (names->count > 0)
        return assay_fail(err, ASSAY_MISSING, "--backend: '%s' is not usable here: %s",
                          (*backend)->name, why.text);
    }
    machine->count++;
  }
  return ASSAY_OK;
}

assay_code assay_machine_open(assay_arena *arena, const assay_names *names,
                              assay_machine *out_machine, assay_error *err) {
  const assay_backend *known;
  for (size_t i = 0; i < names->count; i++)
    TRY(assay_backend_need(arena, names->items[i], &known, err));
  *out_machine = (assay_machine){
      .stations = assay_arena_take(arena, count_backends(), sizeof *out_machine->stations)};
  TRY(assay_context_create(&out_machine->context, err));
  assay_code code = open_stations(arena, names, out_machine, err);
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
