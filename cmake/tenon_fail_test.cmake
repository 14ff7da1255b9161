# tenon_fail_test(name [CONTROL <text>]): a wrong program that must be rejected with the right sentence.
#
# tests/fail/<name>.cpp holds one wrong thing, the expected lines (FileCheck: CHECK, and GCC or CLANG where they differ),
# and the right program under `#ifdef TENON_TWIN`. One CTest test a compiler: fail.<name>.<compiler>, label `fail`.
# CONTROL: the test is itself wrong, and must be reported as failing with that text.

find_program(TENON_FAIL_GCC NAMES g++-12 g++ DOC "g++ for the fail tests")
find_program(TENON_FAIL_CLANG NAMES clang++-22 clang++ DOC "clang++ for the fail tests")
find_program(TENON_FILECHECK NAMES FileCheck-22 FileCheck DOC "LLVM's FileCheck")
set(TENON_FAIL_DRIVER "${CMAKE_CURRENT_LIST_DIR}/run_fail_test.cmake")
foreach(kind IN ITEMS gcc clang)
  string(TOUPPER ${kind} upper)
  set(tenon_fail_${kind} ${CMAKE_COMMAND} -DKIND=${kind} -DCOMPILER=${TENON_FAIL_${upper}}
      "-DINCLUDE=${PROJECT_SOURCE_DIR}/include\;${PROJECT_BINARY_DIR}/judge" -DSCRATCH=${PROJECT_BINARY_DIR}/fail)
endforeach()

# What most programs include is precompiled for all of them, and removed when they are through. Where all are tested,
# wrong programs, and twins, are compiled many at a time.
# The cheapest first (bases_of_programs.awk).
set(tenon_fail_bases tenon/pipeline.hpp tenon/ir/module.hpp tenon/ir/ir_module.hpp tenon/importers/typed_graph.hpp
                     tenon/compile/build.hpp tenon/targets/cpu.hpp)
function(tenon_fail_bases)
  foreach(kind IN ITEMS gcc clang)
    string(TOUPPER ${kind} upper)
    if(TENON_FAIL_${upper} AND TENON_FILECHECK)
      add_test(NAME fail/bases.${kind} COMMAND ${tenon_fail_${kind}} "-DBASES=${tenon_fail_bases}" -P ${TENON_FAIL_DRIVER})
      set_tests_properties(fail/bases.${kind} PROPERTIES LABELS fail FIXTURES_SETUP tenon_fail_bases.${kind})
      add_test(NAME fail/twins.${kind} COMMAND ${tenon_fail_${kind}} -DTWINS=ON -P ${TENON_FAIL_DRIVER})
      set_tests_properties(fail/twins.${kind} PROPERTIES LABELS fail FIXTURES_REQUIRED tenon_fail_bases.${kind})
      add_test(NAME fail/wrong.${kind} COMMAND ${tenon_fail_${kind}} -DWRONG=ON -P ${TENON_FAIL_DRIVER})
      set_tests_properties(fail/wrong.${kind} PROPERTIES LABELS fail FIXTURES_REQUIRED tenon_fail_bases.${kind})
      add_test(NAME fail/bases_removed.${kind} COMMAND ${CMAKE_COMMAND} -E rm -rf ${PROJECT_BINARY_DIR}/fail/bases.${kind})
      set_tests_properties(fail/bases_removed.${kind} PROPERTIES LABELS fail FIXTURES_CLEANUP tenon_fail_bases.${kind})
    endif()
  endforeach()
endfunction()

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
             COMMAND ${tenon_fail_${kind}} -DFILECHECK=${TENON_FILECHECK} -DSOURCE=${CMAKE_CURRENT_SOURCE_DIR}/${name}.cpp
                     -P ${TENON_FAIL_DRIVER})
    set_tests_properties(${test} PROPERTIES LABELS fail FIXTURES_REQUIRED tenon_fail_bases.${kind}
                         DEPENDS "fail/twins.${kind};fail/wrong.${kind}")
    if(arg_CONTROL)
      set_tests_properties(${test} PROPERTIES PASS_REGULAR_EXPRESSION "tenon_fail_test: ${arg_CONTROL}")
    endif()
  endforeach()
endfunction()
