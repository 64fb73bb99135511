// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/shared.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

static assay_shared *make(size_t bytes) {
  assay_shared *shared = NULL;
  assay_error err;
  assert_int_equal(assay_shared_create(bytes, &shared, &err), ASSAY_OK);
  return shared;
}

static void pieces_are_zeroed_aligned_and_apart(void **state) {
  (void)state;
  assay_shared *shared = make(1 << 20);
  unsigned char *earlier = NULL;
  for (size_t size = 0; size < 300; size += 7) {
    unsigned char *piece = assay_shared_take(shared, size);
    assert_non_null(piece);
    assert_int_equal((uintptr_t)piece % 64, 0);
    for (size_t i = 0; i < size; i++)
      assert_int_equal(piece[i], 0);
    memset(piece, 0xff, size);
    assert_ptr_not_equal(piece, earlier);
    earlier = piece;
  }
  assay_shared_destroy(shared);
  assay_shared_destroy(NULL);
}

static void a_full_range_refuses_and_stays_usable(void **state) {
  (void)state;
  assay_shared *shared = make(1 << 16);
  assert_null(assay_shared_take(shared, SIZE_MAX));
  assert_null(assay_shared_take(shared, 1 << 16));
  assert_null(assay_shared_copy(shared, "", 1 << 17));
  assert_non_null(assay_shared_take(shared, (1 << 16) - 128));
  assert_string_equal(assay_shared_string(shared, "last"), "last");
  assert_null(assay_shared_string(shared, "more"));
  assay_shared_destroy(shared);
}

static void only_written_memory_is_used(void **state) {
  (void)state;
  assay_shared *shared = make((size_t)1 << 40);
  char *far = assay_shared_take(shared, (size_t)1 << 30);
  assert_non_null(far);
  far[((size_t)1 << 30) - 1] = 1;
  assay_shared_destroy(shared);
}

typedef struct chain {
  const char *text;
  struct chain *next;
} chain;

// What a child leaves is there with its pointers, though the child has died and closed everything.
static void a_dead_child_leaves_what_it_made(void **state) {
  (void)state;
  assay_shared *shared = make(1 << 20);
  chain *head = assay_shared_take(shared, sizeof *head);
  assert_non_null(head);
  pid_t child = fork();
  assert_true(child >= 0);
  if (child == 0) {
    for (int i = 0; i < 64; i++)
      close(i);
    chain *made = assay_shared_take(shared, sizeof *made);
    if (made == NULL)
      _exit(1);
    made->text = assay_shared_string(shared, "from the child");
    head->next = made;
    abort();
  }
  int status = 0;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_non_null(head->next);
  assert_string_equal(head->next->text, "from the child");
  assay_shared_destroy(shared);
}

// Several processes take at once; no piece is handed out twice.
static void processes_take_at_once(void **state) {
  (void)state;
  enum { CHILDREN = 4, PIECES = 2000 };
  assay_shared *shared = make(1 << 22);
  unsigned char **pieces = assay_shared_take(shared, sizeof *pieces * CHILDREN * PIECES);
  assert_non_null(pieces);
  pid_t children[CHILDREN];
  for (int c = 0; c < CHILDREN; c++) {
    children[c] = fork();
    assert_true(children[c] >= 0);
    if (children[c] != 0)
      continue;
    for (int i = 0; i < PIECES; i++) {
      pieces[c * PIECES + i] = assay_shared_take(shared, 64);
      if (pieces[c * PIECES + i] == NULL)
        _exit(1);
      *pieces[c * PIECES + i] += 1;
    }
    _exit(0);
  }
  for (int c = 0; c < CHILDREN; c++) {
    int status = 1;
    assert_int_equal(waitpid(children[c], &status, 0), children[c]);
    assert_int_equal(status, 0);
  }
  for (int i = 0; i < CHILDREN * PIECES; i++)
    assert_int_equal(*pieces[i], 1);
  assay_shared_destroy(shared);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pieces_are_zeroed_aligned_and_apart),
      cmocka_unit_test(a_full_range_refuses_and_stays_usable),
      cmocka_unit_test(only_written_memory_is_used),
      cmocka_unit_test(a_dead_child_leaves_what_it_made),
      cmocka_unit_test(processes_take_at_once),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
