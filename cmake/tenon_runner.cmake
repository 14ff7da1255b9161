# tenon_runner: the executable `tenon-runner`, which runs program files. No library of this project, no LLVM, and of the
# definitions only what running needs.
add_executable(tenon_runner "${PROJECT_SOURCE_DIR}/tools/runner/main.cpp")
set_target_properties(tenon_runner PROPERTIES OUTPUT_NAME tenon-runner RUNTIME_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/bin")
target_compile_options(tenon_runner PRIVATE -Os -ffunction-sections -fdata-sections)
target_link_options(tenon_runner PRIVATE -Wl,--gc-sections)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  target_link_options(tenon_runner PRIVATE -s)
endif()
target_link_libraries(tenon_runner PRIVATE tenon_runtime_definitions tenon_warnings)
