// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reference/oracle.h"
#include "compiler/base/clock.h"

#include "compiler/base/file.h"
#include "compiler/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum {
  STATUS_INVALID = 2,     // reference/oracle/command.py
  STATUS_NO_NUMPY = 3,    // reference/oracle/__main__.py
  STATUS_SIGNALLED = 128, // as a shell has it: 128 + the signal's number
  FIXED_ARGUMENTS = 4,    // python -I -B FOLDER
  STREAMS = 3,
};

// Seconds: several times what the largest cases take on a busy machine, so that only an oracle
// which hangs meets them.
static const double PATIENCE = 600, PATIENCE_FOR_EACH = 10;

// Our ends of the child's standard streams; -1 where there is none.
typedef struct child {
  pid_t id;
  int stream[STREAMS];
} child;

static void close_fd(int *fd) {
  if (*fd >= 0)
    close(*fd);
  *fd = -1;
}

static assay_code system_failed(const char *what, int reason, assay_error *err) {
  return assay_fail(err, ASSAY_FAILED, "cannot %s the oracle: %s", what, strerror(reason));
}

// A pair of connected sockets rather than pipes: a send can ask for an error instead of SIGPIPE,
// which a library has no business to ignore for the whole process.
static bool make_pair(int *out_ours, int *out_theirs) {
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0)
    return false;
  *out_ours = ends[0];
  *out_theirs = ends[1];
  return fcntl(ends[0], F_SETFD, FD_CLOEXEC) == 0 && fcntl(ends[1], F_SETFD, FD_CLOEXEC) == 0 &&
         fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0; // or one send would wait for all to be read
}

// The folder of PATH's that has a program of that name, and the name; the name alone where none
// has.
static const char *look_up(assay_arena *arena, const char *name) {
  const char *folders = getenv("PATH");
  char *rest = NULL;
  if (strchr(name, '/') != NULL || folders == NULL)
    return name;
  for (char *folder = strtok_r(assay_arena_string(arena, folders), ":", &rest); folder != NULL;
       folder = strtok_r(NULL, ":", &rest)) {
    const char *path = assay_arena_format(arena, "%s/%s", folder, name);
    if (access(path, X_OK) == 0)
      return path;
  }
  return name;
}

static const char *installed_file(assay_arena *arena, const char *root) {
  return assay_arena_format(arena, "%s/python", root);
}

const char *assay_oracle_python(assay_arena *arena, const char *root) {
  const char *given = getenv("ASSAY_PYTHON");
  assay_file file;
  assay_error ignored;
  if (given != NULL && *given != '\0')
    return look_up(arena, given);
  if (assay_file_read(arena, installed_file(arena, root), &file, &ignored) == ASSAY_OK)
    return look_up(arena, assay_arena_bytes(arena, file.bytes, strcspn(file.bytes, "\n")));
  return assay_arena_format(arena, "%s/.venv/bin/python", root);
}

const char *assay_oracle_remedy(assay_arena *arena, const char *root) {
  return access(installed_file(arena, root), F_OK) == 0
             ? "set ASSAY_PYTHON to a Python that has NumPy >= 2"
             : "run ci/setup, which makes .venv";
}

static const char *const *command_line(assay_arena *arena, const char *root,
                                       const char *const arguments[]) {
  size_t count = 0;
  while (arguments[count] != NULL)
    count++;
  const char **line = assay_arena_take(arena, FIXED_ARGUMENTS + count + 1, sizeof *line);
  line[0] = assay_oracle_python(arena, root);
  line[1] = "-I"; // nothing of the user's: no PYTHONPATH, no site folder of his
  line[2] = "-B"; // and nothing written beside the sources
  line[3] = assay_arena_format(arena, "%s/reference/oracle", root);
  for (size_t i = 0; i < count; i++)
    line[FIXED_ARGUMENTS + i] = arguments[i];
  return line;
}

