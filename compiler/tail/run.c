// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/run.h"

#include "compiler/base/parent.h"
#include "compiler/tail/conversions.h"
#include "compiler/tail/fault.h"
#include "compiler/tail/heap.h"
#include "compiler/tail/recorder.h"
#include "compiler/tail/watch.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// Big vectors on the stack, at -O0.
static const size_t STACK = (size_t)1 << 30;

unsigned char assay_run_poison[64];

// What the process of a run leaves in shared memory.
typedef struct run_note {
  _Atomic int ended; // the run came to its end
  assay_fault fault;
  char violation[160];
  bool full; // of what it showed, not all was kept
  double seconds;
  assay_observation seen;
} run_note;

// The program of this process: code calls back without a context.
static struct {
  const assay_program *program;
  const assay_tail_run *run;
  void **memory; // of each argument
  run_note *note;
} current;

static double now(clockid_t clock) {
  struct timespec time;
  clock_gettime(clock, &time);
  return (double)time.tv_sec + 1e-9 * (double)time.tv_nsec;
}

// Argument n's descriptor; its allocation is where its memory begins.
static void describe(int64_t n, assay_descriptor *out) {
  const assay_argument *argument = &current.program->border->arguments[n];
  int rank = argument->type.form == ASSAY_VALUE_SCALAR ? 0 : argument->type.rank;
  out->allocated = out->aligned = current.memory[n];
  out->offset = argument->offset;
  memcpy(out->numbers, argument->dim, (size_t)rank * sizeof(int64_t));
  memcpy(out->numbers + rank, argument->stride, (size_t)rank * sizeof(int64_t));
}

// For callers in func.func's terms: the C interface of a function that returns a memref.
static void give_memref(void *out, int64_t n) {
  describe(n, out);
}

// For callers in the llvm dialect: a pointer to the descriptor, or to the value itself.
static void *give_pointer(int64_t n) {
  const assay_argument *argument = &current.program->border->arguments[n];
  if (!assay_value_has_memory(&argument->type))
    return current.memory[n];
  assay_descriptor *descriptor =
      calloc(1, sizeof *descriptor + 2 * ASSAY_OBSERVED_MAX_RANK * sizeof(int64_t));
  if (descriptor == NULL)
    abort();
  describe(n, descriptor);
  return descriptor;
}

static void take_result(int64_t n, const void *pointer) {
  assay_record_result(&current.program->border->results[n], (int)n, pointer);
}

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_record_symbol *assay_run_symbols(const assay_border *border, assay_arena *arena) {
  static const assay_record_symbol fixed[] = {
      {ASSAY_TAIL_IN, (void (*)(void))give_pointer},
      {ASSAY_TAIL_OUT, (void (*)(void))take_result},
      {"malloc", (void (*)(void))assay_heap_malloc},
      {"calloc", (void (*)(void))assay_heap_calloc},
      {"realloc", (void (*)(void))assay_heap_realloc},
      {"aligned_alloc", (void (*)(void))assay_heap_aligned_alloc},
      {"posix_memalign", (void (*)(void))assay_heap_posix_memalign},
      {"free", (void (*)(void))assay_heap_free},
  };
  size_t fixed_count = sizeof fixed / sizeof *fixed, count = 0;
  size_t total = fixed_count + (size_t)border->argument_count + (size_t)border->result_count + 1;
  assay_record_symbol *symbols = assay_arena_take(arena, total, sizeof *symbols);
  for (; count < fixed_count; count++)
    symbols[count] = fixed[count];
  for (int i = 0; i < border->argument_count; i++)
    symbols[count++] =
        (assay_record_symbol){assay_arena_format(arena, "_mlir_ciface_" ASSAY_TAIL_IN "_%d", i),
                              (void (*)(void))give_memref};
  for (int i = 0; i < border->result_count; i++)
    symbols[count++] =
        (assay_record_symbol){assay_arena_format(arena, "_mlir_ciface_" ASSAY_TAIL_OUT "_%d", i),
                              (void (*)(void))take_result};
  return symbols;
}

static void *make_argument(const assay_argument *argument, int number) {
  int pitch = assay_value_pitch(&argument->type);
  unsigned char *memory = assay_heap_take((size_t)(argument->extent * pitch), 1);
  for (int64_t i = 0; i < argument->count && !argument->is_output; i++)
    assay_argument_element(argument, number, current.run->data, current.program->data_seed, i,
                           memory + assay_argument_place(argument, i) * pitch);
  assay_watch_argument(current.program, argument, number, memory);
  return memory;
}

