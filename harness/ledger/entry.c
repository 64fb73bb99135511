// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/entry.h"

#include "compiler/base/text.h"

#include <string.h>

static const assay_function_state *find(const assay_snapshot *module, const char *name) {
  for (int i = 0; i < module->function_count; i++)
    if (strcmp(module->functions[i].name, name) == 0)
      return &module->functions[i];
  return NULL;
}

// The nearest name, else those there are: "; did you mean @main?", "; there are @a, @b and 7 more".
static const char *suggest(const assay_snapshot *module, const char *name, assay_arena *arena) {
  enum { MOST = 5 };
  int count = module->function_count;
  const char **names = assay_arena_take(arena, (size_t)count + 1, sizeof *names);
  for (int i = 0; i < count; i++)
    names[i] = module->functions[i].name;
  const char *nearest = assay_nearest(name, names, (size_t)count);
  if (nearest != NULL)
    return assay_arena_format(arena, "; did you mean @%s?", nearest);
  int shown = count <= MOST ? count : MOST - 1;
  assay_text text = {.arena = arena};
  assay_text_print(&text, "; there %s ", count == 1 ? "is" : "are");
  for (int i = 0; i < shown; i++) {
    bool last = i > 0 && i == count - 1;
    assay_text_print(&text, "%s@%s", last ? " and " : i > 0 ? ", " : "", names[i]);
  }
  if (shown < count)
    assay_text_print(&text, " and %d more", count - shown);
  return count > 0 ? assay_text_get(&text) : "; there is none at all";
}

const assay_function_state *assay_entry_find(const assay_snapshot *module, const char *name,
                                             assay_arena *arena, const char **out_reason) {
  const assay_function_state *found = find(module, name != NULL ? name : "main");
  if (found != NULL)
    return found;
  if (name != NULL) {
    *out_reason = assay_arena_format(arena, "no function @%s with a body%s", name,
                                     suggest(module, name, arena));
    return NULL;
  }
  for (int i = 0; i < module->function_count; i++) {
    const assay_function_state *function = &module->functions[i];
    if (!function->is_public)
      continue;
    if (found != NULL) {
      *out_reason =
          assay_arena_format(arena, "@%s and @%s are both public: say --entry NAME or --entry all",
                             found->name, function->name);
      return NULL;
    }
    found = function;
  }
  if (found == NULL)
    *out_reason = "no public function with a body";
  return found;
}
