// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "gpu/driver/cuda.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

const assay_cuda_names assay_cuda_name = {
#define NAME(member, symbol, parameters) .member = (symbol),
    CUDA_CALLS(NAME) CUDA_POOL_CALLS(NAME)
#undef NAME
};

const char *assay_cuda_symbols(void *library, const cuda_symbol symbols[], size_t count) {
  const char *lacking = NULL;
  for (size_t i = 0; i < count; i++) {
    // POSIX lets dlsym's pointer to an object hold one to a function; no cast can name its type.
    void *found = dlsym(library, symbols[i].name);
    memcpy(symbols[i].out_function, &found, sizeof found);
    if (found == NULL && !symbols[i].optional)
      lacking = symbols[i].name;
  }
  return lacking;
}

// The loader's words, which are long, where they tell more than that the file is not there.
static assay_code fail_without_library(const char *said, assay_error *err) {
  bool absent = strstr(said, "libcuda.so.1: cannot open shared object file: No such file") != NULL;
  return assay_fail(err, ASSAY_MISSING, "no CUDA driver: %s",
                    absent ? "libcuda.so.1 is not there" : said);
}

assay_code assay_cuda_find(assay_cuda_calls *out_calls, assay_error *err) {
  void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == NULL)
    return fail_without_library(dlerror(), err);
#define NEEDED(member, symbol, parameters) {(symbol), &out_calls->member, false},
#define OPTIONAL(member, symbol, parameters) {(symbol), &out_calls->member, true},
  const cuda_symbol symbols[] = {CUDA_CALLS(NEEDED) CUDA_POOL_CALLS(OPTIONAL)};
#undef NEEDED
#undef OPTIONAL
  const char *lacking = assay_cuda_symbols(library, symbols, sizeof symbols / sizeof symbols[0]);
  if (lacking != NULL)
    return assay_fail(err, ASSAY_MISSING, "libcuda.so.1 has no %s: the driver is too old", lacking);
  return ASSAY_OK;
}

cuda_words assay_cuda_describe(const assay_cuda_calls *calls, cuda_result result) {
  cuda_words words;
  const char *name = NULL, *text = NULL;
  if (calls->error_name(result, &name) != CUDA_SUCCESS || name == NULL)
    snprintf(words.text, sizeof words.text, "error %d", (int)result);
  else if (calls->error_string(result, &text) != CUDA_SUCCESS || text == NULL)
    snprintf(words.text, sizeof words.text, "%s", name);
  else
    snprintf(words.text, sizeof words.text, "%s (%s)", name, text);
  return words;
}

cuda_words assay_cuda_room(const assay_cuda_calls *calls) {
  cuda_words words = {""};
  size_t unused = 0, total = 0;
  if (calls->memory_info(&unused, &total) == CUDA_SUCCESS)
    snprintf(words.text, sizeof words.text, "%.4g of %.4g GB free", 1e-9 * (double)unused,
             1e-9 * (double)total);
  return words;
}

// Those of which the manual says that "the process must be terminated and relaunched", that the
// context is destroyed, or that the device is not there any more. A device that falls off the bus
// is told as CUDA_ERROR_UNKNOWN.
bool assay_cuda_is_sticky(cuda_result result) {
  switch (result) {
  case CUDA_DEINITIALIZED:
  case CUDA_DEVICE_UNAVAILABLE:
  case CUDA_ECC_UNCORRECTABLE:
  case CUDA_NVLINK_UNCORRECTABLE:
  case CUDA_CONTAINED:
  case CUDA_ILLEGAL_ADDRESS:
  case CUDA_LAUNCH_TIMEOUT:
  case CUDA_CONTEXT_IS_DESTROYED:
  case CUDA_ASSERT:
  case CUDA_HARDWARE_STACK_ERROR:
  case CUDA_ILLEGAL_INSTRUCTION:
  case CUDA_MISALIGNED_ADDRESS:
  case CUDA_INVALID_ADDRESS_SPACE:
  case CUDA_INVALID_PC:
  case CUDA_LAUNCH_FAILED:
  case CUDA_TENSOR_MEMORY_LEAK:
  case CUDA_EXTERNAL_DEVICE:
  case CUDA_UNKNOWN:
    return true;
  default:
    return false;
  }
}