static void prepare(void) {
  const assay_program *program = current.program;
  const assay_border *border = program->border;
  memset(assay_run_poison, current.run->poison, sizeof assay_run_poison);
  assay_heap_open(current.run->poison, current.run->guarded, current.run->moved,
                  current.run->uneven);
  current.memory = calloc((size_t)border->argument_count + 1, sizeof *current.memory);
  if (current.memory == NULL)
    abort();
  for (int i = 0; i < border->argument_count; i++)
    current.memory[i] = make_argument(&border->arguments[i], i);
  assay_conversion_sample(program->rounding_seed != NULL ? current.run->seed : 0);
  if (program->rounding_seed != NULL)
    *program->rounding_seed = (int64_t)current.run->seed;
  if (program->rounding_amplitude != NULL)
    *program->rounding_amplitude = current.run->amplified ? program->amplitude : 0;
}

static void record_memory(void) {
  const assay_border *border = current.program->border;
  for (int i = 0; i < border->result_count; i++)
    if (border->results[i].argument >= 0)
      assay_record_memory(&border->arguments[border->results[i].argument], ASSAY_OBSERVED_RESULT, i,
                          current.memory[border->results[i].argument]);
  for (int i = 0; i < border->user_count; i++)
    if (border->arguments[i].type.form == ASSAY_VALUE_MEMREF)
      assay_record_memory(&border->arguments[i], ASSAY_OBSERVED_ARGUMENT, i, current.memory[i]);
}

static void *call_entry(void *unused) {
  (void)unused;
  assay_fault_stack_before before;
  assay_fault_stack(&before);
  double start = now(CLOCK_THREAD_CPUTIME_ID);
  current.program->entry();
  current.note->seconds = now(CLOCK_THREAD_CPUTIME_ID) - start;
  assay_fault_unstack(&before); // whose it was takes it away as the thread ends
  return NULL;
}

static void run_on_large_stack(void) {
  pthread_attr_t attributes;
  pthread_t thread = 0;
  pthread_attr_init(&attributes);
  size_t size = STACK;
  while (pthread_attr_setstacksize(&attributes, size) == 0 &&
         pthread_create(&thread, &attributes, call_entry, NULL) != 0) {
    size /= 2; // a limit on addresses
    if (size < ((size_t)1 << 20))
      abort();
  }
  pthread_join(thread, NULL);
}

// In the processor's time: what else the machine does makes no program endless.
static void limit_time(double seconds) {
  if (seconds <= 0)
    return;
  struct itimerval limit = {.it_value = {.tv_sec = (time_t)seconds}};
  limit.it_value.tv_usec = (suseconds_t)(1e6 * (seconds - (double)limit.it_value.tv_sec));
  signal(SIGPROF, SIG_DFL); // it ends the process, which is what the parent sees
  setitimer(ITIMER_PROF, &limit, NULL);
}

static sigset_t child_signal(void) {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGCHLD);
  return set;
}

static void be_the_run(const assay_program *program, const assay_tail_run *run,
                       assay_shared *shared, run_note *note, pid_t parent) {
  assay_parent_follow(parent, SIGKILL);
  current.program = program;
  current.run = run;
  current.note = note;
  const sigset_t awaited = child_signal(); // by the parent
  sigprocmask(SIG_UNBLOCK, &awaited, NULL);
  assay_fault_watch(&note->fault);
  limit_time(program->seconds);
  prepare();
  assay_record_open(shared);
  if (program->origin_kind == ASSAY_ORIGIN_LOSS || program->exact_logs != NULL)
    assay_record_watch(program->exact_logs != NULL ? assay_exact_look : assay_loss_look);
  run_on_large_stack();
  record_memory();
  note->full = !assay_record_close(&note->seen);
  snprintf(note->violation, sizeof note->violation, "%s", assay_heap_violation());
  note->ended = 1;
  _exit(0);
}

static const char *keep(assay_shared *shared, const char *text) {
  const char *copy = assay_shared_string(shared, text);
  return copy != NULL ? copy : "";
}

// A run under way.
typedef struct started {
  double start;
  run_note *note;
  pid_t child;
  bool killed; // since it was late
} started;

