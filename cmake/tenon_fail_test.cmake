# tenon_fail_test(name [CONTROL <text>]): a wrong program that must be rejected with the right sentence.
#
# tests/fail/<name>.cpp holds one wrong thing, the expected lines (FileCheck: CHECK, and GCC or CLANG where they differ),
# and the right program under `#ifdef TENON_TWIN`. One CTest test a compiler: fail.<name>.<compiler>, label `fail`.
# CONTROL: the test is itself wrong, and must be reported as failing with that text.

find_program(TENON_FAIL_GCC NAMES g++-12 g++ DOC "g++ for the fail tests")
find_program(TENON_FAIL_CLANG NAMES clang++-22 clang++ DOC "clang++ for the fail tests")
find_program(TENON_FILECHECK NAMES FileCheck-22 FileCheck DOC "LLVM's FileCheck")
set(TENON_FAIL_DRIVER "${CMAKE_CURRENT_LIST_DIR}/run_fail_test.cmake")

function(tenon_fail_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "CONTROL" "")
  foreach(kind IN ITEMS gcc clang)
    string(TOUPPER ${kind} upper)
    set(test fail.${name}.${kind})
    if(NOT TENON_FAIL_${upper} OR NOT TENON_FILECHECK)
      tenon_skipped_test(${test} fail "the compiler (${kind}) or FileCheck was not found")
      continue()
    endif()
    add_test(NAME ${test}
             COMMAND ${CMAKE_COMMAND} -DKIND=${kind} -DCOMPILER=${TENON_FAIL_${upper}}
                     -DFILECHECK=${TENON_FILECHECK} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp
                     "-DINCLUDE=${PROJECT_SOURCE_DIR}/include;${PROJECT_BINARY_DIR}/judge" -DSCRATCH=${CMAKE_CURRENT_BINARY_DIR} -P ${TENON_FAIL_DRIVER})
    set_tests_properties(${test} PROPERTIES LABELS fail)
    if(arg_CONTROL)
      set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "tenon_fail_test: ${arg_CONTROL}")
    endif()
  endforeach()
endfunction()
