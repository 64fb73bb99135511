// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/combine.h"

#include "compiler/ir/walk.h"

#include <math.h>
#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>

typedef enum neutral_kind { ZERO, ONE, LOWEST, HIGHEST, ONES, NONE } neutral_kind;

// How an operation is called by gpu.all_reduce, and what it takes no notice of.
struct assay_combining {
  const char *name, *word;
  neutral_kind neutral;
  const char *wider; // how integers that a warp cannot exchange are made wider
};

static const struct assay_combining combining[] = {
    {"arith.addf", "add", ZERO, NULL},
    {"arith.mulf", "mul", ONE, NULL},
    {"arith.maximumf", "maximumf", LOWEST, NULL},
    {"arith.minimumf", "minimumf", HIGHEST, NULL},
    {"arith.maxnumf", "maxnumf", NONE, NULL},
    {"arith.minnumf", "minnumf", NONE, NULL},
    {"arith.addi", "add", ZERO, "arith.extui"},
    {"arith.muli", "mul", ONE, "arith.extui"},
    {"arith.maxsi", "maxsi", LOWEST, "arith.extsi"},
    {"arith.minsi", "minsi", HIGHEST, "arith.extsi"},
    {"arith.maxui", "maxui", ZERO, "arith.extui"},
    {"arith.minui", "minui", ONES, "arith.extui"},
    {"arith.andi", "and", ONES, "arith.extui"},
    {"arith.ori", "or", ZERO, "arith.extui"},
    {"arith.xori", "xor", ZERO, "arith.extui"},
};

static const struct assay_combining *find_known(MlirOperation operation) {
  for (size_t i = 0; i < sizeof combining / sizeof *combining; i++)
    if (assay_operation_is(operation, combining[i].name))
      return &combining[i];
  return NULL;
}

static bool is_known_type(MlirType type) {
  return mlirTypeIsAF16(type) || mlirTypeIsABF16(type) || mlirTypeIsAF32(type) ||
         mlirTypeIsAF64(type) || (mlirTypeIsAInteger(type) && mlirIntegerTypeGetWidth(type) <= 64);
}

static bool used_once(MlirValue value) {
  MlirOpOperand use = mlirValueGetFirstUse(value);
  return !mlirOpOperandIsNull(use) && mlirOpOperandIsNull(mlirOpOperandGetNextUse(use));
}

bool assay_combiner_find(const assay_structured *of, int result, assay_combiner *out_combiner) {
  MlirValue value = mlirOperationGetOperand(mlirBlockGetTerminator(of->body), result);
  MlirValue held = mlirBlockGetArgument(of->body, of->operand_count - of->out_count + result);
  if (!mlirValueIsAOpResult(value) || !used_once(value) || !used_once(held) ||
      !is_known_type(mlirValueGetType(value)))
    return false;
  MlirOperation operation = mlirOpResultGetOwner(value);
  const struct assay_combining *known = find_known(operation);
  MlirOpOperand use = mlirValueGetFirstUse(held);
  if (known == NULL || !mlirBlockEqual(mlirOperationGetBlock(operation), of->body) ||
      !mlirOperationEqual(mlirOpOperandGetOwner(use), operation))
    return false;
  if (out_combiner != NULL)
    *out_combiner = (assay_combiner){.operation = mlirOperationClone(operation),
                                     .known = known,
                                     .held = mlirOpOperandGetOperandNumber(use)};
  return true;
}

static double floating(neutral_kind neutral) {
  switch (neutral) {
  case ONE:
    return 1;
  case LOWEST:
    return -INFINITY;
  case HIGHEST:
    return INFINITY;
  case NONE:
    return NAN;
  default:
    return -0.0; // +0 would turn a sum of nothing but -0 into +0
  }
}

static int64_t whole(neutral_kind neutral, unsigned width) {
  switch (neutral) {
  case ONE:
    return 1;
  case LOWEST:
    return -(INT64_MAX >> (64 - width)) - 1;
  case HIGHEST:
    return INT64_MAX >> (64 - width);
  case ONES:
    return -1;
  default:
    return 0;
  }
}

MlirValue assay_combiner_neutral(const assay_combiner *combiner, const assay_builder *at) {
  MlirType type = mlirValueGetType(mlirOperationGetResult(combiner->operation, 0));
  neutral_kind neutral = combiner->known->neutral;
  return assay_builder_constant(
      at, mlirTypeIsAInteger(type)
              ? mlirIntegerAttrGet(type, whole(neutral, mlirIntegerTypeGetWidth(type)))
              : mlirFloatAttrDoubleGet(at->context, type, floating(neutral)));
}

MlirValue assay_combiner_apply(const assay_combiner *combiner, const assay_builder *at,
                               MlirValue held, MlirValue value) {
  MlirOperation copy = mlirOperationClone(combiner->operation);
  mlirOperationSetOperand(copy, combiner->held, held);
  mlirOperationSetOperand(copy, 1 - combiner->held, value);
  mlirBlockAppendOwnedOperation(at->block, copy);
  return mlirOperationGetResult(copy, 0);
}

// A warp exchanges 32 or 64 bits: others become 32 on the way.
static MlirType exchanged_type(MlirType type) {
  MlirContext context = mlirTypeGetContext(type);
  if (!mlirTypeIsAInteger(type))
    return mlirTypeIsAF64(type) ? type : mlirF32TypeGet(context);
  unsigned width = mlirIntegerTypeGetWidth(type);
  return width == 64 ? type : mlirIntegerTypeGet(context, width <= 32 ? 32 : 64);
}

static MlirAttribute reduction_of(MlirContext context, const struct assay_combining *known) {
  char text[64];
  snprintf(text, sizeof text, "#gpu<all_reduce_op %s>", known->word);
  return mlirAttributeParseGet(context, mlirStringRefCreateFromCString(text));
}

const char *assay_combining_name(MlirOperation all_reduce) {
  MlirAttribute op =
      mlirOperationGetAttributeByName(all_reduce, mlirStringRefCreateFromCString("op"));
  bool is_integer = mlirTypeIsAInteger(mlirValueGetType(mlirOperationGetResult(all_reduce, 0)));
  for (size_t i = 0; i < sizeof combining / sizeof *combining; i++)
    if (is_integer == (combining[i].wider != NULL) &&
        mlirAttributeEqual(reduction_of(mlirOperationGetContext(all_reduce), &combining[i]), op))
      return combining[i].name;
  return NULL;
}

MlirValue assay_combiner_all(const assay_combiner *combiner, const assay_builder *at,
                             MlirValue value) {
  MlirType type = mlirValueGetType(value), exchanged = exchanged_type(type);
  bool widened = !mlirTypeEqual(type, exchanged), is_integer = mlirTypeIsAInteger(type);
  if (widened)
    value = assay_builder_apply(at, is_integer ? combiner->known->wider : "arith.extf", exchanged,
                                1, &value);
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(at, "op", reduction_of(at->context, combiner->known)),
      assay_builder_attribute(at, "uniform", mlirUnitAttrGet(at->context)),
  };
  value = assay_builder_add_value(at, &(assay_recipe){.name = "gpu.all_reduce",
                                                      .operand_count = 1,
                                                      .operands = &value,
                                                      .attribute_count = 2,
                                                      .attributes = attributes,
                                                      .result_count = 1,
                                                      .results = &exchanged,
                                                      .region_count = 1});
  if (!widened)
    return value;
  return assay_builder_apply(at, is_integer ? "arith.trunci" : "arith.truncf", type, 1, &value);
}
