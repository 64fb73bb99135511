// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/warm.h"

#include <string.h>

static const char PROGRAM[] =
    "#map = affine_map<(i, j) -> (i, j)>\n"
    "func.func @main(%a: tensor<3x4xf32>, %b: tensor<4x3xf32>, %m: memref<3xf32>) -> "
    "tensor<3x3xf32> {\n"
    "  %z = arith.constant 0.0 : f32\n"
    "  %first = arith.constant 0 : index\n"
    "  %step = arith.constant 1 : index\n"
    "  %last = arith.constant 3 : index\n"
    "  %e = tensor.empty() : tensor<3x3xf32>\n"
    "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3x3xf32>) -> tensor<3x3xf32>\n"
    "  %p = linalg.matmul ins(%a, %b : tensor<3x4xf32>, tensor<4x3xf32>) outs(%f : tensor<3x3xf32>)"
    " -> tensor<3x3xf32>\n"
    "  %g = linalg.generic {indexing_maps = [#map, #map],\n"
    "      iterator_types = [\"parallel\", \"parallel\"]}\n"
    "      ins(%p : tensor<3x3xf32>) outs(%e : tensor<3x3xf32>) {\n"
    "  ^bb0(%x: f32, %o: f32):\n"
    "    %t = math.tanh %x : f32\n"
    "    %d = arith.divf %t, %x : f32\n"
    "    linalg.yield %d : f32\n"
    "  } -> tensor<3x3xf32>\n"
    "  scf.for %i = %first to %last step %step {\n"
    "    memref.store %z, %m[%i] : memref<3xf32>\n"
    "  }\n"
    "  return %g : tensor<3x3xf32>\n"
    "}\n";

static void finish(const assay_ledger_request *request, const assay_snapshot *state,
                   assay_tail tail, assay_instrument instrument) {
  const char *type = state->functions[0].type;
  const assay_tail_request asked = {.context = request->context,
                                    .state = state,
                                    .entry = "main",
                                    .input_type = type,
                                    .last_type = type,
                                    .tail = tail,
                                    .instrument = instrument};
  assay_tail_answer answer = {0};
  assay_error ignored;
  (void)!assay_tail_execute(&asked, request->shared, &answer, &ignored);
}

void assay_reduce_warm(const assay_ledger_request *request) {
  MlirModule module =
      mlirModuleCreateParse(request->context, mlirStringRefCreateFromCString(PROGRAM));
  const assay_snapshot *state;
  assay_error ignored;
  if (mlirModuleIsNull(module))
    return;
  if (assay_snapshot_take(module, request->shared, &state, &ignored) == ASSAY_OK) {
    finish(request, state, ASSAY_TAIL_FIRST, ASSAY_INSTRUMENT_NONE);
    finish(request, state, ASSAY_TAIL_SECOND, ASSAY_INSTRUMENT_NONE);
    finish(request, state, ASSAY_TAIL_FIRST, ASSAY_INSTRUMENT_ROUNDING);
  }
  mlirModuleDestroy(module);
}
