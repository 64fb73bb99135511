// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Passes that go only so far: cut scripts, refused patterns, folding alone.
#include "compiler/base/file.h"
#include "compiler/bridge/passes/stepping_testing.h"

static int load_faults(void **state) {
  assay_error err;
  int failed = set_up(state);
  return failed != 0 ? failed : assay_passes_load_plugin(ASSAY_FAULTS_PLUGIN, &err) != ASSAY_OK;
}

static stepped step_within(const char *line, const char *source, assay_within within) {
  assay_pass_pipeline *pipeline = parse_line(line);
  stepped made = step_request((assay_stepping_request){.file = "test.mlir",
                                                       .source = source,
                                                       .size = strlen(source),
                                                       .verify = true,
                                                       .pipeline = pipeline,
                                                       .within = &within},
                              STALL_MS);
  assay_pass_pipeline_destroy(pipeline);
  assert_false(made.timed_out);
  return made;
}

static const char *text_after(const stepped *made) {
  return snapshot_text(execution(made, count_executions(made))->after);
}

static const assay_inner_part *last_application(const stepped *made) {
  const assay_inside *inside = &made->stepping->inside;
  return &inside->application[inside->last];
}

static const char patterns[] = "func.func @f(%x: f32, %y: f32) -> (f32, f32) {\n"
                               "  %two = arith.constant 2.0 : f32\n"
                               "  %0 = arith.mulf %x, %two : f32\n"
                               "  %1 = arith.maximumf %0, %y : f32\n"
                               "  %2 = math.absf %0 : f32\n"
                               "  return %1, %2 : f32, f32\n"
                               "}\n";

// In the order of the text, each pattern that matches once; what is made is not visited.
static void later_patterns_are_refused(void **state) {
  (void)state;
  static const struct {
    const char *name, *op, *location, *made;
  } expected[] = {
      {"DoubleToSum", "arith.mulf", "test.mlir:3:8", "arith.addf"},
      {"WrongMaximum", "arith.maximumf", "test.mlir:4:8", "arith.minimumf"},
      {"WrongMagnitude", "math.absf", "test.mlir:5:8", NULL},
  };
  for (int limit = 0; limit <= 3; limit++) {
    stepped made = step_within("--assay-fault-patterns=driver=walk", patterns,
                               (assay_within){.script_steps = -1, .applications = limit});
    assert_true(made.stepping->succeeded);
    assert_int_equal(made.stepping->inside.applications, limit);
    assert_int_equal(made.stepping->inside.applying, 0);
    assert_false(made.stepping->inside.is_greedy);
    for (int i = 0; i < 2; i++)
      assert_true((strstr(text_after(&made), expected[i].made) != NULL) == (i < limit));
    assert_true((strstr(text_after(&made), "math.absf") == NULL) == (limit == 3));
    if (limit == 0)
      continue;
    assert_non_null(strstr(last_application(&made)->name, expected[limit - 1].name));
    assert_string_equal(last_application(&made)->op, expected[limit - 1].op);
    assert_string_equal(last_application(&made)->location, expected[limit - 1].location);
  }
}

static void without_limits_a_pass_does_what_it_does(void **state) {
  (void)state;
  const assay_within all = {.script_steps = -1, .applications = -1};
  static const char *const drivers[] = {"greedy", "walk", "some", "all"};
  for (size_t i = 0; i < sizeof drivers / sizeof drivers[0]; i++) {
    char line[64];
    (void)snprintf(line, sizeof line, "--assay-fault-patterns=driver=%s", drivers[i]);
    stepped within = step_within(line, patterns, all), plain = step(line, patterns);
    assert_true(execution(&within, 1)->after->hash == execution(&plain, 1)->after->hash);
    assert_true(within.stepping->inside.applications >= 2);
    assert_int_equal(plain.stepping->inside.applications, 0);
    assert_true(within.stepping->inside.is_greedy == (i == 0));
  }
}

