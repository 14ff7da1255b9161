# tenon_project_tests: registers all that stands in tests/, and the checks of the project's own rules.
# Add a file, and it is a test: nothing here lists files.

# --- unit: one executable per folder tests/<dir>, and tenon_test_top for tests/*.cpp
set(tenon_not_unit fail scenarios support data)
file(GLOB entries CONFIGURE_DEPENDS "${tenon_test_dir}/*")
foreach(dir ${entries})
  cmake_path(GET dir FILENAME name)
  if(NOT IS_DIRECTORY "${dir}" OR name IN_LIST tenon_not_unit
     OR (TENON_TEST_DIRS AND NOT name IN_LIST TENON_TEST_DIRS))
    continue()
  endif()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${dir}/*.cpp")
  set(label unit)
  if(name STREQUAL fuzz)
    set(label fuzz)
  endif()
  tenon_test(${name} FILES ${files} LABELS ${label})
endforeach()
file(GLOB files CONFIGURE_DEPENDS "${tenon_test_dir}/*.cpp")
if(files AND NOT TENON_TEST_DIRS)
  tenon_test(top FILES ${files})
endif()

# --- text
file(GLOB_RECURSE files CONFIGURE_DEPENDS "${tenon_test_dir}/text/*.tenon")
foreach(file ${files})
  tenon_text_test("${file}")
endforeach()

# --- the rules of the house
function(tenon_rule_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 900 SKIP_RETURN_CODE 77)
endfunction()
tenon_rule_test(rules/layers sh cmake/check_layers.sh)
tenon_rule_test(rules/layers_control sh cmake/check_layers.sh --self-test)
tenon_rule_test(rules/walls sh cmake/check_walls.sh)
tenon_rule_test(rules/walls_control sh cmake/check_walls.sh --self-test)
tenon_rule_test(rules/compiled sh cmake/check_compiled.sh)
tenon_rule_test(rules/mirror sh cmake/check_mirror.sh)
tenon_rule_test(rules/laws sh cmake/check_laws.sh)
tenon_rule_test(rules/readme sh cmake/check_readme.sh)
if(TARGET tenon_tool)
  tenon_rule_test(rules/onnx_table sh cmake/check_onnx_table.sh "$<TARGET_FILE:tenon_tool>")
  tenon_rule_test(rules/phases_page sh cmake/check_phases_page.sh "$<TARGET_FILE:tenon_tool>")
  tenon_rule_test(tools/runner sh cmake/check_runner.sh "$<TARGET_FILE:tenon_runner>" "$<TARGET_FILE:tenon_tool>" "${PROJECT_SOURCE_DIR}")
endif()

# Each header compiles alone: one test for each folder under include/tenon that has any.
set(folders)
foreach(header ${tenon_headers})
  cmake_path(RELATIVE_PATH header BASE_DIRECTORY "${PROJECT_SOURCE_DIR}/include/tenon" OUTPUT_VARIABLE shown)
  cmake_path(GET shown PARENT_PATH folder)
  if(folder STREQUAL "")
    set(folder .)
  endif()
  list(APPEND folders "${folder}")
endforeach()
list(REMOVE_DUPLICATES folders)
foreach(folder ${folders})
  string(REGEX REPLACE "^\\.$" top case "${folder}")
  tenon_rule_test(headers/${case} sh cmake/check_headers.sh "${CMAKE_CXX_COMPILER}" ${folder})
endforeach()

tenon_rule_test(headers/together sh cmake/check_headers.sh "${CMAKE_CXX_COMPILER}" --together)

include(tenon_onnx_tests)

# --- the laws of targets, for one that is written outside of the library
include(tenon_target_test)
if(NOT TENON_TEST_DIRS OR "targets" IN_LIST TENON_TEST_DIRS)
  tenon_target_test(my_target "${PROJECT_SOURCE_DIR}/examples/custom/my_target/npu.hpp" mine::npu)
endif()
