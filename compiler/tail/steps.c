// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/steps.h"

#include "compiler/bridge/tail_rewrite.h"

#include <stddef.h>

// Passes stand under func.func only where they must: functions may be llvm.func already, and hold
// what a later pass of the pipeline lowers.
#define TOSA                                                                                       \
  "func.func(tosa-optional-decompositions,tosa-infer-shapes,tosa-make-broadcastable,"              \
  "tosa-to-linalg-named,tosa-make-broadcastable,tosa-to-linalg),"                                  \
  "tosa-to-arith{include-apply-rescale=true},tosa-to-tensor,tosa-to-scf"
// Named operations become generic before they are bufferized: what the bufferization of a named one
// does wrong is then not shared by the baseline.
#define TO_LINALG                                                                                  \
  "convert-elementwise-to-linalg,linalg-generalize-named-ops,convert-tensor-to-linalg,"
#define BUFFERIZE "one-shot-bufferize{bufferize-function-boundaries allow-return-allocs-from-loops"
#define OPEN_LAYOUTS                                                                               \
  " analysis-heuristic=top-down function-boundary-type-conversion=fully-dynamic-layout-map "       \
  "unknown-type-conversion=fully-dynamic-layout-map"
#define EXPAND_ARITH                                                                               \
  {"arith", "arith-expand{include-f8e8m0=true}", "", NULL}, {                                      \
    "%brain", "arith-expand{include-bf16=true}", "", NULL                                          \
  }
// Arithmetic on floats of a byte: in f32, and rounded.
#define EMULATE_SMALL                                                                              \
  "arith-emulate-unsupported-floats{target-type=f32 source-types=f8E5M2,f8E4M3,"                   \
  "f8E4M3FN,f8E5M2FNUZ,f8E4M3FNUZ,f8E3M4}"
#define SMALL_FLOATS                                                                               \
  {"%small", EMULATE_SMALL, "arith", NULL}, {                                                      \
    "%small", NULL, "arith func vector", assay_rewrite_small_floats                                \
  }
#define MATH_TO_LLVM "convert-math-to-llvm{approximate-log1p=false}"

#define FRONT(bufferize)                                                                           \
  {"tosa", TOSA, "linalg tensor arith scf math %tensor", NULL},                                    \
      {"%space", NULL, "", assay_rewrite_spaces}, {"%sign", NULL, "", assay_rewrite_signless},     \
      {"%layout", "normalize-memrefs", "affine", NULL},                                            \
      {"%tensor", TO_LINALG bufferize, "linalg memref bufferization scf affine arith", NULL},      \
      {"quant", NULL, "arith", assay_rewrite_quant},                                               \
      {"linalg", "linalg-generalize-named-ops", "", NULL},                                         \
      {"%long", NULL, "", assay_rewrite_interchange},                                              \
      {"%check", "generate-runtime-verification", "cf arith memref affine index", NULL}, {         \
    "vector", "func.func(lower-vector-mask)", "arith scf", NULL                                    \
  }
#define MEMORY                                                                                     \
  {"memref", "memref-expand,expand-realloc", "arith scf affine", NULL},                            \
      {"complex", "convert-complex-to-standard", "math arith scf", NULL}, {                        \
    "bufferization", "convert-bufferization-to-memref", "memref scf arith func", NULL              \
  }
#define MATH                                                                                       \
  {"math", NULL, "func arith vector", assay_rewrite_libm},                                         \
      {"vector", NULL, "arith", assay_rewrite_scans}, {                                            \
    "math", "convert-math-to-funcs", "func scf cf llvm arith", NULL                                \
  }

