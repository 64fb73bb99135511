// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels in the simulator that are right.
#include "gpu/simulator/testing.h"

static int create(void **state) {
  assay_error err;
  return assay_context_create((assay_context **)state, &err) == ASSAY_OK ? 0 : -1;
}

static int destroy(void **state) {
  assay_context_destroy(*state);
  return 0;
}

static simulated open_text(void *context, const char *text) {
  MlirModule module = simulated_lower(assay_context_get(context), text);
  simulated device = simulated_open(simulated_kernels(module));
  mlirModuleDestroy(module);
  return device;
}

static void adds_in_every_thread(void **state) {
  simulated device = open_text(
      *state,
      "gpu.module @k {\n"
      "  gpu.func @add(%a: memref<100xf32>, %b: memref<100xf32>, %c: memref<100xf32>) kernel {\n"
      "    %n = arith.constant 100 : index\n"
      "    %t = gpu.thread_id x\n    %b0 = gpu.block_id x\n    %d = gpu.block_dim x\n"
      "    %o = arith.muli %b0, %d : index\n    %i = arith.addi %o, %t : index\n"
      "    %in = arith.cmpi ult, %i, %n : index\n"
      "    scf.if %in {\n"
      "      %x = memref.load %a[%i] : memref<100xf32>\n      %y = memref.load %b[%i] : "
      "memref<100xf32>\n"
      "      %z = arith.addf %x, %y : f32\n      memref.store %z, %c[%i] : memref<100xf32>\n    }\n"
      "    gpu.return\n  }\n}\n");
  float a[100], b[100], c[100];
  for (int i = 0; i < 100; i++) {
    a[i] = (float)i;
    b[i] = 2;
  }
  simulated_array arrays[] = {{a, 4, 1, {100}, {0}}, {b, 4, 1, {100}, {0}}, {c, 4, 1, {100}, {0}}};
  simulated_run(&device, "add", 2, 64, 3, arrays);
  for (int i = 0; i < 100; i++)
    assert_true(c[i] == (float)i + 2);
  simulated_close(&device);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(adds_in_every_thread),
  };
  return cmocka_run_group_tests(tests, create, destroy);
}
