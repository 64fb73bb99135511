// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A plug-in that was built for another LLVM: its interface has another version.
#include <stdint.h>

struct info {
  uint32_t version;
  const char *name, *plugin_version;
  void (*register_passes)(void);
};

// NOLINTNEXTLINE(misc-use-internal-linkage): the loader looks for it by name.
struct info mlirGetPassPluginInfo(void);

struct info mlirGetPassPluginInfo(void) {
  return (struct info){.version = 99, .name = "stranger", .plugin_version = "0"};
}
