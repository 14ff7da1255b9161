# tenon_judge_header: tenon::judge is the type layer as one header, tenon_judge.hpp, for compilers with an IR of their
# own, and the planner beside it. scripts/judge-header puts them together from the headers; they are built, installed
# and never committed.
set(tenon_judge_file "${PROJECT_BINARY_DIR}/judge/tenon_judge.hpp")
set(tenon_planner_file "${PROJECT_BINARY_DIR}/judge/tenon_planner.hpp")
add_custom_command(OUTPUT "${tenon_judge_file}" "${tenon_planner_file}"
  COMMAND sh "${PROJECT_SOURCE_DIR}/scripts/judge-header" "${tenon_judge_file}"
  DEPENDS "${PROJECT_SOURCE_DIR}/scripts/judge-header" ${tenon_headers} VERBATIM)
add_custom_target(tenon_judge_header ALL DEPENDS "${tenon_judge_file}")
add_library(tenon_judge INTERFACE)
add_library(tenon::judge ALIAS tenon_judge)
set_target_properties(tenon_judge PROPERTIES EXPORT_NAME judge)
target_compile_features(tenon_judge INTERFACE cxx_std_20)
target_sources(tenon_judge INTERFACE FILE_SET HEADERS BASE_DIRS "${PROJECT_BINARY_DIR}/judge"
  FILES "${tenon_judge_file}" "${tenon_planner_file}")
add_dependencies(tenon_judge tenon_judge_header)
