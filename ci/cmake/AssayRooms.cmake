# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Rooms and catalogues: what each folder's CMakeLists.txt is made of.

# The project's root, whatever the top-level file of the build is.
get_filename_component(ASSAY_ROOT_DIR ${CMAKE_CURRENT_LIST_DIR}/../.. ABSOLUTE)

# assay_room(NAME [DEPENDS LIBRARY...]): the folder's *.c (and *.cpp) as the static library NAME, which
# may call only what it depends on; each *_test.c beside them becomes a cmocka test of its own that links
# the room and nothing above it, so that an upward call fails to link.
function(assay_room name)
  cmake_parse_arguments(ROOM "" "" "DEPENDS;SOURCES" ${ARGN})
  file(GLOB sources CONFIGURE_DEPENDS *.c *.cpp)
  file(GLOB tests CONFIGURE_DEPENDS *_test.c)
  list(REMOVE_ITEM sources ${tests} "")
  add_library(${name} STATIC ${sources} ${ROOM_SOURCES})
  target_include_directories(${name} PUBLIC ${ASSAY_ROOT_DIR})
  target_link_libraries(${name} PUBLIC assay_flags ${ROOM_DEPENDS})
  set_property(GLOBAL APPEND PROPERTY ASSAY_ROOMS ${name})
  if(ASSAY_TESTS)
    foreach(test ${tests})
      assay_unit_test(${test} ${name})
    endforeach()
  endif()
endfunction()

# assay_unit_test(FILE LIBRARY...): one cmocka program and its ctest, named after the file's folder and name.
function(assay_unit_test file)
  file(RELATIVE_PATH path ${ASSAY_ROOT_DIR} ${file})
  string(REGEX REPLACE "_test\\.c$" "" path ${path})
  string(REPLACE "/" "." test ${path})
  add_executable(${test}_test ${file})
  target_link_libraries(${test}_test PRIVATE ${ARGN} cmocka)
  target_compile_definitions(${test}_test PRIVATE ASSAY_SOURCE_DIR="${ASSAY_ROOT_DIR}")
  add_test(NAME unit.${test} COMMAND ${test}_test)
  # Leaks fail a test in the build with sanitizers, whatever the caller's environment says of them.
  set_tests_properties(unit.${test} PROPERTIES LABELS unit ENVIRONMENT ASAN_OPTIONS=detect_leaks=1)
endfunction()

# assay_catalogue(OUT FOLDER TYPE PREFIX HEADER): a folder as a table. Each FOLDER/NAME.c defines
# `const TYPE PREFIXNAME`; the generated file (its path in OUT) defines PREFIXtable, sorted by name and
# ended with NULL.
function(assay_catalogue out folder type prefix header)
  file(GLOB files CONFIGURE_DEPENDS RELATIVE ${folder} ${folder}/*.c)
  list(FILTER files EXCLUDE REGEX "_test\\.c$")
  list(SORT files)
  set(declarations "")
  set(entries "")
  foreach(file ${files})
    string(REGEX REPLACE "\\.c$" "" name ${file})
    string(APPEND declarations "extern const ${type} ${prefix}${name};\n")
    string(APPEND entries "    &${prefix}${name},\n")
  endforeach()
  set(generated ${CMAKE_CURRENT_BINARY_DIR}/${prefix}table.c)
  file(CONFIGURE OUTPUT ${generated} CONTENT "// Generated from the folder's file names.
#include \"${header}\"

${declarations}
extern const ${type} *const ${prefix}table[];
const ${type} *const ${prefix}table[] = {
${entries}    NULL,
};
" @ONLY)
  set(${out} ${generated} PARENT_SCOPE)
endfunction()
