# tenon_text_test(FILE [TARGET NAME]): runs the RUN lines of a .tir file and checks the output by its CHECK lines (FileCheck).
#
#   // RUN: tenon opt %s --passes "fold_constants"
#   // CHECK: const 5
#
# A file with a line `// needs: llvm` is left out where LLVM code generation is.
# TARGET is another program that has tenon's command line, and NAME what RUN lines call it.
# `RUN: not tenon …` expects an error; its message is checked too. Several RUN lines run one after the other.
function(tenon_text_test file)
  set(program tenon_tool)
  set(root "${PROJECT_SOURCE_DIR}/tests")
  set(label text)
  if(ARGC GREATER 2)
    set(program "${ARGV1}")
    set(root "${PROJECT_SOURCE_DIR}")
    set(label text)
  endif()
  if(NOT TARGET "${program}")
    return()
  endif()
  file(RELATIVE_PATH shown "${root}" "${file}")
  string(REGEX REPLACE "\\.tir$" "" case "${shown}")
  tenon_needs_met(met "${file}")
  if(NOT met)
    if(met_lacks)
      tenon_skipped_test("${case}" text "${met_lacks} was not found")
    endif()
    return()
  endif()
  add_test(NAME "${case}" COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/run_text_test.sh"
           $<TARGET_FILE:${program}> "${TENON_FILECHECK}" "${file}" ${ARGV2})
  set_tests_properties("${case}" PROPERTIES LABELS ${label} TIMEOUT 120 SKIP_RETURN_CODE 77)
endfunction()
