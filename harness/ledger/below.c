// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/ledger/below.h"
#include "compiler/base/clock.h"

#include "compiler/base/text.h"
#include "harness/ledger/probe.h"

#include <ctype.h>
#include <string.h>

enum { ALL = -1, MOST_AT_ONCE = 3, MOST_CHECKS = 5 };

typedef struct below {
  assay_probing probing;
  assay_below found;
  assay_probe full; // the pass as it is
} below;

// The last probe that is right and the first that shows the fault, by what they were limited to.
typedef struct border {
  bool found;
  assay_probe right, bad;
} border;

static bool is_name(char c) {
  return isalnum((unsigned char)c) || c == '_' || c == '$' || c == '-' || c == '.';
}

// Past the place and its colon: "file.mlir:3:8: text".
static const char *skip_place(const char *message) {
  const char *colon = strstr(message, ": ");
  return colon != NULL ? colon + 2 : message;
}

bool assay_below_same_message(const char *a, const char *b) {
  a = skip_place(a);
  b = skip_place(b);
  while (*a != '\0' && *a == *b) {
    bool value = *a == '%';
    a++;
    b++;
    while (value && is_name(*a))
      a++;
    while (value && is_name(*b))
      b++;
  }
  return *a == *b;
}

// As clang and GCC write it.
static const char *skip_anonymous(const char *at) {
  static const char *const names[] = {"(anonymous namespace)", "{anonymous}"};
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if (strncmp(at, names[i], strlen(names[i])) == 0)
      return at + strlen(names[i]);
  return at;
}

const char *assay_below_plain_name(assay_arena *arena, const char *name) {
  char *plain = assay_arena_string(arena, name);
  char *to = plain, *word = plain; // where the present word began
  for (const char *at = name; *at != '\0';) {
    at = skip_anonymous(at);
    if (at[0] == ':' && at[1] == ':') {
      to = word;
      at += 2;
      continue;
    }
    if (*at == '\0')
      break;
    bool inside_word = isalnum((unsigned char)*at) || *at == '_';
    *to++ = *at++;
    if (!inside_word)
      word = to;
  }
  *to = '\0';
  return plain;
}

static const char *with_place(assay_arena *arena, const char *what, const assay_inner_part *part) {
  return strcmp(part->location, "unknown") == 0
             ? what
             : assay_arena_format(arena, "%s at %s", what, part->location);
}

static const char *say_pattern(const below *it, const assay_inner_part *part) {
  assay_arena *arena = it->probing.question->arena;
  const char *name =
      part->name[0] != '\0' ? assay_below_plain_name(arena, part->name) : "a pattern";
  return with_place(arena, assay_arena_format(arena, "%s on %s", name, part->op), part);
}

static const char *say_step(const below *it, const assay_inner_part *part) {
  assay_arena *arena = it->probing.question->arena;
  return with_place(arena, assay_arena_string(arena, part->name), part);
}

// A limit of one of the two kinds.
static int64_t *limit_of(bool of_script, assay_within *within) {
  return of_script ? &within->script_steps : &within->applications;
}

// How many probes at once get through a range with those that are left, if any number does.
static int choose_count(const below *it, int64_t between) {
  int most = it->probing.question->request->jobs;
  for (int at_once = most < MOST_AT_ONCE ? most : MOST_AT_ONCE; at_once > 1; at_once--) {
    int needed = 0;
    for (int64_t rest = between; rest > 0; rest /= at_once + 1)
      needed += at_once;
    if (needed <= it->probing.left)
      return (int64_t)at_once < between ? at_once : (int)between;
  }
  return 1;
}

