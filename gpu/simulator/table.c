// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/simulator/table.h"

#include "gpu/simulator/prelude.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
  KERNEL_CONVENTION = 71, // llvm::CallingConv::PTX_Kernel
  SHARED_SPACE = 3,
  DATA_ALIGN = 256,  // of variables in device memory, and between them
  SHARED_ALIGN = 16, // and between them at least
};

static uint64_t round_up(uint64_t value, uint64_t align) {
  return (value + align - 1) / align * align;
}

// Which functions have been seen by a walk from a value to those that use it.
typedef struct reach {
  const assay_table *table;
  bool *kernels; // out
  LLVMValueRef *seen;
  size_t seen_count, seen_capacity;
} reach;

static bool first_visit(reach *walk, LLVMValueRef function) {
  for (size_t i = 0; i < walk->seen_count; i++)
    if (walk->seen[i] == function)
      return false;
  if (walk->seen_count == walk->seen_capacity) {
    walk->seen_capacity = walk->seen_capacity * 2 + 16;
    LLVMValueRef *seen = realloc(walk->seen, walk->seen_capacity * sizeof(LLVMValueRef));
    if (seen == NULL)
      abort();
    walk->seen = seen;
  }
  walk->seen[walk->seen_count++] = function;
  for (size_t i = 0; i < walk->table->kernel_count; i++)
    if (walk->table->kernels[i].function == function)
      walk->kernels[i] = true;
  return true;
}

static void visit_users(reach *walk, LLVMValueRef value) {
  for (LLVMUseRef use = LLVMGetFirstUse(value); use != NULL; use = LLVMGetNextUse(use)) {
    LLVMValueRef user = LLVMGetUser(use);
    if (LLVMIsAInstruction(user) == NULL) {
      visit_users(walk, user);
      continue;
    }
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(user));
    if (first_visit(walk, function))
      visit_users(walk, function);
  }
}

// Marks the kernels that use the value, through constants and other functions too.
static void mark_users(const assay_table *table, LLVMValueRef value, bool *kernels) {
  reach walk = {.table = table, .kernels = kernels};
  visit_users(&walk, value);
  free(walk.seen);
}

static void collect_kernels(assay_rewrite *rewrite, assay_table *table) {
  size_t count = 0, length;
  for (LLVMValueRef at = LLVMGetFirstFunction(rewrite->module); at != NULL;
       at = LLVMGetNextFunction(at))
    count++;
  table->kernels = assay_arena_take(rewrite->arena, count, sizeof *table->kernels);
  for (LLVMValueRef at = LLVMGetFirstFunction(rewrite->module); at != NULL;
       at = LLVMGetNextFunction(at)) {
    if (LLVMIsDeclaration(at) || LLVMGetFunctionCallConv(at) != KERNEL_CONVENTION)
      continue;
    LLVMSetFunctionCallConv(at, LLVMCCallConv);
    LLVMSetLinkage(at, LLVMExternalLinkage);
    table->kernels[table->kernel_count++] = (assay_kernel){
        .function = at, .name = assay_arena_string(rewrite->arena, LLVMGetValueName2(at, &length))};
  }
}

static bool share_a_kernel(const assay_table *table, const assay_variable *a,
                           const assay_variable *b) {
  for (size_t i = 0; i < table->kernel_count; i++)
    if (a->kernels[i] && b->kernels[i])
      return true;
  return false;
}

// Behind those shared variables so far that a kernel uses together with this one.
static void place_shared(assay_table *table, assay_variable *variable, uint64_t align) {
  for (const assay_variable *other = table->variables; other != variable; other++)
    if (other->is_shared && share_a_kernel(table, other, variable)) {
      uint64_t end = round_up(other->offset + other->size + SHARED_ALIGN, align);
      if (end > variable->offset)
        variable->offset = end;
    }
  for (size_t i = 0; i < table->kernel_count; i++) {
    uint64_t end = variable->offset + variable->size;
    if (variable->kernels[i] && table->kernels[i].shared < end)
      table->kernels[i].shared = end;
  }
}

// The address, as a constant of the variable's own type.
static LLVMValueRef address_of(const assay_rewrite *rewrite, LLVMValueRef variable,
                               const char *base, uint64_t offset) {
  LLVMContextRef context = LLVMGetModuleContext(rewrite->module);
  LLVMTypeRef byte = LLVMInt8TypeInContext(context), type = LLVMTypeOf(variable);
  unsigned space = LLVMGetPointerAddressSpace(type) == SHARED_SPACE ? SHARED_SPACE : 0;
  LLVMValueRef start = LLVMGetNamedGlobal(rewrite->module, base);
  if (start == NULL)
    start = LLVMAddGlobalInAddressSpace(rewrite->module, byte, base, space);
  LLVMValueRef index = LLVMConstInt(LLVMInt64TypeInContext(context), offset, 0);
  LLVMValueRef address = LLVMConstGEP2(byte, start, &index, 1);
  return LLVMTypeOf(address) == type ? address : LLVMConstAddrSpaceCast(address, type);
}

