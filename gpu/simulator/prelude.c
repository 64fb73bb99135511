// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/prelude.h"

#include "gpu/simulator/abi.h"

// Attributes of entries that look at memory which the program does not see.
#define UNSEEN " nounwind memory(inaccessiblemem: readwrite)"

static const char declarations[] =
    "%view = type { ptr, i64, ptr, ptr, i64, [5 x i64], [3 x i32], [3 x i32], [3 x i32] }\n"
    "%thread = type { [3 x i32], i32, i32 }\n"
    "@assay_view = external global %view\n"
    "@assay_shared = external addrspace(3) global i8\n"
    "!0 = !{}\n"
    "!1 = !{!\"branch_weights\", i32 10000, i32 1}\n"
    "declare ptr @assay_sim_global(ptr, ptr, i32)" UNSEEN "\n"
    "declare ptr @assay_sim_shared(ptr, i64, i32)" UNSEEN "\n"
    "declare ptr @assay_sim_range(ptr, ptr, i64, i32)" UNSEEN "\n"
    "declare void @assay_sim_barrier(ptr, i32) convergent nounwind\n"
    "declare i64 @assay_sim_collect(ptr, i32, i32, i32, i32, i32, i32) convergent nounwind\n"
    "declare void @assay_sim_mma(ptr, i32, ptr, ptr, i32) convergent nounwind\n"
    "declare void @assay_sim_copy(ptr, ptr, ptr, i32, i32, i32)" UNSEEN "\n"
    "declare void @assay_sim_commit(ptr)" UNSEEN "\n"
    "declare void @assay_sim_wait(ptr, i32) nounwind\n"
    "define ptr @sim.range(ptr %p, i64 %size, i32 %site) alwaysinline {\n"
    "  %real = call ptr @assay_sim_range(ptr @assay_view, ptr %p, i64 %size, i32 %site)\n"
    "  ret ptr %real\n}\n";

static const char axis[3] = {'x', 'y', 'z'};

static void print_register(assay_text *text, const char *name, int field, int index) {
  assay_text_print(text,
                   "define i32 @sim.llvm.nvvm.read.ptx.sreg.%s.%c() alwaysinline {\n"
                   "  %%v = load i32, ptr getelementptr (%%view, ptr @assay_view, i32 0, i32 %d, "
                   "i32 %d), !invariant.load !0\n  ret i32 %%v\n}\n",
                   name, axis[index], field, index);
}

// A function of the thread's registers; path: indices below %thread, expression of %v.
static void print_thread_register(assay_text *text, const char *name, const char *path) {
  assay_text_print(text,
                   "define i32 @sim.llvm.nvvm.read.ptx.sreg.%s() alwaysinline {\n"
                   "  %%t = load ptr, ptr @assay_view, !invariant.load !0\n"
                   "  %%p = getelementptr %%thread, ptr %%t, i32 0, %s\n"
                   "  %%v = load i32, ptr %%p, !invariant.load !0\n  ret i32 %%v\n}\n",
                   name, path);
}

// The lanes below, above and so on of this one, as %m of the lane's own bit %b.
static void print_lane_mask(assay_text *text, const char *name, const char *expression) {
  assay_text_print(text,
                   "define i32 @sim.llvm.nvvm.read.ptx.sreg.lanemask.%s() alwaysinline {\n"
                   "  %%lane = call i32 @sim.llvm.nvvm.read.ptx.sreg.laneid()\n"
                   "  %%b = shl i32 1, %%lane\n  %%below = sub i32 %%b, 1\n"
                   "  %%above = xor i32 %%below, -1\n  %%upto = or i32 %%below, %%b\n"
                   "  %%m = %s\n  ret i32 %%m\n}\n",
                   name, expression);
}

