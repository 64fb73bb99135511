// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The BLAS shim against three plain loops, over every layout of each operand. Elements are small
// whole numbers, so that any order of summation gives the same bits.
#include "compiler/runtime/gemm.h"
#include "compiler/runtime/state.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#ifdef ASSAY_HAVE_CBLAS

enum { BATCHES = 3, OFFSET = 7, ROOM = 6000 }; // elements of the largest buffer

typedef struct view {
  void *allocated;
  char *base;
  int64_t offset;
  int64_t extent[6];
} view;

// How a matrix lies in its buffer.
typedef enum layout {
  ROWS,           // contiguous
  WIDE_ROWS,      // a slice: rows further apart than they are long
  COLUMNS,        // a transposed one
  WIDE_COLUMNS,   // a transposed slice
  SPARSE,         // neither stride is 1
  BACKWARDS,      // rows from the last to the first
  BROADCAST_ROWS, // one row for all; not for a result
  OVERLAPPING,    // each row starts one element after the last one; not for a result
  LAYOUT_COUNT,
} layout;

static void strides_of(layout how, int64_t rows, int64_t columns, int64_t *row, int64_t *column) {
  const int64_t table[LAYOUT_COUNT][2] = {
      [ROWS] = {columns, 1},          [WIDE_ROWS] = {columns + 3, 1}, [COLUMNS] = {1, rows},
      [WIDE_COLUMNS] = {1, rows + 2}, [SPARSE] = {2 * columns, 2},    [BACKWARDS] = {-columns, 1},
      [BROADCAST_ROWS] = {0, 1},      [OVERLAPPING] = {1, 1},
  };
  *row = table[how][0];
  *column = table[how][1];
}

// More elements than any layout of such a matrix spans.
static int64_t span(int64_t rows, int64_t columns) {
  return 2 * (rows + 3) * (columns + 3);
}

// A rows x columns matrix, or BATCHES of them, at an offset into the buffer. transposed: the
// descriptor says columns x rows of the same elements.
static view make_view(void *buffer, int rank, layout how, int64_t rows, int64_t columns,
                      bool transposed) {
  int64_t row, column;
  strides_of(how, rows, columns, &row, &column);
  int64_t sizes[] = {rows, columns}, strides[] = {row, column};
  view result = {.allocated = buffer, .base = buffer};
  result.offset = OFFSET + (row < 0 ? -row * (rows - 1) : 0);
  int at = 0;
  if (rank == 3) {
    result.extent[0] = BATCHES;
    result.extent[3] = span(rows, columns);
    at = 1;
  }
  for (int i = 0; i < 2; i++) {
    int from = transposed ? 1 - i : i;
    result.extent[at + i] = sizes[from];
    result.extent[rank + at + i] = strides[from];
  }
  return result;
}

static double get(const void *data, size_t size, int64_t at) {
  return size == sizeof(float) ? ((const float *)data)[at] : ((const double *)data)[at];
}

static void put(void *data, size_t size, int64_t at, double value) {
  if (size == sizeof(float))
    ((float *)data)[at] = (float)value;
  else
    ((double *)data)[at] = value;
}

typedef struct shape {
  int rank;
  int64_t m, k, n;
} shape;

typedef struct setting {
  shape shape;
  layout a, b, c;
  int flags;
  size_t size; // of an element
} setting;

// Element (i, j) of batch `batch` of a view as the flags mean it.
static int64_t position(const view *v, int rank, int64_t batch, int64_t i, int64_t j,
                        bool transposed) {
  const int64_t *stride = v->extent + rank;
  int64_t base = v->offset + (rank == 3 ? batch * stride[0] : 0);
  int64_t first = stride[rank - 2], second = stride[rank - 1];
  return base + (transposed ? j * first + i * second : i * first + j * second);
}

static void multiply_plainly(const setting *s, const view *a, const view *b, const view *c,
                             void *out) {
  int rank = s->shape.rank;
  bool a_transposed = (s->flags & ASSAY_GEMM_LHS_TRANSPOSED) != 0;
  bool b_transposed = (s->flags & ASSAY_GEMM_RHS_TRANSPOSED) != 0;
  for (int64_t batch = 0; batch < (rank == 3 ? BATCHES : 1); batch++)
    for (int64_t i = 0; i < s->shape.m; i++)
      for (int64_t j = 0; j < s->shape.n; j++) {
        int64_t at = position(c, rank, batch, i, j, false);
        double sum = (s->flags & ASSAY_GEMM_ACCUMULATE) != 0 ? get(out, s->size, at) : 0;
        for (int64_t l = 0; l < s->shape.k; l++)
          sum += get(a->base, s->size, position(a, rank, batch, i, l, a_transposed)) *
                 get(b->base, s->size, position(b, rank, batch, l, j, b_transposed));
        put(out, s->size, at, sum);
      }
}

