// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/words.h"

#include "compiler/base/text.h"

#include <limits.h>
#include <string.h>
#include <unistd.h>

static void add_option(assay_text *text, const char *name, const char *value) {
  assay_text_print(text, " --%s=", name);
  assay_text_quote(text, value);
}

static void add_files(assay_text *text, const char *name, const assay_names *files) {
  char folder[PATH_MAX];
  for (size_t i = 0; i < files->count; i++) {
    const char *file = files->items[i];
    bool here = file[0] != '/' && getcwd(folder, sizeof folder) != NULL && access(file, F_OK) == 0;
    add_option(text, name, here ? assay_arena_format(text->arena, "%s/%s", folder, file) : file);
  }
}

static void add_list(assay_text *text, const char *name, const assay_names *items) {
  for (size_t i = 0; i < items->count; i++)
    if (i == 0)
      add_option(text, name, items->items[i]);
    else
      assay_text_print(text, ",%s", items->items[i]);
}

void assay_words_of_options(const assay_session *session, assay_ledger_request *request) {
  const assay_options *options = session->options;
  assay_text plugins = {.arena = session->arena}, others = {.arena = session->arena};
  add_files(&plugins, "load-dialect-plugin", &options->dialect_plugins);
  add_files(&plugins, "load-pass-plugin", &options->pass_plugins);
  if (mlirContextGetAllowUnregisteredDialects(request->context))
    assay_text_print(&plugins, " --allow-unregistered-dialect");
  add_list(&others, "data", &options->data);
  add_list(&others, "dims", &options->dims);
  if (options->seed > 0)
    assay_text_print(&others, " --seed=%d", options->seed);
  if (options->tail != NULL)
    add_option(&others, "tail", options->tail);
  for (size_t i = 0; i < options->nan_contracts.count; i++)
    add_option(&others, "nan-contract", options->nan_contracts.items[i]);
  if (options->timeout != ASSAY_STATE_TIMEOUT)
    assay_text_print(&others, " --timeout=%g", options->timeout);
  if (options->memory != ASSAY_DEFAULT_MEMORY)
    assay_text_print(&others, " --memory=%d", options->memory);
  request->plugin_words = assay_text_get(&plugins);
  request->option_words = assay_text_get(&others);
}
