# Runs one fail test: cmake -DKIND=gcc|clang -DCOMPILER= -DFILECHECK= -DSOURCE= -DINCLUDE= -DSCRATCH= -P run_fail_test.cmake
#
# The twin compiles without a warning; the wrong program does not compile; FileCheck accepts what the compiler prints; the
# first error stands on the program's own line or is the sentence; at most 20 lines (clang: 15, or what the program says by
# `MAX-LINES.clang: n`) and 6 KB, source snippets off; with them, as users see it, at most 20 lines on both. One compilation
# serves both: snippets are taken out of what it prints. What a compiler quotes of a declaration of many lines counts as its first.
set(max_lines 20)
set(max_bytes 6144)
set(max_lines_with_snippets 20)
if(KIND STREQUAL "clang")
  set(max_lines 15)
endif()
file(STRINGS "${SOURCE}" own_limit REGEX "MAX-LINES\\.${KIND}: [0-9]+")
if(own_limit MATCHES "MAX-LINES\\.${KIND}: ([0-9]+)")
  set(max_lines ${CMAKE_MATCH_1})
endif()

list(TRANSFORM INCLUDE PREPEND -I)
set(compile ${CMAKE_COMMAND} -E env LC_ALL=C ${COMPILER} -std=c++20 -fsyntax-only -Wall -Wextra -Wpedantic ${INCLUDE} ${SOURCE})

execute_process(COMMAND ${compile} -DTENON_TWIN -Werror RESULT_VARIABLE twin_result ERROR_VARIABLE twin_output)
if(NOT twin_result EQUAL 0)
  message(NOTICE "${twin_output}")
  message(FATAL_ERROR "tenon_fail_test: the twin does not compile")
endif()

execute_process(COMMAND ${compile} RESULT_VARIABLE result ERROR_VARIABLE output)
if(result EQUAL 0)
  message(FATAL_ERROR "tenon_fail_test: the wrong program compiles")
endif()

string(REGEX REPLACE "\n *\\|[ ~]*\\^[^\n]*" "\n^" seen "\n${output}")  # where a caret is, the line above counts
string(REGEX REPLACE "\n *[0-9]+ \\|[^\n]*\n *\\|[ ~]+" "" seen "${seen}")
string(REGEX REPLACE "[^\n]" "" newlines "${seen}")
string(LENGTH "${newlines}" lines_with_snippets)
math(EXPR lines_with_snippets "${lines_with_snippets} - 1")
string(REGEX REPLACE "\n *[0-9+]* \\|[^\n]*" "" output "\n${output}")
string(REGEX REPLACE "^\n" "" output "${output}")

string(REPLACE "\\'" "'" output "${output}")  # compilers escape quotes in template arguments
string(REPLACE "\\\"" "\"" output "${output}")
get_filename_component(name "${SOURCE}" NAME_WE)
set(file "${SCRATCH}/fail.${name}.${KIND}.txt")
file(WRITE "${file}" "${output}")

string(TOUPPER ${KIND} prefix)
execute_process(COMMAND ${FILECHECK} ${SOURCE} --check-prefixes=CHECK,${prefix} --allow-unused-prefixes
                        --input-file=${file}
                RESULT_VARIABLE check_result ERROR_VARIABLE check_output)
if(NOT check_result EQUAL 0)
  message(NOTICE "${check_output}\n${output}")
  message(FATAL_ERROR "tenon_fail_test: FileCheck rejects the message")
endif()

string(REGEX MATCH "[^\n]*error:[^\n]*" first "${output}")
if(NOT first MATCHES "${name}.cpp" AND NOT first MATCHES "tenon-E[0-9][0-9][0-9]")
  message(NOTICE "${output}")
  message(FATAL_ERROR "tenon_fail_test: the first error is neither on the program's line nor the sentence")
endif()

string(LENGTH "${output}" bytes)
string(REGEX REPLACE "[^\n]" "" newlines "${output}")
string(LENGTH "${newlines}" lines)
if(lines GREATER max_lines OR bytes GREATER max_bytes)
  message(NOTICE "${output}")
  message(FATAL_ERROR "tenon_fail_test: the message is too long: ${lines} lines, ${bytes} bytes")
endif()
if(lines_with_snippets GREATER max_lines_with_snippets)
  message(NOTICE "${seen}")
  message(FATAL_ERROR "tenon_fail_test: the message is too long with snippets: ${lines_with_snippets} lines")
endif()
message(STATUS "tenon_fail_test: right, ${lines} lines, ${bytes} bytes; ${lines_with_snippets} lines with snippets")
