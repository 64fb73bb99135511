// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// gpu-sim against libm, element by element.
#include "compiler/backends/elementwise_testing.h"
#include "gpu/backends/backends.h"

static int open_simulated(void **state) {
  static const assay_backend *tested[TEST_BACKENDS]; // of the test program's one process
  const assay_backend *const *all = assay_gpu_backends_get();
  for (; *all != NULL; all++)
    if (strcmp((*all)->name, "gpu-sim") == 0)
      tested[0] = *all;
  assert_non_null(tested[0]);

  return open_backends(state, tested);
}

int main(void) {
  // But for scalars, which are constants of the same kernels, and all pairs, which are casts.
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(functions_of_all_dtypes),
      cmocka_unit_test(functions_over_their_ranges),
      cmocka_unit_test(casts_of_all_pairs),
      cmocka_unit_test(reductions_of_every_axis),
      cmocka_unit_test(masks_and_constants_as_results),
  };
  return cmocka_run_group_tests(tests, open_simulated, close_all);
}
