// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/fault.h"

#include "compiler/tail/heap.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>
#include <unistd.h>

static assay_fault *reported; // one program runs in a process

static const char *name_of(int number) {
  switch (number) {
  case SIGSEGV:
    return "SIGSEGV";
  case SIGBUS:
    return "SIGBUS";
  case SIGFPE:
    return "SIGFPE";
  case SIGILL:
    return "SIGILL";
  default:
    return "SIGABRT";
  }
}

static const char *access_of(const ucontext_t *context) {
#if defined(__x86_64__)
  return (context->uc_mcontext.gregs[REG_ERR] & 2) != 0 ? "write" : "read";
#else
  (void)context;
  return "access";
#endif
}

static unsigned long instruction_of(const ucontext_t *context) {
#if defined(__x86_64__)
  return (unsigned long)context->uc_mcontext.gregs[REG_RIP];
#elif defined(__aarch64__)
  return (unsigned long)context->uc_mcontext.pc;
#else
  (void)context;
  return 0;
#endif
}

static void describe_block(const void *address, const char *access) {
  assay_heap_block block;
  if (!assay_heap_find(address, &block))
    return;
  long byte = (long)((const unsigned char *)address - block.start);
  snprintf(reported->violation, sizeof reported->violation,
           "heap %s %s: block of %zu bytes, at byte %ld", access,
           block.is_freed ? "after free" : "out of bounds", block.size, byte);
}

static char said[160];

void assay_fault_say(const char *text) {
  snprintf(said, sizeof said, "%s", text == NULL ? "" : text);
}

static void die(int number, siginfo_t *info, void *context) {
  const ucontext_t *at = context;
  bool has_address = number == SIGSEGV || number == SIGBUS;
  if (has_address) {
    snprintf(reported->text, sizeof reported->text, "%s: %s at address %p, instruction 0x%lx",
             name_of(number), access_of(at), info->si_addr, instruction_of(at));
    describe_block(info->si_addr, access_of(at));
  } else if (number == SIGABRT && said[0] != '\0') {
    snprintf(reported->text, sizeof reported->text, "%s", said);
  } else {
    snprintf(reported->text, sizeof reported->text, "%s%s, instruction 0x%lx", name_of(number),
             number == SIGFPE ? " (division by zero or overflow)" : "", instruction_of(at));
  }
  if (reported->violation[0] != '\0') {
    size_t length = strlen(reported->text);
    snprintf(reported->text + length, sizeof reported->text - length, "; %s", reported->violation);
  }
  reported->is_set = 1;
  _exit(1);
}

void assay_fault_watch(assay_fault *fault) {
  reported = fault;
  static const int numbers[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
  struct sigaction action = {.sa_sigaction = die, .sa_flags = SA_SIGINFO | SA_ONSTACK};
  sigemptyset(&action.sa_mask);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    sigaction(numbers[i], &action, NULL);
}

void assay_fault_stack(assay_fault_stack_before *out_before) {
  enum { SIZE = 64 * 1024 };
  stack_t stack = {.ss_sp = malloc(SIZE), .ss_size = SIZE};
  if (stack.ss_sp == NULL)
    abort();
  sigaltstack(&stack, &out_before->stack);
}

void assay_fault_unstack(const assay_fault_stack_before *before) {
  sigaltstack(&before->stack, NULL);
}
