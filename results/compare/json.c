// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A comparison as JSON. Rows are written one by one: there may be a million.
#include "results/compare/table.h"
#include "results/record/json_text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static json_t *number(double value) {
  if (isfinite(value))
    return json_real(value);
  return isnan(value) ? json_null() : json_string(value > 0 ? "inf" : "-inf");
}

static void set(json_t *object, const char *name, json_t *value) {
  // Fails only where memory ran out, as the arena does.
  if (json_object_set_new(object, name, value) != 0)
    abort();
}

static json_t *value_of(const assay_comparison_row *row, const assay_record *record, double value,
                        const assay_counter *counter) {
  if (row->kind == ASSAY_METRIC_VERDICT)
    return record != NULL ? json_string(assay_verdict_name(record->verdict)) : json_null();
  if (row->kind == ASSAY_METRIC_COUNTER)
    return counter != NULL ? json_integer(counter->value) : json_null();
  return number(value);
}

static json_t *row_json(const assay_comparison_row *row) {
  const assay_record *record = row->new != NULL ? row->new : row->base;
  json_t *object = json_object();
  set(object, "kind", json_string(assay_record_kind_name(record->kind)));
  set(object, "key", assay_json_text(record->key));
  set(object, "metric", assay_json_text(row->metric));
  set(object, "base", value_of(row, row->base, row->base_value, row->base_counter));
  set(object, "new", value_of(row, row->new, row->new_value, row->new_counter));
  set(object, "ratio", number(row->ratio));
  set(object, "low", number(row->low));
  set(object, "high", number(row->high));
  if (!isnan(row->p))
    set(object, "p", number(row->p));
  set(object, "verdict", json_string(assay_change_name(row->change)));
  set(object, "worse", json_boolean(row->worse));
  set(object, "gate", json_boolean(row->gates));
  set(object, "reason", assay_json_text(row->reason));
  return object;
}

static void print(FILE *stream, json_t *value) {
  char *text = json_dumps(value, JSON_COMPACT | JSON_REAL_PRECISION(17));
  json_decref(value);
  if (text == NULL)
    abort();
  fputs(text, stream);
  free(text);
}

static json_t *pass_json(const assay_pass_row *pass) {
  if (pass == NULL)
    return json_null();
  json_t *object = json_object();
  set(object, "n", json_integer(pass->n));
  set(object, "seconds", number(pass->seconds));
  set(object, "ops_before", pass->ops_before < 0 ? json_null() : json_integer(pass->ops_before));
  set(object, "ops_after", pass->ops_after < 0 ? json_null() : json_integer(pass->ops_after));
  set(object, "changed", json_boolean(pass->changed));
  set(object, "margin", pass->margin_nan ? json_string("nan") : number(pass->margin));
  set(object, "nan_added", json_integer(pass->nan_added));
  set(object, "class", assay_json_text(pass->fault));
  return object;
}

static json_t *differs_json(unsigned differs) {
  static const struct {
    unsigned bit;
    const char *name;
  } names[] = {{ASSAY_PASS_DIFFERS_OPS, "ops"},       {ASSAY_PASS_DIFFERS_CHANGED, "changed"},
               {ASSAY_PASS_DIFFERS_MARGIN, "margin"}, {ASSAY_PASS_DIFFERS_NAN, "nan_added"},
               {ASSAY_PASS_DIFFERS_CLASS, "class"},   {ASSAY_PASS_DIFFERS_TIME, "seconds"}};
  json_t *array = json_array();
  for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
    if ((differs & names[i].bit) != 0)
      json_array_append_new(array, json_string(names[i].name));
  return array;
}

static json_t *first_bad_json(const assay_first_bad *bad) {
  if (bad->n == 0)
    return json_null();
  json_t *object = json_object();
  set(object, "n", json_integer(bad->n));
  set(object, "name", assay_json_text(bad->name));
  set(object, "class", assay_json_text(bad->fault));
  return object;
}

// {"base":A,"new":B}
static json_t *sides(json_t *base, json_t *new) {
  json_t *object = json_object();
  set(object, "base", base);
  set(object, "new", new);
  return object;
}

