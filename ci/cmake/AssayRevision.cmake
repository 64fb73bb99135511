# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Run at every build (cmake -DSOURCE=FOLDER -DFILE=FILE -P): what is built, as a C file, which is left
# alone where it says so already. A repository around the source folder that does not keep it is
# somebody else's.
cmake_minimum_required(VERSION 3.25)
set(ENV{GIT_OPTIONAL_LOCKS} 0)
set(revision "")
execute_process(COMMAND git -C "${SOURCE}" ls-files --error-unmatch CMakeLists.txt
                RESULT_VARIABLE failed OUTPUT_QUIET ERROR_QUIET)
if(failed STREQUAL "0")
  execute_process(COMMAND git -C "${SOURCE}" describe --always --dirty --abbrev=12
                  OUTPUT_VARIABLE revision ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
endif()
if(revision MATCHES "^[A-Za-z0-9._+/@=,-]+$")
  set(value "\"${revision}\"")
else()
  set(value "NULL")
endif()
file(CONFIGURE OUTPUT "${FILE}" @ONLY CONTENT "// Generated at every build; written where it changed.
#include \"harness/cli/revision.h\"

#include <stddef.h>

const char *const assay_revision = @value@;
")
