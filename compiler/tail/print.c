// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The functions by which MLIR programs print, as the runner libraries name them; here what they are
// given is taken down with its bits. Punctuation says nothing; addresses are never taken down.
#include "compiler/tail/fault.h"
#include "compiler/tail/recorder.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void print_number(assay_element element, int bytes, const void *value) {
  assay_recorded what = {.kind = ASSAY_OBSERVED_PRINTED, .element = element, .bytes = bytes};
  assay_recorder_add(&what, value);
}

static void print_f32(float value) {
  print_number(ASSAY_ELEMENT_F32, sizeof value, &value);
}
static void print_f64(double value) {
  print_number(ASSAY_ELEMENT_F64, sizeof value, &value);
}
static void print_i64(int64_t value) {
  print_number(ASSAY_ELEMENT_INTEGER, sizeof value, &value);
}
static void print_f16(uint16_t bits) {
  print_number(ASSAY_ELEMENT_F16, sizeof bits, &bits);
}
static void print_bf16(uint16_t bits) {
  print_number(ASSAY_ELEMENT_BF16, sizeof bits, &bits);
}

static void print_text(const char *text) {
  size_t length = strlen(text);
  assay_recorded what = {.kind = ASSAY_OBSERVED_PRINTED,
                         .element = ASSAY_ELEMENT_TEXT,
                         .bytes = 1,
                         .rank = 1,
                         .dim = {(int64_t)length},
                         .stride = {1}};
  assay_recorder_add(&what, text);
}

// MLIR's checks say what is wrong in several lines: "ERROR: ...", the operation, "^ " and the rule,
// "Location: " and the place.
static void remember_check(const char *text) {
  const char *rule = strstr(text, "\n^ "), *place = strstr(text, "\nLocation: ");
  char line[160];
  if (strncmp(text, "ERROR: Runtime op verification failed", 37) != 0 || rule == NULL)
    return;
  rule += 3;
  int length = (int)strcspn(rule, "\n");
  snprintf(line, sizeof line, "%.*s%s%s", length, rule, place != NULL ? " at " : "",
           place != NULL ? place + strlen("\nLocation: ") : "");
  assay_fault_say(line);
}

static int print_line(const char *text) {
  remember_check(text);
  print_text(text);
  return 0;
}

ASSAY_PRINTF(1, 2) static int print_format(const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char text[4096];
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  print_text(text);
  return length;
}

static void say_nothing(void) {}
static void ignore_double(double value) {
  (void)value;
}
static void ignore_unranked(int64_t rank, void *descriptor) {
  (void)rank;
  (void)descriptor;
}
static double no_seconds(void) {
  return 0;
}
static int64_t no_nanoseconds(void) {
  return 0;
}
static double rsqrt_f64(double x) {
  return 1 / sqrt(x);
}
static float rsqrt_f32(float x) {
  return (float)rsqrt_f64(x);
}

typedef struct unranked {
  int64_t rank;
  const void *descriptor;
} unranked;

static void print_memref(assay_element element, int bytes, bool is_complex, int64_t rank,
                         const void *descriptor) {
  assay_recorded what = {
      .kind = ASSAY_OBSERVED_PRINTED, .element = element, .bytes = bytes, .is_complex = is_complex};
  assay_recorder_add_descriptor(&what, rank, descriptor);
}

// The eight forms for one type of element: taking an unranked memref as two words, as a pointer to
// them, and memrefs of fixed rank.
#define RANKED(name, element, bytes, is_complex, rank)                                             \
  static void print_##name##_##rank##d(const void *descriptor) {                                   \
    print_memref(element, bytes, is_complex, rank, descriptor);                                    \
  }
