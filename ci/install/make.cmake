# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Run by cmake --install, with what AssayInstall.cmake sets: makes what an installation has and a build
# has not, straight into the prefix.
set(prefix "$ENV{DESTDIR}${CMAKE_INSTALL_PREFIX}")

# One library of all rooms' objects.
set(library "${prefix}/${ASSAY_LIBRARY}")
message(STATUS "Making: ${library}")
get_filename_component(folder "${library}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
file(REMOVE "${library}")
execute_process(COMMAND ${ASSAY_AR} qcL "${library}" ${ASSAY_ARCHIVES} COMMAND_ERROR_IS_FATAL ANY)
if(CMAKE_INSTALL_DO_STRIP)
  execute_process(COMMAND ${ASSAY_STRIP} --strip-debug "${library}" COMMAND_ERROR_IS_FATAL ANY)
endif()
execute_process(COMMAND ${ASSAY_RANLIB} "${library}" COMMAND_ERROR_IS_FATAL ANY)

# What a backend and a main include, in the folders that they name.
file(GLOB_RECURSE headers RELATIVE "${ASSAY_SOURCE}" "${ASSAY_SOURCE}/compiler/*.h")
list(FILTER headers EXCLUDE REGEX "_testing\\.h$")
foreach(header ${headers} harness/cli/assay.h)
  get_filename_component(folder "${header}" DIRECTORY)
  file(INSTALL DESTINATION "${CMAKE_INSTALL_PREFIX}/${ASSAY_HEADERS}/${folder}"
       FILES "${ASSAY_SOURCE}/${header}" MESSAGE_NEVER)
endforeach()

# Which Python answers, and what was installed: no repository is around the prefix, or somebody else's.
execute_process(COMMAND git -C "${ASSAY_SOURCE}" describe --always --dirty --abbrev=12
                OUTPUT_VARIABLE revision ERROR_QUIET OUTPUT_STRIP_TRAILING_WHITESPACE)
file(WRITE "${prefix}/${ASSAY_DATA}/revision" "${revision}\n")
file(WRITE "${prefix}/${ASSAY_DATA}/python" "${ASSAY_PYTHON}\n")

# The manual page is what the program says of itself.
set(manual "${prefix}/${ASSAY_MANUAL}")
get_filename_component(folder "${manual}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${ASSAY_SOURCE}/ci/install/manual" "${ASSAY_PROGRAM}"
                OUTPUT_FILE "${manual}" COMMAND_ERROR_IS_FATAL ANY)
