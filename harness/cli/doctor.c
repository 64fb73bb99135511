// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay doctor: what this machine has, and which backends it can use.
#include "compiler/runtime/blas.h"
#include "harness/cli/environment.h"
#include "harness/cli/machine.h"
#include "reference/oracle.h"
#include "results/record/printable.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void print_fact(const char *name, const char *value, const char *without) {
  printf("%-10s  %s\n", name, value != NULL ? value : without);
}

static void print_blas(assay_arena *arena) {
  assay_blas blas;
  assay_error err;
  if (assay_blas_describe(&blas, &err) != ASSAY_OK) {
    print_fact("blas", NULL, err.text);
    return;
  }
  const char *threads =
      blas.threads > 0 ? assay_arena_format(arena, "%d", blas.threads) : "unknown";
  print_fact(
      "blas",
      assay_arena_format(arena, "%s (core %s, threads %s)", blas.library, blas.core, threads),
      NULL);
}

// The program's path, or NULL where PATH has none of that name.
static const char *find_program(assay_arena *arena, const char *name) {
  const char *folders = getenv("PATH");
  char *rest = NULL;
  if (folders == NULL)
    return NULL;
  for (char *folder = strtok_r(assay_arena_string(arena, folders), ":", &rest); folder != NULL;
       folder = strtok_r(NULL, ":", &rest)) {
    const char *path = assay_arena_format(arena, "%s/%s", folder, name);
    if (access(path, X_OK) == 0)
      return path;
  }
  return NULL;
}

static const char *find_cache(assay_arena *arena) {
  const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
  if (cache != NULL && *cache != '\0')
    return assay_arena_format(arena, "%s/assay", cache);
  return home != NULL ? assay_arena_format(arena, "%s/.cache/assay", home) : NULL;
}

static void print_facts(const assay_session *session) {
  assay_arena *arena = session->arena;
  const assay_environment *environment = assay_environment_get(arena, session->root);
  print_fact("assay", environment->assay, "unknown");
  print_fact("revision", environment->revision, "unknown (not built in a git repository)");
  print_fact("root", session->root, NULL);
  print_fact("cache", find_cache(arena), "none: neither XDG_CACHE_HOME nor HOME is set");
  print_fact("cpu", environment->cpu, "unknown");
  print_fact("llvm", environment->llvm, NULL);
  print_blas(arena);
  print_fact("cuda", environment->cuda, "no driver (libcuda.so.1 is not there)");
  print_fact("ptxas", find_program(arena, "ptxas"), "not in PATH");
  const char *numpy = NULL;
  assay_error err;
  assay_code code = assay_numpy_version(arena, session->root, &numpy, &err);
  print_fact("numpy", numpy,
             code != ASSAY_OK ? assay_arena_format(arena, "not usable: %s; %s", err.text,
                                                   assay_oracle_remedy(arena, session->root))
                              : NULL);
}

static assay_code run(const assay_session *session, int *out_status, assay_error *err) {
  assay_names all = {0};
  assay_machine machine;
  TRY(assay_machine_open(session, &all, &machine, err));
  print_facts(session);
  bool loop_usable = false;
  for (size_t i = 0; i < machine.count; i++) {
    const assay_station *station = &machine.stations[i];
    const char *name = station->opened.backend->name;
    printf("\nbackend %s: %s\n  %s%s\n", name,
           assay_printable(session->arena, station->opened.backend->summary),
           station->reason != NULL ? "not usable: " : "usable",
           station->reason != NULL ? station->reason : "");
    loop_usable = loop_usable || (strcmp(name, "loop") == 0 && station->reason == NULL);
  }
  assay_machine_close(&machine);
  *out_status = loop_usable ? ASSAY_EXIT_OK : ASSAY_EXIT_BAD;
  return ASSAY_OK;
}

static const char *const accepted[] = {NULL};

const assay_verb assay_verb_doctor = {
    .name = "doctor",
    .summary = "what this machine has, and each backend usable or the reason why not",
    .arguments = "",
    .about = "Says what Assay finds on this machine and which backends it can use.\n",
    .example = "  assay doctor\n",
    .exits = "  0  the backend loop is usable\n  1  it is not\n",
    .options = accepted,
    .run = run,
};
