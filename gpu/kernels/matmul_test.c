// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/kernels/make.h"
#include "gpu/kernels/matmul_testing.h"

#include "compiler/ir/diagnostics.h"

// The next of a fixed series, below limit.
static int64_t draw(uint64_t *state, int64_t limit) {
  *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (int64_t)(*state >> 33) % limit;
}

static matmul_case draw_case(uint64_t *state, int bytes) {
  static const int64_t sizes[] = {0, 1, 3, 4, 16, 17, 63, 64, 65, 128, 132, 257};
  enum { COUNT = sizeof sizes / sizeof *sizes };
  return (matmul_case){
      .m = sizes[1 + draw(state, COUNT - 1)],
      .n = sizes[1 + draw(state, COUNT - 1)],
      .k = sizes[draw(state, COUNT)],
      .batch = draw(state, 3),
      .bytes = bytes,
      .a_transposed = draw(state, 2) == 1,
      .b_transposed = draw(state, 2) == 1,
      .accumulate = draw(state, 2) == 1,
      .padding = draw(state, 2) * 4,
      .offset = draw(state, 3) * 2,
  };
}

static void every_text_is_a_valid_kernel_with_the_barriers_it_needs(void **state) {
  fixture *f = *state;
  uint64_t series = 1;
  matmul_tile_kind kind;
  for (int i = 0; tile_kind_at(i, &kind); i++)
    for (int j = 0; j < 24; j++) {
      matmul_case of = draw_case(&series, kind.bytes);
      const char *text = text_of(f->arena, "k", &of, kind.tile, kind.tf32);
      const char *whole = assay_arena_format(f->arena, "gpu.module @m {\n%s}\n", text);
      assay_diagnostics diagnostics;
      assay_diagnostics_open(&diagnostics, assay_context_get(f->context));
      MlirModule module = mlirModuleCreateParse(assay_context_get(f->context),
                                                mlirStringRefCreateFromCString(whole));
      assay_diagnostics_close(&diagnostics);
      if (mlirModuleIsNull(module))
        fail_msg("%s: %s\n%s", describe(f->arena, &of, kind.tile), diagnostics.said.text, text);
      mlirModuleDestroy(module);
      // Before the loop, at the end of a step, and before shares of K are added up.
      assert_count(text, "gpu.barrier", kind.tile->splits > 1 ? 3 : 2);
    }
}

// How many accesses of 16 bytes the text claims on A, B or C.
static int claims(const fixture *f, const char *text, const char *operation, char argument) {
  int count = 0;
  const char *start = assay_arena_format(f->arena, "vector.%s", operation);
  for (const char *at = strstr(text, start); at != NULL; at = strstr(at + 1, start)) {
    const char *line = assay_arena_bytes(f->arena, at, strcspn(at, "\n"));
    const char *of = assay_arena_format(f->arena, "%%%c[", argument);
    count += strstr(line, of) != NULL && strstr(line, "alignment = 16") != NULL;
  }
  return count;
}

