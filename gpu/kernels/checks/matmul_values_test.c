// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The matmul kernels run by the simulator, against plain loops: small whole numbers, whose sums are
// exact in any order.
#include "gpu/kernels/matmul_testing.h"

#include "gpu/simulator/testing.h"

#include <math.h>

// An operand in memory: count elements from the view's base on, NaN where no element of it is.
typedef struct matrix {
  void *data;
  int64_t count;
} matrix;

static double at(const void *data, int bytes, int64_t i) {
  return bytes == 4 ? ((const float *)data)[i] : ((const double *)data)[i];
}

static void put(void *data, int bytes, int64_t i, double value) {
  if (bytes == 4)
    ((float *)data)[i] = (float)value;
  else
    ((double *)data)[i] = value;
}

static int64_t place(const assay_matmul_view *view, int64_t b, int64_t row, int64_t column) {
  return view->offset + b * view->batch + row * view->row_stride + column * view->column_stride;
}

static matrix matrix_make(assay_arena *arena, const assay_matmul_product *product,
                          const assay_matmul_view *view, int64_t rows, int64_t columns, int seed) {
  int64_t count = place(view, product->batch - 1, rows - 1, columns - 1) + 1;
  matrix made = {assay_arena_take(arena, (size_t)count, (size_t)product->bytes), count};
  for (int64_t i = 0; i < made.count; i++)
    put(made.data, product->bytes, i, NAN);
  for (int64_t b = 0; b < product->batch; b++)
    for (int64_t i = 0; i < rows; i++)
      for (int64_t j = 0; j < columns; j++) {
        uint64_t mixed = (uint64_t)(b * 31 + i * 7 + j * 13 + seed) * UINT64_C(2654435761);
        put(made.data, product->bytes, place(view, b, i, j), (double)(mixed >> 7 & 15) - 7);
      }
  return made;
}

static double sum_of(const assay_matmul_product *product, const matrix *a, const matrix *b,
                     int64_t batch, int64_t i, int64_t j) {
  double sum = 0;
  for (int64_t k = 0; k < product->k; k++) {
    bool ta = product->a_transposed, tb = product->b_transposed;
    int64_t in_a = place(&product->a, batch, ta ? k : i, ta ? i : k);
    int64_t in_b = place(&product->b, batch, tb ? j : k, tb ? k : j);
    sum += at(a->data, product->bytes, in_a) * at(b->data, product->bytes, in_b);
  }
  return sum;
}

// What C must hold afterwards, padding included.
static void *expected_of(assay_arena *arena, const assay_matmul_product *product, const matrix *a,
                         const matrix *b, const matrix *c) {
  int bytes = product->bytes;
  void *expected = assay_arena_take(arena, (size_t)c->count, (size_t)bytes);
  memcpy(expected, c->data, (size_t)(c->count * bytes));
  for (int64_t batch = 0; batch < product->batch; batch++)
    for (int64_t i = 0; i < product->m; i++)
      for (int64_t j = 0; j < product->n; j++) {
        int64_t here = place(&product->c, batch, i, j);
        double old = product->accumulate ? at(c->data, bytes, here) : 0;
        put(expected, bytes, here, old + sum_of(product, a, b, batch, i, j));
      }
  return expected;
}

// The kernel's own type tells sizes and strides: of a parameter only base and rank matter.
static simulated_array as_array(const assay_matmul_product *product, const matrix *of, void *data) {
  simulated_array array = {.data = data, .element = product->bytes, .sizes = {1, 1, 1, 1}};
  array.rank = product->batched ? 3 : 2;
  array.sizes[array.rank - 1] = of->count;
  return array;
}

static bool equal(const assay_matmul_product *product, const matrix *c, const void *got,
                  const void *want) {
  return memcmp(got, want, (size_t)(c->count * product->bytes)) == 0;
}

