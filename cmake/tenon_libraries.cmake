# tenon_libraries: the four libraries that users link.
#
#   tenon::tenon     the headers: they declare; one file of the program includes <tenon/definitions.hpp>
#   tenon::runtime   the same, for programs that only run what was built
#   tenon::compiled  the headers with their definitions, compiled
#   tenon::llvm      LLVM code generation; only when LLVM 22 is found
include(GNUInstallDirs)
include(tenon_group)
find_package(Threads REQUIRED)

add_library(tenon INTERFACE)
add_library(tenon::tenon ALIAS tenon)
target_compile_features(tenon INTERFACE cxx_std_20)
target_link_libraries(tenon INTERFACE Threads::Threads ${CMAKE_DL_LIBS})
file(GLOB_RECURSE tenon_headers CONFIGURE_DEPENDS
     "${PROJECT_SOURCE_DIR}/include/tenon/*.hpp" "${PROJECT_SOURCE_DIR}/include/tenon/*.ipp"
     "${PROJECT_SOURCE_DIR}/include/tenon/*.h")
target_sources(tenon INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/include" FILES ${tenon_headers})

add_library(tenon_runtime INTERFACE)
add_library(tenon::runtime ALIAS tenon_runtime)
set_target_properties(tenon_runtime PROPERTIES EXPORT_NAME runtime)
target_link_libraries(tenon_runtime INTERFACE tenon)

# The definitions of a program that only runs what was built, as small as they can be: compiled once for the programs
# and the C library here that hold them.
file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/definitions/only_runtime.cpp"
     CONTENT "#include <tenon/definitions/runtime.hpp>\n")
add_library(tenon_runtime_definitions OBJECT EXCLUDE_FROM_ALL "${PROJECT_BINARY_DIR}/definitions/only_runtime.cpp")
set_target_properties(tenon_runtime_definitions PROPERTIES POSITION_INDEPENDENT_CODE ON CXX_VISIBILITY_PRESET hidden
                      VISIBILITY_INLINES_HIDDEN ON)
target_compile_options(tenon_runtime_definitions PRIVATE -Os -ffunction-sections -fdata-sections)
target_link_libraries(tenon_runtime_definitions PUBLIC tenon_runtime PRIVATE tenon_warnings)
target_include_directories(tenon_runtime_definitions INTERFACE "${PROJECT_SOURCE_DIR}/src/linked")

# tenon_library(name FILES...): a static library of this project; without files it has no reason to be.
function(tenon_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "FILES")
  add_library(tenon_${name} STATIC ${arg_FILES})
  add_library(tenon::${name} ALIAS tenon_${name})
  set_target_properties(tenon_${name} PROPERTIES EXPORT_NAME ${name} POSITION_INDEPENDENT_CODE ON)
  target_link_libraries(tenon_${name} PRIVATE $<BUILD_INTERFACE:tenon_warnings>)
endfunction()