// Starts the command; streams that are not captured stay this process's own: those it has come in
// the order of the enum.
static assay_code start(const char *const line[], assay_capture capture, child *out_child,
                        assay_error *err) {
  int theirs[STREAMS] = {-1, -1, -1};
  child started = {.stream = {-1, -1, -1}};
  posix_spawn_file_actions_t actions;
  int reason = posix_spawn_file_actions_init(&actions);
  if (reason != 0)
    return system_failed("start", reason, err);
  for (int i = 0; reason == 0 && i < 1 + (int)capture; i++)
    reason = make_pair(&started.stream[i], &theirs[i])
                 ? posix_spawn_file_actions_adddup2(&actions, theirs[i], i)
                 : errno;
  // The interface predates const; posix_spawn changes neither the strings nor the array.
  if (reason == 0)
    reason = posix_spawn(&started.id, line[0], &actions, NULL, (char *const *)line, environ);
  posix_spawn_file_actions_destroy(&actions);
  for (int i = 0; i < STREAMS; i++) {
    close_fd(&theirs[i]);
    if (reason != 0)
      close_fd(&started.stream[i]);
  }
  if (reason != 0)
    return system_failed("start", reason, err);
  *out_child = started;
  return ASSAY_OK;
}

// For poll: milliseconds up to the deadline, at least 1; 0 after it.
static int milliseconds_to(double deadline) {
  enum { MOST = 3600 * 1000 };
  double left = 1000 * (deadline - assay_clock_now());
  return left <= 0 ? 0 : left < MOST ? (int)left + 1 : MOST;
}

// Sends some of the input; the end of it, or a child that reads no more, closes the stream.
static void feed(int *fd, const char **input, size_t *size) {
  ssize_t sent = *size > 0 ? send(*fd, *input, *size, MSG_NOSIGNAL) : 0;
  if (sent < 0 && (errno == EINTR || errno == EAGAIN))
    return;
  if (sent <= 0) {
    close_fd(fd);
    return;
  }
  *input += sent;
  *size -= (size_t)sent;
}

// Appends what has come; the end closes the stream.
static void drain(int *fd, assay_text *text) {
  char bytes[16 * 1024];
  ssize_t count = read(*fd, bytes, sizeof bytes);
  if (count > 0)
    assay_text_append(text, bytes, (size_t)count);
  else if (count == 0 || (errno != EINTR && errno != EAGAIN))
    close_fd(fd);
}

// Feeds and drains the child's streams, whichever is ready, until all are closed: neither side ever
// waits for the other while that one waits for it. Returns in any case after the deadline.
static assay_code converse(child *partner, const char *input, size_t size, double deadline,
                           assay_text *output, assay_text *messages, assay_error *err) {
  int *fd = partner->stream;
  while (fd[0] >= 0 || fd[1] >= 0 || fd[2] >= 0) {
    struct pollfd ready[STREAMS] = {{.fd = fd[0], .events = POLLOUT},
                                    {.fd = fd[1], .events = POLLIN},
                                    {.fd = fd[2], .events = POLLIN}};
    int patience = milliseconds_to(deadline);
    if (patience == 0)
      return ASSAY_OK;
    if (poll(ready, STREAMS, patience) < 0) {
      if (errno == EINTR)
        continue;
      return system_failed("talk to", errno, err);
    }
    if (fd[0] >= 0 && ready[0].revents != 0)
      feed(&fd[0], &input, &size);
    if (fd[1] >= 0 && ready[1].revents != 0)
      drain(&fd[1], output);
    if (fd[2] >= 0 && ready[2].revents != 0)
      drain(&fd[2], messages);
  }
  return ASSAY_OK;
}

// Waits up to the deadline, and then kills it: *out_late.
static assay_code wait_for(pid_t id, double deadline, int *out_status, bool *out_late,
                           assay_error *err) {
  const struct timespec pause = {.tv_nsec = 2000000};
  int status = 0;
  pid_t ended;
  *out_late = false;
  while ((ended = waitpid(id, &status, *out_late ? 0 : WNOHANG)) != id) {
    if (ended < 0 && errno != EINTR)
      return system_failed("wait for", errno, err);
    if (ended == 0 && milliseconds_to(deadline) > 0)
      nanosleep(&pause, NULL);
    else if (ended == 0) {
      *out_late = true;
      kill(id, SIGKILL);
    }
  }
  *out_status = WIFEXITED(status) ? WEXITSTATUS(status) : STATUS_SIGNALLED + WTERMSIG(status);
  return ASSAY_OK;
}

