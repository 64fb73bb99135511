// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/origin/exact_kinds.h"

#include "compiler/bridge/tail_rewrite.h"
#include "compiler/ir/walk.h"
#include "compiler/origin/names.h"
#include "compiler/origin/payload.h"
#include "compiler/origin/slots.h"
#include "compiler/origin/sources.h"
#include "compiler/origin/watched.h"
#include "compiler/rounding/lanes.h"

#include <inttypes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>
#include <string.h>

// As an operand of a step: lanes of a byte each.
static void add_condition(MlirValue condition, const assay_builder *at, assay_shadow_op *op,
                          MlirValue values[]) {
  assay_lanes lanes = {.builder = *at, .count = assay_lanes_of(mlirValueGetType(condition))};
  if (op->operand_count != 2 || lanes.count < 0)
    return;
  MlirType type = assay_lanes_type(&lanes, mlirIntegerTypeGet(at->context, 8));
  values[3] = assay_builder_apply(at, "llvm.zext", type, 1, &condition);
  op->operands[op->operand_count++] = assay_slots_type(type);
  op->kind = ASSAY_SHADOW_MOVE;
  op->number = ASSAY_SHADOW_CHOICE;
}

static const char *behind(const char *text, const char *prefix) {
  size_t length = strlen(prefix);
  return strncmp(text, prefix, length) == 0 ? text + length : NULL;
}

static assay_origin_format small_format(const char *number) {
  return (assay_origin_format)(ASSAY_ORIGIN_F8 + strtol(number, NULL, 10));
}

void assay_exact_complete(MlirOperation operation, const assay_builder *at, MlirSymbolTable symbols,
                          assay_shadow_op *op, MlirValue values[]) {
  char full[192];
  const char *name = assay_watched_name(operation, sizeof full, full);
  const char *narrow = behind(name, "call @" ASSAY_NARROW_FLOAT);
  const char *widen = behind(name, "call @" ASSAY_WIDEN_FLOAT);
  if (strcmp(name, "select") == 0)
    add_condition(mlirOperationGetOperand(operation, 0), at, op, values);
  else if (narrow != NULL)
    op->result.format = small_format(narrow);
  else if (widen != NULL && op->operand_count == 1)
    op->operands[0].format = small_format(widen);
  else if ((op->kind == ASSAY_SHADOW_START || op->kind == ASSAY_SHADOW_MOVE) &&
           !assay_watched_is(operation, symbols))
    op->number = ASSAY_SHADOW_UNFOLLOWED;
}

void assay_quick_print(assay_text *text, MlirType type, const char *type_text) {
  assay_origin_type of = assay_watched_type(type);
  const assay_payload_format *format = assay_payload_of(of.format);
  if (format == NULL)
    return;
  const char *open = of.lanes > 0 ? "dense<" : "", *close = of.lanes > 0 ? ">" : "";
  const char *bits = of.lanes > 0
                         ? assay_arena_format(text->arena, "vector<%dxi%d>", of.lanes, format->bits)
                         : assay_arena_format(text->arena, "i%d", format->bits);
  assay_text_print(text,
                   "  %%bits = llvm.bitcast %%v0 : %s to %s\n"
                   "  %%mask = llvm.mlir.constant(%s%" PRIu64 "%s : %s) : %s\n"
                   "  %%kept = llvm.and %%bits, %%mask : %s\n"
                   "  %%is = llvm.icmp \"eq\" %%kept, %%mask : %s\n",
                   type_text, bits, open, assay_payload_exponent(format), close, bits, bits, bits,
                   bits);
  if (of.lanes > 0)
    assay_text_print(
        text, "  %%any = \"llvm.intr.vector.reduce.or\"(%%is) : (vector<%dxi1>) -> i1\n", of.lanes);
  assay_text_print(text,
                   "  llvm.cond_br %%%s weights([1, 2000]), ^look, ^out\n"
                   "^out:\n  llvm.return\n^look:\n",
                   of.lanes > 0 ? "any" : "is");
}

assay_code assay_exact_sources(MlirModule module, assay_origin_kind kind, MlirModule names,
                               assay_shared *shared, assay_origin_report *report,
                               assay_error *err) {
  assay_operations all = assay_operations_collect(mlirModuleGetOperation(module), NULL);
  assay_operations program = assay_operations_collect(mlirModuleGetOperation(names), NULL);
  assay_code code = assay_sources_mark(&all, kind, shared, report, err);
  for (int i = 0; i < report->constant_count && code == ASSAY_OK; i++)
    code = assay_names_find(&program, shared, NULL, &report->constants[i], err);
  assay_operations_release(&all);
  assay_operations_release(&program);
  return code;
}
