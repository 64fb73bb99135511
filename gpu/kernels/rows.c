// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One block for each element of a reduction's result.
#include "compiler/ir/walk.h"
#include "gpu/kernels/combine.h"
#include "gpu/kernels/draft.h"
#include "gpu/kernels/kinds.h"

#include <mlir-c/AffineExpr.h>

enum { MAX_LOOPS = 64, MAX_RESULTS = 64 };

// As many outputs as threads fill a large device: from there on one thread each is enough of them.
enum { ENOUGH_OUTPUTS = 16384 };

// Whether neighbouring outputs read neighbouring elements of some input, so that one thread each
// reads whole sectors of memory while the threads of one output would read one element of each.
static bool reads_across(const assay_structured *of) {
  for (int i = 0; i < of->operand_count - of->out_count; i++) {
    intptr_t axes = mlirAffineMapGetNumResults(of->maps[i]);
    if (axes == 0)
      continue;
    MlirAffineExpr last = mlirAffineMapGetResult(of->maps[i], axes - 1);
    if (!mlirAffineExprIsADim(last))
      continue;
    intptr_t loop = mlirAffineDimExprGetPosition(last);
    if (!of->reduces[loop] && of->extents[loop] >= ASSAY_GPU_WARP)
      return true;
  }
  return false;
}

bool assay_kernel_rows_fit(const assay_structured *of) {
  // Less than a warp's steps leave most of a block idle.
  if (assay_structured_steps(of, true) < ASSAY_GPU_WARP || mlirBlockIsNull(of->body) ||
      of->rank > MAX_LOOPS || of->out_count > MAX_RESULTS)
    return false;
  if (reads_across(of) && assay_structured_steps(of, false) >= ENOUGH_OUTPUTS)
    return false;
  for (int i = 0; i < of->out_count; i++)
    if (!assay_combiner_find(of, i, NULL))
      return false;
  return assay_structured_apart(of) && assay_structured_steady(of);
}

// The thread's share of a row: partial results, which start from what changes nothing.
static void add_share(assay_kernel_draft *draft, MlirValue thread, int64_t threads,
                      MlirValue indices[], const assay_combiner combiners[], MlirValue partial[]) {
  const assay_structured *of = draft->of;
  for (int i = 0; i < of->out_count; i++)
    partial[i] = assay_combiner_neutral(&combiners[i], &draft->body);
  assay_draft_loop loop = assay_draft_for(&draft->body, thread, assay_structured_steps(of, true),
                                          threads, of->out_count, partial);
  assay_draft_split(draft, &loop.inside, true, loop.index, indices);
  MlirValue held[MAX_RESULTS], next[MAX_RESULTS];
  for (int i = 0; i < of->out_count; i++)
    held[i] = mlirBlockGetArgument(loop.inside.block, 1 + i);
  assay_draft_step step = {.indices = indices};
  assay_draft_inline(draft, &loop.inside, &step, held, next);
  assay_draft_yield(&loop.inside, of->out_count, next);
  for (int i = 0; i < of->out_count; i++)
    partial[i] = mlirOperationGetResult(loop.operation, i);
}

// What the result's element held before counts once.
static void add_end(assay_kernel_draft *draft, MlirValue thread, const MlirValue indices[],
                    const assay_combiner combiners[], const MlirValue totals[]) {
  const assay_structured *of = draft->of;
  assay_builder at = assay_draft_if_below(&draft->body, thread, assay_draft_index(&draft->body, 1));
  assay_draft_step step = {.indices = indices};
  for (int i = 0; i < of->out_count; i++) {
    int operand = of->operand_count - of->out_count + i;
    MlirValue before = assay_draft_held(draft, &at, i, &step);
    assay_draft_store(draft, &at, operand, &step,
                      assay_combiner_apply(&combiners[i], &at, before, totals[i]));
  }
  assay_draft_yield(&at, 0, NULL);
}

assay_code assay_kernel_rows(assay_kernel_maker *maker, const assay_structured *of,
                             assay_error *err) {
  int64_t steps = assay_structured_steps(of, true);
  int64_t warps = (steps + ASSAY_GPU_WARP - 1) / ASSAY_GPU_WARP;
  int64_t most = ASSAY_GPU_BLOCK / ASSAY_GPU_WARP;
  int64_t threads = ASSAY_GPU_WARP * (warps < most ? warps : most);
  assay_combiner combiners[MAX_RESULTS];
  for (int i = 0; i < of->out_count; i++)
    if (!assay_combiner_find(of, i, &combiners[i]))
      return assay_fail(err, ASSAY_UNSUPPORTED, "a reduction whose results cannot be regrouped");
  assay_kernel_draft draft = assay_draft_start(maker, of);
  MlirValue indices[MAX_LOOPS + 1], values[MAX_RESULTS] = {{NULL}};
  assay_draft_split(&draft, &draft.body, false, assay_draft_block(&draft.body), indices);
  MlirValue thread = assay_draft_thread(&draft.body);
  add_share(&draft, thread, threads, indices, combiners, values);
  for (int i = 0; i < of->out_count; i++)
    values[i] = assay_combiner_all(&combiners[i], &draft.body, values[i]);
  add_end(&draft, thread, indices, combiners, values);
  for (int i = 0; i < of->out_count; i++)
    mlirOperationDestroy(combiners[i].operation);
  assay_kernel_grid grid = {.blocks = assay_structured_steps(of, false), .threads = threads};
  return assay_draft_finish(&draft, assay_kernel_kind(of, "reduce"), grid, err);
}
