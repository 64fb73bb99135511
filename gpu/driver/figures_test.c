// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What is read in ptxas' log, and what is not taken for it.
#include "gpu/driver/cubin_testing.h"

#define ENTRY(name) "ptxas info    : Compiling entry function '" name "' for 'sm_90'\n"
#define PROPERTIES(name) "ptxas info    : Function properties for " name "\n"
#define STACK "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
#define USED "ptxas info    : Used 22 registers, used 0 barriers, 536 bytes smem\n"
#define WHOLE(name) ENTRY(name) PROPERTIES(name) STACK USED

static const char one[] = ".visible .entry k()\n{ ret; }\n";

// Of functions that are called, ptxas says lines as well.
static void figures_are_those_of_the_kernels(void **state) {
  (void)state;
  size_t count;
  const assay_kernel_figures *found;
  must(assay_ptxas_figures(
      arena,
      "ptxas info    : 0 bytes gmem, 16 bytes cmem[4]\n" WHOLE(
          "k") "ptxas info    : Compile time = 3.521 ms\n" PROPERTIES("helper") "    64 bytes "
                                                                                "stack frame, 32 "
                                                                                "bytes spill "
                                                                                "stores, 32 bytes "
                                                                                "spill loads\n",
      one, &found, &count, &err));
  assert_int_equal(count, 1);
  assert_int_equal(found[0].registers, 22);
  assert_int_equal(found[0].shared, 536);
  assert_int_equal(found[0].stack, 0);
  assert_int_equal(found[0].spill_stores, 0);
}

// Where a kernel has no shared memory, no word is said of it.
static void shared_memory_is_told_where_it_is(void **state) {
  (void)state;
  size_t count;
  const assay_kernel_figures *found;
  must(assay_ptxas_figures(arena,
                           ENTRY("k") PROPERTIES("k") STACK
                           "ptxas info    : Used 255 registers, used 0 barriers\n",
                           one, &found, &count, &err));
  assert_int_equal(found[0].registers, 255);
  assert_int_equal(found[0].shared, 0);
}

static void what_is_not_told_is_unknown(void **state) {
  (void)state;
  static const char two[] = ".entry\tb(\n)\n{ ret; }\n.visible .entry a()\n{ ret; }\n";
  static const struct {
    const char *ptx, *log, *said;
  } rows[] = {
      {one, "", "ptxas says nothing of kernel 'k'"},
      {one, "\001\002 no words at all", "ptxas says nothing of kernel 'k'"},
      {one, PROPERTIES("k") STACK USED, "ptxas says nothing of kernel 'k'"},
      {one, WHOLE("other"), "ptxas says nothing of kernel 'k'"},
      {one, ENTRY("k"), "ptxas tells no registers of kernel 'k' that can be"},
      {one, ENTRY("k") PROPERTIES("k") STACK, "ptxas tells no registers of kernel 'k'"},
      {one, ENTRY("k") USED, "ptxas tells no stack frame of kernel 'k'"},
      {one, ENTRY("k") USED PROPERTIES("k") "    0 bytes stack frame, 0 bytes spill loads\n",
       "ptxas tells no spill stores of kernel 'k'"},
      {one, ENTRY("k") USED PROPERTIES("k") "    0 bytes stack frame, 0 bytes spill stores\n",
       "ptxas tells no spill loads of kernel 'k'"},
      {one, ENTRY("k") PROPERTIES("k") STACK "ptxas info    : Used 0 registers\n",
       "ptxas tells no registers of kernel 'k'"},
      {one, ENTRY("k") PROPERTIES("k") STACK "ptxas info    : Used 256 registers\n",
       "ptxas tells no registers of kernel 'k'"},
      {one, ENTRY("k") PROPERTIES("k") STACK "ptxas info    : Used -4 registers\n",
       "ptxas tells no registers of kernel 'k'"},
      {one, ENTRY("k") PROPERTIES("k") STACK "ptxas info    : Used registers\n",
       "ptxas tells no registers of kernel 'k'"},
      {one, ENTRY("k") PROPERTIES("k") STACK "ptxas info    : Used 9 registers, x bytes smem\n",
       "ptxas tells no shared memory of kernel 'k'"},
      {one,
       ENTRY("k") PROPERTIES("k") USED
       "    0 bytes stack frame, 18446744073709551616 bytes spill stores, 0 bytes spill loads\n",
       "ptxas tells no spill stores of kernel 'k'"},
      {one, WHOLE("k") WHOLE("k"), "ptxas tells of 2 kernels, expected the PTX's 1"},
      {two, WHOLE("b"), "ptxas says nothing of kernel 'a'"},
      {two, WHOLE("b") ENTRY("a"), "ptxas tells no registers of kernel 'a'"},
      {two, WHOLE("b") WHOLE("a") WHOLE("c"), "ptxas tells of 3 kernels, expected the PTX's 2"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
    size_t count = 9;
    const assay_kernel_figures *found = &(assay_kernel_figures){0};
    must_say(assay_ptxas_figures(arena, rows[i].log, rows[i].ptx, &found, &count, &err),
             ASSAY_FAILED, rows[i].said);
    assert_null(found);
    assert_int_equal(count, 0);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(figures_are_those_of_the_kernels, set_up, tear_down),
      cmocka_unit_test_setup_teardown(shared_memory_is_told_where_it_is, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_is_not_told_is_unknown, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
