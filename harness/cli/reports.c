// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/reports.h"
#include "harness/cli/message.h"
#include "harness/cli/places.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_code fail_unknown(assay_arena *arena, const char *name, assay_error *err) {
  size_t count = 0;
  while (assay_formats_get()[count] != NULL)
    count++;
  const char **names = assay_arena_take(arena, count, sizeof *names);
  for (size_t i = 0; i < count; i++)
    names[i] = assay_formats_get()[i]->name;
  return assay_fail(err, ASSAY_INVALID, "--format: unknown format '%s'%s", name,
                    assay_hint(arena, name, names, count));
}

static bool is_stdout(const assay_report *report) {
  return strcmp(report->path, "-") == 0;
}

// The next NAME=FILE of a list joined by commas, from *at on, which moves behind it; two commas are
// one of the file's name.
static const char *next_pair(assay_arena *arena, const char **at) {
  char *pair = assay_arena_string(arena, *at);
  size_t length = 0;
  const char *from = *at;
  for (; *from != '\0' && (*from != ',' || from[1] == ','); from++) {
    from += *from == ',';
    pair[length++] = *from;
  }
  pair[length] = '\0';
  *at = *from == ',' ? from + 1 : NULL;
  return pair;
}

static assay_code plan_pair(assay_arena *arena, const char *pair, assay_reports *reports,
                            assay_error *err) {
  const char *equals = strchr(pair, '=');
  if (equals == NULL || equals[1] == '\0')
    return assay_fail(err, ASSAY_INVALID, "--format: '%s' is not NAME=FILE, as in junit=out.xml",
                      pair);
  const char *name = assay_arena_bytes(arena, pair, (size_t)(equals - pair));
  assay_report *report = &reports->items[reports->count];
  *report = (assay_report){.format = assay_format_find(name), .path = equals + 1};
  if (report->format == NULL)
    return fail_unknown(arena, name, err);
  for (size_t k = 0; k < reports->count; k++)
    if (strcmp(reports->items[k].path, report->path) == 0)
      return assay_fail(err, ASSAY_INVALID,
                        is_stdout(report) ? "--format: two reports on standard output"
                                          : "--format: two reports to '%s'",
                        report->path);
  reports->count++;
  reports->own_stdout = reports->own_stdout || is_stdout(report);
  return ASSAY_OK;
}

assay_code assay_reports_plan(const assay_session *session, assay_reports *out_reports,
                              assay_error *err) {
  const assay_names *given = &session->options->formats;
  size_t room = given->count;
  for (size_t i = 0; i < given->count; i++)
    for (const char *at = given->items[i]; *at != '\0'; at++)
      room += *at == ',';
  *out_reports =
      (assay_reports){.items = assay_arena_take(session->arena, room, sizeof(assay_report))};
  for (size_t i = 0; i < given->count; i++)
    for (const char *at = given->items[i]; at != NULL;)
      TRY(plan_pair(session->arena, next_pair(session->arena, &at), out_reports, err));
  const char **paths = assay_arena_take(session->arena, out_reports->count + 1, sizeof *paths);
  for (size_t i = 0; i < out_reports->count; i++)
    paths[i] = out_reports->items[i].path;
  return assay_places_check_reports(session, paths, out_reports->count, err);
}

static assay_code fail_write(const assay_report *report, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, report->path, 0, 0, "cannot write: %s", strerror(errno));
}

// Whether both are of one file, by whatever names. What is written to a device is not mixed there.
static bool is_same(const struct stat *a, const struct stat *b) {
  return a->st_dev == b->st_dev && a->st_ino == b->st_ino && !S_ISCHR(a->st_mode);
}

// A report in the place of another one, of a file that is the command's own, or among its other
// answers would lose both.
static assay_code check_place(const assay_reports *reports, const assay_report *report,
                              const assay_names *own, assay_error *err) {
  struct stat status, other;
  if (report->descriptor < 0 || fstat(report->descriptor, &status) != 0)
    return fail_write(report, err);
  for (size_t i = 0; i < own->count; i++)
    if (stat(own->items[i], &other) == 0 && is_same(&status, &other))
      return assay_fail_at(err, ASSAY_INVALID, report->path, 0, 0,
                           "--format: this file is the run's own");
  if (fstat(STDOUT_FILENO, &other) == 0 && is_same(&status, &other))
    return assay_fail_at(err, ASSAY_INVALID, report->path, 0, 0,
                         "--format: this is standard output; give it as '-'");
  for (const assay_report *each = reports->items; each < report; each++)
    if (each->descriptor >= 0 && fstat(each->descriptor, &other) == 0 && is_same(&status, &other))
      return assay_fail_at(err, ASSAY_INVALID, report->path, 0, 0,
                           "--format: two reports to one file");
  return ASSAY_OK;
}

