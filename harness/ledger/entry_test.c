// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/entry.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

enum { MOST = 8 };

static assay_arena *arena;

// A module of functions, the public ones with a '+' before their name.
static void expect(const char *const names[], const char *asked, const char *found,
                   const char *reason) {
  assay_function_state functions[MOST] = {0};
  assay_snapshot module = {.functions = functions};
  for (; names[module.function_count] != NULL; module.function_count++) {
    const char *name = names[module.function_count];
    functions[module.function_count].is_public = name[0] == '+';
    functions[module.function_count].name = name + (name[0] == '+');
  }
  const char *why = "";
  const assay_function_state *entry = assay_entry_find(&module, asked, arena, &why);
  assert_int_equal(entry != NULL, found != NULL);
  if (found != NULL)
    assert_string_equal(entry->name, found);
  else
    assert_string_equal(why, reason);
}

static int set_up(void **state) {
  (void)state;
  arena = assay_arena_create();
  return 0;
}

static int tear_down(void **state) {
  (void)state;
  assay_arena_destroy(arena);
  return 0;
}

static void takes_main_or_the_only_public_one(void **state) {
  (void)state;
  expect((const char *[]){"+a", "+main", NULL}, NULL, "main", NULL);
  expect((const char *[]){"main", "+a", NULL}, NULL, "main", NULL);
  expect((const char *[]){"a", "+b", "c", NULL}, NULL, "b", NULL);
  expect((const char *[]){"+a", "b", "+c", NULL}, NULL, NULL,
         "@a and @c are both public: say --entry NAME or --entry all");
  expect((const char *[]){"a", NULL}, NULL, NULL, "no public function with a body");
  expect((const char *[]){NULL}, NULL, NULL, "no public function with a body");
}

static void takes_the_one_that_is_named(void **state) {
  (void)state;
  expect((const char *[]){"a", "+main", NULL}, "a", "a", NULL);
  expect((const char *[]){"+main", NULL}, "man", NULL,
         "no function @man with a body; did you mean @main?");
}

static void lists_what_there_is(void **state) {
  (void)state;
  expect((const char *[]){"+main", NULL}, "softmax", NULL,
         "no function @softmax with a body; there is @main");
  expect((const char *[]){"aaa", "bbb", "+ccc", NULL}, "softmax", NULL,
         "no function @softmax with a body; there are @aaa, @bbb and @ccc");
  expect((const char *[]){"aaa", "bbb", "ccc", "ddd", "eee", "fff", "ggg", NULL}, "softmax", NULL,
         "no function @softmax with a body; there are @aaa, @bbb, @ccc, @ddd and 3 more");
  expect((const char *[]){NULL}, "softmax", NULL,
         "no function @softmax with a body; there is none at all");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(takes_main_or_the_only_public_one),
      cmocka_unit_test(takes_the_one_that_is_named),
      cmocka_unit_test(lists_what_there_is),
  };
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
