// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// From the llvm dialect to running code: object.c, glue.c and jit.c together.
#include "compiler/lower/jit.h"

#include "compiler/lower/context.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

typedef struct fixture {
  assay_context *context;
  assay_target *target;
} fixture;

static int create(void **state) {
  fixture *tools = calloc(1, sizeof *tools);
  assay_error err;
  *state = tools;
  return tools != NULL && assay_context_create(&tools->context, &err) == ASSAY_OK &&
                 assay_target_create(assay_runtime_entries(), &tools->target, &err) == ASSAY_OK
             ? 0
             : -1;
}

static int destroy(void **state) {
  fixture *tools = *state;
  assay_target_destroy(tools->target);
  assay_context_destroy(tools->context);
  free(tools);
  return 0;
}

typedef struct bytes {
  void *data;
  size_t size;
} bytes;

static assay_code compile(const fixture *tools, const char *text, bytes *out, assay_error *err) {
  MlirModule module = mlirModuleCreateParse(assay_context_get(tools->context),
                                            mlirStringRefCreateFromCString(text));
  assert_false(mlirModuleIsNull(module));
  assay_code code = assay_target_compile(tools->target, module, &out->data, &out->size, NULL, err);
  mlirModuleDestroy(module);
  return code;
}

static bytes compile_well(const fixture *tools, const char *text) {
  bytes object;
  assay_error err = {.text = ""};
  if (compile(tools, text, &object, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  return object;
}

static assay_linkage linked_to(const assay_runtime *runtime) {
  return (assay_linkage){.entries = assay_runtime_entries(), .runtime = runtime};
}

// Writes through what it allocated, and hands the address out.
static const char allocating[] =
    "llvm.func @_mlir_memref_to_llvm_alloc(i64) -> !llvm.ptr\n"
    "llvm.func @_mlir_ciface_main(%out: !llvm.ptr) {\n"
    "  %size = llvm.mlir.constant(24 : i64) : i64\n"
    "  %data = llvm.call @_mlir_memref_to_llvm_alloc(%size) : (i64) -> !llvm.ptr\n"
    "  llvm.store %size, %data : i64, !llvm.ptr\n"
    "  llvm.store %data, %out : !llvm.ptr, !llvm.ptr\n"
    "  llvm.return\n}\n";

static void each_image_has_its_own_runtime(void **state) {
  bytes object = compile_well(*state, allocating);
  assay_runtime *runtime[2];
  assay_image *image[2];
  assay_error err;
  for (int i = 0; i < 2; i++) {
    runtime[i] = assay_runtime_create(true);
    assert_int_equal(
        assay_image_link(object.data, object.size, linked_to(runtime[i]), &image[i], &err),
        ASSAY_OK);
  }
  int64_t *data = NULL;
  void *arguments[] = {&data};
  assay_image_entry(image[1])(arguments);
  assert_int_equal(*data, 24);
  assert_int_equal(assay_runtime_check(runtime[0], &err), ASSAY_OK);
  assert_int_equal(assay_runtime_check(runtime[1], &err), ASSAY_FAILED);
  assert_string_equal(err.text, "the program did not free 1 of its allocations");
  for (int i = 0; i < 2; i++) {
    assay_image_unlink(image[i]);
    assay_runtime_destroy(runtime[i]);
  }
  free(object.data);
}

static void the_entry_passes_any_number_of_arguments(void **state) {
  bytes object = compile_well(
      *state, "llvm.func @_mlir_ciface_main(%a: !llvm.ptr, %b: !llvm.ptr, %c: !llvm.ptr) {\n"
              "  %x = llvm.load %a : !llvm.ptr -> f64\n  %y = llvm.load %b : !llvm.ptr -> f64\n"
              "  %z = llvm.fsub %x, %y : f64\n  llvm.store %z, %c : f64, !llvm.ptr\n"
              "  llvm.return\n}\n");
  assay_runtime *runtime = assay_runtime_create(true);
  assay_image *image;
  assay_error err;
  assert_int_equal(assay_image_link(object.data, object.size, linked_to(runtime), &image, &err),
                   ASSAY_OK);
  double a = 5, b = 3, c = 0;
  void *arguments[] = {&a, &b, &c};
  assay_image_entry(image)(arguments);
  assert_true(c == 2);
  assay_image_unlink(image);
  assay_runtime_destroy(runtime);
  free(object.data);
}

// What a module has to be done when it is loaded and unloaded: here, counted where main finds it.
static const char constructed[] =
    "llvm.mlir.global internal @count(0 : i64) : i64\n"
    "llvm.mlir.global_ctors ctors = [@begin], priorities = [123 : i32], data = [#llvm.zero]\n"
    "llvm.mlir.global_dtors dtors = [@end], priorities = [123 : i32], data = [#llvm.zero]\n"
    "llvm.func internal @begin() {\n"
    "  %at = llvm.mlir.addressof @count : !llvm.ptr\n"
    "  %value = llvm.mlir.constant(5 : i64) : i64\n"
    "  llvm.store %value, %at : i64, !llvm.ptr\n"
    "  llvm.return\n}\n"
    "llvm.func internal @end() {\n"
    "  %at = llvm.mlir.addressof @count : !llvm.ptr\n"
    "  %value = llvm.mlir.constant(9 : i64) : i64\n"
    "  llvm.store %value, %at : i64, !llvm.ptr\n"
    "  llvm.return\n}\n"
    "llvm.func @_mlir_ciface_main(%out: !llvm.ptr) {\n"
    "  %at = llvm.mlir.addressof @count : !llvm.ptr\n"
    "  %value = llvm.load %at : !llvm.ptr -> i64\n"
    "  llvm.store %value, %out : i64, !llvm.ptr\n"
    "  llvm.return\n}\n";

static void constructors_are_the_loaders_to_call(void **state) {
  bytes object = compile_well(*state, constructed);
  assay_runtime *runtime = assay_runtime_create(true);
  assay_image *image;
  assay_error err;
  assert_int_equal(assay_image_link(object.data, object.size, linked_to(runtime), &image, &err),
                   ASSAY_OK);
  static const char *const calls[] = {NULL, ASSAY_LOAD, ASSAY_UNLOAD};
  static const int64_t counts[] = {0, 5, 9};
  for (int i = 0; i < 3; i++) {
    void *address;
    int64_t count = -1;
    void *arguments[] = {&count};
    if (calls[i] != NULL) {
      assert_int_equal(assay_image_find(image, calls[i], &address, &err), ASSAY_OK);
      ((void (*)(void))(uintptr_t)address)();
    }
    assay_image_entry(image)(arguments);
    assert_int_equal(count, counts[i]);
  }
  void *address;
  assert_int_equal(assay_image_find(image, "no_such_function", &address, &err), ASSAY_FAILED);
  assert_non_null(strstr(err.text, "no_such_function"));
  assay_image_unlink(image);
  assay_runtime_destroy(runtime);
  free(object.data);
}

static void a_missing_symbol_is_named(void **state) {
  bytes object = compile_well(*state, "llvm.func @no_such_function()\n"
                                      "llvm.func @_mlir_ciface_main() {\n"
                                      "  llvm.call @no_such_function() : () -> ()\n"
                                      "  llvm.return\n}\n");
  assay_runtime *runtime = assay_runtime_create(true);
  assay_image *image;
  assay_error err;
  assert_int_equal(assay_image_link(object.data, object.size, linked_to(runtime), &image, &err),
                   ASSAY_FAILED);
  assert_non_null(strstr(err.text, "linking an object: "));
  assert_non_null(strstr(err.text, "no_such_function"));
  assay_runtime_destroy(runtime);
  free(object.data);
}

static void bytes_that_are_no_object_are_refused(void **state) {
  (void)state;
  assay_runtime *runtime = assay_runtime_create(true);
  assay_image *image;
  assay_error err;
  assert_int_equal(assay_image_link("no object", 9, linked_to(runtime), &image, &err),
                   ASSAY_FAILED);
  assay_runtime_destroy(runtime);
}

static void a_module_without_main_is_refused(void **state) {
  bytes object;
  assay_error err;
  assert_int_equal(compile(*state, "llvm.func @main() {\n  llvm.return\n}\n", &object, &err),
                   ASSAY_FAILED);
  assert_string_equal(err.text, "the lowered module has no @main with a C interface");
}

static void a_module_that_was_not_lowered_is_refused(void **state) {
  bytes object;
  assay_error err;
  assert_int_equal(compile(*state, "func.func @main() {\n  return\n}\n", &object, &err),
                   ASSAY_FAILED);
  assert_non_null(strstr(err.text, "translation to LLVM IR: "));
  assert_non_null(strstr(err.text, "func.func"));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(each_image_has_its_own_runtime),
      cmocka_unit_test(the_entry_passes_any_number_of_arguments),
      cmocka_unit_test(constructors_are_the_loaders_to_call),
      cmocka_unit_test(a_missing_symbol_is_named),
      cmocka_unit_test(bytes_that_are_no_object_are_refused),
      cmocka_unit_test(a_module_without_main_is_refused),
      cmocka_unit_test(a_module_that_was_not_lowered_is_refused),
  };
  return cmocka_run_group_tests(tests, create, destroy);
}