json_t *assay_pass_case_json(const assay_pass_case *one) {
  static const char *const marks[] = {[ASSAY_PASS_KEPT] = "kept",
                                      [ASSAY_PASS_ADDED] = "added",
                                      [ASSAY_PASS_REMOVED] = "removed",
                                      [ASSAY_PASS_MOVED] = "moved"};
  json_t *rows = json_array(), *object = json_object();
  for (size_t i = 0; i < one->count; i++) {
    const assay_pass_pair *pair = &one->rows[i];
    json_t *row = sides(pass_json(pair->base), pass_json(pair->new));
    set(row, "name", assay_json_text((pair->new != NULL ? pair->new : pair->base)->name));
    set(row, "mark", json_string(marks[pair->mark]));
    set(row, "differs", differs_json(pair->differs));
    json_array_append_new(rows, row);
  }
  set(object, "kind", json_string(assay_record_kind_name(one->new->kind)));
  set(object, "key", assay_json_text(one->new->key));
  set(object, "passes", rows);
  set(object, "seconds", sides(number(one->base_seconds), number(one->new_seconds)));
  set(object, "first_bad",
      sides(first_bad_json(&one->base->first_bad), first_bad_json(&one->new->first_bad)));
  set(object, "seconds_differ", json_boolean(one->total_differs));
  set(object, "first_bad_differs", json_boolean(one->first_bad_differs));
  return object;
}

static json_t *lone_kinds_json(const assay_comparison *comparison) {
  json_t *object = json_object();
  for (int kind = 0; kind < ASSAY_RECORD_KIND_COUNT; kind++) {
    const assay_lone_kind *lone = &comparison->lone_kinds[kind];
    if (lone->base > 0 || lone->new > 0)
      set(object, assay_record_kind_name((assay_record_kind)kind),
          sides(json_integer((json_int_t)lone->base), json_integer((json_int_t)lone->new)));
  }
  return object;
}

static json_t *shift_json(const assay_shift *shift) {
  if (shift->count == 0)
    return json_null();
  json_t *object = json_object();
  set(object, "timings", json_integer((json_int_t)shift->count));
  set(object, "one_way", json_integer((json_int_t)shift->one_way));
  set(object, "median", number(shift->median));
  return object;
}

static json_t *summary_json(assay_arena *arena, const assay_comparison *comparison) {
  json_t *object = json_object(), *rows = json_object();
  bool fails = comparison->gates > 0 || comparison->wrong > 0;
  for (int i = 0; i < ASSAY_CHANGE_COUNT; i++)
    set(rows, assay_change_name((assay_change)i), json_integer((json_int_t)comparison->changes[i]));
  set(object, "text", json_string(assay_comparison_summary(arena, comparison)));
  set(object, "cases", json_integer((json_int_t)comparison->cases));
  set(object, "rows", rows);
  set(object, "worse", json_integer((json_int_t)comparison->worse));
  set(object, "gate", json_string(fails ? "fail" : "pass"));
  set(object, "gate_rows", json_integer((json_int_t)comparison->gates));
  set(object, "timings", json_integer((json_int_t)comparison->timings));
  if (comparison->paired) {
    set(object, "untimed", json_integer((json_int_t)comparison->untimed));
    set(object, "wrong", json_integer((json_int_t)comparison->wrong));
  }
  set(object, "run_shift", shift_json(&comparison->run_shift));
  set(object, "compile_shift", shift_json(&comparison->compile_shift));
  set(object, "lone_kinds", lone_kinds_json(comparison));
  return object;
}

void assay_comparison_print_json(FILE *stream, assay_arena *arena,
                                 const assay_comparison *comparison,
                                 const assay_pass_comparison *passes) {
  fputs("{\"rows\":[", stream);
  for (size_t i = 0; i < comparison->count; i++) {
    fputs(i > 0 ? ",\n" : "\n", stream);
    print(stream, row_json(&comparison->rows[i]));
  }
  fputs("\n],\n", stream);
  if (passes != NULL) {
    fputs("\"passes\":[", stream);
    for (size_t i = 0; i < passes->count; i++) {
      fputs(i > 0 ? ",\n" : "\n", stream);
      print(stream, assay_pass_case_json(&passes->cases[i]));
    }
    fputs("\n],\n", stream);
  }
  fprintf(stream,
          "\"false_alarm_rate\":%.17g,\"paired\":%s,\n\"summary\":", comparison->false_alarm_rate,
          comparison->paired ? "true" : "false");
  print(stream, summary_json(arena, comparison));
  fputs("}\n", stream);
}
