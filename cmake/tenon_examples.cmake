# tenon_examples: the numbered lessons, the "write your own" group, and the projects that consume an installed tenon.
file(GLOB tenon_lessons CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/*.cpp")
foreach(source ${tenon_lessons})
  cmake_path(GET source STEM name)
  tenon_example(${name} "${source}")
endforeach()
if(TARGET example_00_overview)  # README's program, with models that it says it takes
  add_test(NAME examples/00_overview_of_models COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/check_overview.sh"
           $<TARGET_FILE:example_00_overview> "${PROJECT_SOURCE_DIR}/tests/text/tools/data")
  set_tests_properties(examples/00_overview_of_models PROPERTIES LABELS example TIMEOUT 300)
endif()
file(GLOB tenon_lessons CONFIGURE_DEPENDS "${PROJECT_SOURCE_DIR}/examples/custom/*.cpp")
foreach(source ${tenon_lessons})
  cmake_path(GET source STEM name)
  tenon_example(custom_${name} "${source}")
endforeach()

# Whole tasks with models from npm: speech, text, faces, things. Each test makes its input, runs the example and looks at what it found.
find_package(PNG QUIET)
foreach(task find_speech read_text find_faces classify_picture)
  set(source "${PROJECT_SOURCE_DIR}/examples/models/${task}.cpp")
  file(STRINGS "${source}" needs REGEX "picture.hpp" LIMIT_COUNT 1)
  if(NOT TENON_HAS_LLVM)
    tenon_skipped_test(examples/${task} example "LLVM was not found")
  elseif(needs AND NOT PNG_FOUND)
    tenon_skipped_test(examples/${task} example "libpng was not found (Debian: libpng-dev)")
  else()
    add_executable(example_${task} "${source}")
    set_target_properties(example_${task} PROPERTIES OUTPUT_NAME ${task})
    tenon_library_first(example_${task} ${TENON_BASE} ${TENON_CODEGEN})
    target_link_libraries(example_${task} PRIVATE ${TENON_CODEGEN} tenon_warnings)
    target_compile_options(example_${task} PRIVATE ${TENON_TEST_OPT})
    if(needs)
      target_link_libraries(example_${task} PRIVATE PNG::PNG)
    endif()
    add_test(NAME examples/${task} COMMAND sh "${PROJECT_SOURCE_DIR}/examples/models/tests/${task}.sh"
             $<TARGET_FILE:example_${task}> WORKING_DIRECTORY "${PROJECT_BINARY_DIR}")
    set_tests_properties(examples/${task} PROPERTIES LABELS example TIMEOUT 300 SKIP_RETURN_CODE 77)
  endif()
endforeach()

# The inference server, and its test on loopback.
find_package(PkgConfig QUIET)
if(PkgConfig_FOUND)
  pkg_check_modules(TENON_HTTPLIB QUIET IMPORTED_TARGET cpp-httplib)
endif()
find_package(nlohmann_json QUIET)
if(TARGET PkgConfig::TENON_HTTPLIB AND TARGET nlohmann_json::nlohmann_json)
  set(definitions ${TENON_BASE})
  if(TENON_LIBRARY)
    set(definitions tenon_runtime_definitions)  # a server is small
  endif()
  foreach(source main tests/loopback)
    cmake_path(GET source STEM program)
    add_executable(example_server_${program} "${PROJECT_SOURCE_DIR}/examples/server/${source}.cpp")
    target_link_libraries(example_server_${program} PRIVATE ${definitions} tenon_warnings PkgConfig::TENON_HTTPLIB
                                                            nlohmann_json::nlohmann_json ${CMAKE_DL_LIBS})
    target_compile_options(example_server_${program} PRIVATE ${TENON_TEST_OPT})
  endforeach()
  set_target_properties(example_server_main PROPERTIES OUTPUT_NAME tenon_server)
  if(NOT TENON_SANITIZE)  # which keep memory: it asks whether that grows
    add_test(NAME examples/server COMMAND example_server_loopback)
    set_tests_properties(examples/server PROPERTIES LABELS example TIMEOUT 120 PASS_REGULAR_EXPRESSION "all is well")
  endif()
else()
  tenon_skipped_test(examples/server example "cpp-httplib was not found (Debian: libcpp-httplib-dev)")
endif()

set(consume "${PROJECT_SOURCE_DIR}/examples/consume")
set(prefix "${PROJECT_BINARY_DIR}/consume/prefix")
set(consumed "tenon ${PROJECT_VERSION}: 3 ops are left, and twice 3 is 6")
if(TENON_INSTALL AND TENON_LIBRARY AND EXISTS "${consume}/find_package/CMakeLists.txt")
  add_test(NAME examples/consume/install
           COMMAND "${CMAKE_COMMAND}" --install "${PROJECT_BINARY_DIR}" --prefix "${prefix}")
  set_tests_properties(examples/consume/install PROPERTIES FIXTURES_SETUP tenon_installed LABELS example)
  add_test(NAME examples/consume/find_package
           COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${consume}/find_package"
                   "${PROJECT_BINARY_DIR}/consume/find_package" --build-generator "${CMAKE_GENERATOR}"
                   --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                   "-DCMAKE_CXX_FLAGS=-O3 -Wall -Wextra -Werror"
                   --test-command consumer)
  set_tests_properties(examples/consume/find_package PROPERTIES FIXTURES_REQUIRED tenon_installed LABELS example COST 1
                       PASS_REGULAR_EXPRESSION "${consumed}")
  set(targets judge tenon compiled)
  foreach(target llvm c_runtime c_compiler tool)
    if(TARGET tenon::${target})
      list(APPEND targets ${target})
    endif()
  endforeach()
  list(TRANSFORM targets PREPEND tenon::)
  add_test(NAME examples/consume/components
           COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/check_components.sh" "${CMAKE_COMMAND}" "${prefix}" ${targets})
  set_tests_properties(examples/consume/components PROPERTIES FIXTURES_REQUIRED tenon_installed LABELS example)
endif()
if(TENON_INSTALL AND TENON_LIBRARY AND TENON_HAS_LLVM)
  add_test(NAME examples/consume/first
           COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/check_first.sh" "${CMAKE_COMMAND}" "${prefix}" "${CMAKE_CXX_COMPILER}")
  set_tests_properties(examples/consume/first PROPERTIES FIXTURES_REQUIRED tenon_installed LABELS example COST 1)
endif()
if(TENON_INSTALL AND TENON_LIBRARY AND TARGET tenon_tool AND TENON_HAS_LLVM)
  add_test(NAME examples/consume/model_library
           COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${consume}/model_library"
                   "${PROJECT_BINARY_DIR}/consume/model_library" --build-generator "${CMAKE_GENERATOR}"
                   --build-options "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}"
                   --test-command "${CMAKE_CTEST_COMMAND}" --output-on-failure)
  set_tests_properties(examples/consume/model_library PROPERTIES FIXTURES_REQUIRED tenon_installed LABELS example)
endif()
if(TENON_INSTALL AND TENON_LIBRARY AND TARGET tenon_c_compiler AND TENON_HAS_LLVM)
  add_test(NAME examples/consume/c_api
           COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${consume}/c_api" "${PROJECT_BINARY_DIR}/consume/c_api"
                   --build-generator "${CMAKE_GENERATOR}" --build-options "-DCMAKE_PREFIX_PATH=${prefix}"
                   --test-command consumer "${PROJECT_SOURCE_DIR}/tests/text/tools/data/relu.onnx")
  set_tests_properties(examples/consume/c_api PROPERTIES FIXTURES_REQUIRED tenon_installed LABELS example
                       PASS_REGULAR_EXPRESSION "input x f32.2,2.*output y begins with 2")
endif()
find_program(TENON_CC NAMES cc gcc clang DOC "a C compiler, for programs that take tenon by pkg-config")
if(TENON_INSTALL AND TENON_LIBRARY AND TARGET tenon_c_compiler AND TENON_HAS_LLVM AND TARGET tenon_tool)
  set(model "${PROJECT_SOURCE_DIR}/tests/text/tools/data/relu.onnx")
  find_program(TENON_DPKG dpkg-deb DOC "for the test of the Debian packages")
  if(TENON_DPKG)  # the packages that cpack makes, unpacked and used: by pkg-config, too
    add_test(NAME packages/deb COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/check_packages.sh" "${PROJECT_BINARY_DIR}"
             "${CMAKE_CPACK_COMMAND}" "${CMAKE_CXX_COMPILER}" "${TENON_CC}")
    set_tests_properties(packages/deb PROPERTIES LABELS example TIMEOUT 600 COST 1 SKIP_RETURN_CODE 77)
  else()
    add_test(NAME examples/consume/pkg_config COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/check_pkg_config.sh" "${prefix}"
             "${CMAKE_CXX_COMPILER}" "${TENON_CC}" "${model}")
    set_tests_properties(examples/consume/pkg_config PROPERTIES FIXTURES_REQUIRED tenon_installed LABELS example SKIP_RETURN_CODE 77)
  endif()
endif()
if(NOT TENON_LIBRARY)  # the definitions as one object, which take minutes, are compiled there
  set(flags)
  if(TENON_SANITIZE)
    set(flags "-fsanitize=${TENON_SANITIZE}")
  endif()
  list(JOIN tenon_codec_files " " files)
  add_test(NAME examples/consume/add_subdirectory
           COMMAND "${CMAKE_CTEST_COMMAND}" --build-and-test "${consume}/add_subdirectory"
                   "${PROJECT_BINARY_DIR}/consume/add_subdirectory" --build-generator "${CMAKE_GENERATOR}"
                   --build-options "-DCMAKE_CXX_COMPILER=${CMAKE_CXX_COMPILER}" "-DTENON_SOURCE=${PROJECT_SOURCE_DIR}"
                   "-DCMAKE_CXX_FLAGS=${flags}" "-DCMAKE_CXX_STANDARD_LIBRARIES=${files}"
                   "-DDEFINITIONS=$<TARGET_OBJECTS:tenon_definitions>"
                   --test-command consumer)
  set_tests_properties(examples/consume/add_subdirectory PROPERTIES LABELS example COST 1
                       PASS_REGULAR_EXPRESSION "${consumed}")
endif()
# As README says it, without CMake: a compiler, the headers, one file.
add_test(NAME examples/consume/one_file
         COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/run_one_file.sh" "${CMAKE_CXX_COMPILER}" "${PROJECT_SOURCE_DIR}"
                 custom/my_fact "${TENON_FILECHECK}")
set_tests_properties(examples/consume/one_file PROPERTIES LABELS example TIMEOUT 600 COST 1 SKIP_RETURN_CODE 77)