// Opens the file without emptying it.
static assay_code open_report(assay_report *report, assay_error *err) {
  enum { FLAGS = O_WRONLY | O_CLOEXEC | O_NOCTTY };
  report->descriptor = open(report->path, FLAGS | O_CREAT | O_EXCL, 0666);
  report->created = report->descriptor >= 0;
  if (report->descriptor < 0 && errno == EEXIST)
    report->descriptor = open(report->path, FLAGS | O_CREAT, 0666);
  report->stream = report->descriptor >= 0 ? fdopen(report->descriptor, "w") : NULL;
  return report->stream != NULL ? ASSAY_OK : fail_write(report, err);
}

static assay_code open_all(const assay_reports *reports, const assay_names *own, assay_error *err) {
  for (size_t i = 0; i < reports->count; i++) {
    assay_report *report = &reports->items[i];
    if (is_stdout(report)) {
      report->stream = stdout;
      report->descriptor = -1;
      continue;
    }
    TRY(open_report(report, err));
    TRY(check_place(reports, report, own, err));
  }
  return ASSAY_OK;
}

assay_code assay_reports_open_beside(assay_reports *reports, const assay_names *own,
                                     assay_error *err) {
  assay_code code = open_all(reports, own, err);
  if (code != ASSAY_OK)
    assay_reports_close(reports);
  return code;
}

assay_code assay_reports_open(assay_arena *arena, assay_reports *reports, const assay_out *out,
                              assay_error *err) {
  const char *own[] = {out->journal.path, assay_arena_format(arena, "%s/summary.txt", out->folder)};
  return assay_reports_open_beside(reports, &(assay_names){own, 2}, err);
}

static void tell(const char *text) {
  assay_message_note("%s", text);
}

// A document on its way to its place.
typedef struct document {
  char *bytes; // malloc; the whole of it
  size_t size;
  const char *target; // what it takes the place of; NULL: it is written to the open stream
  const char *part;   // beside it; NULL: not there
} document;

static assay_code make(const assay_report *report, const assay_record records[], size_t count,
                       const assay_run_totals *totals, document *out_document, assay_error *err) {
  FILE *memory = open_memstream(&out_document->bytes, &out_document->size);
  if (memory == NULL)
    return fail_write(report, err);
  assay_code code = report->format->write(memory, records, count, totals, err);
  if (fclose(memory) != 0 && code == ASSAY_OK)
    code = fail_write(report, err);
  return code;
}

// Where another file can take this one's place: the path behind its links. NULL for a device or a
// pipe, and for a descriptor of another process, which would keep the old file.
static const char *find_target(assay_arena *arena, const assay_report *report) {
  struct stat status, found;
  char path[PATH_MAX];
  if (report->descriptor < 0 || fstat(report->descriptor, &status) != 0 ||
      !S_ISREG(status.st_mode) || strncmp(report->path, "/dev/", 5) == 0 ||
      strncmp(report->path, "/proc/", 6) == 0)
    return NULL;
  const char *link = assay_arena_format(arena, "/proc/self/fd/%d", report->descriptor);
  ssize_t length = readlink(link, path, sizeof path - 1);
  if (length < 0)
    return NULL;
  path[length] = '\0';
  return stat(path, &found) == 0 && is_same(&status, &found) ? assay_arena_string(arena, path)
                                                             : NULL;
}

static bool write_all(int descriptor, const document *it) {
  for (size_t done = 0; done < it->size;) {
    ssize_t now = write(descriptor, it->bytes + done, it->size - done);
    if (now < 0 && errno != EINTR)
      return false;
    done += now > 0 ? (size_t)now : 0;
  }
  return true;
}

