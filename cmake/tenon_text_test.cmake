# tenon_text_test(FILE): runs the RUN lines of a .tenon file and checks the output by its CHECK lines (FileCheck).
#
#   // RUN: tenon opt %s --passes "fold_constants"
#   // CHECK: const 5
#
# A file with a line `// needs: llvm` is left out where LLVM code generation is.
# `RUN: not tenon …` expects an error; its message is checked too. Several RUN lines run one after the other.
function(tenon_text_test file)
  if(NOT TARGET tenon_tool)
    return()
  endif()
  file(RELATIVE_PATH shown "${PROJECT_SOURCE_DIR}/tests" "${file}")
  string(REGEX REPLACE "\\.tenon$" "" case "${shown}")
  tenon_needs_met(met "${file}")
  if(NOT met)
    if(met_lacks)
      tenon_skipped_test("${case}" text "${met_lacks} was not found")
    endif()
    return()
  endif()
  add_test(NAME "${case}" COMMAND sh "${PROJECT_SOURCE_DIR}/cmake/run_text_test.sh"
           $<TARGET_FILE:tenon_tool> "${TENON_FILECHECK}" "${file}")
  set_tests_properties("${case}" PROPERTIES LABELS text TIMEOUT 120 SKIP_RETURN_CODE 77)
endfunction()
