// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The simulator as a device: memory, code, launches.
#include "gpu/simulator/testing.h"

#include <signal.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static assay_gpu *open_device(int64_t memory) {
  assay_gpu *gpu;
  assay_error err = {.text = ""};
  if (assay_simulator_open(memory, &gpu, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  return gpu;
}

static void memory_comes_poisoned_and_goes(void **state) {
  (void)state;
  assay_gpu *gpu = open_device(4096);
  assay_gpu_address a, b;
  assay_error err = {.text = ""};
  unsigned char bytes[1000];
  assert_int_equal(gpu->methods->alloc(gpu, 1000, &a, &err), ASSAY_OK);
  assert_int_equal(a % 256, 0);
  assert_int_equal(gpu->methods->download(gpu, bytes, a, 1000, &err), ASSAY_OK);
  for (int i = 0; i < 1000; i++)
    assert_int_equal(bytes[i], 0xff);
  assert_int_equal(gpu->methods->alloc(gpu, 3097, &b, &err), ASSAY_UNSUPPORTED);
  assert_string_equal(err.text, "the device has no memory for 3097 bytes: 3096 of 4096 are free");
  assert_int_equal(gpu->methods->alloc(gpu, 3096, &b, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->release(gpu, a, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->release(gpu, a, &err), ASSAY_FAILED);
  assert_int_equal(gpu->methods->release(gpu, b + 8, &err), ASSAY_FAILED);
  assert_int_equal(gpu->methods->release(gpu, 0, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->alloc(gpu, 0, &a, &err), ASSAY_INVALID);
  // Many times what there is, one after another.
  for (int i = 0; i < 100000; i++) {
    assert_int_equal(gpu->methods->alloc(gpu, 1 + i % 1000, &a, &err), ASSAY_OK);
    assert_int_equal(gpu->methods->release(gpu, a, &err), ASSAY_OK);
  }
  gpu->methods->close(gpu);
}

static void copies_stay_in_their_allocation(void **state) {
  (void)state;
  assay_gpu *gpu = open_device(1 << 20);
  assay_gpu_address a, b;
  assay_error err = {.text = ""};
  char bytes[64] = "sixteen bytes ab", back[64];
  assert_int_equal(gpu->methods->alloc(gpu, 16, &a, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->alloc(gpu, 32, &b, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->upload(gpu, a, bytes, 16, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->copy(gpu, b + 8, a, 16, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->download(gpu, back, b + 8, 16, &err), ASSAY_OK);
  assert_memory_equal(back, bytes, 16);
  assert_int_equal(gpu->methods->upload(gpu, a, bytes, 17, &err), ASSAY_FAILED);
  assert_non_null(strstr(err.text, "upload: 17 bytes at 0x"));
  assert_int_equal(gpu->methods->download(gpu, back, a + 1, 16, &err), ASSAY_FAILED);
  assert_int_equal(gpu->methods->copy(gpu, b + 17, a, 16, &err), ASSAY_FAILED);
  assert_int_equal(gpu->methods->upload(gpu, 4096, bytes, 1, &err), ASSAY_FAILED);
  assert_int_equal(gpu->methods->fill(gpu, b, 0x01020304, 4, 8, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->fill(gpu, b, 0x0506, 2, 1, &err), ASSAY_OK);
  assert_int_equal(gpu->methods->download(gpu, back, b, 32, &err), ASSAY_OK);
  assert_memory_equal(back, "\x06\x05\x02\x01\x04\x03\x02\x01", 8);
  assert_int_equal(gpu->methods->fill(gpu, b, 0, 4, 9, &err), ASSAY_FAILED);
  assert_int_equal(gpu->methods->fill(gpu, b, 0, 3, 1, &err), ASSAY_INVALID);
  assert_int_equal(gpu->methods->synchronize(gpu, &err), ASSAY_OK);
  gpu->methods->close(gpu);
}

// Bytes of private memory that the process may write.
static long long data_now(void) {
  char line[256] = "", *at = line;
  FILE *file = fopen("/proc/self/statm", "r");
  if (file != NULL) {
    if (fgets(line, sizeof line, file) == NULL)
      line[0] = '\0';
    fclose(file);
  }
  long long pages = 0;
  for (int field = 0; field < 6; field++) // the sixth is data and stack
    pages = strtoll(at, &at, 10);
  return pages * sysconf(_SC_PAGESIZE);
}

// A large device in a process that may have little, as the children of a suite.
static int use_large_device(void) {
  struct rlimit limit;
  limit.rlim_cur = limit.rlim_max = (rlim_t)data_now() + (64 << 20);
  assay_gpu *gpu;
  assay_gpu_address address;
  assay_error err;
  if (setrlimit(RLIMIT_DATA, &limit) != 0 ||
      assay_simulator_open(INT64_C(16) << 30, &gpu, &err) != ASSAY_OK)
    return 1;
  if (gpu->methods->alloc(gpu, 1 << 20, &address, &err) != ASSAY_OK)
    return 2;
  if (gpu->methods->alloc(gpu, 1 << 30, &address, &err) != ASSAY_UNSUPPORTED)
    return 3;
  return strcmp(err.text, "this process has no memory for 1073741824 bytes of the device") != 0;
}

static void only_what_is_allocated_counts(void **state) {
  (void)state;
  if (data_now() == 0)
    skip(); // no /proc
  pid_t child = fork();
  if (child == 0)
    _exit(use_large_device());
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFEXITED(status));
  assert_int_equal(WEXITSTATUS(status), 0);
}

static void host_code_cannot_follow_an_address(void **state) {
  (void)state;
  assay_gpu *gpu = open_device(1 << 20);
  assay_gpu_address a;
  assay_error err;
  assert_int_equal(gpu->methods->alloc(gpu, 16, &a, &err), ASSAY_OK);
  pid_t child = fork();
  if (child == 0) {
    signal(SIGSEGV, SIG_DFL);
    *(volatile char *)(uintptr_t)a = 1;
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  gpu->methods->close(gpu);
}

static const char counts[] =
    "gpu.module @m {\n"
    "  memref.global \"private\" constant @c : memref<4xi32> = dense<[1, 2, 3, 4]>\n"
    "  gpu.func @k(%out: memref<64xi32>) kernel attributes {known_block_size = array<i32: 32, 1, "
    "1>} {\n"
    "    %t = gpu.thread_id x\n    %z = arith.constant 0 : index\n"
    "    %c = memref.get_global @c : memref<4xi32>\n    %i = memref.load %c[%z] : memref<4xi32>\n"
    "    memref.store %i, %out[%t] : memref<64xi32>\n    gpu.return\n  }\n}\n";

static assay_code launch_with(simulated *device, const int64_t grid[3], const int64_t block[3],
                              int64_t shared, assay_error *err) {
  int32_t out[64];
  simulated_array array = {out, 4, 1, {64}, {0}};
  return simulated_launch(device, "k", grid, block, shared, 1, &array, err);
}

static void launches_have_limits(void **state) {
  simulated device = simulated_text(*state, counts);
  assay_error err = {.text = ""};
  int64_t one[3] = {1, 1, 1};
  assert_int_equal(launch_with(&device, one, (int64_t[]){32, 1, 1}, 0, &err), ASSAY_OK);
  assert_int_equal(launch_with(&device, one, (int64_t[]){33, 1, 1}, 0, &err), ASSAY_FAILED);
  assert_string_equal(err.text, "launch of k: blocks of (33,1,1) threads, where it may have 32");
  assert_int_equal(launch_with(&device, (int64_t[]){1, 65536, 1}, one, 0, &err), ASSAY_FAILED);
  assert_string_equal(err.text, "launch of k: a grid of (1,65536,1) blocks");
  assert_int_equal(launch_with(&device, (int64_t[]){0, 1, 1}, one, 0, &err), ASSAY_FAILED);
  assert_int_equal(launch_with(&device, one, (int64_t[]){1, 0, 1}, 0, &err), ASSAY_FAILED);
  assert_int_equal(launch_with(&device, one, one, 1 << 20, &err), ASSAY_FAILED);
  assay_gpu_function *function;
  assert_int_equal(device.gpu->methods->find(device.module, "nobody", &function, &err),
                   ASSAY_MISSING);
  assert_string_equal(err.text, "the module has no kernel nobody");
  assert_int_equal(device.gpu->methods->find(device.module, "k", &function, &err), ASSAY_OK);
  assay_gpu_launch launch = {.function = function, .grid = {1, 1, 1}, .block = {1, 1, 1}};
  assert_int_equal(device.gpu->methods->launch(device.gpu, &launch, &err), ASSAY_FAILED);
  assert_string_equal(err.text, "launch of k: 0 parameters, but it has 5");
  simulated_close(&device);
}

static void what_is_no_code_is_refused(void **state) {
  (void)state;
  assay_gpu *gpu = open_device(1 << 20);
  assay_gpu_module *module;
  assay_error err;
  assert_int_equal(gpu->methods->load(gpu, "short", 5, &module, &err), ASSAY_FAILED);
  char ptx[64] = "// .version 8.0";
  assert_int_equal(gpu->methods->load(gpu, ptx, sizeof ptx, &module, &err), ASSAY_FAILED);
  char cut[64] = "ASSAYSIM\0\0\0\0\0\0\0\0no object";
  assert_int_equal(gpu->methods->load(gpu, cut, sizeof cut, &module, &err), ASSAY_FAILED);
  void (*close)(assay_gpu *) = gpu->methods->close;
  gpu->methods->unload(NULL);
  close(gpu);
  close(NULL);
  assert_int_equal(assay_simulator_open(0, &gpu, &err), ASSAY_INVALID);
}

static void modules_take_their_variables_with_them(void **state) {
  MlirModule module = simulated_lower(assay_context_get(*state), counts);
  void *bytes;
  size_t size;
  assay_error err = {.text = ""};
  assert_int_equal(assay_simulator_assemble(simulated_kernels(module), &bytes, &size, &err),
                   ASSAY_OK);
  assay_gpu *gpu = open_device(4096);
  for (int i = 0; i < 50; i++) {
    assay_gpu_module *first, *second;
    assert_int_equal(gpu->methods->load(gpu, bytes, size, &first, &err), ASSAY_OK);
    assert_int_equal(gpu->methods->load(gpu, bytes, size, &second, &err), ASSAY_OK);
    gpu->methods->unload(first);
    gpu->methods->unload(second);
  }
  gpu->methods->close(gpu);
  free(bytes);
  mlirModuleDestroy(module);
}

// What is in shared memory that nobody wrote, in each block.
static void each_block_finds_poison(void **state) {
  simulated device = simulated_text(
      *state, "gpu.module @m {\n"
              "  gpu.func @k(%out: memref<64xi32>) workgroup(%s: memref<1xi32, "
              "#gpu.address_space<workgroup>>) kernel {\n"
              "    %b = gpu.block_id x\n    %z = arith.constant 0 : index\n"
              "    %i = arith.constant 7 : i32\n"
              "    %v = memref.load %s[%z] : memref<1xi32, #gpu.address_space<workgroup>>\n"
              "    memref.store %i, %s[%z] : memref<1xi32, #gpu.address_space<workgroup>>\n"
              "    memref.store %v, %out[%b] : memref<64xi32>\n    gpu.return\n  }\n}\n");
  int32_t out[64];
  simulated_array array = {out, 4, 1, {64}, {0}};
  simulated_run(&device, "k", 64, 1, 1, &array);
  for (int i = 0; i < 64; i++)
    assert_int_equal(out[i], -1);
  simulated_close(&device);
}

// Which thread wrote last tells the order; it is a race, which is not looked for here.
static int32_t last_of(simulated *device, assay_schedule schedule, uint64_t seed) {
  int32_t out[1];
  simulated_array array = {out, 4, 1, {1}, {0}};
  assay_simulator_set(device->gpu,
                      (assay_simulation){.schedule = schedule, .seed = seed, .races = false});
  simulated_run(device, "k", 1, 256, 1, &array);
  return out[0];
}

static void schedules_differ_and_seeds_repeat(void **state) {
  for (int barrier = 0; barrier < 2; barrier++) {
    char text[1024];
    snprintf(text, sizeof text,
             "gpu.module @m {\n  gpu.func @k(%%out: memref<1xi32>) kernel {\n"
             "    %%t = gpu.thread_id x\n    %%z = arith.constant 0 : index\n    %s\n"
             "    %%i = arith.index_cast %%t : index to i32\n"
             "    memref.store %%i, %%out[%%z] : memref<1xi32>\n    gpu.return\n  }\n}\n",
             barrier ? "gpu.barrier" : "");
    simulated device = simulated_text(*state, text);
    assert_int_equal(last_of(&device, ASSAY_SCHEDULE_SEQUENTIAL, 0), 255);
    assert_int_equal(last_of(&device, ASSAY_SCHEDULE_REVERSE, 0), 0);
    for (int schedule = ASSAY_SCHEDULE_RANDOM; schedule < ASSAY_SCHEDULE_COUNT; schedule++) {
      int different = 0;
      for (uint64_t seed = 0; seed < 8; seed++) {
        int32_t last = last_of(&device, (assay_schedule)schedule, seed);
        assert_int_equal(last_of(&device, (assay_schedule)schedule, seed), last);
        different += last != last_of(&device, (assay_schedule)schedule, seed + 1);
      }
      assert_true(different > 0);
    }
    simulated_close(&device);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(memory_comes_poisoned_and_goes),
      cmocka_unit_test(copies_stay_in_their_allocation),
      cmocka_unit_test(only_what_is_allocated_counts),
      cmocka_unit_test(host_code_cannot_follow_an_address),
      cmocka_unit_test(launches_have_limits),
      cmocka_unit_test(what_is_no_code_is_refused),
      cmocka_unit_test(modules_take_their_variables_with_them),
      cmocka_unit_test(each_block_finds_poison),
      cmocka_unit_test(schedules_differ_and_seeds_repeat),
  };
  return cmocka_run_group_tests(tests, simulated_create, simulated_destroy);
}
