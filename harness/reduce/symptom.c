// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/reduce/symptom.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

// Names of values, numbers and shapes are the program's own: each becomes one sign.
static void sign_of(const char *reason, size_t size, char *sign) {
  size_t length = 0;
  for (const char *at = reason; *at != '\0' && length + 1 < size;) {
    if (*at == '%') {
      sign[length++] = *at++;
      while (isalnum((unsigned char)*at) || *at == '_' || *at == '#' || *at == ':')
        at++;
    } else if (isdigit((unsigned char)*at)) {
      bool in_shape = length >= 2 && sign[length - 2] == '#' && sign[length - 1] == 'x';
      length -= in_shape ? 2 : 0;
      sign[length++] = '#';
      while (isxdigit((unsigned char)*at) || *at == '.')
        at++;
    } else {
      sign[length++] = *at++;
    }
  }
  sign[length] = '\0';
}

const char *assay_reason_without_place(const char *reason) {
  const char *end = strstr(reason, ": ");
  return end != NULL && end > reason && isdigit((unsigned char)end[-1]) ? end + 2 : reason;
}

// The part of a reason up to any of the characters.
static void add(const char *from, const char *until, assay_symptom *symptom) {
  char part[sizeof symptom->sign];
  size_t used = strlen(symptom->sign);
  snprintf(part, sizeof part, "%.*s", (int)strcspn(from, until), from);
  sign_of(part, sizeof symptom->sign - used, symptom->sign + used);
}

// What the dying process said of why: of LLVM's own, or an assertion's.
static void add_last_words(const char *reason, assay_symptom *symptom) {
  static const char *const words[] = {"LLVM ERROR: ", "Assertion `", "terminate called"};
  for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
    const char *at = strstr(reason, words[i]);
    if (at != NULL) {
      add(at, "\n", symptom);
      return;
    }
  }
}

// How a program goes wrong: it shows other values, or none; it dies, does not end, breaks a rule.
static void add_wrong_result(const char *reason, assay_symptom *symptom) {
  static const char *const items[] = {"result ", "argument ", "print "};
  static const char unwritten[] = "memory that nobody wrote";
  bool of_item = false;
  for (size_t i = 0; i < sizeof items / sizeof items[0]; i++)
    of_item |= strncmp(reason, items[i], strlen(items[i])) == 0;
  if (reason[0] == '@')
    add(reason + strcspn(reason, " "), ";", symptom);
  else
    add(of_item ? "other values" : reason, ":;", symptom);
  if (strstr(reason, unwritten) != NULL)
    add(unwritten, "", symptom);
}

static void set_sign(assay_symptom *symptom, const char *reason) {
  const char *nan;
  switch (symptom->fault) {
  case ASSAY_FAULT_INVALID_IR: // the message, and where the ledger says so: "; OP: a NaN ..."
    add(assay_reason_without_place(reason), "\n;", symptom);
    nan = strstr(reason, ": a NaN ");
    if (nan != NULL)
      add("a NaN", "", symptom);
    break;
  case ASSAY_FAULT_UNPARSABLE_IR:
    add(assay_reason_without_place(reason), "\n;", symptom);
    break;
  case ASSAY_FAULT_CRASH: // "killed by SIGSEGV (Segmentation fault); it printed: ..."
    add(reason, ":;\n", symptom);
    add_last_words(reason, symptom);
    break;
  case ASSAY_FAULT_NAN_ATTRIBUTE: // "arith.constant: a NaN f32 attribute at ..."
    add(reason, ":;\n", symptom);
    break;
  case ASSAY_FAULT_UNLOWERED:
    add(reason, "", symptom);
    break;
  case ASSAY_FAULT_MISCOMPILE:
  case ASSAY_FAULT_PRECISION_LOSS:
    add_wrong_result(reason, symptom);
    break;
  default:
    break;
  }
}

assay_symptom assay_symptom_make(assay_fault fault, const char *pass, const char *reason) {
  assay_symptom made = {.fault = fault};
  snprintf(made.pass, sizeof made.pass, "%s", pass);
  snprintf(made.reason, sizeof made.reason, "%s", reason);
  set_sign(&made, reason);
  return made;
}

assay_symptom assay_symptom_of(const assay_ledger_answer *answer) {
  const assay_blame *blame = &answer->blame;
  if (blame->fault == ASSAY_FAULT_NONE)
    return (assay_symptom){.fault = ASSAY_FAULT_NONE};
  return assay_symptom_make(blame->fault, answer->rows[blame->row].execution->name, blame->reason);
}

bool assay_symptoms_agree(const assay_symptom *a, const assay_symptom *b, const char *message) {
  if (a->fault != b->fault || strcmp(a->pass, b->pass) != 0)
    return false;
  return message != NULL ? strstr(b->reason, message) != NULL : strcmp(a->sign, b->sign) == 0;
}
