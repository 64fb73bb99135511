// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/slots.h"

#include "compiler/ir/excerpt.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/shadow.h"
#include "compiler/origin/structs.h"
#include "compiler/origin/watched.h"
#include "compiler/rounding/lanes.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Dialect/LLVM.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// "!llvm.array<2 x array<3 x vector<4xf32>>>": the C API does not say how many elements there are.
static assay_origin_type array_type(MlirType type) {
  const assay_origin_type none = {.format = ASSAY_ORIGIN_OTHER};
  assay_excerpt printed = {.length = 0};
  mlirTypePrint(type, assay_excerpt_append, &printed);
  static const char prefix[] = "array<";
  const char *at = strncmp(printed.text, "!llvm.", 6) == 0 ? printed.text + 6 : "";
  int64_t lanes = 1;
  while (strncmp(at, prefix, sizeof prefix - 1) == 0) {
    char *end;
    lanes *= strtoll(at + sizeof prefix - 1, &end, 10);
    at = end + strspn(end, " x");
    if (lanes <= 0 || lanes > 1 << 16)
      return none;
  }
  if (at == printed.text + 6 || *at == '\0')
    return none;
  char element[128];
  bool is_vector = strncmp(at, "vector<", 7) == 0;
  int length = (int)strcspn(at, ">");
  snprintf(element, sizeof element, "%.*s%s", length, at, is_vector ? ">" : "");
  MlirType inner =
      mlirTypeParseGet(mlirTypeGetContext(type), mlirStringRefCreateFromCString(element));
  if (mlirTypeIsNull(inner))
    return none;
  assay_origin_type made = assay_watched_type(inner);
  if (made.lanes > 0 && (made.lanes & (made.lanes - 1)) != 0)
    return none; // there is space between its vectors
  made.lanes = (int)lanes * (made.lanes > 0 ? made.lanes : 1);
  return made;
}

static bool is_array(MlirType type) {
  return mlirStringRefEqual(mlirDialectGetNamespace(mlirTypeGetDialect(type)),
                            mlirStringRefCreateFromCString("llvm")) &&
         !mlirTypeIsALLVMStructType(type) && !mlirTypeIsALLVMPointerType(type);
}

assay_origin_type assay_slots_type(MlirType type) {
  return is_array(type) ? array_type(type) : assay_watched_type(type);
}

bool assay_slots_has(MlirType type) {
  return assay_fields_lanes(type) > 0;
}

bool assay_slots_is_byte(MlirType type) {
  assay_origin_type of = assay_slots_type(type);
  return of.format == ASSAY_ORIGIN_SIGNED && of.bytes == 1;
}

void assay_slots_release(assay_slots *slots) {
  free(slots->items);
  *slots = (assay_slots){.items = NULL};
}

static assay_slot *find(const assay_slots *slots, MlirValue value) {
  size_t mask = slots->capacity - 1;
  size_t at = (size_t)((uintptr_t)value.ptr * UINT64_C(0x9e3779b97f4a7c15) >> 20) & mask;
  while (!mlirValueIsNull(slots->items[at].value) && !mlirValueEqual(slots->items[at].value, value))
    at = (at + 1) & mask;
  return &slots->items[at];
}

static void grow(assay_slots *slots) {
  assay_slots before = *slots;
  slots->capacity = before.capacity == 0 ? 256 : 2 * before.capacity;
  slots->items = calloc(slots->capacity, sizeof *slots->items);
  if (slots->items == NULL)
    abort();
  for (size_t i = 0; i < before.capacity; i++)
    if (!mlirValueIsNull(before.items[i].value))
      *find(slots, before.items[i].value) = before.items[i];
  free(before.items);
}

static assay_slot *find_or_grow(assay_slots *slots, MlirValue value) {
  if (2 * (slots->count + 1) > slots->capacity)
    grow(slots);
  return find(slots, value);
}

static MlirValue take_memory(const assay_builder *at, int lanes) {
  MlirType pointer = mlirLLVMPointerTypeGet(at->context, 0);
  MlirType wide = mlirIntegerTypeGet(at->context, 128); // aligned as a shadow is
  const assay_lanes scalar = {.builder = *at};
  int64_t words = (int64_t)lanes * ASSAY_SHADOW_BYTES / 16;
  MlirValue count = assay_lanes_whole(&scalar, (uint64_t)words);
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(at, "elem_type", mlirTypeAttrGet(wide)),
      assay_builder_attribute(at, "alignment",
                              mlirIntegerAttrGet(mlirIntegerTypeGet(at->context, 64), 16)),
  };
  return assay_builder_add_value(at, &(assay_recipe){.name = "llvm.alloca",
                                                     .operand_count = 1,
                                                     .operands = &count,
                                                     .attribute_count = 2,
                                                     .attributes = attributes,
                                                     .result_count = 1,
                                                     .results = &pointer});
}

int assay_slots_lanes(const assay_slots *slots, MlirType type) {
  if (!slots->bytes || !assay_slots_is_byte(type))
    return assay_fields_lanes(type);
  int lanes = assay_slots_type(type).lanes;
  return lanes == 0 ? 1 : lanes;
}

bool assay_slots_of(assay_slots *slots, MlirValue value, assay_slot *out_slot) {
  int lanes = assay_slots_lanes(slots, mlirValueGetType(value));
  if (lanes == 0)
    return false;
  assay_slot *slot = find_or_grow(slots, value);
  if (mlirValueIsNull(slot->value)) {
    slots->count++;
    *slot = (assay_slot){.value = value, .memory = take_memory(&slots->entry, lanes)};
    if (mlirValueIsABlockArgument(value))
      slot->incoming = take_memory(&slots->entry, lanes);
  }
  *out_slot = *slot;
  return true;
}

void assay_slots_share(assay_slots *slots, MlirValue part, MlirValue memory) {
  assay_slot *slot = find_or_grow(slots, part);
  slots->count += mlirValueIsNull(slot->value);
  *slot = (assay_slot){.value = part, .memory = memory};
}
