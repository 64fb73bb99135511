# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What Assay stands on, found once: LLVM/MLIR 22, a CBLAS (optional), jansson, libxml2, SQLite, Google
# Benchmark, cmocka (tests).

# Flags of every target; warnings are errors.
add_library(assay_flags INTERFACE)
target_compile_definitions(assay_flags INTERFACE _POSIX_C_SOURCE=200809L)
target_compile_options(assay_flags INTERFACE
  -Wall -Wextra -Werror -fno-omit-frame-pointer
  $<$<COMPILE_LANGUAGE:C>:-pedantic;-Wstrict-prototypes;-Wmissing-prototypes;-Wshadow;-Wvla;-Wundef>)
if(ASSAY_SANITIZE)
  target_compile_options(assay_flags INTERFACE -fsanitize=address,undefined -fno-sanitize-recover=all)
  target_link_options(assay_flags INTERFACE -fsanitize=address,undefined)
endif()

# gold links each of the many test programs in a quarter of the time that ld takes.
include(CheckLinkerFlag)
check_linker_flag(C -fuse-ld=gold ASSAY_HAVE_GOLD)
if(ASSAY_HAVE_GOLD)
  target_link_options(assay_flags INTERFACE -fuse-ld=gold)
endif()

# MLIR_DIR, as a CMake option or in the environment, is the prefix of an LLVM/MLIR 22 or its
# lib/cmake/mlir folder, and is then used instead of any other.
set(MLIR_DIR "$ENV{MLIR_DIR}" CACHE PATH "LLVM/MLIR 22 to use")
if(MLIR_DIR)
  find_program(ASSAY_LLVM_CONFIG NAMES llvm-config llvm-config-22 NO_DEFAULT_PATH NO_CACHE
               PATHS ${MLIR_DIR}/bin ${MLIR_DIR}/../../../bin)
  if(NOT ASSAY_LLVM_CONFIG)
    message(FATAL_ERROR "no bin/llvm-config below MLIR_DIR=${MLIR_DIR}")
  endif()
else()
  find_program(ASSAY_LLVM_CONFIG NAMES llvm-config-22 NO_CACHE REQUIRED)
endif()
function(assay_llvm_config out)
  execute_process(COMMAND ${ASSAY_LLVM_CONFIG} ${ARGN} OUTPUT_VARIABLE answer
                  OUTPUT_STRIP_TRAILING_WHITESPACE COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${answer}" PARENT_SCOPE)
endfunction()
assay_llvm_config(ASSAY_LLVM_VERSION --version)
if(NOT ASSAY_LLVM_VERSION MATCHES "^22\\.")
  message(FATAL_ERROR "Assay needs LLVM/MLIR 22; ${ASSAY_LLVM_CONFIG} is ${ASSAY_LLVM_VERSION}")
endif()
assay_llvm_config(ASSAY_LLVM_INCLUDE --includedir)
assay_llvm_config(ASSAY_LLVM_LIB --libdir)
assay_llvm_config(ASSAY_LLVM_BIN --bindir)
assay_llvm_config(ASSAY_LLVM_LIBS --link-shared --libs)
find_program(ASSAY_MLIR_TBLGEN NAMES mlir-tblgen mlir-tblgen-22 HINTS ${ASSAY_LLVM_BIN} REQUIRED)
# LLVM's test tools are not part of every installation of it.
find_program(ASSAY_LIT NAMES lit HINTS ${ASSAY_LLVM_BIN} /usr/lib/llvm-22/bin)
find_program(ASSAY_FILECHECK NAMES FileCheck HINTS ${ASSAY_LLVM_BIN} /usr/lib/llvm-22/bin)

# The MLIR C API exists only as static archives over libMLIR.so and libLLVM.so.
file(GLOB capi ${ASSAY_LLVM_LIB}/libMLIRCAPI*.a)
add_library(assay_mlir INTERFACE)
target_include_directories(assay_mlir SYSTEM INTERFACE ${ASSAY_LLVM_INCLUDE})
target_link_directories(assay_mlir INTERFACE ${ASSAY_LLVM_LIB})
target_link_libraries(assay_mlir INTERFACE -Wl,--start-group ${capi} -Wl,--end-group
                      MLIR ${ASSAY_LLVM_LIBS} -Wl,-rpath,${ASSAY_LLVM_LIB} stdc++ m dl)

# Any CBLAS: what the user names, else what CMake finds (BLA_VENDOR chooses), else none.
if(ASSAY_BLAS)
  set(BLAS_LIBRARIES ${ASSAY_BLAS})
  set(BLAS_FOUND TRUE)
else()
  find_package(BLAS QUIET)
endif()
find_path(CBLAS_INCLUDE_DIR cblas.h PATH_SUFFIXES openblas cblas
          HINTS /usr/include/x86_64-linux-gnu /usr/include/aarch64-linux-gnu)
add_library(assay_cblas INTERFACE)
set(ASSAY_HAVE_CBLAS FALSE)
if(BLAS_FOUND AND CBLAS_INCLUDE_DIR)
  set(ASSAY_HAVE_CBLAS TRUE)
  target_compile_definitions(assay_cblas INTERFACE ASSAY_HAVE_CBLAS=1)
  target_include_directories(assay_cblas SYSTEM INTERFACE ${CBLAS_INCLUDE_DIR})
  target_link_libraries(assay_cblas INTERFACE ${BLAS_LIBRARIES})
else()
  message(STATUS "no CBLAS found: the backend blas will not be usable")
endif()

find_library(ASSAY_JANSSON jansson REQUIRED)
find_package(LibXml2 REQUIRED)
find_package(SQLite3 REQUIRED)
find_package(benchmark REQUIRED)

# The tests' own needs, all at once, rather than a test for each that fails later.
if(ASSAY_TESTS)
  set(missing "")
  find_library(ASSAY_CMOCKA NAMES cmocka NO_CACHE)
  if(NOT ASSAY_CMOCKA)
    list(APPEND missing "cmocka")
  endif()
  foreach(tool ASSAY_LIT ASSAY_FILECHECK)
    if(NOT ${tool})
      string(REPLACE "ASSAY_" "" name ${tool})
      list(APPEND missing "LLVM's ${name}")
    endif()
  endforeach()
  execute_process(COMMAND ${CMAKE_SOURCE_DIR}/.venv/bin/python -c "import numpy, scipy, yaml"
                  RESULT_VARIABLE python_status OUTPUT_QUIET ERROR_QUIET)
  if(NOT python_status STREQUAL "0")
    list(APPEND missing "NumPy, SciPy and PyYAML in .venv/bin/python")
  endif()
  if(missing)
    list(JOIN missing ", " missing)
    message(FATAL_ERROR "ASSAY_TESTS=ON, but the tests lack: ${missing}. "
                        "ci/setup --tests installs what they need.")
  endif()
endif()
