// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code on its way to the device: ptxas, the cache, and the driver's own compiler.
#include "gpu/driver/fake/fake_testing.h"

#include "compiler/base/arena.h"
#include "gpu/driver/ptx.h"

static const char ptx[] = "//\n// Generated\n//\n\n.version 7.0\n.target sm_80\n.address_size 64\n"
                          ".visible .entry add(\n)\n{ ret; }\n.visible .entry twice()\n{ ret; }\n";

static int set_up(void **state) {
  enter_folder(fake_ptxas);
  return begin(state);
}

static int tear_down(void **state) {
  remove_folder();
  return end(state);
}

// Loads the PTX, finds both kernels and unloads it; the note that there is, in a place of its own.
static const char *load(assay_gpu *gpu) {
  static char note[1024];
  assay_gpu_module *module;
  assay_gpu_function *function;
  must(gpu->methods->load(gpu, ptx, sizeof ptx, &module, &err));
  must(gpu->methods->find(module, "add", &function, &err));
  must(gpu->methods->find(module, "twice", &function, &err));
  gpu->methods->unload(module);
  const char *said = assay_driver_note(gpu);
  snprintf(note, sizeof note, "%s", said != NULL ? said : "");
  return note;
}

static void ptxas_code_is_taken_from_the_cache(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  assert_string_equal(load(gpu), "");
  assert_string_equal(load(gpu), "");
  assert_int_equal(ptxas_runs(), 1);
  gpu->methods->close(gpu);
}

// The file of the cache for this PTX.
static void cache_file(assay_arena *arena, assay_cubin *out_cubin) {
  assay_toolkit toolkit = assay_toolkit_find(arena);
  const char *note;
  must(assay_cubin_make(arena, &toolkit, ptx, 90, out_cubin, &note, &err));
}

// A program that makes code for another device, once, leaves it in the cache.
static void code_for_another_device_is_made_anew(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_cubin cubin;
  char program[sizeof fake_ptxas + 128], mistaken[256];
  snprintf(program, sizeof program,
           "%s[ ! -e \"$here/mistaken\" ] || echo 'fake cubin sm_80 add' >\"$5\"\n", fake_ptxas);
  write_program("ptxas", program);
  write_program("mistaken", "");
  cache_file(arena, &cubin);
  snprintf(mistaken, sizeof mistaken, "%s/bin/mistaken", folder);
  assert_int_equal(unlink(mistaken), 0);
  assay_gpu *gpu = open_gpu(false);
  const char *note = load(gpu);
  assert_non_null(strstr(note, ".cubin is not code for sm_90; it was made anew"));
  assert_int_equal(ptxas_runs(), 2);
  assert_string_equal(load(gpu), "");
  assert_int_equal(ptxas_runs(), 2);
  gpu->methods->close(gpu);
  assay_arena_destroy(arena);
}

static void a_damaged_file_is_told_by_the_note(void **state) {
  (void)state;
  assay_arena *arena = assay_arena_create();
  assay_cubin cubin;
  cache_file(arena, &cubin);
  assert_int_equal(truncate(cubin.file, 40), 0);
  assay_gpu *gpu = open_gpu(false);
  assert_non_null(strstr(load(gpu), "was damaged; it was made anew"));
  assert_string_equal(load(gpu), "");
  gpu->methods->close(gpu);
  assay_arena_destroy(arena);
}

static void the_driver_compiles_where_ptxas_cannot(void **state) {
  (void)state;
  write_program("ptxas", "#!/bin/sh\n"
                         "[ \"$1\" = --version ] && exec echo Build fake\n"
                         "echo \"ptxas fatal   : Value '${1#-arch=}' is not defined\" >&2\n"
                         "exit 1\n");
  assay_gpu *gpu = open_gpu(false);
  const char *note = load(gpu);
  assert_non_null(strstr(note, "the driver compiles the PTX, since ptxas cannot: "));
  assert_non_null(strstr(note, "Value 'sm_90' is not defined"));
  gpu->methods->close(gpu);
}

