// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a GPU backend tells of programs that are not as they should be: modules planted in the place
// of what a pipeline made.
#include "gpu/backends/planted_testing.h"
#include "compiler/language/graph.h"
#include "gpu/backends/support/compile.h"
#include "gpu/backends/support/instance.h"
#include "gpu/backends/support/simulated.h"
#include "gpu/kernels/kernels.h"

#include <stdlib.h>

enum { COUNT = 8 }; // elements of the input and of the result, f32

static const char *text; // that comes in the place of the module; a pass has no data of its own

static assay_code replace_module(MlirOperation root, assay_error *err) {
  MlirOperation planted =
      mlirOperationCreateParse(mlirOperationGetContext(root), mlirStringRefCreateFromCString(text),
                               mlirStringRefCreateFromCString("planted"));
  if (mlirOperationIsNull(planted))
    return assay_fail(err, ASSAY_FAILED, "the planted module cannot be read");
  MlirBlock to = mlirRegionGetFirstBlock(mlirOperationGetRegion(root, 0));
  MlirBlock from = mlirRegionGetFirstBlock(mlirOperationGetRegion(planted, 0));
  for (MlirOperation at = mlirBlockGetFirstOperation(to); !mlirOperationIsNull(at);
       at = mlirBlockGetFirstOperation(to))
    mlirOperationDestroy(at);
  for (MlirOperation at = mlirBlockGetFirstOperation(from); !mlirOperationIsNull(at);
       at = mlirBlockGetFirstOperation(from)) {
    mlirOperationRemoveFromParent(at);
    mlirBlockAppendOwnedOperation(to, at);
  }
  mlirOperationDestroy(planted);
  return ASSAY_OK;
}

static const char *const dialects[] = {"arith", "func", "gpu", "memref", "scf", NULL};
static const assay_pass plant_pass = {
    .argument = "test-plant",
    .description = "Another module in the place of this one",
    .anchor = "builtin.module",
    .dialects = dialects,
    .run = replace_module,
};

typedef struct bench {
  assay_context *context;
  assay_target *target;
  assay_gpu *gpu;
  assay_pipeline pipeline;
} bench;

static int enter(void **state) {
  static bench all; // of the test program's one process
  assay_error err = {.text = ""};
  assay_pass_register(&plant_pass);
  assay_gpu_passes_register();
  if (assay_context_create(&all.context, &err) != ASSAY_OK ||
      assay_target_create(assay_gpu_runtime_entries(), &all.target, &err) != ASSAY_OK ||
      assay_gpu_simulated.open(&all.gpu, &err) != ASSAY_OK) {
    print_error("%s\n", err.text);
    return 1;
  }
  all.pipeline = planted_pipeline("builtin.module(test-plant)");
  *state = &all;
  return 0;
}

static int leave(void **state) {
  bench *all = *state;
  all->gpu->methods->close(all->gpu);
  assay_target_destroy(all->target);
  assay_context_destroy(all->context);
  return 0;
}

// Compiles a program of one input and one result with the module planted, and runs it once on
// 0, 1, 2, ...
static assay_code run_planted(const bench *all, const char *module, float result[COUNT],
                              assay_counters *counters, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_F32, assay_shape_make(1, COUNT));
  assay_value y = assay_negative(graph, x);
  const assay_program *program = NULL;
  assert_int_equal(assay_graph_finish(graph, 1, &y, &program, err), ASSAY_OK);
  assay_gpu_compiler compiler = {.context = all->context,
                                 .pipeline = &all->pipeline,
                                 .kind = &assay_gpu_simulated,
                                 .target = all->target};
  assay_object object = {.bytes = NULL};
  assay_load_report report = {.contractions_named = 0};
  assay_gpu_instance *instance = NULL;
  text = module;
  if (assay_gpu_compile(&compiler, false, program, &object, &report, err) != ASSAY_OK ||
      assay_gpu_instance_create(&assay_gpu_simulated, all->gpu, program, &object, true, &instance,
                                err) != ASSAY_OK)
    fail_msg("%s", err->text);
  float input[COUNT];
  for (int i = 0; i < COUNT; i++)
    input[i] = (float)i;
  assay_shape shape = assay_shape_make(1, COUNT);
  assay_buffer inputs[] = {{input, ASSAY_F32, shape}}, results[] = {{result, ASSAY_F32, shape}};
  assay_code code = assay_gpu_instance_run(instance, inputs, results, counters, err);
  assay_gpu_instance_destroy(instance);
  free(object.bytes);
  assay_arena_destroy(arena);
  return code;
}

#define MAIN                                                                                       \
  "func.func @main(%x: memref<8xf32>, %y: memref<8xf32>) attributes {llvm.emit_c_interface} {\n"   \
  "  %one = arith.constant 1 : index\n  %all = arith.constant 8 : index\n"
#define LAUNCH                                                                                     \
  "  gpu.launch_func @kernels::@k blocks in (%one, %one, %one) threads in (%all, %one, %one) "     \
  "args(%x : memref<8xf32>, %y : memref<8xf32>)\n"