static void alignment_is_claimed_only_where_strides_and_offset_prove_it(void **state) {
  fixture *f = *state;
  const struct {
    matmul_case of;
    bool a, b, c;
  } rows[] = {
      {{.m = 128, .n = 128, .k = 128, .bytes = 4}, true, true, true},
      {{.m = 127, .n = 128, .k = 128, .bytes = 4}, true, true, true},
      {{.m = 127, .n = 128, .k = 128, .bytes = 4, .a_transposed = true}, false, true, true},
      {{.m = 128, .n = 127, .k = 128, .bytes = 4}, true, false, false},
      {{.m = 128, .n = 127, .k = 128, .bytes = 4, .b_transposed = true}, true, true, false},
      {{.m = 128, .n = 128, .k = 127, .bytes = 4}, false, true, true},
      {{.m = 128, .n = 128, .k = 128, .bytes = 4, .offset = 2}, false, false, false},
      {{.m = 128, .n = 128, .k = 128, .bytes = 8, .offset = 2}, true, true, true},
      {{.m = 128, .n = 128, .k = 128, .bytes = 4, .padding = 1}, false, false, false},
      {{.m = 128, .n = 128, .k = 128, .bytes = 4, .padding = 2}, false, false, false},
      {{.m = 128, .n = 128, .k = 128, .bytes = 8, .padding = 2}, true, true, true},
      {{.m = 128, .n = 128, .k = 128, .bytes = 4, .padding = 4, .batch = 2}, true, true, true},
      // A QKV slice: rows of 3 * 768 elements.
      {{.m = 64, .n = 64, .k = 64, .bytes = 4, .padding = 2240, .offset = 768}, true, true, true},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    const assay_matmul_tile *tile = &assay_matmul_tiles_of(rows[i].of.bytes, false).items[0];
    const char *text = text_of(f->arena, "k", &rows[i].of, tile, false);
    if ((claims(f, text, "load", 'A') > 0) != rows[i].a ||
        (claims(f, text, "load", 'B') > 0) != rows[i].b ||
        (claims(f, text, "store", 'C') > 0) != rows[i].c)
      fail_msg("row %zu: %s", i, text);
  }
}

static void unknown_strides_and_offsets_prove_nothing(void **state) {
  fixture *f = *state;
  matmul_case of = {.m = 64, .n = 64, .k = 64, .bytes = 4};
  for (int i = 0; i < 3; i++) {
    assay_matmul_product product = product_of(f->arena, &of);
    if (i == 0)
      product.a.offset = INT64_MIN;
    else if (i == 1)
      product.a.row_stride = INT64_MIN;
    else
      product.a.column_stride = INT64_MIN;
    const assay_matmul_tile *tile = assay_matmul_choose(&product, false);
    const char *text = assay_matmul_text(f->arena, "k", &product, tile);
    assert_int_equal(claims(f, text, "load", 'A'), 0);
    assert_true(claims(f, text, "load", 'B') > 0);
  }
}

static void whole_tiles_have_no_guards(void **state) {
  fixture *f = *state;
  const assay_matmul_tile *tile = &assay_matmul_tiles_of(4, false).items[1];
  matmul_case whole = {.m = 256, .n = 384, .k = 64, .bytes = 4};
  assert_count(text_of(f->arena, "k", &whole, tile, false), "scf.if", 0);
  matmul_case rest = {.m = 257, .n = 384, .k = 64, .bytes = 4};
  assert_true(count_of(text_of(f->arena, "k", &rest, tile, false), "scf.if") > 0);
  matmul_case nothing = {.m = 256, .n = 384, .k = 0, .bytes = 4};
  assert_true(count_of(text_of(f->arena, "k", &nothing, tile, false), "scf.if") > 0);
}

