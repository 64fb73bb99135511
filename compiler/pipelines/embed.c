// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// embed FILE.pipeline...: writes the table of built-in pipelines as C to stdout. Runs during the
// build, so that a malformed file stops it with file and line.
#include "compiler/lower/pipeline_parse.h"

#include <stdio.h>
#include <stdlib.h>

// MLIR's pipeline syntax has no characters but '"' and '\\' that C would read otherwise.
static void print_literal(const char *text) {
  putchar('"');
  for (; *text != '\0'; text++) {
    if (*text == '\n')
      fputs("\\n\"\n     \"", stdout);
    else if (*text == '"' || *text == '\\')
      printf("\\%c", *text);
    else
      putchar(*text);
  }
  putchar('"');
}

static void print_pipeline(const assay_pipeline *pipeline) {
  printf("\n    {.name = \"%s\",\n     .stage_count = %d,\n     .stage = {\n", pipeline->name,
         pipeline->stage_count);
  for (int i = 0; i < pipeline->stage_count; i++) {
    printf("       {.name = \"%s\", .line = %d, .passes =\n     ", pipeline->stage[i].name,
           pipeline->stage[i].line);
    print_literal(pipeline->stage[i].passes);
    puts("},");
  }
  if (pipeline->contract_count > 0)
    printf("     },\n     .contract_count = %d,\n     .contract = {\n", pipeline->contract_count);
  for (int i = 0; i < pipeline->contract_count; i++)
    printf("       {.pass = \"%s\", .contract = (assay_nan_contract)%d},\n",
           pipeline->contract[i].pass, (int)pipeline->contract[i].contract);
  puts("     }},");
}

static void print_table(const assay_pipeline pipelines[], int count) {
  puts("// Generated from the .pipeline files.\n#include \"compiler/lower/pipeline.h\"\n\n"
       "static const assay_pipeline pipelines[] = {");
  for (int i = 0; i < count; i++)
    print_pipeline(&pipelines[i]);
  puts("};\n\nextern const assay_pipeline *const assay_pipeline_table[];\n"
       "const assay_pipeline *const assay_pipeline_table[] = {");
  for (int i = 0; i < count; i++)
    printf("    &pipelines[%d],\n", i);
  puts("    NULL,\n};");
}

static assay_code read_pipeline(assay_arena *arena, const char *path, assay_pipeline *out_pipeline,
                                assay_error *err) {
  assay_file file;
  TRY(assay_file_read(arena, path, &file, err));
  return assay_pipeline_parse(arena, &file, out_pipeline, err);
}

int main(int argc, char **argv) {
  assay_arena *arena = assay_arena_create();
  assay_pipeline *pipelines = assay_arena_take(arena, (size_t)argc, sizeof *pipelines);
  assay_error err;
  int count = 0;
  while (count < argc - 1 &&
         read_pipeline(arena, argv[count + 1], &pipelines[count], &err) == ASSAY_OK)
    count++;
  bool complete = count == argc - 1;
  if (complete)
    print_table(pipelines, count);
  else
    fprintf(stderr, "%s: error: %s\n", err.where, err.text);
  assay_arena_destroy(arena);
  return complete ? EXIT_SUCCESS : EXIT_FAILURE;
}
