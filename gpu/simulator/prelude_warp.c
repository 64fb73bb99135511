// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/collective.h"
#include "gpu/simulator/prelude.h"

// "(i32 %m, float %v, i32 %b, i32 %c, i32 %site)" and the exchange of %v, which becomes %r.
static void print_shuffle(assay_text *text, const char *mode, int kind, const char *type) {
  bool is_float = type[0] == 'f';
  const char *ir = is_float ? "float" : "i32";
  for (int predicate = 0; predicate < 2; predicate++) {
    assay_text_print(text,
                     "define %s%s%s @sim.llvm.nvvm.shfl.sync.%s.%s%s(i32 %%m, %s %%v, "
                     "i32 %%b, i32 %%c, i32 %%site) alwaysinline convergent {\n"
                     "  %%i = bitcast %s %%v to i32\n"
                     "  %%x = call i64 @assay_sim_collect(ptr @assay_view, i32 %d, i32 %%m, "
                     "i32 %%i, i32 %%b, i32 %%c, i32 %%site)\n"
                     "  %%w = trunc i64 %%x to i32\n  %%r = bitcast i32 %%w to %s\n",
                     predicate ? "{ " : "", ir, predicate ? ", i1 }" : "", mode, type,
                     predicate ? "p" : "", ir, ir, kind, ir);
    if (predicate)
      assay_text_print(text,
                       "  %%h = lshr i64 %%x, 32\n  %%p = trunc i64 %%h to i1\n"
                       "  %%s = insertvalue { %s, i1 } poison, %s %%r, 0\n"
                       "  %%t = insertvalue { %s, i1 } %%s, i1 %%p, 1\n  ret { %s, i1 } %%t\n}\n",
                       ir, ir, ir, ir);
    else
      assay_text_print(text, "  ret %s %%r\n}\n", ir);
  }
}

// name(i32 mask, i1) -> i1 or i32
static void print_vote(assay_text *text, const char *name, int kind, const char *result) {
  assay_text_print(text,
                   "define %s @sim.llvm.nvvm.vote.%s.sync(i32 %%m, i1 %%v, i32 %%site) "
                   "alwaysinline convergent {\n  %%i = zext i1 %%v to i32\n"
                   "  %%x = call i64 @assay_sim_collect(ptr @assay_view, i32 %d, i32 %%m, i32 %%i, "
                   "i32 0, i32 0, i32 %%site)\n  %%r = trunc i64 %%x to %s\n  ret %s %%r\n}\n",
                   result, name, kind, result, result);
}

static void print_redux(assay_text *text, const char *name, int kind) {
  assay_text_print(text,
                   "define i32 @sim.llvm.nvvm.redux.sync.%s(i32 %%v, i32 %%m, i32 %%site) "
                   "alwaysinline convergent {\n"
                   "  %%x = call i64 @assay_sim_collect(ptr @assay_view, i32 %d, i32 %%m, i32 %%v, "
                   "i32 0, i32 0, i32 %%site)\n  %%r = trunc i64 %%x to i32\n  ret i32 %%r\n}\n",
                   name, kind);
}

