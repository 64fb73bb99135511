// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/case/data.h"

#include "compiler/base/text.h"
#include "harness/case/testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LINE "matmul m=3 k=5 n=7 dtype=f32 rhs_dtype=f32 lhs=plain rhs=plain result=plain"

static void fill(const char *data, assay_dtype dtype, int64_t count, void *elements) {
  assay_buffer buffer = {.data = elements, .dtype = dtype, .shape = assay_shape_make(1, count)};
  assay_data_fill(LINE, data, "lhs", &buffer);
}

// The first nine words of the stream, three blocks, as numpy.random.Philox(key=h).random_raw(9)
// gives them, h = 0xf8ab49f2df2ca794 being the hash of LINE " data=real arg=lhs".
static void words_are_philox(void **state) {
  (void)state;
  static const uint64_t words[9] = {0xcb5a2d1a0740b500, 0xbe24ead569e87591, 0x9739ba119293a649,
                                    0x4ca7750859291cd5, 0xd0b353e957233faa, 0x892dee9581ac6a41,
                                    0x997f888cfcb3d11b, 0x05e929fc5df3abe6, 0x2b3d6b3703b3d520};
  uint64_t got[9];
  fill("real", ASSAY_I64, 9, got);
  assert_memory_equal(got, words, sizeof words);
}

static void whole_numbers_are_the_same_in_every_dtype(void **state) {
  (void)state;
  static const int want[5] = {2, -2, -5, -6, 7};
  float f32[5];
  double f64[5];
  int32_t i32[5];
  int64_t i64[5];
  fill("int", ASSAY_F32, 5, f32);
  fill("int", ASSAY_F64, 5, f64);
  fill("int", ASSAY_I32, 5, i32);
  fill("int", ASSAY_I64, 5, i64);
  for (int i = 0; i < 5; i++) {
    assert_true(f32[i] == (float)want[i]);
    assert_true(f64[i] == want[i]);
    assert_int_equal(i32[i], want[i]);
    assert_int_equal(i64[i], want[i]);
  }
}

static void real_numbers_have_full_mantissas(void **state) {
  (void)state;
  static const float f32_want[5] = {0x1.2d68b4p-1F, 0x1.f1275p-2F, 0x1.739bap-3F, -0x1.9ac458p-2F,
                                    0x1.42cd4cp-1F};
  static const double f64_want[5] = {0x1.2d68b4681d02cp-1, 0x1.f12756ab4f438p-2,
                                     0x1.739ba119293a0p-3, -0x1.9ac457bd36b74p-2,
                                     0x1.42cd4fa55c8cep-1};
  static const int32_t i32_want[5] = {121681152, 1776842129, -1835817399, 1495866581, 1461927850};
  float f32[5];
  double f64[5];
  int32_t i32[5];
  fill("real", ASSAY_F32, 5, f32);
  fill("real", ASSAY_F64, 5, f64);
  fill("real", ASSAY_I32, 5, i32);
  assert_memory_equal(f32, f32_want, sizeof f32_want);
  assert_memory_equal(f64, f64_want, sizeof f64_want);
  assert_memory_equal(i32, i32_want, sizeof i32_want);
}

static void elements_stay_in_their_ranges(void **state) {
  (void)state;
  enum { COUNT = 100000 };
  float *f32 = malloc(COUNT * sizeof *f32);
  assert_non_null(f32);
  fill("real", ASSAY_F32, COUNT, f32);
  double sum = 0;
  for (int i = 0; i < COUNT; i++) {
    assert_true(f32[i] >= -1 && f32[i] < 1);
    sum += f32[i];
  }
  // Zero mean: the sum's standard deviation is sqrt(COUNT / 3) = 183.
  assert_true(sum > -1000 && sum < 1000);
  fill("int", ASSAY_F32, COUNT, f32);
  int seen[17] = {0};
  for (int i = 0; i < COUNT; i++)
    seen[(int)f32[i] + 8]++;
  for (int i = 0; i < 17; i++)
    assert_in_range(seen[i], COUNT / 17 - 500, COUNT / 17 + 500);
  free(f32);
}

