// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/blas.h"

#ifdef ASSAY_HAVE_CBLAS
#include <cblas.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// A function that only some BLAS have; POSIX lets dlsym's pointer to an object hold one.
typedef void (*function)(void);

static function find(const char *name) {
  void *symbol = dlsym(RTLD_DEFAULT, name);
  function result = NULL;
  memcpy(&result, &symbol, sizeof result);
  return result;
}

assay_code assay_blas_describe(assay_blas *out_blas, assay_error *err) {
  Dl_info info;
  void *symbol = dlsym(RTLD_DEFAULT, "cblas_sgemm");
  if (symbol == NULL) { // linked statically
    void (*gemm)(void) = (void (*)(void))cblas_sgemm;
    memcpy(&symbol, &gemm, sizeof symbol);
  }
  if (dladdr(symbol, &info) == 0)
    return assay_fail(err, ASSAY_FAILED, "cannot tell which library cblas_sgemm comes from");
  snprintf(out_blas->library, sizeof out_blas->library, "%s", info.dli_fname);
  char *(*core)(void) = (char *(*)(void))find("openblas_get_corename");
  snprintf(out_blas->core, sizeof out_blas->core, "%s", core != NULL ? core() : "unknown");
  int (*threads)(void) = (int (*)(void))find("openblas_get_num_threads");
  out_blas->threads = threads != NULL ? threads() : 0;
  return ASSAY_OK;
}

void assay_blas_set_threads(int threads) {
  void (*set)(int) = (void (*)(int))find("openblas_set_num_threads");
  if (set != NULL)
    set(threads);
}

#else

assay_code assay_blas_describe(assay_blas *out_blas, assay_error *err) {
  (void)out_blas;
  return assay_fail(err, ASSAY_MISSING,
                    "built without a CBLAS: install one (Debian: libopenblas-dev) or name its file "
                    "with -DASSAY_BLAS=FILE, and build again");
}

void assay_blas_set_threads(int threads) {
  (void)threads;
}

#endif
