# tenon_onnx_tests: the public ONNX backend tests (label onnx) and models (label model) under TENON_ONNX_DIR.
# Where the data is missing, each says SKIPPED and why.
if(NOT TARGET tenon_tool)
  return()
endif()

# expected.txt: suite target minimum-passed maximum-failed [option]
file(STRINGS "${PROJECT_SOURCE_DIR}/tests/onnx/expected.txt" lines REGEX "^[a-z]")
foreach(line ${lines})
  separate_arguments(fields UNIX_COMMAND "${line}")
  list(POP_FRONT fields suite target)
  list(LENGTH fields given)
  set(case ${suite}/${target})
  if(given GREATER 2)
    list(GET fields 2 option)
    string(APPEND case ${option})
  endif()
  add_test(NAME onnx/${case} COMMAND sh "${PROJECT_SOURCE_DIR}/tests/onnx/run_suite.sh"
           $<TARGET_FILE:tenon_tool> "${TENON_ONNX_DIR}" ${suite} ${target} ${fields})
  set_tests_properties(onnx/${case} PROPERTIES LABELS onnx TIMEOUT 1500 PROCESSORS 2 COST 2 SKIP_RETURN_CODE 77)
endforeach()

# models.txt: model target threads
file(STRINGS "${PROJECT_SOURCE_DIR}/tests/onnx/models.txt" lines REGEX "^[a-z]")
foreach(line ${lines})
  separate_arguments(fields UNIX_COMMAND "${line}")
  list(GET fields 0 model)
  list(JOIN fields "/" case)
  add_test(NAME model/${case} COMMAND sh "${PROJECT_SOURCE_DIR}/tests/onnx/run_model.sh"
           $<TARGET_FILE:tenon_tool> "${TENON_ONNX_DIR}" ${fields})
  set_tests_properties(model/${case} PROPERTIES LABELS model TIMEOUT 300 SKIP_RETURN_CODE 77)
endforeach()

# Each model in every phase, as text and binary.
set(round_trips)
foreach(line ${lines})
  separate_arguments(fields UNIX_COMMAND "${line}")
  list(GET fields 0 model)
  list(APPEND round_trips ${model})
endforeach()
list(REMOVE_DUPLICATES round_trips)
set(phases ingestion optimization)
if(TENON_HAS_LLVM)
  list(APPEND phases lowering build built)
endif()
foreach(model ${round_trips})
  add_test(NAME round_trip/${model} COMMAND sh "${PROJECT_SOURCE_DIR}/tests/onnx/run_round_trip.sh"
           $<TARGET_FILE:tenon_tool> "${TENON_ONNX_DIR}" ${model} ${phases})
  set_tests_properties(round_trip/${model} PROPERTIES LABELS model TIMEOUT 600 SKIP_RETURN_CODE 77)
endforeach()
# Small models, stopped in each phase for each target, and finished by another process; all of them by hand:
# tests/onnx/run_going_on.sh.
set(targets c_source:optimize=0 xsimd)
if(TENON_HAS_LLVM)
  list(PREPEND targets cpu "composite(cpu,vectors@xsimd)")
endif()
list(JOIN targets " " targets)
foreach(model face_landmark oww_melspec)
  add_test(NAME going_on/${model} COMMAND sh "${PROJECT_SOURCE_DIR}/tests/onnx/run_going_on.sh"
           $<TARGET_FILE:tenon_tool> "${TENON_ONNX_DIR}" ${model})
  set_tests_properties(going_on/${model} PROPERTIES LABELS model TIMEOUT 600 SKIP_RETURN_CODE 77
                       ENVIRONMENT "TARGETS=${targets}")
endforeach()

# Each model that runs on cpu with 2 threads, as a program file: whole, or with a host between its parts.
if(TENON_HAS_LLVM)
  foreach(line ${lines})
    separate_arguments(fields UNIX_COMMAND "${line}")
    list(POP_FRONT fields model target threads outliers)
    if(target STREQUAL "cpu" AND threads EQUAL 2)
      add_test(NAME program/${model} COMMAND sh "${PROJECT_SOURCE_DIR}/tests/onnx/run_program.sh"
               $<TARGET_FILE:tenon_tool> "${TENON_ONNX_DIR}" ${model} ${threads} ${outliers})
      set_tests_properties(program/${model} PROPERTIES LABELS model TIMEOUT 300 SKIP_RETURN_CODE 77)
    endif()
  endforeach()
endif()
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
             "${PROJECT_SOURCE_DIR}/tests/onnx/expected.txt" "${PROJECT_SOURCE_DIR}/tests/onnx/models.txt")

# Files made to break readers, importer and code (label fuzz), under TENON_HOSTILE_DIR; tests/hostile/run_hostile.sh says what must hold.
set(targets "interpreter xsimd c_source")
if(TENON_HAS_LLVM)
  string(PREPEND targets "cpu ")
endif()
add_test(NAME hostile/inputs COMMAND sh "${PROJECT_SOURCE_DIR}/tests/hostile/run_hostile.sh"
         $<TARGET_FILE:tenon_tool> "$ENV{TENON_HOSTILE_DIR}" ${targets})
set_tests_properties(hostile/inputs PROPERTIES LABELS fuzz TIMEOUT 1500 SKIP_RETURN_CODE 77)
