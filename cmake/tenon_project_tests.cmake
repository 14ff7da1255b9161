# tenon_project_tests: registers all that stands in tests/, and the checks of the project's own rules.
# Add a file, and it is a test: nothing here lists files.

# --- unit: one executable per folder tests/<dir>, and tenon_test_top for tests/*.cpp
set(tenon_not_unit c_api fail scenarios support data fuzzers random_onnx tools)
file(GLOB entries CONFIGURE_DEPENDS "${tenon_test_dir}/*")
foreach(dir ${entries})
  cmake_path(GET dir FILENAME name)
  if(NOT IS_DIRECTORY "${dir}" OR name IN_LIST tenon_not_unit OR name IN_LIST TENON_TEST_DIRS_LEFT_OUT
     OR (TENON_TEST_DIRS AND NOT name IN_LIST TENON_TEST_DIRS))
    continue()
  endif()
  file(GLOB_RECURSE files CONFIGURE_DEPENDS "${dir}/*.cpp")
  set(label unit)
  set(libraries)
  if(name STREQUAL fuzz)
    set(label fuzz)
    set(libraries tenon_random_models)
  endif()
  tenon_test(${name} FILES ${files} LABELS ${label} LIBRARIES ${libraries})
  if(TARGET tenon_test_faults AND name STREQUAL faults)  # tensors run out of memory, too: support/allocations.hpp
    target_link_options(tenon_test_faults PRIVATE -Wl,--wrap=calloc)
  endif()
endforeach()
file(GLOB files CONFIGURE_DEPENDS "${tenon_test_dir}/*.cpp")
if(files AND NOT TENON_TEST_DIRS)
  tenon_test(top FILES ${files})
endif()

# --- text
file(GLOB_RECURSE files CONFIGURE_DEPENDS "${tenon_test_dir}/text/*.tir")
foreach(file ${files})
  tenon_text_test("${file}")
endforeach()
file(GLOB_RECURSE files CONFIGURE_DEPENDS "${tenon_test_dir}/*.tenon" "${PROJECT_SOURCE_DIR}/examples/*.tenon")
if(files)
  message(FATAL_ERROR "text tests end in .tir, and these would not run: ${files}")
endif()

