// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/fiber.h"

#include <stdint.h>
#include <stdlib.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define UNDER_ASAN 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#define UNDER_ASAN 1
#endif

#ifdef UNDER_ASAN
// Declared here, since not every clang that reads this has the sanitizers' headers.
// NOLINTBEGIN(bugprone-reserved-identifier): their names
void __sanitizer_start_switch_fiber(void **fake_stack, const void *bottom, size_t size);
void __sanitizer_finish_switch_fiber(void *fake_stack, const void **bottom, size_t *size);
void __asan_unpoison_memory_region(const volatile void *memory, size_t size);
// NOLINTEND(bugprone-reserved-identifier)
#endif

#if ASSAY_FIBER_OWN
// The registers that a call keeps (System V ABI) go to the old stack and come from the new one; a
// new fiber begins at assay_fiber_first, with its body in r12 and data in rbx.
void assay_fiber_swap(void **from, void *to);
void assay_fiber_first(void);
__asm__(".text\n"
        ".globl assay_fiber_swap\n.hidden assay_fiber_swap\n.type assay_fiber_swap,@function\n"
        "assay_fiber_swap:\n"
        "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
        "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n"
        "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n  ret\n"
        ".size assay_fiber_swap, .-assay_fiber_swap\n"
        ".globl assay_fiber_first\n.hidden assay_fiber_first\n"
        ".type assay_fiber_first,@function\n"
        "assay_fiber_first:\n  movq %rbx, %rdi\n  xorl %ebp, %ebp\n  callq *%r12\n  ud2\n"
        ".size assay_fiber_first, .-assay_fiber_first\n");

static void prepare(assay_fiber *fiber, void *bottom, size_t size, void (*body)(void *),
                    void *data) {
  uintptr_t *top = (uintptr_t *)(((uintptr_t)bottom + size) & ~(uintptr_t)15);
  *--top = 0; // so that the stack is aligned where the body is called
  *--top = 0;
  *--top = (uintptr_t)assay_fiber_first;
  *--top = 0;               // rbp
  *--top = (uintptr_t)data; // rbx
  *--top = (uintptr_t)body; // r12
  for (int i = 0; i < 3; i++)
    *--top = 0; // r13, r14, r15
  fiber->stack_pointer = top;
}

static void swap(assay_fiber *from, assay_fiber *to) {
  assay_fiber_swap(&from->stack_pointer, to->stack_pointer);
}
#else
// makecontext passes ints only.
static void first(unsigned body_high, unsigned body_low, unsigned data_high, unsigned data_low) {
  uintptr_t body = (uintptr_t)(((uint64_t)body_high << 32) | body_low);
  uintptr_t data = (uintptr_t)(((uint64_t)data_high << 32) | data_low);
  ((void (*)(void *))body)((void *)data);
  abort();
}

static void prepare(assay_fiber *fiber, void *bottom, size_t size, void (*body)(void *),
                    void *data) {
  if (getcontext(&fiber->context) != 0)
    abort();
  fiber->context.uc_stack.ss_sp = bottom;
  fiber->context.uc_stack.ss_size = size;
  fiber->context.uc_link = NULL;
  uint64_t code = (uintptr_t)body, argument = (uintptr_t)data;
  makecontext(&fiber->context, (void (*)(void))first, 4, (unsigned)(code >> 32), (unsigned)code,
              (unsigned)(argument >> 32), (unsigned)argument);
}

static void swap(assay_fiber *from, assay_fiber *to) {
  if (swapcontext(&from->context, &to->context) != 0)
    abort();
}
#endif

void assay_fiber_start(assay_fiber *fiber, void *bottom, size_t size, void (*body)(void *),
                       void *data) {
#ifdef UNDER_ASAN
  __asan_unpoison_memory_region(bottom, size); // frames that were never left
#endif
  fiber->bottom = bottom;
  fiber->size = size;
  fiber->fake_stack = NULL;
  prepare(fiber, bottom, size, body, data);
}

void assay_fiber_switch(assay_fiber *from, assay_fiber *to, bool last) {
#ifdef UNDER_ASAN
  __sanitizer_start_switch_fiber(last ? NULL : &from->fake_stack, to->bottom, to->size);
#else
  (void)last;
#endif
  swap(from, to);
#ifdef UNDER_ASAN
  __sanitizer_finish_switch_fiber(from->fake_stack, NULL, NULL);
#endif
}

void assay_fiber_arrived(assay_fiber *from) {
#ifdef UNDER_ASAN
  const void *bottom;
  size_t size;
  __sanitizer_finish_switch_fiber(NULL, &bottom, &size);
  if (from->bottom == NULL) {
    from->bottom = bottom;
    from->size = size;
  }
#else
  (void)from;
#endif
}
