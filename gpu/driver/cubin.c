// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/cubin.h"

#include <unistd.h>

assay_code assay_cubin_make(assay_arena *arena, const assay_toolkit *toolkit, const char *ptx,
                            int architecture, assay_cubin *out_cubin, const char **out_note,
                            assay_error *err) {
  *out_note = NULL;
  if (toolkit->ptxas == NULL)
    return assay_fail(err, ASSAY_MISSING,
                      "no ptxas on PATH, below CUDA_HOME, or where CUDA's toolkit is installed");
  const char *version;
  TRY(assay_ptxas_version(arena, toolkit->ptxas, &version, err));
  const char *key = assay_arena_format(arena, "sm_%d\n%s\n%s", architecture, version, ptx);
  const char *file = assay_cache_file(arena, key);
  assay_ptxas_output output;
  assay_cache_answer answer =
      file != NULL ? assay_cache_read(arena, file, key, &output) : ASSAY_CACHE_NOTHING;
  if (answer != ASSAY_CACHE_FOUND) {
    TRY(assay_ptxas_run(arena, toolkit->ptxas, ptx, architecture, &output, err));
    if (file != NULL)
      assay_cache_write(arena, file, key, &output);
  }
  if (answer == ASSAY_CACHE_DAMAGED)
    *out_note = assay_arena_format(arena, "%s was damaged; it was made anew", file);
  *out_cubin = (assay_cubin){.bytes = output.bytes,
                             .size = output.size,
                             .cached = answer == ASSAY_CACHE_FOUND,
                             .file = file};
  out_cubin->kernels = assay_ptxas_figures(arena, output.log, &out_cubin->kernel_count);
  return ASSAY_OK;
}

void assay_cubin_forget(const assay_cubin *cubin) {
  if (cubin->file != NULL)
    (void)unlink(cubin->file);
}
