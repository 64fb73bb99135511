// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The GPU backends against a plain evaluation of programs: gpu-sim, and those of CUDA's driver on a
// driver and a library that are fakes, whose memory and kernels are the simulator's. So all of
// their host code is run, but for PTX.
#include "compiler/backends/contractions_testing.h"
#include "gpu/backends/backends.h"
#include "gpu/backends/support/kind.h"
#include "gpu/driver/driver.h"
#include "gpu/simulator/assemble.h"
#include "gpu/simulator/simulator.h"

#include <pthread.h>

#include "gpu/driver/fake/fake_testing.h" // after what has names of its own for its `err`

static assay_gpu *attached;
static size_t image_size; // of what was assembled last

// The fake driver takes an image of unknown form as the attached device's.
static assay_code assemble_attached(MlirOperation gpu_module, void **out_bytes, size_t *out_size,
                                    assay_error *why) {
  TRY(assay_simulator_assemble(gpu_module, out_bytes, out_size, why));
  image_size = *out_size;
  fake->attach(attached, image_size);
  return ASSAY_OK;
}

static assay_code open_driver(assay_gpu **out_gpu, assay_error *why) {
  return assay_driver_open(false, out_gpu, why);
}

static assay_code open_library(assay_gpu **out_gpu, assay_error *why) {
  return assay_driver_open(true, out_gpu, why);
}

static const assay_gpu_kind driver_kind = {
    .pipeline = "gpu", .assemble = assemble_attached, .open = open_driver};
static const assay_gpu_kind library_kind = {
    .pipeline = "cublas", .assemble = assemble_attached, .open = open_library};

static assay_code open_with_driver(const assay_context *context, assay_device **out_device,
                                   assay_error *why) {
  return assay_gpu_open(context, &driver_kind, out_device, why);
}

static assay_code open_with_library(const assay_context *context, assay_device **out_device,
                                    assay_error *why) {
  return assay_gpu_open(context, &library_kind, out_device, why);
}

enum { SIMULATED, ON_DRIVER, ON_LIBRARY, TESTED };

static const assay_backend *find_backend(const char *name) {
  const assay_backend *const *all = assay_gpu_backends_get();
  for (; *all != NULL; all++)
    if (strcmp((*all)->name, name) == 0)
      return *all;
  fail_msg("no backend %s", name);
  return NULL;
}

static int enter(void **state) {
  static assay_backend on_driver, on_library;
  static const assay_backend *tested[TEST_BACKENDS]; // of the test program's one process
  load_fakes(state);
  fake->reset(&usual_machine);
  must(assay_simulator_open(INT64_C(1) << 30, &attached, &err));
  fake->attach(attached, 0);
  on_driver = *find_backend("cuda");
  on_driver.open = open_with_driver;
  on_library = *find_backend("cublas");
  on_library.open = open_with_library;
  tested[SIMULATED] = find_backend("gpu-sim");
  tested[ON_DRIVER] = &on_driver;
  tested[ON_LIBRARY] = &on_library;

  return open_backends(state, tested);
}

// No call of the driver was wrong, and nothing is left.
static int leave(void **state) {
  close_all(state);
  end(state);
  fake->reset(&usual_machine);
  attached->methods->close(attached);
  return 0;
}

static void the_table_is_sorted_and_complete(void **state) {
  static const char *const names[] = {"cublas", "cuda", "gpu-sim"};
  (void)state;
  for (int i = 0; i < 3; i++)
    assert_string_equal(assay_gpu_backends_get()[i]->name, names[i]);
  assert_null(assay_gpu_backends_get()[3]);
}

static void bytes_that_are_no_object_are_refused(void **state) {
  const fixture *all = *state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value a = assay_input(graph, "a", ASSAY_F32, assay_shape_make(2, 2, 2));
  const assay_program *program;
  must(assay_graph_finish(graph, 1, &a, &program, &err));
  char text[] = "this is no object file";
  assay_object object = {text, sizeof text};
  for (int i = 0; i < TESTED; i++) {
    assay_loaded *loaded;
    assay_load_report report;
    must_say(all->backends[i]->load(all->device[i], program, &object, &loaded, &report, &err),
             ASSAY_FAILED, "an object: ");
  }
  assay_arena_destroy(arena);
}

// The pairs of these are what a GPU is for; others are cast first, as on any backend.
static void matmuls_of_device_dtypes(void **state) {
  static const assay_dtype dtypes[] = {ASSAY_F64, ASSAY_F32, ASSAY_F16, ASSAY_I32};
  for (size_t i = 0; i < sizeof dtypes / sizeof *dtypes; i++)
    check_matmul(*state, dtypes[i], dtypes[(i + i / 2) % 4], 7, 9, 18);
}

// ---- several threads ----

enum { THREADS = 4, RUNS = 5 };

typedef struct worker {
  const assay_backend *backend;
  assay_loaded *loaded;
  const assay_buffer *inputs;
  assay_buffer result;
  assay_code code;
  int64_t launches;
} worker;

static void *work(void *data) {
  worker *it = data;
  for (int i = 0; i < RUNS && it->code == ASSAY_OK; i++) {
    assay_counters counters;
    assay_error why;
    it->code = it->backend->run(it->loaded, it->inputs, &it->result, &counters, &why);
    it->launches = counters.launches;
  }
  return NULL;
}

static void run_threads(const fixture *all, int which, const assay_program *program,
                        const plain *expected) {
  const assay_backend *backend = all->backends[which];
  assay_object object = {.bytes = NULL};
  assay_load_report report;
  assay_loaded *loaded = load(backend, all->device[which], program, &object, &report);
  const assay_node *result = &program->nodes[program->results[0]];
  assay_buffer input =
      take_buffer(&program->nodes[program->inputs[0]], expected->node[program->inputs[0]]);
  worker workers[THREADS];
  pthread_t threads[THREADS];
  for (int i = 0; i < THREADS; i++) {
    workers[i] = (worker){backend, loaded, &input, take_buffer(result, NULL), ASSAY_OK, 0};
    assert_int_equal(pthread_create(&threads[i], NULL, work, &workers[i]), 0);
  }
  for (int i = 0; i < THREADS; i++) {
    assert_int_equal(pthread_join(threads[i], NULL), 0);
    assert_int_equal(workers[i].code, ASSAY_OK);
    assert_int_equal(workers[i].launches, 1);
    expect(backend->name, result, &workers[i].result, expected->node[program->results[0]], 0);
    free(workers[i].result.data);
  }
  free(input.data);
  backend->unload(loaded);
  free(object.bytes);
}

static void threads_share_a_loaded_program(void **state) {
  const fixture *all = *state;
  assay_arena *arena = assay_arena_create();
  assay_graph *graph = assay_graph_create(arena);
  assay_value x = assay_input(graph, "x", ASSAY_I32, assay_shape_make(2, 37, 5));
  assay_value y = assay_add(graph, x, assay_weak_int(graph, 3));
  const assay_program *program;
  must(assay_graph_finish(graph, 1, &y, &program, &err));
  plain expected = {.node = {NULL}};
  plain_evaluate(program, whole, &expected);
  for (int i = 0; i < TESTED; i++)
    run_threads(all, i, program, &expected);
  plain_release(program, &expected);
  assay_arena_destroy(arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_is_sorted_and_complete),
      CONTRACTION_TESTS,
      cmocka_unit_test(matmuls_of_device_dtypes),
      cmocka_unit_test(bytes_that_are_no_object_are_refused),
      cmocka_unit_test(threads_share_a_loaded_program),
  };
  return cmocka_run_group_tests(tests, enter, leave);
}
