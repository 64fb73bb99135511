// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/runtime/blas.h"

#ifdef ASSAY_HAVE_CBLAS
#include <cblas.h>
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

// A function that only some BLAS have; POSIX lets dlsym's pointer to an object hold one.
typedef void (*function)(void);

// The file that cblas_sgemm comes from, or NULL.
static const char *find_library(void) {
  Dl_info info;
  void *symbol = dlsym(RTLD_DEFAULT, "cblas_sgemm");
  if (symbol == NULL) { // linked statically
    void (*gemm)(void) = (void (*)(void))cblas_sgemm;
    memcpy(&symbol, &gemm, sizeof symbol);
  }
  return dladdr(symbol, &info) != 0 ? info.dli_fname : NULL;
}

// A function of that very library: another BLAS may be loaded besides, and must not answer for it.
static function find(const char *name) {
  const char *library = find_library();
  void *handle = library != NULL ? dlopen(library, RTLD_LAZY | RTLD_NOLOAD) : NULL;
  void *symbol = dlsym(handle != NULL ? handle : RTLD_DEFAULT, name);
  if (handle != NULL)
    dlclose(handle);
  function result = NULL;
  memcpy(&result, &symbol, sizeof result);
  return result;
}

assay_code assay_blas_describe(assay_blas *out_blas, assay_error *err) {
  const char *library = find_library();
  if (library == NULL)
    return assay_fail(err, ASSAY_FAILED, "cannot tell which library cblas_sgemm comes from");
  snprintf(out_blas->library, sizeof out_blas->library, "%s", library);
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
