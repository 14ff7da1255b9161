# Runs one fail test: cmake -DKIND=gcc|clang -DCOMPILER= -DFILECHECK= -DSOURCE= -DINCLUDE= -DSCRATCH= -P this file.
# Prepares all of a compiler: the same with "-DBASES=tenon/a.hpp;…" in place of SOURCE and FILECHECK. Compiles all twins
# behind that, many as one: the same with -DTWINS=ON; those that are right are not compiled again. With -DWRONG=ON it
# compiles the wrong programs so, and tells their messages apart.
#
# The twin compiles without a warning; the wrong program does not compile; FileCheck accepts what the compiler prints;
# the first error stands on the program's own line or is the sentence; at most 20 lines (clang: 15, or what the program
# says by `MAX-LINES.clang: n`) and 6 KB, wherever the project stands, source snippets off; with them, as users see it,
# at most 20 lines on both. One compilation serves both: snippets are taken out of what it prints. What a compiler
# quotes of a declaration of many lines counts as its first.
#
# Bases are headers that many programs include: precompiled before all tests, each saves most of a compilation. A
# program's base is among those that it includes itself (bases_of_programs.awk), so that it hides nothing. What is
# refused with its base is judged again without, as users compile it; so is a message near a limit that says who
# includes whom: those lines differ by a few.
#
# A message that was told apart from those of other programs is judged as if the program had been compiled alone. Where
# it is refused or near a limit, where nothing was said or it is not certain of whom, the program is compiled alone:
# none is refused for its neighbours. Who asks for the very same thing as a neighbour lacks the sentence, and is
# compiled alone, too.
set(max_lines 20)
set(max_bytes 6144)
set(max_lines_with_snippets 20)
if(KIND STREQUAL "clang")
  set(max_lines 15)
endif()
set(spare 4)  # lines

list(TRANSFORM INCLUDE PREPEND -I)
set(ENV{LC_ALL} C)  # what compilers say is not translated
set(compile ${COMPILER} -std=c++20 -Wall -Wextra -Wpedantic ${INCLUDE})
set(prepared "${SCRATCH}/bases.${KIND}")

# The file to name by -include: g++ finds x.hpp.gch by x.hpp, clang is told x.hpp.pch.
function(base_file result base)
  string(REPLACE "/" "-" stem "${base}")
  set(${result} "${prepared}/${stem}" PARENT_SCOPE)
endfunction()

if(DEFINED BASES)
  file(REMOVE_RECURSE "${prepared}")
  foreach(base IN LISTS BASES)
    base_file(stem "${base}")
    file(WRITE "${stem}" "#include <${base}>\n")
    if(KIND STREQUAL "gcc")
      set(made -o "${stem}.gch")
    else()
      set(made -fpch-instantiate-templates -o "${stem}.pch")  # else each program instantiates what the base uses
    endif()
    execute_process(COMMAND ${compile} -x c++-header "${stem}" ${made} COMMAND_ERROR_IS_FATAL ANY)
  endforeach()
  # Which program has which, as lines `base ../tests/fail/program.cpp`, seen from the folder of the library.
  get_filename_component(library "${CMAKE_CURRENT_LIST_DIR}/../include" ABSOLUTE)
  file(GLOB_RECURSE files RELATIVE "${library}" "${library}/tenon/*.hpp")
  file(GLOB programs RELATIVE "${library}" "${library}/../tests/fail/*.?pp" "${library}/../tests/scenarios/*.?pp")
  string(REPLACE ";" "\n" files "${files};${programs}")
  string(REPLACE ";" " " bases "${BASES}")
  file(WRITE "${prepared}/files.txt" "${files}\n")
  set(of_programs)
  foreach(folder IN ITEMS ../tests/fail ../tests/scenarios)
    execute_process(COMMAND awk -v "folder=${folder}" -v "bases=${bases}"
                            -f "${CMAKE_CURRENT_LIST_DIR}/bases_of_programs.awk"
                    INPUT_FILE "${prepared}/files.txt" OUTPUT_VARIABLE of_folder
                    WORKING_DIRECTORY "${library}" COMMAND_ERROR_IS_FATAL ANY)
    string(APPEND of_programs "${of_folder}")
  endforeach()
  file(WRITE "${prepared}/of_programs.txt" "${of_programs}")
  return()
endif()

