// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Two processes write to one store at a time, and one of them is killed at a random moment.
#include "results/store/fixture.h"

#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>
#include <time.h>

enum { ROUNDS = 100, BATCH = 5, MOST_REPORTS = 4, LONGEST_US = 4000 };

typedef struct writer {
  pid_t pid;
  int reports; // a byte for each batch that it was told is stored
  int heard;   // of these
} writer;

static void pause_us(long microseconds) {
  nanosleep(&(struct timespec){.tv_nsec = microseconds * 1000}, NULL);
}

// Stores batch after batch until it is told to stop or killed. Keys name round, writer and batch.
static void write_batches(const char *path, int round, int number, int reports, int stop) {
  assay_arena *arena = assay_arena_create();
  assay_store *store;
  assay_error err = {.text = ""};
  if (assay_store_open(path, &store, &err) != ASSAY_OK) {
    fprintf(stderr, "writer %d: %s: %s\n", number, err.where, err.text);
    _exit(1);
  }
  char byte = 0;
  for (int batch = 0; read(stop, &byte, 1) != 0; batch++) {
    assay_record records[BATCH];
    size_t added = 0;
    for (int i = 0; i < BATCH; i++)
      records[i] = make_record(
          assay_arena_format(arena, "round=%d writer=%d batch=%d n=%d", round, number, batch, i),
          "2026-01-01T00:00:00.000Z");
    if (assay_store_ingest(store, records, BATCH, "all", &added, &err) != ASSAY_OK ||
        added != BATCH) {
      fprintf(stderr, "writer %d: %zu new: %s: %s\n", number, added, err.where, err.text);
      _exit(2);
    }
    if (write(reports, &byte, 1) != 1)
      _exit(3);
    pause_us(200);
  }
  assay_store_close(store);
  assay_arena_destroy(arena);
  _exit(0);
}

static writer start_writer(const char *path, int round, int number, int stop[2]) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  writer made = {.pid = fork(), .reports = ends[0]};
  assert_true(made.pid >= 0);
  if (made.pid == 0) {
    close(stop[1]);
    close(ends[0]);
    fcntl(stop[0], F_SETFL, O_NONBLOCK);
    write_batches(path, round, number, ends[1], stop[0]);
  }
  close(ends[1]);
  return made;
}

// Waits until it was told of so many more batches.
static void hear(writer *of, int more) {
  char byte;
  while (more-- > 0 && read(of->reports, &byte, 1) == 1)
    of->heard++;
}

// Waits for its end, which must be as expected; how many batches it was told are stored.
static int count_reports(writer *of, bool killed) {
  int status;
  assert_int_equal(waitpid(of->pid, &status, 0), of->pid);
  if (killed)
    assert_true(WIFSIGNALED(status));
  else
    assert_int_equal(status, 0);
  hear(of, INT_MAX);
  close(of->reports);
  return of->heard;
}

// What a round has left: every batch that its writer was told of, whole, and at most the one more
// whose news came too late.
static void check_round(const fixture *it, int round, int number, int reported) {
  const char *sql = assay_arena_format(
      it->arena, "SELECT count(*) FROM records WHERE key LIKE 'round=%d writer=%d %%'", round,
      number);
  int64_t stored = ask_sql(it->path, sql);
  assert_int_equal(stored % BATCH, 0);
  assert_in_range(stored / BATCH, reported, reported + 1);
}

// SQLite's own check, and that each batch is there as it says itself.
static void check_store(const fixture *it) {
  static const char whole_batches[] =
      "SELECT count(*) FROM invocations i"
      " WHERE records <> (SELECT count(*) FROM records r WHERE r.invocation = i.id)";
  static const char *const none[] = {
      "SELECT count(*) FROM pragma_integrity_check WHERE integrity_check <> 'ok'",
      "SELECT count(*) FROM pragma_foreign_key_check",
      whole_batches,
      "SELECT count(*) - count(DISTINCT key) FROM records",
      "SELECT count(*) - (SELECT count(*) FROM records) FROM documents",
      "SELECT count(*) - (SELECT count(*) FROM records) FROM tagged",
  };
  for (size_t i = 0; i < sizeof none / sizeof none[0]; i++)
    if (ask_sql(it->path, none[i]) != 0)
      fail_msg("%s: not 0", none[i]);
}

static void loses_and_doubles_nothing(void **state) {
  const fixture *it = *state;
  unsigned random = 1;
  int total = 0;
  for (int round = 0; round < ROUNDS; round++) {
    int stop[2];
    assert_int_equal(pipe(stop), 0);
    writer writers[2];
    for (int i = 0; i < 2; i++)
      writers[i] = start_writer(it->path, round, i, stop);
    random = random * 1103515245u + 12345u;
    int victim = (int)(random >> 12) & 1;
    hear(&writers[victim], (int)(random >> 16) % MOST_REPORTS);
    pause_us((long)(random >> 18) % LONGEST_US);
    kill(writers[victim].pid, SIGKILL);
    hear(&writers[1 - victim], 1); // the other one goes on
    close(stop[0]);
    close(stop[1]);
    for (int i = 0; i < 2; i++) {
      int reported = count_reports(&writers[i], i == victim);
      check_round(it, round, i, reported);
      total += reported;
    }
    if (round % 10 == 9)
      check_store(it);
  }
  assert_true(total > ROUNDS); // the writers that were not killed alone
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(loses_and_doubles_nothing, fixture_set_up, fixture_tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
