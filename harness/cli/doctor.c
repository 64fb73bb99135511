// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay doctor: what this machine has, and which backends it can use.
#include "compiler/runtime/blas.h"
#include "gpu/driver/driver.h"
#include "gpu/driver/ptx.h"
#include "harness/cli/environment.h"
#include "harness/cli/machine.h"
#include "harness/cli/paragraph.h"
#include "reference/oracle.h"
#include "results/record/printable.h"

#include <stdlib.h>
#include <string.h>

static void print_fact(const char *name, const char *value, const char *without) {
  printf("%-10s  ", name);
  assay_paragraph_print(value != NULL ? value : without, 12);
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

static void print_cuda(assay_arena *arena) {
  assay_driver_facts facts;
  assay_error err;
  if (assay_driver_probe(false, &facts, &err) != ASSAY_OK) {
    print_fact("cuda", NULL, assay_printable(arena, err.text));
    return;
  }
  print_fact("cuda",
             assay_arena_format(arena,
                                "%s (compute capability %d.%d, %d multiprocessors, %.4g of %.4g GB "
                                "free), driver CUDA %d.%d",
                                assay_printable(arena, facts.device), facts.architecture / 10,
                                facts.architecture % 10, facts.multiprocessors,
                                1e-9 * (double)facts.memory_free, 1e-9 * (double)facts.memory_total,
                                facts.driver / 1000, facts.driver % 1000 / 10),
             NULL);
}

static void print_ptxas(assay_arena *arena) {
  assay_toolkit toolkit = assay_toolkit_find(arena);
  const char *ptxas = assay_printable(arena, toolkit.ptxas), *version;
  assay_error err;
  if (toolkit.ptxas == NULL)
    print_fact("ptxas", NULL, assay_printable(arena, toolkit.lack));
  else if (assay_ptxas_version(arena, toolkit.ptxas, &version, &err) != ASSAY_OK)
    print_fact("ptxas", NULL,
               assay_arena_format(arena, "%s does not work: %s; ASSAY_PTXAS=FILE names another",
                                  ptxas, assay_printable(arena, err.text)));
  else
    print_fact("ptxas", assay_arena_format(arena, "%s (%s)", ptxas, version), NULL);
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
  print_cuda(arena);
  print_ptxas(arena);
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
    printf("\n");
    assay_paragraph_print(
        assay_arena_format(session->arena, "backend %s: %s", name,
                           assay_printable(session->arena, station->opened.backend->summary)),
        0);
    printf("  ");
    assay_paragraph_print(
        station->reason != NULL
            ? assay_arena_format(session->arena, "not usable: %s", station->reason)
            : "usable",
        2);
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
