// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The fake driver's calls of code. It reads of PTX and of cubins for which device they are and
// which kernels they have; "fake cubin sm_90 NAME..." is a cubin that a test can write.
#include "gpu/driver/fake/calls.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// The number after a word of the text; -1 where it is not there.
static int number_after(const char *text, const char *word) {
  const char *at = strstr(text, word);
  return at != NULL ? (int)strtol(at + strlen(word), NULL, 10) : -1;
}

static char *copy_of(const char *text, size_t length) {
  char *copy = calloc(length + 1, 1);
  if (copy == NULL)
    abort();
  memcpy(copy, text, length);
  return copy;
}

// " a b " of the names after each ".entry".
static char *read_entries(const char *ptx) {
  char *names = copy_of(ptx, strlen(ptx)), *end = names;
  *end++ = ' ';
  for (const char *at = ptx; (at = strstr(at, ".entry ")) != NULL;) {
    at += strlen(".entry ");
    size_t length = strcspn(at, " (\n");
    memcpy(end, at, length);
    end[length] = ' ';
    end += length + 1;
  }
  *end = '\0';
  return names;
}

static cuda_result load_ptx(const char *ptx, char *log, char **out_names) {
  const fake_machine *machine = &fake_get()->machine;
  int isa = number_after(ptx, ".version "), target = number_after(ptx, ".target sm_");
  if (isa < 0 || target < 0) {
    snprintf(log, 128, "ptxas application ptx input, line 1; fatal   : Missing .version\n%s",
             "ptxas fatal   : Ptx assembly aborted due to errors");
    return CUDA_INVALID_PTX;
  }
  // CUDA 11 reads PTX up to ISA 7.x, 12 up to 8.x, 13 up to 9.x; 11.N up to 7.N.
  const char *minor = strchr(strstr(ptx, ".version "), '.') + 1;
  minor = strchr(minor, '.');
  int most = machine->driver / 1000 - 4, most_minor = machine->driver % 1000 / 10;
  if (isa > most || (isa == most && minor != NULL && strtol(minor + 1, NULL, 10) > most_minor)) {
    snprintf(log, 128, "ptxas application ptx input, line 1; fatal   : Unsupported .version %d",
             isa);
    return CUDA_UNSUPPORTED_PTX_VERSION;
  }
  if (target > machine->architecture)
    return CUDA_NO_BINARY_FOR_GPU;
  *out_names = read_entries(ptx);
  return CUDA_SUCCESS;
}

static cuda_result load_fake_cubin(const char *text, char **out_names) {
  if (number_after(text, "sm_") != fake_get()->machine.architecture)
    return CUDA_NO_BINARY_FOR_GPU;
  const char *names = strchr(strstr(text, "sm_"), ' ');
  *out_names = copy_of(names != NULL ? names : " ", names != NULL ? strlen(names) : 1);
  for (char *at = *out_names; (at = strchr(at, '\n')) != NULL;)
    *at = ' ';
  return CUDA_SUCCESS;
}

// The sections .text.NAME of an ELF file for CUDA.
static cuda_result load_elf(const char *image, char **out_names) {
  const Elf64_Ehdr *header = (const Elf64_Ehdr *)image;
  int architecture = fake_get()->machine.architecture;
  // The architecture stands in the lowest byte, since CUDA 13 in the next one.
  if ((int)(header->e_flags & 0xFF) != architecture &&
      (int)(header->e_flags >> 8 & 0xFF) != architecture)
    return CUDA_NO_BINARY_FOR_GPU;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(image + header->e_shoff);
  const char *strings = image + sections[header->e_shstrndx].sh_offset;
  char *names = calloc(sections[header->e_shstrndx].sh_size + 2, 1), *end = names;
  if (names == NULL)
    abort();
  *end++ = ' ';
  for (int i = 0; i < header->e_shnum; i++) {
    const char *name = strings + sections[i].sh_name;
    size_t length = strlen(name);
    if (length <= 6 || strncmp(name, ".text.", 6) != 0)
      continue;
    memcpy(end, name + 6, length - 6);
    end += length - 6;
    *end++ = ' ';
  }
  *out_names = names;
  return CUDA_SUCCESS;
}

static cuda_result load_attached(const void *image, assay_gpu_module **out_loaded) {
  fake_state *state = fake_get();
  assay_error err;
  if (state->gpu == NULL ||
      state->gpu->methods->load(state->gpu, image, state->image_size, out_loaded, &err) != ASSAY_OK)
    return CUDA_INVALID_IMAGE;
  return CUDA_SUCCESS;
}

cuda_result cuModuleLoadDataEx(cuda_module **module, const void *image, unsigned count,
                               const int *options, void **values) {
  ENTER("cuModuleLoadDataEx", FAKE_NEEDS_CONTEXT);
  enum { EM_OF_CUDA = 190 };
  char log[128] = "", *names = NULL;
  const char *text = image;
  assay_gpu_module *loaded = NULL;
  cuda_result result;
  if (strncmp(text, "fake cubin ", 11) == 0)
    result = load_fake_cubin(text, &names);
  else if (text[0] == '/' || text[0] == '.' || text[0] == '\n')
    result = load_ptx(text, log, &names);
  else if (memcmp(text, ELFMAG, SELFMAG) == 0 &&
           ((const Elf64_Ehdr *)image)->e_machine == EM_OF_CUDA)
    result = load_elf(image, &names);
  else
    result = load_attached(image, &loaded);
  for (unsigned i = 0; i < count; i++)
    if (options[i] == CUDA_JIT_ERROR_LOG)
      snprintf(values[i], sizeof log, "%s", log);
  if (result != CUDA_SUCCESS)
    return result;
  fake_object *object = fake_add(FAKE_MODULE);
  object->names = names;
  object->loaded = loaded;
  *module = (cuda_module *)object;
  return CUDA_SUCCESS;
}