static void print_registers(assay_text *text) {
  for (int i = 0; i < 3; i++) {
    print_register(text, "ctaid", 6, i);
    print_register(text, "ntid", 7, i);
    print_register(text, "nctaid", 8, i);
    char path[] = "i32 0, i32 0", name[] = "tid.x";
    path[sizeof path - 2] = (char)('0' + i);
    name[sizeof name - 2] = axis[i];
    print_thread_register(text, name, path);
  }
  print_thread_register(text, "laneid", "i32 1");
  print_thread_register(text, "warpid", "i32 2");
  assay_text_print(text, "define i32 @sim.llvm.nvvm.read.ptx.sreg.warpsize() "
                         "alwaysinline {\n  ret i32 32\n}\n");
  print_lane_mask(text, "eq", "add i32 %b, 0");
  print_lane_mask(text, "lt", "add i32 %below, 0");
  print_lane_mask(text, "le", "add i32 %upto, 0");
  print_lane_mask(text, "ge", "add i32 %above, 0");
  print_lane_mask(text, "gt", "xor i32 %upto, -1");
}

// Barriers of the whole block; the identifier, always 0 in what MLIR makes, is one of 16.
static void print_barriers(assay_text *text) {
  static const char *const names[] = {"barrier.cta.sync.aligned.all", "barrier.cta.sync.all"};
  for (int i = 0; i < 2; i++)
    assay_text_print(text,
                     "define void @sim.llvm.nvvm.%s(i32 %%id, i32 %%site) alwaysinline "
                     "convergent {\n  call void @assay_sim_barrier(ptr @assay_view, i32 %%site)\n"
                     "  ret void\n}\n",
                     names[i]);
  assay_text_print(text, "define void @sim.llvm.nvvm.barrier0(i32 %%site) alwaysinline "
                         "convergent {\n  call void @assay_sim_barrier(ptr @assay_view, i32 "
                         "%%site)\n  ret void\n}\n");
  static const char *const fences[] = {"membar.cta", "membar.gl", "membar.sys"};
  for (int i = 0; i < 3; i++)
    assay_text_print(text, "define void @sim.llvm.nvvm.%s() alwaysinline {\n  ret void\n}\n",
                     fences[i]);
}

static void print_slow(assay_text *text, bool shared) {
  assay_text_print(text, shared
                             ? "  %%slow = call ptr @assay_sim_shared(ptr @assay_view, i64 %%off, "
                               "i32 %%site)\n"
                             : "  %%slow = call ptr @assay_sim_global(ptr @assay_view, ptr %%p, "
                               "i32 %%site)\n");
}

// Whether one inline comparison can do: a power of two of at most 16 bytes. Its logarithm, or -1.
static int small_width(unsigned width) {
  for (int i = 0; i < ASSAY_SHARED_WIDTHS; i++)
    if (width == 1U << i)
      return i;
  return -1;
}

static void print_shared(assay_text *text, unsigned width, unsigned align) {
  assay_text_print(text,
                   "  %%a = ptrtoint ptr addrspace(3) %%p to i64\n"
                   "  %%off = sub i64 %%a, ptrtoint (ptr addrspace(3) @assay_shared to i64)\n");
  if (small_width(width) < 0) {
    print_slow(text, true);
    assay_text_print(text, "  ret ptr %%slow\n}\n");
    return;
  }
  assay_text_print(text,
                   "  %%end = load i64, ptr getelementptr (%%view, ptr @assay_view, i32 0, i32 5, "
                   "i32 %d), !invariant.load !0\n"
                   "  %%in = icmp ult i64 %%off, %%end\n"
                   "  %%low = and i64 %%off, %u\n  %%aligned = icmp eq i64 %%low, 0\n"
                   "  %%ok = and i1 %%in, %%aligned\n"
                   "  br i1 %%ok, label %%fast, label %%ask, !prof !1\nask:\n",
                   small_width(width), align - 1);
  print_slow(text, true);
  assay_text_print(text, "  br label %%done\nfast:\n"
                         "  %%real = addrspacecast ptr addrspace(3) %%p to ptr\n  br label %%done\n"
                         "done:\n  %%r = phi ptr [ %%real, %%fast ], [ %%slow, %%ask ]\n"
                         "  ret ptr %%r\n}\n");
}

