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

// "FILE:LINE:COL: " in front of a message, where it stands there.
static const char *without_place(const char *reason) {
  const char *end = strstr(reason, ": ");
  return end != NULL && end > reason && isdigit((unsigned char)end[-1]) ? end + 2 : reason;
}

static void set_sign(assay_symptom *symptom, const char *reason) {
  char start[sizeof symptom->sign];
  size_t length = strlen(reason);
  switch (symptom->fault) {
  case ASSAY_FAULT_INVALID_IR:
  case ASSAY_FAULT_UNPARSABLE_IR:
    reason = without_place(reason);
    length = strcspn(reason, "\n;");
    break;
  case ASSAY_FAULT_NAN_ATTRIBUTE: // "arith.constant: a NaN f32 attribute at ..."
  case ASSAY_FAULT_CRASH:         // "killed by SIGSEGV (Segmentation fault): ..."
    length = strcspn(reason, ":;\n");
    break;
  case ASSAY_FAULT_UNLOWERED:
    break;
  default:
    length = 0;
  }
  snprintf(start, sizeof start, "%.*s", (int)length, reason);
  sign_of(start, sizeof symptom->sign, symptom->sign);
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
  return a->fault == b->fault && strcmp(a->pass, b->pass) == 0 && strcmp(a->sign, b->sign) == 0 &&
         (message == NULL || strstr(b->reason, message) != NULL);
}
