// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
  ALIGN = 256,      // of allocations, as CUDA's
  RED_ZONE = 65536, // bytes at least from one to the next: an index far past one is in none
  GRANULE = 16,     // bytes that one of the shadow tells about
  POISON = 0xff,    // NaN of any width
  KEPT = 64 * 1024, // freed blocks up to here keep their pages
};

static uint64_t round_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

// Address space alone. What is only reserved does not count as the process's memory (RLIMIT_DATA).
static void *reserve(uint64_t size, int protection) {
  void *bytes = mmap(NULL, size, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return bytes == MAP_FAILED ? NULL : bytes;
}

// Makes whole pages around that part writable.
static bool open_pages(char *bytes, uint64_t start, uint64_t size) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t first = start / page * page;
  return size == 0 ||
         mprotect(bytes + first, round_up(start + size, page) - first, PROT_READ | PROT_WRITE) == 0;
}

assay_code assay_memory_open(assay_memory *memory, int64_t total, assay_error *err) {
  if (total <= 0 || total > INT64_C(1) << 42)
    return assay_fail(err, ASSAY_INVALID, "a device of %" PRId64 " bytes of memory", total);
  // As much again, so that what was freed stays recognisable for a while.
  uint64_t span = round_up((uint64_t)total * 2 + (UINT64_C(1) << 20), UINT64_C(1) << 20);
  *memory = (assay_memory){.span = span, .total = (uint64_t)total, .next = RED_ZONE};
  memory->bytes = reserve(span, PROT_NONE);
  memory->shadow = reserve(span / GRANULE, PROT_READ); // zeros, which compiled code reads
  if (memory->bytes != NULL && memory->shadow != NULL)
    return ASSAY_OK;
  assay_memory_close(memory);
  return assay_fail(err, ASSAY_UNSUPPORTED, "no address space for a device of %" PRId64 " bytes",
                    total);
}

void assay_memory_close(assay_memory *memory) {
  if (memory->bytes != NULL)
    munmap(memory->bytes, memory->span);
  if (memory->shadow != NULL)
    munmap(memory->shadow, memory->span / GRANULE);
  free(memory->records);
  *memory = (assay_memory){0};
}

// How many records start at or before the offset.
static size_t position(const assay_memory *memory, uint64_t offset) {
  size_t low = 0, high = memory->count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    if (memory->records[middle].start <= offset)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

// The first record that ends, its red zone included, behind the offset.
static size_t first_near(const assay_memory *memory, uint64_t offset) {
  size_t at = position(memory, offset);
  while (at > 0 && memory->records[at - 1].start + memory->records[at - 1].size + RED_ZONE > offset)
    at--;
  return at;
}

// The first place from there on with so many bytes that no living record is near; UINT64_MAX where
// there is none.
static uint64_t find_gap(const assay_memory *memory, uint64_t from, uint64_t size) {
  uint64_t start = round_up(from, ALIGN);
  for (size_t i = first_near(memory, start); i < memory->count; i++) {
    const assay_record *record = &memory->records[i];
    if (record->freed)
      continue;
    if (start + size + RED_ZONE <= record->start)
      break;
    start = round_up(record->start + record->size + RED_ZONE, ALIGN);
  }
  return start + size + RED_ZONE <= memory->span ? start : UINT64_MAX;
}

// Forgets what was freed where something new comes.
static void forget(assay_memory *memory, uint64_t start, uint64_t size) {
  size_t first = first_near(memory, start), end = first;
  while (end < memory->count && memory->records[end].start < start + size + RED_ZONE)
    end++;
  if (first == end)
    return;
  memmove(&memory->records[first], &memory->records[end],
          (memory->count - end) * sizeof *memory->records);
  memory->count -= end - first;
}

// What compiled code may touch unasked: nothing of constants, so that writes to them are seen.
static void mark(assay_memory *memory, const assay_record *record) {
  uint8_t *shadow = memory->shadow + record->start / GRANULE;
  bool open = !record->freed && !record->constant;
  uint64_t whole = record->size / GRANULE, rest = record->size % GRANULE;
  memset(shadow, open ? GRANULE : 0, whole);
  if (rest != 0)
    shadow[whole] = (uint8_t)(open ? rest : 0);
}

assay_code assay_memory_add(assay_memory *memory, const assay_record *record, assay_error *err) {
  if (memory->count == memory->capacity) {
    size_t capacity = memory->capacity * 2 + 16;
    assay_record *records = realloc(memory->records, capacity * sizeof *memory->records);
    if (records == NULL)
      return assay_fail(err, ASSAY_UNSUPPORTED,
                        "this process has no memory for a list of %zu allocations: %zu bytes asked "
                        "for",
                        capacity, capacity * sizeof *memory->records);
    memory->records = records;
    memory->capacity = capacity;
  }
  size_t at = position(memory, record->start);
  memmove(&memory->records[at + 1], &memory->records[at],
          (memory->count - at) * sizeof *memory->records);
  memory->records[at] = *record;
  memory->count++;
  mark(memory, record);
  return ASSAY_OK;
}

assay_code assay_memory_take_bare(assay_memory *memory, uint64_t size, uint64_t *out_start,
                                  assay_error *err) {
  uint64_t start = UINT64_MAX;
  if (size <= memory->total - memory->used) {
    start = find_gap(memory, memory->next, size);
    if (start == UINT64_MAX)
      start = find_gap(memory, RED_ZONE, size);
  }
  if (start == UINT64_MAX)
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "the device has no memory for %" PRIu64 " bytes: %" PRIu64 " of %" PRIu64
                      " are free",
                      size, memory->total - memory->used, memory->total);
  if (!open_pages(memory->bytes, start, size) ||
      !open_pages((char *)memory->shadow, start / GRANULE, size / GRANULE + 1))
    return assay_fail(err, ASSAY_UNSUPPORTED,
                      "this process has no memory for %" PRIu64 " bytes of the device", size);
  forget(memory, start, size);
  memory->next = start + size + RED_ZONE;
  *out_start = start;
  return ASSAY_OK;
}

