// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where a function keeps the shadows of its values: on its stack; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_SLOTS_H
#define ASSAY_COMPILER_ORIGIN_SLOTS_H

#include "compiler/ir/builder.h"
#include "compiler/origin/origin.h"

typedef struct assay_slot {
  MlirValue value;    // of the program
  MlirValue memory;   // a pointer to the shadows of its lanes
  MlirValue incoming; // of a block's argument: where those who come leave them; else null
} assay_slot;

typedef struct assay_slots {
  assay_slot *items; // by the value's address
  size_t capacity, count;
  assay_builder entry; // where stack memory is taken
  bool bytes;          // have slots too: they may hold floats
} assay_slots;

void assay_slots_release(assay_slots *slots);
// The slot of a value that has shadows, made where it is new; false of any other value.
bool assay_slots_of(assay_slots *slots, MlirValue value, assay_slot *out_slot);
// A part of a value has its slot within the other one's.
void assay_slots_share(assay_slots *slots, MlirValue part, MlirValue memory);

// As assay_watched_type, and for LLVM's arrays of vectors, which are as many lanes as they hold.
assay_origin_type assay_slots_type(MlirType type);
bool assay_slots_has(MlirType type); // floats, in fields of structures too
bool assay_slots_is_byte(MlirType type);
// So many has the slot of a value of the type; 0: such values have none.
int assay_slots_lanes(const assay_slots *slots, MlirType type);

#endif
