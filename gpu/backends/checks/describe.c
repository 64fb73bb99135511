// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/backends/checks/plant.h"

#include <mlir-c/BuiltinAttributes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH = 2 }; // of operands: more would change with what has nothing to do with them

// A text that grows in its place; what has no room is left out.
typedef struct words {
  char *text;
  size_t room, length;
} words;

__attribute__((format(printf, 2, 3))) static void say(words *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  int count = vsnprintf(to->text + to->length, to->room - to->length, format, arguments);
  va_end(arguments);
  size_t left = to->room - 1 - to->length;
  to->length += (size_t)count < left ? (size_t)count : left;
}

// "load" of memref.load; the predicate of a comparison besides.
static void say_name(words *to, MlirOperation operation) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  const char *dot = memchr(name.data, '.', name.length);
  const char *word = dot != NULL ? dot + 1 : name.data;
  say(to, "%.*s", (int)(name.data + name.length - word), word);
  MlirAttribute predicate = plant_attribute(operation, "predicate");
  if (!mlirAttributeIsNull(predicate))
    say(to, "%d", (int)mlirIntegerAttrGetValueInt(predicate));
}

static void say_operands(words *to, MlirOperation operation, int depth);

static void say_argument(words *to, MlirValue value) {
  MlirOperation holder = mlirBlockGetParentOperation(mlirBlockArgumentGetOwner(value));
  int number = (int)mlirBlockArgumentGetArgNumber(value);
  if (assay_operation_is(holder, "gpu.func"))
    say(to, "arg%d", number);
  else
    say(to, "%s", number == 0 ? "iv" : "carried");
}

static void say_value(words *to, MlirValue value, int depth) {
  int64_t number;
  if (mlirValueIsABlockArgument(value)) {
    say_argument(to, value);
  } else if (assay_constant_read(value, &number)) {
    say(to, "%lld", (long long)number);
  } else {
    MlirOperation maker = mlirOpResultGetOwner(value);
    if (depth == 0 && mlirOperationGetNumOperands(maker) > 0) {
      say(to, "_");
      return;
    }
    say_name(to, maker);
    say_operands(to, maker, depth - 1);
  }
}

static void say_operands(words *to, MlirOperation operation, int depth) {
  intptr_t count = mlirOperationGetNumOperands(operation);
  for (intptr_t i = 0; i < count; i++) {
    say(to, "%s", i == 0 ? "(" : ", ");
    say_value(to, mlirOperationGetOperand(operation, i), depth);
  }
  if (count > 0)
    say(to, ")");
}

plant_text plant_describe(MlirOperation operation) {
  plant_text made = {""};
  words to = {.text = made.text, .room = sizeof made.text};
  say_name(&to, operation);
  say_operands(&to, operation, DEPTH);
  return made;
}
