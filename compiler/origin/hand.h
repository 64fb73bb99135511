// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What hands shadows on as they are, lanes that are known beforehand; of this room only.
#ifndef ASSAY_COMPILER_ORIGIN_HAND_H
#define ASSAY_COMPILER_ORIGIN_HAND_H

#include "compiler/origin/slots.h"

// A call without results.
void assay_hand_call(const assay_builder *at, const char *name, int count,
                     const MlirValue arguments[]);
// So many shadows from one slot to another.
void assay_hand_lanes(const assay_builder *at, MlirValue to, MlirValue from, int lanes);
// What extracts, inserts, freezes or chooses whole values hands theirs on; false of anything else.
bool assay_hand_on(assay_slots *slots, const assay_builder *at, MlirOperation operation);

#endif