#define FORMS(name, element, bytes, is_complex)                                                    \
  static void print_##name(int64_t rank, const void *descriptor) {                                 \
    print_memref(element, bytes, is_complex, rank, descriptor);                                    \
  }                                                                                                \
  static void print_##name##_unranked(const unranked *memref) {                                    \
    print_memref(element, bytes, is_complex, memref->rank, memref->descriptor);                    \
  }                                                                                                \
  RANKED(name, element, bytes, is_complex, 0)                                                      \
  RANKED(name, element, bytes, is_complex, 1)                                                      \
  RANKED(name, element, bytes, is_complex, 2)                                                      \
  RANKED(name, element, bytes, is_complex, 3)                                                      \
  RANKED(name, element, bytes, is_complex, 4)

FORMS(I8, ASSAY_ELEMENT_INTEGER, 1, false)
FORMS(I16, ASSAY_ELEMENT_INTEGER, 2, false)
FORMS(I32, ASSAY_ELEMENT_INTEGER, 4, false)
FORMS(I64, ASSAY_ELEMENT_INTEGER, 8, false)
FORMS(Ind, ASSAY_ELEMENT_INTEGER, 8, false)
FORMS(F16, ASSAY_ELEMENT_F16, 2, false)
FORMS(BF16, ASSAY_ELEMENT_BF16, 2, false)
FORMS(F32, ASSAY_ELEMENT_F32, 4, false)
FORMS(F64, ASSAY_ELEMENT_F64, 8, false)
FORMS(C32, ASSAY_ELEMENT_F32, 4, true)
FORMS(C64, ASSAY_ELEMENT_F64, 8, true)

#define SYMBOL(name, function) {name, (void (*)(void))(function)}
#define BOTH(name, function) SYMBOL(name, function), SYMBOL("_mlir_ciface_" name, function)
#define MEMREF(name)                                                                               \
  SYMBOL("printMemref" #name, print_##name),                                                       \
      SYMBOL("_mlir_ciface_printMemref" #name, print_##name##_unranked),                           \
      SYMBOL("_mlir_ciface_printMemref0d" #name, print_##name##_0d),                               \
      SYMBOL("_mlir_ciface_printMemref1d" #name, print_##name##_1d),                               \
      SYMBOL("_mlir_ciface_printMemref2d" #name, print_##name##_2d),                               \
      SYMBOL("_mlir_ciface_printMemref3d" #name, print_##name##_3d),                               \
      SYMBOL("_mlir_ciface_printMemref4d" #name, print_##name##_4d),                               \
      SYMBOL("printMemrefShape" #name, ignore_unranked),                                           \
      SYMBOL("_mlir_ciface_printMemrefShape" #name, say_nothing)

#pragma GCC diagnostic ignored "-Wcast-function-type" // symbols have no type

const assay_record_symbol *assay_record_symbols(void) {
  static const assay_record_symbol symbols[] = {
      MEMREF(I8),
      MEMREF(I16),
      MEMREF(I32),
      MEMREF(I64),
      MEMREF(Ind),
      MEMREF(F16),
      MEMREF(BF16),
      MEMREF(F32),
      MEMREF(F64),
      MEMREF(C32),
      MEMREF(C64),
      BOTH("printF32", print_f32),
      BOTH("printF64", print_f64),
      BOTH("printI64", print_i64),
      BOTH("printU64", print_i64),
      BOTH("printF16", print_f16),
      BOTH("printBF16", print_bf16),
      BOTH("printString", print_text),
      BOTH("printCString", print_text),
      BOTH("printOpen", say_nothing),
      BOTH("printClose", say_nothing),
      BOTH("printComma", say_nothing),
      BOTH("printNewline", say_nothing),
      BOTH("printFlops", ignore_double),
      BOTH("rtclock", no_seconds),
      BOTH("nanoTime", no_nanoseconds),
      SYMBOL("puts", print_line),
      SYMBOL("printf", print_format),
      SYMBOL("rsqrt", rsqrt_f64),
      SYMBOL("rsqrtf", rsqrt_f32),
      {NULL, NULL},
  };
  return symbols;
}