cuda_result cuModuleUnload(cuda_module *module) {
  cuda_result result = fake_enter("cuModuleUnload", FAKE_NEEDS_CONTEXT);
  fake_object *object;
  FIND(object, module, FAKE_MODULE, "cuModuleUnload");
  if (fake_is_queued(object) && fake_get()->dead == CUDA_SUCCESS)
    fake_misuse("cuModuleUnload: a kernel of it is under way");
  if (object->loaded != NULL)
    fake_get()->gpu->methods->unload(object->loaded);
  object->loaded = NULL;
  object->alive = false;
  return result;
}

static bool has_name(const fake_object *module, const char *name) {
  size_t length = strlen(name);
  const char *at = module->names;
  while (at != NULL && (at = strstr(at, name)) != NULL) {
    if (at > module->names && at[-1] == ' ' && (at[length] == ' ' || at[length] == '\0'))
      return true;
    at++;
  }
  return false;
}

cuda_result cuModuleGetFunction(cuda_function **function, cuda_module *module, const char *name) {
  ENTER("cuModuleGetFunction", FAKE_NEEDS_CONTEXT);
  fake_object *object;
  assay_gpu_function *found = NULL;
  assay_error err;
  FIND(object, module, FAKE_MODULE, "cuModuleGetFunction");
  if (object->loaded != NULL &&
      fake_get()->gpu->methods->find(object->loaded, name, &found, &err) != ASSAY_OK)
    return CUDA_NOT_FOUND;
  if (object->loaded == NULL && !has_name(object, name))
    return CUDA_NOT_FOUND;
  fake_object *made = fake_add(FAKE_FUNCTION);
  made->module = object;
  made->found = found;
  *function = (cuda_function *)made;
  return CUDA_SUCCESS;
}

cuda_result cuFuncSetAttribute(cuda_function *function, int attribute, int value) {
  ENTER("cuFuncSetAttribute", FAKE_NEEDS_CONTEXT);
  fake_object *object;
  FIND(object, function, FAKE_FUNCTION, "cuFuncSetAttribute");
  if (attribute != CUDA_FUNCTION_MAX_DYNAMIC_SHARED || value < 0 || value > 227 * 1024)
    return CUDA_INVALID_VALUE;
  object->bytes = (size_t)value;
  return CUDA_SUCCESS;
}

static cuda_result run_kernel(fake_work *work) {
  (void)work;
  return fake_fault_at("kernel");
}

// How many bytes a parameter has only its code knows, so that none can be kept for later: what is
// queued is done before.
static cuda_result launch_attached(const fake_object *function, const assay_gpu_launch *launch) {
  fake_state *state = fake_get();
  assay_error err;
  assay_gpu_launch now = *launch;
  now.function = function->found;
  while (now.parameters[now.parameter_count] != NULL)
    now.parameter_count++;
  fake_wait(NULL);
  cuda_result result = fake_fault_at("kernel");
  if (result == CUDA_SUCCESS && state->dead == CUDA_SUCCESS &&
      state->gpu->methods->launch(state->gpu, &now, &err) != ASSAY_OK) {
    result = CUDA_LAUNCH_FAILED;
    if (state->fault[0] == '\0')
      snprintf(state->fault, sizeof state->fault, "%.1000s", err.text);
  }
  if (result != CUDA_SUCCESS && state->dead == CUDA_SUCCESS)
    state->dead = result;
  return CUDA_SUCCESS; // what waits for it tells
}

cuda_result cuLaunchKernel(cuda_function *function, unsigned grid_x, unsigned grid_y,
                           unsigned grid_z, unsigned block_x, unsigned block_y, unsigned block_z,
                           unsigned shared, cuda_stream *stream, void **parameters, void **extra) {
  enum { MOST_YZ = 65535, MOST_THREADS = 1024, MOST_SHARED = 48 * 1024 };
  ENTER("cuLaunchKernel", FAKE_NEEDS_CONTEXT);
  fake_object *object, *on;
  FIND(object, function, FAKE_FUNCTION, "cuLaunchKernel");
  FIND(on, stream, FAKE_STREAM, "cuLaunchKernel");
  uint64_t threads = (uint64_t)block_x * block_y * block_z;
  size_t most_shared = object->bytes > MOST_SHARED ? object->bytes : MOST_SHARED;
  if (grid_x == 0 || grid_y == 0 || grid_z == 0 || grid_x > INT32_MAX || grid_y > MOST_YZ ||
      grid_z > MOST_YZ || threads == 0 || threads > MOST_THREADS || shared > most_shared ||
      extra != NULL)
    return CUDA_INVALID_VALUE;
  if (object->found != NULL)
    return launch_attached(object, &(assay_gpu_launch){.grid = {grid_x, grid_y, grid_z},
                                                       .block = {block_x, block_y, block_z},
                                                       .shared = shared,
                                                       .parameters = parameters});
  fake_enqueue(&(fake_work){.run = run_kernel, .object = object});
  return CUDA_SUCCESS;
}
