// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "results/record/json_text.h"

#include <stdlib.h>
#include <string.h>

json_t *assay_json_text(const char *string) {
  if (string == NULL)
    return json_null();
  json_t *value = json_string(string);
  if (value != NULL)
    return value;
  size_t length = strlen(string);
  char *ascii = malloc(length + 1);
  if (ascii == NULL)
    abort();
  for (size_t i = 0; i <= length; i++)
    ascii[i] = (unsigned char)string[i] < 0x80 ? string[i] : '?';
  value = json_string(ascii);
  free(ascii);
  return value;
}