# --- the rules of the house
function(tenon_rule_test name)
  add_test(NAME ${name} COMMAND ${ARGN} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
  set_tests_properties(${name} PROPERTIES LABELS unit TIMEOUT 900 SKIP_RETURN_CODE 77)
endfunction()
tenon_rule_test(rules/layers sh cmake/check_layers.sh)
tenon_rule_test(rules/layers_control sh cmake/check_layers.sh --self-test)
tenon_rule_test(rules/walls sh cmake/check_walls.sh)
tenon_rule_test(rules/walls_control sh cmake/check_walls.sh --self-test)
tenon_rule_test(rules/definitions sh cmake/check_definitions.sh)
tenon_rule_test(rules/definitions_control sh cmake/check_definitions.sh --self-test)
tenon_rule_test(rules/pass_tests sh cmake/check_pass_tests.sh)
tenon_rule_test(rules/pass_tests_control sh cmake/check_pass_tests.sh --self-test)
tenon_rule_test(rules/format sh cmake/check_format.sh)
tenon_rule_test(rules/mirror sh cmake/check_mirror.sh)
tenon_rule_test(rules/near_names sh cmake/check_near_names.sh)
tenon_rule_test(rules/laws sh cmake/check_laws.sh)
find_program(TENON_PYTHON python3 HINTS /usr/bin DOC "for the tests of the Python package")
if(TENON_PYTHON)
  tenon_rule_test(rules/pages "${TENON_PYTHON}" cmake/check_pages.py)
  tenon_rule_test(rules/pages_control "${TENON_PYTHON}" cmake/check_pages.py --self-test)
  tenon_rule_test(rules/benchmarks "${TENON_PYTHON}" bench/models/charts.py --self-test)
  tenon_rule_test(rules/site "${TENON_PYTHON}" scripts/site "${PROJECT_BINARY_DIR}/site")
endif()
foreach(part recipes conan vcpkg)
  tenon_rule_test(packages/${part} sh cmake/check_recipes.sh "${CMAKE_COMMAND}" ${part})
endforeach()
tenon_rule_test(rules/mutation "${CMAKE_COMMAND}" -E env "CXX=${CMAKE_CXX_COMPILER}"
                sh tests/mutation/run.sh --configure)
if(TARGET tenon_tool)
  tenon_rule_test(rules/onnx_table sh cmake/check_onnx_table.sh "$<TARGET_FILE:tenon_tool>")
  foreach(page phases pipelines)
    tenon_rule_test(rules/${page}_page sh cmake/check_phases_page.sh "$<TARGET_FILE:tenon_tool>" ${page})
  endforeach()
  tenon_rule_test(tools/runner sh cmake/check_runner.sh "$<TARGET_FILE:tenon_runner>" "$<TARGET_FILE:tenon_tool>" "${PROJECT_SOURCE_DIR}")
  foreach(part bash zsh fish page)
    tenon_rule_test(tools/completion/${part} sh cmake/check_completion.sh "$<TARGET_FILE:tenon_tool>" ${part})
  endforeach()
  tenon_rule_test(tools/terminal sh cmake/check_terminal.sh "$<TARGET_FILE:tenon_tool>")
  if(TENON_HAS_LLVM AND TENON_XSIMD_INCLUDE)
    tenon_rule_test(how_to/shell sh cmake/run_how_to.sh "$<TARGET_FILE_DIR:tenon_tool>" "${TENON_FILECHECK}" "${tenon_test_dir}/how_to/shell.sh"
                    "${tenon_test_dir}/text/tools/data/relu.onnx" "${tenon_test_dir}/text/tools/instruments.tir")
    tenon_rule_test(how_to/commands sh cmake/run_how_to.sh "$<TARGET_FILE_DIR:tenon_tool>" "${TENON_FILECHECK}" "${tenon_test_dir}/how_to/commands.sh"
                    "${tenon_test_dir}/text/tools/data/layer.onnx" "${tenon_test_dir}/text/tools/instruments.tir")
    tenon_rule_test(how_to/other_machine sh cmake/run_how_to.sh "$<TARGET_FILE_DIR:tenon_tool>" "${TENON_FILECHECK}"
                    "${tenon_test_dir}/how_to/other_machine.sh" "${tenon_test_dir}/text/tools/data/relu.onnx"
                    "${tenon_test_dir}/text/tools/instruments.tir")
    tenon_rule_test(how_to/debugger sh cmake/run_how_to.sh "$<TARGET_FILE_DIR:tenon_tool>" "${TENON_FILECHECK}"
                    "${tenon_test_dir}/how_to/debugger.sh" "${tenon_test_dir}/text/tools/data/relu.onnx"
                    "${tenon_test_dir}/text/tools/instruments.tir")
  endif()
  if(TENON_HAS_LLVM)
    tenon_rule_test(tools/code_on_demand sh cmake/check_code_on_demand.sh "$<TARGET_FILE:tenon_tool>"
                    "$<TARGET_FILE:tenon_codegen_file>" tests/text/tools/data/relu.onnx)
    if(TENON_FAIL_CLANG AND NOT CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
      tenon_rule_test(codegen/by_clang sh cmake/check_clang_codegen.sh "${TENON_FAIL_CLANG}" "$<TARGET_FILE:tenon_tool>"
                      "$<TARGET_FILE:tenon_codegen_file>" "${LLVM_INCLUDE_DIRS}" "${TENON_LLD_ELF}" "${TENON_LLD_COMMON}"
                      "$<TARGET_FILE:LLVM>" "-Wl,-rpath,$<TARGET_FILE_DIR:LLVM>" "${TENON_LLD_Z}" "${TENON_LLD_ZSTD}")
    endif()
  endif()
  tenon_rule_test(tools/report sh cmake/check_report.sh "$<TARGET_FILE:tenon_tool>")
  tenon_rule_test(tools/going_on sh cmake/check_going_on.sh "$<TARGET_FILE:tenon_tool>")
  tenon_rule_test(tools/memory sh cmake/check_memory.sh "$<TARGET_FILE:tenon_tool>" tests/text/tools/data/relu.onnx)
endif()
# Each fuzzer with the inputs that tests take, or for TENON_FUZZ_SECONDS, where they are built.
if(TARGET tenon_fuzzers)
  file(GLOB files CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/tests/fuzzers/*.cpp")
  foreach(file ${files})
    cmake_path(GET file STEM name)
    add_test(NAME fuzzers/${name} COMMAND sh scripts/fuzz --built ${name} WORKING_DIRECTORY "${PROJECT_SOURCE_DIR}")
    set_tests_properties(fuzzers/${name} PROPERTIES LABELS fuzzers TIMEOUT 300 COST 1 FIXTURES_REQUIRED tenon_fuzz_seeds)
    if(name STREQUAL seeds)
      set_tests_properties(fuzzers/seeds PROPERTIES FIXTURES_REQUIRED "" FIXTURES_SETUP tenon_fuzz_seeds)
    endif()
  endforeach()
endif()

# Each header compiles alone, which takes clang++'s modules; all go together, with each compiler that builds tenon.
if(TENON_FAIL_CLANG)
  tenon_rule_test(headers/alone sh cmake/check_headers.sh "${TENON_FAIL_CLANG}")
  set_tests_properties(headers/alone PROPERTIES COST 1)
  tenon_rule_test(rules/headers_control sh cmake/check_headers.sh "${TENON_FAIL_CLANG}" --self-test)
else()
  tenon_skipped_test(headers/alone unit "clang++ 22 was not found")
endif()
tenon_rule_test(headers/together sh cmake/check_headers.sh "${CMAKE_CXX_COMPILER}" --together)

include(tenon_onnx_tests)

# --- the laws of targets, for one that is written outside of the library
include(tenon_target_test)
if((NOT TENON_TEST_DIRS OR "targets" IN_LIST TENON_TEST_DIRS) AND NOT "targets" IN_LIST TENON_TEST_DIRS_LEFT_OUT)
  tenon_target_test(my_target "${PROJECT_SOURCE_DIR}/examples/custom/my_target/npu.hpp" mine::npu)
  tenon_library_first(target_test_my_target ${TENON_BASE})
endif()