// One that is named is wanted; that there is none needs no words.
static void a_ptxas_that_is_named_and_not_there_is_told(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  setenv("ASSAY_PTXAS", "/nowhere/ptxas", 1);
  assert_string_equal(load(gpu), "the driver compiles the PTX, since ptxas cannot: no ptxas: what "
                                 "ASSAY_PTXAS names is no executable file: /nowhere/ptxas");
  setenv("ASSAY_PTXAS", "", 1);
  assert_string_equal(load(gpu), "");
  unsetenv("ASSAY_PTXAS");
  gpu->methods->close(gpu);
}

// An older driver than ptxas: each time it is for another device.
static void the_driver_compiles_where_it_does_not_take_the_code(void **state) {
  (void)state;
  assay_gpu *gpu = open_gpu(false);
  fake->inject("cuModuleLoadDataEx", 1, 200, false);
  assert_string_equal(load(gpu), "the driver compiles the PTX, since it does not take ptxas' code: "
                                 "CUDA_ERROR_INVALID_IMAGE (device kernel image is invalid)");
  gpu->methods->close(gpu);
}

static void an_old_driver_is_told_apart(void **state) {
  (void)state;
  fake_machine machine = usual_machine;
  machine.driver = 11040;
  fake->reset(&machine);
  write_program("ptxas", "#!/bin/sh\nexit 1\n");
  assay_gpu *gpu = open_gpu(false);
  assay_gpu_module *module;
  assert_non_null(strstr(load(gpu), "since ptxas cannot"));
  static const char newer[] = ".version 8.7\n.target sm_80\n";
  must_say(gpu->methods->load(gpu, newer, sizeof newer, &module, &err), ASSAY_UNSUPPORTED,
           "driver (CUDA 11.4) is older than the PTX (ISA 8.7): cuModuleLoadDataEx: "
           "CUDA_ERROR_UNSUPPORTED_PTX_VERSION (the provided PTX was compiled with an unsupported "
           "toolchain.): ptxas application ptx input, line 1; fatal   : Unsupported .version 8");
  gpu->methods->close(gpu);
}

static void what_the_compiler_says_is_told(void **state) {
  (void)state;
  write_program("ptxas", "#!/bin/sh\nexit 1\n");
  assay_gpu *gpu = open_gpu(false);
  assay_gpu_module *module;
  static const char bad[] = "// no version\n.target sm_80\n", elf[] = "\177ELF\2";
  must_say(gpu->methods->load(gpu, bad, sizeof bad, &module, &err), ASSAY_FAILED,
           "cuModuleLoadDataEx: CUDA_ERROR_INVALID_PTX (a PTX JIT compilation failed): ptxas "
           "application ptx input, line 1; fatal   : Missing .version ptxas fatal   : Ptx assembly "
           "aborted due to errors");
  char image[64] = {0};
  memcpy(image, elf, sizeof elf);
  must_say(gpu->methods->load(gpu, image, sizeof image, &module, &err), ASSAY_FAILED,
           "CUDA_ERROR_INVALID_IMAGE");
  gpu->methods->close(gpu);
}

// With the machine's own ptxas: the fake driver reads kernels and architecture of real cubins.
static void real_cubins_are_loaded(void **state) {
  (void)state;
  char own[256];
  snprintf(own, sizeof own, "%s/bin/ptxas", folder);
  unlink(own);
  assay_arena *arena = assay_arena_create();
  bool there = assay_toolkit_find(arena).ptxas != NULL;
  assay_arena_destroy(arena);
  if (!there)
    skip(); // no ptxas
  const int architectures[] = {80, 90, 100, 120};
  for (int i = 0; i < 4; i++) {
    fake_machine machine = usual_machine;
    machine.architecture = architectures[i];
    fake->reset(&machine);
    assay_gpu *gpu = open_gpu(false);
    assert_string_equal(load(gpu), "");
    gpu->methods->close(gpu);
    end(state);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(ptxas_code_is_taken_from_the_cache, set_up, tear_down),
      cmocka_unit_test_setup_teardown(code_for_another_device_is_made_anew, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_damaged_file_is_told_by_the_note, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_driver_compiles_where_ptxas_cannot, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_ptxas_that_is_named_and_not_there_is_told, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(the_driver_compiles_where_it_does_not_take_the_code, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(an_old_driver_is_told_apart, set_up, tear_down),
      cmocka_unit_test_setup_teardown(what_the_compiler_says_is_told, set_up, tear_down),
      cmocka_unit_test_setup_teardown(real_cubins_are_loaded, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, load_fakes, NULL);
}
