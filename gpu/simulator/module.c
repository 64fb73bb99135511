// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Code for the simulator in this process.
#include "gpu/simulator/entries.h"
#include "gpu/simulator/state.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_SYMBOLS = 256 };

// The variables of the module in device memory, with what they hold at first.
static assay_code place_data(assay_simulator *simulator, const assay_gpu_module *module,
                             assay_error *err) {
  for (uint64_t i = 0; i < module->code->data_count; i++) {
    const assay_data_record *data = &module->code->data[i];
    uint64_t start = module->data + data->offset;
    memcpy(simulator->memory.bytes + start, data->initial, data->size);
    const assay_record record = {
        .start = start, .size = data->size, .constant = data->constant != 0, .name = data->name};
    TRY(assay_memory_add(&simulator->memory, &record, err));
  }
  return ASSAY_OK;
}

static assay_code fail_without_memory(const char *what, size_t bytes, assay_error *err) {
  return assay_fail(err, ASSAY_UNSUPPORTED,
                    "this process has no memory for %s: %zu bytes asked for", what, bytes);
}

static assay_code link_module(assay_simulator *simulator, const void *object, size_t size,
                              assay_gpu_module *module, assay_error *err) {
  assay_image_symbol symbols[MAX_SYMBOLS] = {
      {"assay_view", (uintptr_t)&simulator->view},
      {"assay_shared", (uintptr_t)simulator->shared},
      {"assay_data", (uintptr_t)(ASSAY_MEMORY_BASE + module->data)}};
  size_t count = 3;
  for (const assay_simulator_entry *entry = assay_simulator_entries(); entry->name != NULL;
       entry++) {
    if (count == MAX_SYMBOLS)
      abort(); // the table has outgrown this array
    symbols[count++] = (assay_image_symbol){entry->name, (uintptr_t)entry->address};
  }
  TRY(assay_image_link_to(object, size, count, symbols, &module->image, err));
  void *table;
  TRY(assay_image_find(module->image, ASSAY_CODE_SYMBOL, &table, err));
  module->code = table;
  module->functions = calloc(module->code->kernel_count + 1, sizeof *module->functions);
  if (module->functions == NULL)
    return fail_without_memory("kernels", module->code->kernel_count * sizeof *module->functions,
                               err);
  for (uint64_t i = 0; i < module->code->kernel_count; i++)
    module->functions[i] =
        (assay_gpu_function){.module = module, .kernel = &module->code->kernels[i]};
  return ASSAY_OK;
}

static void destroy_module(assay_gpu_module *module) {
  for (uint64_t i = 0; module->code != NULL && i < module->code->data_count; i++)
    (void)assay_memory_release(&module->simulator->memory,
                               module->data + module->code->data[i].offset);
  assay_image_unlink(module->image);
  free(module->functions);
  free(module);
}

assay_code assay_sim_load(assay_gpu *gpu, const void *bytes, size_t size,
                          assay_gpu_module **out_module, assay_error *err) {
  assay_simulator *simulator = (assay_simulator *)gpu;
  assay_code_header header;
  if (size < sizeof header || memcmp(bytes, ASSAY_CODE_MAGIC, sizeof header.magic) != 0)
    return assay_fail(err, ASSAY_FAILED, "what is to be loaded is no code for the simulator");
  memcpy(&header, bytes, sizeof header);
  uint64_t data;
  TRY(assay_memory_take_bare(&simulator->memory, header.data_bytes, &data, err));
  assay_gpu_module *module = calloc(1, sizeof *module);
  if (module == NULL)
    return fail_without_memory("a module", sizeof *module, err);
  *module = (assay_gpu_module){.simulator = simulator, .data = data};
  assay_code code = link_module(simulator, (const char *)bytes + sizeof header,
                                size - sizeof header, module, err);
  if (code != ASSAY_OK) {
    module->code = NULL;
    destroy_module(module);
    return code;
  }
  code = place_data(simulator, module, err);
  if (code != ASSAY_OK) {
    destroy_module(module);
    return code;
  }
  module->next = simulator->modules;
  simulator->modules = module;
  *out_module = module;
  return ASSAY_OK;
}

void assay_sim_unload(assay_gpu_module *module) {
  if (module == NULL)
    return;
  assay_gpu_module **at = &module->simulator->modules;
  while (*at != module)
    at = &(*at)->next;
  *at = module->next;
  destroy_module(module);
}

assay_code assay_sim_find(assay_gpu_module *module, const char *name,
                          assay_gpu_function **out_function, assay_error *err) {
  for (uint64_t i = 0; i < module->code->kernel_count; i++)
    if (strcmp(module->functions[i].kernel->name, name) == 0) {
      *out_function = &module->functions[i];
      return ASSAY_OK;
    }
  return assay_fail(err, ASSAY_MISSING, "the module has no kernel %s", name);
}
