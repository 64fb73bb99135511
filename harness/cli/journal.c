// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/journal.h"
#include "compiler/base/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static assay_code fail_write(const char *path, assay_error *err) {
  return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: %s", strerror(errno));
}

// Some file systems have no locks: there a run goes without, as it has to.
static bool lock(int descriptor) {
  return flock(descriptor, LOCK_EX | LOCK_NB) == 0 || errno == ENOSYS || errno == EOPNOTSUPP;
}

// Whether the descriptor is of the file that the path names, and not of one that was replaced.
static bool is_current(int descriptor, const char *path) {
  struct stat ours, named;
  return fstat(descriptor, &ours) == 0 && stat(path, &named) == 0 && ours.st_dev == named.st_dev &&
         ours.st_ino == named.st_ino;
}

// Opens the file for appending; *out_created where it was not there.
static int open_file(const char *path, bool *out_created) {
  enum { FLAGS = O_RDWR | O_APPEND | O_CLOEXEC | O_NONBLOCK | O_NOCTTY };
  int descriptor = open(path, FLAGS | O_CREAT | O_EXCL, 0666);
  *out_created = descriptor >= 0;
  return descriptor >= 0 || errno != EEXIST ? descriptor : open(path, FLAGS | O_CREAT, 0666);
}

static assay_code open_locked(const char *folder, assay_journal *journal, assay_error *err) {
  const char *path = journal->path;
  for (;;) {
    journal->descriptor = open_file(path, &journal->created);
    if (journal->descriptor < 0)
      return fail_write(path, err);
    struct stat status = {0};
    if (fstat(journal->descriptor, &status) != 0 || !S_ISREG(status.st_mode))
      return assay_fail_at(err, ASSAY_FAILED, path, 0, 0, "cannot write: this is no regular file");
    if (!lock(journal->descriptor))
      return errno == EWOULDBLOCK ? assay_fail_at(err, ASSAY_FAILED, folder, 0, 0,
                                                  "another run writes to this folder")
                                  : fail_write(path, err);
    if (is_current(journal->descriptor, path))
      return ASSAY_OK;
    close(journal->descriptor); // another run put a new one in its place before we had the lock
  }
}

assay_code assay_journal_open(assay_arena *arena, const char *folder, assay_journal *out_journal,
                              assay_error *err) {
  *out_journal = (assay_journal){.path = assay_arena_format(arena, "%s/run.jsonl", folder)};
  assay_code code = open_locked(folder, out_journal, err);
  if (code != ASSAY_OK)
    assay_journal_close(out_journal);
  return code;
}

void assay_journal_close(assay_journal *journal) {
  if (journal->descriptor >= 0)
    close(journal->descriptor); // each line was written and checked
  journal->descriptor = -1;
}

assay_code assay_journal_clear(const assay_journal *journal, assay_error *err) {
  return ftruncate(journal->descriptor, 0) == 0 ? ASSAY_OK : fail_write(journal->path, err);
}

assay_code assay_journal_read(assay_arena *arena, assay_journal *journal,
                              assay_record **out_records, size_t *out_count, assay_error *err) {
  size_t size;
  TRY(assay_file_read(arena, journal->path, &journal->held, err));
  TRY(assay_records_read(arena, &journal->held, out_records, out_count, &size, err));
  journal->held.size = size;
  return ftruncate(journal->descriptor, (off_t)size) == 0 ? ASSAY_OK
                                                          : fail_write(journal->path, err);
}

static bool write_all(int descriptor, const char *bytes, size_t size) {
  while (size > 0) {
    ssize_t written = write(descriptor, bytes, size);
    if (written < 0 && errno != EINTR)
      return false;
    if (written > 0) {
      bytes += written;
      size -= (size_t)written;
    }
  }
  return true;
}

// Puts a new file with these bytes in the journal's place; the lock goes over to it.
static assay_code replace(assay_journal *journal, const char *path, const assay_text *text,
                          assay_error *err) {
  int made = open(path, O_RDWR | O_APPEND | O_CLOEXEC | O_CREAT | O_TRUNC | O_NOFOLLOW, 0666);
  if (made < 0)
    return fail_write(path, err);
  // On the disk before it has the name: else a machine that stops now could keep neither.
  if (!lock(made) || !write_all(made, assay_text_get(text), text->length) || fsync(made) != 0 ||
      rename(path, journal->path) != 0) {
    assay_code code = fail_write(path, err);
    close(made);
    unlink(path);
    return code;
  }
  close(journal->descriptor);
  journal->descriptor = made;
  return ASSAY_OK;
}

assay_code assay_journal_keep(assay_arena *arena, assay_journal *journal, const bool marked[],
                              assay_error *err) {
  assay_text kept = {.arena = arena};
  assay_lines lines = {.file = &journal->held};
  while (assay_lines_next(&lines))
    if (marked[lines.number - 1]) {
      assay_text_append(&kept, lines.start, lines.length);
      assay_text_append(&kept, "\n", 1);
    }
  return replace(journal, assay_arena_format(arena, "%s.new", journal->path), &kept, err);
}

assay_code assay_journal_rewrite(assay_arena *arena, assay_journal *journal,
                                 const assay_record records[], size_t count, assay_error *err) {
  assay_text lines = {.arena = arena};
  for (size_t i = 0; i < count; i++)
    assay_text_print(&lines, "%s\n", assay_record_print(arena, &records[i]));
  return replace(journal, assay_arena_format(arena, "%s.new", journal->path), &lines, err);
}

assay_code assay_journal_append(const assay_journal *journal, const char *line, assay_error *err) {
  off_t before = lseek(journal->descriptor, 0, SEEK_END);
  if (before >= 0 && write_all(journal->descriptor, line, strlen(line)) &&
      write_all(journal->descriptor, "\n", 1))
    return ASSAY_OK;
  assay_code code = fail_write(journal->path, err);
  if (before >= 0)
    (void)!ftruncate(journal->descriptor, before); // the disk is full, of that we tell already
  return code;
}
