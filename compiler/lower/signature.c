// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/signature.h"

#include "compiler/ir/excerpt.h"
#include "compiler/language/operation.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdlib.h>

static MlirType memref_of(MlirContext context, const assay_node *node) {
  MlirType element = assay_dtype_type(context, node->dtype);
  return mlirMemRefTypeContiguousGet(element, node->shape.rank, node->shape.dim,
                                     mlirAttributeGetNull());
}

static MlirType expected_type(MlirContext context, const assay_program *program) {
  int inputs = program->input_count, count = inputs + program->result_count;
  MlirType *types = calloc((size_t)count, sizeof *types);
  if (types == NULL)
    abort();
  for (int i = 0; i < count; i++) {
    int number = i < inputs ? program->inputs[i] : program->results[i - inputs];
    types[i] = memref_of(context, &program->nodes[number]);
  }
  MlirType type = mlirFunctionTypeGet(context, count, types, 0, NULL);
  free(types);
  return type;
}

static assay_excerpt print_type(MlirType type) {
  assay_excerpt out = {.length = 0};
  mlirTypePrint(type, assay_excerpt_append, &out);
  return out;
}

assay_code assay_signature_check(MlirModule module, const assay_program *program,
                                 assay_error *err) {
  MlirOperation operation = mlirModuleGetOperation(module);
  MlirSymbolTable symbols = mlirSymbolTableCreate(operation);
  MlirOperation main_function =
      mlirSymbolTableLookup(symbols, mlirStringRefCreateFromCString("main"));
  mlirSymbolTableDestroy(symbols);
  if (mlirOperationIsNull(main_function))
    return assay_fail(err, ASSAY_FAILED, "the bufferized module has no @main");
  MlirType actual = mlirTypeAttrGetValue(mlirOperationGetAttributeByName(
      main_function, mlirStringRefCreateFromCString("function_type")));
  MlirType expected = expected_type(mlirOperationGetContext(operation), program);
  if (mlirTypeEqual(actual, expected))
    return ASSAY_OK;
  return assay_fail(err, ASSAY_FAILED, "bufferized @main is %s, expected %s",
                    print_type(actual).text, print_type(expected).text);
}
