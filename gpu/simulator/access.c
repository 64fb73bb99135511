// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Accesses that compiled code does not let pass unasked.
#include "gpu/simulator/entries.h"
#include "gpu/simulator/state.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct attempt {
  assay_simulator *simulator;
  uint32_t site;
  uint64_t size; // bytes
  assay_access access;
  uint32_t align; // that it claims
} attempt;

// The site's own access; of asynchronous copies it is told besides.
static attempt begin(assay_view *view, uint32_t number) {
  attempt at = {.simulator = assay_simulator_of(view), .site = number};
  const assay_site *site = assay_sim_site(at.simulator, number);
  at.size = site->width;
  at.access = (assay_access)site->access;
  at.align = site->align;
  return at;
}

static const char *verb(const attempt *at) {
  static const char *const verbs[] = {"reads", "writes", "updates"};
  return verbs[at->access];
}

static const char *plural(uint64_t count) {
  return count == 1 ? "byte" : "bytes";
}

static _Noreturn void fault_shared(const attempt *at, int64_t offset) {
  assay_sim_fault(at->simulator, at->site,
                  "%s %" PRIu64 " %s at shared offset %" PRId64 ", %s the %" PRIu64
                  " that the block has",
                  verb(at), at->size, plural(at->size), offset, offset < 0 ? "before" : "past",
                  at->simulator->shared_size);
}

// Whether the bytes, which the block has, belong to variables.
static bool is_variable(const assay_simulator *simulator, uint64_t offset, uint64_t size) {
  for (uint64_t at = offset, end = offset + size; at < end;) {
    uint64_t next = (at / ASSAY_SIM_GRANULE + 1) * ASSAY_SIM_GRANULE;
    uint64_t last = next < end ? next : end, start = at - at % ASSAY_SIM_GRANULE;
    if (last - start > simulator->shared_shadow[at / ASSAY_SIM_GRANULE])
      return false;
    at = last;
  }
  return true;
}

static void *access_shared(const attempt *at, uint64_t offset) {
  assay_simulator *simulator = at->simulator;
  uint64_t all = simulator->shared_size;
  if (at->size > all || offset > all - at->size)
    fault_shared(at, (int64_t)offset);
  if (!is_variable(simulator, offset, at->size))
    assay_sim_fault(simulator, at->site,
                    "%s %" PRIu64 " %s at shared offset %" PRIu64 ", behind the end of a variable",
                    verb(at), at->size, plural(at->size), offset);
  if (offset % at->align != 0)
    assay_sim_fault(simulator, at->site,
                    "%s %" PRIu64 " %s at shared offset %" PRIu64 ", which is not a multiple of "
                    "the %u that the access claims",
                    verb(at), at->size, plural(at->size), offset, at->align);
  if (simulator->simulation.races)
    assay_races_look(simulator, &simulator->races.shared, offset, at->size, at->access, at->site);
  return simulator->shared + offset;
}

void *assay_sim_shared(assay_view *view, uint64_t offset, uint32_t site) {
  attempt at = begin(view, site);
  return access_shared(&at, offset);
}

static void *access_memory(const attempt *at, uint64_t offset) {
  assay_simulator *simulator = at->simulator;
  const assay_record *record = assay_memory_nearest(&simulator->memory, offset);
  bool writes_constant = record != NULL && record->constant && at->access != ASSAY_ACCESS_READ;
  if (!assay_memory_holds(record, offset, at->size) || writes_constant) {
    char place[256] = "of a device without allocations";
    if (record != NULL)
      assay_memory_describe(record, offset, place, sizeof place);
    assay_sim_fault(simulator, at->site, "%s %" PRIu64 " %s %s", verb(at), at->size,
                    plural(at->size), place);
  }
  if (offset % at->align != 0) {
    char place[256];
    assay_memory_describe(record, offset, place, sizeof place);
    assay_sim_fault(simulator, at->site,
                    "%s %" PRIu64 " %s %s, which is not a multiple of the %u that the access "
                    "claims",
                    verb(at), at->size, plural(at->size), place, at->align);
  }
  if (simulator->simulation.races)
    assay_races_look(simulator, &simulator->races.device, offset, at->size, at->access, at->site);
  return simulator->memory.bytes + offset;
}

// A generic address: of device memory, of shared memory, or of the thread's own stack.
static void *access_generic(const attempt *at, char *address) {
  assay_simulator *simulator = at->simulator;
  if (at->size == 0)
    return address;
  uint64_t offset = (uint64_t)(uintptr_t)address - simulator->view.memory_base;
  if (offset < simulator->memory.span)
    return access_memory(at, offset);
  offset = (uint64_t)(uintptr_t)address - (uint64_t)(uintptr_t)simulator->shared;
  if (offset < ASSAY_SIM_SHARED)
    return access_shared(at, offset);
  const assay_fiber *fiber = &simulator->current->fiber;
  offset = (uint64_t)(uintptr_t)address - (uint64_t)(uintptr_t)fiber->bottom;
  if (offset < fiber->size && at->size <= fiber->size - offset)
    return address;
  assay_sim_fault(simulator, at->site,
                  "%s %" PRIu64 " %s at address 0x%" PRIx64 ", where the device has no memory",
                  verb(at), at->size, plural(at->size), (uint64_t)(uintptr_t)address);
}

void *assay_sim_global(assay_view *view, char *address, uint32_t site) {
  attempt at = begin(view, site);
  return access_generic(&at, address);
}

void *assay_sim_range(assay_view *view, char *address, uint64_t size, uint32_t site) {
  attempt at = begin(view, site);
  at.size = size;
  return access_generic(&at, address);
}

char *assay_sim_checked(assay_view *view, char *address, uint64_t size, uint32_t align,
                        assay_access access, uint32_t site) {
  attempt at = begin(view, site);
  at.size = size;
  at.align = align;
  at.access = access;
  return access_generic(&at, address);
}
