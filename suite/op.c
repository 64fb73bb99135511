// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "suite/op.h"

#include "compiler/base/text.h"

#include <assert.h>
#include <string.h>

// Generated from the file names in ops/.
extern const assay_suite_op *const assay_suite_op_table[];

const assay_suite_op *const *assay_suite_ops_get(void) {
  return assay_suite_op_table;
}

const assay_suite_op *assay_suite_op_find(const char *name) {
  for (size_t i = 0; assay_suite_op_table[i] != NULL; i++)
    if (strcmp(assay_suite_op_table[i]->name, name) == 0)
      return assay_suite_op_table[i];
  return NULL;
}

const char *assay_suite_op_nearest(assay_arena *arena, const char *name) {
  size_t count = 0;
  while (assay_suite_op_table[count] != NULL)
    count++;
  const char **names = assay_arena_take(arena, count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = assay_suite_op_table[i]->name;
  return assay_nearest(name, names, count);
}

static const assay_param *value_of(const assay_params *params, const char *key,
                                   assay_key_kind kind) {
  const assay_key *keys = params->op->keys;
  int i = 0;
  while (keys[i].name != NULL && strcmp(keys[i].name, key) != 0)
    i++;
  assert(keys[i].name != NULL && keys[i].kind == kind);
  (void)kind;
  return &params->value[i];
}

int64_t assay_params_size(const assay_params *params, const char *key) {
  return value_of(params, key, ASSAY_KEY_SIZE)->size;
}

assay_dtype assay_params_dtype(const assay_params *params, const char *key) {
  return value_of(params, key, ASSAY_KEY_DTYPE)->dtype;
}

const char *assay_params_choice(const assay_params *params, const char *key) {
  return value_of(params, key, ASSAY_KEY_CHOICE)->choice;
}

assay_shape assay_params_dims(const assay_params *params, const char *key) {
  return value_of(params, key, ASSAY_KEY_DIMS)->dims;
}

assay_precision assay_params_precision(const assay_params *params) {
  bool is_tf32 = strcmp(assay_params_choice(params, "precision"), "tf32") == 0;
  return is_tf32 ? ASSAY_PRECISION_TF32 : ASSAY_PRECISION_EXACT;
}
