// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/base/text.h"
#include "results/record/record.h"

#include <jansson.h>

static const char *word_of(const json_t *object, const char *key) {
  const char *word = json_string_value(json_object_get(object, key));
  return word != NULL ? word : "";
}

static void print_operands(assay_text *text, const json_t *operands) {
  for (size_t i = 0; i < json_array_size(operands); i++) {
    const char *operand = json_string_value(json_array_get(operands, i));
    assay_text_print(text, "%s%s", i == 0 ? " of " : ", ", operand != NULL ? operand : "?");
  }
}

const char *assay_record_origin(assay_arena *arena, const assay_record *record) {
  json_t *origin = record->nan_origin != NULL ? json_loads(record->nan_origin, 0, NULL) : NULL;
  if (origin == NULL)
    return NULL;
  assay_text text = {.arena = arena};
  const char *place = word_of(origin, "location");
  const char *state = word_of(json_object_get(origin, "state"), "name");
  assay_text_print(&text, "%s%s%s", word_of(origin, "op"), place[0] != '\0' ? " at " : "", place);
  print_operands(&text, json_object_get(origin, "operands"));
  if (state[0] != '\0')
    assay_text_print(&text, ", after %s", state);
  if (json_is_false(json_object_get(origin, "certain")))
    assay_text_print(&text, ", the first that was made");
  json_decref(origin);
  return assay_text_get(&text);
}