static const assay_tail_step first[] = {
    FRONT(BUFFERIZE "}"),
    {"vector", "func.func(lower-vector-multi-reduction)", "arith", NULL},
    {"linalg", "convert-linalg-to-loops", "scf memref affine arith", NULL},
    {"affine", "lower-affine", "scf arith memref vector", NULL},
    EXPAND_ARITH,
    SMALL_FLOATS,
    {"vector", "convert-vector-to-scf", "scf memref arith affine", NULL},
    MEMORY,
    MATH,
    {"vector", "convert-vector-to-scf", "scf memref arith affine", NULL},
    {"scf", "convert-scf-to-cf", "cf arith", NULL},
    {"memref", "expand-strided-metadata", "affine arith", NULL},
    {"affine", "lower-affine", "scf arith memref", NULL},
    {"math", MATH_TO_LLVM, "", NULL},
    {"complex", "convert-complex-to-llvm", "", NULL},
    // Twice: scans and nested inserts make vector operations that only then can go.
    {"vector", "convert-vector-to-llvm,convert-vector-to-llvm", "ub arith", NULL},
    {"memref", "finalize-memref-to-llvm", "ub arith", NULL},
    {"arith", "convert-arith-to-llvm", "", NULL},
    {"index", "convert-index-to-llvm", "", NULL},
    {"ub", "convert-ub-to-llvm", "", NULL},
    {"func", "convert-func-to-llvm", "", NULL},
    {"cf", "convert-cf-to-llvm", "", NULL},
    {"", "reconcile-unrealized-casts", "", NULL},
    {NULL, NULL, NULL, NULL},
};

static const assay_tail_step second[] = {
    FRONT(BUFFERIZE OPEN_LAYOUTS "}"),
    {"vector", "func.func(lower-vector-multi-reduction{lowering-strategy=inner-reduction})",
     "arith", NULL},
    {"linalg", "convert-linalg-to-parallel-loops", "scf memref affine arith", NULL},
    {"vector", "convert-vector-to-scf{full-unroll=true}", "scf memref arith affine", NULL},
    {"affine", "lower-affine", "scf arith memref vector", NULL},
    EXPAND_ARITH,
    SMALL_FLOATS,
    MEMORY,
    MATH,
    {"vector", "convert-vector-to-scf{full-unroll=true}", "scf memref arith affine", NULL},
    {"scf", "convert-scf-to-cf", "cf arith", NULL},
    {"memref", "expand-strided-metadata", "affine arith", NULL},
    {"affine", "lower-affine", "scf arith memref", NULL},
    {"arith", "convert-arith-to-llvm", "", NULL},
    {"math", MATH_TO_LLVM, "", NULL},
    {"complex", "convert-complex-to-llvm", "", NULL},
    {"index", "convert-index-to-llvm", "", NULL},
    {"vector", "convert-vector-to-llvm,convert-vector-to-llvm", "ub arith", NULL},
    {"memref", "finalize-memref-to-llvm", "arith index", NULL},
    {"arith", "convert-arith-to-llvm", "", NULL},
    {"index", "convert-index-to-llvm", "", NULL},
    {"ub", "convert-ub-to-llvm", "", NULL},
    {"cf", "convert-cf-to-llvm", "", NULL},
    {"func", "convert-func-to-llvm", "", NULL},
    {"", "reconcile-unrealized-casts", "", NULL},
    {NULL, NULL, NULL, NULL},
};

const assay_tail_step *assay_tail_steps(assay_tail tail) {
  return tail == ASSAY_TAIL_FIRST ? first : second;
}

const char *assay_tail_step_name(assay_tail tail, int step) {
  const assay_tail_step *at = assay_tail_steps(tail);
  while (at->needs != NULL && --step > 0)
    at++;
  if (at->needs == NULL)
    return NULL;
  if (at->rewrite == assay_rewrite_libm)
    return "math to libm";
  if (at->rewrite == assay_rewrite_small_floats)
    return "f8 to calls";
  return at->passes != NULL ? at->passes : "vector.scan to loops";
}

const char *assay_tail_describe(assay_tail tail) {
  return tail == ASSAY_TAIL_FIRST ? TO_LINALG BUFFERIZE
             "},convert-linalg-to-loops,convert-vector-to-scf,math-to-libm,"
             "convert-to-llvm; LLVM -O0"
                                  : TO_LINALG BUFFERIZE OPEN_LAYOUTS
             "},convert-linalg-to-parallel-loops,convert-vector-to-scf{full-unroll=true},"
             "math-to-libm,convert-to-llvm; LLVM -O2";
}
