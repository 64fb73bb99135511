// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What upstream code prints to a descriptor although it should be an error's text.
#ifndef ASSAY_COMPILER_BRIDGE_PASSES_CAPTURE_H
#define ASSAY_COMPILER_BRIDGE_PASSES_CAPTURE_H

#include <string>

namespace assay {

// Between construction and take() (or destruction) the descriptor leads into memory. Where the
// system has no room for that, nothing is captured and all is printed as before.
class Capture {
public:
  explicit Capture(int descriptor);
  ~Capture();
  Capture(const Capture &) = delete;
  Capture &operator=(const Capture &) = delete;

  std::string take();

private:
  int descriptor, saved, memory;
};

} // namespace assay

#endif
