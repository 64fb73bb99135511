// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/symptom.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static bool agree(assay_fault fault, const char *a, const char *b, const char *message) {
  const assay_symptom first = assay_symptom_make(fault, "cse", a);
  const assay_symptom second = assay_symptom_make(fault, "cse", b);
  return assay_symptoms_agree(&first, &second, message);
}

static void names_places_and_sizes_are_the_programs_own(void **state) {
  (void)state;
  assert_true(agree(ASSAY_FAULT_INVALID_IR,
                    "x.mlir:3:8: 'arith.addf' op requires %sum#1 of 'tensor<64x48xf32>'",
                    "y.mlir:12:1: 'arith.addf' op requires %0 of 'tensor<1xf32>'", NULL));
  assert_false(agree(ASSAY_FAULT_INVALID_IR, "x.mlir:3:8: 'arith.addf' op requires one",
                     "x.mlir:3:8: 'arith.mulf' op requires one", NULL));
  assert_false(agree(ASSAY_FAULT_INVALID_IR, "x.mlir:3:8: op is bad; t.op: a NaN f32 attribute",
                     "x.mlir:4:8: op is bad", NULL));
  assert_true(agree(ASSAY_FAULT_INVALID_IR, "x.mlir:3:8: op is bad; t.op: a NaN f32 attribute",
                    "x.mlir:4:8: op is bad", "op is bad"));
}

static void what_is_told_in_words_must_agree(void **state) {
  (void)state;
  assert_false(agree(ASSAY_FAULT_CRASH, "killed by SIGSEGV (Segmentation fault): 0x7f",
                     "killed by SIGABRT (Aborted): 0x7f", NULL));
  assert_true(agree(ASSAY_FAULT_CRASH, "killed by SIGABRT (Aborted); it printed: one",
                    "killed by SIGABRT (Aborted); it printed: two", NULL));
  assert_true(agree(ASSAY_FAULT_NAN_ATTRIBUTE, "arith.constant: a NaN f32 attribute at x:1:1",
                    "arith.constant: a NaN tensor<2xf32> attribute at x:9:9", NULL));
  assert_false(agree(ASSAY_FAULT_NAN_ATTRIBUTE, "arith.constant: a NaN f32 attribute at x:1:1",
                     "toy.constant: a NaN f32 attribute at x:1:1", NULL));
  assert_false(agree(ASSAY_FAULT_UNLOWERED, "memref.copy is left", "memref.load is left", NULL));
  assert_false(agree(ASSAY_FAULT_CRASH,
                     "killed by SIGABRT (Aborted); it printed: LLVM ERROR: one\n#0 0x7f",
                     "killed by SIGABRT (Aborted); it printed: LLVM ERROR: other\n#0 0x7f", NULL));
  assert_true(agree(ASSAY_FAULT_MISCOMPILE, "result 0[0]: got 4, want -4",
                    "argument 1[3, 4]: got 2, want 1", NULL));
  assert_true(agree(ASSAY_FAULT_MISCOMPILE, "@main is gone", "@f is gone", NULL));
  static const char *const others[] = {
      "@main is gone", "the program crashes: SIGSEGV", "the program does not end: the time limit",
      "heap write out of bounds: block of 12 bytes, at byte 12",
      "result 0[0]: got 4, want 1; the program reads memory that nobody wrote"};
  for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
    assert_false(agree(ASSAY_FAULT_MISCOMPILE, "result 0[0]: got 4, want -4", others[i], NULL));
}

static void passes_and_classes_must_agree(void **state) {
  (void)state;
  const assay_symptom one = assay_symptom_make(ASSAY_FAULT_MISCOMPILE, "cse", "got 1");
  const assay_symptom pass = assay_symptom_make(ASSAY_FAULT_MISCOMPILE, "sccp", "got 1");
  const assay_symptom fault = assay_symptom_make(ASSAY_FAULT_PRECISION_LOSS, "cse", "got 1");
  assert_true(assay_symptoms_agree(&one, &one, NULL));
  assert_false(assay_symptoms_agree(&one, &pass, NULL));
  assert_false(assay_symptoms_agree(&one, &fault, NULL));
}

static void a_message_must_be_in_the_reason(void **state) {
  (void)state;
  assert_true(agree(ASSAY_FAULT_INVALID_IR, "op is bad", "op is bad", "is bad"));
  assert_false(agree(ASSAY_FAULT_INVALID_IR, "op is bad", "op is bad", "is good"));
}

static void long_reasons_are_cut(void **state) {
  (void)state;
  char reason[4000];
  for (size_t i = 0; i < sizeof reason - 1; i++)
    reason[i] = "% 1 tensor<2x3xf32>"[i % 19];
  reason[sizeof reason - 1] = '\0';
  const assay_symptom made = assay_symptom_make(ASSAY_FAULT_INVALID_IR, "cse", reason);
  assert_true(strlen(made.sign) < sizeof made.sign && strlen(made.reason) < sizeof made.reason);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(names_places_and_sizes_are_the_programs_own),
      cmocka_unit_test(what_is_told_in_words_must_agree),
      cmocka_unit_test(passes_and_classes_must_agree),
      cmocka_unit_test(a_message_must_be_in_the_reason),
      cmocka_unit_test(long_reasons_are_cut),
  };
  return cmocka_run_group_tests_name("symptom", tests, NULL, NULL);
}
