// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/lower/emit.h"

#include "compiler/base/text.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/language/operation.h"

#include <mlir-c/BuiltinAttributes.h>
#include <mlir-c/BuiltinTypes.h>
#include <stdio.h>

// "matmul#5": the operation and its node's number, for diagnostics; it does not show in plain
// prints.
static MlirLocation locate(MlirContext context, const assay_program *program, int number) {
  char name[64];
  snprintf(name, sizeof name, "%s#%d", program->nodes[number].operation->name, number);
  return mlirLocationNameGet(context, mlirStringRefCreateFromCString(name),
                             mlirLocationUnknownGet(context));
}

// Appends func.func @main without a body. Bufferization must not write into the arguments: they are
// the caller's.
static MlirBlock add_main(const assay_builder *builder, const assay_program *program) {
  MlirContext context = builder->context;
  MlirType inputs[ASSAY_MAX_ARGUMENTS], results[ASSAY_MAX_ARGUMENTS];
  MlirLocation locations[ASSAY_MAX_ARGUMENTS];
  MlirAttribute argument_attributes[ASSAY_MAX_ARGUMENTS];
  MlirNamedAttribute writable =
      assay_builder_attribute(builder, "bufferization.writable", mlirBoolAttrGet(context, false));
  for (int i = 0; i < program->input_count; i++) {
    inputs[i] = assay_node_type(context, &program->nodes[program->inputs[i]]);
    locations[i] = locate(context, program, program->inputs[i]);
    argument_attributes[i] = mlirDictionaryAttrGet(context, 1, &writable);
  }
  for (int i = 0; i < program->result_count; i++)
    results[i] = assay_node_type(context, &program->nodes[program->results[i]]);
  MlirType type =
      mlirFunctionTypeGet(context, program->input_count, inputs, program->result_count, results);
  MlirNamedAttribute attributes[] = {
      assay_builder_attribute(builder, "sym_name",
                              mlirStringAttrGet(context, mlirStringRefCreateFromCString("main"))),
      assay_builder_attribute(builder, "function_type", mlirTypeAttrGet(type)),
      assay_builder_attribute(builder, "arg_attrs",
                              mlirArrayAttrGet(context, program->input_count, argument_attributes)),
  };
  MlirOperation function = assay_builder_add(
      builder, &(assay_recipe){.name = "func.func",
                               .attribute_count = program->input_count > 0 ? 3 : 2,
                               .attributes = attributes,
                               .region_count = 1});
  MlirBlock body = mlirBlockCreate(program->input_count, inputs, locations);
  mlirRegionAppendOwnedBlock(mlirOperationGetRegion(function, 0), body);
  return body;
}

static MlirValue emit_node(assay_builder builder, const assay_program *program, int number,
                           MlirValue values[]);

// Constants are emitted by the first that asks for them as tensors; elementwise operations have
// them in their loop bodies.
static MlirValue take_value(const assay_builder *builder, const assay_program *program, int number,
                            MlirValue values[]) {
  if (mlirValueIsNull(values[number]))
    values[number] = emit_node(*builder, program, number, values);
  return values[number];
}

static MlirValue emit_node(assay_builder builder, const assay_program *program, int number,
                           MlirValue values[]) {
  const assay_node *node = &program->nodes[number];
  assay_emission emission = {.builder = &builder, .node = node};
  for (int i = 0; i < node->operand_count; i++) {
    emission.operand[i] = &program->nodes[node->operand[i]];
    if (node->operation->element == NULL || assay_node_scalar(emission.operand[i]) == NULL)
      emission.value[i] = take_value(&builder, program, node->operand[i], values);
  }
  builder.location = locate(builder.context, program, number);
  return node->operation->emit(&emission);
}

static void fill_main(const assay_builder *builder, const assay_program *program,
                      MlirValue values[]) {
  for (int i = 0; i < program->input_count; i++)
    values[program->inputs[i]] = mlirBlockGetArgument(builder->block, i);
  for (int i = 0; i < program->node_count; i++) {
    if (assay_node_scalar(&program->nodes[i]) == NULL)
      (void)take_value(builder, program, i, values);
  }
  MlirValue results[ASSAY_MAX_ARGUMENTS];
  for (int i = 0; i < program->result_count; i++)
    results[i] = take_value(builder, program, program->results[i], values);
  assay_builder_add(builder, &(assay_recipe){.name = "func.return",
                                             .operand_count = program->result_count,
                                             .operands = results});
}

assay_code assay_module_emit(const assay_context *context, const assay_program *program,
                             MlirModule *out_module, assay_error *err) {
  MlirContext mlir = assay_context_get(context);
  assay_builder builder = {.context = mlir, .location = mlirLocationUnknownGet(mlir)};
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlir);
  MlirModule module = mlirModuleCreateEmpty(builder.location);
  builder.block = mlirModuleGetBody(module);
  builder.block = add_main(&builder, program);
  assay_arena *scratch = assay_arena_create();
  fill_main(&builder, program,
            assay_arena_take(scratch, (size_t)program->node_count, sizeof(MlirValue)));
  assay_arena_destroy(scratch);
  bool valid = mlirOperationVerify(mlirModuleGetOperation(module));
  assay_diagnostics_close(&diagnostics);
  if (!valid) {
    mlirModuleDestroy(module);
    return assay_diagnostics_fail(&diagnostics, "the emitted module does not verify", err);
  }
  *out_module = module;
  return ASSAY_OK;
}

static void append(MlirStringRef piece, void *data) {
  assay_text_append(data, piece.data, piece.length);
}

const char *assay_module_print(assay_arena *arena, MlirModule module) {
  assay_text text = {.arena = arena};
  mlirOperationPrint(mlirModuleGetOperation(module), append, &text);
  return assay_text_get(&text);
}

const char *assay_module_print_unaliased(assay_arena *arena, MlirModule module) {
  assay_text text = {.arena = arena};
  MlirOpPrintingFlags flags = mlirOpPrintingFlagsCreate();
  mlirOpPrintingFlagsUseLocalScope(flags);
  mlirOperationPrintWithFlags(mlirModuleGetOperation(module), flags, append, &text);
  mlirOpPrintingFlagsDestroy(flags);
  assay_text_print(&text, "\n");
  return assay_text_get(&text);
}
