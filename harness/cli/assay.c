// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// assay: the verbs, their help, and the exit codes.
#include "harness/cli/assay.h"

#include "gpu/kernels/kernels.h"
#include "harness/cli/environment.h"
#include "harness/cli/machine.h"
#include "harness/cli/message.h"
#include "harness/cli/root.h"
#include "harness/cli/session.h"
#include "harness/cli/words.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const assay_verb *const verbs[] = {
    &assay_verb_run,     &assay_verb_ledger, &assay_verb_reduce,    &assay_verb_bench,
    &assay_verb_compare, &assay_verb_report, &assay_verb_opt,       &assay_verb_list,
    &assay_verb_show,    &assay_verb_doctor, &assay_verb_references};

enum { VERB_COUNT = sizeof verbs / sizeof verbs[0] };

// Names that are taken: verbs of the command line's contract that this version does not have yet.
static const char *const later[] = {"mutants"};

enum { LATER_COUNT = sizeof later / sizeof later[0] };

static void print_usage(FILE *stream) {
  fputs("usage: assay VERB [OPTION...] [ARGUMENT...]\n"
        "       assay VERB --help | --help | --version\n\n"
        "Assay tests tensor compilers: it compiles and runs tensor programs on each backend and\n"
        "compares what they compute with NumPy's answers.\n\nverbs:\n",
        stream);
  for (int i = 0; i < VERB_COUNT; i++)
    fprintf(stream, "  %-12s%s\n", verbs[i]->name, verbs[i]->summary);
  fputs("\nexample:\n  assay run        the standard suite on every usable backend\n", stream);
}

static void print_help(const assay_verb *verb) {
  printf("usage: assay %s [OPTION...]%s%s\n\n%s\noptions:\n", verb->name,
         verb->arguments[0] != '\0' ? " " : "", verb->arguments, verb->about);
  assay_options_print(stdout, verb->options);
  printf("\nexample:\n%s\nexit codes:\n%s", verb->example, verb->exits);
}

static assay_code find_verb(assay_arena *arena, const char *name, const assay_verb **out_verb,
                            assay_error *err) {
  const char *names[VERB_COUNT + LATER_COUNT];
  for (int i = 0; i < VERB_COUNT; i++) {
    names[i] = verbs[i]->name;
    if (strcmp(name, names[i]) == 0) {
      *out_verb = verbs[i];
      return ASSAY_OK;
    }
  }
  for (int i = 0; i < LATER_COUNT; i++)
    if (strcmp(name, later[i]) == 0)
      return assay_fail(err, ASSAY_UNSUPPORTED, "'%s' comes with a later version of assay", name);
  return assay_fail(err, ASSAY_INVALID, "unknown verb '%s'%s", name,
                    assay_hint(arena, name, names, VERB_COUNT));
}

// The command line, and what the program brings.
typedef struct invocation {
  const char *data_folder;
  const assay_extension *extension; // NULL: none
  int argc;
  char *const *argv;
} invocation;

static const char *quote(assay_arena *arena, const char *word) {
  assay_text text = {.arena = arena};
  assay_text_quote(&text, word);
  return assay_text_get(&text);
}

static assay_code run_verb(assay_arena *arena, const invocation *given, int *out_status,
                           assay_error *err) {
  int argc = given->argc;
  char *const *argv = given->argv;
  const assay_verb *verb = NULL;
  assay_options options;
  assay_session session = {.arena = arena, .options = &options};
  TRY(find_verb(arena, argv[1], &verb, err));
  assay_gpu_passes_register(); // those of the compiler are registered with its first context
  if (verb->main != NULL) {
    *out_status = verb->main(argc - 1, (char **)argv + 1);
    return ASSAY_OK;
  }
  TRY(assay_options_parse(arena, verb->name, argc - 2, argv + 2, verb->options, &options, err));
  if (options.help) {
    print_help(verb);
    return ASSAY_OK;
  }
  if (options.arguments.count > 0 && verb->arguments[0] == '\0')
    return assay_fail(err, ASSAY_INVALID, "%s takes no argument, found '%s'", verb->name,
                      options.arguments.items[0]);
  TRY(assay_root_find(arena, given->data_folder, &session.root, err));
  const assay_extension *extension = given->extension;
  TRY(assay_backends_join(arena, extension != NULL ? extension->backends : NULL, &session.backends,
                          err));
  session.program = "assay";
  if (extension != NULL) {
    session.case_folders = extension->case_folders;
    session.program = quote(arena, given->argv[0]);
  }
  return verb->run(&session, out_status, err);
}

// An answer that could not be written is no answer.
static assay_code finish_stdout(assay_error *err) {
  if (fflush(stdout) != 0 || ferror(stdout))
    return assay_fail(err, ASSAY_FAILED, "cannot write to standard output: %s", strerror(errno));
  return ASSAY_OK;
}

static bool is_help(const char *word) {
  return strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0 || strcmp(word, "help") == 0;
}

static assay_code answer(assay_arena *arena, const invocation *given, int *out_status,
                         assay_error *err) {
  char *const *argv = given->argv;
  bool help = is_help(argv[1]);
  if (!help && strcmp(argv[1], "--version") != 0)
    return run_verb(arena, given, out_status, err);
  if (given->argc > 2)
    return assay_fail(err, ASSAY_INVALID, "%s takes no argument, found '%s'", argv[1], argv[2]);
  if (help)
    print_usage(stdout);
  else
    printf("assay %s (LLVM %s)\n", ASSAY_VERSION, assay_llvm_version(arena));
  return ASSAY_OK;
}

// A pipe must not become a standard stream because the caller closed that one: what stands in for
// it cannot be read or written either, but for messages, which are lost as before.
static bool open_standard_streams(void) {
  static const int modes[] = {O_WRONLY, O_RDONLY, O_WRONLY};
  for (int i = 0; i < 3; i++)
    if (fcntl(i, F_GETFD) < 0 && open("/dev/null", modes[i]) != i)
      return false;
  return true;
}

// What a caller may have left ignored: with SIGCHLD so, children are reaped by nobody in particular
// and their ends are lost. A file that may grow no more is an error to be told of, not an end.
static void set_signals(void) {
  signal(SIGCHLD, SIG_DFL);
  signal(SIGXFSZ, SIG_IGN);
}

int assay_main_in(const char *data_folder, int argc, char *argv[],
                  const assay_extension *extension) {
  if (!open_standard_streams())
    return ASSAY_EXIT_USAGE;
  set_signals();
  if (argc < 2) {
    print_usage(stderr);
    return ASSAY_EXIT_USAGE;
  }
  assay_arena *arena = assay_arena_create();
  assay_error err;
  int status = ASSAY_EXIT_OK;
  assay_code code = answer(arena, &(invocation){data_folder, extension, argc, argv}, &status, &err);
  if (code == ASSAY_OK)
    code = finish_stdout(&err);
  if (code != ASSAY_OK) {
    assay_message_error(&err);
    status = ASSAY_EXIT_USAGE;
  }
  assay_arena_destroy(arena);
  return status;
}