static void conclude(const started *it, int status, assay_shared *shared,
                     assay_tail_outcome *outcome) {
  const run_note *note = it->note;
  outcome->seconds = now(CLOCK_MONOTONIC) - it->start;
  outcome->reason = "";
  outcome->violation = keep(shared, note->fault.is_set ? note->fault.violation : note->violation);
  outcome->status = ASSAY_TAIL_CRASHED;
  if (note->fault.is_set) {
    outcome->reason = keep(shared, note->fault.text);
  } else if (it->killed || (WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF)) {
    outcome->status = ASSAY_TAIL_LATE;
    outcome->reason = "the time limit";
  } else if (WIFSIGNALED(status)) {
    outcome->reason = keep(shared, strsignal(WTERMSIG(status)));
  } else if (!note->ended) {
    char text[64];
    snprintf(text, sizeof text, "the program called exit(%d)", WEXITSTATUS(status));
    outcome->reason = keep(shared, text);
  } else if (note->full) {
    outcome->status = ASSAY_TAIL_NOT_RUN;
    outcome->reason = "it shows more than the shared memory can hold";
  } else {
    outcome->status = ASSAY_TAIL_RAN;
    outcome->seconds = note->seconds;
    outcome->seen = note->seen;
  }
}

static pid_t start_run(const assay_program *program, const assay_tail_run *run, int number,
                       assay_shared *shared, run_note *note) {
  pid_t parent = getpid(), child = fork();
  if (child == 0)
    assay_watch_begin(program, number);
  if (child == 0)
    be_the_run(program, run, shared, note, parent);
  return child;
}

// What sleeps, or has disarmed its timer, gets so many times its limit by the clock on the wall.
static const double WALL_TIMES = 10;

// Waits with signs of life: a run may take long where the machine is busy.
static assay_code end_run(started *it, double seconds, assay_shared *shared,
                          assay_tail_outcome *out_outcome, _Atomic int64_t *pulse,
                          assay_error *err) {
  const sigset_t awaited = child_signal();
  const struct timespec tick = {.tv_nsec = 250000000};
  int status;
  pid_t ended;
  while ((ended = waitpid(it->child, &status, WNOHANG)) <= 0) {
    if (ended < 0 && errno != EINTR)
      return assay_fail(err, ASSAY_FAILED, "waitpid: %s", strerror(errno));
    it->killed |= seconds > 0 && now(CLOCK_MONOTONIC) - it->start > WALL_TIMES * seconds;
    if (it->killed)
      kill(it->child, SIGKILL);
    sigtimedwait(&awaited, NULL, &tick);
    (*pulse)++;
  }
  conclude(it, status, shared, out_outcome);
  return ASSAY_OK;
}

static assay_code run_each(const assay_program *program, const assay_tail_run runs[], int count,
                           int at_once, assay_shared *shared, assay_tail_outcome outcomes[],
                           _Atomic int64_t *pulse, assay_error *err) {
  enum { MOST_AT_ONCE = 16 };
  started under_way[MOST_AT_ONCE];
  int begun = 0, window = at_once < 1 ? 1 : at_once > MOST_AT_ONCE ? MOST_AT_ONCE : at_once;
  run_note *notes = assay_shared_take(shared, (size_t)count * sizeof *notes);
  if (notes == NULL)
    return assay_fail(err, ASSAY_FAILED, "the shared memory is full");
  for (int i = 0; i < count; i++) {
    for (; begun < count && begun < i + window; begun++) {
      started *next = &under_way[begun % MOST_AT_ONCE];
      *next = (started){.start = now(CLOCK_MONOTONIC), .note = &notes[begun]};
      next->child = start_run(program, &runs[begun], begun, shared, next->note);
      if (next->child < 0)
        return assay_fail(err, ASSAY_FAILED, "fork: %s", strerror(errno));
    }
    TRY(end_run(&under_way[i % MOST_AT_ONCE], program->seconds, shared, &outcomes[i], pulse, err));
  }
  return ASSAY_OK;
}

assay_code assay_program_run(const assay_program *program, const assay_tail_run runs[], int count,
                             int at_once, assay_shared *shared, assay_tail_outcome outcomes[],
                             _Atomic int64_t *pulse, assay_error *err) {
  const sigset_t awaited = child_signal();
  sigset_t before;
  sigprocmask(SIG_BLOCK, &awaited, &before);
  assay_code code = run_each(program, runs, count, at_once, shared, outcomes, pulse, err);
  sigprocmask(SIG_SETMASK, &before, NULL);
  return code;
}
