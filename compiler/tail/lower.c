// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/tail/lower.h"

#include "compiler/base/text.h"
#include "compiler/bridge/small_floats.h"
#include "compiler/bridge/tail_rewrite.h"
#include "compiler/ir/diagnostics.h"
#include "compiler/tail/steps.h"

#include <mlir-c/BuiltinTypes.h>
#include <mlir-c/Pass.h>
#include <stdio.h>
#include <string.h>

// What occurs in a module: dialects by name, and kinds of types under names that no dialect has.
enum { MAX_DIALECTS = 64, NAME = 32 };
typedef struct dialect_set {
  int count;
  char name[MAX_DIALECTS][NAME];
} dialect_set;

static bool has(const dialect_set *contents, const char *name, size_t length) {
  for (int i = 0; i < contents->count; i++)
    if (strlen(contents->name[i]) == length && memcmp(contents->name[i], name, length) == 0)
      return true;
  return false;
}

static void add(dialect_set *contents, const char *name, size_t length) {
  if (length >= NAME || contents->count == MAX_DIALECTS || has(contents, name, length))
    return;
  memcpy(contents->name[contents->count], name, length);
  contents->name[contents->count++][length] = '\0';
}

static bool has_space(MlirType type) {
  return (mlirTypeIsAMemRef(type) && !mlirAttributeIsNull(mlirMemRefTypeGetMemorySpace(type))) ||
         (mlirTypeIsAUnrankedMemRef(type) &&
          !mlirAttributeIsNull(mlirUnrankedMemrefGetMemorySpace(type)));
}

static void add_type(dialect_set *contents, MlirType type) {
  MlirType element = mlirTypeIsAShaped(type) ? mlirShapedTypeGetElementType(type) : type;
  if (mlirTypeIsAComplex(element))
    element = mlirComplexTypeGetElementType(element);
  if (mlirTypeIsABF16(element) && !has(contents, "%watched", strlen("%watched")))
    add(contents, "%brain", strlen("%brain"));
  if (mlirTypeIsAInteger(element) && !mlirIntegerTypeIsSignless(element))
    add(contents, "%sign", strlen("%sign"));
  if (assay_small_float_of(element) < ASSAY_SMALL_FLOAT_COUNT)
    add(contents, "%small", strlen("%small"));
  if (mlirTypeIsARankedTensor(type) || mlirTypeIsAUnrankedTensor(type))
    add(contents, "%tensor", strlen("%tensor"));
  if (has_space(type))
    add(contents, "%space", strlen("%space"));
  if (!mlirTypeIsAMemRef(type) || has(contents, "%layout", strlen("%layout")))
    return;
  int64_t rank = mlirShapedTypeGetRank(type), offset, strides[64];
  if (rank <= 64 &&
      mlirLogicalResultIsFailure(mlirMemRefTypeGetStridesAndOffset(type, strides, &offset)))
    add(contents, "%layout", strlen("%layout"));
}

static MlirWalkResult look_at(MlirOperation operation, void *data) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  const char *dot = memchr(name.data, '.', name.length);
  if (dot != NULL)
    add(data, name.data, (size_t)(dot - name.data));
  for (intptr_t i = 0; i < mlirOperationGetNumResults(operation); i++)
    add_type(data, mlirValueGetType(mlirOperationGetResult(operation, i)));
  for (intptr_t i = 0; i < mlirOperationGetNumOperands(operation); i++)
    add_type(data, mlirValueGetType(mlirOperationGetOperand(operation, i)));
  // A function may take what it never uses.
  for (intptr_t r = 0; r < mlirOperationGetNumRegions(operation); r++) {
    MlirBlock block = mlirRegionGetFirstBlock(mlirOperationGetRegion(operation, r));
    for (intptr_t i = 0; !mlirBlockIsNull(block) && i < mlirBlockGetNumArguments(block); i++)
      add_type(data, mlirValueGetType(mlirBlockGetArgument(block, i)));
  }
  return MlirWalkResultAdvance;
}

