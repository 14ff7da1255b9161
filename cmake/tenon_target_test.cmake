# tenon_target_test(NAME HEADER TARGET [FILTER]): all laws of targets, and the ONNX backend tests below TENON_ONNX_DIR whose
# names have FILTER in them, for a target of yours: HEADER defines the type TARGET (with its namespace).
# Where there is no ONNX data the laws are run, and the test counts as skipped.
if(NOT DEFINED TENON_TESTING_DIR)
  set(TENON_TESTING_DIR "${CMAKE_CURRENT_LIST_DIR}/../tests")
endif()
function(tenon_target_test name header target)
  set(source "${CMAKE_CURRENT_BINARY_DIR}/target_test_${name}.cpp")
  file(CONFIGURE OUTPUT "${source}" @ONLY CONTENT [[
#include "@header@"
#include "support/target_test.hpp"
#include <tenon/definitions/onnx.hpp>
int main(int argc, char** argv) { return tenon::testing::test_target<@target@>(argc, argv); }
]])
  add_executable(target_test_${name} "${source}")
  target_compile_options(target_test_${name} PRIVATE ${TENON_TEST_OPT})
  if(TARGET tenon_compiled)
    target_link_libraries(target_test_${name} PRIVATE tenon_compiled)
  elseif(TARGET tenon::compiled)
    target_link_libraries(target_test_${name} PRIVATE tenon::compiled)
  else()
    target_link_libraries(target_test_${name} PRIVATE tenon::tenon)
  endif()
  target_include_directories(target_test_${name} PRIVATE "${TENON_TESTING_DIR}")
  add_test(NAME targets/${name} COMMAND target_test_${name} "${TENON_ONNX_DIR}/tests" ${ARGN})
  set_tests_properties(targets/${name} PROPERTIES LABELS "unit" TIMEOUT 900 SKIP_RETURN_CODE 77)
endfunction()
