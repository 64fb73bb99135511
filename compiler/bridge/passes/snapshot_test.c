// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/passes/stepping_testing.h"

static MlirModule parse_module(const char *source) {
  MlirModule module = mlirModuleCreateParse(context, mlirStringRefCreateFromCString(source));
  assert_false(mlirModuleIsNull(module));
  return module;
}

static uint64_t hash_of(const char *source) {
  MlirModule module = parse_module(source);
  uint64_t hash = assay_fingerprint(mlirModuleGetOperation(module));
  mlirModuleDestroy(module);
  return hash;
}

static const assay_snapshot *take(const char *source) {
  MlirModule module = parse_module(source);
  const assay_snapshot *snapshot = NULL;
  assay_error err = {0};
  if (assay_snapshot_take(module, shared, &snapshot, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  assert_int_equal(snapshot->hash, assay_fingerprint(mlirModuleGetOperation(module)));
  mlirModuleDestroy(module);
  return snapshot;
}

static MlirModule read_back(const assay_snapshot *snapshot) {
  MlirModule module = {NULL};
  assay_error err = {0};
  if (assay_snapshot_read(snapshot, context, &module, &err) != ASSAY_OK)
    fail_msg("%s", err.text);
  return module;
}

static const char ADD[] = "func.func @f(%a: f32, %b: f32) -> f32 {\n"
                          "  %c = arith.addf %a, %b : f32\n  return %c : f32\n}\n";

// The same text with a part of it replaced.
static const char *changed(const char *from, const char *to) {
  static char text[1024];
  const char *at = strstr(ADD, from);
  assert_non_null(at);
  (void)snprintf(text, sizeof text, "%.*s%s%s", (int)(at - ADD), ADD, to, at + strlen(from));
  return text;
}

static void hashes_tell_structures_apart(void **state) {
  (void)state;
  uint64_t hash = hash_of(ADD);
  assert_int_equal(hash_of(ADD), hash);
  assert_int_equal(hash_of(changed("func.func", "\n\n  func.func")), hash); // places do not count
  assert_int_equal(hash_of(changed("%c = arith.addf %a, %b : f32\n  return %c",
                                   "%z = arith.addf %a, %b : f32\n  return %z")),
                   hash); // nor do names of values
  static const char *const changes[][2] = {
      {"@f", "@g"},
      {"%a, %b : f32\n", "%b, %a : f32\n"},
      {"addf", "subf"},
      {"%a, %b : f32\n", "%a, %b fastmath<nnan> : f32\n"},
      {"return %c", "return %a"},
      {"-> f32 {", "-> f32 attributes {x = 1.0 : f32} {"},
  };
  for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++)
    if (hash_of(changed(changes[i][0], changes[i][1])) == hash)
      fail_msg("'%s' for '%s' changes nothing", changes[i][1], changes[i][0]);
  // The segments of operands and other properties that are no attributes in the text.
  assert_int_not_equal(
      hash_of("func.func @f(%i: index) { %a = memref.alloc(%i) : memref<?xf32> return }"),
      hash_of("func.func @f(%i: index) { %a = memref.alloc()[%i] : "
              "memref<1xf32, affine_map<(a)[s] -> (a + s)>> return }"));
}

// Hashes are of contents: another process, which met other attributes before, finds the same.
static void hashes_agree_between_processes(void **state) {
  (void)state;
  uint64_t *theirs = assay_shared_take(shared, sizeof *theirs);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    (void)hash_of("func.func @g(%x: tensor<9x9xf64>) attributes {y = 3.5 : f16} { return }");
    *theirs = hash_of("func.func @h() attributes {new = \"in neither before\"} { return }");
    _exit(0);
  }
  assert_int_equal(waitpid(child, NULL, 0), child);
  assert_int_equal(*theirs,
                   hash_of("func.func @h() attributes {new = \"in neither before\"} { return }"));
}

static void states_are_read_again_as_they_were(void **state) {
  (void)state;
  const assay_snapshot *snapshot = take(ADD);
  MlirModule module = read_back(snapshot);
  assert_int_equal(assay_fingerprint(mlirModuleGetOperation(module)), snapshot->hash);
  mlirModuleDestroy(module);
  assert_int_equal(snapshot->op_count, 3);
  assert_string_equal(snapshot->ops[0].name, "arith.addf");
  assert_string_equal(snapshot->ops[1].name, "func.func");
  assert_string_equal(snapshot->ops[2].name, "func.return");
}

static void functions_are_listed(void **state) {
  (void)state;
  const assay_snapshot *snapshot =
      take("func.func private @declared(i32)\n"
           "func.func private @p() { return }\n"
           "llvm.func @l(%a: i64) -> i64 { llvm.return %a : i64 }\n"
           "module @inner { func.func @not_at_the_top() { return } }\n"
           "func.func @q(%m: memref<?xf32, strided<[2], offset: ?>>) { return }\n");
  assert_int_equal(snapshot->function_count, 3);
  assert_string_equal(snapshot->functions[0].name, "p");
  assert_false(snapshot->functions[0].is_public);
  assert_string_equal(snapshot->functions[1].type, "!llvm.func<i64 (i64)>");
  assert_int_equal(snapshot->functions[1].kind, ASSAY_FUNCTION_LLVM);
  assert_string_equal(snapshot->functions[2].type,
                      "(memref<?xf32, strided<[2], offset: ?>>) -> ()");
}

