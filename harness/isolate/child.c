// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/isolate/child.h"

#include "compiler/base/clock.h"
#include "compiler/base/parent.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

// A frame is one kind byte and a message; a closing frame says that the body has returned, so that
// a program that exits by itself, even with status 0, is told from one that was finished with.
enum { FRAME_MESSAGE = 'm', FRAME_CLOSING = 'c' };

static void send_bytes(int descriptor, const void *bytes, size_t size) {
  const char *next = bytes;
  while (size > 0) {
    ssize_t sent = write(descriptor, next, size);
    if (sent < 0 && errno != EINTR)
      _exit(EXIT_FAILURE); // nobody is left to tell
    if (sent > 0) {
      next += sent;
      size -= (size_t)sent;
    }
  }
}

void assay_channel_send(const assay_channel *channel, const void *message) {
  const unsigned char kind = FRAME_MESSAGE;
  send_bytes(channel->descriptor, &kind, 1);
  send_bytes(channel->descriptor, message, channel->message_size);
}

// Memory of a process in bytes, from its statm file in /proc (proc(5)): what is resident and not
// shared with a file, and the size of all data segments. Zeros where /proc does not tell.
typedef struct memory {
  int64_t own, data;
} memory;

static memory read_memory(const char *path) {
  char line[256], *next = line;
  FILE *stream = fopen(path, "r");
  if (stream == NULL)
    return (memory){0};
  bool found = fgets(line, sizeof line, stream) != NULL;
  fclose(stream);
  enum { SIZE, RESIDENT, SHARED, TEXT, LIBRARY, DATA, COLUMNS };
  int64_t pages[COLUMNS] = {0}, page = sysconf(_SC_PAGESIZE);
  for (int i = 0; found && i < COLUMNS; i++)
    pages[i] = strtoll(next, &next, 10);
  return (memory){.own = (pages[RESIDENT] - pages[SHARED]) * page, .data = pages[DATA] * page};
}

int64_t assay_child_memory(const assay_child *child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/statm", (long)child->pid);
  return read_memory(path).own - child->base_bytes;
}

static double seconds_waited(const assay_child *child) {
  char path[64];
  snprintf(path, sizeof path, "/proc/%ld/schedstat", (long)child->pid);
  FILE *file = fopen(path, "r");
  if (file == NULL)
    return 0;
  char text[128] = "", *second = text;
  if (fgets(text, sizeof text, file) != NULL)
    strtoull(text, &second, 10); // on a processor
  fclose(file);
  return 1e-9 * (double)strtoull(second, NULL, 10);
}

void assay_child_lives(assay_child *child) {
  child->since = assay_clock_now();
  child->waited = seconds_waited(child);
}

double assay_child_silence(const assay_child *child) {
  double waited = seconds_waited(child) - child->waited;
  return assay_clock_now() - child->since - (waited > 0 ? waited : 0);
}

// The watched limit names the reason; this one is above it and stops what grows faster than it is
// watched.
static void limit_data(int64_t memory_bytes) {
  enum { SLACK = 256 << 20 };
  int64_t data = read_memory("/proc/self/statm").data;
  if (data == 0)
    return;
  struct rlimit limit = {.rlim_cur = (rlim_t)(data + memory_bytes + SLACK)};
  limit.rlim_max = limit.rlim_cur;
  setrlimit(RLIMIT_DATA, &limit);
}