static void print_global(assay_text *text, unsigned width, unsigned align) {
  if (small_width(width) < 0) {
    print_slow(text, false);
    assay_text_print(text, "  ret ptr %%slow\n}\n");
    return;
  }
  assay_text_print(
      text,
      "  %%a = ptrtoint ptr %%p to i64\n"
      "  %%base = load i64, ptr getelementptr (%%view, ptr @assay_view, i32 0, i32 1), "
      "!invariant.load !0\n"
      "  %%off = sub i64 %%a, %%base\n"
      "  %%end = load i64, ptr getelementptr (%%view, ptr @assay_view, i32 0, i32 4), "
      "!invariant.load !0\n"
      "  %%in = icmp ult i64 %%off, %%end\n"
      "  br i1 %%in, label %%look, label %%ask, !prof !1\nlook:\n"
      "  %%shadow = load ptr, ptr getelementptr (%%view, ptr @assay_view, i32 0, i32 3), "
      "!invariant.load !0\n"
      "  %%g = lshr i64 %%off, 4\n  %%sp = getelementptr i8, ptr %%shadow, i64 %%g\n"
      "  %%valid = load i8, ptr %%sp, !invariant.load !0\n  %%v = zext i8 %%valid to i64\n"
      "  %%within = and i64 %%off, 15\n  %%last = add i64 %%within, %u\n"
      "  %%fits = icmp ule i64 %%last, %%v\n"
      "  %%low = and i64 %%off, %u\n  %%aligned = icmp eq i64 %%low, 0\n"
      "  %%ok = and i1 %%fits, %%aligned\n"
      "  br i1 %%ok, label %%fast, label %%ask, !prof !1\nfast:\n"
      "  %%memory = load ptr, ptr getelementptr (%%view, ptr @assay_view, i32 0, i32 2), "
      "!invariant.load !0\n"
      "  %%real = getelementptr i8, ptr %%memory, i64 %%off\n  br label %%done\nask:\n",
      width, align - 1);
  print_slow(text, false);
  assay_text_print(text, "  br label %%done\n"
                         "done:\n  %%r = phi ptr [ %%real, %%fast ], [ %%slow, %%ask ]\n"
                         "  ret ptr %%r\n}\n");
}

void assay_prelude_print_access(assay_text *text, const char *name,
                                const assay_prelude_access *access) {
  assay_text_print(text, "define ptr @%s(ptr%s %%p, i32 %%site) %s nounwind {\n", name,
                   access->shared ? " addrspace(3)" : "",
                   access->inlined ? "alwaysinline" : "noinline");
  if (access->shared)
    print_shared(text, access->width, access->align);
  else
    print_global(text, access->width, access->align);
}

// Arithmetic that NVVM has names of its own for. tf32 rounds to nearest, ties away from zero.
static const char arithmetic[] =
    "define i32 @sim.llvm.nvvm.f2tf32.rna(float %v) alwaysinline {\n"
    "  %i = bitcast float %v to i32\n  %e = and i32 %i, 2139095040\n"
    "  %finite = icmp ne i32 %e, 2139095040\n  %more = add i32 %i, 4096\n"
    "  %cut = and i32 %more, -8192\n  %r = select i1 %finite, i32 %cut, i32 %i\n  ret i32 %r\n}\n"
    "define float @sim.llvm.nvvm.rcp.approx.ftz.f(float %v) alwaysinline {\n"
    "  %r = fdiv float 1.0, %v\n  ret float %r\n}\n";

void assay_prelude_print(assay_text *text) {
  assay_text_append(text, declarations, sizeof declarations - 1);
  print_registers(text);
  print_barriers(text);
  assay_text_append(text, arithmetic, sizeof arithmetic - 1);
  assay_prelude_print_warp(text);
}