static void place_data(assay_rewrite *rewrite, assay_table *table, assay_variable *variable,
                       LLVMValueRef global) {
  variable->offset = table->data_bytes;
  table->data_bytes += round_up(variable->size, DATA_ALIGN) + DATA_ALIGN;
  LLVMReplaceAllUsesWith(global, address_of(rewrite, global, "assay_data", variable->offset));
  const char *name = assay_arena_format(rewrite->arena, ASSAY_PRELUDE_PREFIX "init.%zu",
                                        (size_t)(variable - table->variables));
  LLVMSetValueName2(global, name, strlen(name));
  LLVMSetLinkage(global, LLVMExternalLinkage);
}

static assay_code place(assay_rewrite *rewrite, assay_table *table, LLVMValueRef global,
                        assay_error *err) {
  assay_variable *variable = &table->variables[table->variable_count];
  LLVMTypeRef type = LLVMGlobalGetValueType(global);
  size_t length;
  *variable = (assay_variable){
      .name = assay_arena_string(rewrite->arena, LLVMGetValueName2(global, &length)),
      .is_shared = LLVMGetPointerAddressSpace(LLVMTypeOf(global)) == SHARED_SPACE,
      .constant = LLVMIsGlobalConstant(global),
      .size = LLVMABISizeOfType(rewrite->layout, type),
      .kernels = assay_arena_take(rewrite->arena, table->kernel_count, sizeof(bool))};
  if (!variable->is_shared && LLVMIsDeclaration(global))
    return assay_fail(err, ASSAY_FAILED, "the simulator does not know the variable %s",
                      variable->name);
  mark_users(table, global, variable->kernels);
  if (variable->is_shared) {
    unsigned align = LLVMGetAlignment(global);
    place_shared(table, variable, align > SHARED_ALIGN ? align : SHARED_ALIGN);
    LLVMReplaceAllUsesWith(global, address_of(rewrite, global, "assay_shared", variable->offset));
  } else {
    place_data(rewrite, table, variable, global);
  }
  table->variable_count++;
  return ASSAY_OK;
}

// Dynamic shared memory has no size of its own: it is placed behind what has.
static bool is_dynamic(const assay_rewrite *rewrite, LLVMValueRef global) {
  return LLVMABISizeOfType(rewrite->layout, LLVMGlobalGetValueType(global)) == 0;
}

static assay_code place_all(assay_rewrite *rewrite, assay_table *table, assay_error *err) {
  size_t count = 0;
  for (LLVMValueRef at = LLVMGetFirstGlobal(rewrite->module); at != NULL;
       at = LLVMGetNextGlobal(at))
    count++;
  LLVMValueRef *globals = assay_arena_take(rewrite->arena, count, sizeof(LLVMValueRef));
  table->variables = assay_arena_take(rewrite->arena, count, sizeof *table->variables);
  LLVMValueRef at = LLVMGetFirstGlobal(rewrite->module);
  for (size_t i = 0; i < count; i++, at = LLVMGetNextGlobal(at))
    globals[i] = at;
  for (int dynamic = 0; dynamic < 2; dynamic++)
    for (size_t i = 0; i < count; i++) {
      size_t length;
      bool used_by_llvm = strncmp(LLVMGetValueName2(globals[i], &length), "llvm.", 5) == 0;
      if (!used_by_llvm && is_dynamic(rewrite, globals[i]) == (dynamic == 1))
        TRY(place(rewrite, table, globals[i], err));
    }
  for (size_t i = 0; i < count; i++)
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(globals[i])) == SHARED_SPACE)
      LLVMDeleteGlobal(globals[i]);
  return ASSAY_OK;
}

assay_code assay_table_make(assay_rewrite *rewrite, assay_table *out_table, assay_error *err) {
  *out_table = (assay_table){0};
  collect_kernels(rewrite, out_table);
  return place_all(rewrite, out_table, err);
}

void assay_table_find_barriers(const assay_rewrite *rewrite, assay_table *table) {
  unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", 10);
  bool *kernels = assay_arena_take(rewrite->arena, table->kernel_count, sizeof(bool));
  for (LLVMValueRef at = LLVMGetFirstFunction(rewrite->prelude); at != NULL;
       at = LLVMGetNextFunction(at)) {
    size_t length;
    LLVMValueRef called = LLVMGetNamedFunction(rewrite->module, LLVMGetValueName2(at, &length));
    if (called != NULL &&
        LLVMGetEnumAttributeAtIndex(at, LLVMAttributeFunctionIndex, convergent) != NULL)
      mark_users(table, called, kernels);
  }
  for (size_t i = 0; i < table->kernel_count; i++)
    table->kernels[i].synchronises = kernels[i];
}
