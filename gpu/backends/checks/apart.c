// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/checks/apart.h"

#include "gpu/backends/checks/mutate.h"
#include "gpu/backends/support/simulated.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

// Of the test program's one device: methods have no data of their own.
static assay_gpu_methods methods;
static const assay_gpu_methods *simulator;
static assay_gpu_module *loaded;

enum { DISTANCE = 64 * 1024 };

// What is put apart is so far from all else that an index past its own memory is not in another's;
// what is between is free.
static assay_code load_apart(assay_gpu *gpu, const void *bytes, size_t size,
                             assay_gpu_module **out_module, assay_error *err) {
  assay_gpu_address between;
  TRY(simulator->alloc(gpu, DISTANCE, &between, err));
  TRY(simulator->load(gpu, bytes, size, out_module, err));
  loaded = *out_module;
  return simulator->release(gpu, between, err);
}

static assay_code alloc_apart(assay_gpu *gpu, int64_t bytes, assay_gpu_address *out_address,
                              assay_error *err) {
  assay_gpu_address between;
  TRY(simulator->alloc(gpu, DISTANCE, &between, err));
  TRY(simulator->alloc(gpu, bytes, out_address, err));
  return simulator->release(gpu, between, err);
}

assay_code apart_open(assay_gpu **out_gpu, assay_error *err) {
  TRY(assay_gpu_simulated.open(out_gpu, err));
  simulator = (*out_gpu)->methods;
  methods = *simulator;
  methods.load = load_apart;
  methods.alloc = alloc_apart;
  (*out_gpu)->methods = &methods;
  return ASSAY_OK;
}

static void launch(assay_gpu *gpu, const char *kernel, size_t count, void *parameters[]) {
  assay_error err = {.text = ""};
  assay_gpu_launch launch = {
      .grid = {1, 1, 1}, .block = {1, 1, 1}, .parameters = parameters, .parameter_count = count};
  if (simulator->find(loaded, kernel, &launch.function, &err) != ASSAY_OK ||
      simulator->launch(gpu, &launch, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
}

void apart_select(assay_gpu *gpu, int number) {
  int32_t word = number;
  launch(gpu, MUTATE_SELECT, 1, (void *[]){&word});
}

bool apart_differs(assay_gpu *gpu, int number) {
  int32_t word = number, result = -1;
  uint64_t address, offset = 0;
  assay_error err;
  assert_int_equal(simulator->alloc(gpu, sizeof result, &address, &err), ASSAY_OK);
  launch(gpu, MUTATE_DIFFERS, 4, (void *[]){&word, &address, &address, &offset});
  assert_int_equal(simulator->download(gpu, &result, address, sizeof result, &err), ASSAY_OK);
  assert_int_equal(simulator->release(gpu, address, &err), ASSAY_OK);
  assert_in_range(result, 0, 1);
  return result == 1;
}
