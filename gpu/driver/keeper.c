// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/keeper.h"

#include "compiler/base/clock.h"
#include "compiler/base/parent.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { LARGEST_FILE = 64 << 20 }; // bytes: a program that prints without end does not fill a disk

extern char **environ;

// What the keeper says, in one piece. The step's words are where they are in both processes.
typedef struct report {
  const char *step; // what could not be done, and errno; NULL for nothing
  int error;
  bool made, ready; // its folder
  assay_kept kept;
} report;

static void send_report(int channel, const report *said) {
  _Static_assert(sizeof *said <= 4096, "it is written at once"); // PIPE_BUF
  while (write(channel, said, sizeof *said) < 0 && errno == EINTR)
    continue;
}

static bool fail_at(report *said, const char *step) {
  said->step = step;
  said->error = errno;
  return false;
}

static bool write_input(const assay_kept_order *order, int folder, report *said) {
  if (order->input == NULL)
    return true;
  int file = openat(folder, order->input_name, O_WRONLY | O_CREAT | O_EXCL, 0600);
  const char *at = order->input;
  size_t left = strlen(at);
  while (file >= 0 && left > 0) {
    ssize_t written = write(file, at, left);
    if (written < 0 && errno != EINTR)
      break;
    at += written > 0 ? written : 0;
    left -= written > 0 ? (size_t)written : 0;
  }
  if (file < 0 || left > 0 || close(file) != 0)
    return fail_at(said, "cannot write what ptxas is to read");
  return true;
}

// The folder with the input in it. *out_folder: it, opened; -1 where it is not there.
static bool make_folder(const assay_kept_order *order, int *out_folder, report *said) {
  const char *place = getenv("TMPDIR");
  char *path = said->kept.folder;
  *out_folder = -1;
  if (place == NULL || place[0] == '\0')
    place = "/tmp";
  int length = snprintf(path, sizeof said->kept.folder, "%s/assay-ptxas-XXXXXX", place);
  errno = ENAMETOOLONG;
  said->made = length < (int)sizeof said->kept.folder && mkdtemp(path) != NULL;
  if (!said->made)
    return fail_at(said, "cannot make a folder for ptxas");
  *out_folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (*out_folder < 0)
    return fail_at(said, "cannot open the folder for ptxas");
  said->ready = write_input(order, *out_folder, said);
  return said->ready;
}

static void remove_folder(const char *path, int folder) {
  DIR *list = folder >= 0 ? fdopendir(folder) : NULL;
  const struct dirent *entry;
  while (list != NULL && (entry = readdir(list)) != NULL)
    unlinkat(folder, entry->d_name, 0); // which "." and ".." refuse
  rmdir(path);
}

static _Noreturn void be_program(const assay_kept_order *order, int folder, pid_t keeper,
                                 int channel, report *said) {
  setpgid(0, 0);
  assay_parent_follow(keeper, SIGKILL);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  setrlimit(RLIMIT_FSIZE, &(struct rlimit){LARGEST_FILE, LARGEST_FILE});
  int empty = open("/dev/null", O_RDONLY);
  int log = openat(folder, "log", O_WRONLY | O_CREAT | O_APPEND, 0600);
  if (empty >= 0 && log >= 0 && fchdir(folder) == 0 && dup2(empty, STDIN_FILENO) >= 0 &&
      dup2(log, STDOUT_FILENO) >= 0 && dup2(log, STDERR_FILENO) >= 0)
    // The interface predates const; it changes neither the strings nor the array.
    execve(order->line[0], (char *const *)order->line, environ);
  (void)fail_at(said, "cannot start");
  send_report(channel, said);
  _exit(127);
}

// Until it has ended or its time is over; false where the keeper is let go before.
static bool await_program(pid_t program, double seconds, const sigset_t *awaited, bool *out_late) {
  double deadline = assay_clock_now() + seconds;
  for (;;) {
    // WNOWAIT: while it is not reaped its number, which names its group, cannot be given anew.
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)program, &info, WEXITED | WNOHANG | WNOWAIT) == 0 &&
        info.si_pid == program)
      return true;
    double left = deadline - assay_clock_now();
    *out_late = left <= 0;
    if (*out_late)
      return true;
    struct timespec rest = {.tv_sec = (time_t)left};
    rest.tv_nsec = (long)(1e9 * (left - (double)rest.tv_sec));
    if (sigtimedwait(awaited, NULL, &rest) == SIGTERM)
      return false;
  }
}

