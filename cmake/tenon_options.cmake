# tenon_options: the switches, all named TENON_*; what a user of add_subdirectory gets is the library alone.
include(CMakeDependentOption)

set(TENON_LLVM AUTO CACHE STRING "LLVM code generation: AUTO (when LLVM 22 is found), ON, OFF")
set_property(CACHE TENON_LLVM PROPERTY STRINGS AUTO ON OFF)
option(TENON_LIBRARY "compile tenon::compiled; off: tests, examples and tool are made of the headers and one file of definitions" ON)
option(TENON_TOOLS "build the command line" ${PROJECT_IS_TOP_LEVEL})
option(TENON_C_API "build the shared libraries behind <tenon.h>, for C and Python" ${PROJECT_IS_TOP_LEVEL})
option(TENON_TESTS "build the tests" ${PROJECT_IS_TOP_LEVEL})
option(TENON_EXAMPLES "build the examples and test their output" ${PROJECT_IS_TOP_LEVEL})
option(TENON_IMAGES "read image files by the libraries that are found (ImageDecoder)" ON)
option(TENON_INSTALL "install and export rules" ${PROJECT_IS_TOP_LEVEL})
option(TENON_WERROR "warnings of this project's own targets are errors" OFF)
option(TENON_CCACHE "compile through ccache when it is there" ${PROJECT_IS_TOP_LEVEL})
option(TENON_TEST_PCH "precompile what most tests, and most commands of the tool, include" ON)
option(TENON_FUZZERS "build the fuzzers (clang++; see the preset sanitize)" OFF)
set(TENON_TEST_OPT "-O1" CACHE STRING "optimization of test executables (compile time counts more than speed)")
set(TENON_GROUP "1" CACHE STRING "so many files of tests are compiled as one, and some of the library and of the tool: less work for a whole build, more after a change")
set(TENON_TEST_DIRS "" CACHE STRING "only these folders of tests/ (empty: all)")
set(TENON_TEST_DIRS_LEFT_OUT "" CACHE STRING "not these folders of tests/, which another build has")
set(TENON_TEST_DIRS_WITHOUT_LLVM all CACHE STRING
    "of the tests and lessons that need no LLVM, those of these folders only, where another build has the others")
set(TENON_SANITIZE "" CACHE STRING "value of -fsanitize= for everything built here")
set(TENON_SANITIZE_TESTS "" CACHE STRING
    "only these folders of tests/ are compiled with the sanitizers, the others linked with them (empty: all)")
set(TENON_ONNX_DIR "$ENV{TENON_ONNX_DIR}" CACHE PATH "ONNX models and backend tests (models/, tests/); tests skip without")

if(PROJECT_IS_TOP_LEVEL)
  if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "" FORCE)
  endif()
  if(CMAKE_CXX_FLAGS_RELEASE STREQUAL "-O3 -DNDEBUG")  # CMake's default, not somebody's choice
    set(CMAKE_CXX_FLAGS_RELEASE "-O2 -DNDEBUG")
  endif()
  set(CMAKE_CXX_STANDARD 20)
  set(CMAKE_CXX_STANDARD_REQUIRED ON)
  set(CMAKE_CXX_EXTENSIONS OFF)
  set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
  set(CMAKE_COLOR_DIAGNOSTICS OFF)
endif()

if(TENON_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  find_program(TENON_CCACHE_PROGRAM ccache)
  if(TENON_CCACHE_PROGRAM)
    # Clones share the cache (base_dir, no hash_dir), and precompiled headers are cacheable (sloppiness).
    set(CMAKE_CXX_COMPILER_LAUNCHER
        "${CMAKE_COMMAND}" -E env "CCACHE_BASEDIR=${PROJECT_SOURCE_DIR}" CCACHE_NOHASHDIR=1
        "CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime" "${TENON_CCACHE_PROGRAM}")
    if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      set(tenon_pch_flags -Xclang -fno-pch-timestamp)
    endif()
  endif()
endif()

# g++ compiles this library a sixth faster where it does not look for memory to reuse before it took a gigabyte or two.
if(PROJECT_IS_TOP_LEVEL AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  cmake_host_system_information(RESULT tenon_kilobytes QUERY TOTAL_PHYSICAL_MEMORY)  # in MB
  cmake_host_system_information(RESULT tenon_cores QUERY NUMBER_OF_LOGICAL_CORES)
  math(EXPR tenon_kilobytes "${tenon_kilobytes} * 1024 / (4 * ${tenon_cores})")  # of each compiler
  if(tenon_kilobytes GREATER 2000000)
    set(tenon_kilobytes 2000000)
  endif()
  if(tenon_kilobytes GREATER 131072)  # what g++ takes by itself
    add_compile_options(--param=ggc-min-heapsize=${tenon_kilobytes})
  endif()
endif()

# What every target of this project compiles and links with and no user of it does; tests that TENON_SANITIZE_TESTS does
# not name link tenon_unsanitized.
add_library(tenon_unsanitized INTERFACE)
add_library(tenon_warnings INTERFACE)
target_link_libraries(tenon_warnings INTERFACE tenon_unsanitized)
target_compile_options(tenon_unsanitized INTERFACE -Wall -Wextra -Wpedantic ${tenon_pch_flags})
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")  # doctest's macros use __COUNTER__
  target_compile_options(tenon_unsanitized INTERFACE -Wno-unknown-warning-option -Wno-c2y-extensions)
endif()
if(TENON_WERROR)
  target_compile_options(tenon_unsanitized INTERFACE -Werror)
  if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    # These come from the optimizer, and g++ 12 has many false ones in its own headers: they stay warnings.
    target_compile_options(tenon_unsanitized INTERFACE -Wno-error=array-bounds -Wno-error=stringop-overflow
      -Wno-error=stringop-overread -Wno-error=restrict -Wno-error=maybe-uninitialized -Wno-error=free-nonheap-object
      -Wno-error=null-dereference -Wno-error=dangling-pointer -Wno-error=use-after-free)
  endif()
endif()
if(TENON_SANITIZE)
  target_compile_options(tenon_warnings INTERFACE -fsanitize=${TENON_SANITIZE} -fno-omit-frame-pointer
                                                  -fno-sanitize-recover=all)
  target_link_options(tenon_unsanitized INTERFACE -fsanitize=${TENON_SANITIZE})
endif()
# lld takes an eighth of the time of GNU ld for programs that hold all of tenon.
find_program(TENON_LLD NAMES ld.lld HINTS /usr/lib/llvm-22/bin NO_DEFAULT_PATH
             DOC "lld, to link what is built here (optional)")
if(TENON_LLD AND PROJECT_IS_TOP_LEVEL)
  cmake_path(GET TENON_LLD PARENT_PATH tenon_lld_folder)
  target_link_options(tenon_unsanitized INTERFACE -fuse-ld=lld "-B${tenon_lld_folder}")
endif()