// Whether any of the space-separated names occurs.
static bool has_any(const dialect_set *contents, const char *names) {
  for (const char *at = names; *at != '\0';) {
    size_t length = strcspn(at, " ");
    if (has(contents, at, length))
      return true;
    at += length;
    at += strspn(at, " ");
  }
  return *names == '\0';
}

static void add_all(dialect_set *contents, const char *names) {
  for (const char *at = names; *at != '\0';) {
    size_t length = strcspn(at, " ");
    add(contents, at, length);
    at += length;
    at += strspn(at, " ");
  }
}

static assay_code run_passes(MlirModule module, const char *what, const char *passes,
                             assay_error *err) {
  MlirOperation operation = mlirModuleGetOperation(module);
  MlirContext context = mlirOperationGetContext(operation);
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, context);
  MlirPassManager manager = mlirPassManagerCreate(context);
  mlirPassManagerEnableVerifier(manager, false);
  assay_excerpt complaint = {.length = 0};
  assay_code code = ASSAY_OK;
  if (mlirLogicalResultIsFailure(mlirParsePassPipeline(mlirPassManagerGetAsOpPassManager(manager),
                                                       mlirStringRefCreateFromCString(passes),
                                                       assay_excerpt_append, &complaint)))
    code = assay_fail(err, ASSAY_FAILED, "%s: %s", what, complaint.text);
  else if (mlirLogicalResultIsFailure(mlirPassManagerRunOnOp(manager, operation)))
    code = assay_diagnostics_fail(&diagnostics, what, err);
  mlirPassManagerDestroy(manager);
  assay_diagnostics_close(&diagnostics);
  if (code == ASSAY_OK)
    return ASSAY_OK;
  err->code = ASSAY_UNSUPPORTED;
  return ASSAY_UNSUPPORTED;
}

typedef struct tail_lowering {
  MlirModule module;
  dialect_set contents;
  assay_text passes; // collected, not yet run
  const char *what;
} tail_lowering;

static assay_code flush(tail_lowering *lowering, assay_error *err) {
  if (lowering->passes.length == 0)
    return ASSAY_OK;
  assay_text_print(&lowering->passes, ")");
  const char *passes = assay_text_get(&lowering->passes);
  lowering->passes = (assay_text){.arena = lowering->passes.arena};
  return run_passes(lowering->module, lowering->what, passes, err);
}

// A pass loads the dialects that it makes operations of; for a rewrite it is done here. Names are
// parted by spaces.
static void load_dialects(MlirModule module, const char *names) {
  MlirContext context = mlirOperationGetContext(mlirModuleGetOperation(module));
  for (size_t length; *names != '\0'; names += length + (names[length] == ' ')) {
    length = strcspn(names, " ");
    mlirContextGetOrLoadDialect(context, mlirStringRefCreate(names, length));
  }
}

static assay_code take_step(tail_lowering *lowering, const assay_tail_step *step,
                            assay_error *err) {
  if (!has_any(&lowering->contents, step->needs))
    return ASSAY_OK;
  add_all(&lowering->contents, step->makes);
  if (step->rewrite != NULL) {
    TRY(flush(lowering, err));
    load_dialects(lowering->module, step->makes);
    step->rewrite(lowering->module);
    return ASSAY_OK;
  }
  assay_text_print(&lowering->passes, "%s%s",
                   lowering->passes.length == 0 ? "builtin.module(" : ",", step->passes);
  return ASSAY_OK;
}

static MlirWalkResult find_foreign(MlirOperation operation, void *data) {
  MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(operation));
  MlirOperation *found = data;
  if (strncmp(name.data, "llvm.", 5) == 0 || strncmp(name.data, "builtin.module", 14) == 0)
    return MlirWalkResultAdvance;
  // A cast is only what stands around the operation that stayed, where there is one.
  bool is_cast = strncmp(name.data, "builtin.", 8) == 0;
  if (!is_cast || mlirOperationIsNull(*found))
    *found = operation;
  return is_cast ? MlirWalkResultAdvance : MlirWalkResultInterrupt;
}