// The message itself: the last line, which is where the oracle says why it stops, without the
// oracle's own prefix.
static const char *message_of(assay_arena *arena, const assay_text *messages) {
  static const char prefix[] = "oracle: error: ";
  char *text = assay_arena_string(arena, assay_text_get(messages));
  size_t length = strlen(text);
  while (length > 0 && text[length - 1] == '\n')
    text[--length] = '\0';
  char *last = strrchr(text, '\n');
  const char *message = last != NULL ? last + 1 : text;
  return strncmp(message, prefix, sizeof prefix - 1) == 0 ? message + sizeof prefix - 1 : message;
}

static assay_code judge_status(const char *python, const char *remedy, int status,
                               const char *message, assay_error *err) {
  if (message[0] == '\0')
    message = "see its messages above";
  if (status == STATUS_NO_NUMPY)
    return assay_fail_at(err, ASSAY_MISSING, python, 0, 0, "%s; %s", message, remedy);
  if (status == STATUS_INVALID)
    return assay_fail(err, ASSAY_INVALID, "the oracle cannot answer: %s", message);
  if (status > STATUS_SIGNALLED && status != STATUS_SIGNALLED + SIGINT)
    return assay_fail(err, ASSAY_FAILED, "the oracle was killed by signal %d",
                      status - STATUS_SIGNALLED);
  return ASSAY_OK;
}

assay_code assay_oracle_run_within(assay_arena *arena, const char *root,
                                   const char *const arguments[], const char *input, size_t size,
                                   assay_capture capture, double seconds,
                                   assay_oracle_answer *out_answer, assay_error *err) {
  const char *const *line = command_line(arena, root, arguments);
  const char *remedy = assay_oracle_remedy(arena, root);
  double deadline = assay_clock_now() + seconds;
  if (access(line[0], X_OK) != 0)
    return assay_fail_at(err, ASSAY_MISSING, line[0], 0, 0, "no Python for the oracle; %s", remedy);
  child partner = {.stream = {-1, -1, -1}};
  TRY(start(line, capture, &partner, err));
  assay_text output = {.arena = arena}, messages = {.arena = arena};
  assay_code code = converse(&partner, input, size, deadline, &output, &messages, err);
  for (int i = 0; i < STREAMS; i++)
    close_fd(&partner.stream[i]);
  assay_oracle_answer answer = {.status = -1,
                                .bytes = output.data,
                                .size = output.length,
                                .message = message_of(arena, &messages)};
  assay_error waiting;
  bool late;
  assay_code waited =
      wait_for(partner.id, deadline, &answer.status, &late, code == ASSAY_OK ? err : &waiting);
  if (code != ASSAY_OK || waited != ASSAY_OK)
    return code != ASSAY_OK ? code : waited;
  if (late)
    return assay_fail(err, ASSAY_FAILED, "the oracle did not answer within %g s", seconds);
  *out_answer = answer;
  return judge_status(line[0], remedy, answer.status, answer.message, err);
}

double assay_oracle_patience(const char *input, size_t size) {
  size_t lines = 0;
  for (size_t i = 0; i < size; i++)
    lines += input[i] == '\n';
  return PATIENCE + PATIENCE_FOR_EACH * (double)lines;
}

assay_code assay_oracle_run(assay_arena *arena, const char *root, const char *const arguments[],
                            const char *input, size_t size, assay_capture capture,
                            assay_oracle_answer *out_answer, assay_error *err) {
  return assay_oracle_run_within(arena, root, arguments, input, size, capture,
                                 assay_oracle_patience(input, size), out_answer, err);
}
