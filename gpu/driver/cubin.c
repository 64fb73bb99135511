// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/cubin.h"

#include <unistd.h>

// What was wrong with a file of the cache; NULL for nothing.
static const char *complaint(assay_arena *arena, assay_cache_answer answer, const char *file,
                             int architecture) {
  switch (answer) {
  case ASSAY_CACHE_DAMAGED:
    return assay_arena_format(arena, "%s was damaged", file);
  case ASSAY_CACHE_FOREIGN:
    return assay_arena_format(arena, "%s is not code for sm_%d", file, architecture);
  case ASSAY_CACHE_OTHER:
    return assay_arena_format(arena, "%s is of other kernels", file);
  default:
    return NULL;
  }
}

// Puts a new cubin there; what there is to say of that.
static const char *keep(assay_arena *arena, const char *file, const char *key,
                        const assay_ptxas_output *output, const char *wrong) {
  assay_error why;
  if (file == NULL)
    return "cubins are not kept: neither XDG_CACHE_HOME nor HOME is an absolute path";
  if (assay_cache_write(arena, file, key, output, &why) == ASSAY_OK)
    return wrong != NULL ? assay_arena_format(arena, "%s; it was made anew", wrong) : NULL;
  return assay_arena_format(arena, "%s%scubins are not kept: %s: %s", wrong != NULL ? wrong : "",
                            wrong != NULL ? "; " : "", why.where, why.text);
}

// What is in the cache under that key, with its figures. *out_wrong: what is wrong with the file.
static bool recall(assay_arena *arena, const char *file, const char *key, const char *ptx,
                   int architecture, assay_cubin *cubin, const char **out_wrong) {
  assay_ptxas_output output;
  assay_error why;
  assay_cache_answer answer = assay_cache_read(arena, file, key, &output);
  *out_wrong = complaint(arena, answer, file, architecture);
  if (answer != ASSAY_CACHE_FOUND)
    return false;
  cubin->bytes = output.bytes;
  cubin->size = output.size;
  cubin->cached = assay_ptxas_figures(arena, output.log, ptx, &cubin->kernels, &cubin->kernel_count,
                                      &why) == ASSAY_OK;
  if (!cubin->cached)
    *out_wrong = assay_arena_format(arena, "%s is without ptxas' figures", file);
  return cubin->cached;
}

assay_code assay_cubin_make(assay_arena *arena, const assay_toolkit *toolkit, const char *ptx,
                            int architecture, assay_cubin *out_cubin, const char **out_note,
                            assay_error *err) {
  *out_note = NULL;
  if (toolkit->ptxas == NULL)
    return assay_fail(err, toolkit->misnamed ? ASSAY_INVALID : ASSAY_MISSING, "no ptxas: %s",
                      toolkit->lack);
  const char *version, *wrong = NULL;
  TRY(assay_ptxas_version(arena, toolkit->ptxas, &version, err));
  const char *key = assay_arena_format(arena, "sm_%d\n%s\n%s\n%s", architecture, version,
                                       assay_ptxas_identity(arena, toolkit->ptxas), ptx);
  const char *file = assay_cache_file(arena, key);
  *out_cubin = (assay_cubin){.file = file};
  if (file != NULL && recall(arena, file, key, ptx, architecture, out_cubin, &wrong))
    return ASSAY_OK;
  assay_ptxas_output output;
  assay_error why;
  TRY(assay_ptxas_run(arena, toolkit->ptxas, ptx, architecture, &output, err));
  out_cubin->bytes = output.bytes;
  out_cubin->size = output.size;
  if (assay_ptxas_figures(arena, output.log, ptx, &out_cubin->kernels, &out_cubin->kernel_count,
                          &why) == ASSAY_OK) {
    *out_note = keep(arena, file, key, &output, wrong);
    return ASSAY_OK;
  }
  out_cubin->unknown = assay_arena_string(arena, why.text);
  *out_note = assay_arena_format(arena, "the cubin is not kept: %s", why.text);
  return ASSAY_OK;
}

void assay_cubin_forget(const assay_cubin *cubin) {
  if (cubin->file != NULL)
    (void)unlink(cubin->file);
}
