// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/programs.h"

#include "compiler/base/text.h"
#include "compiler/lower/emit.h"
#include "compiler/lower/pipeline.h"
#include "harness/cli/message.h"
#include "harness/cli/question.h"
#include "compiler/base/clock.h"
#include "harness/ledger/bundle.h"
#include "harness/ledger/inquiry.h"
#include "results/record/excerpt.h"
#include "suite/random.h"

#include <math.h>
#include <string.h>

static const char NONE[] = "none";

static uint64_t seed_of(const assay_session *session) {
  return session->options->seed > 0 ? (uint64_t)session->options->seed : 1;
}

static void append(assay_program_list *list, assay_program_entry *items,
                   const assay_program_entry *entry) {
  items[list->count++] = *entry;
  list->items = items;
}

// One entry for all data sets of a case and backend, which stand together.
static void select_cases(const assay_session *session, const assay_agenda *agenda,
                         assay_program_list *list) {
  assay_program_entry *items = assay_arena_take(session->arena, agenda->count + 1, sizeof *items);
  for (size_t i = 0; i < agenda->count; i++) {
    const assay_job *job = &agenda->jobs[i];
    // What lowers with no built-in pipeline has no passes that could be judged.
    bool known = job->opened == NULL || job->opened->backend->pipeline == NULL;
    for (size_t k = list->count; k > 0 && !known && items[k - 1].a_case == job->a_case; k--)
      known = items[k - 1].backend == job->opened->backend;
    if (!known)
      append(list, items,
             &(assay_program_entry){.a_case = job->a_case,
                                    .line = job->a_case->line,
                                    .backend = job->opened->backend});
  }
}

static void select_random(const assay_session *session, const assay_machine *machine,
                          assay_program_list *list) {
  const assay_options *options = session->options;
  assay_filter filter = assay_selection_filter(session);
  assay_program_entry *items =
      assay_arena_take(session->arena, (size_t)options->random * machine->count + 1, sizeof *items);
  for (int n = 1; n <= options->random; n++) {
    const char *line = assay_random_line(session->arena, seed_of(session), n);
    if (!assay_selection_in_shard(session, line))
      continue;
    for (size_t s = 0; s < machine->count; s++) {
      const assay_station *station = &machine->stations[s];
      const assay_backend *backend = station->opened.backend;
      if (station->reason == NULL && backend->pipeline != NULL &&
          assay_filter_selects(&filter, line, NONE, backend->name))
        append(list, items, &(assay_program_entry){.number = n, .line = line, .backend = backend});
    }
  }
}

assay_code assay_programs_check(const assay_options *options, assay_error *err) {
  if (options->random == 0 && options->seed > 0)
    return assay_fail(err, ASSAY_INVALID, "--seed is that of --random, which is not given");
  if (options->random > 0 && (options->suites.count > 0 || options->cases.count > 0))
    return assay_fail(err, ASSAY_INVALID,
                      "--random makes programs of its own: it goes with "
                      "neither --suite nor --case");
  if (options->random > 0 && options->resume)
    return assay_fail(err, ASSAY_INVALID, "--random has nothing to resume: take --shard");
  return ASSAY_OK;
}

assay_code assay_programs_select(const assay_session *session, const assay_machine *machine,
                                 const assay_agenda *agenda, assay_program_list *out_programs,
                                 assay_error *err) {
  const assay_options *options = session->options;
  *out_programs = (assay_program_list){0};
  if (options->random == 0) {
    if (options->every_pass)
      select_cases(session, agenda, out_programs);
    return ASSAY_OK;
  }
  bool any = false;
  for (size_t s = 0; s < machine->count; s++)
    any = any || (machine->stations[s].reason == NULL &&
                  machine->stations[s].opened.backend->pipeline != NULL);
  if (!any)
    return assay_fail(
        err, ASSAY_INVALID,
        "no random program is selected: no backend that is usable here%s lowers with a "
        "built-in pipeline, whose passes would be judged",
        options->backends.count > 0 ? " and named by --backend" : "");
  select_random(session, machine, out_programs);
  if (out_programs->count == 0 && options->shard.count == 1)
    return assay_fail(err, ASSAY_INVALID,
                      "no random program is selected: the filters exclude each "
                      "of 'random seed=%lld n=1' to 'n=%d'",
                      (long long)seed_of(session), options->random);
  return ASSAY_OK;
}

