// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/blas.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static void the_library_is_described_or_missing(void **state) {
  (void)state;
  assay_blas blas;
  assay_error err;
  assay_code code = assay_blas_describe(&blas, &err);
#ifdef ASSAY_HAVE_CBLAS
  assert_int_equal(code, ASSAY_OK);
  assert_int_equal(access(blas.library, R_OK), 0);
  assert_non_null(strstr(blas.library, "blas"));
  assert_true(strlen(blas.core) > 0);
#else
  assert_int_equal(code, ASSAY_MISSING);
  assert_non_null(strstr(err.text, "libopenblas-dev"));
#endif
}

static void threads_are_set_where_they_can_be(void **state) {
  (void)state;
#ifdef ASSAY_HAVE_CBLAS
  for (int threads = 2; threads > 0; threads--) {
    assay_blas blas;
    assay_error err;
    assay_blas_set_threads(threads);
    assert_int_equal(assay_blas_describe(&blas, &err), ASSAY_OK);
    if (blas.threads == 0)
      skip(); // this BLAS cannot be told
    assert_int_equal(blas.threads, threads);
  }
#else
  skip();
#endif
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_library_is_described_or_missing),
      cmocka_unit_test(threads_are_set_where_they_can_be),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
