// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/partner.h"

#include "compiler/base/text.h"
#include "compiler/base/clock.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

struct assay_partner {
  pid_t pid;      // and process group
  int socket;     // its standard input and output; sends ask for an error instead of SIGPIPE
  FILE *messages; // its standard error
  char name[256];
};

// In the child: becomes the program, which ends with this process, whatever that ends by.
static void become(const char *const argv[], int theirs, int messages) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  signal(SIGPIPE, SIG_DFL);
  if (dup2(theirs, STDIN_FILENO) < 0 || dup2(theirs, STDOUT_FILENO) < 0 ||
      dup2(messages, STDERR_FILENO) < 0)
    _exit(127);
  execvp(argv[0], (char *const *)argv);
  dprintf(STDERR_FILENO, "%s: %s\n", argv[0], strerror(errno));
  _exit(127);
}

assay_code assay_partner_start(const char *const argv[], assay_partner **out_partner,
                               assay_error *err) {
  int ends[2];
  assay_partner *partner = calloc(1, sizeof *partner);
  if (partner == NULL)
    abort();
  snprintf(partner->name, sizeof partner->name, "%s", argv[0]);
  partner->messages = tmpfile();
  if (partner->messages == NULL || socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    assay_code code =
        assay_fail(err, ASSAY_FAILED, "cannot start '%s': %s", argv[0], strerror(errno));
    if (partner->messages != NULL)
      fclose(partner->messages);
    free(partner);
    return code;
  }
  fcntl(ends[0], F_SETFD, FD_CLOEXEC);
  fcntl(ends[1], F_SETFD, FD_CLOEXEC);
  partner->socket = ends[0];
  partner->pid = fork();
  if (partner->pid == 0)
    become(argv, ends[1], fileno(partner->messages));
  close(ends[1]);
  if (partner->pid < 0) {
    assay_code code =
        assay_fail(err, ASSAY_FAILED, "cannot start '%s': %s", argv[0], strerror(errno));
    assay_partner_stop(partner);
    return code;
  }
  *out_partner = partner;
  return ASSAY_OK;
}

void assay_partner_stop(assay_partner *partner) {
  if (partner == NULL)
    return;
  close(partner->socket);
  fclose(partner->messages);
  if (partner->pid > 0) {
    kill(-partner->pid, SIGKILL);
    kill(partner->pid, SIGKILL); // where its group was not made yet
    while (waitpid(partner->pid, NULL, 0) < 0 && errno == EINTR)
      continue;
  }
  free(partner);
}

// With the last line that it wrote to its standard error.
static assay_code fail(assay_partner *partner, const char *what, assay_error *err) {
  char bytes[1024], *last = bytes;
  long length = fseek(partner->messages, 0, SEEK_END) == 0 ? ftell(partner->messages) : 0;
  long start = length > (long)sizeof bytes - 1 ? length - (long)sizeof bytes + 1 : 0;
  size_t count = fseek(partner->messages, start, SEEK_SET) == 0
                     ? fread(bytes, 1, sizeof bytes - 1, partner->messages)
                     : 0;
  while (count > 0 && bytes[count - 1] == '\n')
    count--;
  bytes[count] = '\0';
  for (char *at = bytes; *at != '\0'; at++)
    if (*at == '\n')
      last = at + 1;
    else if ((unsigned char)*at < ' ' || *at == '\177')
      *at = '?'; // nothing that a terminal would obey
  return assay_fail(err, ASSAY_FAILED, "'%s' %s%s%s", partner->name, what,
                    *last != '\0' ? ": " : "", last);
}

static assay_code send_line(assay_partner *partner, const char *line, assay_error *err) {
  const char *const parts[] = {line, "\n"};
  for (int i = 0; i < 2; i++)
    for (size_t sent = 0, size = strlen(parts[i]); sent < size;) {
      ssize_t count = send(partner->socket, parts[i] + sent, size - sent, MSG_NOSIGNAL);
      if (count < 0 && errno != EINTR)
        return fail(partner, "has ended", err);
      sent += count > 0 ? (size_t)count : 0;
    }
  return ASSAY_OK;
}

// At least one byte, up to size. flags: recv's.
static assay_code receive(assay_partner *partner, char *bytes, size_t size, int flags,
                          double deadline, size_t *out_count, assay_error *err) {
  for (;;) {
    double left = deadline - assay_clock_now();
    struct pollfd ready = {.fd = partner->socket, .events = POLLIN};
    int answered = left > 0 ? poll(&ready, 1, (int)(1000 * (left < 1e6 ? left : 1e6)) + 1) : 0;
    if (answered == 0)
      return fail(partner, "does not answer", err);
    ssize_t count = answered > 0 ? recv(partner->socket, bytes, size, flags) : -1;
    if (count == 0 || (count < 0 && errno != EINTR))
      return fail(partner, "has ended", err);
    if (count > 0) {
      *out_count = (size_t)count;
      return ASSAY_OK;
    }
    if (errno == EINTR)
      return fail(partner, "was not waited for: a signal came", err);
  }
}

assay_code assay_partner_ask(assay_partner *partner, assay_arena *arena, const char *line,
                             double seconds, const char **out_answer, assay_error *err) {
  enum { PIECE = 4096, MOST_MIB = 16 };
  double deadline = assay_clock_now() + seconds;
  assay_text answer = {.arena = arena};
  if (line != NULL)
    TRY(send_line(partner, line, err));
  // Looked at before it is taken: what follows the line belongs to who reads next, in whatever
  // process.
  for (const char *end = NULL; end == NULL;) {
    char piece[PIECE];
    size_t count = 0;
    TRY(receive(partner, piece, sizeof piece, MSG_PEEK, deadline, &count, err));
    end = memchr(piece, '\n', count);
    assay_text_append(&answer, piece, end != NULL ? (size_t)(end - piece) : count);
    if (answer.length > (size_t)MOST_MIB << 20)
      return fail(partner, "answers with a line of more than 16 MiB", err);
    TRY(receive(partner, piece, end != NULL ? (size_t)(end - piece) + 1 : count, 0, deadline,
                &count, err));
  }
  *out_answer = assay_text_get(&answer);
  return ASSAY_OK;
}

assay_code assay_partner_read(assay_partner *partner, void *bytes, size_t size, double seconds,
                              assay_error *err) {
  double deadline = assay_clock_now() + seconds;
  for (size_t done = 0; done < size;) {
    size_t count = 0;
    TRY(receive(partner, (char *)bytes + done, size - done, 0, deadline, &count, err));
    done += count;
  }
  return ASSAY_OK;
}
