// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Products on the fake library: row-major operands, as they are stored, against their definition.
#include "gpu/driver/fake/fake_testing.h"

#include "gpu/driver/cuda.h"

enum { ROOM = 4096 }; // elements of each operand

static double element_at(const void *from, int64_t at, int element) {
  return element == 8 ? ((const double *)from)[at] : (double)((const float *)from)[at];
}

static void set_element(void *to, int64_t at, int element, double value) {
  if (element == 8)
    ((double *)to)[at] = value;
  else
    ((float *)to)[at] = (float)value;
}

// Small whole numbers, so that sums are exact in any order.
static void fill_operand(void *to, int element, unsigned seed) {
  for (int i = 0; i < ROOM; i++)
    set_element(to, i, element, (double)((unsigned)i * 37 * seed % 11) - 5);
}

static double expected_at(const assay_gpu_gemm *g, const void *a, const void *b, const void *c,
                          int64_t batch, int64_t i, int64_t j) {
  double sum =
      g->accumulate ? element_at(c, batch * g->c_batch + i * g->c_stride + j, g->element) : 0;
  for (int64_t l = 0; l < g->k; l++) {
    int64_t at_a = g->a_transposed ? l * g->a_stride + i : i * g->a_stride + l;
    int64_t at_b = g->b_transposed ? j * g->b_stride + l : l * g->b_stride + j;
    sum += element_at(a, batch * g->a_batch + at_a, g->element) *
           element_at(b, batch * g->b_batch + at_b, g->element);
  }
  return sum;
}

// Runs it and compares all of C: what stands between its rows must stay.
static void check_product(assay_gpu *gpu, assay_gpu_gemm g) {
  static double a[ROOM], b[ROOM], c[ROOM], got[ROOM], want[ROOM];
  const int64_t bytes = (int64_t)ROOM * g.element;
  fill_operand(a, g.element, 1);
  fill_operand(b, g.element, 2);
  fill_operand(c, g.element, 3);
  memcpy(want, c, sizeof c);
  for (int64_t batch = 0; batch < g.batch; batch++)
    for (int64_t i = 0; i < g.m; i++)
      for (int64_t j = 0; j < g.n; j++)
        set_element(want, batch * g.c_batch + i * g.c_stride + j, g.element,
                    expected_at(&g, a, b, c, batch, i, j));
  const double *const from[] = {a, b, c};
  assay_gpu_address *const to[] = {&g.a, &g.b, &g.c};
  for (int i = 0; i < 3; i++) {
    must(gpu->methods->alloc(gpu, bytes, to[i], &err));
    must(gpu->methods->upload(gpu, *to[i], from[i], bytes, &err));
  }
  must(gpu->methods->gemm(gpu, &g, &err));
  must(gpu->methods->download(gpu, got, g.c, bytes, &err));
  assert_memory_equal(got, want, (size_t)bytes);
  for (int i = 0; i < 3; i++)
    must(gpu->methods->release(gpu, *to[i], &err));
}

static void products_are_right_in_every_form(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(true);
  for (int form = 0; form < 64; form++) {
    bool ta = form & 1, tb = form & 2, slices = form & 4;
    int64_t m = 5, n = 7, k = 3, pad = slices ? 4 : 0;
    int64_t a_rows = ta ? k : m, a_length = ta ? m : k, b_rows = tb ? n : k, b_length = tb ? k : n;
    assay_gpu_gemm gemm = {.m = m,
                           .n = n,
                           .k = k,
                           .a_stride = a_length + pad,
                           .b_stride = b_length + pad,
                           .c_stride = n + pad,
                           .a_transposed = ta,
                           .b_transposed = tb,
                           .accumulate = form & 8,
                           .batch = form & 16 ? 3 : 1,
                           .element = form & 32 ? 8 : 4};
    gemm.a_batch = a_rows * gemm.a_stride + 1;
    gemm.b_batch = slices ? 0 : b_rows * gemm.b_stride; // the same B for all
    gemm.c_batch = m * gemm.c_stride;
    check_product(gpu, gemm);
  }
  gpu->methods->close(gpu);
}

// Heads in a row: the matrices of a batch lie between each other's rows.
static void batches_may_interleave(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(true);
  check_product(gpu, (assay_gpu_gemm){.m = 6,
                                      .n = 6,
                                      .k = 4,
                                      .batch = 2,
                                      .element = 4,
                                      .a_stride = 24,
                                      .b_stride = 24,
                                      .c_stride = 12,
                                      .a_batch = 4,
                                      .b_batch = 4,
                                      .c_batch = 6,
                                      .b_transposed = true});
  gpu->methods->close(gpu);
}