# The library is compiled a part of the definitions at a time.
file(GLOB tenon_parts CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include" "${PROJECT_SOURCE_DIR}/include/tenon/definitions/parts/*.hpp")
set(tenon_compiled_sources)
foreach(part ${tenon_parts})
  cmake_path(GET part STEM name)
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/definitions/${name}.cpp" CONTENT "#include <${part}>\n")
  list(APPEND tenon_compiled_sources "${PROJECT_BINARY_DIR}/definitions/${name}.cpp")
endforeach()
# The target xsimd: its kernels are compiled once for each instruction set, and chosen when the program runs.
find_path(TENON_XSIMD_INCLUDE xsimd/xsimd.hpp DOC "the headers of xsimd")
if(TENON_XSIMD_INCLUDE)
  file(GLOB tenon_xsimd_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/xsimd/*.cpp")
  set(tenon_simd_quiet -Wno-uninitialized -Wno-maybe-uninitialized)  # of g++ 12's own intrinsics
  if(NOT CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
    list(FILTER tenon_xsimd_sources EXCLUDE REGEX "avx")
  endif()
  set_source_files_properties(${tenon_xsimd_sources} PROPERTIES COMPILE_OPTIONS "${tenon_simd_quiet}")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/xsimd/avx2.cpp" PROPERTIES
    COMPILE_OPTIONS "${tenon_simd_quiet};-mavx2;-mfma")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/xsimd/avx512.cpp" PROPERTIES
    COMPILE_OPTIONS "${tenon_simd_quiet};-mavx512f;-mavx512cd;-mavx512dq;-mavx512bw;-mavx2;-mfma")
  list(APPEND tenon_compiled_sources ${tenon_xsimd_sources})
else()
  message(STATUS "tenon: xsimd was not found: no target xsimd (Debian: libxsimd-dev)")
  list(FILTER tenon_compiled_sources EXCLUDE REGEX "/definitions/xsimd\\.cpp$")
endif()

# tenon_one_file(VAR XSIMD): a file with all definitions, as a program has it. It may include any header behind them.
function(tenon_one_file result xsimd)
  set(includes "#include <tenon/definitions/json.hpp>\n#include <tenon/definitions/onnx.hpp>\n")
  if(TENON_XSIMD_INCLUDE)
    string(APPEND includes "#include <tenon/definitions/${xsimd}>\n")
  endif()
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE "${PROJECT_SOURCE_DIR}/include"
       "${PROJECT_SOURCE_DIR}/include/tenon/*.hpp")
  list(FILTER headers EXCLUDE REGEX "^tenon/(definitions|hana\\.hpp)")
  list(TRANSFORM headers REPLACE "(.+)" "#include <\\1>\n")
  string(APPEND includes ${headers})
  file(CONFIGURE OUTPUT "${PROJECT_BINARY_DIR}/definitions/all.cpp" CONTENT "${includes}")
  set(${result} "${PROJECT_BINARY_DIR}/definitions/all.cpp" PARENT_SCOPE)
endfunction()

# For a whole build clang++ compiles the parts as one file: two fifths of the work of six, which g++ does not save.
if(TENON_LIBRARY AND TENON_GROUP GREATER 1 AND CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  tenon_one_file(all parts/xsimd.hpp)
  set(tenon_compiled_sources "${all}" ${tenon_xsimd_sources})
endif()

# TENON_BASE is what everything else here links: the library, or the headers with one file of definitions, as a program has it.
if(TENON_LIBRARY)
  tenon_library(compiled FILES ${tenon_compiled_sources})
  target_link_libraries(tenon_compiled PUBLIC tenon_runtime)
  tenon_compiled_together(tenon_compiled 6)
  # What the definitions include from elsewhere. CMake leaves out folders that the compiler searches anyway.
  find_path(TENON_PROTOZERO_INCLUDE protozero/pbf_reader.hpp DOC "the headers of protozero")
  find_path(TENON_JSON_INCLUDE nlohmann/json.hpp DOC "the headers of nlohmann-json")
  if(NOT TENON_PROTOZERO_INCLUDE OR NOT TENON_JSON_INCLUDE)
    message(FATAL_ERROR "tenon: tenon::compiled needs the headers of protozero and nlohmann-json (Debian: libprotozero-dev "
                        "nlohmann-json3-dev); or configure with -DTENON_LIBRARY=OFF")
  endif()
  target_include_directories(tenon_compiled SYSTEM PRIVATE "${TENON_PROTOZERO_INCLUDE}" "${TENON_JSON_INCLUDE}")
  if(TENON_XSIMD_INCLUDE)
    target_include_directories(tenon_compiled SYSTEM PRIVATE "${TENON_XSIMD_INCLUDE}")
  endif()
  # Says to <tenon/definitions.hpp> that a program has the definitions already.
  target_include_directories(tenon_compiled INTERFACE "$<BUILD_INTERFACE:${PROJECT_SOURCE_DIR}/src/linked>"
                                                      "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}/tenon_linked>")
  set(TENON_BASE tenon_compiled)
else()
  tenon_one_file(all xsimd.hpp)
  tenon_library(definitions FILES "${all}")
  target_compile_options(tenon_definitions PRIVATE ${TENON_TEST_OPT} ${tenon_simd_quiet})
  target_link_libraries(tenon_definitions PUBLIC tenon_runtime)
  target_include_directories(tenon_definitions INTERFACE "${PROJECT_SOURCE_DIR}/src/linked")
  set(TENON_BASE tenon_definitions)
endif()
# What ImageDecoder reads, each where its library is found.
foreach(codec JPEG:jpeglib.h:jpeg:libjpeg62-turbo-dev PNG:png.h:png:libpng-dev WEBP:webp/decode.h:webp:libwebp-dev
              TIFF:tiffio.h:tiff:libtiff-dev JPEG2000:openjpeg.h:openjp2:libopenjp2-7-dev)
  if(NOT TENON_IMAGES)
    break()
  endif()
  string(REPLACE ":" ";" parts "${codec}")
  list(GET parts 0 name)
  list(GET parts 1 header)
  list(GET parts 2 library)
  list(GET parts 3 package)
  find_path(TENON_${name}_INCLUDE "${header}" PATH_SUFFIXES openjpeg-2.5 DOC "the headers of a library for ${name} images")
  find_library(TENON_${name}_LIBRARY "${library}" DOC "a library for ${name} images")
  if(TENON_${name}_INCLUDE AND TENON_${name}_LIBRARY)
    target_compile_definitions(${TENON_BASE} PRIVATE TENON_HAS_${name}=1)
    target_include_directories(${TENON_BASE} SYSTEM PRIVATE "${TENON_${name}_INCLUDE}")
    target_link_libraries(${TENON_BASE} PRIVATE "${TENON_${name}_LIBRARY}")
    list(APPEND tenon_codec_libraries ${library})
    list(APPEND tenon_codec_packages ${package})
    list(APPEND tenon_codec_files "${TENON_${name}_LIBRARY}")
  else()
    message(STATUS "tenon: ${library} was not found: no ${name} images (Debian: ${package})")
  endif()
endforeach()

set(TENON_HAS_LLVM OFF)
file(GLOB tenon_native_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/native/*.cpp")
file(GLOB tenon_codegen_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/src/codegen/*.cpp")
if(TENON_LLVM AND tenon_codegen_sources)
  # No version in the call: LLVM's version file takes "22" to mean 22.0.
  find_package(LLVM CONFIG QUIET HINTS /usr/lib/llvm-22)
  # lld comes as static archives on top of the shared LLVM.
  find_library(TENON_LLD_ELF lldELF HINTS "${LLVM_LIBRARY_DIR}")
  find_library(TENON_LLD_COMMON lldCommon HINTS "${LLVM_LIBRARY_DIR}")
  find_library(TENON_LLD_Z z)
  find_library(TENON_LLD_ZSTD zstd)
  if(LLVM_FOUND AND TARGET LLVM AND LLVM_VERSION_MAJOR EQUAL 22 AND TENON_LLD_ELF AND TENON_LLD_COMMON AND TENON_LLD_Z
     AND TENON_LLD_ZSTD)
    set(TENON_HAS_LLVM ON)
  else()
    set(packages "Debian: llvm-22-dev liblld-22-dev zlib1g-dev libzstd-dev")
    if(NOT TENON_LLVM STREQUAL "AUTO")
      message(FATAL_ERROR "tenon: TENON_LLVM is ON but LLVM 22 with lld was not found (${packages}; or set LLVM_DIR)")
    endif()
    message(STATUS "tenon: LLVM 22 with lld was not found: no native code generation (${packages})")
  endif()
endif()
set(TENON_CODEGEN ${TENON_BASE})
if(TENON_HAS_LLVM)
  message(STATUS "tenon: LLVM ${LLVM_PACKAGE_VERSION} (${LLVM_DIR})")
  # SYSTEM: LLVM's headers are not clean under -Wpedantic.
  foreach(part native codegen)
    add_library(tenon_${part} OBJECT ${tenon_${part}_sources})
    set_target_properties(tenon_${part} PROPERTIES POSITION_INDEPENDENT_CODE ON)
    target_include_directories(tenon_${part} PRIVATE "${PROJECT_SOURCE_DIR}/src/native")
    target_compile_definitions(tenon_${part} PRIVATE TENON_HAS_LLVM=1)
    target_link_libraries(tenon_${part} PRIVATE ${TENON_BASE} tenon_warnings)
    tenon_compiled_together(tenon_${part} 6)
  endforeach()
  target_include_directories(tenon_codegen SYSTEM PRIVATE ${LLVM_INCLUDE_DIRS})
  separate_arguments(tenon_llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
  list(TRANSFORM tenon_llvm_definitions REPLACE "^-D" "")
  target_compile_definitions(tenon_codegen PRIVATE ${tenon_llvm_definitions})
  target_compile_options(tenon_codegen PRIVATE -Wno-unused-parameter)
  tenon_library(llvm FILES $<TARGET_OBJECTS:tenon_native> $<TARGET_OBJECTS:tenon_codegen>
                           "${PROJECT_SOURCE_DIR}/src/llvm/linked.cpp")
  target_include_directories(tenon_llvm PRIVATE "${PROJECT_SOURCE_DIR}/src/native")
  target_compile_definitions(tenon_llvm PUBLIC TENON_HAS_LLVM=1)
  target_link_libraries(tenon_llvm PUBLIC ${TENON_BASE})
  set(tenon_llvm_libraries "${TENON_LLD_ELF}" "${TENON_LLD_COMMON}" LLVM "${TENON_LLD_Z}" "${TENON_LLD_ZSTD}")
  target_link_libraries(tenon_llvm PRIVATE ${tenon_llvm_libraries})
  set(tenon_lld_libraries -llldELF -llldCommon -lz -lzstd)
  # The same for a program that opens it when it is first needed: what it calls of the library is the program's.
  add_library(tenon_codegen_file MODULE EXCLUDE_FROM_ALL $<TARGET_OBJECTS:tenon_codegen>)
  target_link_libraries(tenon_codegen_file PRIVATE ${tenon_llvm_libraries})
  cmake_path(RELATIVE_PATH CMAKE_INSTALL_FULL_LIBDIR BASE_DIRECTORY "${CMAKE_INSTALL_FULL_BINDIR}"
             OUTPUT_VARIABLE tenon_codegen_folder)
  string(APPEND tenon_codegen_folder "/tenon")
  cmake_path(ABSOLUTE_PATH tenon_codegen_folder BASE_DIRECTORY "${PROJECT_BINARY_DIR}/bin" NORMALIZE
             OUTPUT_VARIABLE made)
  set_target_properties(tenon_codegen_file PROPERTIES OUTPUT_NAME tenon_codegen LIBRARY_OUTPUT_DIRECTORY "${made}")
  set(TENON_CODEGEN tenon_llvm)
endif()
