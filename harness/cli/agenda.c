// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/agenda.h"

#include "compiler/base/text.h"
#include "harness/cli/message.h"

#include <stdlib.h>
#include <string.h>

// The key's parts that a negative case has none of.
static const char NONE[] = "none";

static const char *data_name(const assay_job *job) {
  return job->data != NULL ? job->data : NONE;
}

static const char *backend_name(const assay_job *job) {
  return job->opened != NULL ? job->opened->backend->name : NONE;
}

// A verdict that limits brought about is seen again under the same ones only.
static const char *limits_of(const assay_session *session) {
  const assay_options *options = session->options;
  assay_text text = {.arena = session->arena};
  if (options->timeout != ASSAY_DEFAULT_TIMEOUT)
    assay_text_print(&text, " --timeout %g", options->timeout);
  if (options->memory != ASSAY_DEFAULT_MEMORY)
    assay_text_print(&text, " --memory %d", options->memory);
  return text.length > 0 ? assay_text_get(&text) + 1 : NULL;
}

static void append(const assay_session *session, assay_agenda *agenda, const assay_case *a_case,
                   const assay_opened *opened, const char *data) {
  const assay_job job = {.a_case = a_case,
                         .opened = opened,
                         .data = data,
                         .gap = a_case->xfail,
                         .program = session->program,
                         .limits = limits_of(session)};
  agenda->keys[agenda->count] =
      assay_case_key(session->arena, a_case, data_name(&job), backend_name(&job));
  agenda->jobs[agenda->count++] = job;
}

static bool is_first_of_op(const assay_cases *cases, size_t number) {
  for (size_t i = 0; i < number; i++)
    if (cases->items[i].op == cases->items[number].op)
      return false;
  return true;
}

// Whether a backend that the standard run tries with a sample runs the case: the first case of each
// op is in all samples. Who names a suite, a case, a filter or a backend means all of it.
static bool is_taken(const assay_session *session, const assay_backend *backend,
                     const assay_cases *cases, size_t number) {
  const assay_options *options = session->options;
  if (backend->sample == 0 || options->suites.count > 0 || options->cases.count > 0 ||
      options->filters.count > 0 || options->backends.count > 0)
    return true;
  return assay_selection_in_sample(cases->items[number].line, backend->sample) ||
         is_first_of_op(cases, number);
}

static void append_case(const assay_session *session, const assay_machine *machine,
                        const assay_names *data, size_t number, assay_agenda *agenda) {
  const assay_case *a_case = &agenda->cases.items[number];
  assay_filter filter = assay_selection_filter(session);
  if (a_case->op->rejected) {
    if (assay_filter_selects(&filter, a_case->line, NONE, NONE))
      append(session, agenda, a_case, NULL, NULL);
    return;
  }
  for (size_t s = 0; s < machine->count; s++) {
    const assay_station *station = &machine->stations[s];
    if (!is_taken(session, station->opened.backend, &agenda->cases, number))
      continue;
    for (size_t d = 0; d < data->count && station->reason == NULL; d++)
      if (assay_filter_selects(&filter, a_case->line, data->items[d],
                               station->opened.backend->name))
        append(session, agenda, a_case, &station->opened, data->items[d]);
  }
}

// The unusable backend that the pattern's records would run on, or NULL.
static const assay_station *find_unusable(const assay_machine *machine, const assay_filter *one,
                                          const assay_agenda *agenda, const assay_names *data) {
  for (size_t s = 0; s < machine->count; s++) {
    const assay_station *station = &machine->stations[s];
    for (size_t c = 0; c < agenda->cases.count && station->reason != NULL; c++)
      for (size_t d = 0; d < data->count; d++)
        if (assay_filter_selects(one, agenda->cases.items[c].line, data->items[d],
                                 station->opened.backend->name))
          return station;
  }
  return NULL;
}

// A filter that selects a case may still select none of its records: another data set or backend.
static assay_code check_patterns(const assay_session *session, const assay_machine *machine,
                                 const assay_agenda *agenda, const assay_names *data,
                                 assay_error *err) {
  assay_filter filter = assay_selection_filter(session);
  for (size_t p = 0; p < filter.count; p++) {
    assay_filter one = {.patterns = &filter.patterns[p], .count = 1};
    if (filter.patterns[p][0] == '!')
      continue;
    bool any = false;
    for (size_t j = 0; j < agenda->count && !any; j++) {
      const assay_job *job = &agenda->jobs[j];
      any = assay_filter_selects(&one, job->a_case->line, data_name(job), backend_name(job));
    }
    if (any)
      continue;
    const assay_station *unusable = find_unusable(machine, &one, agenda, data);
    if (unusable != NULL)
      return assay_fail(err, ASSAY_MISSING,
                        "--filter '%s': the backend '%s' is not usable here: %s",
                        filter.patterns[p], unusable->opened.backend->name, unusable->reason);
    return assay_fail(err, ASSAY_INVALID,
                      "--filter '%s' selects no data set and backend of the cases it names",
                      filter.patterns[p]);
  }
  return ASSAY_OK;
}

