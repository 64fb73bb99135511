// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// For unit tests: kernels, given as MLIR text, run on arrays of the host by the simulator.
#ifndef ASSAY_GPU_SIMULATOR_TESTING_H
#define ASSAY_GPU_SIMULATOR_TESTING_H

#include "compiler/lower/context.h"
#include "gpu/simulator/assemble.h"
#include "gpu/simulator/simulator.h"

#include <mlir-c/Pass.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { SIMULATED_PARAMETERS = 96, SIMULATED_ARRAYS = 8 };

// An opened simulator with one loaded gpu.module.
typedef struct simulated {
  assay_gpu *gpu;
  assay_gpu_module *module;
} simulated;

// A memref of the host, that goes to the device before a launch and comes back after it; rank 0: a
// scalar of `element` bytes at data.
typedef struct simulated_array {
  void *data;
  int element; // bytes
  int rank;
  int64_t sizes[4];
  int64_t strides[4]; // all 0: row-major
} simulated_array;

// Lowers every gpu.module in the text of a builtin.module as far as NVVM.
static inline MlirModule simulated_lower(MlirContext context, const char *text) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  MlirPassManager manager = mlirPassManagerCreate(context);
  static const char passes[] =
      "builtin.module(gpu.module(lower-affine,convert-vector-to-scf,convert-scf-to-cf,"
      "expand-strided-metadata,lower-affine,convert-gpu-to-nvvm,reconcile-unrealized-casts,"
      "canonicalize,cse))";
  assert_true(mlirLogicalResultIsSuccess(
      mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                            mlirStringRefCreateFromCString(passes), NULL, NULL)));
  assert_true(
      mlirLogicalResultIsSuccess(mlirPassManagerRunOnOp(manager, mlirModuleGetOperation(module))));
  mlirPassManagerDestroy(manager);
  return module;
}

// The first gpu.module in it.
static inline MlirOperation simulated_kernels(MlirModule module) {
  MlirOperation at = mlirBlockGetFirstOperation(mlirModuleGetBody(module));
  for (; !mlirOperationIsNull(at); at = mlirOperationGetNextInBlock(at)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(at));
    if (name.length == 10 && memcmp(name.data, "gpu.module", 10) == 0)
      return at;
  }
  fail_msg("no gpu.module");
  return at;
}

