// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// ptxas keeps every matmul kernel in registers, on each architecture that is promised.
#include "gpu/driver/cubin.h"
#include "gpu/kernels/matmul_testing.h"

#include <stdio.h>

// For each tile two kernels: one that loads vectors of whole tiles, and the other extreme, single
// elements behind guards of a batch whose operands are both transposed (where the tile is taken for
// that), added to what is there.
static const char *all_kernels(const fixture *f) {
  assay_text text = {.arena = f->arena};
  assay_text_print(&text, "gpu.module @kernels {\n");
  matmul_tile_kind kind;
  for (int i = 0; tile_kind_at(i, &kind); i++) {
    matmul_case whole = {.m = 4096, .n = 4096, .k = 4096, .bytes = kind.bytes};
    matmul_case rest = {.m = 4095, .n = 4093, .k = 4091, .batch = 3, .bytes = kind.bytes};
    if (kind.tile->whole_vectors)
      rest.m = rest.n = rest.k = 4092;
    rest.a_transposed = rest.b_transposed = rest.accumulate = true;
    const char *name = assay_arena_format(f->arena, "whole_%d", i);
    assay_text_print(&text, "%s", text_of(f->arena, name, &whole, kind.tile, kind.tf32));
    name = assay_arena_format(f->arena, "rest_%d", i);
    assay_text_print(&text, "%s", text_of(f->arena, name, &rest, kind.tile, kind.tf32));
  }
  assay_text_print(&text, "}\n");
  return assay_text_get(&text);
}

static void no_kernel_spills(void **state) {
  fixture *f = *state;
  assay_toolkit toolkit = assay_toolkit_find(f->arena);
  if (toolkit.ptxas == NULL) {
    print_message("no ptxas here: nothing is known about spills\n");
    skip();
  }
  MlirModule module = parse_module(f, all_kernels(f));
  run_stages(f, "nvvm", "nvvm", module);
  MlirOperation kernels = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  assay_error err = {.text = ""};
  const char *ptx;
  if (assay_ptx_make(f->arena, kernels, &ptx, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  mlirModuleDestroy(module);
  static const int architectures[] = {80, 90, 100, 120};
  for (size_t i = 0; i < sizeof architectures / sizeof *architectures; i++) {
    assay_ptxas_output output;
    if (assay_ptxas_run(f->arena, toolkit.ptxas, ptx, architectures[i], &output, &err) != ASSAY_OK)
      fail_msg("%s", err.text);
    size_t count;
    const assay_kernel_figures *figures;
    if (assay_ptxas_figures(f->arena, output.log, ptx, &figures, &count, &err) != ASSAY_OK)
      fail_msg("%s", err.text);
    assert_int_equal(count, 2 * 10);
    for (size_t j = 0; j < count; j++)
      if (figures[j].spill_stores != 0 || figures[j].spill_loads != 0 || figures[j].stack != 0)
        fail_msg("%s spills on sm_%d, with %d registers", figures[j].name, architectures[i],
                 figures[j].registers);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(no_kernel_spills)};
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