static void tiles_suit_the_size(void **state) {
  fixture *f = *state;
  const struct {
    matmul_case of;
    int m, n;
    bool tf32;
  } rows[] = {
      {.of = {.m = 4096, .n = 4096, .k = 64, .bytes = 4}, .m = 128, .n = 256},
      {.of = {.m = 1024, .n = 1024, .k = 64, .bytes = 4}, .m = 128, .n = 64},
      {.of = {.m = 128, .n = 128, .k = 128, .bytes = 4}, .m = 64, .n = 64},
      {.of = {.m = 1, .n = 50257, .k = 768, .bytes = 4}, .m = 16, .n = 32},
      {.of = {.m = 16, .n = 768, .k = 768, .bytes = 8}, .m = 16, .n = 32},
      {.of = {.m = 17, .n = 768, .k = 768, .bytes = 4}, .m = 64, .n = 64},
      {.of = {.m = 4096, .n = 4096, .k = 64, .bytes = 8}, .m = 128, .n = 64},
      {.of = {.m = 64, .n = 64, .k = 64, .batch = 100000, .bytes = 4}, .m = 64, .n = 64},
      // Suite full's (suite/cases/extra.cases), which the simulator runs: every tile but those of a
      // few rows and 64 x 64, which others have.
      {.of = {.m = 173, .n = 193, .k = 5, .batch = 12, .bytes = 4}, .m = 128, .n = 64},
      {.of = {.m = 173, .n = 193, .k = 5, .batch = 12, .bytes = 8}, .m = 128, .n = 64},
      {.of = {.m = 260, .n = 260, .k = 20, .batch = 12, .bytes = 4}, .m = 128, .n = 128},
      {.of = {.m = 260, .n = 260, .k = 20, .batch = 12, .bytes = 4},
       .m = 128,
       .n = 128,
       .tf32 = true},
      {.of = {.m = 385, .n = 388, .k = 9, .batch = 12, .bytes = 4}, .m = 128, .n = 256},
      {.of = {.m = 1032, .n = 1032, .k = 8, .bytes = 4}, .m = 128, .n = 128},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    assay_matmul_product product = product_of(f->arena, &rows[i].of);
    const assay_matmul_tile *tile = assay_matmul_choose(&product, rows[i].tf32);
    if (assay_matmul_tile_m(tile) != rows[i].m || assay_matmul_tile_n(tile) != rows[i].n)
      fail_msg("%s", describe(f->arena, &rows[i].of, tile));
  }
  // A tile that has too few registers for single loads is not taken for them.
  matmul_case odd = {.m = 3000, .n = 2998, .k = 64, .bytes = 4, .padding = 1};
  assay_matmul_product product = product_of(f->arena, &odd);
  assert_false(assay_matmul_choose(&product, false)->whole_vectors);
  assert_false(assay_matmul_choose(&product, true)->whole_vectors);
}

// What assay_kernel_matmul makes of the one contraction in @main.
static assay_code make(assay_kernel_maker *maker, bool tf32, assay_error *err) {
  assay_operations all = assay_operations_collect(maker->module, assay_contraction_named);
  assert_int_equal(all.count, 1);
  assay_contraction contraction;
  assert_true(assay_contraction_read(all.items[0], &contraction));
  assay_operations_release(&all);
  return tf32 ? assay_kernel_matmul_tf32(maker, &contraction, false, err)
              : assay_kernel_matmul(maker, &contraction, false, err);
}

static assay_kernel_maker maker_of(fixture *f, MlirModule module) {
  return (assay_kernel_maker){.arena = f->arena, .module = mlirModuleGetOperation(module)};
}

static MlirModule contraction_of(fixture *f, const char *a, const char *b, const char *c) {
  return parse_module(f, assay_arena_format(f->arena,
                                            "func.func @main(%%a: %s, %%b: %s, %%c: %s) {\n"
                                            "  linalg.matmul ins(%%a, %%b : %s, %s) outs(%%c : %s)"
                                            "\n  return\n}\n",
                                            a, b, c, a, b, c));
}

static void a_contraction_is_launched_before_itself(void **state) {
  fixture *f = *state;
  MlirModule module = contraction_of(f, "memref<130x40xf32, strided<[2304, 1], offset: 768>>",
                                     "memref<40x70xf32>", "memref<130x70xf32, strided<[1, 130]>>");
  assay_kernel_maker maker = maker_of(f, module);
  assay_error err = {.text = ""};
  assert_int_equal(make(&maker, false, &err), ASSAY_OK);
  assert_int_equal(make(&maker, true, &err), ASSAY_OK);
  assert_true(mlirOperationVerify(mlirModuleGetOperation(module)));
  const char *text = assay_module_print(f->arena, module);
  assert_holds(text, "@kernels::@matmul_0 blocks in (%c6");
  assert_holds(text, "@kernels::@matmul_tf32_1 blocks in (%c6");
  assert_count(text, "linalg.matmul", 1);
  assert_true(strstr(text, "gpu.launch_func") < strstr(text, "linalg.matmul"));
  mlirModuleDestroy(module);
}

