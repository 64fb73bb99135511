// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/prelude.h"
#include "gpu/simulator/table.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The string as LLVM writes it between quotes.
static void print_quoted(assay_text *text, const char *string) {
  for (const char *at = string; *at != '\0'; at++)
    if (isalnum((unsigned char)*at) || strchr("_.$- ", *at) != NULL)
      assay_text_print(text, "%c", *at);
    else
      assay_text_print(text, "\\%02X", (unsigned char)*at);
}

static void print_string(assay_text *text, const char *symbol, size_t number, const char *string) {
  assay_text_print(text, "@sim.%s.%zu = private constant [%zu x i8] c\"", symbol, number,
                   strlen(string) + 1);
  print_quoted(text, string);
  assay_text_print(text, "\\00\"\n");
}

// void sim.run.NUMBER(void **parameters): calls the kernel with what they point to.
static void print_entry(assay_text *text, const assay_kernel *kernel, size_t number) {
  LLVMTypeRef type = LLVMGlobalGetValueType(kernel->function);
  unsigned count = LLVMCountParamTypes(type);
  LLVMTypeRef *types = calloc(count + 1, sizeof(LLVMTypeRef));
  char **names = calloc(count + 1, sizeof(char *));
  if (types == NULL || names == NULL)
    abort();
  LLVMGetParamTypes(type, types);
  assay_text_print(text, "declare void @\"");
  print_quoted(text, kernel->name);
  assay_text_print(text, "\"(");
  for (unsigned i = 0; i < count; i++) {
    names[i] = LLVMPrintTypeToString(types[i]);
    assay_text_print(text, "%s%s", i == 0 ? "" : ", ", names[i]);
  }
  assay_text_print(text, ")\ndefine internal void @sim.run.%zu(ptr %%all) {\n", number);
  for (unsigned i = 0; i < count; i++)
    assay_text_print(text,
                     "  %%s%u = getelementptr ptr, ptr %%all, i64 %u\n"
                     "  %%p%u = load ptr, ptr %%s%u\n  %%v%u = load %s, ptr %%p%u\n",
                     i, i, i, i, i, names[i], i);
  assay_text_print(text, "  call void @\"");
  print_quoted(text, kernel->name);
  assay_text_print(text, "\"(");
  for (unsigned i = 0; i < count; i++) {
    assay_text_print(text, "%s%s %%v%u", i == 0 ? "" : ", ", names[i], i);
    LLVMDisposeMessage(names[i]);
  }
  assay_text_print(text, ")\n  ret void\n}\n");
  free(types);
  free(names);
}

// The threads that a launch may have: "128,1,1" of .maxntid or .reqntid.
static void find_threads(const assay_kernel *kernel, unsigned threads[3]) {
  static const char *const names[] = {"nvvm.maxntid", "nvvm.reqntid"};
  for (int i = 0; i < 2; i++) {
    LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        kernel->function, LLVMAttributeFunctionIndex, names[i], (unsigned)strlen(names[i]));
    unsigned length, from = 0;
    if (attribute == NULL)
      continue;
    const char *value = LLVMGetStringAttributeValue(attribute, &length);
    for (int axis = 0; axis < 3; axis++) {
      unsigned number = 0;
      while (from < length && isdigit((unsigned char)value[from]))
        number = number * 10 + (unsigned)(value[from++] - '0');
      threads[axis] = number == 0 ? 1 : number;
      from++;
    }
  }
}