static void move(assay_agenda *agenda, size_t from, size_t to) {
  agenda->keys[to] = agenda->keys[from];
  agenda->jobs[to] = agenda->jobs[from];
  agenda->gaps[to] = agenda->gaps[from];
}

static void keep_shard(const assay_session *session, assay_agenda *agenda) {
  size_t kept = 0;
  for (size_t j = 0; j < agenda->count; j++)
    if (assay_selection_in_shard(session, agenda->jobs[j].a_case->line))
      move(agenda, j, kept++);
  agenda->count = kept;
}

static assay_code find_gaps(const assay_session *session, assay_agenda *agenda, assay_error *err) {
  assay_gaps gaps;
  TRY(assay_gaps_load(session->arena, session->root, &gaps, err));
  for (size_t j = 0; j < agenda->count; j++) {
    assay_job *job = &agenda->jobs[j];
    agenda->gaps[j] = assay_gaps_find(&gaps, job->a_case->line, data_name(job), backend_name(job));
    if (agenda->gaps[j] != NULL)
      job->gap = agenda->gaps[j]->reason;
  }
  return ASSAY_OK;
}

assay_code assay_agenda_make(const assay_session *session, const assay_machine *machine,
                             assay_agenda *out_agenda, assay_error *err) {
  assay_cases cases;
  assay_names data;
  *out_agenda = (assay_agenda){0};
  TRY(assay_selection_data(session, &data, err));
  TRY(assay_selection_load(session, "standard", &cases, err));
  TRY(assay_selection_cases(session, &cases, &out_agenda->cases, err));
  size_t most = out_agenda->cases.count * (machine->count * data.count + 1);
  out_agenda->jobs = assay_arena_take(session->arena, most, sizeof *out_agenda->jobs);
  out_agenda->keys = assay_arena_take(session->arena, most, sizeof *out_agenda->keys);
  out_agenda->gaps = assay_arena_take(session->arena, most, sizeof *out_agenda->gaps);
  for (size_t i = 0; i < out_agenda->cases.count; i++)
    append_case(session, machine, &data, i, out_agenda);
  TRY(check_patterns(session, machine, out_agenda, &data, err));
  if (out_agenda->count == 0)
    return assay_fail(err, ASSAY_INVALID, "nothing is selected: %s",
                      session->options->filters.count > 0
                          ? "the filters exclude each data set and backend"
                          : "no backend is usable here, see `assay doctor`");
  keep_shard(session, out_agenda);
  return find_gaps(session, out_agenda, err);
}

bool assay_agenda_together(const assay_job *a, const assay_job *b) {
  return a->a_case == b->a_case && strcmp(data_name(a), data_name(b)) == 0;
}

bool assay_agenda_begins(const assay_agenda *agenda, size_t job) {
  const assay_job *jobs = agenda->jobs;
  // Jobs of a case stand together.
  for (size_t j = job; j > 0 && jobs[j - 1].a_case == jobs[job].a_case; j--)
    if (assay_agenda_together(&jobs[j - 1], &jobs[job]))
      return false;
  return true;
}

static int compare_keys(const void *a, const void *b) {
  const assay_record *const *left = a, *const *right = b;
  return strcmp((*left)->key, (*right)->key);
}

void assay_agenda_resume(assay_arena *arena, assay_agenda *agenda, const assay_record records[],
                         size_t count, assay_record *out_kept[], size_t *out_kept_count) {
  const assay_record **sorted = assay_arena_take(arena, count, sizeof *sorted);
  for (size_t i = 0; i < count; i++)
    sorted[i] = &records[i];
  qsort(sorted, count, sizeof *sorted, compare_keys);
  *out_kept = assay_arena_take(arena, agenda->count, sizeof **out_kept);
  *out_kept_count = 0;
  size_t left = 0;
  for (size_t j = 0; j < agenda->count; j++) {
    assay_record wanted = {.key = agenda->keys[j]};
    const assay_record *wanted_at = &wanted, **found;
    found = bsearch(&wanted_at, sorted, count, sizeof *sorted, compare_keys);
    if (found != NULL)
      (*out_kept)[(*out_kept_count)++] = **found;
    else
      move(agenda, j, left++);
  }
  agenda->count = left;
}