assay_code assay_memory_take(assay_memory *memory, uint64_t size, uint64_t *out_start,
                             assay_error *err) {
  TRY(assay_memory_take_bare(memory, size, out_start, err));
  memset(memory->bytes + *out_start, POISON, size);
  TRY(assay_memory_add(memory, &(assay_record){.start = *out_start, .size = size}, err));
  memory->used += size;
  return ASSAY_OK;
}

// Gives the whole pages of a large block back to the system.
static void give_back(const assay_memory *memory, const assay_record *record) {
  uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
  uint64_t first = round_up(record->start, page);
  uint64_t last = (record->start + record->size) / page * page;
  if (record->size <= KEPT || first >= last)
    return;
  if (mmap(memory->bytes + first, last - first, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
    return; // they stay
}

bool assay_memory_release(assay_memory *memory, uint64_t start) {
  for (size_t at = position(memory, start); at > 0 && memory->records[at - 1].start == start;
       at--) {
    assay_record *record = &memory->records[at - 1];
    if (record->freed)
      continue;
    record->freed = true;
    mark(memory, record);
    if (record->name == NULL)
      memory->used -= record->size;
    record->name = NULL; // of a module that goes
    give_back(memory, record);
    return true;
  }
  return false;
}

const assay_record *assay_memory_nearest(const assay_memory *memory, uint64_t offset) {
  size_t at = position(memory, offset);
  if (at == 0)
    return memory->count > 0 ? &memory->records[0] : NULL;
  const assay_record *before = &memory->records[at - 1];
  if (at == memory->count || offset - before->start < before->size)
    return before;
  const assay_record *after = &memory->records[at];
  return after->start - offset < offset - (before->start + before->size) ? after : before;
}

bool assay_memory_holds(const assay_record *record, uint64_t offset, uint64_t size) {
  return record != NULL && !record->freed && offset >= record->start && size <= record->size &&
         offset - record->start <= record->size - size;
}

static const char *plural(uint64_t count) {
  return count == 1 ? "byte" : "bytes";
}

void assay_memory_describe(const assay_record *record, uint64_t offset, char *text, size_t room) {
  int64_t within = (int64_t)(offset - record->start);
  if (record->name != NULL)
    snprintf(text, room, "at byte %" PRId64 " of the %s %s of %" PRIu64 " %s", within,
             record->constant ? "constant" : "variable", record->name, record->size,
             plural(record->size));
  else
    snprintf(text, room, "at byte %" PRId64 " of an allocation of %" PRIu64 " %s%s", within,
             record->size, plural(record->size), record->freed ? " that was freed" : "");
}