// Whether the ends of the range are as they must be. out_border->right and bad are those two.
static assay_code probe_ends(below *it, bool of_script, const assay_within *base, int64_t low,
                             int64_t high, border *out_border, assay_error *err) {
  assay_probe ends[2] = {{.within = *base}, {.within = *base}};
  *limit_of(of_script, &ends[0].within) = low;
  *limit_of(of_script, &ends[1].within) = high;
  *out_border = (border){.found = false};
  if (!assay_probing_may(&it->probing, 2))
    return ASSAY_OK;
  TRY(assay_probing_take(&it->probing, ends, 2, err));
  out_border->right = ends[0];
  out_border->bad = ends[1];
  out_border->found = ends[0].shows == ASSAY_SHOWS_RIGHT && ends[1].shows == ASSAY_SHOWS_FAULT;
  return ASSAY_OK;
}

// Narrows the range [low, high] of one kind of limit, the other as in base, to two neighbours.
// Without a result `right` and `bad` are what stands at its ends so far.
static assay_code search(below *it, bool of_script, const assay_within *base, int64_t low,
                         int64_t high, border *out_border, assay_error *err) {
  TRY(probe_ends(it, of_script, base, low, high, out_border, err));
  while (out_border->found && high - low > 1) {
    assay_probe probes[MOST_AT_ONCE];
    int count = choose_count(it, high - low - 1);
    if (!assay_probing_may(&it->probing, count))
      break;
    int64_t from = low, width = high - low;
    for (int i = 0; i < count; i++) {
      probes[i] = (assay_probe){.within = *base};
      *limit_of(of_script, &probes[i].within) = from + width * (i + 1) / (count + 1);
    }
    TRY(assay_probing_take(&it->probing, probes, count, err));
    for (int i = 0; i < count; i++) {
      int64_t limit = *limit_of(of_script, &probes[i].within);
      bool bad = probes[i].shows == ASSAY_SHOWS_FAULT;
      *(bad ? &out_border->bad : &out_border->right) = probes[i];
      *(bad ? &high : &low) = limit;
      if (bad)
        break;
    }
  }
  // In between a probe that showed nothing may have stood for the right ones.
  out_border->found &= high - low <= 1 && out_border->right.shows == ASSAY_SHOWS_RIGHT;
  return ASSAY_OK;
}

// Whether all between a border and the end shows the fault as well, as far as some probes tell:
// else *low is the last place that does not, and the border is to be looked for behind it.
static assay_code check_rest(below *it, bool of_script, const assay_within *base, int64_t high,
                             const border *found, int64_t *low, bool *out_again, assay_error *err) {
  assay_within bad = found->bad.within;
  int64_t from = *limit_of(of_script, &bad), between = high - from - 1;
  int count = between < MOST_CHECKS ? (int)between : MOST_CHECKS;
  assay_probe probes[MOST_CHECKS];
  *out_again = false;
  if (count <= 0 || !assay_probing_may(&it->probing, count))
    return ASSAY_OK;
  for (int i = 0; i < count; i++) {
    probes[i] = (assay_probe){.within = *base};
    *limit_of(of_script, &probes[i].within) = from + (between + 1) * (i + 1) / (count + 1);
  }
  TRY(assay_probing_take(&it->probing, probes, count, err));
  for (int i = 0; i < count; i++)
    if (probes[i].shows == ASSAY_SHOWS_RIGHT) {
      *low = *limit_of(of_script, &probes[i].within);
      *out_again = true;
    }
  return ASSAY_OK;
}

// The border behind which the fault stays: one application may do half of what a later one
// completes.
static assay_code search_last(below *it, bool of_script, const assay_within *base, int64_t low,
                              int64_t high, border *out_border, assay_error *err) {
  bool again = true;
  while (again) {
    TRY(search(it, of_script, base, low, high, out_border, err));
    if (!out_border->found)
      return ASSAY_OK;
    TRY(check_rest(it, of_script, base, high, out_border, &low, &again, err));
  }
  return ASSAY_OK;
}

