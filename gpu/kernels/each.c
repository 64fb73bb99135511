// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One thread for each element of a result.
#include "compiler/ir/walk.h"
#include "gpu/kernels/draft.h"
#include "gpu/kernels/kinds.h"

#include <assert.h>
#include <string.h>

enum { MAX_LOOPS = 64, MAX_RESULTS = 64 };

const char *assay_kernel_kind(const assay_structured *of, const char *generic) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(of->operation));
  // "matmul" is what the tiled kernels are called, and measured by.
  if (assay_operation_is(of->operation, "linalg.generic") || assay_contraction_named(of->operation))
    return generic;
  const char *dot = strchr(name.data, '.');
  return dot == NULL ? generic : dot + 1;
}

// A row of loops that carry what the results hold, or that store it at each step where they do not
// stay at one element.
typedef struct nest {
  assay_kernel_draft *draft;
  MlirValue *indices;
  bool carries;
} nest;

static void store_all(assay_kernel_draft *draft, const assay_builder *at,
                      const assay_draft_step *step, const MlirValue values[]) {
  const assay_structured *of = draft->of;
  for (int i = 0; i < of->out_count; i++)
    assay_draft_store(draft, at, of->operand_count - of->out_count + i, step, values[i]);
}

static void add_innermost(const nest *it, const assay_builder *at, MlirValue held[]) {
  assay_draft_step step = {.indices = it->indices};
  MlirValue values[MAX_RESULTS];
  assay_draft_inline(it->draft, at, &step, it->carries ? held : NULL, values);
  if (it->carries)
    memcpy(held, values, (size_t)it->draft->of->out_count * sizeof *held);
  else
    store_all(it->draft, at, &step, values);
}

// held: what the results hold before the loops; becomes what they hold after them.
static void add_loops(const nest *it, const assay_builder *at, int loop, MlirValue held[]) {
  const assay_structured *of = it->draft->of;
  while (loop < of->rank && (!of->reduces[loop] || of->extents[loop] == 1)) {
    if (of->reduces[loop])
      it->indices[loop] = assay_draft_index(at, 0);
    loop++;
  }
  if (loop == of->rank) {
    add_innermost(it, at, held);
    return;
  }
  int count = it->carries ? of->out_count : 0;
  assay_draft_loop made =
      assay_draft_for(at, assay_draft_index(at, 0), of->extents[loop], 1, count, held);
  it->indices[loop] = made.index;
  MlirValue inside[MAX_RESULTS];
  for (int i = 0; i < count; i++)
    inside[i] = mlirBlockGetArgument(made.inside.block, 1 + i);
  add_loops(it, &made.inside, loop + 1, inside);
  assay_draft_yield(&made.inside, count, inside);
  for (int i = 0; i < count; i++)
    held[i] = mlirOperationGetResult(made.operation, i);
}

// What one thread does for its step of the parallel loops.
static void add_step(assay_kernel_draft *draft, const assay_builder *at, MlirValue linear) {
  const assay_structured *of = draft->of;
  MlirValue indices[MAX_LOOPS + 1], values[MAX_RESULTS];
  assert(of->rank <= MAX_LOOPS && of->out_count <= MAX_RESULTS);
  assay_draft_split(draft, at, false, linear, indices);
  assay_draft_step step = {.indices = indices};
  if (!assay_structured_any_reduces(of)) {
    step.linear = linear;
    assay_draft_inline(draft, at, &step, NULL, values);
    store_all(draft, at, &step, values);
    return;
  }
  nest it = {.draft = draft, .indices = indices, .carries = assay_structured_steady(of)};
  for (int i = 0; it.carries && i < of->out_count; i++)
    values[i] = assay_draft_held(draft, at, i, &step);
  add_loops(&it, at, 0, values);
  if (it.carries)
    store_all(draft, at, &step, values);
}

assay_code assay_kernel_each(assay_kernel_maker *maker, const assay_structured *of,
                             assay_error *err) {
  int64_t steps = assay_structured_steps(of, false);
  int64_t warps = (steps + ASSAY_GPU_WARP - 1) / ASSAY_GPU_WARP;
  int64_t threads =
      warps * ASSAY_GPU_WARP < ASSAY_GPU_BLOCK ? warps * ASSAY_GPU_WARP : ASSAY_GPU_BLOCK;
  assay_kernel_draft draft = assay_draft_start(maker, of);
  assay_builder at = draft.body;
  MlirType index = mlirValueGetType(assay_draft_index(&at, 0));
  MlirValue first[] = {assay_draft_block(&at), assay_draft_index(&at, threads)};
  MlirValue number[] = {assay_builder_apply(&at, "arith.muli", index, 2, first),
                        assay_draft_thread(&at)};
  MlirValue linear = assay_builder_apply(&at, "arith.addi", index, 2, number);
  bool guarded = steps % threads != 0;
  if (guarded)
    at = assay_draft_if_below(&at, linear, assay_draft_index(&at, steps));
  add_step(&draft, &at, linear);
  if (guarded)
    assay_draft_yield(&at, 0, NULL);
  const char *generic = assay_structured_any_reduces(of) ? "reduce" : "elementwise";
  assay_kernel_grid grid = {.blocks = (steps + threads - 1) / threads, .threads = threads};
  return assay_draft_finish(&draft, assay_kernel_kind(of, generic), grid, err);
}
