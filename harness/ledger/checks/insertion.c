// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/checks/insertion.h"

#include "compiler/base/text.h"
#include "compiler/lower/pipeline.h"

#include <stdlib.h>
#include <string.h>

// Places in a pipeline at which a pass can stand.
enum {
  ON_TENSORS = 1, // before everything
  ON_BUFFERS = 2, // after bufferization
  ON_LOOPS = 4,   // after linalg has become loops
  ON_BLOCKS = 8,  // after loops have become blocks
  ON_LLVM = 16,   // after everything
  ON_AFFINE = 32, // after linalg has become affine loops, which it otherwise does not
  EVERYWHERE = ON_TENSORS | ON_BUFFERS | ON_LOOPS | ON_BLOCKS,
};

typedef struct inserted {
  const char *name, *text;
  int places;
} inserted;

// Those that name what contractions are taken by stand last.
static const inserted passes[] = {
    {"canonicalize", "canonicalize", EVERYWHERE | ON_LLVM},
    {"cse", "cse", EVERYWHERE | ON_LLVM},
    {"linalg-fuse-elementwise-ops", "linalg-fuse-elementwise-ops", ON_TENSORS},
    {"linalg-fold-unit-extent-dims", "linalg-fold-unit-extent-dims", ON_TENSORS | ON_BUFFERS},
    {"loop-invariant-code-motion", "loop-invariant-code-motion", EVERYWHERE | ON_LLVM},
    {"math-uplift-to-fma", "math-uplift-to-fma", EVERYWHERE},
    {"arith-expand", "arith-expand", EVERYWHERE},
    {"int-range-optimizations", "int-range-optimizations", EVERYWHERE},
    {"affine-loop-tile", "affine-loop-tile{tile-size=4}", ON_AFFINE},
    {"affine-loop-unroll-jam", "affine-loop-unroll-jam", ON_AFFINE},
    {"linalg-generalize-named-ops", "linalg-generalize-named-ops", ON_TENSORS | ON_BUFFERS},
};
enum { PASSES = sizeof passes / sizeof passes[0] };

const char *assay_insertable(int i) {
  return i < PASSES ? passes[i].name : NULL;
}

// The passes inside "builtin.module(...)".
static const char *inside(assay_arena *arena, const char *text) {
  const char *open = strchr(text, '('), *close = strrchr(text, ')');
  return assay_arena_bytes(arena, open + 1, (size_t)(close - open - 1));
}

static bool is_generalizing(const inserted *pass) {
  return strcmp(pass->name, "linalg-generalize-named-ops") == 0;
}

static bool is_several(const char *variant) {
  return strcmp(variant, "all") == 0 || strcmp(variant, "most") == 0;
}

static bool has(const inserted *pass, const char *variant) {
  if (strcmp(variant, "most") == 0)
    return !is_generalizing(pass);
  return strcmp(variant, "all") == 0 || strcmp(pass->name, variant) == 0;
}

// What is inserted at a place, each pass with a comma behind it.
static const char *insertion(assay_arena *arena, const char *variant, int place) {
  assay_text text = {.arena = arena};
  bool affine = false;
  for (int i = 0; i < PASSES; i++) {
    affine |= has(&passes[i], variant) && (passes[i].places & ON_AFFINE) != 0;
    if (!has(&passes[i], variant) || (passes[i].places & place) == 0)
      continue;
    // Within func.func already, or of any operation at the end.
    bool nested = place == ON_LOOPS || place == ON_AFFINE || place == ON_LLVM;
    assay_text_print(&text, nested ? "%s," : "func.func(%s),", passes[i].text);
  }
  // So that affine loops are made of contractions too.
  if (affine && place == ON_BUFFERS && !is_several(variant))
    assay_text_print(&text, "func.func(linalg-generalize-named-ops),");
  if (affine && place == ON_AFFINE)
    assay_text_print(&text, "lower-affine,");
  return assay_text_get(&text);
}

// Copies text up to `at`, which must stand in it; returns what follows.
static const char *copy_until(assay_text *into, const char *text, const char *at) {
  const char *found = strstr(text, at);
  if (found == NULL)
    abort(); // the pipelines have changed: a place to insert at is gone
  assay_text_append(into, text, (size_t)(found - text));
  return found;
}

const char *assay_pipeline_insert(assay_arena *arena, const char *name, const char *variant) {
  static const char loops[] = "convert-linalg-to-loops,";
  const assay_pipeline *pipeline = assay_pipeline_find(name);
  assay_text text = {.arena = arena};
  const char *affine = insertion(arena, variant, ON_AFFINE);
  const char *at = inside(arena, pipeline->stage[1].passes);
  assay_text_print(&text, "builtin.module(%s%s,%s", insertion(arena, variant, ON_TENSORS),
                   inside(arena, pipeline->stage[0].passes), insertion(arena, variant, ON_BUFFERS));
  at = copy_until(&text, at, loops) + strlen(loops);
  assay_text_print(&text, "%s%s%s", affine[0] != '\0' ? "convert-linalg-to-affine-loops," : loops,
                   affine, insertion(arena, variant, ON_LOOPS));
  at = copy_until(&text, at, "expand-strided-metadata");
  const char *end = insertion(arena, variant, ON_LLVM);
  size_t length = strlen(end);
  assay_text_print(&text, "%s%s%s%.*s)", insertion(arena, variant, ON_BLOCKS), at,
                   length > 0 ? "," : "", (int)(length > 0 ? length - 1 : 0), end);
  return assay_text_get(&text);
}