static void print_match(assay_text *text, int bits) {
  const char *high = bits == 64 ? "lshr i64 %v, 32" : "zext i32 0 to i64";
  assay_text_print(text,
                   "define i32 @sim.llvm.nvvm.match.any.sync.i%d(i32 %%m, i%d %%v, "
                   "i32 %%site) alwaysinline convergent {\n"
                   "  %%hw = %s\n  %%h = trunc i64 %%hw to i32\n  %%l = %s i%d %%v to i32\n"
                   "  %%x = call i64 @assay_sim_collect(ptr @assay_view, i32 %d, i32 %%m, i32 %%l, "
                   "i32 %%h, i32 0, i32 %%site)\n  %%r = trunc i64 %%x to i32\n  ret i32 %%r\n}\n",
                   bits, bits, high, bits == 64 ? "trunc" : "bitcast", bits,
                   ASSAY_COLLECT_MATCH_ANY);
  assay_text_print(text,
                   "define { i32, i1 } @sim.llvm.nvvm.match.all.sync.i%dp(i32 %%m, "
                   "i%d %%v, i32 %%site) alwaysinline convergent {\n"
                   "  %%hw = %s\n  %%h = trunc i64 %%hw to i32\n  %%l = %s i%d %%v to i32\n"
                   "  %%x = call i64 @assay_sim_collect(ptr @assay_view, i32 %d, i32 %%m, i32 %%l, "
                   "i32 %%h, i32 0, i32 %%site)\n  %%r = trunc i64 %%x to i32\n"
                   "  %%ph = lshr i64 %%x, 32\n  %%p = trunc i64 %%ph to i1\n"
                   "  %%s = insertvalue { i32, i1 } poison, i32 %%r, 0\n"
                   "  %%t = insertvalue { i32, i1 } %%s, i1 %%p, 1\n  ret { i32, i1 } %%t\n}\n",
                   bits, bits, high, bits == 64 ? "trunc" : "bitcast", bits,
                   ASSAY_COLLECT_MATCH_ALL);
}

static void print_collectives(assay_text *text) {
  static const char *const shuffles[] = {"idx", "up", "down", "bfly"};
  for (int i = 0; i < 4; i++) {
    print_shuffle(text, shuffles[i], ASSAY_COLLECT_SHUFFLE_IDX + i, "i32");
    print_shuffle(text, shuffles[i], ASSAY_COLLECT_SHUFFLE_IDX + i, "f32");
  }
  print_vote(text, "all", ASSAY_COLLECT_VOTE_ALL, "i1");
  print_vote(text, "any", ASSAY_COLLECT_VOTE_ANY, "i1");
  print_vote(text, "uni", ASSAY_COLLECT_VOTE_UNI, "i1");
  print_vote(text, "ballot", ASSAY_COLLECT_VOTE_BALLOT, "i32");
  static const char *const reductions[] = {"add", "umin", "umax", "min", "max", "and", "or", "xor"};
  for (int i = 0; i < 8; i++)
    print_redux(text, reductions[i], ASSAY_COLLECT_REDUX_ADD + i);
  print_match(text, 32);
  print_match(text, 64);
  assay_text_print(text,
                   "define void @sim.llvm.nvvm.bar.warp.sync(i32 %%m, i32 %%site) "
                   "alwaysinline convergent {\n"
                   "  %%x = call i64 @assay_sim_collect(ptr @assay_view, i32 %d, i32 %%m, i32 0, "
                   "i32 0, i32 0, i32 %%site)\n  ret void\n}\n",
                   ASSAY_COLLECT_SYNC);
}

// A product of matrices whose fragments a warp holds: each lane a values of A, b of B and c of C,
// of which c come out.
typedef struct mma_shape {
  const char *name; // of the intrinsic, behind "llvm.nvvm."
  int kind, a, b, c;
  const char *input, *output; // LLVM types, of the same size
} mma_shape;

static const mma_shape products[] = {
    {"mma.m16n8k4.row.col.tf32", ASSAY_COLLECT_MMA_TF32_K4, 2, 1, 4, "i32", "float"},
    {"mma.m16n8k8.row.col.tf32", ASSAY_COLLECT_MMA_TF32_K8, 4, 2, 4, "i32", "float"},
    {"mma.m8n8k4.row.col.f64", ASSAY_COLLECT_MMA_F64_K4, 1, 1, 2, "double", "double"},
};

static void print_result_type(assay_text *text, const mma_shape *mma) {
  for (int i = 0; i < mma->c; i++)
    assay_text_print(text, "%s%s", i == 0 ? "{ " : ", ", mma->output);
  assay_text_print(text, " }");
}

