// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lines of case files, suites and known gaps: comments, quotes and blank-separated words. For this
// room only.
#ifndef ASSAY_HARNESS_CASE_WORDS_H
#define ASSAY_HARNESS_CASE_WORDS_H

#include "suite/op.h"

// A line without its comment, and its place for messages.
typedef struct assay_line {
  const char *file;
  int number; // from 1; 0 for the command line
  const char *start, *end;
} assay_line;

// Cuts the comment off: '#' outside quotes. ASSAY_INVALID where the line holds a control character
// (a NUL among them) or a quote that is not closed.
ASSAY_MUST_USE assay_code assay_line_open(const char *file, int number, const char *text,
                                          size_t length, assay_line *out_line, assay_error *err);

// Fills *err with the place of `at` in the line and returns ASSAY_INVALID.
ASSAY_MUST_USE ASSAY_PRINTF(4, 5) assay_code
    assay_line_fail(assay_error *err, const assay_line *line, const char *at, const char *format,
                    ...);

typedef struct assay_word {
  const char *start;
  size_t length; // bytes; 0 where there is no further word
} assay_word;

// Moves *cursor past the next word. What stands in double quotes is part of its word, blanks and
// all.
assay_word assay_word_next(const char **cursor, const char *end);
bool assay_word_equal(assay_word a, assay_word b);
bool assay_word_is(assay_word word, const char *string);
bool assay_word_is_glob(assay_word word); // it holds one of * ? [

// What is between the quotes of a word that is one quoted string and not empty, with \" for a quote
// and
// \\ for a backslash, in the arena; NULL for any other word.
const char *assay_word_unquote(assay_arena *arena, assay_word word);

// The op of that name; ASSAY_INVALID with the nearest known one.
ASSAY_MUST_USE assay_code assay_op_parse(assay_arena *arena, const assay_line *line,
                                         assay_word name, const assay_suite_op **out_op,
                                         assay_error *err);

// The end of a message about an unknown word: "did you mean 'NAME'?", or "known: NAME, NAME".
const char *assay_word_suggest(assay_arena *arena, const char *word, const char *const names[],
                               size_t count);

#endif