#define KERNEL                                                                                     \
  "  gpu.func @k(%x: memref<8xf32>, %y: memref<8xf32>) kernel {\n"                                 \
  "    %i = gpu.thread_id x\n"                                                                     \
  "    %v = memref.load %x[%i] : memref<8xf32>\n"

static void launches_are_counted(void **state) {
  float result[COUNT];
  assay_counters counters = {.travels = -1};
  assay_error err = {.text = ""};
  assert_int_equal(run_planted(*state,
                               "module attributes {gpu.container_module} {\n" MAIN LAUNCH LAUNCH
                               "  return\n}\ngpu.module @kernels {\n" KERNEL
                               "    memref.store %v, %y[%i] : memref<8xf32>\n"
                               "    gpu.return\n  }\n}\n}\n",
                               result, &counters, &err),
                   ASSAY_OK);
  assert_int_equal(counters.launches, 2); // of one run, not of all schedules
  assert_int_equal(counters.travels, 0);
  for (int i = 0; i < COUNT; i++)
    assert_true(result[i] == (float)i);
}

// Down to the host and up again.
static void a_buffer_that_travels_is_counted(void **state) {
  float result[COUNT];
  assay_counters counters = {.travels = -1};
  assay_error err = {.text = ""};
  assay_code code = run_planted(
      *state,
      "module attributes {gpu.container_module} {\n" MAIN "  %h = memref.alloca() : memref<8xf32>\n"
      "  %a = gpu.wait async\n"
      "  %b = gpu.memcpy async [%a] %h, %x : memref<8xf32>, memref<8xf32>\n"
      "  %c = gpu.memcpy async [%b] %y, %h : memref<8xf32>, memref<8xf32>\n"
      "  gpu.wait [%c]\n  return\n}\n}\n",
      result, &counters, &err);
  if (code != ASSAY_OK)
    fail_msg("%s", err.text);
  assert_int_equal(counters.travels, 2);
  assert_int_equal(counters.launches, 0);
  for (int i = 0; i < COUNT; i++)
    assert_true(result[i] == (float)i);
}

static void expect_told(void **state, const char *module, const char *what) {
  float result[COUNT];
  assay_counters counters;
  assay_error err = {.text = ""};
  assay_code code = run_planted(*state, module, result, &counters, &err);
  if (code != ASSAY_FAILED || strstr(err.text, what) == NULL)
    fail_msg("code %d: '%s', want '%s'", (int)code, err.text, what);
}

static void an_input_that_is_written_to_is_told(void **state) {
  expect_told(state,
              "module attributes {gpu.container_module} {\n" MAIN LAUNCH
              "  return\n}\ngpu.module @kernels {\n" KERNEL "    %w = arith.addf %v, %v : f32\n"
              "    memref.store %w, %x[%i] : memref<8xf32>\n"
              "    memref.store %w, %y[%i] : memref<8xf32>\n"
              "    gpu.return\n  }\n}\n}\n",
              "the program changed its input 0 on the device");
}

// What a result is depends on how often it was computed.
static void results_that_differ_name_both_schedules(void **state) {
  expect_told(state,
              "module attributes {gpu.container_module} {\n" MAIN LAUNCH
              "  return\n}\ngpu.module @kernels {\n"
              "  memref.global \"private\" @runs : memref<8xf32> = dense<0.0>\n" KERNEL
              "    %runs = memref.get_global @runs : memref<8xf32>\n"
              "    %n = memref.load %runs[%i] : memref<8xf32>\n"
              "    %w = arith.addf %n, %v : f32\n"
              "    memref.store %w, %runs[%i] : memref<8xf32>\n"
              "    memref.store %w, %y[%i] : memref<8xf32>\n"
              "    gpu.return\n  }\n}\n}\n",
              "result 0 differs between sequential and reverse");
}

static void a_fault_names_its_schedule_and_thread(void **state) {
  expect_told(state,
              "module attributes {gpu.container_module} {\n" MAIN LAUNCH
              "  return\n}\ngpu.module @kernels {\n" KERNEL
              "    %one = arith.constant 1 : index\n    %j = arith.addi %i, %one : index\n"
              "    memref.store %v, %y[%j] : memref<8xf32>\n"
              "    gpu.return\n  }\n}\n}\n",
              "sequential: kernel k, block (0,0,0), thread (7,0,0), line ");
  expect_told(state,
              "module attributes {gpu.container_module} {\n" MAIN LAUNCH
              "  return\n}\ngpu.module @kernels {\n" KERNEL "    %zero = arith.constant 0 : index\n"
              "    memref.store %v, %y[%zero] : memref<8xf32>\n"
              "    gpu.return\n  }\n}\n}\n",
              "race: ");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_are_counted),
      cmocka_unit_test(a_buffer_that_travels_is_counted),
      cmocka_unit_test(an_input_that_is_written_to_is_told),
      cmocka_unit_test(results_that_differ_name_both_schedules),
      cmocka_unit_test(a_fault_names_its_schedule_and_thread),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
