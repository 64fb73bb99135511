// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/bench/device_peaks.h"

#include "harness/isolate/isolate.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

// What the process tells. Flat, since it crosses a process boundary.
typedef struct news {
  bool failed;
  char reason[1024];
  assay_peaks peaks;
} news;

typedef struct work {
  const assay_opened *opened;
  bool begun, told;
  news told_news;
} work;

bool assay_device_peaks_known(const assay_opened *opened) {
  const assay_backend *backend = opened->backend;
  return opened->device != NULL && backend->time != NULL && backend->hardware != NULL &&
         backend->measure_peaks != NULL;
}

bool assay_device_peaks_shared(const assay_opened *a, const assay_opened *b) {
  return assay_device_peaks_known(a) && assay_device_peaks_known(b) &&
         strcmp(a->backend->hardware(a->device), b->backend->hardware(b->device)) == 0;
}

static void *next(void *user) {
  work *it = user;
  if (it->begun)
    return NULL;
  it->begun = true;
  return it;
}

static void measure(void *user, void *task, const assay_channel *channel) {
  const assay_opened *opened = ((work *)user)->opened;
  news told = {.failed = false};
  assay_error err;
  (void)task;
  if (opened->backend->measure_peaks(opened->device, &told.peaks, &err) != ASSAY_OK) {
    told = (news){.failed = true};
    snprintf(told.reason, sizeof told.reason, "%.1000s", err.text);
  }
  assay_channel_send(channel, &told);
}

static assay_code take_news(void *user, void *task, const void *message, assay_error *err) {
  work *it = user;
  (void)task;
  (void)err;
  it->told = true;
  it->told_news = *(const news *)message;
  return ASSAY_OK;
}

static assay_code end(void *user, void *task, assay_ending ending, const char *reason,
                      assay_error *err) {
  (void)user;
  (void)task;
  return ending == ASSAY_ENDED_WELL ? ASSAY_OK : assay_fail(err, ASSAY_FAILED, "%s", reason);
}

// A number that is none, or endless, was not measured.
static double checked(double value) {
  return isfinite(value) && value > 0 ? value : 0;
}

assay_code assay_device_peaks_measure(const assay_opened *opened,
                                      const assay_bench_options *options, assay_peaks *out_peaks,
                                      assay_error *err) {
  work it = {.opened = opened};
  const assay_isolation isolation = {.parallel = 1,
                                     .seconds = options->timeout,
                                     .memory_bytes = options->memory_bytes,
                                     .message_size = sizeof(news),
                                     .stop = options->stop};
  const assay_isolated_work isolated = {
      .user = &it, .next = next, .body = measure, .message = take_news, .ended = end};
  *out_peaks = (assay_peaks){0};
  TRY(assay_isolate(&isolation, &isolated, err));
  if (!it.told)
    return ASSAY_OK; // stopped
  if (it.told_news.failed)
    return assay_fail(err, ASSAY_FAILED, "%.*s", (int)sizeof it.told_news.reason - 1,
                      it.told_news.reason);
  const assay_peaks *found = &it.told_news.peaks;
  *out_peaks = (assay_peaks){.gflops_f32 = checked(found->gflops_f32),
                             .gflops_f64 = checked(found->gflops_f64),
                             .gbs = checked(found->gbs)};
  return ASSAY_OK;
}
