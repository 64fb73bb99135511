// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/reducible.h"

#include "harness/cli/out.h"
#include "harness/cli/question.h"
#include "harness/cli/stop.h"
#include "harness/ledger/bundle.h"
#include "harness/ledger/known.h"
#include "harness/ledger/print.h"
#include "harness/ledger/printed.h"

#include <string.h>

// The words of the bundle's ledger as options; what the user says now counts over them.
static assay_code options_of(const assay_session *session, const char *folder,
                             const assay_manifest *manifest, assay_options *out_options,
                             assay_error *err) {
  assay_arena *arena = session->arena;
  const char *const *words;
  int count = assay_words_split(arena, manifest->words, &words);
  char **argv = assay_arena_take(arena, (size_t)(count + manifest->input_count) + 1, sizeof *argv);
  for (int i = 0; i < count; i++)
    argv[i] = assay_arena_string(arena, words[i]);
  for (int i = 0; i < manifest->input_count; i++)
    argv[count++] = assay_arena_format(arena, "--input=%s/inputs/real-%d.npy", folder, i);
  assay_error why;
  if (assay_options_parse(arena, assay_verb_ledger.name, count, argv, assay_verb_ledger.options,
                          out_options, &why) != ASSAY_OK)
    return assay_fail_at(err, ASSAY_INVALID, assay_arena_format(arena, "%s/bundle.json", folder), 0,
                         0, "its words are no options of a ledger: %s", why.text);
  if (out_options->passes.count + out_options->arguments.count > 0)
    return assay_fail_at(err, ASSAY_INVALID, assay_arena_format(arena, "%s/bundle.json", folder), 0,
                         0, "its words are no options of a ledger: '%s'",
                         out_options->passes.count > 0 ? out_options->passes.items[0]
                                                       : out_options->arguments.items[0]);
  const assay_options *own = session->options;
  out_options->jobs = own->jobs;
  if (own->timeout != ASSAY_STATE_TIMEOUT)
    out_options->timeout = own->timeout;
  if (own->memory != ASSAY_DEFAULT_MEMORY)
    out_options->memory = own->memory;
  return ASSAY_OK;
}

assay_code assay_reducible_open_bundle(const assay_session *session, const char *folder,
                                       assay_reducible *out_reducible, assay_error *err) {
  assay_reducible made = {.folder = folder, .sentence = ""};
  TRY(assay_manifest_read(session->arena, folder, &made.manifest, err));
  assay_options *options = assay_arena_take(session->arena, 1, sizeof *options);
  TRY(options_of(session, folder, &made.manifest, options, err));
  assay_session of_bundle = *session;
  of_bundle.options = options;
  assay_file file;
  made.module = assay_arena_format(session->arena, "%s/%s", folder, made.manifest.module);
  TRY(assay_file_read(session->arena, made.module, &file, err));
  made.text = file.bytes;
  TRY(assay_question_open(&of_bundle, &file, &made.request, err));
  // That the pipeline is known here: before anything is run.
  const char *word =
      assay_arena_format(session->arena, "--pass-pipeline=%s", made.manifest.pipeline);
  assay_error why;
  if (assay_pass_pipeline_parse(made.request.context, 1, &word, &made.request.pipeline, &why) !=
      ASSAY_OK)
    return assay_fail_at(err, ASSAY_INVALID,
                         assay_arena_format(session->arena, "%s/bundle.json", folder), 0, 0, "%s",
                         why.text);
  *out_reducible = made;
  return ASSAY_OK;
}

static void show_progress(void *user, const char *what, int done, int of) {
  assay_ticker_show(user, "%s, %d of %d", what, done, of);
}

// The module before the accused pass.
static assay_code take_text(assay_reducible *made, assay_arena *arena,
                            const assay_ledger_answer *answer, const assay_file *file,
                            assay_error *err) {
  if (strcmp(made->manifest.module, "before.mlir") != 0) {
    made->text = file->bytes;
    return ASSAY_OK;
  }
  const assay_snapshot *before = answer->rows[answer->blame.row].execution->before;
  bool generic = false;
  for (int i = 0; i < answer->row_count; i++)
    generic |= answer->rows[i].execution->after == before && !answer->rows[i].roundtrips;
  return assay_state_text(&made->request, arena, before, generic, "printing the state before",
                          &made->text, err);
}

static assay_code save(const assay_session *session, const assay_reducible *made,
                       const assay_ledger_answer *answer, assay_error *err) {
  const char *folder = session->options->save;
  size_t count;
  TRY(assay_folders_make(folder, &count, err));
  assay_code code =
      assay_bundle_write(&made->request, session->arena, answer, folder, "assay", err);
  if (code != ASSAY_OK)
    assay_folders_unmake(session->arena, folder, count);
  return code;
}

assay_code assay_reducible_open_file(const assay_session *session, const char *path,
                                     assay_ticker *ticker, assay_reducible *out_reducible,
                                     assay_error *err) {
  assay_reducible made = {.module = path, .folder = session->options->save};
  assay_arena *arena = session->arena;
  assay_file file;
  const assay_ledger *ledger;
  const assay_ledger_answer *answer;
  TRY(assay_file_read(arena, path, &file, err));
  TRY(assay_question_open(session, &file, &made.request, err));
  const assay_source_piece whole = {.text = file.bytes, .size = file.size, .line = 1};
  TRY(assay_question_pipeline(session, &file, &whole, &made.request, err));
  if (made.folder != NULL)
    TRY(assay_folder_probe(arena, made.folder, err));
  assay_stop_heed();
  made.request.stop = &assay_stop_signal;
  made.request.progress = show_progress;
  made.request.progress_user = ticker;
  made.request.source = file.bytes;
  made.request.size = file.size;
  TRY(assay_ledger_open(&made.request, arena, &ledger, err));
  TRY(assay_ledger_ask(ledger, session->options->entry, &answer, err));
  made.sentence = assay_ledger_sentence(arena, answer);
  if (answer->blame.fault == ASSAY_FAULT_NONE) {
    made.nothing = answer->stopped ? "stopped before anything was known"
                                   : assay_arena_format(arena, "no fault shows: %s", made.sentence);
  } else {
    made.manifest = assay_manifest_of(&made.request, arena, answer);
    TRY(take_text(&made, arena, answer, &file, err));
    if (made.folder != NULL)
      TRY(save(session, &made, answer, err));
  }
  *out_reducible = made;
  return ASSAY_OK;
}