static void probes_are_whole_where_results_are(void **state) {
  (void)state;
  static const double whole_int[4] = {1, 12, 3, -4}, whole_real[4] = {13, 3, -11, 15};
  static const double real[4] = {0x1.62dd350c950c8p-1, 0x1.1bb1c6d638415p-1, -0x1.0eb5a67329390p-1,
                                 0x1.177c5090b1014p-1};
  double got[4];
  assay_data_probe(LINE, "int", "rows", 1, true, 4, got);
  assert_memory_equal(got, whole_int, sizeof got);
  assay_data_probe(LINE, "int", "rows", 1, false, 4, got);
  assert_memory_equal(got, whole_int, sizeof got);
  assay_data_probe(LINE, "real", "rows", 1, true, 4, got);
  assert_memory_equal(got, whole_real, sizeof got);
  assay_data_probe(LINE, "real", "rows", 1, false, 4, got);
  assert_memory_equal(got, real, sizeof got);
}

enum {
  SAMPLE = 4099,
  STREAMS = ASSAY_DTYPE_COUNT + 2
}; // of each data set: an argument in each dtype and two probes

// What the oracle generates for the streams of a data set, one after the other, from one process.
static void ask_oracle(assay_arena *arena, const char *data, double out_streams[STREAMS][SAMPLE],
                       const size_t sizes[STREAMS]) {
  assay_text text = {.arena = arena};
  assay_text_print(&text,
                   "'%s/.venv/bin/python' -c \"import sys; sys.path.insert(0, '%s/reference')\n"
                   "import oracle.generator as g\n"
                   "arrays = [",
                   ASSAY_SOURCE_DIR, ASSAY_SOURCE_DIR);
  for (int dtype = 0; dtype < ASSAY_DTYPE_COUNT; dtype++)
    assay_text_print(&text, "g.argument('" LINE "', '%s', 'lhs', g.DTYPES['%s'], (%d,)), ", data,
                     assay_dtype_get((assay_dtype)dtype)->name, SAMPLE);
  for (int whole = 0; whole < 2; whole++)
    assay_text_print(&text, "g.probe('" LINE "', '%s', 'columns', 0, %s, %d).astype('f8'), ", data,
                     whole ? "True" : "False", SAMPLE);
  assay_text_print(&text, "]\nsys.stdout.buffer.write(b''.join(a.tobytes() for a in arrays))\"");
  // NOLINTNEXTLINE(bugprone-command-processor): the command is this test's own.
  FILE *stream = popen(assay_text_get(&text), "r");
  assert_non_null(stream);
  for (int i = 0; i < STREAMS; i++)
    assert_int_equal(fread(out_streams[i], 1, sizes[i], stream), sizes[i]);
  assert_int_equal(fgetc(stream), EOF);
  assert_int_equal(pclose(stream), 0);
}

// Same bits in C and NumPy, for every data set and dtype, over many blocks.
static void the_oracle_generates_the_same_bits(void **state) {
  if (access(ASSAY_SOURCE_DIR "/.venv/bin/python", X_OK) != 0)
    skip();
  static double want[STREAMS][SAMPLE], got[SAMPLE];
  size_t sizes[STREAMS];
  for (int i = 0; i < STREAMS; i++)
    sizes[i] =
        SAMPLE * (i < ASSAY_DTYPE_COUNT ? assay_dtype_get((assay_dtype)i)->size : sizeof(double));
  for (int data = 0; assay_data_names[data] != NULL; data++) {
    ask_oracle(*state, assay_data_names[data], want, sizes);
    for (int i = 0; i < STREAMS; i++) {
      if (i < ASSAY_DTYPE_COUNT)
        fill(assay_data_names[data], (assay_dtype)i, SAMPLE, got);
      else
        assay_data_probe(LINE, assay_data_names[data], "columns", 0, i > ASSAY_DTYPE_COUNT, SAMPLE,
                         got);
      assert_memory_equal(got, want[i], sizes[i]);
    }
  }
}

enum { MOST_ELEMENTS = 768 * 2, FLOATS = 2, HALVES, ALL = 5 };

