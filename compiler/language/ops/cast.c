// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/language/elementwise.h"

// f64 goes to f16 in one rounding, integers go there by way of f32, as in NumPy.
static const char *conversion(const assay_dtype_info *from, const assay_dtype_info *to) {
  if (from->floating != to->floating) {
    if (from->floating)
      return "arith.fptosi";
    return from->precision == 1 ? "arith.uitofp" : "arith.sitofp";
  }
  if (to->floating)
    return from->size < to->size ? "arith.extf" : "arith.truncf";
  if (from->precision == 1)
    return "arith.extui";
  return from->size < to->size ? "arith.extsi" : "arith.trunci";
}

enum { NE = 1, UNE = 13 }; // predicates of arith.cmpi and arith.cmpf; UNE is true of NaN

static MlirValue element(const assay_element *it) {
  assay_dtype to = it->node->dtype;
  if (to == ASSAY_BOOL) {
    int unequal = assay_dtype_get(it->dtype)->floating ? UNE : NE;
    return assay_builder_compare(it->builder, unequal, it->x[0], assay_element_number(it, 0));
  }
  bool rounds_once = it->dtype == ASSAY_F64 && to == ASSAY_F16;
  MlirType type = rounds_once ? assay_dtype_type(it->builder->context, to) : it->type;
  if (mlirTypeEqual(mlirValueGetType(it->x[0]), type))
    return it->x[0]; // f16 to f32: elements come widened
  return assay_builder_apply(
      it->builder, conversion(assay_dtype_get(it->dtype), assay_dtype_get(to)), type, 1, it->x);
}

static const assay_operation cast = {
    .name = "cast", .emit = assay_elementwise_emit, .element = element};

assay_value assay_cast(assay_graph *graph, assay_value x, assay_dtype dtype) {
  const assay_node *source = assay_graph_operand(graph, &cast, x);
  if (source == NULL)
    return ASSAY_NO_VALUE;
  const assay_scalar *scalar = assay_node_scalar(source);
  if (scalar != NULL)
    return assay_graph_constant(graph, dtype, assay_scalar_cast(scalar, source->dtype, dtype));
  if (source->dtype == dtype)
    return x;
  return assay_elementwise(graph, &cast, dtype, 1, &x);
}
