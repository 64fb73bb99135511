// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "harness/cli/sandbox.h"
#include "harness/isolate/isolate.h"

#include <stdio.h>
#include <string.h>

typedef struct sandbox {
  assay_code (*body)(void *user, assay_error *err);
  void *user;
  bool given;         // the task was handed out
  assay_error result; // of the body, or of the child; code ASSAY_OK where all is well
} sandbox;

static void *next(void *user) {
  sandbox *box = user;
  void *task = box->given ? NULL : box;
  box->given = true;
  return task;
}

static void body(void *user, void *task, const assay_channel *channel) {
  (void)task;
  const sandbox *box = user;
  assay_error result = {0};
  result.code = box->body(box->user, &result);
  assay_channel_send(channel, &result);
}

static assay_code message(void *user, void *task, const void *message, assay_error *err) {
  (void)task;
  (void)err;
  sandbox *box = user;
  memcpy(&box->result, message, sizeof box->result); // it may stand unaligned
  return ASSAY_OK;
}

static assay_code ended(void *user, void *task, assay_ending ending, const char *reason,
                        assay_error *err) {
  (void)task;
  (void)err;
  sandbox *box = user;
  if (ending != ASSAY_ENDED_WELL) {
    box->result = (assay_error){.code = ASSAY_FAILED};
    snprintf(box->result.text, sizeof box->result.text, "%s", reason);
  }
  return ASSAY_OK;
}

assay_code assay_sandbox_run(const assay_options *options,
                             assay_code (*run)(void *user, assay_error *err), void *user,
                             assay_error *err) {
  sandbox box = {.body = run, .user = user};
  assay_isolation isolation = {.parallel = 1,
                               .seconds = options->timeout,
                               .memory_bytes = (int64_t)options->memory * 1000000,
                               .message_size = sizeof box.result};
  assay_isolated_work work = {
      .user = &box, .next = next, .body = body, .message = message, .ended = ended};
  TRY(assay_isolate(&isolation, &work, err));
  if (box.result.code != ASSAY_OK)
    *err = box.result;
  return box.result.code;
}
