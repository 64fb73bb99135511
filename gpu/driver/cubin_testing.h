// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests of cubins: each in a folder of its own, where ptxas is a shell script.
#ifndef ASSAY_GPU_DRIVER_CUBIN_TESTING_H
#define ASSAY_GPU_DRIVER_CUBIN_TESTING_H

#include "gpu/driver/cubin.h"
#include "gpu/driver/fake/fake_testing.h"

static assay_arena *arena;

static inline int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  enter_folder(fake_ptxas);
  return 0;
}

static inline int tear_down(void **state) {
  (void)state;
  assay_arena_destroy(arena);
  remove_folder();
  return 0;
}

static const char kernels[] = ".version 7.0\n.target sm_80\n.visible .entry b()\n.entry a()\n";

static inline assay_cubin make(const char *ptx, int architecture, const char **out_note) {
  assay_cubin cubin = {.size = 0};
  assay_toolkit toolkit = assay_toolkit_find(arena);
  must(assay_cubin_make(arena, &toolkit, ptx, architecture, &cubin, out_note, &err));
  return cubin;
}

#endif
