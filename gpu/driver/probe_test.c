// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/fake/fake_testing.h"
#include "gpu/driver/probe.h"

#include <poll.h>
#include <signal.h>
#include <sys/wait.h>
#include <time.h>

static void the_device_is_told_and_not_opened_here(void **state) {
  (void)state;
  assay_driver_facts facts;
  must(assay_driver_probe(true, &facts, &err));
  assert_string_equal(facts.device, "Fake GPU 0");
  assert_int_equal(facts.architecture, 90);
  assert_int_equal(fake->count("cuInit"), 0);
  must(assay_driver_probe(false, NULL, &err));
}

static void reasons_come_through(void **state) {
  (void)state;
  assay_driver_facts facts;
  setenv("CUDA_VISIBLE_DEVICES", "", 1);
  must_say(assay_driver_probe(false, &facts, &err), ASSAY_MISSING, "CUDA_VISIBLE_DEVICES is empty");
  unsetenv("CUDA_VISIBLE_DEVICES");
  fake->inject("cuStreamCreate", 1, 719, false);
  must_say(assay_driver_probe(false, &facts, &err), ASSAY_MISSING,
           "cuStreamCreate: CUDA_ERROR_LAUNCH_FAILED");
}

static void a_driver_that_dies_or_hangs_is_a_reason(void **state) {
  (void)state;
  fake_machine machine = usual_machine;
  machine.crashes = true;
  fake->reset(&machine);
  must_say(assay_driver_probe(false, NULL, &err), ASSAY_MISSING,
           "CUDA's driver died of signal 6 (Aborted) when opened");
  machine.crashes = false;
  machine.hangs = true;
  fake->reset(&machine);
  must_say(assay_driver_probe_within(false, 0.05, NULL, &err), ASSAY_MISSING,
           "CUDA's driver did not open within 0.05 s");
}

// The pipe's end is inherited: it closes where neither process has it any more.
static void a_driver_that_hangs_ends_with_the_parent(void **state) {
  (void)state;
  fake_machine machine = usual_machine;
  machine.hangs = true;
  fake->reset(&machine);
  int ends[2];
  char byte;
  assert_int_equal(pipe(ends), 0);
  pid_t parent = fork();
  if (parent == 0) {
    close(ends[0]);
    _exit(assay_driver_probe_within(false, 600, NULL, &err) == ASSAY_OK);
  }
  close(ends[1]);
  nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL); // it has forked by then, most often
  kill(parent, SIGKILL);
  waitpid(parent, NULL, 0);
  struct pollfd closed = {.fd = ends[0], .events = POLLIN};
  assert_int_equal(poll(&closed, 1, 20000), 1);
  assert_int_equal(read(ends[0], &byte, 1), 0);
  close(ends[0]);
}

// As whole commands tell the fake driver, before anything else has been told.
static void the_environment_makes_the_fake(void **state) {
  (void)state;
  assay_driver_facts facts;
  setenv("FAKE_CUDA_MEMORY", "12345", 1);
  setenv("FAKE_CUDA_ARCHITECTURE", "120", 1);
  must(assay_driver_probe(false, &facts, &err));
  assert_int_equal(facts.memory_total, 12345);
  assert_int_equal(facts.architecture, 120);
  setenv("FAKE_CUDA_FAIL", "cuInit:2:100,cuEventCreate:1:2+", 1);
  must_say(assay_driver_probe(false, &facts, &err), ASSAY_MISSING,
           "cuEventCreate: CUDA_ERROR_OUT_OF_MEMORY");
  setenv("FAKE_CUDA_FAIL", "cuInit:1:100", 1);
  must_say(assay_driver_probe(false, &facts, &err), ASSAY_MISSING, "finds no device");
}

// Before the fakes are loaded, on a machine without CUDA.
static void without_a_driver_that_is_said(void **state) {
  (void)state;
  if (dlopen("libcuda.so.1", RTLD_LAZY) != NULL)
    skip();
  must_say(assay_driver_probe(false, NULL, &err), ASSAY_MISSING, "no CUDA driver: libcuda.so.1");
  assay_gpu *gpu = NULL;
  must_say(assay_driver_open(false, &gpu, &err), ASSAY_MISSING, "no CUDA driver: libcuda.so.1");
  assert_null(gpu);
}

int main(void) {
  const struct CMUnitTest bare[] = {cmocka_unit_test(without_a_driver_that_is_said)};
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_environment_makes_the_fake),
      cmocka_unit_test_setup_teardown(the_device_is_told_and_not_opened_here, begin, end),
      cmocka_unit_test_setup_teardown(reasons_come_through, begin, end),
      cmocka_unit_test_setup_teardown(a_driver_that_dies_or_hangs_is_a_reason, begin, end),
      cmocka_unit_test_setup_teardown(a_driver_that_hangs_ends_with_the_parent, begin, end),
  };
  int failed = cmocka_run_group_tests(bare, NULL, NULL);
  return failed + cmocka_run_group_tests(tests, load_fakes, NULL);
}