// Of one row the stride means nothing, and may be what no leading dimension can be.
static void thin_and_empty_products_are_right(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(true);
  check_product(gpu, (assay_gpu_gemm){.m = 1,
                                      .n = 5,
                                      .k = 1,
                                      .batch = 1,
                                      .element = 4,
                                      .a_stride = 1,
                                      .b_stride = 1,
                                      .c_stride = 1});
  check_product(gpu, (assay_gpu_gemm){.m = 5,
                                      .n = 1,
                                      .k = 9,
                                      .batch = 1,
                                      .element = 8,
                                      .a_stride = 9,
                                      .b_stride = 1,
                                      .c_stride = 1});
  check_product(gpu, (assay_gpu_gemm){.m = 3,
                                      .n = 4,
                                      .k = 0,
                                      .batch = 1,
                                      .element = 4,
                                      .a_stride = 1,
                                      .b_stride = 4,
                                      .c_stride = 4});
  check_product(gpu, (assay_gpu_gemm){.m = 0,
                                      .n = 4,
                                      .k = 2,
                                      .batch = 1,
                                      .element = 4,
                                      .a_stride = 2,
                                      .b_stride = 4,
                                      .c_stride = 4});
  gpu->methods->close(gpu);
}

static void what_the_library_cannot_take_is_refused(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(true);
  const assay_gpu_gemm right = {.m = 4,
                                .n = 4,
                                .k = 4,
                                .batch = 1,
                                .element = 4,
                                .a_stride = 4,
                                .b_stride = 4,
                                .c_stride = 4};
  assay_gpu_gemm gemm = right;
  gemm.a_stride = 0;
  must_say(gpu->methods->gemm(gpu, &gemm, &err), ASSAY_UNSUPPORTED,
           "those of A have 4 elements and are 0 apart");
  gemm = right;
  gemm.b_stride = 3;
  must_say(gpu->methods->gemm(gpu, &gemm, &err), ASSAY_UNSUPPORTED,
           "those of B have 4 elements and are 3 apart");
  gemm = right;
  gemm.c_stride = -4;
  must_say(gpu->methods->gemm(gpu, &gemm, &err), ASSAY_UNSUPPORTED, "those of C");
  gemm = right;
  gemm.element = 2;
  must_say(gpu->methods->gemm(gpu, &gemm, &err), ASSAY_UNSUPPORTED, "not for 2 bytes");
  gemm = right;
  gemm.batch = 2;
  must_say(gpu->methods->gemm(gpu, &gemm, &err), ASSAY_UNSUPPORTED, "2 products into one matrix");
  gpu->methods->close(gpu);
}

// 1 + 2^-12 is no number of tf32: what is added to 0 tells how operands were read.
static void check_precision(assay_gpu *gpu, bool tf32, int element, double want) {
  const double number = 1 + 0x1p-12;
  double bytes[1];
  set_element(bytes, 0, element, number);
  assay_gpu_gemm gemm = {.m = 1,
                         .n = 1,
                         .k = 1,
                         .batch = 1,
                         .a_stride = 1,
                         .b_stride = 1,
                         .c_stride = 1,
                         .tf32 = tf32,
                         .element = element};
  must(gpu->methods->alloc(gpu, element, &gemm.a, &err));
  must(gpu->methods->alloc(gpu, element, &gemm.b, &err));
  must(gpu->methods->alloc(gpu, element, &gemm.c, &err));
  must(gpu->methods->upload(gpu, gemm.a, bytes, element, &err));
  set_element(bytes, 0, element, 1);
  must(gpu->methods->upload(gpu, gemm.b, bytes, element, &err));
  must(gpu->methods->gemm(gpu, &gemm, &err));
  must(gpu->methods->download(gpu, bytes, gemm.c, element, &err));
  assert_true(element_at(bytes, 0, element) == want);
  must(gpu->methods->release(gpu, gemm.a, &err));
  must(gpu->methods->release(gpu, gemm.b, &err));
  must(gpu->methods->release(gpu, gemm.c, &err));
}

static void only_products_that_allow_it_use_tf32(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(true);
  check_precision(gpu, false, 4, 1 + 0x1p-12);
  check_precision(gpu, true, 4, 1);
  check_precision(gpu, true, 4, 1);
  check_precision(gpu, true, 8, 1 + 0x1p-12);
  check_precision(gpu, true, 4, 1);
  check_precision(gpu, false, 4, 1 + 0x1p-12);
  gpu->methods->close(gpu);
}

static void what_is_nothing(void) {}

static void what_a_library_lacks_is_named(void **state) {
  (void)state;
  void (*create)(void) = NULL, (*none)(void) = what_is_nothing;
  const cuda_symbol symbols[] = {{"cublasCreate_v2", &create, false},
                                 {"cublasOfTomorrow", &none, true},
                                 {"cublasOfYesterday", &none, false}};
  void *library = load_library(ASSAY_FAKE_CUBLAS);
  assert_null(assay_cuda_symbols(library, symbols, 2));
  assert_true(create != NULL && none == NULL);
  assert_string_equal(assay_cuda_symbols(library, symbols, 3), "cublasOfYesterday");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(what_a_library_lacks_is_named, begin, end),
      cmocka_unit_test_setup_teardown(products_are_right_in_every_form, begin, end),
      cmocka_unit_test_setup_teardown(batches_may_interleave, begin, end),
      cmocka_unit_test_setup_teardown(thin_and_empty_products_are_right, begin, end),
      cmocka_unit_test_setup_teardown(what_the_library_cannot_take_is_refused, begin, end),
      cmocka_unit_test_setup_teardown(only_products_that_allow_it_use_tf32, begin, end),
  };
  return cmocka_run_group_tests(tests, load_fakes, NULL);
}