// In the first so many schedules.
static void check_in(fixture *f, const matmul_case *of, const matmul_tile_kind *kind,
                     int schedules) {
  assay_arena *arena = assay_arena_create();
  assay_matmul_product product = product_of(arena, of);
  bool ta = of->a_transposed, tb = of->b_transposed;
  matrix a = matrix_make(arena, &product, &product.a, ta ? of->k : of->m, ta ? of->m : of->k, 1);
  matrix b = matrix_make(arena, &product, &product.b, tb ? of->n : of->k, tb ? of->k : of->n, 2);
  matrix c = matrix_make(arena, &product, &product.c, of->m, of->n, 3);
  void *expected = expected_of(arena, &product, &a, &b, &c);
  const char *text = text_of(arena, "product", of, kind->tile, kind->tf32);
  const char *whole = assay_arena_format(arena, "gpu.module @kernels {\n%s}\n", text);
  MlirModule module = simulated_lower(assay_context_get(f->context), whole);
  simulated device = simulated_open(simulated_kernels(module));
  for (int s = 0; s < schedules; s++) {
    assay_simulator_set(device.gpu, (assay_simulation){.schedule = (assay_schedule)s,
                                                       .seed = 17,
                                                       .races = s != ASSAY_SCHEDULE_SEQUENTIAL});
    void *got = assay_arena_bytes(arena, c.data, (size_t)(c.count * of->bytes));
    const simulated_array arrays[] = {as_array(&product, &a, a.data),
                                      as_array(&product, &b, b.data), as_array(&product, &c, got)};
    simulated_run(&device, "product", assay_matmul_blocks(&product, kind->tile),
                  assay_matmul_threads(kind->tile), 3, arrays);
    if (!equal(&product, &c, got, expected))
      fail_msg("%s, schedule %s: wrong", describe(arena, of, kind->tile),
               assay_schedule_name((assay_schedule)s));
  }
  simulated_close(&device);
  mlirModuleDestroy(module);
  assay_arena_destroy(arena);
}

static void check(fixture *f, const matmul_case *of, const matmul_tile_kind *kind) {
  check_in(f, of, kind, ASSAY_SCHEDULE_COUNT);
}

// Odd sizes and strides, and such as allow vectors, whose remainders of tiles differ from tile to
// tile; each with other transpositions.
static void every_tile_computes_odd_sizes_and_layouts(void **state) {
  static const int64_t odd[] = {1, 3, 5, 17, 33, 63, 65, 127, 129};
  static const int64_t even[] = {4, 20, 64, 68, 100, 132};
  enum { ODD = sizeof odd / sizeof *odd, EVEN = sizeof even / sizeof *even };
  matmul_tile_kind kind;
  for (int i = 0; tile_kind_at(i, &kind); i++) {
    matmul_case first = {.m = odd[(i * 5 + 6) % ODD],
                         .n = odd[(i * 2 + 4) % ODD],
                         .k = odd[(i * 4 + 7) % ODD],
                         .batch = i % 3,
                         .bytes = kind.bytes,
                         .a_transposed = i % 2 == 1,
                         .b_transposed = i / 2 % 2 == 1,
                         .accumulate = i % 3 != 1,
                         .padding = i % 3,
                         .offset = i % 4};
    check(*state, &first, &kind);
    matmul_case second = {.m = even[i % EVEN],
                          .n = even[(i + 3) % EVEN],
                          .k = even[(i + 5) % EVEN],
                          .batch = i % 3 == 0 ? 2 : 0,
                          .bytes = kind.bytes,
                          .a_transposed = i / 2 % 2 == 0,
                          .b_transposed = i % 2 == 1,
                          .accumulate = i % 3 == 1,
                          .padding = 4,
                          .offset = 8};
    check(*state, &second, &kind);
  }
}

static void whole_tiles_are_computed_without_guards(void **state) {
  matmul_tile_kind kind;
  for (int i = 0; tile_kind_at(i, &kind); i++) {
    matmul_case of = {.m = assay_matmul_tile_m(kind.tile) * (i % 2 + 1),
                      .n = assay_matmul_tile_n(kind.tile),
                      .k = kind.tile->k * 3,
                      .bytes = kind.bytes,
                      .b_transposed = i % 2 == 1};
    check(*state, &of, &kind);
  }
}

// More than a grid has blocks in its second and third direction; without the check for races, which
// is of one block as of many.
static void batches_beyond_65535_are_computed(void **state) {
  matmul_tile_kind kind;
  assert_true(tile_kind_at(4, &kind));
  check_in(*state, &(matmul_case){.m = 1, .n = 1, .k = 2, .batch = 65537, .bytes = 4}, &kind, 1);
}

static void a_sum_of_one_product_needs_no_second_step(void **state) {
  matmul_tile_kind kind = {0};
  assert_true(tile_kind_at(3, &kind));
  check(*state, &(matmul_case){.m = 5, .n = 9, .k = 1, .bytes = 4, .accumulate = true}, &kind);
}

static void columns_may_be_what_is_contiguous(void **state) {
  matmul_tile_kind kind;
  for (int i = 3; i < 10 && tile_kind_at(i, &kind); i += 3) {
    matmul_case of = {.m = 36, .n = 68, .k = 20, .batch = 2, .bytes = kind.bytes, .padding = 4};
    of.by_columns = of.accumulate = true;
    of.a_transposed = i == 3;
    of.b_transposed = i == 9;
    check(*state, &of, &kind);
  }
}

