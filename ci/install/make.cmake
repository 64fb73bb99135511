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

# ar puts archives together by a script only, whose words are no paths with blanks or commas in them.
set(parts "${library}.parts")
file(REMOVE_RECURSE "${parts}")
file(MAKE_DIRECTORY "${parts}")
set(script "create libassay.a\n")
set(number 0)
foreach(archive ${ASSAY_ARCHIVES})
  math(EXPR number "${number} + 1")
  file(CREATE_LINK "${archive}" "${parts}/${number}.a" SYMBOLIC)
  string(APPEND script "addlib ${number}.a\n")
endforeach()
file(WRITE "${parts}/script" "${script}save\nend\n")
execute_process(COMMAND ${ASSAY_AR} -M INPUT_FILE script WORKING_DIRECTORY "${parts}"
                COMMAND_ERROR_IS_FATAL ANY)
file(RENAME "${parts}/libassay.a" "${library}")
file(REMOVE_RECURSE "${parts}")
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
# The revision is the one that was built.
file(STRINGS "${ASSAY_REVISION_FILE}" revision REGEX "^const char")
if(revision MATCHES "\"(.*)\"")
  set(revision "${CMAKE_MATCH_1}")
else()
  set(revision "")
endif()
file(WRITE "${prefix}/${ASSAY_DATA}/revision" "${revision}\n")
file(WRITE "${prefix}/${ASSAY_DATA}/python" "${ASSAY_PYTHON}\n")

# The manual page is what the program says of itself.
set(manual "${prefix}/${ASSAY_MANUAL}")
get_filename_component(folder "${manual}" DIRECTORY)
file(MAKE_DIRECTORY "${folder}")
execute_process(COMMAND "${ASSAY_SOURCE}/ci/install/manual" "${ASSAY_PROGRAM}"
                OUTPUT_FILE "${manual}" COMMAND_ERROR_IS_FATAL ANY)
