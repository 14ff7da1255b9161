# tenon_install: `find_package(tenon)` gives tenon::tenon, tenon::runtime and tenon::compiled;
# `find_package(tenon COMPONENTS llvm)` also tenon::llvm, and `COMPONENTS tool` tenon::tool, with tenon::llvm where it was built.
include(CMakePackageConfigHelpers)
set(tenon_config_dir "${CMAKE_INSTALL_LIBDIR}/cmake/tenon")

install(TARGETS tenon tenon_runtime EXPORT tenonTargets FILE_SET HEADERS)
if(TARGET tenon_compiled)
  install(TARGETS tenon_compiled EXPORT tenonTargets)
  install(FILES "${PROJECT_SOURCE_DIR}/src/linked/tenon_definitions_are_linked" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/tenon_linked")
endif()
install(EXPORT tenonTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}")
if(TARGET tenon_llvm)
  install(TARGETS tenon_llvm EXPORT tenonLLVMTargets)
  install(EXPORT tenonLLVMTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}")
endif()
if(TARGET tenon_tool)
  set_target_properties(tenon_tool PROPERTIES EXPORT_NAME command)
  install(TARGETS tenon_tool EXPORT tenonCommandTargets)
  install(EXPORT tenonCommandTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}")
  install(TARGETS tenon_command_line EXPORT tenonToolTargets FILE_SET HEADERS)
  install(EXPORT tenonToolTargets NAMESPACE tenon:: DESTINATION "${tenon_config_dir}")
endif()

configure_package_config_file("${PROJECT_SOURCE_DIR}/cmake/tenonConfig.cmake.in"
  "${PROJECT_BINARY_DIR}/tenonConfig.cmake" INSTALL_DESTINATION "${tenon_config_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_BINARY_DIR}/tenonConfig.cmake" "${PROJECT_BINARY_DIR}/tenonConfigVersion.cmake"
        DESTINATION "${tenon_config_dir}")
# The laws of targets, for targets that are written elsewhere: `tenon_target_test`.
install(FILES "${PROJECT_SOURCE_DIR}/tests/support/target_test.hpp" "${PROJECT_SOURCE_DIR}/tests/support/random_module.hpp"
        DESTINATION "${tenon_config_dir}/testing/support")
install(FILES "${PROJECT_SOURCE_DIR}/cmake/tenon_target_test.cmake" "${PROJECT_SOURCE_DIR}/cmake/tenon_add_model.cmake"
        DESTINATION "${tenon_config_dir}")
