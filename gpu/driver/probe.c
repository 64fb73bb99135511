// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/probe.h"

#include "compiler/base/clock.h"
#include "compiler/base/parent.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LIMIT = 20 }; // seconds

// What the child says, in one piece.
typedef struct answer {
  assay_code code;
  assay_driver_facts facts;
  assay_error err;
} answer;

// In the child: opens the device, answers and ends. Nothing is closed, since its end does that.
static _Noreturn void ask(bool with_library, pid_t parent, int descriptor) {
  assay_parent_follow(parent, SIGKILL); // a driver that hangs is not left behind
  answer said;
  memset(&said, 0, sizeof said);
  assay_gpu *gpu = NULL;
  said.code = assay_driver_open(with_library, &gpu, &said.err);
  if (said.code == ASSAY_OK)
    said.facts = *assay_driver_facts_get(gpu);
  const char *at = (const char *)&said;
  for (size_t left = sizeof said; left > 0;) {
    ssize_t sent = write(descriptor, at, left);
    if (sent < 0 && errno == EINTR)
      continue;
    if (sent <= 0)
      _exit(1);
    at += sent;
    left -= (size_t)sent;
  }
  _exit(0);
}

// Whether the whole answer came before the deadline; else *out_late or the child has ended.
static bool receive(int descriptor, double deadline, answer *out_said, bool *out_late) {
  char *at = (char *)out_said;
  size_t left = sizeof *out_said;
  *out_late = false;
  while (left > 0) {
    double seconds = deadline - assay_clock_now();
    struct pollfd ready = {.fd = descriptor, .events = POLLIN};
    int count = seconds > 0 ? poll(&ready, 1, (int)(1000 * seconds) + 1) : 0;
    if (count < 0 && errno == EINTR)
      continue;
    *out_late = count == 0;
    if (count <= 0)
      return false;
    ssize_t got = read(descriptor, at, left);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    at += got;
    left -= (size_t)got;
  }
  return true;
}

static int reap(pid_t child) {
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR)
    ;
  return status;
}

assay_code assay_driver_probe_within(bool with_library, double seconds,
                                     assay_driver_facts *out_facts, assay_error *err) {
  int ends[2];
  if (pipe(ends) != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot make a pipe: %s", strerror(errno));
  pid_t parent = getpid(), child = fork();
  if (child < 0) {
    close(ends[0]);
    close(ends[1]);
    return assay_fail(err, ASSAY_FAILED, "cannot fork: %s", strerror(errno));
  }
  if (child == 0) {
    close(ends[0]);
    ask(with_library, parent, ends[1]);
  }
  close(ends[1]);
  answer said;
  bool late, whole = receive(ends[0], assay_clock_now() + seconds, &said, &late);
  close(ends[0]);
  if (!whole)
    kill(child, SIGKILL);
  int status = reap(child);
  if (late)
    return assay_fail(err, ASSAY_MISSING, "CUDA's driver did not open within %g s", seconds);
  if (!whole && WIFSIGNALED(status))
    return assay_fail(err, ASSAY_MISSING, "CUDA's driver died of signal %d (%s) when opened",
                      WTERMSIG(status), strsignal(WTERMSIG(status)));
  if (!whole)
    return assay_fail(err, ASSAY_MISSING, "CUDA's driver ended the process, status %d, when opened",
                      WEXITSTATUS(status));
  if (said.code != ASSAY_OK) {
    *err = said.err;
    err->code = ASSAY_MISSING;
    return ASSAY_MISSING;
  }
  if (out_facts != NULL)
    *out_facts = said.facts;
  return ASSAY_OK;
}

assay_code assay_driver_probe(bool with_library, assay_driver_facts *out_facts, assay_error *err) {
  return assay_driver_probe_within(with_library, LIMIT, out_facts, err);
}
