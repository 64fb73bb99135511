# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# cmake --install: the program with its data, libassay.a with the headers that a backend and a main
# need, find_package(assay), the manual page, completion and ci/gate. What has to be made is made while
# installing, from what is built, so that a build costs nothing more.
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

set(ASSAY_PYTHON "python3" CACHE STRING
    "The oracle's Python of an installation, with NumPy >= 2: a file, or a name that is looked for in PATH")

set_target_properties(assay PROPERTIES INSTALL_RPATH ${ASSAY_LLVM_LIB})
install(TARGETS assay RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})

set(data ${CMAKE_INSTALL_DATADIR}/assay)
install(DIRECTORY suite/cases suite/faults DESTINATION ${data}/suite)
install(FILES suite/known_gaps suite/OPS.md DESTINATION ${data}/suite)
install(DIRECTORY reference/oracle DESTINATION ${data}/reference
        PATTERN "*_test.py" EXCLUDE PATTERN "__pycache__" EXCLUDE)
install(DIRECTORY reference/store DESTINATION ${data}/reference)
install(PROGRAMS ci/gate DESTINATION ${data}/ci)
install(DIRECTORY docs/ DESTINATION ${CMAKE_INSTALL_DOCDIR} FILES_MATCHING PATTERN "*.md")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(FILES ci/install/completion RENAME assay
        DESTINATION ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)

# Every room, and the verbs.
get_property(rooms GLOBAL PROPERTY ASSAY_ROOMS)
list(TRANSFORM rooms REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE archives)
set(revision_file ${CMAKE_BINARY_DIR}/harness/cli/revision.c)
install(CODE "
set(ASSAY_SOURCE \"${CMAKE_SOURCE_DIR}\")
set(ASSAY_PROGRAM \"$<TARGET_FILE:assay>\")
set(ASSAY_ARCHIVES \"${archives}\")
set(ASSAY_AR \"${CMAKE_AR}\")
set(ASSAY_RANLIB \"${CMAKE_RANLIB}\")
set(ASSAY_STRIP \"${CMAKE_STRIP}\")
set(ASSAY_PYTHON \"${ASSAY_PYTHON}\")
set(ASSAY_DATA \"${data}\")
set(ASSAY_REVISION_FILE \"${revision_file}\")
set(ASSAY_LIBRARY \"${CMAKE_INSTALL_LIBDIR}/libassay.a\")
set(ASSAY_HEADERS \"${CMAKE_INSTALL_INCLUDEDIR}/assay\")
set(ASSAY_MANUAL \"${CMAKE_INSTALL_MANDIR}/man1/assay.1\")
include(\"${CMAKE_SOURCE_DIR}/ci/install/make.cmake\")
")

# What a program that links libassay.a links besides, as it was found here.
file(GLOB capi ${ASSAY_LLVM_LIB}/libMLIRCAPI*.a)
file(GLOB test_archives ${ASSAY_LLVM_LIB}/libMLIR*TestPasses.a ${ASSAY_LLVM_LIB}/libMLIRTest*.a
     ${ASSAY_LLVM_LIB}/libMLIRShardTest.a)
set(ASSAY_MLIR_ARCHIVES "")
foreach(archive ${capi} ${test_archives})
  get_filename_component(name ${archive} NAME)
  list(APPEND ASSAY_MLIR_ARCHIVES ${name})
endforeach()
if(NOT ASSAY_HAVE_CBLAS)
  set(BLAS_LIBRARIES "")
endif()
set(package ${CMAKE_INSTALL_LIBDIR}/cmake/assay)
set(ASSAY_LIBRARY_FILE ${CMAKE_INSTALL_LIBDIR}/libassay.a)
set(ASSAY_HEADER_FOLDER ${CMAKE_INSTALL_INCLUDEDIR}/assay)
set(ASSAY_DATA_FOLDER ${data})
configure_package_config_file(ci/install/assayConfig.cmake.in assayConfig.cmake
  INSTALL_DESTINATION ${package}
  PATH_VARS ASSAY_LIBRARY_FILE ASSAY_HEADER_FOLDER ASSAY_DATA_FOLDER)
configure_file(${ASSAY_ROOT_DIR}/ci/install/assayConfigVersion.cmake.in assayConfigVersion.cmake @ONLY)
install(FILES ${CMAKE_CURRENT_BINARY_DIR}/assayConfig.cmake
              ${CMAKE_CURRENT_BINARY_DIR}/assayConfigVersion.cmake DESTINATION ${package})