// What must be converted and may not be is a failure, as MLIR has it.
static void a_conversion_without_its_patterns_fails(void **state) {
  (void)state;
  const assay_within none = {.script_steps = -1};
  assert_false(
      step_within("--assay-fault-patterns=driver=all", patterns, none).stepping->succeeded);
  assert_true(
      step_within("--assay-fault-patterns=driver=some", patterns, none).stepping->succeeded);
}

static void the_pattern_that_runs_at_death_is_known(void **state) {
  (void)state;
  static const char source[] = "func.func @f(%x: f32) -> f32 {\n"
                               "  %0 = math.ceil %x : f32\n"
                               "  return %0 : f32\n"
                               "}\n";
  stepped made = step_within("--assay-fault-patterns", source,
                             (assay_within){.script_steps = -1, .applications = -1});
  assert_true(WIFSIGNALED(made.status));
  assert_int_equal(made.stepping->inside.applying, 1);
  assert_non_null(strstr(made.stepping->inside.application[0].name, "DyingPattern"));
  assert_string_equal(made.stepping->inside.application[0].location, "test.mlir:2:8");
}

static void folding_alone_applies_no_pattern(void **state) {
  (void)state;
  static const char source[] =
      "func.func @f(%x: vector<2x1xf32>) -> (f32, vector<2x2xf32>) {\n"
      "  %z = arith.constant 0.0 : f32\n"
      "  %0 = arith.divf %z, %z : f32\n"
      "  %1 = vector.broadcast %x : vector<2x1xf32> to vector<2x2x1xf32>\n"
      "  %2 = vector.shape_cast %1 : vector<2x2x1xf32> to vector<2x2xf32>\n"
      "  return %0, %2 : f32, vector<2x2xf32>\n"
      "}\n";
  stepped made =
      step_within("--canonicalize", source,
                  (assay_within){.script_steps = -1, .applications = -1, .only_fold = true});
  assert_true(made.stepping->succeeded && made.stepping->inside.is_greedy);
  assert_int_equal(made.stepping->inside.applications, 0);
  assert_int_equal(execution(&made, 1)->nan_count, 1);
  assert_non_null(strstr(text_after(&made), "vector.shape_cast"));
}

#define SCRIPT(name, body)                                                                         \
  "  transform.named_sequence @" name "(%m: !transform.any_op {transform.readonly})"               \
  " -> !transform.any_op {\n" body "  }\n"
#define MATCH(number, op)                                                                          \
  "    %" number " = transform.structured.match ops{[\"" op "\"]} in %m"                           \
  " : (!transform.any_op) -> !transform.any_op\n"
#define MARK(number, mark) "    transform.annotate %" number " \"" mark "\" : !transform.any_op\n"

static const char script[] =
    "module attributes {transform.with_named_sequence} {\n"
    "  func.func @f() { return }\n" SCRIPT(
        "go", MATCH("0", "func.func") MARK("0", "one") MARK("0", "two")
                  MATCH("1", "func.return") "    transform.yield %1 : !transform.any_op\n")
        SCRIPT("__transform_main",
               MATCH("0", "func.func") MARK(
                   "0", "zero") "    %1 = transform.include @go failures(propagate) (%m)"
                                " : (!transform.any_op) -> !transform.any_op\n" MARK(
                                    "1",
                                    "three") "    transform.yield %1 : !transform.any_op\n") "}\n";

// Those of "zero", "one", "two" and "three" that the operations bear, as the digits of a number.
static int count_marks(const stepped *made) {
  static const char *const marks[] = {"zero", "one", "two", "three"};
  int found = 0;
  for (int i = 0; i < 4; i++)
    found = 10 * found + (strstr(text_after(made), marks[i]) != NULL ? 1 : 0);
  return found;
}