// Faults must end the child as the signal they are: handlers of the parent, of LLVM and of
// sanitizers are taken off.
static void reset_signals(void) {
  static const int signals[] = {SIGINT,  SIGTERM, SIGHUP,  SIGQUIT, SIGPIPE, SIGSEGV,
                                SIGBUS,  SIGFPE,  SIGILL,  SIGABRT, SIGTRAP, SIGSYS,
                                SIGALRM, SIGUSR1, SIGUSR2, SIGCHLD, SIGXFSZ};
  for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
    signal(signals[i], SIG_DFL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
}

static void redirect(int output) {
  int empty = open("/dev/null", O_RDONLY);
  if (empty >= 0)
    dup2(empty, STDIN_FILENO);
  dup2(output, STDOUT_FILENO);
  dup2(output, STDERR_FILENO);
}

static _Noreturn void be_child(const assay_isolation *isolation, const assay_isolated_work *work,
                               void *task, pid_t parent, int channel_end, int output_end) {
  setpgid(0, 0);
  assay_parent_follow(parent, SIGKILL);
  reset_signals();
  setrlimit(RLIMIT_CORE, &(struct rlimit){0});
  limit_data(isolation->memory_bytes);
  redirect(output_end);
  assay_channel channel = {.descriptor = channel_end, .message_size = isolation->message_size};
  work->body(work->user, task, &channel);
  fflush(NULL);
  const unsigned char kind = FRAME_CLOSING;
  send_bytes(channel_end, &kind, 1);
  _exit(EXIT_SUCCESS);
}

static assay_code open_pipe(int ends[2], assay_error *err) {
  if (pipe(ends) != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot make a pipe: %s", strerror(errno));
  for (int i = 0; i < 2; i++)
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  fcntl(ends[0], F_SETFL, O_NONBLOCK);
  return ASSAY_OK;
}

static void close_pipe(int ends[2]) {
  close(ends[0]);
  close(ends[1]);
}

assay_code assay_child_start(assay_child *child, const assay_isolation *isolation,
                             const assay_isolated_work *work, void *task, assay_error *err) {
  int channel[2], output[2];
  TRY(open_pipe(channel, err));
  assay_code code = open_pipe(output, err);
  if (code != ASSAY_OK) {
    close_pipe(channel);
    return code;
  }
  int64_t own = read_memory("/proc/self/statm").own;
  fflush(NULL); // else what is buffered here is printed again by the child
  pid_t parent = getpid(), pid = fork();
  if (pid == 0)
    be_child(isolation, work, task, parent, channel[1], output[1]);
  if (pid < 0) {
    int number = errno;
    close_pipe(channel);
    close_pipe(output);
    return assay_fail(err, ASSAY_FAILED, "cannot fork: %s", strerror(number));
  }
  setpgid(pid, pid); // here as well as in the child: whoever comes first
  close(channel[1]);
  close(output[1]);
  *child = (assay_child){.task = task,
                         .pid = pid,
                         .channel = channel[0],
                         .output = output[0],
                         .since = assay_clock_now(),
                         .base_bytes = own,
                         .frame = child->frame};
  return ASSAY_OK;
}

// Reads into bytes without waiting; closes the descriptor at its end. Returns how much was read.
static size_t read_some(int *descriptor, void *bytes, size_t size) {
  if (*descriptor < 0)
    return 0;
  ssize_t got;
  do
    got = read(*descriptor, bytes, size);
  while (got < 0 && errno == EINTR);
  if (got > 0)
    return (size_t)got;
  if (got == 0 || errno != EAGAIN) {
    close(*descriptor);
    *descriptor = -1;
  }
  return 0;
}

// Keeps the last ASSAY_CHILD_OUTPUT bytes. Reads a bounded amount, so that a child that prints
// without end holds up nothing.
static void read_output(assay_child *child) {
  enum { ROUNDS = 16 };
  for (int i = 0; i < ROUNDS; i++) {
    char bytes[ASSAY_CHILD_OUTPUT];
    size_t got = read_some(&child->output, bytes, sizeof bytes);
    if (got == 0)
      return;
    size_t kept = sizeof child->printed - got;
    if (kept > child->printed_length)
      kept = child->printed_length;
    memmove(child->printed, child->printed + child->printed_length - kept, kept);
    memcpy(child->printed + kept, bytes, got);
    child->printed_length = kept + got;
  }
}

assay_code assay_child_read(assay_child *child, const assay_isolation *isolation,
                            const assay_isolated_work *work, assay_error *err) {
  read_output(child);
  for (;;) {
    size_t whole = child->frame_length > 0 ? 1 + isolation->message_size : 1;
    size_t got =
        read_some(&child->channel, child->frame + child->frame_length, whole - child->frame_length);
    if (got == 0)
      return ASSAY_OK;
    child->frame_length += got;
    if (child->frame[0] == FRAME_CLOSING) {
      child->done = true;
      child->frame_length = 0;
    } else if (child->frame_length == 1 + isolation->message_size) {
      child->frame_length = 0;
      assay_child_lives(child);
      TRY(work->message(work->user, child->task, child->frame + 1, err));
    }
  }
}

bool assay_child_has_ended(const assay_child *child) {
  siginfo_t info = {0};
  // WNOWAIT: while the child is not reaped its number, which names its group, cannot be given anew.
  return waitid(P_PID, (id_t)child->pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
         info.si_pid == child->pid;
}

int assay_child_kill(assay_child *child) {
  int status = 0;
  kill(-child->pid, SIGKILL);
  kill(child->pid, SIGKILL);
  while (waitpid(child->pid, &status, 0) < 0 && errno == EINTR)
    continue;
  return status;
}

void assay_child_release(assay_child *child) {
  if (child->channel >= 0)
    close(child->channel);
  if (child->output >= 0)
    close(child->output);
  child->task = NULL;
}