static void nothing_is_launched_for_an_empty_result(void **state) {
  fixture *f = *state;
  MlirModule module = contraction_of(f, "memref<0x4xf32>", "memref<4x5xf32>", "memref<0x5xf32>");
  assay_kernel_maker maker = maker_of(f, module);
  assay_error err = {.text = ""};
  assert_int_equal(make(&maker, false, &err), ASSAY_OK);
  assert_int_equal(make(&maker, true, &err), ASSAY_OK);
  assert_count(assay_module_print(f->arena, module), "gpu.", 0);
  mlirModuleDestroy(module);
}

static void others_are_left_to_the_general_kernel(void **state) {
  fixture *f = *state;
  const char *const rows[][3] = {
      {"memref<4x4xi32>", "memref<4x4xi32>", "memref<4x4xi32>"},
      {"memref<4x4xf16>", "memref<4x4xf16>", "memref<4x4xf16>"},
      {"memref<?x4xf32>", "memref<4x4xf32>", "memref<?x4xf32>"},
      {"memref<4x4xf32, 3>", "memref<4x4xf32>", "memref<4x4xf32>"},
      {"memref<4x4xf32>", "memref<4x2147483647xf32>", "memref<4x2147483647xf32>"},
  };
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
    MlirModule module = contraction_of(f, rows[i][0], rows[i][1], rows[i][2]);
    assay_kernel_maker maker = maker_of(f, module);
    assay_error err = {.text = ""};
    assert_int_equal(make(&maker, false, &err), ASSAY_UNSUPPORTED);
    assert_count(assay_module_print(f->arena, module), "gpu.", 0);
    mlirModuleDestroy(module);
  }
  MlirModule module = contraction_of(f, "memref<4x4xf64>", "memref<4x4xf64>", "memref<4x4xf64>");
  assay_kernel_maker maker = maker_of(f, module);
  assay_error err = {.text = ""};
  assert_int_equal(make(&maker, true, &err), ASSAY_UNSUPPORTED);
  mlirModuleDestroy(module);
}

static void constants_are_left_to_a_kernel_that_can_name_them(void **state) {
  fixture *f = *state;
  const char *text =
      kernels_of(f, "memref.global \"private\" constant @ones : memref<2x8x8xf32> = dense<1.0>\n"
                    "func.func @main(%a: memref<5x8xf32>, %c: memref<5x8xf32>) {\n"
                    "  %ones = memref.get_global @ones : memref<2x8x8xf32>\n"
                    "  %b = memref.subview %ones[1, 0, 0] [1, 8, 8] [1, 1, 1]\n"
                    "      : memref<2x8x8xf32> to memref<8x8xf32, strided<[8, 1], offset: 64>>\n"
                    "  linalg.matmul ins(%a, %b : memref<5x8xf32>, memref<8x8xf32, strided<[8, 1], "
                    "offset: 64>>) outs(%c : memref<5x8xf32>)\n  return\n}\n");
  assert_count(text, "gpu.launch_func", 1);
  assert_count(text, "memref.get_global @ones", 1);
  assert_count(text, "workgroup", 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_text_is_a_valid_kernel_with_the_barriers_it_needs),
      cmocka_unit_test(alignment_is_claimed_only_where_strides_and_offset_prove_it),
      cmocka_unit_test(unknown_strides_and_offsets_prove_nothing),
      cmocka_unit_test(whole_tiles_have_no_guards),
      cmocka_unit_test(tiles_suit_the_size),
      cmocka_unit_test(a_contraction_is_launched_before_itself),
      cmocka_unit_test(nothing_is_launched_for_an_empty_result),
      cmocka_unit_test(constants_are_left_to_a_kernel_that_can_name_them),
      cmocka_unit_test(others_are_left_to_the_general_kernel),
  };
  return cmocka_run_group_tests(tests, fixture_setup, fixture_teardown);
}
