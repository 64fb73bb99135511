// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Questions about finished programs.
#include "compiler/language/operation.h"

#include <string.h>

assay_contractions assay_program_contractions(const assay_program *program) {
  assay_contractions result = {0, 0};
  for (int i = 0; i < program->node_count; i++) {
    const assay_node *node = &program->nodes[i];
    if (!node->operation->contraction)
      continue;
    result.all++;
    result.floating += assay_dtype_get(node->dtype)->floating;
  }
  return result;
}

// Counts are hashed before what they count, so that no two programs give the same sequence of
// bytes.
static uint64_t hash_numbers(uint64_t hash, int count, const int numbers[]) {
  hash = assay_hash_bytes(hash, &count, sizeof count);
  return assay_hash_bytes(hash, numbers, (size_t)count * sizeof *numbers);
}

static uint64_t hash_node(uint64_t hash, const assay_node *node) {
  hash = assay_hash_bytes(hash, node->operation->name, strlen(node->operation->name) + 1);
  hash = hash_numbers(hash, node->operand_count, node->operand);
  int kind[] = {(int)node->dtype, node->shape.rank};
  hash = hash_numbers(hash, 2, kind);
  hash = assay_hash_bytes(hash, node->shape.dim, (size_t)node->shape.rank * sizeof(int64_t));
  return node->operation->hash != NULL ? node->operation->hash(hash, node) : hash;
}

uint64_t assay_program_fingerprint(const assay_program *program) {
  uint64_t hash = ASSAY_HASH_START;
  hash = hash_numbers(hash, program->input_count, program->inputs);
  hash = hash_numbers(hash, program->result_count, program->results);
  for (int i = 0; i < program->node_count; i++)
    hash = hash_node(hash, &program->nodes[i]);
  return hash;
}