// Opens a simulator of 64 MiB and loads a gpu.module of NVVM.
static inline simulated simulated_open(MlirOperation gpu_module) {
  simulated device = {0};
  assay_error err = {.text = ""};
  void *bytes;
  size_t size;
  if (assay_simulator_assemble(gpu_module, &bytes, &size, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  if (assay_simulator_open(INT64_C(64) << 20, &device.gpu, &err) != ASSAY_OK ||
      device.gpu->methods->load(device.gpu, bytes, size, &device.module, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  free(bytes);
  return device;
}

// The same from the text of a builtin.module with one gpu.module.
static inline simulated simulated_text(const assay_context *context, const char *text) {
  MlirModule module = simulated_lower(assay_context_get(context), text);
  simulated device = simulated_open(simulated_kernels(module));
  mlirModuleDestroy(module);
  return device;
}

static inline void simulated_close(simulated *device) {
  device->gpu->methods->unload(device->module);
  device->gpu->methods->close(device->gpu);
}

static inline int64_t simulated_bytes(const simulated_array *array) {
  int64_t last = 0, row = 1;
  for (int i = array->rank - 1; i >= 0; i--) {
    last += (array->sizes[i] - 1) * (array->strides[i] != 0 ? array->strides[i] : row);
    row *= array->sizes[i];
  }
  return (last + 1) * array->element;
}

// The parameters of a memref: its base twice, offset 0, sizes, strides.
static inline size_t simulated_describe(const simulated_array *array, uint64_t address,
                                        uint64_t words[]) {
  size_t rank = (size_t)array->rank;
  words[0] = words[1] = address;
  words[2] = 0;
  int64_t row = 1;
  for (size_t i = rank; i > 0; i--) {
    words[2 + i] = (uint64_t)array->sizes[i - 1];
    words[2 + rank + i] = (uint64_t)(array->strides[i - 1] != 0 ? array->strides[i - 1] : row);
    row *= array->sizes[i - 1];
  }
  return 3 + 2 * rank;
}

// cmocka set-up and tear-down of a group: its state is an assay_context.
static inline int simulated_create(void **state) {
  assay_error err;
  return assay_context_create((assay_context **)state, &err) == ASSAY_OK ? 0 : -1;
}
static inline int simulated_destroy(void **state) {
  assay_context_destroy(*state);
  return 0;
}

// Launches the kernel, memrefs flattened as MLIR's lowering has them, and brings all arrays back
// (even after a fault).
static inline assay_code simulated_launch(simulated *device, const char *kernel,
                                          const int64_t grid[3], const int64_t block[3],
                                          int64_t shared, size_t count,
                                          const simulated_array arrays[], assay_error *err) {
  const assay_gpu_methods *methods = device->gpu->methods;
  uint64_t words[SIMULATED_PARAMETERS], addresses[SIMULATED_ARRAYS] = {0};
  void *parameters[SIMULATED_PARAMETERS];
  size_t used = 0;
  for (size_t i = 0; i < count; i++) {
    if (arrays[i].rank == 0) {
      memcpy(&words[used++], arrays[i].data, (size_t)arrays[i].element);
      continue;
    }
    int64_t bytes = simulated_bytes(&arrays[i]);
    assert_int_equal(methods->alloc(device->gpu, bytes, &addresses[i], err), ASSAY_OK);
    assert_int_equal(methods->upload(device->gpu, addresses[i], arrays[i].data, bytes, err),
                     ASSAY_OK);
    used += simulated_describe(&arrays[i], addresses[i], &words[used]);
  }
  for (size_t i = 0; i < used; i++)
    parameters[i] = &words[i];
  assay_gpu_launch launch = {.grid = {grid[0], grid[1], grid[2]},
                             .block = {block[0], block[1], block[2]},
                             .shared = shared,
                             .parameters = parameters,
                             .parameter_count = used};
  if (methods->find(device->module, kernel, &launch.function, err) != ASSAY_OK)
    fail_msg("%s", err->text);
  assay_code code = methods->launch(device->gpu, &launch, err);
  assay_error ignored;
  for (size_t i = 0; i < count; i++)
    if (arrays[i].rank != 0) {
      assert_int_equal(methods->download(device->gpu, arrays[i].data, addresses[i],
                                         simulated_bytes(&arrays[i]), &ignored),
                       ASSAY_OK);
      assert_int_equal(methods->release(device->gpu, addresses[i], &ignored), ASSAY_OK);
    }
  return code;
}

// The same, linear in x, of a kernel that must not fault.
static inline void simulated_run(simulated *device, const char *kernel, int64_t blocks,
                                 int64_t threads, size_t count, const simulated_array arrays[]) {
  assay_error err = {.text = ""};
  if (simulated_launch(device, kernel, (int64_t[]){blocks, 1, 1}, (int64_t[]){threads, 1, 1}, 0,
                       count, arrays, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
}

// Runs the kernel in each schedule, and demands the same bytes of the last array each time.
static inline void simulated_run_all(simulated *device, const char *kernel, const int64_t grid[3],
                                     const int64_t block[3], size_t count,
                                     const simulated_array arrays[]) {
  const simulated_array *out = &arrays[count - 1];
  size_t size = (size_t)simulated_bytes(out);
  char *first = malloc(size), *before = malloc(size);
  assert_non_null(first);
  assert_non_null(before);
  memcpy(before, out->data, size);
  for (int races = 0; races < 2; races++)
    for (int schedule = 0; schedule < ASSAY_SCHEDULE_COUNT; schedule++) {
      assay_simulator_set(
          device->gpu,
          (assay_simulation){.schedule = (assay_schedule)schedule, .seed = 5, .races = races == 1});
      assay_error err = {.text = ""};
      memcpy(out->data, before, size);
      if (simulated_launch(device, kernel, grid, block, 0, count, arrays, &err) != ASSAY_OK)
        fail_msg("%s: %s", assay_schedule_name((assay_schedule)schedule), err.text);
      if (races == 0 && schedule == 0)
        memcpy(first, out->data, size);
      assert_memory_equal(first, out->data, size);
    }
  free(first);
  free(before);
}

// The same, linear in x.
static inline void simulated_run_line(simulated *device, const char *kernel, int64_t blocks,
                                      int64_t threads, size_t count,
                                      const simulated_array arrays[]) {
  simulated_run_all(device, kernel, (int64_t[]){blocks, 1, 1}, (int64_t[]){threads, 1, 1}, count,
                    arrays);
}

// Launches in each schedule on the same arrays; every one must fail with a message that contains
// the expected one. Afterwards the device must still work.
static inline void simulated_expect_fault(void *context, const char *text, int64_t blocks,
                                          int64_t threads, size_t count,
                                          const simulated_array arrays[], const char *want) {
  simulated device = simulated_text(context, text);
  for (int schedule = 0; schedule < ASSAY_SCHEDULE_COUNT; schedule++) {
    assay_error err = {.text = ""};
    assay_simulator_set(device.gpu, (assay_simulation){.schedule = (assay_schedule)schedule,
                                                       .seed = (uint64_t)schedule,
                                                       .races = true});
    assert_int_equal(simulated_launch(&device, "k", (int64_t[]){blocks, 1, 1},
                                      (int64_t[]){threads, 1, 1}, 0, count, arrays, &err),
                     ASSAY_FAILED);
    if (strstr(err.text, want) == NULL)
      fail_msg("%s: got '%s', want '%s'", assay_schedule_name((assay_schedule)schedule), err.text,
               want);
    if (strchr(err.text, '\n') != NULL)
      fail_msg("several lines: %s", err.text);
  }
  simulated_close(&device);
}

#endif
