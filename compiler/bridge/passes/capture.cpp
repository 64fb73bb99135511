// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "compiler/bridge/passes/capture.h"

#include <llvm/Support/raw_ostream.h>
#include <sys/mman.h>
#include <unistd.h>

namespace {

void flush() {
  llvm::outs().flush();
  llvm::errs().flush();
}

} // namespace

assay::Capture::Capture(int descriptor) : descriptor(descriptor), saved(-1), memory(-1) {
  flush();
  memory = memfd_create("capture", MFD_CLOEXEC);
  saved = memory < 0 ? -1 : dup(descriptor);
  if (saved >= 0)
    dup2(memory, descriptor);
}

std::string assay::Capture::take() {
  if (saved < 0)
    return {};
  flush();
  dup2(saved, descriptor);
  close(saved);
  saved = -1;
  std::string text;
  char chunk[4096];
  lseek(memory, 0, SEEK_SET);
  for (ssize_t got; (got = read(memory, chunk, sizeof chunk)) > 0;)
    text.append(chunk, static_cast<size_t>(got));
  return text;
}

assay::Capture::~Capture() {
  (void)take();
  if (memory >= 0)
    close(memory);
}