// A line, an argument and a shape for each transformation of values and for weights; f16 as well
// where it holds the numbers.
static const struct transformed {
  const char *line, *argument;
  int64_t rows, columns;
  int dtype_count; // FLOATS, HALVES or ALL: f64, f32, f16, i32, i64
} transformed[] = {
    {"op values=plain", "x", 3, 8, HALVES},       {"op values=positive end=1", "x", 3, 8, HALVES},
    {"op values=constant", "x", 3, 8, HALVES},    {"op values=masked", "x", 3, 8, FLOATS},
    {"op values=lanes", "x", 3, 8, HALVES},       {"op values=wide", "x", 3, 8, HALVES},
    {"op values=large", "x", 3, 8, FLOATS},       {"op values=huge", "x", 3, 8, FLOATS},
    {"op values=small", "x", 3, 8, FLOATS},       {"op values=offset", "x", 3, 8, FLOATS},
    {"op values=wide", "y", 3, 8, HALVES},        {"op", "up_weight", 1, 8, HALVES},
    {"op", "qkv_weight", 5, 8, HALVES},           {"op", "qkv_weight", 768, 2, HALVES},
    {"op values=wide", "_weight", 16, 3, HALVES}, {"op values=negative", "x", 3, 8, ALL},
};

// The oracle's elements of every transformed argument, data set and dtype, one after the other.
static FILE *ask_for_transformed(assay_arena *arena) {
  assay_text text = {.arena = arena};
  assay_text_print(&text,
                   "'%s/.venv/bin/python' -c \"import sys; sys.path.insert(0, '%s/reference')\n"
                   "import oracle.generator as g\n"
                   "for line, name, shape, count in [",
                   ASSAY_SOURCE_DIR, ASSAY_SOURCE_DIR);
  for (size_t i = 0; i < sizeof transformed / sizeof transformed[0]; i++)
    assay_text_print(&text, "('%s', '%s', (%d, %d), %d), ", transformed[i].line,
                     transformed[i].argument, (int)transformed[i].rows, (int)transformed[i].columns,
                     transformed[i].dtype_count);
  assay_text_print(&text, "]:\n"
                          "  for dtype in ('f64', 'f32', 'f16', 'i32', 'i64')[:count]:\n"
                          "    for data in g.DATA:\n"
                          "      made = g.argument(line, data, name, g.DTYPES[dtype], shape)\n"
                          "      sys.stdout.buffer.write(made.tobytes())\"");
  // NOLINTNEXTLINE(bugprone-command-processor): the command is this test's own.
  FILE *stream = popen(assay_text_get(&text), "r");
  if (stream == NULL)
    abort();
  return stream;
}

static void compare_transformed(const struct transformed *of, FILE *stream) {
  static const assay_dtype dtypes[ALL] = {ASSAY_F64, ASSAY_F32, ASSAY_F16, ASSAY_I32, ASSAY_I64};
  static uint64_t got[MOST_ELEMENTS], want[MOST_ELEMENTS];
  for (int i = 0; i < of->dtype_count; i++) {
    for (int data = 0; assay_data_names[data] != NULL; data++) {
      assay_buffer buffer = {
          .data = got, .dtype = dtypes[i], .shape = assay_shape_make(2, of->rows, of->columns)};
      assay_data_fill(of->line, assay_data_names[data], of->argument, &buffer);
      size_t size = (size_t)(of->rows * of->columns) * assay_dtype_get(dtypes[i])->size;
      assert_int_equal(fread(want, 1, size, stream), size);
      if (memcmp(got, want, size) != 0)
        fail_msg("%s, %s, %s", of->line, of->argument, assay_dtype_get(dtypes[i])->name);
    }
  }
}

static void transformations_are_the_oracles(void **state) {
  if (access(ASSAY_SOURCE_DIR "/.venv/bin/python", X_OK) != 0)
    skip();
  FILE *stream = ask_for_transformed(*state);
  for (size_t i = 0; i < sizeof transformed / sizeof transformed[0]; i++)
    compare_transformed(&transformed[i], stream);
  assert_int_equal(fgetc(stream), EOF);
  assert_int_equal(pclose(stream), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(words_are_philox),
      cmocka_unit_test(whole_numbers_are_the_same_in_every_dtype),
      cmocka_unit_test(real_numbers_have_full_mantissas),
      cmocka_unit_test(elements_stay_in_their_ranges),
      cmocka_unit_test(probes_are_whole_where_results_are),
      arena_test(the_oracle_generates_the_same_bits),
      arena_test(transformations_are_the_oracles),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