// Writes what is to take the target's place beside it, with its rights. Where the folder takes no
// file the target itself is written.
static assay_code write_beside(assay_arena *arena, const assay_report *report, document *it,
                               assay_error *err) {
  struct stat status;
  it->target = find_target(arena, report);
  if (it->target == NULL || fstat(report->descriptor, &status) != 0)
    return ASSAY_OK;
  const char *part = assay_arena_format(arena, "%s.%ld.part", it->target, (long)getpid());
  int descriptor = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (descriptor < 0) {
    it->target = NULL;
    bool refused = errno == EACCES || errno == EPERM || errno == EROFS || errno == ENAMETOOLONG;
    return refused ? ASSAY_OK : fail_write(report, err);
  }
  it->part = part;
  bool written = fchmod(descriptor, status.st_mode & 07777) == 0 && write_all(descriptor, it);
  int reason = errno;
  if (close(descriptor) != 0 && written) {
    reason = errno;
    written = false;
  }
  errno = reason;
  return written ? ASSAY_OK : fail_write(report, err);
}

// What is written of a document that does not fit is taken back.
static assay_code write_through(const assay_report *report, const document *it, assay_error *err) {
  if (report->descriptor >= 0)
    (void)!ftruncate(report->descriptor, 0); // what is no regular file has nothing to lose
  if (fwrite(it->bytes, 1, it->size, report->stream) == it->size && fflush(report->stream) == 0)
    return ASSAY_OK;
  assay_code code = fail_write(report, err);
  if (report->descriptor >= 0)
    (void)!ftruncate(report->descriptor, 0);
  return code;
}

// All documents are whole, and their files have room, before the first takes its place.
static assay_code write_documents(assay_arena *arena, const assay_reports *reports,
                                  const assay_record records[], size_t count,
                                  const assay_run_totals *totals, document documents[],
                                  assay_error *err) {
  assay_report *items = reports->items;
  for (size_t i = 0; i < reports->count; i++)
    TRY(make(&items[i], records, count, totals, &documents[i], err));
  for (size_t i = 0; i < reports->count; i++)
    TRY(write_beside(arena, &items[i], &documents[i], err));
  for (size_t i = 0; i < reports->count; i++)
    if (documents[i].target == NULL)
      TRY(write_through(&items[i], &documents[i], err));
  for (size_t i = 0; i < reports->count; i++) {
    if (documents[i].target != NULL && rename(documents[i].part, documents[i].target) != 0)
      return fail_write(&items[i], err);
    documents[i].part = NULL;
    items[i].created = false;
  }
  return ASSAY_OK;
}

assay_code assay_reports_write(const assay_reports *reports, const assay_record records[],
                               size_t count, const assay_run_totals *totals, assay_error *err) {
  assay_arena *arena = assay_arena_create();
  document *documents = assay_arena_take(arena, reports->count, sizeof *documents);
  assay_run_totals told = *totals;
  told.note = tell;
  assay_code code = write_documents(arena, reports, records, count, &told, documents, err);
  for (size_t i = 0; i < reports->count; i++) {
    free(documents[i].bytes);
    if (documents[i].part != NULL)
      unlink(documents[i].part);
  }
  assay_arena_destroy(arena);
  return code;
}

assay_code assay_reports_judge(const assay_record records[], size_t count, int *out_status,
                               assay_error *err) {
  bool any_bad = false, any_ran = count == 0; // an empty shard is no failure
  for (size_t i = 0; i < count; i++) {
    any_bad = any_bad || assay_verdict_is_bad(records[i].verdict);
    any_ran = any_ran || records[i].verdict != ASSAY_SKIP;
  }
  *out_status = any_bad ? ASSAY_EXIT_BAD : ASSAY_EXIT_OK;
  if (!any_ran)
    return assay_fail(err, ASSAY_UNSUPPORTED, "everything selected was skipped: %s",
                      records[0].reason != NULL ? records[0].reason : "no reason is given");
  return ASSAY_OK;
}

void assay_reports_close(assay_reports *reports) {
  for (size_t i = 0; i < reports->count; i++) {
    const assay_report *report = &reports->items[i];
    if (report->stream != NULL && !is_stdout(report))
      fclose(report->stream); // flushed and checked when written
    if (report->created)
      unlink(report->path); // still empty
  }
  reports->count = 0;
}
