// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/backends/support/instance.h"

#include "compiler/backends/support/descriptor.h"
#include "compiler/lower/jit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

typedef struct instance {
  assay_runtime *runtime;
  assay_image *image;
  assay_entry *entry;
  assay_descriptor *descriptors; // of inputs, then results: sizes and strides filled in at linking
  void **arguments;              // addresses of those
  struct instance *next;
} instance;

struct assay_instances {
  assay_object object;
  bool guarded;
  int input_count, result_count;
  assay_shape *shapes;  // of inputs, then results
  pthread_mutex_t lock; // of idle
  instance *idle;
};

static void *take(size_t count, size_t size) {
  void *memory = calloc(count, size);
  if (memory == NULL)
    abort();
  return memory;
}

static void destroy(instance *it) {
  assay_image_unlink(it->image);
  assay_runtime_destroy(it->runtime);
  free(it->arguments);
  free(it->descriptors);
  free(it);
}

static assay_code link_one(const assay_instances *instances, instance **out_instance,
                           assay_error *err) {
  instance *it = take(1, sizeof *it);
  size_t count = (size_t)instances->input_count + (size_t)instances->result_count;
  it->runtime = assay_runtime_create(instances->guarded);
  it->descriptors = take(count, sizeof *it->descriptors);
  it->arguments = take(count, sizeof *it->arguments);
  for (size_t i = 0; i < count; i++) {
    assay_descriptor_describe(&it->descriptors[i], &instances->shapes[i]);
    it->arguments[i] = &it->descriptors[i];
  }
  assay_linkage linkage = {.entries = assay_runtime_entries(), .runtime = it->runtime};
  assay_code code =
      assay_image_link(instances->object.bytes, instances->object.size, linkage, &it->image, err);
  if (code != ASSAY_OK) {
    destroy(it);
    return code;
  }
  it->entry = assay_image_entry(it->image);
  *out_instance = it;
  return ASSAY_OK;
}

assay_code assay_instances_create(const assay_program *program, const assay_object *object,
                                  bool guarded, assay_instances **out_instances, assay_error *err) {
  assay_instances *instances = take(1, sizeof *instances);
  *instances = (assay_instances){.object = {take(object->size, 1), object->size},
                                 .guarded = guarded,
                                 .input_count = program->input_count,
                                 .result_count = program->result_count};
  memcpy(instances->object.bytes, object->bytes, object->size);
  size_t count = (size_t)program->input_count + (size_t)program->result_count;
  instances->shapes = take(count, sizeof *instances->shapes);
  for (int i = 0; i < program->input_count; i++)
    instances->shapes[i] = program->nodes[program->inputs[i]].shape;
  for (int i = 0; i < program->result_count; i++)
    instances->shapes[program->input_count + i] = program->nodes[program->results[i]].shape;
  if (pthread_mutex_init(&instances->lock, NULL) != 0)
    abort(); // out of memory is all that it can report
  assay_code code = link_one(instances, &instances->idle, err);
  if (code != ASSAY_OK) {
    assay_instances_destroy(instances);
    return code;
  }
  *out_instances = instances;
  return ASSAY_OK;
}

void assay_instances_destroy(assay_instances *instances) {
  if (instances == NULL)
    return;
  while (instances->idle != NULL) {
    instance *next = instances->idle->next;
    destroy(instances->idle);
    instances->idle = next;
  }
  pthread_mutex_destroy(&instances->lock);
  free(instances->shapes);
  free(instances->object.bytes);
  free(instances);
}

static assay_code take_idle(assay_instances *instances, instance **out_instance, assay_error *err) {
  pthread_mutex_lock(&instances->lock);
  instance *it = instances->idle;
  if (it != NULL)
    instances->idle = it->next;
  pthread_mutex_unlock(&instances->lock);
  if (it == NULL)
    return link_one(instances, out_instance, err);
  *out_instance = it;
  return ASSAY_OK;
}

static void give_back(assay_instances *instances, instance *it) {
  pthread_mutex_lock(&instances->lock);
  it->next = instances->idle;
  instances->idle = it;
  pthread_mutex_unlock(&instances->lock);
}

assay_code assay_instances_run(assay_instances *instances, const assay_buffer inputs[],
                               const assay_buffer results[], assay_counters *out_counters,
                               assay_error *err) {
  instance *it;
  TRY(take_idle(instances, &it, err));
  for (int i = 0; i < instances->input_count; i++)
    assay_descriptor_point(&it->descriptors[i], inputs[i].data);
  for (int i = 0; i < instances->result_count; i++)
    assay_descriptor_point(&it->descriptors[instances->input_count + i], results[i].data);
  assay_runtime_reset(it->runtime);
  it->entry(it->arguments);
  out_counters->blas_calls = assay_runtime_blas_calls(it->runtime);
  out_counters->heap = assay_runtime_heap(it->runtime);
  assay_code code = assay_runtime_check(it->runtime, err);
  give_back(instances, it);
  return code;
}
