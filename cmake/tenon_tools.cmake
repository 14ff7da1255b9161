# tenon_tools: the command line as a library, tenon::tool (tools/*.cpp), and `tenon`, which is that with the built-in parts.
file(GLOB tenon_tool_sources CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/*.cpp")
find_package(CLI11 CONFIG QUIET)
find_package(fmt CONFIG QUIET)
if(NOT CLI11_FOUND OR NOT fmt_FOUND)
  message(FATAL_ERROR "tenon: the command line needs CLI11 and fmt (Debian: libcli11-dev libfmt-dev); "
                      "or configure with -DTENON_TOOLS=OFF")
endif()
# The files of the report page become texts of the program: it needs none of them when it runs.
foreach(part html css js)
  set(file "${PROJECT_SOURCE_DIR}/tools/report_page/page.${part}")
  file(READ "${file}" page_${part})
  set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS "${file}")
endforeach()
configure_file("${PROJECT_SOURCE_DIR}/tools/report_page/page.cpp.in" "${PROJECT_BINARY_DIR}/report_page_text.cpp" @ONLY)
add_library(tenon_command_line STATIC ${tenon_tool_sources} "${PROJECT_BINARY_DIR}/report_page_text.cpp")
target_include_directories(tenon_command_line PRIVATE "${PROJECT_SOURCE_DIR}/tools")
add_library(tenon::tool ALIAS tenon_command_line)
set_target_properties(tenon_command_line PROPERTIES EXPORT_NAME tool OUTPUT_NAME tenon_tool)
file(GLOB tenon_tool_headers CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tools/include/tenon/tool/*.hpp")
target_sources(tenon_command_line PUBLIC FILE_SET HEADERS BASE_DIRS "${PROJECT_SOURCE_DIR}/tools/include" FILES ${tenon_tool_headers})
target_link_libraries(tenon_command_line PUBLIC ${TENON_CODEGEN}
                      PRIVATE "$<BUILD_INTERFACE:CLI11::CLI11>" fmt::fmt "$<BUILD_INTERFACE:tenon_warnings>")

# A command line waits for the library and for files: -O1 compiles in two thirds of the time. What measures is as fast
# as it goes.
if(CMAKE_CXX_FLAGS_RELEASE MATCHES "-O[23]")
  target_compile_options(tenon_command_line PRIVATE $<$<CONFIG:Release>:-O1>)
  set_source_files_properties("${PROJECT_SOURCE_DIR}/tools/peaks.cpp" PROPERTIES COMPILE_OPTIONS -O2
                              SKIP_UNITY_BUILD_INCLUSION ON SKIP_PRECOMPILE_HEADERS ON)
endif()
tenon_compiled_together(tenon_command_line 9)
if(TENON_TEST_PCH)
  target_precompile_headers(tenon_command_line PRIVATE <CLI/CLI.hpp> <fmt/format.h> <tenon/compile/session.hpp> <tenon/importers/onnx.hpp>)
endif()

add_executable(tenon_tool "${PROJECT_SOURCE_DIR}/tools/tenon/main.cpp")
set_target_properties(tenon_tool PROPERTIES OUTPUT_NAME tenon RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
target_link_libraries(tenon_tool PRIVATE tenon::tool tenon_warnings)
if(TENON_HAS_LLVM)
  # LLVM is opened when code is first made. --as-needed: it is linked by nothing then.
  target_sources(tenon_tool PRIVATE $<TARGET_OBJECTS:tenon_native> "${PROJECT_SOURCE_DIR}/src/llvm/on_demand.cpp")
  target_include_directories(tenon_tool PRIVATE "${PROJECT_SOURCE_DIR}/src/native")
  set(opened "TENON_CODEGEN_FILE=\"${tenon_codegen_folder}/$<TARGET_FILE_NAME:tenon_codegen_file>\""
             "TENON_LLVM_FILE=\"$<TARGET_FILE:LLVM>\"")
  set_source_files_properties("${PROJECT_SOURCE_DIR}/src/llvm/on_demand.cpp" PROPERTIES COMPILE_DEFINITIONS "${opened}")
  set_target_properties(tenon_tool PROPERTIES ENABLE_EXPORTS ON)
  target_link_options(tenon_tool PRIVATE -Wl,--as-needed)
  add_dependencies(tenon_tool tenon_codegen_file)
endif()