// The text of the states holds the script too, with the marks that are left in it: none that were
// cut.
static void a_script_is_cut_after_so_many_steps(void **state) {
  (void)state;
  static const int marks[] = {110, 110, 1110, 1110, 1110, 1110, 1110};
  static const char *const names[] = {"",
                                      "transform.structured.match",
                                      "transform.annotate",
                                      "transform.structured.match",
                                      "transform.annotate",
                                      "transform.annotate",
                                      "transform.structured.match",
                                      "transform.annotate"};
  for (int steps = 0; steps <= 7; steps++) {
    stepped made = step_within("--transform-interpreter", script,
                               (assay_within){.script_steps = steps, .applications = -1});
    assert_string_equal(made.stepping->message, "");
    assert_int_equal(made.stepping->inside.script_steps, 7);
    assert_string_equal(made.stepping->inside.step.name, names[steps]);
    assert_int_equal(count_marks(&made), steps == 7 ? 1111 : marks[steps]);
    assert_true(execution(&made, 1)->verifies);
  }
}

static void steps_have_the_places_of_the_included(void **state) {
  (void)state;
  stepped made = step_within("--transform-interpreter", script,
                             (assay_within){.script_steps = 5, .applications = -1});
  assert_string_equal(made.stepping->inside.step.location, "test.mlir:6:5");
}

static void the_entry_may_have_another_name(void **state) {
  (void)state;
  static const char source[] =
      "module attributes {transform.with_named_sequence} {\n"
      "  func.func @f() { return }\n" SCRIPT(
          "other",
          MATCH("0", "func.func") MARK("0", "one") "    transform.yield %0 : !transform.any_op\n")
          SCRIPT("go", MATCH("0", "func.func") MARK("0", "two")
                           MARK("0", "three") "    transform.yield %0 : !transform.any_op\n") "}\n";
  stepped made = step_within("--transform-interpreter=entry-point=go", source,
                             (assay_within){.script_steps = 2, .applications = -1});
  assert_string_equal(made.stepping->message, "");
  assert_int_equal(made.stepping->inside.script_steps, 3);
  assert_string_equal(made.stepping->inside.step.location, "test.mlir:10:5");
}

// A library that was loaded stands outside the module: the interpreter says what it needs.
static void a_loaded_library_is_cut_too(void **state) {
  (void)state;
  char folder[] = "/tmp/assay-inside-XXXXXX", path[64], line[256];
  assert_non_null(mkdtemp(folder));
  (void)snprintf(path, sizeof path, "%s/library.mlir", folder);
  assay_error err;
  assert_int_equal(assay_file_write(path, script, &err), ASSAY_OK);
  (void)snprintf(line, sizeof line,
                 "--transform-preload-library=transform-library-paths=%s --transform-interpreter",
                 path);
  const char *source = "func.func @f() { return }\n";
  for (int steps = 0; steps <= 7; steps++) {
    stepped made =
        step_within(line, source, (assay_within){.script_steps = steps, .applications = -1});
    assert_string_equal(made.stepping->message, "");
    assert_int_equal(made.stepping->inside.script_steps, 7);
    assert_non_null(strstr(execution(&made, 2)->needs, "transform-preload-library{"));
    static const int marks[] = {0, 0, 1000, 1000, 1100, 1110, 1110, 1111};
    assert_int_equal(count_marks(&made), marks[steps]);
  }
  unlink(path);
  rmdir(folder);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(later_patterns_are_refused),
      cmocka_unit_test(without_limits_a_pass_does_what_it_does),
      cmocka_unit_test(a_conversion_without_its_patterns_fails),
      cmocka_unit_test(the_pattern_that_runs_at_death_is_known),
      cmocka_unit_test(folding_alone_applies_no_pattern),
      cmocka_unit_test(a_script_is_cut_after_so_many_steps),
      cmocka_unit_test(steps_have_the_places_of_the_included),
      cmocka_unit_test(the_entry_may_have_another_name),
      cmocka_unit_test(a_loaded_library_is_cut_too),
  };
  return cmocka_run_group_tests(tests, load_faults, tear_down);
}
