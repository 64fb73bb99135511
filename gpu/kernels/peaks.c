// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/peaks.h"

#include "compiler/base/text.h"

static void write_head(assay_text *text, const char *name, const char *parameters) {
  assay_text_print(text,
                   "  gpu.func @%s(%s) kernel attributes {known_block_size = array<i32: %d, 1, 1>} "
                   "{\n"
                   "    %%block = gpu.block_id x\n"
                   "    %%thread = gpu.thread_id x\n"
                   "    %%block64 = arith.index_cast %%block : index to i64\n"
                   "    %%thread64 = arith.index_cast %%thread : index to i64\n",
                   name, parameters, ASSAY_PEAK_THREADS);
}

// %start0, %start1, ...
static void write_starts(assay_text *text, const char *type) {
  assay_text_print(text, "    %%number = arith.sitofp %%thread64 : i64 to %s\n", type);
  for (int i = 0; i < ASSAY_PEAK_CHAINS; i++) {
    assay_text_print(text, "    %%offset%d = arith.constant %d.0 : %s\n", i, i, type);
    assay_text_print(text, "    %%start%d = arith.addf %%number, %%offset%d : %s\n", i, i, type);
  }
}

// The chains side by side, so that no product waits for the one that is written before it.
static void write_loop(assay_text *text, const char *type) {
  assay_text_print(text, "    %%zero = arith.constant 0 : index\n"
                         "    %%one = arith.constant 1 : index\n"
                         "    %%count = arith.index_cast %%steps : i64 to index\n");
  assay_text_print(text, "    %%end:%d = scf.for %%i = %%zero to %%count step %%one iter_args(",
                   ASSAY_PEAK_CHAINS);
  for (int i = 0; i < ASSAY_PEAK_CHAINS; i++)
    assay_text_print(text, "%s%%x%d_0 = %%start%d", i > 0 ? ", " : "", i, i);
  assay_text_print(text, ") -> (");
  for (int i = 0; i < ASSAY_PEAK_CHAINS; i++)
    assay_text_print(text, "%s%s", i > 0 ? ", " : "", type);
  assay_text_print(text, ") {\n");
  for (int r = 0; r < ASSAY_PEAK_REPEATS; r++)
    for (int i = 0; i < ASSAY_PEAK_CHAINS; i++)
      assay_text_print(text, "      %%x%d_%d = math.fma %%x%d_%d, %%factor, %%term : %s\n", i,
                       r + 1, i, r, type);
  assay_text_print(text, "      scf.yield ");
  for (int i = 0; i < ASSAY_PEAK_CHAINS; i++)
    assay_text_print(text, "%s%%x%d_%d", i > 0 ? ", " : "", i, ASSAY_PEAK_REPEATS);
  assay_text_print(text, " : ");
  for (int i = 0; i < ASSAY_PEAK_CHAINS; i++)
    assay_text_print(text, "%s%s", i > 0 ? ", " : "", type);
  assay_text_print(text, "\n    }\n");
}

// Of each thread, so that no compiler leaves anything out.
static void write_sum(assay_text *text, const char *type) {
  assay_text_print(text, "    %%sum0 = arith.addf %%end#0, %%end#1 : %s\n", type);
  for (int i = 2; i < ASSAY_PEAK_CHAINS; i++)
    assay_text_print(text, "    %%sum%d = arith.addf %%sum%d, %%end#%d : %s\n", i - 1, i - 2, i,
                     type);
  assay_text_print(text,
                   "    %%threads = arith.constant %d : i64\n"
                   "    %%first = arith.muli %%block64, %%threads : i64\n"
                   "    %%place = arith.addi %%first, %%thread64 : i64\n"
                   "    %%at = llvm.getelementptr %%out[%%place] : (!llvm.ptr<1>, i64) -> "
                   "!llvm.ptr<1>, %s\n"
                   "    llvm.store %%sum%d, %%at : %s, !llvm.ptr<1>\n"
                   "    gpu.return\n  }\n",
                   ASSAY_PEAK_THREADS, type, ASSAY_PEAK_CHAINS - 2, type);
}

static void write_fma(assay_text *text, const char *type) {
  assay_arena *arena = text->arena;
  write_head(text, assay_arena_format(arena, "fma_%s", type),
             assay_arena_format(
                 arena, "%%out: !llvm.ptr<1>, %%steps: i64, %%factor: %s, %%term: %s", type, type));
  write_starts(text, type);
  write_loop(text, type);
  write_sum(text, type);
}

// An access of a thread is a vector behind that of the thread before it. All loads come first, so
// that they are on their way together.
static void write_triad(assay_text *text) {
  static const char *const loaded[] = {"b", "c"};
  const char *vector = assay_arena_format(text->arena, "vector<%dxf32>", ASSAY_PEAK_LANES);
  int bytes = ASSAY_PEAK_LANES * (int)sizeof(float);
  write_head(text, "triad", "%a: !llvm.ptr<1>, %b: !llvm.ptr<1>, %c: !llvm.ptr<1>, %factor: f32");
  assay_text_print(text,
                   "    %%factors = vector.broadcast %%factor : f32 to %s\n"
                   "    %%extent = arith.constant %d : i64\n"
                   "    %%first = arith.muli %%block64, %%extent : i64\n"
                   "    %%place0 = arith.addi %%first, %%thread64 : i64\n"
                   "    %%threads = arith.constant %d : i64\n",
                   vector, ASSAY_PEAK_THREADS * ASSAY_PEAK_ACCESSES, ASSAY_PEAK_THREADS);
  for (int i = 1; i < ASSAY_PEAK_ACCESSES; i++)
    assay_text_print(text, "    %%place%d = arith.addi %%place%d, %%threads : i64\n", i, i - 1);
  for (int i = 0; i < ASSAY_PEAK_ACCESSES; i++)
    for (int j = 0; j < 2; j++)
      assay_text_print(text,
                       "    %%at_%s%d = llvm.getelementptr %%%s[%%place%d] : (!llvm.ptr<1>, i64) "
                       "-> !llvm.ptr<1>, %s\n"
                       "    %%%s%d = llvm.load %%at_%s%d {alignment = %d : i64} : !llvm.ptr<1> -> "
                       "%s\n",
                       loaded[j], i, loaded[j], i, vector, loaded[j], i, loaded[j], i, bytes,
                       vector);
  for (int i = 0; i < ASSAY_PEAK_ACCESSES; i++)
    assay_text_print(text,
                     "    %%a%d = vector.fma %%c%d, %%factors, %%b%d : %s\n"
                     "    %%at_a%d = llvm.getelementptr %%a[%%place%d] : (!llvm.ptr<1>, i64) -> "
                     "!llvm.ptr<1>, %s\n"
                     "    llvm.store %%a%d, %%at_a%d {alignment = %d : i64} : %s, !llvm.ptr<1>\n",
                     i, i, i, vector, i, i, vector, i, i, bytes, vector);
  assay_text_print(text, "    gpu.return\n  }\n");
}

const char *assay_peak_kernels(assay_arena *arena) {
  assay_text text = {.arena = arena};
  assay_text_print(&text, "gpu.module @peaks {\n");
  write_fma(&text, "f32");
  write_fma(&text, "f64");
  write_triad(&text);
  assay_text_print(&text, "}\n");
  return assay_text_get(&text);
}