// What ledgers of a run share.
typedef struct work {
  const assay_session *session;
  const assay_machine *machine;
  const assay_out *out;
  const assay_environment *environment;
  assay_code (*keep)(void *user, const assay_record *record, assay_error *err);
  void *user;
} work;

static const char *key_of(assay_arena *arena, const assay_program_entry *entry) {
  return assay_arena_format(arena, "%s data=none backend=%s", entry->line, entry->backend->name);
}

static assay_code emit(void *user, const assay_inquiry *inquiry, assay_arena *arena,
                       const char **out_text, assay_error *err) {
  const work *it = user;
  const assay_program_entry *entry = inquiry->user;
  const assay_program *program;
  MlirModule module;
  if (entry->a_case != NULL) {
    TRY(assay_case_build(arena, entry->a_case, &program, err));
  } else {
    assay_graph *graph = assay_graph_create(arena);
    assay_value results[ASSAY_MAX_RESULTS];
    int count = assay_random_build(seed_of(it->session), entry->number, graph, results);
    TRY(assay_graph_finish(graph, count, results, &program, err));
  }
  TRY(assay_module_emit(it->machine->context, program, &module, err));
  *out_text = assay_module_print(arena, module);
  mlirModuleDestroy(module);
  return ASSAY_OK;
}

static assay_code save(void *user, const assay_inquiry *inquiry,
                       const assay_ledger_request *request, assay_arena *arena,
                       const assay_ledger_answer *answer, assay_error *err) {
  const work *it = user;
  const char *folder = assay_out_repro(arena, it->out, key_of(arena, inquiry->user));
  const char *bundle = assay_arena_format(arena, "%s/bundle", folder);
  TRY(assay_folder_make(bundle, err));
  TRY(assay_file_write(assay_arena_format(arena, "%s/module.mlir", folder), request->source, err));
  return assay_bundle_write(request, arena, answer, bundle, "assay", err);
}

static const char *text_or_null(assay_arena *arena, const char *text) {
  return text[0] != '\0' ? assay_arena_string(arena, text) : NULL;
}

// The verdict and its reason.
static void judge(assay_arena *arena, const assay_backend *backend,
                  const assay_inquiry_answer *answer, assay_record *record) {
  switch (answer->status) {
  case ASSAY_INQUIRY_CLEAN:
    if (answer->not_run > 0)
      record->reason = assay_arena_format(arena, "%d of %d states could not be run, first %s",
                                          answer->not_run, answer->changed, answer->not_run_reason);
    else if (answer->changed > 0 && answer->judged == 0)
      record->reason = assay_arena_format(arena, "nothing could be judged: %s", answer->notes);
    record->verdict = record->reason == NULL ? ASSAY_PASS
                      : answer->judged > 0   ? ASSAY_WARN
                                             : ASSAY_SKIP;
    break;
  case ASSAY_INQUIRY_ACCUSED:
    record->verdict = ASSAY_FAIL;
    record->reason = assay_arena_string(arena, answer->reason);
    record->first_bad = (assay_first_bad){.n = answer->n,
                                          .name = assay_arena_string(arena, answer->pass),
                                          .fault = assay_fault_name(answer->fault),
                                          .step = text_or_null(arena, answer->step),
                                          .pattern = text_or_null(arena, answer->pattern)};
    break;
  case ASSAY_INQUIRY_FAILED_PASS:
    record->verdict = ASSAY_ERROR;
    record->reason = assay_arena_format(arena, "the pipeline failed at %d %s: %s", answer->n,
                                        answer->pass, answer->reason);
    break;
  case ASSAY_INQUIRY_INCONCLUSIVE:
    // No tail runs kernels of a device: no pass is found bad before them, and no more is expected.
    record->verdict = backend->resident ? ASSAY_SKIP : ASSAY_ERROR;
    record->reason = assay_arena_format(
        arena, backend->resident ? "not all passes are judged: %s" : "inconclusive: %s",
        answer->reason);
    break;
  case ASSAY_INQUIRY_DIED:
    record->verdict = ASSAY_CRASH;
    record->reason = assay_arena_format(arena, "no ledger: %s", answer->reason);
    break;
  }
}

