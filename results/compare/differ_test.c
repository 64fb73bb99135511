// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/compare/compare_testing.h"

static void other_machines_are_never_slower(void **state) {
  for (int i = 0; i < 9; i++) {
    assay_environment other = machine;
    assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
    other.cpu = i == 0 ? "Another" : machine.cpu;
    other.llvm = i == 1 ? "23" : machine.llvm;
    other.blas = i == 2 ? NULL : machine.blas;
    other.blas_core = i == 3 ? "Haswell" : machine.blas_core;
    other.peak_gbs = i == 4 ? 8 : machine.peak_gbs;
    other.peak_gflops_f64 = i == 5 ? 30 : machine.peak_gflops_f64;
    new.environment = &other;
    new.threads = i == 6 ? 2 : 1;
    new.cold = i == 7;
    assay_change expected = i == 8 ? ASSAY_SLOWER : ASSAY_UNSURE;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assert_row(found, "k", "run", expected, i == 8, i == 8);
    assert_true((find(found, "k", "run")->reason != NULL) == (i != 8));
  }
}

// A device's clock, driver and assembler; of a compilation as well, which the driver may end.
static void other_devices_are_never_slower(void **state) {
  static const char *const gpus[] = {"A GPU, CUDA 13.0", "B GPU, CUDA 13.0", "A GPU, CUDA 12.8"};
  static const char *const builds[] = {"Build 13.0", "Build 12.8"};
  for (int i = 0; i < 6; i++) {
    assay_environment one = machine, other = machine;
    one.cuda = gpus[0];
    one.ptxas = builds[0];
    other.cuda = i == 3 ? NULL : gpus[i < 3 ? i : 0];
    other.ptxas = i == 4 ? builds[1] : i == 5 ? NULL : builds[0];
    assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
    base.environment = &one;
    new.environment = &other;
    base.clock = new.clock = "device";
    base.compile_samples = base.run_samples;
    new.compile_samples = new.run_samples;
    base.compile_sample_count = new.compile_sample_count = SAMPLES;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    assay_change expected = i == 0 ? ASSAY_SLOWER : ASSAY_UNSURE;
    assert_row(found, "k", "run", expected, i == 0, i == 0);
    assert_row(found, "k", "compile", expected, i == 0, i == 0);
    assert_row(compare(*state, &new, 1, &base, 1, false), "k", "run",
               i == 0 ? ASSAY_FASTER : ASSAY_UNSURE, false, false);
    // Of two builds side by side one may be too old to tell its ptxas.
    assert_row(compare(*state, &base, 1, &new, 1, true), "k", "run",
               i == 0 || i == 5 ? ASSAY_SLOWER : ASSAY_UNSURE, i == 0 || i == 5, i == 0 || i == 5);
  }
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
  new.clock = "device";
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "run", ASSAY_UNSURE, false, false);
  assert_string_equal(find(found, "k", "run")->reason, "another clock: wall, then device");
}

// Its peaks are of its runs; what compiles is the processor, whose own are not known there.
static void a_device_in_another_state_is_never_slower(void **state) {
  assay_environment other = machine;
  other.peak_gbs = 8;
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
  new.environment = &other;
  base.clock = new.clock = "device";
  base.compile_samples = base.run_samples;
  new.compile_samples = new.run_samples;
  base.compile_sample_count = new.compile_sample_count = SAMPLES;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "run", ASSAY_UNSURE, false, false);
  assert_string_equal(find(found, "k", "run")->reason,
                      "the device itself differed: 10 GB/s at its peak, then 8");
  assert_row(found, "k", "compile", ASSAY_SLOWER, true, true);
}

static void devices_matter_to_nobody_else(void **state) {
  assay_environment other = machine;
  other.cuda = "A GPU, CUDA 13.0";
  other.ptxas = "Build 13.0";
  assay_record base = bench(*state, "k", 1, 0), new = bench(*state, "k", 2, 1);
  new.environment = &other;
  const assay_counter before = {"object_bytes", 10}, after = {"object_bytes", 11};
  base.counters = &before;
  new.counters = &after;
  base.counter_count = new.counter_count = 1;
  const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
  assert_row(found, "k", "run", ASSAY_SLOWER, true, true);
  assert_row(found, "k", "object_bytes", ASSAY_CHANGED, true, true);
}

// What it counts may have changed, vanished or be new; what is alike is alike all the same.
static void another_ptxas_counts_otherwise(void **state) {
  static const assay_counter before[] = {
      {"sm_80_registers", 10}, {"sm_80_spill_bytes", 0}, {"sm_90_registers", 1}, {"kernels", 3}};
  static const assay_counter after[] = {
      {"sm_80_registers", 99}, {"sm_80_spill_bytes", 0}, {"sm_120_registers", 1}, {"kernels", 4}};
  static const char *const builds[] = {"Build 13.0", "Build 12.8", NULL};
  for (int i = 0; i < 3; i++) {
    assay_environment one = machine, other = machine;
    one.ptxas = builds[0];
    other.ptxas = builds[i];
    assay_record base = bench(*state, "k", 1, 0), new = base;
    base.environment = &one;
    new.environment = &other;
    base.counters = before;
    new.counters = after;
    base.counter_count = new.counter_count = 4;
    const assay_comparison *found = compare(*state, &base, 1, &new, 1, false);
    bool same = i == 0;
    assert_row(found, "k", "sm_80_registers", same ? ASSAY_CHANGED : ASSAY_UNSURE, same, same);
    assert_row(found, "k", "sm_80_spill_bytes", ASSAY_SAME, false, false);
    assert_row(found, "k", "sm_90_registers", same ? ASSAY_CHANGED : ASSAY_UNSURE, same, same);
    assert_row(found, "k", "sm_120_registers", same ? ASSAY_NEW : ASSAY_UNSURE, false, false);
    assert_row(found, "k", "kernels", ASSAY_CHANGED, true, true);
    if (i == 2)
      assert_string_equal(find(found, "k", "sm_80_registers")->reason,
                          "another ptxas: Build 13.0, then none");
  }
}

static void reasons_are_told_once(void **state) {
  static const assay_counter before[] = {{"sm_80_registers", 10}, {"sm_90_registers", 1}};
  assay_environment other = machine;
  other.ptxas = "Build 12.8";
  assay_record base = bench(*state, "k", 1, 0), new = base;
  base.clock = new.clock = "device";
  base.counters = before;
  base.counter_count = 2;
  new.environment = &other;
  const char *text = print(*state, compare(*state, &base, 1, &new, 1, false), false);
  assert_non_null(strstr(text, "UNSURE: 2 counters: another ptxas: none, then Build 12.8\n"));
  assert_non_null(strstr(text, "UNSURE: 1 timing: another ptxas: none, then Build 12.8\n"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(other_machines_are_never_slower),
      cmocka_unit_test(other_devices_are_never_slower),
      cmocka_unit_test(a_device_in_another_state_is_never_slower),
      cmocka_unit_test(devices_matter_to_nobody_else),
      cmocka_unit_test(another_ptxas_counts_otherwise),
      cmocka_unit_test(reasons_are_told_once),
  };
  return cmocka_run_group_tests(tests, compare_set_up, compare_tear_down);
}