# The options that compile a program behind its base, where it has one.
function(base_options result base)
  set(${result} "" PARENT_SCOPE)
  if(base MATCHES "^(tenon/[^ ]+) ")
    base_file(stem "${CMAKE_MATCH_1}")
    if(KIND STREQUAL "gcc")
      set(${result} -Winvalid-pch -include "${stem}" PARENT_SCOPE)
    else()
      set(${result} -include-pch "${stem}.pch" PARENT_SCOPE)
    endif()
  endif()
endfunction()

# Programs, or their twins, many as one.
if(DEFINED TWINS OR DEFINED WRONG)
  include("${CMAKE_CURRENT_LIST_DIR}/tenon_group.cmake")
  set(TENON_GROUP 24)
  cmake_path(SET tests NORMALIZE "${CMAKE_CURRENT_LIST_DIR}/../tests")
  file(STRINGS "${prepared}/of_programs.txt" lines)
  set(bases)
  foreach(line IN LISTS lines)
    if(NOT line MATCHES "^([^ ]+) \\.\\./tests/(.*\\.cpp)$")
      continue()
    endif()
    set(base "${CMAKE_MATCH_1}")
    set(program "${tests}/${CMAKE_MATCH_2}")
    file(STRINGS "${program}" not_judged REGEX "^// (needs: .*hana|no wrong program: )" LIMIT_COUNT 1)
    if(NOT not_judged AND NOT program MATCHES "/control_")
      string(MAKE_C_IDENTIFIER "${base}" id)
      set(base_${id} "${base} ")
      list(APPEND bases ${id})
      list(APPEND programs_${id} "${program}")
    endif()
  endforeach()
  list(REMOVE_DUPLICATES bases)
  set(as_one ${compile} -fsyntax-only -I${tests})
  if(DEFINED TWINS)
    list(APPEND as_one -DTENON_TWIN -Werror)
    set(folder twins)
  else()
    file(MAKE_DIRECTORY "${prepared}/said")
    set(folder wrong)
    if(KIND STREQUAL "clang")
      list(APPEND as_one -ferror-limit=0)
    endif()
  endif()
  set(refused 0)
  foreach(id IN LISTS bases)
    base_options(with_base "${base_${id}}")
    tenon_grouped(sources "${prepared}/${folder}${id}" "${tests}" FILES ${programs_${id}} DEFINED TENON_TWIN TENON_RUN)
    foreach(source IN LISTS sources)
      set(files "${sources_of_${source}}")
      if(NOT files)
        continue()  # compiled by its own test
      endif()
      execute_process(COMMAND ${as_one} ${with_base} ${source} RESULT_VARIABLE result ERROR_FILE "${source}.txt")
      list(JOIN files "\n" lines)
      if(DEFINED WRONG)
        list(TRANSFORM files PREPEND "program ")
        list(JOIN files "\n" lines)
        file(READ "${source}.txt" output)
        file(WRITE "${source}.txt" "${lines}\n${output}")
        execute_process(COMMAND awk -v "group=${source}" -v "folder=${prepared}/said" -v "kind=${KIND}"
                                -f "${CMAKE_CURRENT_LIST_DIR}/messages_of_programs.awk"
                        INPUT_FILE "${source}.txt" COMMAND_ERROR_IS_FATAL ANY)
      elseif(result EQUAL 0)
        file(APPEND "${prepared}/right_twins.txt" "${lines}\n")
      else()
        file(READ "${source}.txt" output)
        message(NOTICE "${output}")
        math(EXPR refused "${refused} + 1")
      endif()
    endforeach()
  endforeach()
  if(refused)
    message(FATAL_ERROR "tenon_fail_test: ${refused} groups of twins do not compile: a twin is wrong, which its own test says too, or "
                        "cannot stand in a namespace of its own (tenon_place_in_group)")
  endif()
  return()
endif()

get_filename_component(name "${SOURCE}" NAME_WE)
set(file "${SCRATCH}/fail.${name}.${KIND}.txt")
string(TOUPPER ${KIND} prefix)
list(APPEND compile -fsyntax-only)
file(STRINGS "${SOURCE}" own_limit REGEX "MAX-LINES\\.${KIND}: [0-9]+")
if(own_limit MATCHES "MAX-LINES\\.${KIND}: ([0-9]+)")
  set(max_lines ${CMAKE_MATCH_1})
endif()

# With -FA of ctest nothing is prepared, and programs compile as they stand.
set(with_base)
set(twin_accepted FALSE)
if(EXISTS "${prepared}/of_programs.txt")
  file(STRINGS "${prepared}/of_programs.txt" base REGEX "^tenon/.*/${name}\\.cpp$")
  base_options(with_base "${base}")