// False where the keeper is let go before the end.
static bool run_program(const assay_kept_order *order, int folder, const sigset_t *awaited,
                        int channel, report *said) {
  pid_t keeper = getpid(), program = fork();
  if (program == 0)
    be_program(order, folder, keeper, channel, said);
  if (program < 0) {
    (void)fail_at(said, "cannot fork");
    return true;
  }
  setpgid(program, program); // here as well as in the child: whoever comes first
  bool ended = await_program(program, order->seconds, awaited, &said->kept.late);
  kill(-program, SIGKILL); // with what it has started
  while (waitpid(program, &said->kept.status, 0) < 0 && errno == EINTR)
    continue;
  return ended;
}

// In a group of its own, so that it outlives the group of its parent, and removes the folder.
static _Noreturn void be_keeper(const assay_kept_order *order, pid_t parent, int channel) {
  sigset_t all, awaited;
  sigfillset(&all);
  sigemptyset(&awaited);
  sigaddset(&awaited, SIGCHLD);
  sigaddset(&awaited, SIGTERM);
  sigprocmask(SIG_SETMASK, &all, NULL);
  signal(SIGCHLD, SIG_DFL); // what is ignored cannot be awaited
  signal(SIGTERM, SIG_DFL);
  setpgid(0, 0);
  assay_parent_follow(parent, SIGTERM);
  report said;
  memset(&said, 0, sizeof said);
  int folder, number = 0;
  if (!make_folder(order, &folder, &said) || run_program(order, folder, &awaited, channel, &said)) {
    send_report(channel, &said);
    while (number != SIGTERM)
      number = sigwaitinfo(&awaited, NULL);
  }
  if (said.made)
    remove_folder(said.kept.folder, folder);
  _exit(0);
}

static assay_code judge(const assay_kept_order *order, const report *said, bool whole,
                        assay_error *err) {
  if (!whole)
    return assay_fail_at(err, ASSAY_FAILED, order->line[0], 0, 0, "the process that runs it died");
  const char *where = said->ready ? order->line[0] : said->kept.folder;
  if (said->step != NULL)
    return assay_fail_at(err, ASSAY_FAILED, where, 0, 0, "%s: %s", said->step,
                         strerror(said->error));
  return ASSAY_OK;
}

assay_code assay_keeper_run(const assay_kept_order *order, assay_kept *out_kept, assay_error *err) {
  int ends[2];
  if (pipe(ends) != 0)
    return assay_fail(err, ASSAY_FAILED, "cannot make a pipe: %s", strerror(errno));
  for (int i = 0; i < 2; i++)
    fcntl(ends[i], F_SETFD, FD_CLOEXEC);
  pid_t parent = getpid(), keeper = fork();
  if (keeper == 0)
    be_keeper(order, parent, ends[1]);
  int reason = errno;
  close(ends[1]);
  report said;
  ssize_t got = -1;
  while (keeper > 0 && (got = read(ends[0], &said, sizeof said)) < 0 && errno == EINTR)
    continue;
  close(ends[0]);
  if (keeper < 0)
    return assay_fail(err, ASSAY_FAILED, "cannot fork: %s", strerror(reason));
  said.kept.keeper = keeper;
  assay_code code = judge(order, &said, got == (ssize_t)sizeof said, err);
  if (code != ASSAY_OK)
    assay_keeper_let_go(&(assay_kept){.keeper = keeper});
  else
    *out_kept = said.kept;
  return code;
}

void assay_keeper_let_go(const assay_kept *kept) {
  kill(kept->keeper, SIGTERM);
  while (waitpid(kept->keeper, NULL, 0) < 0 && errno == EINTR)
    continue;
}
