# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# What Assay stands on, found once: LLVM/MLIR 22, a CBLAS (optional), jansson, libxml2, cmocka (tests).

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

# MLIR_DIR may be the prefix of an LLVM/MLIR 22 or its lib/cmake/mlir folder.
set(MLIR_DIR "$ENV{MLIR_DIR}" CACHE PATH "LLVM/MLIR 22 to use")
find_program(ASSAY_LLVM_CONFIG NAMES llvm-config-22 llvm-config REQUIRED NO_CMAKE_FIND_ROOT_PATH
             HINTS ${MLIR_DIR}/bin ${MLIR_DIR}/../../../bin)
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

# The MLIR C API exists only as static archives over libMLIR.so and libLLVM.so.
file(GLOB capi ${ASSAY_LLVM_LIB}/libMLIRCAPI*.a)
add_library(assay_mlir INTERFACE)
target_include_directories(assay_mlir SYSTEM INTERFACE ${ASSAY_LLVM_INCLUDE})
target_link_directories(assay_mlir INTERFACE ${ASSAY_LLVM_LIB})
target_link_libraries(assay_mlir INTERFACE -Wl,--start-group ${capi} -Wl,--end-group MLIR LLVM-22 stdc++ m dl)

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

find_package(PkgConfig QUIET)
find_library(ASSAY_JANSSON jansson REQUIRED)
find_package(LibXml2 REQUIRED)