endif()
if(EXISTS "${prepared}/right_twins.txt")
  file(STRINGS "${prepared}/right_twins.txt" right REGEX "/${name}\\.cpp$")
  if(right)
    set(twin_accepted TRUE)
  endif()
endif()

# Judges the program; the caller's `refusal` says what is wrong, if anything, `shown` what
# goes with it, `near` that a limit is near; `said` how long a right message is.
function(judge)
  set(refusal "" PARENT_SCOPE)
  set(shown "" PARENT_SCOPE)
  set(near FALSE PARENT_SCOPE)
  if(NOT twin_accepted)
    execute_process(COMMAND ${compile} ${ARGN} ${SOURCE} -DTENON_TWIN -Werror RESULT_VARIABLE twin_result ERROR_VARIABLE twin_output)
    if(NOT twin_result EQUAL 0)
      set(refusal "the twin does not compile" PARENT_SCOPE)
      set(shown "${twin_output}" PARENT_SCOPE)
      return()
    endif()
    set(twin_accepted TRUE PARENT_SCOPE)
  endif()

  if(said_in_group)
    file(READ "${said_in_group}" output)
  else()
    execute_process(COMMAND ${compile} ${ARGN} ${SOURCE} RESULT_VARIABLE result ERROR_VARIABLE output)
    if(result EQUAL 0)
      set(refusal "the wrong program compiles" PARENT_SCOPE)
      return()
    endif()
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
  file(WRITE "${file}" "${output}")

  execute_process(COMMAND ${FILECHECK} ${SOURCE} --check-prefixes=CHECK,${prefix} --allow-unused-prefixes
                          --input-file=${file}
                  RESULT_VARIABLE check_result ERROR_VARIABLE check_output)
  if(NOT check_result EQUAL 0)
    set(refusal "FileCheck rejects the message" PARENT_SCOPE)
    set(shown "${check_output}\n${output}" PARENT_SCOPE)
    return()
  endif()

  string(REGEX MATCH "[^\n]*error:[^\n]*" first "${output}")
  if(NOT first MATCHES "${name}.cpp" AND NOT first MATCHES "tenon-E[0-9][0-9][0-9]")
    set(refusal "the first error is neither on the program's line nor the sentence" PARENT_SCOPE)
    set(shown "${output}" PARENT_SCOPE)
    return()
  endif()

  cmake_path(GET CMAKE_CURRENT_LIST_DIR PARENT_PATH root)
  string(REPLACE "${root}/" "" from_root "${output}")
  string(LENGTH "${from_root}" bytes)
  string(REGEX REPLACE "[^\n]" "" newlines "${output}")
  string(LENGTH "${newlines}" lines)
  if(lines GREATER max_lines OR bytes GREATER max_bytes)
    set(refusal "the message is too long: ${lines} lines, ${bytes} bytes" PARENT_SCOPE)
    set(shown "${output}" PARENT_SCOPE)
    return()
  endif()
  if(lines_with_snippets GREATER max_lines_with_snippets)
    set(refusal "the message is too long with snippets: ${lines_with_snippets} lines" PARENT_SCOPE)
    set(shown "${seen}" PARENT_SCOPE)
    return()
  endif()
  if(said_in_group OR output MATCHES "In file included from")
    math(EXPR most "${max_lines} - ${spare}")
    math(EXPR most_with_snippets "${max_lines_with_snippets} - ${spare}")
    math(EXPR most_bytes "${max_bytes} - 120 * ${spare}")
    if(lines GREATER most OR lines_with_snippets GREATER most_with_snippets OR bytes GREATER most_bytes)
      set(near TRUE PARENT_SCOPE)
    endif()
  endif()
  set(said "right, ${lines} lines, ${bytes} bytes; ${lines_with_snippets} lines with snippets" PARENT_SCOPE)
endfunction()

set(said_in_group "${prepared}/said/${name}.txt")
if(EXISTS "${said_in_group}")
  judge(${with_base})
endif()
if(NOT EXISTS "${said_in_group}" OR refusal OR near)
  if(EXISTS "${said_in_group}")
    message(STATUS "tenon_fail_test: compiled alone; with others: ${refusal}${said}")
  endif()
  set(said_in_group)
  if(near)  # only the program as it stands can tell
    judge()
  else()
    judge(${with_base})
    if(with_base AND (refusal OR near))
      judge()
    endif()
  endif()
endif()
if(refusal)
  message(NOTICE "${shown}")
  message(FATAL_ERROR "tenon_fail_test: ${refusal}")
endif()
message(STATUS "tenon_fail_test: ${said}")