static void print_mma(assay_text *text, const mma_shape *mma) {
  int count = mma->a + mma->b + mma->c, size = mma->output[0] == 'd' ? 8 : 4;
  assay_text_print(text, "define ");
  print_result_type(text, mma);
  assay_text_print(text, " @sim.llvm.nvvm.%s(", mma->name);
  for (int i = 0; i < count; i++)
    assay_text_print(text, "%s %%a%d, ", i < mma->a + mma->b ? mma->input : mma->output, i);
  assay_text_print(text, "i32 %%site) alwaysinline convergent {\n"
                         "  %%in = alloca [16 x i64], align 16\n"
                         "  %%out = alloca [16 x i64], align 16\n");
  for (int i = 0; i < count; i++)
    assay_text_print(text,
                     "  %%p%d = getelementptr i8, ptr %%in, i64 %d\n  store %s %%a%d, ptr %%p%d\n",
                     i, i * size, i < mma->a + mma->b ? mma->input : mma->output, i, i);
  assay_text_print(text,
                   "  call void @assay_sim_mma(ptr @assay_view, i32 %d, ptr %%in, ptr %%out, "
                   "i32 %%site)\n",
                   mma->kind);
  for (int i = 0; i < mma->c; i++) {
    assay_text_print(text,
                     "  %%q%d = getelementptr i8, ptr %%out, i64 %d\n"
                     "  %%o%d = load %s, ptr %%q%d\n  %%s%d = insertvalue ",
                     i, i * size, i, mma->output, i, i);
    print_result_type(text, mma);
    assay_text_print(text, i == 0 ? " poison" : " %%s%d", i - 1);
    assay_text_print(text, ", %s %%o%d, %d\n", mma->output, i, i);
  }
  assay_text_print(text, "  ret ");
  print_result_type(text, mma);
  assay_text_print(text, " %%s%d\n}\n", mma->c - 1);
}

// Copies from global to shared memory that a later wait completes.
static void print_copies(assay_text *text) {
  static const struct {
    const char *name;
    int size;
  } copies[] = {{"ca.shared.global.4", 4},
                {"ca.shared.global.8", 8},
                {"ca.shared.global.16", 16},
                {"cg.shared.global.16", 16}};
  for (int i = 0; i < 4; i++)
    for (int part = 0; part < 2; part++)
      assay_text_print(
          text,
          "define void @sim.llvm.nvvm.cp.async.%s%s(ptr addrspace(3) %%to, "
          "ptr addrspace(1) %%from, %si32 %%site) alwaysinline {\n"
          "  %%t = addrspacecast ptr addrspace(3) %%to to ptr\n"
          "  %%f = addrspacecast ptr addrspace(1) %%from to ptr\n"
          "  call void @assay_sim_copy(ptr @assay_view, ptr %%t, ptr %%f, i32 %d, i32 %s, "
          "i32 %%site)\n  ret void\n}\n",
          copies[i].name, part ? ".s" : "", part ? "i32 %size, " : "", copies[i].size,
          part ? "%size"
               : (copies[i].size == 4   ? "4"
                  : copies[i].size == 8 ? "8"
                                        : "16"));
  assay_text_print(text, "define void @sim.llvm.nvvm.cp.async.commit.group() alwaysinline {\n"
                         "  call void @assay_sim_commit(ptr @assay_view)\n  ret void\n}\n"
                         "define void @sim.llvm.nvvm.cp.async.wait.group(i32 %%n) alwaysinline "
                         "{\n  call void @assay_sim_wait(ptr @assay_view, i32 %%n)\n  ret void\n}\n"
                         "define void @sim.llvm.nvvm.cp.async.wait.all() alwaysinline {\n"
                         "  call void @assay_sim_commit(ptr @assay_view)\n"
                         "  call void @assay_sim_wait(ptr @assay_view, i32 0)\n  ret void\n}\n");
}

void assay_prelude_print_warp(assay_text *text) {
  print_collectives(text);
  for (size_t i = 0; i < sizeof products / sizeof products[0]; i++)
    print_mma(text, &products[i]);
  print_copies(text);
}