static const char *repro_of(assay_arena *arena, const work *it, const assay_program_entry *entry) {
  if (entry->a_case == NULL)
    return assay_arena_format(arena, "%s run --random %d --seed %lld --filter '%s backend=%s'",
                              it->session->program, entry->number, (long long)seed_of(it->session),
                              assay_arena_format(arena, "%s data=none", entry->line),
                              entry->backend->name);
  return assay_arena_format(arena, "%s run --passes --case '%s' --backend %s", it->session->program,
                            entry->line, entry->backend->name);
}

static assay_code answered(void *user, const assay_inquiry *inquiry,
                           const assay_inquiry_answer *answer, assay_error *err) {
  const work *it = user;
  const assay_program_entry *entry = inquiry->user;
  assay_arena *arena = it->session->arena;
  assay_record record = {.kind = ASSAY_RECORD_LEDGER,
                         .key = key_of(arena, entry),
                         .line = entry->line,
                         .op = entry->a_case != NULL ? entry->a_case->op->name : "random",
                         .backend = entry->backend->name,
                         .data = NONE,
                         .check_count = 1,
                         .checks = {"ledger"},
                         .margin = fmax(answer->margin[0], answer->margin[1]),
                         .seconds_compile = NAN,
                         .seconds_run = answer->seconds,
                         .pass_count = (size_t)answer->pass_count,
                         .passes = assay_inquiry_pass_rows(arena, answer),
                         .repro = repro_of(arena, it, entry),
                         .started = assay_arena_string(arena, assay_clock_stamp().text),
                         .environment = it->environment};
  judge(arena, entry->backend, answer, &record);
  if (answer->executions > answer->pass_count)
    assay_message_note("%s: the record holds the first %d of %d passes", record.key,
                       answer->pass_count, answer->executions);
  if (record.first_bad.n > 0)
    assay_excerpt_of_bundle(
        arena, assay_arena_format(arena, "%s/bundle", assay_out_repro(arena, it->out, record.key)),
        &record.first_bad.before_excerpt, &record.first_bad.after_excerpt);
  return it->keep(it->user, &record, err);
}

// The backend's stages one after the other: "builtin.module(...)".
static const char *pipeline_of(assay_arena *arena, const assay_backend *backend) {
  const assay_pipeline *pipeline = assay_pipeline_find(backend->pipeline);
  assay_text text = {.arena = arena};
  for (int i = 0; i < pipeline->stage_count; i++) {
    const char *passes = pipeline->stage[i].passes;
    const char *open = strchr(passes, '('), *close = strrchr(passes, ')');
    assay_text_print(&text, "%s%.*s", i == 0 ? "builtin.module(" : ",", (int)(close - open - 1),
                     open + 1);
  }
  assay_text_print(&text, ")");
  return assay_text_get(&text);
}

static assay_code make_request(const assay_session *session, volatile sig_atomic_t *stop,
                               assay_ledger_request *out_request, assay_error *err) {
  assay_names data;
  TRY(assay_selection_data(session, &data, err));
  *out_request = assay_question_of_run(session, stop);
  for (size_t i = 0; i < data.count; i++)
    out_request->data[strcmp(data.items[i], "real") == 0] = true;
  return ASSAY_OK;
}

assay_code assay_programs_run(const assay_session *session, const assay_machine *machine,
                              const assay_out *out, const assay_program_list *programs,
                              const assay_environment *environment, volatile sig_atomic_t *stop,
                              assay_code (*keep)(void *user, const assay_record *record,
                                                 assay_error *err),
                              void *user, assay_error *err) {
  if (programs->count == 0)
    return ASSAY_OK;
  work it = {.session = session,
             .machine = machine,
             .out = out,
             .environment = environment,
             .keep = keep,
             .user = user};
  const assay_inquiry_work inquest = {
      .user = &it, .source = emit, .accused = save, .answered = answered};
  assay_ledger_request request;
  TRY(make_request(session, stop, &request, err));
  assay_inquiry *inquiries = assay_arena_take(session->arena, programs->count, sizeof *inquiries);
  for (size_t i = 0; i < programs->count; i++) {
    const assay_program_entry *entry = &programs->items[i];
    inquiries[i] = (assay_inquiry){.name = key_of(session->arena, entry),
                                   .pipeline = pipeline_of(session->arena, entry->backend),
                                   .user = entry};
  }
  return assay_inquiries_make(&request, inquiries, (int)programs->count, &inquest, err);
}