// The step of the script, and where a pattern inside it did it that too.
static assay_code find_step(below *it, assay_within *patterns, int64_t *low, int64_t *high,
                            assay_error *err) {
  const assay_within all = {.script_steps = ALL, .applications = ALL};
  border step;
  TRY(search_last(it, true, &all, 0, it->full.inside->script_steps, &step, err));
  if (!step.found)
    return ASSAY_OK;
  it->found.step = say_step(it, &step.bad.inside->step);
  patterns->script_steps = step.bad.within.script_steps;
  *low = step.right.inside->applications;
  *high = step.bad.inside->applications;
  return ASSAY_OK;
}

// Folding alone, where the pass folds, and is bad with all its patterns refused.
static assay_code find_fold(below *it, const border *none, assay_error *err) {
  if (none->right.inside == NULL || none->right.shows != ASSAY_SHOWS_FAULT ||
      !none->right.inside->is_greedy || !assay_probing_may(&it->probing, 1))
    return ASSAY_OK;
  assay_probe fold = {.within = {.script_steps = ALL, .applications = ALL, .only_fold = true}};
  TRY(assay_probing_take(&it->probing, &fold, 1, err));
  if (fold.shows == ASSAY_SHOWS_FAULT)
    it->found.pattern = "fold";
  return ASSAY_OK;
}

static assay_code find_pattern(below *it, const assay_within *within, int64_t low, int64_t high,
                               assay_error *err) {
  border pattern = {.right = it->full};
  bool whole = within->script_steps == ALL;
  if (high == low)
    return whole ? find_fold(it, &pattern, err) : ASSAY_OK;
  TRY(search_last(it, false, within, low, high, &pattern, err));
  if (pattern.found)
    it->found.pattern = say_pattern(it, &pattern.bad.inside->application[pattern.bad.inside->last]);
  else if (whole)
    TRY(find_fold(it, &pattern, err));
  return ASSAY_OK;
}

// The application that was running when the pass died. One that had only just begun when its time
// was over is no endless one.
static void name_running(below *it) {
  const assay_inside *inside = it->full.inside;
  const assay_below_question *question = it->probing.question;
  int nesting = inside->applying;
  if (nesting == 0)
    return;
  double ran = assay_clock_now() - (double)inside->began / 1000;
  if (question->fault == ASSAY_FAULT_TIMEOUT && ran < question->request->timeout / 2)
    return;
  int slot = nesting < ASSAY_NESTED_APPLICATIONS ? nesting : ASSAY_NESTED_APPLICATIONS;
  it->found.pattern = say_pattern(it, &inside->application[slot - 1]);
}

static assay_code look(below *it, assay_error *err) {
  const assay_below_question *question = it->probing.question;
  it->full = (assay_probe){.within = {.script_steps = ALL, .applications = ALL}};
  TRY(assay_probing_take(&it->probing, &it->full, 1, err));
  if (it->full.shows != ASSAY_SHOWS_FAULT)
    return ASSAY_OK;
  name_running(it);
  assay_within patterns = it->full.within;
  int64_t low = 0, high = it->full.inside->applications;
  bool scripted = it->full.inside->script_steps > 0;
  if (scripted)
    TRY(find_step(it, &patterns, &low, &high, err));
  if (scripted && it->found.step == NULL)
    return ASSAY_OK;
  // An operation that is left is left all the more without patterns, and the casts of half a
  // conversion are nobody's fault. What did not end would take its time again and again.
  if (it->found.pattern == NULL && question->fault != ASSAY_FAULT_UNLOWERED &&
      question->fault != ASSAY_FAULT_TIMEOUT)
    TRY(find_pattern(it, &patterns, low, high, err));
  return ASSAY_OK;
}

assay_code assay_below_find(const assay_below_question *question, assay_below *out_below,
                            assay_error *err) {
  *out_below = (assay_below){0};
  below it = {.probing = assay_probing_begin(question)};
  assay_error reason;
  assay_code code = look(&it, &reason);
  if (code != ASSAY_OK && code != ASSAY_UNSUPPORTED && code != ASSAY_INVALID) {
    *err = reason;
    return code;
  }
  if (code == ASSAY_OK && !assay_pool_is_stopped(question->request))
    *out_below = it.found;
  return ASSAY_OK;
}