// Elements that the largest of the three buffers needs.
static int64_t room_of(const shape *s) {
  int64_t sizes[] = {span(s->m, s->k), span(s->k, s->n), span(s->m, s->n)};
  int64_t largest = sizes[0] > sizes[1] ? sizes[0] : sizes[1];
  largest = largest > sizes[2] ? largest : sizes[2];
  int64_t room = OFFSET + (s->rank == 3 ? BATCHES : 1) * largest;
  assert_true(room <= ROOM);
  return room;
}

typedef struct buffers {
  void *a, *b, *c, *expected;
} buffers;

static void fill(const setting *s, const buffers *memory, int64_t room) {
  for (int64_t i = 0; i < room; i++) {
    put(memory->a, s->size, i, (double)(i * 7 % 17 - 8));
    put(memory->b, s->size, i, (double)(i * 5 % 13 - 6));
    // Without accumulation what the result held is never to be read.
    bool accumulate = (s->flags & ASSAY_GEMM_ACCUMULATE) != 0;
    put(memory->c, s->size, i, accumulate ? (double)(i % 11 - 5) : NAN);
  }
  memcpy(memory->expected, memory->c, (size_t)room * s->size);
}

static void check(const setting *s, const buffers *memory) {
  int rank = s->shape.rank;
  int64_t room = room_of(&s->shape);
  fill(s, memory, room);
  view a = make_view(memory->a, rank, s->a, s->shape.m, s->shape.k,
                     (s->flags & ASSAY_GEMM_LHS_TRANSPOSED) != 0);
  view b = make_view(memory->b, rank, s->b, s->shape.k, s->shape.n,
                     (s->flags & ASSAY_GEMM_RHS_TRANSPOSED) != 0);
  view c = make_view(memory->c, rank, s->c, s->shape.m, s->shape.n, false);
  multiply_plainly(s, &a, &b, &c, memory->expected);
  assay_unranked_memref ua = {rank, (assay_memref *)&a}, ub = {rank, (assay_memref *)&b},
                        uc = {rank, (assay_memref *)&c};
  assay_runtime *runtime = assay_runtime_create(true);
  if (s->size == sizeof(float))
    assay_runtime_gemm_f32(runtime, &ua, &ub, &uc, s->flags);
  else
    assay_runtime_gemm_f64(runtime, &ua, &ub, &uc, s->flags);
  // The whole buffer: what lies beside the result must be untouched too.
  for (int64_t i = 0; i < room; i++) {
    double got = get(memory->c, s->size, i), want = get(memory->expected, s->size, i);
    if (got != want && !(isnan(got) && isnan(want)))
      fail_msg("rank %d, %dx%dx%d, layouts %d %d %d, flags %d, element %d: got %g, want %g", rank,
               (int)s->shape.m, (int)s->shape.k, (int)s->shape.n, s->a, s->b, s->c, s->flags,
               (int)i, got, want);
  }
  assert_int_equal(assay_runtime_blas_calls(runtime), 1);
  assay_runtime_destroy(runtime);
}

static const shape shapes[] = {
    {2, 3, 5, 7}, {2, 1, 5, 7}, {2, 3, 1, 7}, {2, 3, 5, 1}, {2, 1, 1, 1},
    {2, 1, 5, 1}, {2, 4, 0, 3}, {2, 1, 0, 3}, {2, 0, 3, 3}, {2, 3, 3, 0},
    {3, 3, 4, 5}, {3, 1, 4, 5}, {3, 3, 4, 1}, {3, 2, 0, 2}, {2, 33, 17, 31},
};

static void check_all(size_t size) {
  buffers memory = {calloc(ROOM, size), calloc(ROOM, size), calloc(ROOM, size), calloc(ROOM, size)};
  for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++)
    for (int layouts = 0; layouts < LAYOUT_COUNT * LAYOUT_COUNT * BROADCAST_ROWS; layouts++)
      for (int flags = 0; flags < 8; flags++)
        check(&(setting){.shape = shapes[i],
                         .a = (layout)(layouts % LAYOUT_COUNT),
                         .b = (layout)(layouts / LAYOUT_COUNT % LAYOUT_COUNT),
                         .c = (layout)(layouts / LAYOUT_COUNT / LAYOUT_COUNT),
                         .flags = flags,
                         .size = size},
              &memory);
  free(memory.a);
  free(memory.b);
  free(memory.c);
  free(memory.expected);
}

static void floats_of_all_layouts_and_shapes(void **state) {
  (void)state;
  check_all(sizeof(float));
}

static void doubles_of_all_layouts_and_shapes(void **state) {
  (void)state;
  check_all(sizeof(double));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(floats_of_all_layouts_and_shapes),
      cmocka_unit_test(doubles_of_all_layouts_and_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#else

static void needs_a_cblas(void **state) {
  (void)state;
  skip();
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(needs_a_cblas)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}

#endif