static void print_kernels(const assay_table *table, assay_text *text) {
  for (size_t i = 0; i < table->kernel_count; i++) {
    print_string(text, "kernel", i, table->kernels[i].name);
    print_entry(text, &table->kernels[i], i);
  }
  assay_text_print(text,
                   "@sim.kernels = internal constant [%zu x { ptr, ptr, i64, i64, i64, "
                   "[3 x i64] }] [",
                   table->kernel_count);
  for (size_t i = 0; i < table->kernel_count; i++) {
    const assay_kernel *kernel = &table->kernels[i];
    unsigned threads[3] = {0, 0, 0};
    find_threads(kernel, threads);
    assay_text_print(
        text,
        "%s\n  { ptr, ptr, i64, i64, i64, [3 x i64] } { ptr @sim.kernel.%zu, "
        "ptr @sim.run.%zu, i64 %u, i64 %" PRIu64 ", i64 %d, [3 x i64] [i64 %u, i64 %u, i64 %u] }",
        i == 0 ? "" : ",", i, i, LLVMCountParamTypes(LLVMGlobalGetValueType(kernel->function)),
        kernel->shared, kernel->synchronises, threads[0], threads[1], threads[2]);
  }
  assay_text_print(text, "]\n");
}

// The number of variables in device memory.
static size_t print_data(const assay_table *table, assay_text *text) {
  size_t count = 0;
  for (size_t i = 0; i < table->variable_count; i++) {
    if (table->variables[i].is_shared)
      continue;
    print_string(text, "name", i, table->variables[i].name);
    assay_text_print(text, "@sim.init.%zu = external global i8\n", i);
    count++;
  }
  assay_text_print(text, "@sim.data = internal constant [%zu x { ptr, ptr, i64, i64, i64 }] [",
                   count);
  bool first = true;
  for (size_t i = 0; i < table->variable_count; i++) {
    const assay_variable *variable = &table->variables[i];
    if (variable->is_shared)
      continue;
    assay_text_print(text,
                     "%s\n  { ptr, ptr, i64, i64, i64 } { ptr @sim.name.%zu, ptr @sim.init.%zu, "
                     "i64 %" PRIu64 ", i64 %" PRIu64 ", i64 %d }",
                     first ? "" : ",", i, i, variable->offset, variable->size, variable->constant);
    first = false;
  }
  assay_text_print(text, "]\n");
  return count;
}

// The pieces of shared memory, for each kernel that uses them; how many.
static size_t print_shared(const assay_table *table, assay_text *text) {
  assay_text piece = {.arena = text->arena};
  size_t count = 0;
  for (size_t kernel = 0; kernel < table->kernel_count; kernel++)
    for (size_t i = 0; i < table->variable_count; i++) {
      const assay_variable *variable = &table->variables[i];
      if (variable->is_shared && variable->kernels[kernel])
        assay_text_print(&piece, "%s[3 x i64] [i64 %zu, i64 %" PRIu64 ", i64 %" PRIu64 "]",
                         count++ == 0 ? "" : ", ", kernel, variable->offset, variable->size);
    }
  assay_text_print(text, "@sim.shared = internal constant [%zu x [3 x i64]] [%s]\n", count,
                   assay_text_get(&piece));
  return count;
}

void assay_table_print(const assay_rewrite *rewrite, const assay_table *table, assay_text *text) {
  print_kernels(table, text);
  size_t data_count = print_data(table, text), shared_count = print_shared(table, text);
  assay_text_print(text, "@sim.sites = internal constant [%zu x [4 x i32]] [", rewrite->site_count);
  for (size_t i = 0; i < rewrite->site_count; i++) {
    const assay_site *site = &rewrite->sites[i];
    assay_text_print(text, "%s[4 x i32] [i32 %u, i32 %u, i32 %u, i32 %u]", i == 0 ? "" : ", ",
                     site->line, site->width, site->align, site->access);
  }
  assay_text_print(text,
                   "]\n@" ASSAY_CODE_SYMBOL
                   " = constant { ptr, i64, ptr, i64, ptr, i64, ptr, i64 } "
                   "{ ptr @sim.kernels, i64 %zu, ptr @sim.data, i64 %zu, "
                   "ptr @sim.shared, i64 %zu, ptr @sim.sites, i64 %zu }\n",
                   table->kernel_count, data_count, shared_count, rewrite->site_count);
}