// 4 MB of weights, dense and as a resource, through several states: stored once.
// What a function may reach: others that it calls, theirs in turn, and what is no function.
static void reach_is_what_may_be_called(void **state) {
  (void)state;
  enum { ROWS = 4, ROOM = 512 };
  static const char *const parts[ROWS][3] = {
      {"2.0", "3.0", "4.0"}, {"5.0", "3.0", "4.0"}, {"2.0", "5.0", "4.0"}, {"2.0", "3.0", "5.0"}};
  uint64_t reach[ROWS];
  for (int i = 0; i < ROWS; i++) {
    char text[ROOM];
    (void)snprintf(text, sizeof text,
                   "memref.global @m : memref<f32> = dense<%s>\n"
                   "func.func @main() {\n  call @f() : () -> ()\n  return\n}\n"
                   "func.func @f() {\n  %%0 = arith.constant %s : f32\n  return\n}\n"
                   "func.func @g() {\n  %%0 = arith.constant %s : f32\n  return\n}\n",
                   parts[i][0], parts[i][1], parts[i][2]);
    const assay_snapshot *snapshot = take(text);
    reach[i] = assay_snapshot_reach(snapshot, "main");
    assert_int_equal(assay_snapshot_reach(snapshot, "nobody"), snapshot->hash);
  }
  assert_int_not_equal(reach[0], reach[1]); // the global
  assert_int_not_equal(reach[0], reach[2]); // what it calls
  assert_int_equal(reach[0], reach[3]);     // what it does not
}

static void large_constants_are_stored_once(void **state) {
  (void)state;
  enum { COUNT = 1 << 20 };
  size_t room = 20 * (size_t)COUNT;
  char *source = malloc(room);
  assert_non_null(source);
  size_t used = (size_t)snprintf(source, room,
                                 "func.func @f() -> (tensor<%dxf32>, tensor<%dxf32>, i32) {\n"
                                 "%%z = arith.constant 1 : i32\n%%y = arith.addi %%z, %%z : i32\n"
                                 "%%r = arith.constant dense_resource<w> : tensor<%dxf32>\n"
                                 "%%d = arith.constant dense<\"0x",
                                 COUNT, COUNT, COUNT);
  for (int i = 0; i < COUNT; i++, used += 8)
    (void)snprintf(source + used, 9, "%08X", i);
  used += (size_t)snprintf(source + used, room - used,
                           "\"> : tensor<%dxf32>\nreturn %%r, %%d, %%y : tensor<%dxf32>, "
                           "tensor<%dxf32>, i32\n}\n{-# dialect_resources: { builtin: { w: \""
                           "0x04000000",
                           COUNT, COUNT, COUNT);
  for (int i = 0; i < COUNT; i++, used += 8)
    (void)snprintf(source + used, 9, "%08X", i);
  (void)snprintf(source + used, room - used, "\" } } #-}\n");
  char *before = assay_shared_take(shared, 1);
  stepped made =
      step("--canonicalize --one-shot-bufferize=bufferize-function-boundaries --cse", source);
  char *after = assay_shared_take(shared, 1);
  assert_string_equal(made.stepping->message, "");
  const assay_snapshot *input = made.stepping->input, *last = execution(&made, 3)->after;
  assert_ptr_not_equal(input, execution(&made, 1)->after);
  assert_ptr_not_equal(execution(&made, 1)->after, execution(&made, 2)->after);
  assert_true((size_t)(after - before) < 3 * (size_t)COUNT * sizeof(float));
  assert_true(last->size < 64 * 1024);
  MlirModule again = read_back(input);
  assert_int_equal(assay_fingerprint(mlirModuleGetOperation(again)), input->hash);
  mlirModuleDestroy(again);
  assay_error err = {0};
  assert_int_equal(assay_snapshot_roundtrip(input, context, &err), ASSAY_OK);
  free(source);
}

static void a_state_that_does_not_print_and_parse_is_told(void **state) {
  (void)state;
  assay_error err = {0};
  assert_int_equal(assay_snapshot_roundtrip(take(ADD), context, &err), ASSAY_OK);
  // vector.print without an operand swallows what follows it.
  const assay_snapshot *snapshot =
      take("\"func.func\"() <{function_type = () -> (), sym_name = \"f\"}> ({\n"
           "  \"vector.print\"() <{punctuation = #vector.punctuation<newline>}> : () -> ()\n"
           "  %0 = \"arith.constant\"() <{value = 1 : i32}> : () -> i32\n"
           "  \"func.return\"() : () -> ()\n"
           "}) : () -> ()");
  assert_int_equal(assay_snapshot_roundtrip(snapshot, context, &err), ASSAY_INVALID);
  assert_non_null(strstr(err.text, "expected ':'"));
}

static void full_memory_is_an_error(void **state) {
  (void)state;
  assay_shared *small = NULL;
  assay_error err = {0};
  assert_int_equal(assay_shared_create(1, &small, &err), ASSAY_OK);
  while (assay_shared_take(small, 4096) != NULL) {
  }
  const assay_snapshot *snapshot = NULL;
  MlirModule module = parse_module(ADD);
  while (assay_shared_take(small, 64) != NULL) {
  }
  assert_int_equal(assay_snapshot_take(module, small, &snapshot, &err), ASSAY_FAILED);
  mlirModuleDestroy(module);
  assay_shared_destroy(small);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hashes_tell_structures_apart),
      cmocka_unit_test(hashes_agree_between_processes),
      cmocka_unit_test(states_are_read_again_as_they_were),
      cmocka_unit_test(functions_are_listed),
      cmocka_unit_test(reach_is_what_may_be_called),
      cmocka_unit_test(large_constants_are_stored_once),
      cmocka_unit_test(a_state_that_does_not_print_and_parse_is_told),
      cmocka_unit_test(full_memory_is_an_error),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