assay_code assay_agenda_need(const assay_case *a_case, assay_reference_need *out_need,
                             assay_error *err) {
  assay_arena *scratch = assay_arena_create();
  const assay_program *program;
  assay_code code = assay_case_build(scratch, a_case, &program, err);
  if (code == ASSAY_OK) {
    *out_need = (assay_reference_need){
        .line = a_case->line, .op = a_case->op->name, .result_count = program->result_count};
  }
  assay_arena_destroy(scratch);
  return code;
}

static assay_code refuse(const char *refusal, assay_error *err) {
  return assay_fail(err, ASSAY_INVALID, "the oracle cannot answer: %s", refusal);
}

assay_code assay_agenda_reference(const assay_session *session, const assay_case *a_case,
                                  const assay_reference **out_reference, bool *out_live,
                                  assay_error *err) {
  assay_reference_need need;
  TRY(assay_agenda_need(a_case, &need, err));
  assay_code code = assay_reference_load(session->arena, session->root, &need, out_reference, err);
  *out_live = code == ASSAY_MISSING;
  if (!*out_live)
    return code;
  const char *refusal;
  TRY(assay_reference_compute(session->arena, session->root, 1, &need, out_reference, &refusal,
                              err));
  return refusal == NULL ? ASSAY_OK : refuse(refusal, err);
}

// Takes the jobs without a reference out of the agenda, but for those that need none.
static void drop_unanswered(assay_agenda *agenda) {
  size_t left = 0;
  for (size_t j = 0; j < agenda->count; j++)
    if (agenda->jobs[j].opened == NULL || agenda->jobs[j].reference != NULL)
      move(agenda, j, left++);
  agenda->count = left;
}

// Computes what is not stored, all in one process of the oracle.
static assay_code compute_live(const assay_session *session, const assay_reference_need needs[],
                               const size_t of_job[], size_t count, assay_agenda *agenda,
                               size_t *out_unanswered, assay_error *err) {
  const assay_reference **live = assay_arena_take(session->arena, count, sizeof *live);
  const char **refusals = assay_arena_take(session->arena, count, sizeof *refusals);
  TRY(assay_reference_compute(session->arena, session->root, count, needs, live, refusals, err));
  for (size_t i = 0; i < count; i++) {
    assay_error refused;
    if (refusals[i] != NULL && refuse(refusals[i], &refused) != ASSAY_OK) {
      assay_message_error(&refused);
      ++*out_unanswered;
    }
    const assay_case *a_case = agenda->jobs[of_job[i]].a_case;
    for (size_t j = of_job[i]; j < agenda->count && agenda->jobs[j].a_case == a_case; j++) {
      agenda->jobs[j].reference = live[i];
      agenda->jobs[j].live = true;
    }
  }
  if (*out_unanswered > 0)
    drop_unanswered(agenda);
  return ASSAY_OK;
}

// Whether the case's reference belongs into the store: it stands in one of the project's suites.
static bool is_stored(const assay_case *a_case) {
  static const char folder[] = "suite/cases/";
  return strncmp(a_case->origin, folder, sizeof folder - 1) == 0;
}

assay_code assay_agenda_load(const assay_session *session, assay_agenda *agenda,
                             size_t *out_unanswered, assay_error *err) {
  *out_unanswered = 0;
  assay_reference_need *needs = assay_arena_take(session->arena, agenda->count, sizeof *needs);
  size_t *of_job = assay_arena_take(session->arena, agenda->count, sizeof *of_job);
  size_t live_count = 0;
  for (size_t j = 0; j < agenda->count; j++) {
    assay_job *job = &agenda->jobs[j];
    if (job->opened == NULL)
      continue;
    if (j > 0 && agenda->jobs[j - 1].a_case == job->a_case) {
      job->reference = agenda->jobs[j - 1].reference;
      continue;
    }
    assay_reference_need need;
    TRY(assay_agenda_need(job->a_case, &need, err));
    assay_code code =
        assay_reference_load(session->arena, session->root, &need, &job->reference, err);
    if (code == ASSAY_MISSING && !is_stored(job->a_case)) {
      needs[live_count] = need;
      of_job[live_count++] = j;
    } else {
      TRY(code);
    }
  }
  if (live_count > 0)
    TRY(compute_live(session, needs, of_job, live_count, agenda, out_unanswered, err));
  if (agenda->count == 0 && *out_unanswered > 0)
    return assay_fail(err, ASSAY_INVALID, "no selected case has expected values");
  return ASSAY_OK;
}
