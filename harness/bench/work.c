// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/work.h"

#include "compiler/language/operation.h"

static double elements(const assay_shape *shape) {
  double count = 1;
  for (int i = 0; i < shape->rank; i++)
    count *= (double)shape->dim[i];
  return count;
}

static double bytes_of(const assay_node *node) {
  return elements(&node->shape) * (double)assay_dtype_get(node->dtype)->size;
}

assay_work assay_work_of(const assay_program *program) {
  double flop[2] = {0}; // in at most 32 bits, in 64
  assay_work work = {0};
  for (int i = 0; i < program->node_count; i++) {
    const assay_node *node = &program->nodes[i];
    if (!node->operation->contraction || !assay_dtype_get(node->dtype)->floating)
      continue;
    const assay_shape *lhs = &program->nodes[node->operand[0]].shape;
    flop[node->dtype == ASSAY_F64] += 2 * elements(&node->shape) * (double)lhs->dim[lhs->rank - 1];
  }
  for (int i = 0; i < program->input_count; i++)
    work.bytes += bytes_of(&program->nodes[program->inputs[i]]);
  for (int i = 0; i < program->result_count; i++)
    work.bytes += bytes_of(&program->nodes[program->results[i]]);
  work.flop = flop[0] + flop[1];
  work.wide = flop[1] > flop[0];
  return work;
}
