// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The built-in backends against libm, element by element.
#include "compiler/backends/elementwise_testing.h"

int main(void) {
  const struct CMUnitTest tests[] = {ELEMENTWISE_TESTS};
  return cmocka_run_group_tests(tests, open_all, close_all);
}