// tf32 keeps 10 bits behind the point, and mma by itself drops the others.
static void tf32_is_rounded_to_nearest_and_ties_away_from_zero(void **state) {
  fixture *f = *state;
  const struct {
    float from, to;
  } rows[] = {
      {0x1.001p0F, 0x1p0F},        {0x1.00201p0F, 0x1.004p0F},  {0x1.002p0F, 0x1.004p0F},
      {-0x1.002p0F, -0x1.004p0F},  {0x1.fffp0F, 0x1p1F},        {0x1.006p-30F, 0x1.008p-30F},
      {0x1.ffc001p9F, 0x1.ffcp9F}, {0x1.a01ffep3F, 0x1.a00p3F},
  };
  enum { COUNT = sizeof rows / sizeof *rows };
  matmul_tile_kind kind = {4, true, &assay_matmul_tiles_of(4, true).items[1]};
  matmul_case of = {.m = COUNT, .n = 1, .k = 1, .bytes = 4};
  assay_matmul_product product = product_of(f->arena, &of);
  const char *text = text_of(f->arena, "product", &of, kind.tile, true);
  MlirModule module =
      simulated_lower(assay_context_get(f->context),
                      assay_arena_format(f->arena, "gpu.module @kernels {\n%s}\n", text));
  simulated device = simulated_open(simulated_kernels(module));
  float from[COUNT], one[] = {1}, got[COUNT];
  for (int i = 0; i < COUNT; i++)
    from[i] = rows[i].from;
  const matrix sizes[] = {{from, COUNT}, {one, 1}, {got, COUNT}};
  const simulated_array arrays[] = {as_array(&product, &sizes[0], from),
                                    as_array(&product, &sizes[1], one),
                                    as_array(&product, &sizes[2], got)};
  simulated_run(&device, "product", 1, assay_matmul_threads(kind.tile), 3, arrays);
  for (int i = 0; i < COUNT; i++)
    if (got[i] != rows[i].to)
      fail_msg("%a became %a, want %a", (double)from[i], (double)got[i], (double)rows[i].to);
  simulated_close(&device);
  mlirModuleDestroy(module);
}

// Without the text's barrier of that number the simulator tells the race.
static void check_without(fixture *f, const matmul_tile_kind *kind, int number) {
  matmul_case of = {.m = 40, .n = 40, .k = 200, .bytes = kind->bytes};
  assay_matmul_product product = product_of(f->arena, &of);
  static const char barrier[] = "  gpu.barrier\n";
  const char *text = text_of(f->arena, "product", &of, kind->tile, kind->tf32), *found = text;
  for (int i = 0; i <= number; i++)
    found = strstr(i == 0 ? found : found + 1, barrier);
  assert_non_null(found);
  const char *whole = assay_arena_format(f->arena, "gpu.module @kernels {\n%.*s%s}\n",
                                         (int)(found - text), text, found + strlen(barrier));
  MlirModule module = simulated_lower(assay_context_get(f->context), whole);
  simulated device = simulated_open(simulated_kernels(module));
  assay_simulator_set(device.gpu, (assay_simulation){.races = true});
  matrix a = matrix_make(f->arena, &product, &product.a, of.m, of.k, 1);
  matrix b = matrix_make(f->arena, &product, &product.b, of.k, of.n, 2);
  matrix c = matrix_make(f->arena, &product, &product.c, of.m, of.n, 3);
  const simulated_array arrays[] = {as_array(&product, &a, a.data), as_array(&product, &b, b.data),
                                    as_array(&product, &c, c.data)};
  assay_error err = {.text = ""};
  const int64_t grid[] = {assay_matmul_blocks(&product, kind->tile), 1, 1};
  const int64_t block[] = {assay_matmul_threads(kind->tile), 1, 1};
  assay_code code = simulated_launch(&device, "product", grid, block, 0, 3, arrays, &err);
  if (code != ASSAY_FAILED || strstr(err.text, "race") == NULL)
    fail_msg("barrier %d of a kernel of tiles %d x %d is not missed: %s", number,
             assay_matmul_tile_m(kind->tile), assay_matmul_tile_n(kind->tile), err.text);
  simulated_close(&device);
  mlirModuleDestroy(module);
}

static void each_barrier_is_needed(void **state) {
  matmul_tile_kind kind;
  for (int i = 0; tile_kind_at(i, &kind); i++)
    if (kind.bytes == 4 && (kind.tile->splits > 1 || kind.tf32))
      for (int number = 0; number < (kind.tile->splits > 1 ? 3 : 2); number++)
        check_without(*state, &kind, number);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_tile_computes_odd_sizes_and_layouts),
      cmocka_unit_test(whole_tiles_are_computed_without_guards),
      cmocka_unit_test(columns_may_be_what_is_contiguous),
      cmocka_unit_test(batches_beyond_65535_are_computed),
      cmocka_unit_test(a_sum_of_one_product_needs_no_second_step),
      cmocka_unit_test(tf32_is_rounded_to_nearest_and_ties_away_from_zero),
      cmocka_unit_test(each_barrier_is_needed),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