static assay_code check(MlirModule module, const char *what, assay_arena *arena,
                        const char **out_left, assay_error *err) {
  MlirOperation left = {NULL}, top = mlirModuleGetOperation(module);
  mlirOperationWalk(top, find_foreign, &left, MlirWalkPreOrder);
  if (!mlirOperationIsNull(left)) {
    MlirStringRef name = mlirIdentifierStr(mlirOperationGetName(left));
    assay_excerpt place = {.length = 0};
    *out_left = assay_arena_bytes(arena, name.data, name.length);
    mlirLocationPrint(mlirOperationGetLocation(left), assay_excerpt_append, &place);
    return assay_fail(err, ASSAY_UNSUPPORTED, "%s cannot lower %.*s at %s", what, (int)name.length,
                      name.data, place.text);
  }
  assay_diagnostics diagnostics;
  assay_diagnostics_open(&diagnostics, mlirOperationGetContext(top));
  bool verifies = mlirOperationVerify(top);
  assay_diagnostics_close(&diagnostics);
  if (verifies)
    return ASSAY_OK;
  assay_code code = assay_diagnostics_fail(&diagnostics, what, err);
  (void)code;
  err->code = ASSAY_UNSUPPORTED;
  return ASSAY_UNSUPPORTED;
}

static assay_code run_user_tail(MlirModule module, const assay_pass_pipeline *user_tail,
                                assay_arena *arena, assay_error *err) {
  if (user_tail == NULL)
    return ASSAY_OK;
  return run_passes(module, "--tail", assay_pass_pipeline_text(user_tail, arena), err);
}

static void look(tail_lowering *lowering, const assay_tail_request *request) {
  lowering->contents.count = 0;
  if (request->checked)
    add(&lowering->contents, "%check", strlen("%check"));
  if (request->instrument == ASSAY_INSTRUMENT_ROUNDING || request->optimise)
    add(&lowering->contents, "%long", strlen("%long"));
  if (request->instrument > ASSAY_INSTRUMENT_ROUNDING)
    add(&lowering->contents, "%watched", strlen("%watched"));
  mlirOperationWalk(mlirModuleGetOperation(lowering->module), look_at, &lowering->contents,
                    MlirWalkPreOrder);
}

// The operation that MLIR's conversions say they failed at.
static const char *find_in_message(const char *message, assay_arena *arena) {
  static const char words[] = "failed to legalize operation '";
  const char *at = strstr(message, words);
  if (at == NULL)
    return "";
  at += strlen(words);
  return assay_arena_bytes(arena, at, strcspn(at, "'"));
}

static assay_code take_steps(tail_lowering *lowering, const assay_tail_request *request,
                             assay_error *err) {
  bool is_first = request->tail == ASSAY_TAIL_FIRST;
  look(lowering, request);
  const assay_tail_step *step = assay_tail_steps(is_first ? ASSAY_TAIL_SECOND : ASSAY_TAIL_FIRST);
  for (int i = 0; i < request->other_steps && step->needs != NULL; i++, step++)
    TRY(take_step(lowering, step, err));
  if (request->other_steps > 0) {
    TRY(flush(lowering, err));
    look(lowering, request);
  }
  for (step = assay_tail_steps(request->tail); step->needs != NULL; step++)
    TRY(take_step(lowering, step, err));
  return flush(lowering, err);
}

assay_code assay_tail_lower(MlirModule module, const assay_tail_request *request, bool guarded,
                            assay_arena *arena, const char **out_left, assay_error *err) {
  *out_left = "";
  bool is_first = request->tail == ASSAY_TAIL_FIRST;
  tail_lowering lowering = {.module = module,
                            .passes.arena = arena,
                            .what = is_first ? "the first tail" : "the second tail"};
  TRY(run_user_tail(module, request->user_tail, arena, err));
  load_dialects(module, "arith bufferization func index linalg math memref scf tensor");
  assay_rewrite_unknown(module);
  assay_rewrite_control(module);
  assay_rewrite_gathers(module);
  assay_rewrite_front(module);
  assay_rewrite_corners(module);
  if (guarded)
    assay_rewrite_drop_alignment(module);
  assay_code code = take_steps(&lowering, request, err);
  if (code == ASSAY_OK)
    return check(module, lowering.what, arena, out_left, err);
  *out_left = find_in_message(err->text, arena);
  return code;
}
