// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/isolate/isolate.h"

#include "harness/isolate/child.h"
#include "compiler/base/clock.h"

#include <assert.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

// How often memory is looked at, and ends that no pipe tells are found, in milliseconds.
enum { TICK = 20, TICK_ENDING = 1 };

typedef struct pool {
  const assay_isolation *isolation;
  const assay_isolated_work *work;
  assay_child *children;
  size_t slots; // one for each child at a time
  size_t running;
} pool;

// The names of the signals that end programs (signal(7)).
static const char *signal_name(int number) {
  static const struct {
    int number;
    const char *name;
  } names[] = {{SIGSEGV, "SIGSEGV"}, {SIGABRT, "SIGABRT"}, {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},
               {SIGILL, "SIGILL"},   {SIGKILL, "SIGKILL"}, {SIGTRAP, "SIGTRAP"}, {SIGSYS, "SIGSYS"},
               {SIGTERM, "SIGTERM"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (names[i].number == number)
      return names[i].name;
  return "a signal";
}

// "; it printed: ..." without the newlines at the end.
static void append_output(const assay_child *child, size_t size, char reason[]) {
  size_t length = child->printed_length;
  while (length > 0 && strchr("\n\r ", child->printed[length - 1]) != NULL)
    length--;
  size_t used = strlen(reason);
  if (length > 0)
    snprintf(reason + used, size - used, "; it printed: %s%.*s",
             child->printed_length == sizeof child->printed ? "... " : "", (int)length,
             child->printed);
}

static void describe_death(const pool *it, const assay_child *child, int status, bool too_large,
                           size_t size, char reason[]) {
  if (too_large)
    snprintf(reason, size, "exceeded the memory limit of %lld MB",
             (long long)(it->isolation->memory_bytes / 1000000));
  else if (WIFSIGNALED(status))
    snprintf(reason, size, "killed by %s (%s)", signal_name(WTERMSIG(status)),
             strsignal(WTERMSIG(status)));
  else
    snprintf(reason, size, "exited with status %d before finishing", WEXITSTATUS(status));
  append_output(child, size, reason);
}

// Ends the child's whole group and tells so. A child that is done has ended well, however it was
// then made to go.
static assay_code end_child(pool *it, assay_child *child, assay_ending ending, bool too_large,
                            assay_error *err) {
  char reason[ASSAY_CHILD_OUTPUT + 256] = "";
  int status = assay_child_kill(child);
  assay_code code = assay_child_read(child, it->isolation, it->work, err);
  void *task = child->task;
  if (child->done)
    ending = ASSAY_ENDED_WELL;
  else if (ending == ASSAY_ENDED_LATE) {
    snprintf(reason, sizeof reason, "exceeded the time limit of %g s", it->isolation->seconds);
    append_output(child, sizeof reason, reason);
  } else
    describe_death(it, child, status, too_large, sizeof reason, reason);
  assay_child_release(child);
  it->running--;
  return code != ASSAY_OK ? code : it->work->ended(it->work->user, task, ending, reason, err);
}

static void feel_pulse(const pool *it, assay_child *child) {
  int64_t pulse = it->work->pulse != NULL ? it->work->pulse(it->work->user, child->task) : 0;
  if (pulse != child->pulse)
    assay_child_lives(child);
  child->pulse = pulse;
}

// Reads from the child and enforces its limits.
static assay_code attend(pool *it, assay_child *child, assay_error *err) {
  bool ended = assay_child_has_ended(child);
  TRY(assay_child_read(child, it->isolation, it->work, err));
  feel_pulse(it, child);
  if (ended || child->done)
    return end_child(it, child, ASSAY_ENDED_DEAD, false, err);
  if (assay_child_memory(child) > it->isolation->memory_bytes)
    return end_child(it, child, ASSAY_ENDED_DEAD, true, err);
  if (assay_child_silence(child) > it->isolation->seconds)
    return end_child(it, child, ASSAY_ENDED_LATE, false, err);
  return ASSAY_OK;
}

// Milliseconds until the child's limit, from 1 to a tick.
static int wait_of(const pool *it, const assay_child *child) {
  double left = 1e3 * (it->isolation->seconds - assay_child_silence(child));
  return left >= TICK ? TICK : left > 1 ? (int)left : 1;
}

// Waits until some child has something to say or meets its limit, or for a tick. polled: two for
// each slot.
static void wait_for_children(const pool *it, struct pollfd polled[]) {
  int timeout = TICK;
  for (size_t i = 0; i < it->slots; i++) {
    const assay_child *child = &it->children[i];
    bool running = child->task != NULL;
    if (running && child->channel < 0)
      timeout = TICK_ENDING;
    else if (running && wait_of(it, child) < timeout)
      timeout = wait_of(it, child);
    // A negative descriptor is passed over by poll.
    polled[2 * i] = (struct pollfd){.fd = running ? child->channel : -1, .events = POLLIN};
    polled[2 * i + 1] = (struct pollfd){.fd = running ? child->output : -1, .events = POLLIN};
  }
  poll(polled, 2 * it->slots, timeout); // EINTR: the stop flag is looked at next
}

static bool stopped(const pool *it) {
  return it->isolation->stop != NULL && *it->isolation->stop != 0;
}

static assay_code fill_slots(pool *it, assay_error *err) {
  for (size_t i = 0; i < it->slots; i++) {
    assay_child *child = &it->children[i];
    if (child->task != NULL)
      continue;
    void *task = it->work->next(it->work->user);
    if (task == NULL)
      return ASSAY_OK;
    TRY(assay_child_start(child, it->isolation, it->work, task, err));
    it->running++;
  }
  return ASSAY_OK;
}

static assay_code run_pool(pool *it, struct pollfd polled[], assay_error *err) {
  for (;;) {
    if (stopped(it))
      return ASSAY_OK;
    TRY(fill_slots(it, err));
    if (it->running == 0)
      return ASSAY_OK;
    wait_for_children(it, polled);
    for (size_t i = 0; i < it->slots; i++)
      if (it->children[i].task != NULL && !stopped(it))
        TRY(attend(it, &it->children[i], err));
  }
}

assay_code assay_isolate(const assay_isolation *isolation, const assay_isolated_work *work,
                         assay_error *err) {
  assert(isolation->parallel >= 1);
  size_t slots = (size_t)isolation->parallel;
  pool it = {.isolation = isolation, .work = work, .slots = slots};
  it.children = calloc(slots, sizeof *it.children);
  struct pollfd *polled = calloc(2 * slots, sizeof *polled);
  // A frame's kind stands right before its message, which must be aligned as any object.
  enum { ALIGNMENT = _Alignof(max_align_t) };
  size_t stride = (isolation->message_size + 2 * ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  unsigned char *frames = calloc(slots, stride);
  bool allocated = it.children != NULL && polled != NULL && frames != NULL;
  for (size_t i = 0; allocated && i < slots; i++)
    it.children[i].frame = frames + i * stride + ALIGNMENT - 1;
  assay_code code =
      allocated ? run_pool(&it, polled, err)
                : assay_fail(err, ASSAY_FAILED, "no memory for %zu processes at a time", slots);
  for (size_t i = 0; allocated && i < slots; i++) {
    if (it.children[i].task != NULL) {
      assay_child_kill(&it.children[i]);
      assay_child_release(&it.children[i]);
    }
  }
  free(frames);
  free(polled);
  free(it.children);
  return code;
}
